"""What a message asks + a member's memories or messages -> order. Pure; weights are in the policy.

Every term is scaled so that its best document has 1, and weighted by the read policy. Two sets of
weights are mixed by how much of a message tells rather than asks: a question looks for the one
line that answers it, whenever it was said; who tells something goes on with what was last talked
about.
"""

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo

from utils.memory.asking import Query
from utils.memory.documents import Documents
from utils.memory.policy import RankingWeights, ReadPolicy, confidence_now
from utils.memory.postings import Field, Postings
from utils.model.memory import Kind, Memory
from utils.model.recall import Item, Ranked

MOST_CONSIDERED = 120  # before the floor and what is left out of each kind
MOST_RANKED = 60
MOST_OF_A_KIND = 30  # several times what a block takes of one kind, those in the profile included
DAY_S = 86_400.0
NO_SIMILARITIES: Mapping[int, float] = {}

Scores = dict[int, float]
"""Index of a document -> what it is worth; those left out are worth nothing."""


def rank(
    documents: Documents[Item],
    query: Query,
    may_recall: Callable[[Item], bool],
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
    explained = _explained(
        documents,
        query,
        may_recall,
        now,
        policy,
        zone,
        similarities,
        in_context,
        floor=policy.relevance_floor,
        most=MOST_CONSIDERED,
    )
    kept: Counter[Kind | None] = Counter()
    ranked = []
    for one in explained:
        kind = one.row.kind if isinstance(one.row, Memory) else None
        kept[kind] += 1
        if kept[kind] <= (MOST_OF_A_KIND if kind else MOST_RANKED):
            ranked.append(one)
    return ranked


PRIORS = ("question", "fullness", "continuity", "confidence", "recency")
"""The terms that a document has whatever is asked."""


def explain(
    documents: Documents[Item],
    query: Query,
    may_recall: Callable[[Item], bool],
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
    What ``may_recall`` refuses counts for nothing.
    """
    return _explained(
        documents,
        query,
        may_recall,
        now,
        policy,
        zone,
        similarities,
        in_context,
        floor=None,
        most=len(documents),
    )


def _explained(
    documents: Documents[Item],
    query: Query,
    may_recall: Callable[[Item], bool],
    now: datetime,
    policy: ReadPolicy,
    zone: tzinfo | None,
    similarities: Mapping[int, float],
    in_context: bool,
    floor: float | None,
    most: int,
) -> list[Ranked[Item]]:
    """Return the best candidates, explained; with a ``floor`` only those that themselves match
    that well by words, by day or by meaning (1: as the best does), or are about the channel."""
    weights = policy.weights(query.telling)
    raw: dict[str, Scores] = _lexical_scores(documents, query, policy)
    here: set[int] = {i for stem in query.channel_topics for i in documents.topics.postings(stem)}
    dated: set[int] = _said_on(documents, query, zone)
    alike: Scores = _similar(documents, similarities)
    matched = {*raw["coverage"], *raw["topics"], *here, *dated, *alike}
    allowed = {i for i in matched if may_recall(documents.items[i])}
    terms: dict[str, Scores] = {name: _scaled(scores, allowed) for name, scores in raw.items()}
    lexical = _scaled(_weighted(terms, policy.asking), allowed)
    lexical = {i: score for i, score in lexical.items() if score > 0}
    terms["neighbours"] = _neighbours(documents, lexical)
    terms["date"] = dict.fromkeys(dated, 1.0)
    terms["channel"] = dict.fromkeys(here, 1.0)
    terms["similarity"] = _scaled(alike, allowed)
    candidates = allowed
    if in_context:
        beside = terms["neighbours"].keys() - allowed
        candidates = allowed | {i for i in beside if may_recall(documents.items[i])}
    if floor is not None:
        near = terms["neighbours"] if in_context else {}
        matches = _best_of((lexical, terms["date"], terms["similarity"], near), candidates)
        least = max(floor * max(matches.values(), default=0.0), 1e-9)
        candidates = {i for i, match in matches.items() if match >= least} | (allowed & here)
    if query.asks_when:
        terms["time_word"] = {i: 1.0 for i in candidates if documents.names_time[i]}
    terms |= _conversation_terms(documents, lexical, candidates)
    _add_priors(terms, documents, candidates, now, policy)
    return _ordered(documents, candidates, terms, weights, most)


def _best_of(several: Iterable[Scores], candidates: set[int]) -> Scores:
    """Return for each candidate the best of its scores."""
    best = dict.fromkeys(candidates, 0.0)
    for scores in several:
        for i, score in scores.items():
            if score > best.get(i, score):
                best[i] = score
    return best


def _ordered(
    documents: Documents[Item],
    candidates: Iterable[int],
    terms: Mapping[str, Scores],
    weights: RankingWeights,
    most: int,
) -> list[Ranked[Item]]:
    weighted = [
        (name, weight, terms[name])
        for name in terms
        if (weight := getattr(weights, name)) and terms[name]
    ]
    total = dict.fromkeys(candidates, 0.0)
    for _, weight, scores in weighted:
        for i, score in scores.items():
            if i in total:
                total[i] += weight * score

    def place(i: int) -> tuple[float, int, float, int]:
        item = documents.items[i]
        importance = item.importance if isinstance(item, Memory) else 0
        return round(total[i], 6), importance, documents.said_at_s[i], documents.ids[i]

    least = min(heapq.nlargest(most, total.values()), default=0.0) - 1e-6
    best = sorted([i for i, score in total.items() if score >= least], key=place, reverse=True)
    return [
        Ranked(
            documents.items[i],
            total[i],
            {name: weight * scores[i] for name, weight, scores in weighted if i in scores},
        )
        for i in best
    ]


# --- words -----------------------------------------------------------------------------------


def _lexical_scores(
    documents: Documents[Item], query: Query, policy: ReadPolicy
) -> dict[str, Scores]:
    """Return Okapi BM25 (Robertson & Zaragoza 2009) of each field, of the best sentence of the
    query, and how much of the query's words, weighted by rarity, stands anywhere in a document."""
    total = len(documents)
    fields = {
        "text": documents.text,
        "source": documents.source,
        "previous": documents.previous,
        "topics": documents.topics,
    }
    scores: dict[str, Scores] = {name: {} for name in fields}
    coverage: Scores = {}
    by_word: list[Scores] = []
    for word in query.words:
        anywhere: set[int] = set()
        gains: Scores = {}
        for name, field in fields.items():
            found = field.postings_of_any(word)
            if not found:
                continue
            gained = _gains(field, found, policy)
            if name == "text":
                gains = gained
            if name != "topics":
                anywhere.update(found)
            _add(scores[name], gained)
        by_word.append(gains)
        if anywhere:
            rarity = _idf(total, len(anywhere))
            for i in anywhere:
                coverage[i] = coverage.get(i, 0.0) + rarity
    return {**scores, "coverage": coverage, "sentence": _best_sentence(by_word, query.sentences)}


def _best_sentence(by_word: Sequence[Scores], sentences: Sequence[Sequence[int]]) -> Scores:
    best: Scores = {}
    for words in sentences:
        scores: Scores = {}
        for word in words:
            _add(scores, by_word[word])
        for i, score in scores.items():
            if score > best.get(i, 0.0):
                best[i] = score
    return best


def _gains(field: Field, found: Postings, policy: ReadPolicy) -> Scores:
    """Return what a word adds to the BM25 of each text that holds it."""
    k1, lengths = policy.bm25_k1, field.lengths
    even, per_stem = k1 * (1.0 - policy.bm25_b), k1 * policy.bm25_b / field.mean_length
    factor = _idf(len(lengths), len(found)) * (k1 + 1.0)
    return {
        i: factor * times / (times + even + per_stem * lengths[i]) for i, times in found.items()
    }


def _idf(total: int, holding: int) -> float:
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))


def _add(scores: Scores, gained: Scores) -> None:
    for i, gain in gained.items():
        scores[i] = scores.get(i, 0.0) + gain


def _scaled(scores: Scores, allowed: set[int]) -> Scores:
    """Return the scores of what may be recalled, the best of them as 1."""
    kept = {i: score for i, score in scores.items() if i in allowed}
    best = max(kept.values(), default=0.0)
    return {i: score / best for i, score in kept.items()} if best > 0 else {}


def _weighted(terms: Mapping[str, Scores], weights: RankingWeights) -> Scores:
    total: Scores = {}
    for name, scores in terms.items():
        weight = getattr(weights, name)
        for i, score in scores.items():
            total[i] = total.get(i, 0.0) + weight * score
    return total


# --- what stands around ----------------------------------------------------------------------


def _neighbours(documents: Documents[Item], lexical: Scores) -> Scores:
    """Return what a document has from its neighbours in its conversation: at one place half of
    their match, at two a quarter."""
    conversations = documents.conversations
    count = len(conversations)
    around: Scores = {}
    for i, score in lexical.items():
        number = conversations[i]
        for away, share in ((1, 0.5), (-1, 0.5), (2, 0.25), (-2, 0.25)):
            other = i + away
            if 0 <= other < count and conversations[other] == number:
                around[other] = around.get(other, 0.0) + share * score
    return around


def _conversation_terms(
    documents: Documents[Item], lexical: Scores, candidates: set[int]
) -> dict[str, Scores]:
    """Return what a document has from its conversation: its best and its mean match."""
    best: Scores = {}
    total: Scores = {}
    conversations = documents.conversations
    for i, score in lexical.items():
        number = conversations[i]
        if score > best.get(number, 0.0):
            best[number] = score
        total[number] = total.get(number, 0.0) + score
    sizes = documents.conversation_sizes
    mean = {number: score / sizes[number] for number, score in total.items()}
    best_of_all = max(best.values(), default=0.0)
    mean_of_all = max(mean.values(), default=0.0)
    inside = {i: number for i in candidates if (number := conversations[i]) in best}
    return {
        "conversation_best": {i: best[number] / best_of_all for i, number in inside.items()},
        "conversation_mean": {i: mean[number] / mean_of_all for i, number in inside.items()},
    }


def _said_on(documents: Documents[Item], query: Query, zone: tzinfo | None) -> set[int]:
    """Return what was said on a day that the query names."""
    if not query.days or zone is None:
        return set()
    bounds = [
        (
            datetime(one.first.year, one.first.month, one.first.day, tzinfo=zone).timestamp(),
            datetime(one.last.year, one.last.month, one.last.day, tzinfo=zone).timestamp() + DAY_S,
        )
        for one in query.days
    ]
    return {
        i
        for i, said_at_s in enumerate(documents.said_at_s)
        if any(first <= said_at_s < end for first, end in bounds)
    }


def _similar(documents: Documents[Item], similarities: Mapping[int, float]) -> Scores:
    if not similarities:
        return {}
    return {
        i: cosine
        for i, one in enumerate(documents.ids)
        if (cosine := similarities.get(one, 0.0)) > 0
    }


def _add_priors(
    terms: dict[str, Scores],
    documents: Documents[Item],
    candidates: Iterable[int],
    now: datetime,
    policy: ReadPolicy,
) -> None:
    """Add the terms that depend on nothing asked."""
    now_s, half_life_s = now.timestamp(), policy.recency_half_life_days * DAY_S
    decays = [policy.continuity_decay**age for age in documents.conversation_ages]
    for name in PRIORS:
        terms[name] = {}
    for i in candidates:
        item = documents.items[i]
        if documents.is_question[i]:
            terms["question"][i] = 1.0
        terms["fullness"][i] = documents.fullness[i]
        terms["continuity"][i] = decays[documents.conversations[i]]
        sure = confidence_now(item, now) if isinstance(item, Memory) else 1.0
        terms["confidence"][i] = sure
        age_s = max(0.0, now_s - documents.said_at_s[i])
        terms["recency"][i] = 0.5 ** (age_s / half_life_s)
