"""Lexical match + recency + channel -> order. Pure; every weight is in the read policy.

A member's rows are prepared as one long string a field, in which the rows that hold a stem are
found by searching: preparing is joining strings, so that a first recall is quick. For the next ones
an index is made meanwhile (:meth:`PreparedRows.make_index`), which costs ten times as much.
"""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from utils.memory.policy import ReadPolicy, confidence_now
from utils.memory.stems import query_stems, stems
from utils.model.memory import Kind, Memory

MOST_QUERY_WORDS = 60
MOST_OF_A_KIND = 30  # several times what a block takes of one kind, those in the profile included
FEWEST_ROWS_WITH_COMMON_WORDS = 50
MOST_TOPICS_KNOWN = 10_000
DAY_S = 86_400.0

Postings = dict[int, int]
"""Row index -> how often a stem occurs in it."""

_NOWHERE: Postings = {}


class Field:
    """One field of all of a member's rows, searchable by stem."""

    def __init__(self, stems_by_row: Sequence[str]) -> None:
        self._text = "".join([f" {row} \n" for row in stems_by_row])
        self._starts = list(accumulate([len(row) + 3 for row in stems_by_row], initial=0))
        self.lengths = [row.count(" ") + 1 if row else 0 for row in stems_by_row]
        self.mean_length = sum(self.lengths) / max(1, len(self.lengths)) or 1.0
        self._index: dict[str, Postings] | None = None

    def postings(self, stem: str) -> Postings:
        """Return the rows that hold a stem, and how often."""
        if self._index is not None:
            return self._index.get(stem, _NOWHERE)
        return self._search(stem)

    def make_index(self) -> None:
        """Note for every stem the rows that hold it; from then on nothing is searched."""
        index: defaultdict[str, Postings] = defaultdict(dict)
        for i, row in enumerate(self._text.split("\n")):
            for stem in row.split():
                postings = index[stem]
                postings[i] = postings.get(i, 0) + 1
        self._index = dict(index)

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

    ``newest`` are the same rows, what was said last first, ``constraints`` those of them that are.
    """

    def __init__(self, rows: Iterable[Memory], version: int) -> None:
        self.rows = tuple(rows)
        self.version = version
        self.by_id = {row.id: row for row in self.rows}
        self.said_at_s = [row.last_confirmed_at.timestamp() for row in self.rows]
        order = sorted(range(len(self.rows)), key=self.said_at_s.__getitem__)
        self.newest = tuple([self.rows[i] for i in reversed(order)])
        self.constraints = tuple([row for row in self.newest if row.kind is Kind.CONSTRAINT])
        split = [[*row.stems.split("\n"), "", ""] for row in self.rows]
        self.text = Field([parts[0] for parts in split])
        self.source = Field([parts[1] for parts in split])
        self.previous = Field([parts[2] for parts in split])
        self.topics = Field([" ".join(map(_topic_stems, row.topics)) for row in self.rows])

    def make_index(self) -> None:
        """Make what further recalls are quicker with; in any thread, since nothing is changed but
        how the same is found."""
        for field in (self.text, self.source, self.previous, self.topics):
            field.make_index()


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
    lexical = {
        "text": _bm25(prepared.text, query, policy, 1.0),
        "source": _bm25(prepared.source, query, policy, policy.source_weight),
        "previous": _bm25(prepared.previous, query, policy, policy.previous_weight),
        "topics": _bm25(prepared.topics, query, policy, policy.topic_weight),
    }
    here = {i for stem in query.channel_topics for i in prepared.topics.postings(stem)}
    matches = dict.fromkeys(here, 0.0)
    for scores in lexical.values():
        for i, score in scores.items():
            matches[i] = matches.get(i, 0.0) + score
    rows, now_s = prepared.rows, now.timestamp()
    fitting = []
    for i in _above_floor(matches, here, rows, may_recall, policy):
        age_s = max(0.0, now_s - prepared.said_at_s[i])
        recency = policy.recency_weight * 0.5 ** (age_s / (policy.recency_half_life_days * DAY_S))
        channel = policy.channel_weight if i in here else 0.0
        score = (matches[i] + recency + channel) * confidence_now(rows[i], now)
        order = (round(score, 6), rows[i].importance, prepared.said_at_s[i], rows[i].id)
        fitting.append((order, i, score, recency, channel))
    fitting.sort(reverse=True)
    kept: Counter[Kind] = Counter()
    ranked = []
    for _, i, score, recency, channel in fitting:
        kept[rows[i].kind] += 1
        if kept[rows[i].kind] <= MOST_OF_A_KIND:
            terms = {name: scores.get(i, 0.0) for name, scores in lexical.items()}
            terms |= {"recency": recency, "channel": channel}
            ranked.append(Ranked(rows[i], score, terms))
    return ranked


def _above_floor(
    matches: dict[int, float],
    here: set[int],
    rows: Sequence[Memory],
    may_recall: Callable[[Memory], bool],
    policy: ReadPolicy,
) -> Iterator[int]:
    """Yield the rows that may be recalled and match well enough, or that the channel is about."""
    order = sorted(matches, key=matches.__getitem__, reverse=True)
    best = next((matches[i] for i in order if may_recall(rows[i])), 0.0)
    floor = policy.relevance_floor * best if best > 0 else math.inf
    for i in order:
        if (matches[i] >= floor or i in here) and may_recall(rows[i]):
            yield i


@lru_cache(MOST_TOPICS_KNOWN)
def _topic_stems(topic: str) -> str:
    return " ".join(stems(topic))


def _bm25(field: Field, query: Query, policy: ReadPolicy, weight: float) -> dict[int, float]:
    """Return Okapi BM25 by row index (Robertson & Zaragoza 2009), the best row scaled to 1 and
    then by ``weight``."""
    lengths, k1 = field.lengths, policy.bm25_k1
    even, per_stem = k1 * (1.0 - policy.bm25_b), k1 * policy.bm25_b / field.mean_length
    scores: dict[int, float] = {}
    words = [_merge([field.postings(stem) for stem in one]) for one in query.words]
    for found in _telling(words, len(lengths), policy):
        idf = math.log(1.0 + (len(lengths) - len(found) + 0.5) / (len(found) + 0.5))
        for i, times in found.items():
            gain = idf * times * (k1 + 1.0) / (times + even + per_stem * lengths[i])
            scores[i] = scores.get(i, 0.0) + gain
    best = max(scores.values(), default=0.0)
    return {i: weight * (score / best) for i, score in scores.items()} if best > 0 else {}


def _telling(words: list[Postings], rows: int, policy: ReadPolicy) -> list[Postings]:
    """Leave out words that stand in a large share of many rows, if any other was found: they tell
    rows apart the least, and cost the most."""
    found = [one for one in words if one]
    if rows < FEWEST_ROWS_WITH_COMMON_WORDS:
        return found
    return [one for one in found if len(one) <= policy.common_share * rows] or found


def _merge(alternatives: Sequence[Postings]) -> Postings:
    """Return for each row the most that any alternative spelling of a word occurs in it."""
    if len(alternatives) == 1:
        return alternatives[0]
    merged: Postings = {}
    for postings in alternatives:
        for i, times in postings.items():
            merged[i] = max(times, merged.get(i, 0))
    return merged
