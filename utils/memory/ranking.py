"""Lexical match + recency + channel -> order. Pure; every weight is in the read policy.

A member's rows are prepared as one long string a field; the rows that hold a stem are found by
searching it once, at the speed of memmem, and remembered. Preparing is joining strings, so a cold
recall costs hardly more than a warm one.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from utils.memory.policy import ReadPolicy, confidence_now
from utils.memory.stems import query_stems, stems
from utils.model.memory import Memory

MOST_POSTINGS = 2_000
MOST_QUERY_WORDS = 60

Postings = dict[int, int]
"""Row index -> how often a stem occurs in it."""


class Field:
    """One field of all of a member's rows, searchable by stem."""

    def __init__(self, stems_by_row: Sequence[str]) -> None:
        self._starts: list[int] = []
        parts: list[str] = []
        position = 0
        for row in stems_by_row:
            self._starts.append(position)
            parts.append(f" {row} \n")
            position += len(row) + 3
        self._text = "".join(parts)
        self.lengths = [row.count(" ") + 1 if row else 0 for row in stems_by_row]
        self.mean_length = sum(self.lengths) / max(1, len(self.lengths)) or 1.0
        self._postings: dict[str, Postings] = {}

    def postings(self, stem: str) -> Postings:
        """Return the rows that hold a stem, and how often."""
        found = self._postings.get(stem)
        if found is None:
            if len(self._postings) >= MOST_POSTINGS:
                self._postings.clear()
            found = self._postings[stem] = self._search(f" {stem} ")
        return found

    def _search(self, needle: str) -> Postings:
        found: Postings = {}
        position = self._text.find(needle)
        while position >= 0:
            row = bisect_right(self._starts, position) - 1
            found[row] = found.get(row, 0) + 1
            # The blank behind one stem is the blank before the next.
            position = self._text.find(needle, position + len(needle) - 1)
        return found


class PreparedRows:
    """A member's rows, ready to be ranked; ``version`` is the MemoryVersion they stand for."""

    def __init__(self, rows: Iterable[Memory], version: int) -> None:
        self.rows = tuple(rows)
        self.version = version
        split = [[*row.stems.split("\n"), "", "", ""][:3] for row in self.rows]
        self.text, self.source, self.previous = (
            Field([parts[i] for parts in split]) for i in range(3)
        )
        self.topics = Field([" ".join(stems(" ".join(row.topics))) for row in self.rows])


@dataclass(frozen=True, slots=True)
class Query:
    """What a message asks for: for each of its words the stems it may be stored under."""

    words: tuple[tuple[str, ...], ...]
    channel_topics: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, text: str, names: Iterable[str] = (), channel_topics: Iterable[str] = ()
    ) -> "Query":
        """Read a message; the names of the people concerned are cut, since all rows are theirs."""
        cut = {stem for name in names for stem in stems(name)}
        words = [
            tuple(alternatives)
            for alternatives in query_stems(text)
            if not cut.intersection(alternatives)
        ]
        topics = frozenset(stem for topic in channel_topics for stem in stems(topic))
        return cls(tuple(dict.fromkeys(words))[:MOST_QUERY_WORDS], topics)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row and why it stands where it does: every term's weighted value."""

    row: Memory
    score: float
    terms: dict[str, float]


def rank(
    prepared: PreparedRows,
    query: Query,
    may_recall: Callable[[Memory], bool],
    now: datetime,
    policy: ReadPolicy,
) -> list[Ranked]:
    """Return the rows that fit the query, best first; importance, then age, break ties.

    score = bm25(text) + w·bm25(source) + w·bm25(previous) + w·topics + w·recency + w·channel, each
    term scaled so that its best row has 1, the weights from the policy. Rows whose lexical part is
    under the relevance floor (a share of the best) are left out unless the channel is about them.
    """
    lexical = {
        "text": (1.0, _bm25(prepared.text, query, policy)),
        "source": (policy.source_weight, _bm25(prepared.source, query, policy)),
        "previous": (policy.previous_weight, _bm25(prepared.previous, query, policy)),
        "topics": (policy.topic_weight, _bm25(prepared.topics, query, policy)),
    }
    channel = {i for stem in query.channel_topics for i in prepared.topics.postings(stem)}
    ranked = []
    for i in {i for _, scores in lexical.values() for i in scores} | channel:
        row = prepared.rows[i]
        if not may_recall(row):
            continue
        terms = {name: weight * scores.get(i, 0.0) for name, (weight, scores) in lexical.items()}
        terms["recency"] = policy.recency_weight * _recency(row, now, policy)
        terms["channel"] = policy.channel_weight * (i in channel)
        ranked.append(Ranked(row, sum(terms.values()) * confidence_now(row, now), terms))
    best = max((_lexical(one) for one in ranked), default=0.0)
    floor = policy.relevance_floor * best
    fitting = [
        one for one in ranked if one.terms["channel"] or (best > 0 and _lexical(one) >= floor)
    ]
    return sorted(fitting, key=_order, reverse=True)


def _order(one: Ranked) -> tuple[float, int, datetime, int]:
    return round(one.score, 6), one.row.importance, one.row.last_confirmed_at, one.row.id


def _lexical(one: Ranked) -> float:
    return sum(one.terms[name] for name in ("text", "source", "previous", "topics"))


def _recency(row: Memory, now: datetime, policy: ReadPolicy) -> float:
    """Return 0.5^(days since last said / half-life), between 0 and 1."""
    days = max(0.0, (now - row.last_confirmed_at) / timedelta(days=1))
    return float(0.5 ** (days / policy.recency_half_life_days))


def _bm25(field: Field, query: Query, policy: ReadPolicy) -> dict[int, float]:
    """Return Okapi BM25 by row index (Robertson & Zaragoza 2009), the best row scaled to 1."""
    rows = len(field.lengths)
    scores: dict[int, float] = {}
    for alternatives in query.words:
        found = _merge([field.postings(stem) for stem in alternatives])
        if not found:
            continue
        idf = math.log(1.0 + (rows - len(found) + 0.5) / (len(found) + 0.5))
        for i, times in found.items():
            length = field.lengths[i] / field.mean_length
            norm = policy.bm25_k1 * (1.0 - policy.bm25_b + policy.bm25_b * length)
            gain = idf * times * (policy.bm25_k1 + 1.0) / (times + norm)
            scores[i] = scores.get(i, 0.0) + gain
    best = max(scores.values(), default=0.0)
    return {i: score / best for i, score in scores.items()} if best > 0 else {}


def _merge(alternatives: Sequence[Postings]) -> Postings:
    """Return for each row the most that any alternative spelling of a word occurs in it."""
    if len(alternatives) == 1:
        return alternatives[0]
    merged: Postings = {}
    for postings in alternatives:
        for i, times in postings.items():
            merged[i] = max(times, merged.get(i, 0))
    return merged
