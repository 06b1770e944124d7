"""Prepares a member's memories for ranking, and those that are new or changed later. Pure."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import lru_cache
from itertools import chain
from operator import attrgetter

import numpy as np

from utils.memory.policy.write_policy import DAY_S, HALF_LIFE_DAYS, fades_below
from utils.memory.recall.documents import (
    NO_FLOATS,
    NO_INTEGERS,
    Documents,
    RankingColumns,
    written_into,
)
from utils.models.memory import Form, Kind, Memory, Status
from utils.models.policy import WriteMode, WritePolicy
from utils.models.recall import MemoryColumns, Said
from utils.nlp.inverted_index import BoolArray, FloatArray, IntArray
from utils.nlp.stemming import stems

PREVIOUS_STEMS = 40
MAX_TOPICS_KNOWN = 10_000
NO_IDS = frozenset[int]()
# As text, because comparing thousands of texts with an enum takes ten times as long.
ACTIVE, PROPOSED, SHADOW = Status.ACTIVE.value, Status.PROPOSED.value, Status.SHADOW.value
QUOTE, PATTERN = Form.QUOTE.value, Kind.PATTERN.value
_NUMBER_OF_KIND: Mapping[str, int] = {kind: number for number, kind in enumerate(Kind)}
_HALF_LIVES: FloatArray = np.array([HALF_LIFE_DAYS[kind] or math.inf for kind in Kind])


class PreparedMemories(Documents[Memory]):
    """A member's memories, ready to be ranked, at one MemoryVersion.

    ``messages`` gives the ids of the messages behind each memory. ``stems_before`` has the messages
    still stored by id, each with the stems of the one before it, which help to find the memory too.
    """

    _index_of: Mapping[int, int] = {}
    confidence = _half_life_days = _confirmed_at_s = NO_FLOATS
    kinds = _newest_first = _link_indexes = _link_message_ids = NO_INTEGERS
    _certainty: FloatArray = np.zeros((2, 0))
    _flags: BoolArray = np.zeros((3, 0), np.bool_)
    _is_active, _is_approved, _is_unapproved = _flags

    def __init__(
        self,
        rows: Iterable[Memory] | MemoryColumns,
        version: int,
        messages: Mapping[int, tuple[int, ...]] | None = None,
        stems_before: Mapping[int, str] | None = None,
    ) -> None:
        memories = rows if isinstance(rows, MemoryColumns) else MemoryColumns.of(rows)
        self._set_messages(messages or {}, stems_before or {})
        super().__init__(memories.items, self._columns(memories, stems_before or {}))
        self._note(range(len(memories.ids)), memories, version)

    def _set_messages(
        self, messages: Mapping[int, tuple[int, ...]], stems_before: Mapping[int, str]
    ) -> None:
        self.messages = messages
        source_ids = frozenset(chain.from_iterable(messages.values()))
        self.source_ids = source_ids or NO_IDS  # an empty set of its own takes 216 bytes
        stored_ids = self.source_ids.intersection(stems_before)
        self._stored_ids = self.source_ids if stored_ids == self.source_ids else stored_ids

    def with_changes(
        self,
        rows: Sequence[Memory],
        version: int,
        messages: Mapping[int, tuple[int, ...]],
        stems_before: Mapping[int, str],
    ) -> "PreparedMemories":
        """Return these memories at another version, under which some are new or changed.

        Only these are prepared, which hardly takes longer if there are many others.

        Args:
            rows: what is new or has changed.
            version: the MemoryVersion.
            messages: the ids of the messages behind these rows.
            stems_before: the messages that are stored; those stored before must be the same.
        """
        changed = self.by_index(rows, attrgetter("id"))
        prepared = copy(self)
        behind = {row.id: messages.get(row.id, ()) for row in rows}
        prepared._set_messages({**self.messages, **behind}, stems_before)
        if stored_or_gone := self.source_ids & (prepared._stored_ids ^ self._stored_ids):
            for row_id, index in self._index_of.items():
                if not stored_or_gone.isdisjoint(prepared.messages.get(row_id, ())):
                    changed.setdefault(index, self.items[index])
        columns = MemoryColumns.of(changed.values())
        prepared = prepared.updated(changed, prepared._columns(columns, stems_before))
        prepared._note(list(changed), columns, version)
        return prepared

    def _columns(self, rows: MemoryColumns, stems_before: Mapping[int, str]) -> RankingColumns:
        # Lists of texts: a tuple for each row would make collections of garbage more frequent.
        text, source, previous = list[str](), list[str](), list[str]()
        for stems_of_row in rows.stems:
            of_text, _, others = stems_of_row.partition("\n")
            of_source, _, others = others.partition("\n")
            text.append(of_text)
            source.append(of_source)
            previous.append(others.partition("\n")[0])
        if self._stored_ids:
            previous = [
                of_row or self._stems_before(row_id, stems_before)
                for row_id, of_row in zip(rows.ids, previous, strict=True)
            ]
        return RankingColumns(
            ids=rows.ids,
            importance=rows.importance,
            is_question=[False] * len(rows.ids),
            channel_ids=rows.channel_ids,
            message_ids=[0] * len(rows.ids),
            place_ids=rows.channel_ids,
            said_at_s=rows.created_at_s,
            ends_at_s=rows.ends_at_s,
            text=text,
            source=source,
            previous=previous,
            topics=list(map(_topic_stems, rows.topics)),
        )

    def _stems_before(self, row_id: int, stems_before: Mapping[int, str]) -> str:
        """Return the stems of the message before the one that a memory is based on."""
        for message_id in self.messages.get(row_id, ()):
            if message_id in stems_before:
                return " ".join(stems_before[message_id].split()[:PREVIOUS_STEMS])
        return ""

    def _note(self, indexes: Sequence[int], rows: MemoryColumns, version: int) -> None:
        """Note what ranking needs of the memories at these indexes beside their entries."""
        self.version = version
        if not indexes:
            return
        total, certainty = len(self.items), (rows.confidence, rows.confirmed_at_s)
        self._certainty = written_into(self._certainty, total, indexes, certainty)
        self.confidence, self._confirmed_at_s = self._certainty
        is_approved = [status == ACTIVE for status in rows.statuses]
        is_active = is_approved
        if self._stored_ids:
            is_active = [
                active and not (form == QUOTE and self._is_message_stored(row_id))
                for row_id, active, form in zip(rows.ids, is_approved, rows.forms, strict=True)
            ]
        is_unapproved = list(map(_is_unapproved, rows.statuses, rows.kinds))
        flags = (is_active, is_approved, is_unapproved)
        self._flags = written_into(self._flags, total, indexes, flags)
        self._is_active, self._is_approved, self._is_unapproved = self._flags
        kinds = [_NUMBER_OF_KIND[kind] for kind in rows.kinds]
        self.kinds = written_into(self.kinds, total, indexes, kinds)
        self._half_life_days = _HALF_LIVES[self.kinds]
        self._index_of = {**self._index_of, **dict(zip(rows.ids, indexes, strict=True))}
        self._link(indexes, rows.ids)
        self._newest_first = np.lexsort((self.ids, self._confirmed_at_s))[::-1]

    def confidence_at(self, now: datetime) -> FloatArray:
        """Return the confidence of each memory after decay: ``write_policy.confidence_now``."""
        unconfirmed_days = np.maximum(0.0, now.timestamp() - self._confirmed_at_s) / DAY_S
        decayed: FloatArray = self.confidence * 0.5 ** (unconfirmed_days / self._half_life_days)
        return decayed

    def _link(self, indexes: Sequence[int], row_ids: Sequence[int]) -> None:
        """Note which messages are behind the memories at these indexes."""
        if not self.messages:
            return
        links = [
            (index, message_id)
            for index, row_id in zip(indexes, row_ids, strict=True)
            for message_id in self.messages.get(row_id, ())
        ]
        if not (links or len(self._link_indexes)):
            return
        is_other = np.ones(len(self), np.bool_)
        is_other[indexes] = False
        others = is_other[self._link_indexes]
        added = np.array(links, np.int64).reshape(-1, 2).T
        self._link_indexes = np.concatenate([self._link_indexes[others], added[0]])
        self._link_message_ids = np.concatenate([self._link_message_ids[others], added[1]])

    def best_of_messages(self, scores: FloatArray, message_ids: IntArray) -> FloatArray:
        """Return for each memory the best score among the messages behind it, or 0.

        Args:
            scores: the messages' scores, none below 0.
            message_ids: their ids, in the same order.
        """
        best = np.zeros(len(self))
        of_links = _looked_up(self._link_message_ids, message_ids, scores)
        np.maximum.at(best, self._link_indexes, of_links)
        return best

    def best_for_messages(self, scores: FloatArray, message_ids: IntArray) -> FloatArray:
        """Return for each of these messages the best score of a memory that rests on it, or 0."""
        return _looked_up(message_ids, self._link_message_ids, scores[self._link_indexes])

    @property
    def newest(self) -> Iterator[Memory]:
        """The memories, the most recently confirmed first."""
        return (self.items[i] for i in self._newest_first)

    @property
    def constraints(self) -> tuple[Memory, ...]:
        """The constraints, the most recently confirmed first."""
        is_constraint = self.of_kind(Kind.CONSTRAINT)[self._newest_first]
        return tuple([self.items[i] for i in self._newest_first[is_constraint]])

    @property
    def unapproved_messages(self) -> frozenset[int]:
        """The ids of messages behind memories that wait for approval or are kept unused."""
        return self._messages_behind(self._is_unapproved)

    def _messages_behind(self, is_wanted: BoolArray) -> frozenset[int]:
        return frozenset(
            message_id
            for row_id in self.ids[is_wanted].tolist()
            for message_id in self.messages.get(row_id, ())
        )

    def quotable(self, messages: Documents[Said], mode: WriteMode) -> BoolArray | None:
        """Return which messages the server's moderators allow to be used; None: all of them.

        A message is not used while a memory that rests on it waits for approval or is kept unused.
        Unless memories are used without approval (``mode`` AUTO), a message is used only if an
        approved memory rests on it.
        """
        unapproved = self.unapproved_messages
        if mode is not WriteMode.AUTO:
            approved = messages.of_messages(self._messages_behind(self._is_approved))
            return approved & ~messages.of_messages(unapproved)
        return ~messages.of_messages(unapproved) if unapproved else None

    def _is_message_stored(self, row_id: int) -> bool:
        """Whether a message behind a memory is stored; a quote's is recalled in its place."""
        return not self._stored_ids.isdisjoint(self.messages.get(row_id, ()))

    def __contains__(self, row_id: int) -> bool:
        return row_id in self._index_of

    def get(self, row_id: int) -> Memory | None:
        """Return a memory by its id; None if it is not among them."""
        index = self._index_of.get(row_id)
        return None if index is None else self.items[index]

    def stems_of(self, row_id: int) -> str | None:
        """Return the stems of a memory by its id; None if it is not among them."""
        row = self.get(row_id)
        return None if row is None else row.stems

    def of_kind(self, kind: Kind) -> BoolArray:
        """Return which memories are of a kind."""
        is_of_kind: BoolArray = self.kinds == _NUMBER_OF_KIND[kind]
        return is_of_kind

    def recallable(
        self, sources: Collection[int], now: datetime, write_policy: WritePolicy
    ) -> BoolArray:
        """Return which memories are live, active, not faded, and readable in these channels.

        A quote is left out while its message is stored: the message is recalled instead.
        """
        floors: FloatArray = np.array([fades_below(kind, write_policy) for kind in Kind])
        is_firm: BoolArray = self.confidence_at(now) >= floors[self.kinds]
        mask: BoolArray = self.readable(sources, now) & self._is_active & is_firm
        return mask


def _looked_up(ids: IntArray, keys: IntArray, values: FloatArray) -> FloatArray:
    """Return the greatest value of each id among the keys, which may repeat; 0 for other ids."""
    is_scored = values > 0
    if not len(ids) or not is_scored.any():
        return np.zeros(len(ids))
    scored_keys, places = np.unique(keys[is_scored], return_inverse=True)
    greatest = np.zeros(len(scored_keys))
    np.maximum.at(greatest, places, values[is_scored])
    nearest = np.searchsorted(scored_keys, ids).clip(max=len(scored_keys) - 1)
    looked_up: FloatArray = np.where(scored_keys[nearest] == ids, greatest[nearest], 0.0)
    return looked_up


def _is_unapproved(status: str, kind: str) -> bool:
    """Whether a memory waits for approval, or is kept unused; not a habit that has yet to show."""
    return status == PROPOSED or (status == SHADOW and kind != PATTERN)


@lru_cache(MAX_TOPICS_KNOWN)
def _topic_stems(topics: str) -> str:
    return " ".join([" ".join(stems(topic)) for topic in topics.split(",")])
