"""Prepares a member's memories or messages for ranking: fields, conversations, times. Pure."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from utils.memory.policy.write_policy import FADING_KINDS, HALF_LIFE_DAYS, has_faded
from utils.models.memory import Form, Kind, Memory, Status
from utils.models.policy import WriteMode, WritePolicy
from utils.models.recall import Item, Said
from utils.nlp.dates.time_words import names_time
from utils.nlp.inverted_index import BoolArray, Field, FloatArray, IntArray
from utils.nlp.stemming import stems

CONVERSATION_GAP_S = 1800.0
LONG_STEMS = 20
PREVIOUS_STEMS = 40
MAX_TOPICS_KNOWN = 10_000
_NO_INTEGERS: IntArray = np.zeros(0, np.int64)
_NO_FLOATS: FloatArray = np.zeros(0, np.float64)
_NO_BOOLS: BoolArray = np.zeros(0, np.bool_)
Number = TypeVar("Number", np.int64, np.float64, np.bool_)


@dataclass(slots=True)
class Entry:
    """What ranking needs of one memory or message; text fields are stems separated by spaces.

    Treat it as immutable: it is not frozen only because preparing a member creates thousands.
    ``place_id`` is the channel whose readers may see it. ``message_id`` is negative for text that
    came with a message, such as an attachment's: the last turns show only its first line.
    """

    id: int
    channel_id: int
    said_at_s: float
    place_id: int
    ends_at_s: float
    text: str
    source: str = ""
    previous: str = ""
    topics: str = ""
    is_question: bool = False
    importance: int = 0
    message_id: int = 0


class Documents(Generic[Item]):
    """A member's memories or messages, in the order in which they were stored.

    Documents of one channel with gaps below CONVERSATION_GAP_S form a conversation. ``order`` has
    the documents by channel and time, and the rest refers to it: ``conversations`` has the
    conversation's number for each of them, ``conversation_starts`` the first of each.
    ``conversation_ages`` counts how many conversations ended later.
    """

    def __init__(self, items: Sequence[Item], entries: Sequence[Entry]) -> None:
        self.items: tuple[Item, ...] = tuple(items)
        self.ids = self._message_ids = self._channel_ids = self._place_ids = _NO_INTEGERS
        self.importance = _NO_INTEGERS
        self.said_at_s = self._ends_at_s = _NO_FLOATS
        self.is_question = _NO_BOOLS
        self._names_time: BoolArray | None = None
        self.text = self.source = self.previous = self.topics = Field()
        self._write(dict(enumerate(entries)))

    def updated(self, items: Sequence[Item], changed: Mapping[int, Entry]) -> Self:
        """Return these documents with what is changed or added, by index; none may be missing.

        It costs much less than preparing all of them, and shares the index of words.
        """
        documents = copy(self)
        documents.items = tuple(items)
        documents._write(changed)
        return documents

    def _write(self, changed: Mapping[int, Entry]) -> None:
        places, entries = list(changed), list(changed.values())

        def written(old: NDArray[Number], values: Iterable[float]) -> NDArray[Number]:
            array = np.zeros(len(self.items), old.dtype)
            array[: len(old)] = old
            array[places] = list(values)
            return array

        self.ids = written(self.ids, (entry.id for entry in entries))
        self.said_at_s = written(self.said_at_s, (entry.said_at_s for entry in entries))
        self.importance = written(self.importance, (entry.importance for entry in entries))
        self.is_question = written(self.is_question, (entry.is_question for entry in entries))
        self._message_ids = written(self._message_ids, (entry.message_id for entry in entries))
        self._channel_ids = written(self._channel_ids, (entry.channel_id for entry in entries))
        self._ends_at_s = written(self._ends_at_s, (entry.ends_at_s for entry in entries))
        self._place_ids = written(self._place_ids, (entry.place_id for entry in entries))
        self._places, self._place_of = np.unique(self._place_ids, return_inverse=True)
        self.text = self.text.updated({i: entry.text for i, entry in changed.items()})
        self.source = self.source.updated({i: entry.source for i, entry in changed.items()})
        self.previous = self.previous.updated({i: entry.previous for i, entry in changed.items()})
        self.topics = self.topics.updated({i: entry.topics for i, entry in changed.items()})
        self.fullness: FloatArray = np.minimum(1.0, self.text.lengths / LONG_STEMS)
        if self._names_time is not None:
            values = (names_time(entry.text) for entry in entries)
            self._names_time = written(self._names_time, values)
        self._find_conversations()

    def _find_conversations(self) -> None:
        self.order: IntArray = np.lexsort((self.ids, self.said_at_s, self._channel_ids))
        said_at_s = self.said_at_s[self.order]
        goes_on = _goes_on(self._channel_ids[self.order], said_at_s)
        self.conversation_starts: IntArray = np.flatnonzero(~goes_on)
        self.conversations: IntArray = np.cumsum(~goes_on) - 1
        self.conversation_ages = _ages(self.conversation_starts, said_at_s)

    def by_document(self, ordered: NDArray[Number]) -> NDArray[Number]:
        """Return values that are given in ``order`` in the order of the documents."""
        values = np.empty_like(ordered)
        values[self.order] = ordered
        return values

    @property
    def names_time(self) -> BoolArray:
        """Which documents name a time; computed only once a query asks for one."""
        if self._names_time is None:
            texts = self.text.texts()
            self._names_time = np.array([names_time(text) for text in texts], np.bool_)
        return self._names_time

    def __len__(self) -> int:
        return len(self.items)

    def readable(
        self, sources: Collection[int], now: datetime, exclude_ids: Collection[int] = ()
    ) -> BoolArray:
        """Return which of them readers of these channels may hear of now: those not over.

        ``exclude_ids`` are messages that they have in sight anyway.
        """
        is_open = np.array([place in sources for place in self._places.tolist()], np.bool_)
        mask: BoolArray = is_open[self._place_of] & (self._ends_at_s > now.timestamp())
        return mask & ~np.isin(self._message_ids, list(exclude_ids)) if exclude_ids else mask

    def of_messages(self, message_ids: Collection[int]) -> BoolArray:
        """Return which of them are, or came with, one of these messages."""
        return np.isin(np.abs(self._message_ids), list(message_ids))

    def where(self, predicate: Callable[[Item], bool]) -> BoolArray:
        """Return for which documents ``predicate`` is true."""
        return np.fromiter(map(predicate, self.items), np.bool_, len(self.items))

    @property
    def is_indexed(self) -> bool:
        """Whether :meth:`make_index` has nothing to do."""
        return all(field.is_indexed for field in self._fields)

    def make_index(self) -> None:
        """Build indexes that make later recalls faster; safe in any thread."""
        for field in self._fields:
            field.make_index()

    @property
    def _fields(self) -> tuple[Field, ...]:
        return self.text, self.source, self.previous, self.topics


class PreparedMemories(Documents[Memory]):
    """A member's memories, ready to be ranked, at one MemoryVersion.

    ``newest`` has the same memories, the most recently confirmed first. ``messages`` gives the ids
    of the messages behind each memory. ``messages_by_id`` are those still stored: the message
    before one of them helps to find the memory too.
    """

    def __init__(
        self,
        rows: Iterable[Memory],
        version: int,
        messages: Mapping[int, tuple[int, ...]] | None = None,
        messages_by_id: Mapping[int, Said] | None = None,
    ) -> None:
        memories = tuple(rows)
        self._set_messages(messages or {}, messages_by_id or {})
        super().__init__(memories, [self._entry(row, messages_by_id or {}) for row in memories])
        self._summarise(version)

    def _set_messages(
        self, messages: Mapping[int, tuple[int, ...]], messages_by_id: Mapping[int, Said]
    ) -> None:
        self.messages = messages
        self.source_ids = frozenset(id for ids in messages.values() for id in ids)
        self._stored_ids = self.source_ids & messages_by_id.keys()

    def updated_to(
        self,
        rows: Sequence[Memory],
        version: int,
        messages: Mapping[int, tuple[int, ...]],
        messages_by_id: Mapping[int, Said],
    ) -> "PreparedMemories":
        """Return these memories at another version; only those that differ are prepared again.

        The messages that are stored under both versions must be the same.
        """
        merged = merge(self.items, rows, attrgetter("id"))
        if merged is None:
            return PreparedMemories(rows, version, messages, messages_by_id)
        items, changed = merged
        prepared = copy(self)
        prepared._set_messages(messages, messages_by_id)
        stored_or_gone = prepared._stored_ids ^ self._stored_ids
        changed |= {
            i
            for i, row in enumerate(items)
            if messages.get(row.id) != self.messages.get(row.id)
            or (stored_or_gone and not stored_or_gone.isdisjoint(messages.get(row.id, ())))
        }
        entries = {i: prepared._entry(items[i], messages_by_id) for i in changed}
        prepared = prepared.updated(items, entries)
        prepared._summarise(version)
        return prepared

    def _entry(self, row: Memory, messages_by_id: Mapping[int, Said]) -> Entry:
        ids = self.messages.get(row.id, ())
        return _entry(row, [messages_by_id[id] for id in ids if id in messages_by_id])

    def _summarise(self, version: int) -> None:
        self.version = version
        self.confidence: FloatArray = np.array([row.confidence for row in self.items], np.float64)
        self.half_life_days: FloatArray = np.array(
            [_half_life(row) for row in self.items], np.float64
        )
        self._is_active = self.where(
            lambda row: row.status is Status.ACTIVE and not self._is_message_stored(row)
        )
        self.approved_messages = self._messages_behind(lambda row: row.status is Status.ACTIVE)
        self.unapproved_messages = self._messages_behind(_is_unapproved)
        self._fading = [i for i, row in enumerate(self.items) if row.kind in FADING_KINDS]
        confirmed = [row.last_confirmed_at.timestamp() for row in self.items]
        self.confirmed_at_s: FloatArray = np.array(confirmed, np.float64)
        self.by_id = {row.id: row for row in self.items}
        newest = sorted(self.items, key=lambda row: (row.last_confirmed_at, row.id), reverse=True)
        self.newest = tuple(newest)
        self.constraints = tuple([row for row in newest if row.kind is Kind.CONSTRAINT])

    def _messages_behind(self, predicate: Callable[[Memory], bool]) -> frozenset[int]:
        return frozenset(
            message_id
            for row in filter(predicate, self.items)
            for message_id in self.messages.get(row.id, ())
        )

    def quotable(self, messages: Documents[Said], mode: WriteMode) -> BoolArray | None:
        """Return which messages the server's moderators allow to be used; None: all of them.

        A message is not used while a memory that rests on it waits for approval or is kept unused.
        Unless memories are used without approval (``mode`` AUTO), a message is used only if an
        approved memory rests on it.
        """
        if mode is not WriteMode.AUTO:
            approved = messages.of_messages(self.approved_messages)
            return approved & ~messages.of_messages(self.unapproved_messages)
        if not self.unapproved_messages:
            return None
        return ~messages.of_messages(self.unapproved_messages)

    def _is_message_stored(self, row: Memory) -> bool:
        """Whether a quote's own message is recalled in its place."""
        return row.form is Form.QUOTE and not self._stored_ids.isdisjoint(
            self.messages.get(row.id, ())
        )

    def recallable(
        self, sources: Collection[int], now: datetime, write_policy: WritePolicy
    ) -> BoolArray:
        """Return which memories are live, active, not faded, and readable in these channels.

        A quote is left out while its message is stored: the message is recalled instead.
        """
        mask = self.readable(sources, now) & self._is_active
        for i in self._fading:
            mask[i] &= not has_faded(self.items[i], now, write_policy)
        return mask


def prepare_messages(messages: Sequence[Said]) -> Documents[Said]:
    """Return a member's messages with their words, their facts, and the message before each."""
    return Documents(messages, [_message_entry(message) for message in messages])


def append_messages(documents: Documents[Said], messages: Sequence[Said]) -> Documents[Said]:
    """Return the documents with these messages at the end."""
    entries = map(_message_entry, messages)
    return documents.updated(
        (*documents.items, *messages), dict(enumerate(entries, len(documents.items)))
    )


def update_messages(documents: Documents[Said], messages: Sequence[Said]) -> Documents[Said]:
    """Return the documents of these messages; only those that differ are prepared again."""
    merged = merge(documents.items, messages, attrgetter("event_id"))
    if merged is None:
        return prepare_messages(messages)
    items, changed = merged
    if not changed:
        return documents
    return documents.updated(items, {i: _message_entry(items[i]) for i in changed})


def merge(
    old: Sequence[Item], new: Sequence[Item], key: Callable[[Item], int]
) -> tuple[list[Item], set[int]] | None:
    """Return the new items, those that were there before first, and the indexes of what differs.

    None if an old item is missing.
    """
    by_key: dict[int, Item] = {key(item): item for item in new}
    if len(by_key.keys() & map(key, old)) < len(old):
        return None
    items: list[Item] = [by_key.pop(key(item)) for item in old]
    changed = {i for i, item in enumerate(old) if item is not items[i] and item != items[i]}
    changed.update(range(len(items), len(items) + len(by_key)))
    items += by_key.values()
    return items, changed


def _message_entry(message: Said) -> Entry:
    return Entry(
        id=message.event_id,
        channel_id=message.channel_id,
        said_at_s=message.said_at.timestamp(),
        place_id=message.source_id,
        ends_at_s=message.expires_at.timestamp(),
        message_id=-message.message_id if message.label else message.message_id,
        text=message.stems,
        source=message.fact_stems,
        previous=message.previous_stems,
        is_question=message.text.rstrip().endswith(("?", "？", "؟")),
    )


def _entry(row: Memory, messages: Sequence[Said]) -> Entry:
    text, source, previous, *_ = [*row.stems.split("\n"), "", ""]
    if messages and not previous:
        previous = " ".join(messages[0].previous_stems.split()[:PREVIOUS_STEMS])
    return Entry(
        id=row.id,
        channel_id=row.channel_id,
        said_at_s=row.created_at.timestamp(),
        place_id=row.channel_id,
        ends_at_s=math.inf if row.expires_at is None else row.expires_at.timestamp(),
        text=text,
        source=source,
        previous=previous,
        topics=" ".join(map(_topic_stems, row.topics)),
        importance=row.importance,
    )


def _is_unapproved(row: Memory) -> bool:
    """Whether a memory waits for approval, or is kept unused; not a habit that has yet to show."""
    is_unused = row.status is Status.SHADOW and row.kind is not Kind.PATTERN
    return row.status is Status.PROPOSED or is_unused


def _half_life(row: Memory) -> float:
    return HALF_LIFE_DAYS[row.kind] or math.inf


def _goes_on(channel_ids: IntArray, said_at_s: FloatArray) -> BoolArray:
    """Return whether each document belongs to the conversation of the one before."""
    goes_on = np.zeros(len(said_at_s), np.bool_)
    is_soon = np.diff(said_at_s) <= CONVERSATION_GAP_S
    goes_on[1:] = (channel_ids[1:] == channel_ids[:-1]) & is_soon
    return goes_on


def _ages(starts: IntArray, said_at_s: FloatArray) -> IntArray:
    """Return how many conversations ended after each one."""
    if not len(starts):
        return starts
    ended: FloatArray = np.maximum.reduceat(said_at_s, starts)
    ages = np.empty(len(starts), np.int64)
    ages[np.argsort(-ended, kind="stable")] = np.arange(len(starts))
    return ages


@lru_cache(MAX_TOPICS_KNOWN)
def _topic_stems(topic: str) -> str:
    return " ".join(stems(topic))
