"""Prepares a member's memories for ranking. Pure."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from itertools import repeat

import numpy as np

from utils.memory.policy.write_policy import DAY_S, HALF_LIFE_DAYS, fades_below
from utils.memory.recall.documents import (
    TOPICS_LINE,
    Documents,
    MessagesBehind,
    as_time,
)
from utils.models.memory import Form, Importance, Kind, Memory, Status
from utils.models.policy import WritePolicy
from utils.models.recall import MemoryColumns
from utils.nlp.stem_text import BoolArray, FloatArray, IntArray
from utils.nlp.stemming import stems

KINDS, STATUSES, FORMS = tuple(Kind), tuple(Status), tuple(Form)
PADDING = "\n\n\n", "\n\n", "\n"
"""What follows stored stems, so that topics stand in the fourth line; another process may still run
a version before k0012, which stores three lines."""
_HALF_LIVES: FloatArray = np.array([HALF_LIFE_DAYS[kind] or math.inf for kind in Kind])


class PreparedMemories(Documents[Memory]):
    """A member's memories, ready to be ranked, at one MemoryVersion.

    ``messages`` gives the ids of the messages behind each memory, also of superseded ones;
    ``successors`` which memory superseded each of these; ``requests`` are messages that asked to
    remember or to correct one.
    """

    _ARRAYS = (
        *Documents._ARRAYS,
        "_confidence",
        "_confirmed_at_s",
        "kinds",
        "_statuses",
        "_forms",
    )

    def __init__(
        self,
        rows: Iterable[Memory] | MemoryColumns,
        version: int,
        messages: Mapping[int, tuple[int, ...]] | None = None,
        successors: Mapping[int, int] | None = None,
        requests: Collection[int] = (),
    ) -> None:
        columns = rows if isinstance(rows, MemoryColumns) else MemoryColumns.of(rows)
        padding = map(PADDING.__getitem__, map(str.count, columns.stems, repeat("\n")))
        topic_stems = cache(lambda topic: " ".join(stems(topic)))  # known for this reading only
        topics = (" ".join(map(topic_stems, names.split(","))) for names in columns.topics)
        super().__init__(
            columns,
            stems=map("".join, zip(columns.stems, padding, topics, strict=True)),
            said_at_s=columns.created_at_s,
            place_ids=columns.channel_ids,
            importance=columns.importance,
        )
        self._confidence = np.array(columns.confidence, np.float64)
        self._confirmed_at_s = np.array(columns.confirmed_at_s, np.float64)
        self._topics, self._fact_keys = list(columns.topics), list(columns.fact_keys)
        self.kinds = _numbers(columns.kinds, KINDS)
        self._statuses = _numbers(columns.statuses, STATUSES)
        self._forms = _numbers(columns.forms, FORMS)
        self.version, self.messages = version, messages or {}
        self.successors, self.requests = successors or {}, frozenset(requests)
        self.behind = MessagesBehind.of(self.ids, self.messages)

    def with_added(self, newer: "PreparedMemories") -> "PreparedMemories":
        """Return these memories and those added since, at the version of the latter."""
        if not len(self):
            return newer
        joined = self.followed_by(newer)
        joined._topics = self._topics + newer._topics
        joined._fact_keys = self._fact_keys + newer._fact_keys
        joined.version, joined.messages = newer.version, {**self.messages, **newer.messages}
        joined.successors = {**self.successors, **newer.successors}
        joined.requests = self.requests | newer.requests
        joined.behind = self.behind.followed_by(newer.behind, len(self))
        return joined

    def _make(self, index: int) -> Memory:
        topics, ends_at_s = self._topics[index], self._ends_at_s[index]
        return Memory(
            int(self.ids[index]),
            int(self._channel_ids[index]),
            self._texts[index],
            tuple(topics.split(",")) if topics else (),
            Importance(int(self.importance[index])),
            KINDS[self.kinds[index]],
            STATUSES[self._statuses[index]],
            float(self._confidence[index]),
            self.stems.lines(index, TOPICS_LINE),
            as_time(self.said_at_s[index]),
            as_time(self._confirmed_at_s[index]),
            None if ends_at_s == math.inf else as_time(ends_at_s),
            FORMS[self._forms[index]],
            self._fact_keys[index],
        )

    @cached_property
    def is_active(self) -> BoolArray:
        """Which are active."""
        return _is(self._statuses, STATUSES, Status.ACTIVE)

    @cached_property
    def is_quote(self) -> BoolArray:
        """Which are quotes."""
        return _is(self._forms, FORMS, Form.QUOTE)

    @cached_property
    def is_unapproved(self) -> BoolArray:
        """Which wait for approval or are kept unused; their messages are not quoted either.

        A habit that has yet to show is not among them.
        """
        is_kept = _is(self._statuses, STATUSES, Status.SHADOW) & ~self.of_kind(Kind.PATTERN)
        return is_kept | _is(self._statuses, STATUSES, Status.PROPOSED)

    @property
    def newest_id(self) -> int:
        """The id of the memory that was stored last; 0 if there is none."""
        return int(self.ids.max(initial=0))

    @cached_property
    def outdated(self) -> Mapping[int, Memory]:
        """The memory that made untrue what a message says, by the message's id."""
        current_ids = {}
        for superseded_id in self.successors:
            current_id = superseded_id
            while current_id in self.successors:
                current_id = self.successors[current_id]
            current_ids[superseded_id] = current_id
        current = {row.id: row for row in self.with_ids(set(current_ids.values()))}
        outdated: dict[int, Memory] = {}
        for superseded_id, current_id in current_ids.items():
            if current_id in current:
                said = set(self.messages.get(superseded_id, ()))
                said.difference_update(self.messages.get(current_id, ()))
                outdated |= dict.fromkeys(said, current[current_id])
        return outdated

    @cached_property
    def _newest_first(self) -> IntArray:
        return np.lexsort((self.ids, self._confirmed_at_s))[::-1]

    def confidence_at(self, now: datetime) -> FloatArray:
        """Return the confidence of each memory after decay: ``write_policy.confidence_now``."""
        unconfirmed_days = np.maximum(0.0, now.timestamp() - self._confirmed_at_s) / DAY_S
        half_lives = _HALF_LIVES[self.kinds]
        decayed: FloatArray = self._confidence * 0.5 ** (unconfirmed_days / half_lives)
        return decayed

    @property
    def newest(self) -> Iterator[Memory]:
        """The memories, the most recently confirmed first."""
        return map(self.__getitem__, self._newest_first)

    @property
    def constraints(self) -> Iterator[Memory]:
        """The constraints, the most recently confirmed first."""
        is_constraint = self.of_kind(Kind.CONSTRAINT)[self._newest_first]
        return map(self.__getitem__, self._newest_first[is_constraint])

    def with_ids(self, row_ids: Iterable[int]) -> list[Memory]:
        """Return the memories with these ids, in their order; without those not among them."""
        wanted = np.array([*row_ids], np.int64)
        if not (len(self) and len(wanted)):
            return []
        indexes = np.minimum(self.ids.searchsorted(wanted), len(self) - 1)
        return [self[index] for index in indexes[self.ids[indexes] == wanted].tolist()]

    def of_kind(self, kind: Kind) -> BoolArray:
        """Return which memories are of a kind."""
        return _is(self.kinds, KINDS, kind)

    def recallable(
        self, sources: Collection[int], now: datetime, write_policy: WritePolicy
    ) -> BoolArray:
        """Return which memories are live, active, not faded, and readable in these channels."""
        floors: FloatArray = np.array([fades_below(kind, write_policy) for kind in Kind])
        is_firm: BoolArray = self.confidence_at(now) >= floors[self.kinds]
        mask: BoolArray = self.readable(sources, now) & self.is_active & is_firm
        return mask


def _numbers(values: Sequence[str], members: Sequence[str]) -> IntArray:
    """Return the place of each value among the members of its enum."""
    number_of = {str(member): number for number, member in enumerate(members)}
    return np.fromiter(map(number_of.__getitem__, values), np.int64, len(values))


def _is(numbers: IntArray, members: Sequence[str], member: str) -> BoolArray:
    """Return which of these numbers stand for a member of an enum."""
    is_member: BoolArray = numbers == members.index(member)
    return is_member
