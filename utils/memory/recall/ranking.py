"""Ranks a member's memories or messages for a query. Pure; the weights are in the recall policy.

Every term is an array with one value for each document, scaled so that the best is 1, and weighted
by the policy. Two sets of weights are mixed by how much of the message tells rather than asks. A
question needs the one line that answers it, however old. A statement continues the last topic.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Generic, TypeAlias

import numpy as np

from utils.memory.policy.recall_policy import RankingWeights, RecallPolicy
from utils.memory.recall.documents import NO_INTEGERS, Documents
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import NO_STEMS, Query
from utils.models.memory import Kind, Memory
from utils.models.recall import Item, Ranked, Said
from utils.nlp import inverted_index
from utils.nlp.inverted_index import BoolArray, FloatArray, IntArray

MAX_CONSIDERED = 120  # candidates, before the limits by kind
MAX_RANKED = 60
MAX_PER_KIND = 30  # several times what a block takes of one kind, including the profile
MIN_CLOSENESS = 0.3  # of the best, for a document that no word matches
UNRELATED_TEXTS = 1  # assumed beside a member's documents, of cosine 0
NO_SIMILARITIES: Mapping[int, float] = {}

Terms: TypeAlias = dict[str, FloatArray]
"""The value of each term for each document; 0 where a term does not apply."""


def rank(
    documents: Documents[Item],
    query: Query,
    allowed: BoolArray,
    now: datetime,
    policy: RecallPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
) -> list[Ranked[Item]]:
    """Return the documents that match, best first; importance, then recency, break ties.

    There are at most MAX_PER_KIND memories of a kind. :func:`match` documents the arguments.
    """
    matches = match(documents, query, allowed, policy, zone=zone, similarities=similarities)
    return _limited(_ranked(matches, weigh(matches, now, policy), policy, MAX_CONSIDERED))


def rank_linked(
    memories: "Matches[Memory]",
    messages: "Matches[Said]",
    now: datetime,
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
        in_context: whether neighbours of matching messages are candidates too.
        is_limited: otherwise every candidate is returned.
    """
    weights = policy.weights(memories.query.telling)
    of_memories = weigh(memories, now, policy)
    of_messages = weigh(messages, now, policy, in_context=in_context)
    if weights.linked and isinstance(rows := memories.documents, PreparedMemories):
        message_ids = messages.documents.message_ids
        memory_scores = _best_scores(*of_memories, weights)
        message_scores = _best_scores(*of_messages, weights)
        _add_link(memories, of_memories, rows.best_of_messages(message_scores, message_ids))
        _add_link(messages, of_messages, rows.best_for_messages(memory_scores, message_ids))
    limits = (MAX_CONSIDERED, MAX_RANKED) if is_limited else (None, None)
    ranked_memories = _ranked(memories, of_memories, policy, limits[0])
    ranked_messages = _ranked(messages, of_messages, policy, limits[1])
    return _limited(ranked_memories) if is_limited else ranked_memories, ranked_messages


def _ranked(
    matches: "Matches[Item]",
    weighed: tuple[BoolArray, Terms],
    policy: RecallPolicy,
    limit: int | None,
) -> list[Ranked[Item]]:
    """Return the best candidates with the contribution of each term."""
    weights, items = policy.weights(matches.query.telling), matches.documents.items
    indexes, contributions, names = best(matches.documents, *weighed, weights, limit)
    columns = (indexes, contributions.sum(axis=1), contributions)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [Ranked(items[i], score, names, values) for i, score, values in rows]


def _best_scores(candidates: BoolArray, terms: Terms, weights: RankingWeights) -> FloatArray:
    """Return the scores of the best MAX_RANKED candidates, scaled; 0 for all others."""
    scores = scaled(np.maximum(weighted(terms, weights), 0.0), candidates)
    if len(scores) > MAX_RANKED:
        scores[scores < np.partition(scores, -MAX_RANKED)[-MAX_RANKED]] = 0.0
    return scores


def _add_link(
    matches: "Matches[Item]", weighed: tuple[BoolArray, Terms], scores: FloatArray
) -> None:
    """Add the term ``linked`` to what :func:`weigh` returned; it makes candidates."""
    candidates, terms = weighed
    terms["linked"] = scores
    np.logical_or(candidates, (scores > 0) & matches.allowed, out=candidates)


def _limited(ranked_items: list[Ranked[Item]]) -> list[Ranked[Item]]:
    """Return the first MAX_PER_KIND memories of each kind, or the first MAX_RANKED messages."""
    count_by_kind: Counter[Kind | None] = Counter()
    top = []
    for item in ranked_items:
        kind = item.row.kind if isinstance(item.row, Memory) else None
        count_by_kind[kind] += 1
        if count_by_kind[kind] <= (MAX_PER_KIND if kind else MAX_RANKED):
            top.append(item)
    return top


@dataclass(frozen=True, slots=True)
class Matches(Generic[Item]):
    """How a member's documents match a query, by term, before weighting.

    ``is_match``: the document itself matches and may be recalled. ``is_dated``: it was said on a
    day that the query names. ``closeness`` is how far its cosine is above the mean.
    """

    documents: Documents[Item]
    query: Query
    terms: Terms
    allowed: BoolArray
    is_match: BoolArray
    is_about_channel: BoolArray
    is_dated: BoolArray
    closeness: FloatArray


def match(
    documents: Documents[Item],
    query: Query,
    allowed: BoolArray,
    policy: RecallPolicy,
    *,
    zone: tzinfo | None = None,
    similarities: Mapping[int, float] = NO_SIMILARITIES,
) -> Matches[Item]:
    """Return the matches; of the policy, only BM25's k1 and b and the category share matter.

    Args:
        allowed: which documents may be recalled; others are ignored.
        zone: the time zone of days that the query names; documents of those days are candidates.
        similarities: cosines by document id; documents that stand out are candidates.

    A document is also a candidate if its text, source, topics or previous message has a word of the
    query, or if it is about the channel's topics.
    """
    terms = _lexical(documents, query, policy)
    is_about_channel = documents.about(query.channel_topics)
    is_dated = documents.said_on(query.days, zone)
    closeness = _closeness(documents, similarities, allowed)
    is_close = closeness > MIN_CLOSENESS
    matched = (terms["coverage"] > 0) | is_about_channel | is_dated | is_close
    is_match = matched & allowed
    terms = {name: scaled(scores, is_match) for name, scores in terms.items()}
    closeness = closeness * is_match
    return Matches(
        documents, query, terms, allowed, is_match, is_about_channel, is_dated, closeness
    )


def weigh(
    matches: Matches[Item],
    now: datetime,
    policy: RecallPolicy,
    *,
    in_context: bool = False,
) -> tuple[BoolArray, Terms]:
    """Return which documents are candidates, and every term of all documents."""
    documents, query, terms = matches.documents, matches.query, dict(matches.terms)
    # Weights may be below zero, a match is not.
    lexical = scaled(np.maximum(weighted(terms, policy.asking), 0.0), matches.is_match)
    terms["neighbours"] = neighbours(documents, lexical)
    terms["date"] = matches.is_dated.astype(np.float64)
    terms["channel"] = matches.is_about_channel.astype(np.float64)
    terms["similarity"] = matches.closeness
    candidates = matches.is_match.copy()
    if in_context:
        candidates = matches.is_match | ((terms["neighbours"] > 0) & matches.allowed)
    if query.asks_when:
        terms["time_word"] = documents.names_time.astype(np.float64)
    terms |= conversation_terms(documents, lexical)
    terms |= _priors(documents, now, policy)
    return candidates, terms


def best(
    documents: Documents[Item],
    candidates: BoolArray,
    terms: Terms,
    weights: RankingWeights,
    limit: int | None,
) -> tuple[IntArray, FloatArray, tuple[str, ...]]:
    """Return the indexes of the best candidates, each term's contribution, and the terms' names."""
    indexes: IntArray = np.flatnonzero(candidates)
    used = {name: weight for name in terms if (weight := getattr(weights, name))}
    contributions = np.zeros((len(indexes), len(used)))
    for column, (name, weight) in enumerate(used.items()):
        contributions[:, column] = weight * terms[name][indexes]
    totals: FloatArray = contributions.sum(axis=1)
    ties: list[IntArray | FloatArray] = [
        documents.ids[indexes],
        documents.said_at_s[indexes],
        documents.importance[indexes],
    ]
    order = np.lexsort((*ties, totals.round(6)))[::-1][:limit]  # the last key decides first
    return indexes[order], contributions[order], tuple(used)


# --- words -----------------------------------------------------------------------------------


def _lexical(documents: Documents[Item], query: Query, policy: RecallPolicy) -> Terms:
    """Return the BM25 of the text and of its best sentence, and how much of the query it covers.

    ``coverage`` is the share of the query's words, weighted by rarity, anywhere in a document. A
    text with a member of a category that a question names, with a compound of its word, or with a
    part of it, covers that word by the category share.
    """
    total = len(documents)
    terms = {name: np.zeros(total) for name in ("text", "coverage")}
    gained_in_text: list[tuple[IntArray, FloatArray] | None] = []
    others = (documents.source, documents.previous, documents.topics)
    elsewhere = [field for field in others if not field.is_empty]
    for word in query.words:
        in_text = documents.text.postings_of_any(word)
        gained = None
        if len(in_text.indexes):
            added = inverted_index.gains(documents.text, in_text, policy.bm25_k1, policy.bm25_b)
            gained = in_text.indexes, added
            terms["text"][in_text.indexes] += added
        gained_in_text.append(gained)
        found_in = [in_text.indexes]
        found_in += [field.postings_of_any(word).indexes for field in elsewhere]
        related = NO_INTEGERS
        if query.telling < 1.0:
            related = documents.text.indexes_of_related(word[0], query.members.get(word, NO_STEMS))
        if not len(related) and not any(map(len, found_in)):
            continue
        anywhere = np.zeros(total, np.bool_)
        anywhere[np.concatenate(found_in)] = True
        rarity = inverted_index.idf(total, max(1, int(np.count_nonzero(anywhere))))
        terms["coverage"][anywhere] += rarity
        terms["coverage"][related[~anywhere[related]]] += policy.category_share * rarity
    terms["sentence"] = _best_sentence(total, gained_in_text, query.sentences)
    return terms


def _best_sentence(
    total: int,
    gained: Sequence[tuple[IntArray, FloatArray] | None],
    sentences: Sequence[Sequence[int]],
) -> FloatArray:
    best = np.zeros(total)
    for words in sentences:
        scores = np.zeros(total)
        for word in words:
            if (gains := gained[word]) is not None:
                scores[gains[0]] += gains[1]
        np.maximum(best, scores, out=best)
    return best


def scaled(scores: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return the scores of allowed documents, scaled so that the best is 1."""
    allowed_scores: FloatArray = scores * allowed
    best = float(allowed_scores.max(initial=0.0))
    return allowed_scores / best if best > 0 else np.zeros(len(scores))


def weighted(terms: Terms, weights: RankingWeights) -> FloatArray:
    """Return the weighted sum of terms."""
    total: FloatArray = np.zeros(len(terms["text"]))
    for name, scores in terms.items():
        if weight := getattr(weights, name):
            total += weight * scores
    return total


# --- context ----------------------------------------------------------------------


def neighbours(documents: Documents[Item], lexical: FloatArray) -> FloatArray:
    """Return the matches of neighbours in the same conversation, weighted by distance.

    The message next to a document counts half, the one after that a quarter.
    """
    conversations, ordered = documents.conversations, lexical[documents.order]
    around = np.zeros(len(lexical))
    for distance, share in ((1, 0.5), (2, 0.25)):
        same_conversation = share * (conversations[distance:] == conversations[:-distance])
        around[distance:] += same_conversation * ordered[:-distance]
        around[:-distance] += same_conversation * ordered[distance:]
    return documents.by_document(around)


def conversation_terms(documents: Documents[Item], lexical: FloatArray) -> Terms:
    """Return the best and the mean match of each document's conversation."""
    if not lexical.any():
        return {}
    starts, conversations = documents.conversation_starts, documents.conversations
    ordered = lexical[documents.order]
    best = np.maximum.reduceat(ordered, starts)
    mean = np.add.reduceat(ordered, starts) / np.bincount(conversations)
    return {
        "conversation_best": documents.by_document((best / best.max())[conversations]),
        "conversation_mean": documents.by_document((mean / mean.max())[conversations]),
    }


def _closeness(
    documents: Documents[Item], similarities: Mapping[int, float], allowed: BoolArray
) -> FloatArray:
    """Return how far the cosine of each allowed document is above the mean; the best has 1.

    Unrelated texts have cosines of about 0 in some models, of 0.7 in others: what counts is how
    much a document stands out. Another text of cosine 0 is assumed, for a member with one memory,
    which is its own mean.
    """
    if not similarities:
        return np.zeros(len(documents))
    cosines: FloatArray = np.array(
        [similarities.get(document_id, np.nan) for document_id in documents.ids.tolist()]
    )
    is_known = allowed & ~np.isnan(cosines)
    known = cosines[is_known]
    above = np.zeros(len(documents))
    above[is_known] = (known - known.sum() / (len(known) + UNRELATED_TEXTS)).clip(0.0)
    return scaled(above, is_known)


def _priors(documents: Documents[Item], now: datetime, policy: RecallPolicy) -> Terms:
    """Return the terms that do not depend on the query."""
    confidence: FloatArray = np.ones(len(documents))
    if isinstance(documents, PreparedMemories):
        confidence = documents.confidence_at(now)
    ages = documents.by_document(documents.conversation_ages[documents.conversations])
    continuity = np.exp(math.log(policy.continuity_decay) * ages)
    return {
        "question": documents.is_question.astype(np.float64),
        "continuity": continuity,
        "confidence": confidence,
    }
