"""Ranks a member's memories or messages for a query. Pure; the weights are in the recall policy.

Every term is an array with one value for each document, scaled so that the best is 1, and weighted
by the policy. Two sets of weights are mixed by how much of the message tells rather than asks. A
question needs the one line that answers it, however old. A statement continues the last topic.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import tzinfo
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

from utils.memory.policy.recall_policy import RankingWeights, RecallPolicy, statement_share
from utils.memory.recall.corpus import Corpus
from utils.memory.recall.documents import Documents
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import NO_STEMS, Query
from utils.models.memory import Memory
from utils.models.recall import Item, Ranked, Said
from utils.nlp import bm25
from utils.nlp.stem_text import BoolArray, FloatArray, IntArray, hashes_of, parts_of

MAX_RANKED = 40  # candidates of memories and of messages, before the limit by kind
MAX_PER_KIND = 30  # several times what a block takes of one kind, including the profile
MIN_CLOSENESS = 0.3  # of the best, for a document that no word matches
MIN_COVERAGE = 0.5  # of the query's words, or of as many as are rare, for any recall at all
RARE_WORDS = 0.5, 3.0  # that count as much as a whole question, and as a whole statement
MIN_COMPARED = 20  # texts; among fewer, any cosine may stand out, and a word may be in all of them
ANY_COVERAGE = 1e-9  # some word of the query
UNRELATED_TEXTS = 1  # assumed beside a member's documents, of cosine 0
DECIMALS = 6  # of scores that count as equal if these are
NO_SIMILARITIES: Mapping[int, float] = {}

TERMS = tuple(term.name for term in fields(RankingWeights))
_GET_WEIGHTS = attrgetter(*TERMS)
(
    TEXT, SENTENCE, COVERAGE, CONVERSATION_BEST, CONVERSATION_MEAN, NEIGHBOURS, DATE, TIME_WORD,
    CHANNEL, SIMILARITY, QUESTION, LINKED, CONTINUITY,
) = range(len(TERMS))  # fmt: skip
LEXICAL = slice(TEXT, COVERAGE + 1)

Terms: TypeAlias = FloatArray
"""A row for each of TERMS with its value for each document; 0 where a term does not apply."""

WORD, RELATED, TOPIC = range(3)
IN_TEXT, COVERED, BEFORE, IS_RELATED, ABOUT_CHANNEL, NOWHERE = range(6)
PLACES = np.array(
    [
        [IN_TEXT, COVERED, BEFORE, COVERED],
        [IS_RELATED, NOWHERE, NOWHERE, NOWHERE],
        [NOWHERE, NOWHERE, NOWHERE, ABOUT_CHANNEL],
    ]
)
"""What it means that a word, a related word or a channel's topic is in a line of a document."""


def rank(
    documents: Documents[Item],
    query: Query,
    allowed: BoolArray,
    policy: RecallPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
) -> list[Ranked[Item]]:
    """Return the documents that match, best first; importance, then recency, break ties.

    There are at most MAX_PER_KIND memories of a kind. :func:`find_matches` documents the arguments.
    """
    corpus = Corpus([documents])
    matches = find_matches(corpus, query, allowed, policy, zone=zone, similarities=[similarities])
    return _ranked(weigh(matches, policy), 0, is_limited=True)


def rank_linked(
    matches: "Matches",
    policy: RecallPolicy,
    *,
    in_context: bool = True,
    is_limited: bool = True,
) -> tuple[list[Ranked[Memory]], list[Ranked[Said]]]:
    """Return a member's memories and messages, ranked like :func:`rank`; each ranks the other.

    The best messages lend their scores to the memories drawn from them, and the reverse. What gets
    such a score is a candidate too.

    Args:
        matches: matches among the memories and the messages.
        in_context: whether neighbours of matching messages are candidates too.
        is_limited: otherwise every candidate is returned.
    """
    weighed = weigh(matches, policy)
    terms, totals, candidates = matches.terms, weighed.totals, weighed.candidates
    if in_context:
        of_messages = matches.corpus.slices[1]
        is_near = terms[NEIGHBOURS, of_messages] > 0
        candidates[of_messages] |= is_near & matches.allowed[of_messages]
    links = matches.corpus.links
    if links is not None and (weight := weighed.weights[LINKED]):
        scores = _best_scores(weighed)
        np.maximum.at(terms[LINKED], links.ends, scores[links.starts])
        totals += weight * terms[LINKED]
        candidates |= (terms[LINKED] > 0) & matches.allowed
    return (
        _ranked(weighed, 0, is_limited=is_limited),
        _ranked(weighed, 1, is_limited=is_limited),
    )


def _ranked(weighed: "Weighed", group: int, *, is_limited: bool) -> list[Ranked[Any]]:
    """Return the best candidates of a group with the contribution of each term, best first."""
    corpus, terms = weighed.matches.corpus, weighed.matches.terms
    documents, part = corpus.groups[group], corpus.slices[group]
    first, limit = part.start, MAX_RANKED if is_limited else None
    indexes: IntArray = np.flatnonzero(weighed.candidates[part]) + first
    totals = weighed.totals[indexes]
    if limit is not None and len(indexes) > limit:
        is_high = totals > np.partition(totals, -limit)[-limit] - 10.0**-DECIMALS
        indexes, totals = indexes[is_high], totals[is_high]
    order = np.lexsort(
        (
            corpus.ids[indexes],
            corpus.said_at_s[indexes],
            corpus.importance[indexes],
            totals.round(DECIMALS),  # the last key decides first
        )
    )
    indexes = indexes[order[::-1][:limit]]
    if is_limited and isinstance(documents, PreparedMemories):
        counts = Counter[int]()
        is_within = []
        for kind in documents.kinds[indexes - first].tolist():
            counts[kind] += 1
            is_within.append(counts[kind] <= MAX_PER_KIND)
        indexes = indexes[is_within]
    contributions = (terms[:, indexes] * weighed.weights[:, np.newaxis]).T
    scores = weighed.totals[indexes].tolist()
    rows = zip((indexes - first).tolist(), scores, contributions, strict=True)
    return [Ranked(documents[i], score, TERMS, values) for i, score, values in rows]


def _best_scores(weighed: "Weighed") -> FloatArray:
    """Return the scores of the best MAX_RANKED candidates of each group, scaled; 0 for others."""
    scores: FloatArray = np.maximum(weighed.totals, 0.0) * weighed.candidates
    slices = weighed.matches.corpus.slices
    scale(scores, slices)
    for group in (scores[part] for part in slices):
        if len(group) > MAX_RANKED:
            group[group < np.partition(group, -MAX_RANKED)[-MAX_RANKED]] = 0.0
    return scores


@dataclass(frozen=True, slots=True)
class Matches:
    """How documents match a query, before weighting.

    ``terms`` has those of LEXICAL, DATE, CHANNEL and SIMILARITY. ``is_match``: the document itself
    matches and may be recalled. ``is_related``: some document has enough of the query's words, was
    said on a day that it names, or stands out by its meaning; otherwise a match is chance, such as
    of one common word.
    """

    corpus: Corpus
    query: Query
    terms: Terms
    allowed: BoolArray
    is_match: BoolArray
    is_related: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """The matches with every term, their weights, their weighted sum, and the candidates."""

    matches: Matches
    weights: FloatArray
    totals: FloatArray
    candidates: BoolArray


def find_matches(
    corpus: Corpus,
    query: Query,
    allowed: BoolArray,
    policy: RecallPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Sequence[Mapping[int, float]] = (),
) -> Matches:
    """Return the matches; of the policy, only BM25's k1 and b and the shares matter.

    Args:
        allowed: which documents may be recalled; others are ignored.
        zone: the time zone of days that the query names; documents of those days are candidates.
        similarities: cosines by document id, for each group; documents that stand out are
            candidates.

    A document is also a candidate if its text, source, topics or previous message has a word of the
    query, or if it is about the channel's topics.
    """
    terms = np.zeros((len(TERMS), len(corpus)))
    is_related = _add_closeness(terms[SIMILARITY], corpus, similarities, allowed)
    is_about_channel, needed = _add_lexical(terms, corpus, query, policy)
    is_dated = corpus.said_on(query.days, zone)
    is_match = (terms[COVERAGE] > 0) | is_about_channel | (terms[SIMILARITY] > MIN_CLOSENESS)
    is_match = (is_match | is_dated) & allowed
    for part, enough in zip(corpus.slices, needed, strict=True):
        is_enough = is_dated[part] | (terms[COVERAGE, part] >= enough)
        is_related = is_related or bool((is_match[part] & is_enough).any())
    terms[LEXICAL] *= is_match
    terms[SIMILARITY] *= is_match
    scale(terms[LEXICAL], corpus.slices)
    terms[DATE] = is_dated
    terms[CHANNEL] = is_about_channel
    return Matches(corpus, query, terms, allowed, is_match, is_related)


def weigh(matches: Matches, policy: RecallPolicy) -> Weighed:
    """Return the candidates and their scores; adds all terms to the matches but ``linked``."""
    corpus, query, terms = matches.corpus, matches.query, matches.terms
    weights = _values(policy.weights(query.telling))
    # Weights may be below zero, a match is not.
    asking = weighted(terms[LEXICAL], _values(policy.asking)[LEXICAL])
    lexical = np.maximum(asking, 0.0)
    scale(lexical, corpus.slices)
    _add_context(terms, corpus, lexical)
    terms[QUESTION] = corpus.is_question
    if query.asks_when:
        terms[TIME_WORD] = corpus.joined("names_time")
    if weights[CONTINUITY]:
        terms[CONTINUITY] = policy.continuity_decay ** corpus.joined("conversation_ages")
    return Weighed(matches, weights, weighted(terms, weights), matches.is_match.copy())


def _values(weights: RankingWeights) -> FloatArray:
    """Return the weights in the order of TERMS."""
    return np.array(_GET_WEIGHTS(weights))


# --- words -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hits:
    """Where documents have words of a query: a row for each word.

    ``times`` says how often a text has each word in any of its forms, ``covers`` which documents
    have it anywhere but in the message before, ``is_before`` which have it there, or in the message
    before the member's next one, which mostly answers this one. ``is_related`` says which texts
    have a member of a category that a question names, a compound of its word, or a part of it.
    """

    times: IntArray
    covers: BoolArray
    is_before: BoolArray
    is_related: BoolArray
    is_about_channel: BoolArray


def find_words(corpus: Corpus, query: Query) -> Hits:
    """Return where documents have words of a query, and the channel's topics.

    A message also has the words of the memories that rest on it, and a memory has the message
    before its own.
    """
    number, total = len(query.words), len(corpus)
    wanted = [(stem, i, WORD) for i, word in enumerate(query.words) for stem in word]
    if query.telling < 1.0:
        for i, word in enumerate(query.words):
            related = {*query.members.get(word, NO_STEMS), *parts_of(word[0])}
            related.update(*(group.stems.compounds_of(word[0]) for group in corpus.groups))
            wanted += [(stem, i, RELATED) for stem in related]
    wanted += [(stem, 0, TOPIC) for stem in query.channel_topics]
    stems, owners, kinds = zip(*wanted, strict=True) if wanted else ((), (), ())
    hashes = hashes_of(stems)
    of_groups = [group.stems.find(hashes) for group in corpus.groups]
    parts = zip(of_groups, corpus.slices, strict=True)
    texts = np.concatenate([places.texts + part.start for places, part in parts])
    numbers = np.concatenate([places.numbers for places in of_groups])
    lines = np.concatenate([places.lines for places in of_groups])
    words = np.array(owners, np.int64)[numbers]
    places = PLACES[np.array(kinds, np.int64)[numbers], lines]
    has = np.zeros((NOWHERE + 1, max(1, number), total), np.bool_)
    has[places, words, texts] = True
    is_counted = places == IN_TEXT
    keys = words[is_counted] * total + texts[is_counted]
    links, covers, is_before = corpus.links, has[IN_TEXT] | has[COVERED], has[BEFORE]
    if links is not None:
        of_pairs, pairs = np.nonzero(has[IN_TEXT][:, links.resting])
        covers[of_pairs, links.said[pairs]] = True
        is_before[:, links.with_source] = is_before[:, links.sources]
        is_before[:, links.followed] |= is_before[:, links.following]
    return Hits(
        times=np.bincount(keys, minlength=number * total).reshape(number, total),
        covers=covers[:number],
        is_before=is_before[:number],
        is_related=has[IS_RELATED, :number],
        is_about_channel=has[ABOUT_CHANNEL, 0],
    )


def _add_lexical(
    terms: Terms, corpus: Corpus, query: Query, policy: RecallPolicy
) -> tuple[BoolArray, list[float]]:
    """Add the terms of LEXICAL: BM25 of the text and of its best sentence, and coverage.

    Returns which documents are about the channel's topics, and the coverage that a related document
    has, for each group.

    Coverage is the share of the query's words, weighted by rarity, anywhere in a document. The
    message before covers a word by the previous share, a related word by the category share.
    """
    hits = find_words(corpus, query)
    needed = [math.inf for _ in corpus.groups]
    if not query.words or not len(corpus):
        return hits.is_about_channel, needed
    of_words, of_texts = np.nonzero(hits.times)
    times, total = hits.times[of_words, of_texts], len(corpus)
    gains = bm25.saturation(times, corpus.lengths[of_texts], policy.bm25_k1, policy.bm25_b)
    has_word = hits.covers | hits.is_before
    related_share = np.where(hits.is_related, policy.category_share, 0.0)
    share = np.where(hits.is_before, policy.previous_share, related_share)
    share[hits.covers] = 1.0
    asking, telling = RARE_WORDS
    rare_words = asking + (telling - asking) * statement_share(query.telling)
    for number, part in enumerate(corpus.slices):
        size, is_here = part.stop - part.start, (of_texts >= part.start) & (of_texts < part.stop)
        rarity = bm25.idf(size, np.count_nonzero(has_word[:, part], axis=1).clip(1))
        gains[is_here] *= rarity[of_words[is_here]]
        terms[COVERAGE, part] = weighted(share[:, part], rarity)
        rarest = float(bm25.idf(size, np.ones(1, np.int64))[0])
        enough = MIN_COVERAGE * min(float(rarity.sum()), rare_words * rarest)
        needed[number] = enough if size >= MIN_COMPARED else ANY_COVERAGE
    terms[TEXT] = np.bincount(of_texts, gains, total)
    for sentence in query.sentences:
        scores = terms[TEXT]
        if len(sentence) < len(query.words):
            is_there = np.isin(of_words, sentence)
            scores = np.bincount(of_texts[is_there], gains[is_there], total)
        np.maximum(terms[SENTENCE], scores, out=terms[SENTENCE])
    return hits.is_about_channel, needed


def scale(scores: FloatArray, slices: Sequence[slice]) -> None:
    """Scale scores so that the best of each row and group is 1; none is below zero."""
    for part in slices:
        of_group = scores[..., part]
        best = of_group.max(axis=-1, initial=0.0, keepdims=True)
        best[best == 0.0] = 1.0
        of_group /= best


def weighted(rows: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted sum of rows; BLAS would start threads for it."""
    total: FloatArray = np.einsum("r,rd->d", weights, rows)
    return total


# --- context ----------------------------------------------------------------------


def _add_context(terms: Terms, corpus: Corpus, lexical: FloatArray) -> None:
    """Add how neighbours in the same conversation match, and its best and its mean match.

    Of the neighbours, the message next to a document counts half, the one after that a quarter.
    """
    conversations, sizes = corpus.conversations, corpus.conversation_sizes
    ordered = lexical[corpus.order]
    around = np.zeros((3, len(lexical)))
    for distance, share in ((1, 0.5), (2, 0.25)):
        same_conversation = share * (conversations[distance:] == conversations[:-distance])
        around[2, distance:] += same_conversation * ordered[:-distance]
        around[2, :-distance] += same_conversation * ordered[distance:]
    (matching,) = np.nonzero(ordered)
    values = np.zeros((2, len(sizes)))
    np.maximum.at(values[0], conversations[matching], ordered[matching])
    values[1] = np.bincount(conversations, ordered, len(sizes)) / sizes
    scale(values, corpus.conversation_slices)
    around[:2] = values[:, conversations]
    terms[CONVERSATION_BEST : NEIGHBOURS + 1, corpus.order] = around


def _add_closeness(
    closeness: FloatArray,
    corpus: Corpus,
    similarities: Sequence[Mapping[int, float]],
    allowed: BoolArray,
) -> bool:
    """Add how far the cosine of each allowed document is above the mean; the best of a group has 1.

    Returns whether one stands out more than the best of as many random numbers; among few, any
    may.

    Unrelated texts have cosines of about 0 in some models, of 0.7 in others: what counts is how
    much a document stands out. Another text of cosine 0 is assumed, for a member with one memory,
    which is its own mean.
    """
    stands_out = False
    parts = zip(corpus.slices, similarities, strict=False)
    for part, of_group in ((part, of_group) for part, of_group in parts if of_group):
        ids = corpus.ids[part].tolist()
        cosines: FloatArray = np.array([of_group.get(document_id, np.nan) for document_id in ids])
        is_known = allowed[part] & ~np.isnan(cosines)
        known = cosines[is_known]
        if not len(known):
            continue
        mean = known.sum() / (len(known) + UNRELATED_TEXTS)
        above = (known - mean).clip(0.0)
        closeness[part][is_known] = above / (above.max() or 1.0)
        chance = known.std() * math.sqrt(2.0 * math.log(len(known)))
        stands_out |= len(known) < MIN_COMPARED or bool(known.max() > known.mean() + chance)
    return stands_out
