"""What a message asks + a member's memories or messages -> order. Pure; weights are in the policy.

Every term is an array with a place for each document, scaled so that the best one has 1, and
weighted by the read policy. Two sets of weights are mixed by how much of a message tells rather
than asks: a question looks for the one line that answers it, whenever it was said; who tells
something goes on with what was last talked about.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Generic, TypeAlias

import numpy as np

from utils.memory.asking import Query
from utils.memory.documents import Documents, PreparedRows
from utils.memory.policy import DAY_S, RankingWeights, ReadPolicy
from utils.memory.postings import Field, Postings, Real, Truth, Whole
from utils.model.memory import Kind, Memory
from utils.model.recall import Item, Ranked

MOST_CONSIDERED = 120  # before the floor and what is left out of each kind
MOST_RANKED = 60
MOST_OF_A_KIND = 30  # several times what a block takes of one kind, those in the profile included
NO_SIMILARITIES: Mapping[int, float] = {}

Terms: TypeAlias = dict[str, Real]
"""By a term's name, what each document has of it; 0 for those it does not concern."""


def rank(
    documents: Documents[Item],
    query: Query,
    allowed: Truth,
    now: datetime,
    policy: ReadPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
    in_context: bool = False,
) -> list[Ranked[Item]]:
    """Return what fits the query, best first; importance, then what was said last, break ties.

    Only what itself matches at least ``relevance_floor`` times as well as the best is returned,
    and at most MOST_OF_A_KIND memories of a kind. The other arguments are explain's.
    """
    found = match(documents, query, allowed, policy, zone=zone, similarities=similarities)
    explained = _explained(found, now, policy, in_context, policy.relevance_floor, MOST_CONSIDERED)
    kept: Counter[Kind | None] = Counter()
    ranked = []
    for one in explained:
        kind = one.row.kind if isinstance(one.row, Memory) else None
        kept[kind] += 1
        if kept[kind] <= (MOST_OF_A_KIND if kind else MOST_RANKED):
            ranked.append(one)
    return ranked


def explain(
    documents: Documents[Item],
    query: Query,
    allowed: Truth,
    now: datetime,
    policy: ReadPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
    in_context: bool = False,
) -> list[Ranked[Item]]:
    """Return every candidate with the value of every term, best first, without any floor.

    Candidates are what holds a word of the query in its text, source or previous message, was
    said on a day that the query names in ``zone``, is close by meaning (``similarities``: id ->
    cosine), or is about the channel's topics; with ``in_context`` also what stands next to such.
    What is not ``allowed`` counts for nothing.
    """
    found = match(documents, query, allowed, policy, zone=zone, similarities=similarities)
    return _explained(found, now, policy, in_context, None, len(documents))


@dataclass(frozen=True, slots=True)
class Matches(Generic[Item]):
    """What of a member's documents matches a query, term by term, whatever each term is worth.

    ``known`` are those that match by themselves and may be recalled, ``here`` those that are about
    the channel, ``dated`` those said on a day that is named.
    """

    documents: Documents[Item]
    query: Query
    terms: Terms
    allowed: Truth
    known: Truth
    here: Truth
    dated: Truth
    alike: Real


def match(
    documents: Documents[Item],
    query: Query,
    allowed: Truth,
    policy: ReadPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
) -> Matches[Item]:
    """Return what matches; of the policy only BM25's k1 and b count."""
    terms = _lexical(documents, query, policy)
    here = _about(documents, query)
    dated = _said_on(documents, query, zone)
    alike = _similar(documents, similarities)
    matched = (terms["coverage"] > 0) | (terms["topics"] > 0) | here | dated | (alike > 0)
    known = matched & allowed
    terms = {name: scaled(scores, known) for name, scores in terms.items()}
    alike = scaled(alike, known)
    return Matches(documents, query, terms, allowed, known, here, dated, alike)


def weigh(
    found: Matches[Item],
    now: datetime,
    policy: ReadPolicy,
    *,
    in_context: bool = False,
    floor: float | None = None,
) -> tuple[Truth, Terms]:
    """Return the candidates, and every term of all; with a ``floor`` only those that themselves
    match that well by words, by day or by meaning (1: as the best does), or are about the
    channel."""
    documents, query, terms = found.documents, found.query, dict(found.terms)
    # Weights may be below zero, a match is not.
    lexical = scaled(weighted(terms, policy.asking).clip(0.0), found.known)
    terms["neighbours"] = neighbours(documents, lexical)
    terms["date"] = found.dated.astype(np.float64)
    terms["channel"] = found.here.astype(np.float64)
    terms["similarity"] = found.alike
    candidates = found.known
    if in_context:
        candidates = found.known | ((terms["neighbours"] > 0) & found.allowed)
    if floor is not None:
        matches = np.maximum.reduce([lexical, terms["date"], terms["similarity"]])
        if in_context:
            matches = np.maximum(matches, terms["neighbours"])
        matches *= candidates
        least = max(floor * float(matches.max(initial=0.0)), 1e-9)
        candidates = (matches >= least) | (found.known & found.here)
    if query.asks_when:
        terms["time_word"] = documents.names_time.astype(np.float64)
    terms |= conversation_terms(documents, lexical)
    terms |= _priors(documents, now, policy)
    return candidates, terms


def best(
    documents: Documents[Item],
    candidates: Truth,
    terms: Terms,
    weights: RankingWeights,
    most: int,
) -> tuple[Whole, Real, tuple[str, ...]]:
    """Return the places of the best candidates, best first, what each term adds to each of them,
    and the names of those terms."""
    where: Whole = np.flatnonzero(candidates)
    weighted = {name: weight for name in terms if (weight := getattr(weights, name))}
    worth = np.zeros((len(where), len(weighted)))
    for column, (name, weight) in enumerate(weighted.items()):
        worth[:, column] = weight * terms[name][where]
    total: Real = worth.sum(axis=1)
    ties: list[Whole | Real] = [
        documents.ids[where],
        documents.said_at_s[where],
        documents.importance[where],
    ]
    order = np.lexsort((*ties, total.round(6)))[::-1][:most]  # the last key decides first
    return where[order], worth[order], tuple(weighted)


def _explained(
    found: Matches[Item],
    now: datetime,
    policy: ReadPolicy,
    in_context: bool,
    floor: float | None,
    most: int,
) -> list[Ranked[Item]]:
    """Return the best candidates, explained."""
    candidates, terms = weigh(found, now, policy, in_context=in_context, floor=floor)
    weights = policy.weights(found.query.telling)
    places, worth, names = best(found.documents, candidates, terms, weights, most)
    total = worth.sum(axis=1)
    return [
        Ranked(found.documents.items[i], score, names, values)
        for i, score, values in zip(places.tolist(), total.tolist(), worth.tolist(), strict=True)
    ]


# --- words -----------------------------------------------------------------------------------


def _lexical(documents: Documents[Item], query: Query, policy: ReadPolicy) -> Terms:
    """Return Okapi BM25 (Robertson & Zaragoza 2009) of each field, of the best sentence of the
    query, and how much of the query's words, weighted by rarity, stands anywhere in a document."""
    total = len(documents)
    fields: dict[str, Field] = {
        "text": documents.text,
        "source": documents.source,
        "previous": documents.previous,
        "topics": documents.topics,
    }
    scores = {name: np.zeros(total) for name in (*fields, "coverage")}
    gained_in_text: list[tuple[Whole, Real] | None] = []
    for word in query.words:
        anywhere = np.zeros(total, np.bool_)
        in_text = None
        for name, field in fields.items():
            found = field.postings_of_any(word)
            if not len(found.where):
                continue
            gains = _gains(field, found, policy)
            scores[name][found.where] += gains
            if name == "text":
                in_text = (found.where, gains)
            if name != "topics":
                anywhere[found.where] = True
        gained_in_text.append(in_text)
        if holding := int(np.count_nonzero(anywhere)):
            scores["coverage"][anywhere] += _idf(total, holding)
    scores["sentence"] = _best_sentence(total, gained_in_text, query.sentences)
    return scores


def _best_sentence(
    total: int,
    gained: Sequence[tuple[Whole, Real] | None],
    sentences: Sequence[Sequence[int]],
) -> Real:
    best = np.zeros(total)
    for words in sentences:
        scores = np.zeros(total)
        for word in words:
            if (gains := gained[word]) is not None:
                scores[gains[0]] += gains[1]
        np.maximum(best, scores, out=best)
    return best


def _gains(field: Field, found: Postings, policy: ReadPolicy) -> Real:
    """Return what a word adds to the BM25 of each text that holds it."""
    k1 = policy.bm25_k1
    even, per_stem = k1 * (1.0 - policy.bm25_b), k1 * policy.bm25_b / field.mean_length
    factor = _idf(len(field.lengths), len(found.where)) * (k1 + 1.0)
    gains: Real = (
        factor * found.times / (found.times + even + per_stem * field.lengths[found.where])
    )
    return gains


def _idf(total: int, holding: int) -> float:
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))


def scaled(scores: Real, allowed: Truth) -> Real:
    """Return the scores of what may be recalled, the best of them as 1."""
    kept: Real = scores * allowed
    best = float(kept.max(initial=0.0))
    return kept / best if best > 0 else np.zeros(len(scores))


def weighted(terms: Terms, weights: RankingWeights) -> Real:
    """Return the weighted sum of terms."""
    total: Real = sum(getattr(weights, name) * scores for name, scores in terms.items())
    return total


# --- what stands around ----------------------------------------------------------------------


def neighbours(documents: Documents[Item], lexical: Real) -> Real:
    """Return what a document has from its neighbours in its conversation: at one place half of
    their match, at two a quarter."""
    conversations = documents.conversations
    around = np.zeros(len(lexical))
    for away, share in ((1, 0.5), (2, 0.25)):
        together = share * (conversations[away:] == conversations[:-away])
        around[away:] += together * lexical[:-away]
        around[:-away] += together * lexical[away:]
    return around


def conversation_terms(documents: Documents[Item], lexical: Real) -> Terms:
    """Return what a document has from its conversation: its best and its mean match."""
    if not lexical.any():
        return {}
    starts, of = documents.conversation_starts, documents.conversations
    best = np.maximum.reduceat(lexical, starts)
    mean = np.add.reduceat(lexical, starts) / np.diff(starts, append=len(lexical))
    return {
        "conversation_best": (best / best.max())[of],
        "conversation_mean": (mean / mean.max())[of],
    }


def _about(documents: Documents[Item], query: Query) -> Truth:
    """Return what is about the channel's topics."""
    here = np.zeros(len(documents), np.bool_)
    for stem in query.channel_topics:
        here[documents.topics.postings(stem).where] = True
    return here


def _said_on(documents: Documents[Item], query: Query, zone: tzinfo | None) -> Truth:
    """Return what was said on a day that the query names."""
    dated = np.zeros(len(documents), np.bool_)
    for one in query.days if zone is not None else ():
        first = datetime(one.first.year, one.first.month, one.first.day, tzinfo=zone).timestamp()
        last = datetime(one.last.year, one.last.month, one.last.day, tzinfo=zone).timestamp()
        dated |= (documents.said_at_s >= first) & (documents.said_at_s < last + DAY_S)
    return dated


def _similar(documents: Documents[Item], similarities: Mapping[int, float]) -> Real:
    if not similarities:
        return np.zeros(len(documents))
    cosines: Real = np.array([similarities.get(one, 0.0) for one in documents.ids.tolist()])
    return cosines.clip(0.0)


def _priors(documents: Documents[Item], now: datetime, policy: ReadPolicy) -> Terms:
    """Return the terms that a document has whatever is asked."""
    now_s = now.timestamp()
    age_days = np.maximum(0.0, now_s - documents.said_at_s) / DAY_S
    confidence: Real = np.ones(len(documents))
    if isinstance(documents, PreparedRows):
        unconfirmed_days = np.maximum(0.0, now_s - documents.confirmed_at_s) / DAY_S
        # policy.confidence_now, of all rows at once
        confidence = documents.confidence * 0.5 ** (unconfirmed_days / documents.half_life_days)
    ages = documents.conversation_ages[documents.conversations]
    continuity = np.exp(math.log(policy.continuity_decay) * ages)
    return {
        "question": documents.is_question.astype(np.float64),
        "fullness": documents.fullness,
        "continuity": continuity,
        "confidence": confidence,
        "recency": 0.5 ** (age_days / policy.recency_half_life_days),
    }
