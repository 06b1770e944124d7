"""Lexical match + recency + channel -> order. Pure; every weight is in the read policy.

A member's rows are prepared as one long string a field; the rows that hold a stem are found by
searching it once, at the speed of memmem, and remembered. Preparing is joining strings, so a cold
recall costs hardly more than a warm one.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from utils.memory.policy import ReadPolicy, confidence_now
from utils.memory.stems import query_stems, stems
from utils.model.memory import Kind, Memory

MOST_POSTINGS = 2_000
MOST_QUERY_WORDS = 60
MOST_TOPICS_KNOWN = 10_000
DAY_S = 86_400.0

Postings = dict[int, int]
"""Row index -> how often a stem occurs in it."""


class Field:
    """One field of all of a member's rows, searchable by stem."""

    def __init__(self, stems_by_row: Sequence[str]) -> None:
        self._text = "".join([f" {row} \n" for row in stems_by_row])
        self._starts = list(accumulate([len(row) + 3 for row in stems_by_row], initial=0))
        self.lengths = [row.count(" ") + 1 if row else 0 for row in stems_by_row]
        self.mean_length = sum(self.lengths) / max(1, len(self.lengths)) or 1.0
        self._postings: dict[str, Postings] = {}

    def postings(self, stem: str) -> Postings:
        """Return the rows that hold a stem, and how often."""
        found = self._postings.get(stem)
        if found is None:
            if len(self._postings) >= MOST_POSTINGS:
                self._postings.clear()
            found = self._postings[stem] = self._search(stem)
        return found

    def _search(self, stem: str) -> Postings:
        # A blank at the needle's end, the commonest letter there is, would slow the search down.
        needle, found = f" {stem}", Postings()
        position = self._text.find(needle)
        while position >= 0:
            end = position + len(needle)
            if self._text[end] == " ":
                row = bisect_right(self._starts, position) - 1
                found[row] = found.get(row, 0) + 1
            position = self._text.find(needle, end)
        return found


class PreparedRows:
    """A member's rows, ready to be ranked; ``version`` is the MemoryVersion they stand for.

    ``newest`` are the same rows, what was said last first, ``constraints`` those of them that are;
    of two rows that fit alike, the one with the higher ``precedence`` comes first.
    """

    def __init__(self, rows: Iterable[Memory], version: int) -> None:
        self.rows = tuple(rows)
        self.version = version
        self.newest = tuple(sorted(self.rows, key=_newness, reverse=True))
        self.constraints = tuple(row for row in self.newest if row.kind is Kind.CONSTRAINT)
        self.by_id = {row.id: row for row in self.rows}
        self.precedence = [0] * len(self.rows)
        indexes = sorted(range(len(self.rows)), key=lambda i: _precedence(self.rows[i]))
        for place, i in enumerate(indexes):
            self.precedence[i] = place
        self.said_at_s = [row.last_confirmed_at.timestamp() for row in self.rows]
        split = [[*row.stems.split("\n"), "", ""] for row in self.rows]
        self.text = Field([parts[0] for parts in split])
        self.source = Field([parts[1] for parts in split])
        self.previous = Field([parts[2] for parts in split])
        self.topics = Field([" ".join(map(_topic_stems, row.topics)) for row in self.rows])


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


class Ranked(NamedTuple):
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
    Recency is 0.5^(time since last said / half-life).
    """
    text = _bm25(prepared.text, query, policy, 1.0)
    source = _bm25(prepared.source, query, policy, policy.source_weight)
    previous = _bm25(prepared.previous, query, policy, policy.previous_weight)
    topics = _bm25(prepared.topics, query, policy, policy.topic_weight)
    matches = dict.fromkeys(
        (i for stem in query.channel_topics for i in prepared.topics.postings(stem)), 0.0
    )
    channel = dict.fromkeys(matches, policy.channel_weight)
    for scores in (text, source, previous, topics):
        for i, score in scores.items():
            matches[i] = matches.get(i, 0.0) + score
    rows = prepared.rows
    matches = {i: match for i, match in matches.items() if may_recall(rows[i])}
    best = max(matches.values(), default=0.0)
    floor = policy.relevance_floor * best
    now_s, half_life_s = now.timestamp(), policy.recency_half_life_days * DAY_S
    fitting = []
    for i, match in matches.items():
        here = channel.get(i, 0.0)
        if here or (best > 0 and match >= floor):
            age_s = max(0.0, now_s - prepared.said_at_s[i])
            terms = {
                "text": text.get(i, 0.0),
                "source": source.get(i, 0.0),
                "previous": previous.get(i, 0.0),
                "topics": topics.get(i, 0.0),
                "recency": policy.recency_weight * 0.5 ** (age_s / half_life_s),
                "channel": here,
            }
            score = (match + terms["recency"] + here) * confidence_now(rows[i], now)
            fitting.append((round(score, 6), prepared.precedence[i], Ranked(rows[i], score, terms)))
    return [one for _, _, one in sorted(fitting, reverse=True)]


def _precedence(row: Memory) -> tuple[int, datetime, int]:
    return row.importance, row.last_confirmed_at, row.id


def _newness(row: Memory) -> tuple[datetime, int, int]:
    return row.last_confirmed_at, row.importance, row.id


@lru_cache(MOST_TOPICS_KNOWN)
def _topic_stems(topic: str) -> str:
    return " ".join(stems(topic))


def _bm25(field: Field, query: Query, policy: ReadPolicy, weight: float) -> dict[int, float]:
    """Return Okapi BM25 by row index (Robertson & Zaragoza 2009), the best row scaled to 1 and
    then by ``weight``."""
    lengths, k1 = field.lengths, policy.bm25_k1
    even, per_stem = k1 * (1.0 - policy.bm25_b), k1 * policy.bm25_b / field.mean_length
    scores: dict[int, float] = {}
    for alternatives in query.words:
        found = _merge([field.postings(stem) for stem in alternatives])
        if not found:
            continue
        idf = math.log(1.0 + (len(lengths) - len(found) + 0.5) / (len(found) + 0.5))
        for i, times in found.items():
            gain = idf * times * (k1 + 1.0) / (times + even + per_stem * lengths[i])
            scores[i] = scores.get(i, 0.0) + gain
    best = max(scores.values(), default=0.0)
    return {i: weight * (score / best) for i, score in scores.items()} if best > 0 else {}


def _merge(alternatives: Sequence[Postings]) -> Postings:
    """Return for each row the most that any alternative spelling of a word occurs in it."""
    if len(alternatives) == 1:
        return alternatives[0]
    merged: Postings = {}
    for postings in alternatives:
        for i, times in postings.items():
            merged[i] = max(times, merged.get(i, 0))
    return merged
