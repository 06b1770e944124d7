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
from typing import Generic, TypeAlias

import numpy as np

from utils.memory.policy.recall_policy import RankingWeights, RecallPolicy, statement_share
from utils.memory.recall.documents import (
    PREVIOUS_LINE,
    TEXT_LINE,
    TOPICS_LINE,
    Documents,
    Links,
)
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import NO_STEMS, Query
from utils.models.memory import Memory
from utils.models.recall import NOTHING_SIMILAR, Item, Ranked, Said, Similarities
from utils.nlp import bm25
from utils.nlp.bm25 import WordCounts
from utils.nlp.stem_text import BoolArray, FloatArray, IntArray, hashes_of, parts_of

MAX_RANKED = 60  # candidates of memories and of messages, before the limit by kind
MAX_PER_KIND = 30  # several times what a block takes of one kind, including the profile
MIN_CLOSENESS = 0.3  # of the best, for a document that no word matches
MIN_COVERAGE = 0.5  # of the query's words, or of as many as are rare, for any recall at all
RARE_WORDS = 0.5, 3.0  # that count as much as a whole question, and as a whole statement
MIN_COMPARED = 20  # texts; among fewer, any cosine may stand out, and a word may be in all of them
ANY_COVERAGE = 1e-9  # some word of the query
UNRELATED_TEXTS = 1  # assumed beside a member's documents, of cosine 0
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

    There are at most MAX_PER_KIND memories of a kind. :func:`match` documents the arguments.
    """
    matches = match(documents, query, allowed, policy, zone=zone, similarities=similarities)
    return _ranked(weigh(matches, policy), is_limited=True)


def rank_linked(
    memories: "Matches[Memory]",
    messages: "Matches[Said]",
    links: Links,
    policy: RecallPolicy,
    *,
    in_context: bool = True,
    is_limited: bool = True,
) -> tuple[list[Ranked[Memory]], list[Ranked[Said]]]:
    """Return a member's memories and messages, ranked like :func:`rank`; each ranks the other.

    The best messages lend their scores to the memories drawn from them, and the reverse. What gets
    such a score is a candidate too.

    Args:
        memories: matches among the memories.
        messages: matches among the messages.
        links: which messages are behind which memories.
        in_context: whether neighbours of matching messages are candidates too.
        is_limited: otherwise every candidate is returned.
    """
    of_memories = weigh(memories, policy)
    of_messages = weigh(messages, policy, in_context=in_context)
    if of_memories.weights[LINKED]:
        memory_scores, message_scores = _best_scores(of_memories), _best_scores(of_messages)
        _add_link(of_memories, links.best_of_messages(message_scores, len(memory_scores)))
        _add_link(of_messages, links.best_for_messages(memory_scores, len(message_scores)))
    return (
        _ranked(of_memories, is_limited=is_limited),
        _ranked(of_messages, is_limited=is_limited),
    )


def _ranked(weighed: "Weighed[Item]", *, is_limited: bool) -> list[Ranked[Item]]:
    """Return the best candidates with the contribution of each term."""
    documents = weighed.matches.documents
    indexes = weighed.best(MAX_RANKED if is_limited else None)
    if is_limited and isinstance(documents, PreparedMemories):
        counts = Counter[int]()
        is_within = []
        for kind in documents.kinds[indexes].tolist():
            counts[kind] += 1
            is_within.append(counts[kind] <= MAX_PER_KIND)
        indexes = indexes[is_within]
    contributions = (weighed.terms[:, indexes] * weighed.weights[:, np.newaxis]).T
    scores = weighed.totals[indexes].tolist()
    rows = zip(indexes.tolist(), scores, contributions, strict=True)
    return [Ranked(documents[i], score, TERMS, values) for i, score, values in rows]


def _best_scores(weighed: "Weighed[Item]") -> FloatArray:
    """Return the scores of the best MAX_RANKED candidates, scaled; 0 for all others."""
    scores = scaled(np.maximum(weighed.totals, 0.0), weighed.candidates)
    if len(scores) > MAX_RANKED:
        scores[scores < np.partition(scores, -MAX_RANKED)[-MAX_RANKED]] = 0.0
    return scores


def _add_link(weighed: "Weighed[Item]", scores: FloatArray) -> None:
    """Add the term ``linked``; it makes candidates."""
    weighed.terms[LINKED] = scores
    weighed.totals += weighed.weights[LINKED] * scores
    weighed.candidates |= (scores > 0) & weighed.matches.allowed


@dataclass(frozen=True, slots=True)
class Matches(Generic[Item]):
    """How a member's documents match a query, before weighting.

    ``lexical`` has the terms of LEXICAL. ``is_match``: the document itself matches and may be
    recalled. ``is_dated``: it was said on a day that the query names. ``closeness`` is how far its
    cosine is above the mean. ``is_related``: some document has enough of the query's words, is
    dated, or stands out by its meaning; otherwise a match is chance, such as of one common word.
    """

    documents: Documents[Item]
    query: Query
    lexical: Terms
    allowed: BoolArray
    is_match: BoolArray
    is_about_channel: BoolArray
    is_dated: BoolArray
    closeness: FloatArray
    is_related: bool = True


@dataclass(slots=True)
class Weighed(Generic[Item]):
    """Every term of all documents, their weights, their weighted sum, and the candidates."""

    matches: Matches[Item]
    weights: FloatArray
    terms: Terms
    totals: FloatArray
    candidates: BoolArray

    def best(self, limit: int | None) -> IntArray:
        """Return the indexes of the best candidates, best first."""
        documents = self.matches.documents
        indexes: IntArray = np.flatnonzero(self.candidates)
        order = np.lexsort(
            (
                documents.ids[indexes],
                documents.said_at_s[indexes],
                documents.importance[indexes],
                self.totals[indexes].round(6),  # the last key decides first
            )
        )
        return indexes[order[::-1][:limit]]


def match(
    documents: Documents[Item],
    query: Query,
    allowed: BoolArray,
    policy: RecallPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
    hits: "Hits | None" = None,
) -> Matches[Item]:
    """Return the matches; of the policy, only BM25's k1 and b and the category share matter.

    Args:
        allowed: which documents may be recalled; others are ignored.
        zone: the time zone of days that the query names; documents of those days are candidates.
        similarities: cosines by document id; documents that stand out are candidates.
        hits: where they have words of the query, if that is known.

    A document is also a candidate if its text, source, topics or previous message has a word of the
    query, or if it is about the channel's topics.
    """
    hits = find(documents, query, Needles.of(query)) if hits is None else hits
    lexical, needed = _lexical(documents, query, hits, policy)
    is_dated = documents.said_on(query.days, zone)
    closeness, stands_out = _closeness(documents, similarities, allowed)
    is_close = closeness > MIN_CLOSENESS
    is_match = ((lexical[COVERAGE] > 0) | hits.is_about_channel | is_dated | is_close) & allowed
    return Matches(
        documents=documents,
        query=query,
        lexical=scaled(lexical, is_match),
        allowed=allowed,
        is_match=is_match,
        is_about_channel=hits.is_about_channel,
        is_dated=is_dated,
        closeness=closeness * is_match,
        is_related=stands_out
        or bool((is_match & (is_dated | (lexical[COVERAGE] >= needed))).any()),
    )


def match_linked(
    documents: tuple[PreparedMemories, Documents[Said]],
    links: Links,
    query: Query,
    allowed: tuple[BoolArray, BoolArray],
    policy: RecallPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Similarities = NOTHING_SIMILAR,
) -> tuple[Matches[Memory], Matches[Said]]:
    """Return the matches among a member's memories and among their messages, as :func:`match` does.

    A message also has the words of the memories that rest on it; a memory whose message before is
    not stored with it has those of the message before its own.
    """
    memories, messages = documents
    needles = Needles.of(query)
    of_memories, of_messages = find(memories, query, needles), find(messages, query, needles)
    behind, rows = links.messages[links.is_said], links.memories[links.is_said]
    if len(behind):
        words, pairs = np.nonzero(of_memories.in_text[:, rows])
        of_messages.covers[words, behind[pairs]] = True
        rows, first = np.unique(rows, return_index=True)
        is_missing = ~memories.has_previous[rows]
        rows, before = rows[is_missing], behind[first][is_missing]
        of_memories.is_before[:, rows] |= of_messages.is_before[:, before]

    def matches(
        documents: Documents[Item], allowed: BoolArray, cosines: Mapping[int, float], hits: Hits
    ) -> Matches[Item]:
        return match(documents, query, allowed, policy, zone=zone, similarities=cosines, hits=hits)

    return (
        matches(memories, allowed[0], similarities.rows, of_memories),
        matches(messages, allowed[1], similarities.events, of_messages),
    )


def weigh(
    matches: Matches[Item],
    policy: RecallPolicy,
    *,
    in_context: bool = False,
) -> Weighed[Item]:
    """Return the candidates and every term of all documents, except terms without a weight."""
    documents, query = matches.documents, matches.query
    weights = _values(policy.weights(query.telling))
    terms = np.zeros((len(TERMS), len(documents)))
    terms[LEXICAL] = matches.lexical
    # Weights may be below zero, a match is not.
    asking = weighted(matches.lexical, _values(policy.asking)[LEXICAL])
    lexical = scaled(np.maximum(asking, 0.0), matches.is_match)
    _add_context(terms, documents, lexical)
    terms[DATE] = matches.is_dated
    terms[CHANNEL] = matches.is_about_channel
    terms[SIMILARITY] = matches.closeness
    terms[QUESTION] = documents.is_question
    if query.asks_when:
        terms[TIME_WORD] = documents.names_time
    if weights[CONTINUITY]:
        ages = documents.conversation_ages
        terms[CONTINUITY] = np.exp(math.log(policy.continuity_decay) * ages)
    candidates = matches.is_match.copy()
    if in_context:
        candidates |= (terms[NEIGHBOURS] > 0) & matches.allowed
    return Weighed(matches, weights, terms, weighted(terms, weights), candidates)


def _values(weights: RankingWeights) -> FloatArray:
    """Return the weights in the order of TERMS."""
    return np.array(_GET_WEIGHTS(weights))


# --- words -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Needles:
    """The hashes of the stems that a query looks for, and the word that each belongs to.

    A word with the number of words added to its own are the stems that are related to it, those of
    the channel's topics come after them.
    """

    hashes: IntArray
    owners: Sequence[int]

    @classmethod
    def of(cls, query: Query) -> "Needles":
        """Return the stems of a query."""
        number = len(query.words)
        wanted = [(stem, i) for i, word in enumerate(query.words) for stem in word]
        if query.telling < 1.0:
            for i, word in enumerate(query.words, number):
                related = {*query.members.get(word, NO_STEMS), *parts_of(word[0])}
                wanted += [(stem, i) for stem in related]
        wanted += [(stem, 2 * number) for stem in query.channel_topics]
        return cls(hashes_of([stem for stem, _ in wanted]), [owner for _, owner in wanted])


@dataclass(frozen=True, slots=True)
class Hits:
    """Where documents have words of a query: a row for each word.

    ``in_text`` says which texts have each word, ``covers`` which documents have it anywhere
    but in the message before, ``is_before`` which have it there. ``is_related`` says which texts
    have a member of a category that a question names, a compound of its word, or a part of it.
    ``counts`` says how often a text has a word, once for each stem of the word.
    """

    counts: WordCounts
    in_text: BoolArray
    covers: BoolArray
    is_before: BoolArray
    is_related: BoolArray
    is_about_channel: BoolArray


def find(documents: Documents[Item], query: Query, needles: Needles) -> Hits:
    """Return where documents have words of a query, and the channel's topics."""
    total: int = len(documents)
    number: int = len(query.words)
    compounds, owners = list[str](), [*needles.owners]
    if query.telling < 1.0:
        for i, word in enumerate(query.words, number):
            of_word = documents.stems.compounds_of(word[0])
            compounds += of_word
            owners += [i] * len(of_word)
    places = documents.stems.find(np.concatenate([needles.hashes, hashes_of(compounds)]))
    of_stems = np.array(owners, np.int64)
    of_places, texts, lines = of_stems[places.numbers], places.texts, places.lines

    def table(is_wanted: BoolArray, first: int = 0) -> BoolArray:
        has_word = np.zeros((number, total), np.bool_)
        has_word[of_places[is_wanted] - first, texts[is_wanted]] = True
        return has_word

    is_word, is_text = of_places < number, lines == TEXT_LINE
    is_counted = is_word & is_text
    is_related = is_text & ~is_word & (of_places < 2 * number)
    places_of, times = np.unique(
        places.numbers[is_counted] * total + texts[is_counted], return_counts=True
    )
    stems, texts_with = np.divmod(places_of, max(1, total))
    is_about_channel = np.zeros(total, np.bool_)
    is_about_channel[texts[(of_places == 2 * number) & (lines == TOPICS_LINE)]] = True
    return Hits(
        counts=WordCounts(of_stems[stems], texts_with, times),
        in_text=table(is_counted),
        covers=table(is_word & (lines != PREVIOUS_LINE)),
        is_before=table(is_word & (lines == PREVIOUS_LINE)),
        is_related=table(is_related, number),
        is_about_channel=is_about_channel,
    )


def _lexical(
    documents: Documents[Item], query: Query, hits: Hits, policy: RecallPolicy
) -> tuple[Terms, float]:
    """Return the terms of LEXICAL: BM25 of the text and of its best sentence, and coverage; and
    the coverage that a related document has.

    Coverage is the share of the query's words, weighted by rarity, anywhere in a document. The
    message before covers a word by the previous share, a related word by the category share.
    """
    words, total, stems = query.words, len(documents), documents.stems
    terms = np.zeros((COVERAGE + 1, total))
    if not words or not total:
        return terms, math.inf
    in_texts = np.count_nonzero(hits.in_text, axis=1)
    gains = bm25.gains(
        hits.counts, in_texts, stems.lengths, stems.mean_length, policy.bm25_k1, policy.bm25_b
    )
    terms[TEXT] = gains.sum(axis=0)
    for sentence in query.sentences:
        is_whole = len(sentence) == len(words)
        scores = terms[TEXT] if is_whole else gains[list(sentence)].sum(axis=0)
        np.maximum(terms[SENTENCE], scores, out=terms[SENTENCE])
    has_word = hits.covers | hits.is_before
    holding = np.count_nonzero(has_word, axis=1).tolist()
    rarity = np.array([bm25.idf(total, max(1, count)) for count in holding])
    terms[COVERAGE] = weighted(hits.covers, rarity)
    terms[COVERAGE] += policy.previous_share * weighted(has_word & ~hits.covers, rarity)
    if query.telling < 1.0:
        is_related = hits.is_related & ~has_word
        terms[COVERAGE] += policy.category_share * weighted(is_related, rarity)
    asking, telling = RARE_WORDS
    rare_words = asking + (telling - asking) * statement_share(query.telling)
    needed = MIN_COVERAGE * min(rarity.sum(), rare_words * bm25.idf(total, 1))
    return terms, needed if total >= MIN_COMPARED else ANY_COVERAGE


def scaled(scores: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return the scores of allowed documents, scaled so that the best of each row is 1."""
    allowed_scores: FloatArray = scores * allowed
    best = allowed_scores.max(axis=-1, initial=0.0, keepdims=True)
    allowed_scores /= np.where(best > 0, best, np.inf)
    return allowed_scores


def weighted(rows: FloatArray | BoolArray, weights: FloatArray) -> FloatArray:
    """Return the weighted sum of rows; BLAS would start threads for it."""
    total: FloatArray = np.einsum("r,rd->d", weights, rows)
    return total


# --- context ----------------------------------------------------------------------


def _add_context(terms: Terms, documents: Documents[Item], lexical: FloatArray) -> None:
    """Add how neighbours in the same conversation match, and its best and its mean match.

    Of the neighbours, the message next to a document counts half, the one after that a quarter.
    """
    if not lexical.any():
        return
    conversations, sizes = documents.conversations, documents.conversation_sizes
    ordered = lexical[documents.order]
    around = np.zeros((3, len(lexical)))
    for distance, share in ((1, 0.5), (2, 0.25)):
        same_conversation = share * (conversations[distance:] == conversations[:-distance])
        around[2, distance:] += same_conversation * ordered[:-distance]
        around[2, :-distance] += same_conversation * ordered[distance:]
    (matching,) = np.nonzero(ordered)
    best = np.zeros(len(sizes))
    np.maximum.at(best, conversations[matching], ordered[matching])
    mean = np.bincount(conversations, weights=ordered) / sizes
    around[0] = (best / best.max())[conversations]
    around[1] = (mean / mean.max())[conversations]
    for term, values in enumerate(around, CONVERSATION_BEST):
        terms[term, documents.order] = values


def _closeness(
    documents: Documents[Item], similarities: Mapping[int, float], allowed: BoolArray
) -> tuple[FloatArray, bool]:
    """Return how far the cosine of each allowed document is above the mean; the best has 1.

    And whether the best stands out more than the best of as many random numbers; among
    few, any may.

    Unrelated texts have cosines of about 0 in some models, of 0.7 in others: what counts is how
    much a document stands out. Another text of cosine 0 is assumed, for a member with one memory,
    which is its own mean.
    """
    if not similarities:
        return np.zeros(len(documents)), False
    cosines: FloatArray = np.array(
        [similarities.get(document_id, np.nan) for document_id in documents.ids.tolist()]
    )
    is_known = allowed & ~np.isnan(cosines)
    known = cosines[is_known]
    above = np.zeros(len(documents))
    above[is_known] = (known - known.sum() / (len(known) + UNRELATED_TEXTS)).clip(0.0)
    if len(known) < MIN_COMPARED:
        return scaled(above, is_known), len(known) > 0
    chance = known.std() * math.sqrt(2.0 * math.log(len(known)))
    return scaled(above, is_known), bool(known.max() > known.mean() + chance)
