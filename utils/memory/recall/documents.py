"""Prepares a member's memories or messages for ranking: fields, conversations, times. Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from operator import attrgetter
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from utils.memory.policy.write_policy import DAY_S
from utils.models.recall import Item, LazyItems, Said, SaidColumns
from utils.nlp.dates.parser import DateRange
from utils.nlp.dates.vocabulary import names_time
from utils.nlp.inverted_index import BoolArray, Field, FloatArray, IntArray

CONVERSATION_GAP_S = 1800.0
QUESTION_MARKS = ("?", "？", "؟")
NO_INTEGERS: IntArray = np.zeros(0, np.int64)
NO_FLOATS: FloatArray = np.zeros(0, np.float64)
Number = TypeVar("Number", np.int64, np.float64, np.bool_)


@dataclass(frozen=True, slots=True)
class RankingColumns:
    """What ranking needs of memories or messages, by column: a row for each would take longer.

    Texts are stems separated by spaces. ``place_ids`` are the channels whose readers may see them.
    A ``message_id`` is negative for text that came with a message, such as an attachment's: the
    last turns show only its first line.
    """

    ids: Sequence[int]
    importance: Sequence[int]
    is_question: Sequence[bool]
    channel_ids: Sequence[int]
    message_ids: Sequence[int]
    place_ids: Sequence[int]
    said_at_s: Sequence[float]
    ends_at_s: Sequence[float]
    text: Sequence[str]
    source: Sequence[str]
    previous: Sequence[str]
    topics: Sequence[str]


class StemsBefore(Mapping[int, str]):
    """The stems of the message before each message, by its id: most are never read."""

    def __init__(self, messages: "Documents[Said]") -> None:
        ids = enumerate(messages._message_ids.tolist())
        self._index_of = {id: index for index, id in ids if id > 0}
        self._items = messages.items

    def __getitem__(self, message_id: int) -> str:
        return self._items[self._index_of[message_id]].previous_stems

    def __iter__(self) -> Iterator[int]:
        return iter(self._index_of)

    def __len__(self) -> int:
        return len(self._index_of)


class Documents(Generic[Item]):
    """A member's memories or messages, in the order in which they were stored.

    Documents of one channel with gaps below CONVERSATION_GAP_S form a conversation. ``order`` has
    the documents by channel and time, and the rest refers to it: ``conversations`` has the
    conversation's number for each of them, ``conversation_starts`` the first of each.
    """

    _integers: IntArray = np.zeros((6, 0), np.int64)
    _times: FloatArray = np.zeros((2, 0))
    _places: Mapping[int, int] = {}
    _names_time: BoolArray | None = None
    ids = importance = is_question = NO_INTEGERS
    _channel_ids = _message_ids = _place_of = NO_INTEGERS
    said_at_s = _ends_at_s = NO_FLOATS
    text = source = previous = topics = Field()
    order = conversations = conversation_starts = NO_INTEGERS

    def __init__(self, items: LazyItems[Item], columns: RankingColumns) -> None:
        self.items: LazyItems[Item] = items
        self._write(range(len(items)), columns)

    def __copy__(self) -> Self:
        documents = object.__new__(type(self))  # a fifth of the time of copy's general way
        vars(documents).update(vars(self))
        return documents

    def updated(self, changed: Mapping[int, Item], columns: RankingColumns) -> Self:
        """Return these documents with what is changed or added at some indexes; none is missing.

        It costs much less than preparing all of them, and shares the index of words.
        """
        documents = copy(self)
        documents.items = self.items.replaced(changed)
        documents._write(list(changed), columns)
        return documents

    def by_index(self, items: Iterable[Item], key: Callable[[Item], int]) -> dict[int, Item]:
        """Return items by the indexes that they have in :meth:`updated`.

        ``key`` returns an item's id. An item replaces the one with its id, or is added at the end.
        """
        changed, total = dict[int, Item](), len(self)
        for item in items:
            (known,) = np.nonzero(self.ids == key(item))
            index = int(known[0]) if len(known) else total
            total += index == total
            changed[index] = item
        return changed

    def _write(self, indexes: Sequence[int], columns: RankingColumns) -> None:
        """Write columns at these indexes. Without any, the empty arrays of the class remain."""
        if not indexes:
            return
        total = len(self.items)
        places = dict(self._places)
        for place_id in dict.fromkeys(columns.place_ids):
            places.setdefault(place_id, len(places))
        self._places = places
        integers = [
            columns.ids,
            columns.importance,
            columns.is_question,
            columns.channel_ids,
            columns.message_ids,
            list(map(places.__getitem__, columns.place_ids)),
        ]
        self._integers = written_into(self._integers, total, indexes, integers)
        self._times = written_into(
            self._times, total, indexes, [columns.said_at_s, columns.ends_at_s]
        )
        self.ids, self.importance, self.is_question, *private = self._integers
        self._channel_ids, self._message_ids, self._place_of = private
        self.said_at_s, self._ends_at_s = self._times
        self.text = self.text.updated(indexes, columns.text)
        self.source = self.source.updated(indexes, columns.source)
        self.previous = self.previous.updated(indexes, columns.previous)
        self.topics = self.topics.updated(indexes, columns.topics)
        if self._names_time is not None:
            names = list(map(names_time, columns.text))
            self._names_time = written_into(self._names_time, total, indexes, names)
        self._find_conversations()

    def _find_conversations(self) -> None:
        self.order = np.lexsort((self.ids, self.said_at_s, self._channel_ids))
        said_at_s = self.said_at_s[self.order]
        is_continued = _is_continued(self._channel_ids[self.order], said_at_s)
        self.conversation_starts = np.flatnonzero(~is_continued)
        self.conversations = np.cumsum(~is_continued) - 1

    @property
    def conversation_ages(self) -> IntArray:
        """How many conversations ended after each one; only statements are ranked by that."""
        return _ages(self.conversation_starts, self.said_at_s[self.order])

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
        """Return which of them have not expired, and come from one of these channels.

        ``exclude_ids`` are messages that the prompt has anyway.
        """
        is_open = np.array([place in sources for place in self._places], np.bool_)
        mask: BoolArray = is_open[self._place_of] & (self._ends_at_s > now.timestamp())
        for message_id in exclude_ids:
            mask &= self._message_ids != message_id
        return mask

    def about(self, topics: Collection[str]) -> BoolArray:
        """Return which of them have one of these topics, given as stems."""
        is_about = np.zeros(len(self), np.bool_)
        for stem in topics:
            is_about[self.topics.postings(stem).indexes] = True
        return is_about

    def said_on(self, days: Sequence[DateRange], zone: tzinfo | None) -> BoolArray:
        """Return which of them were said on one of these days; without a time zone, none."""
        is_dated = np.zeros(len(self), np.bool_)
        for day in days if zone is not None else ():
            first, last = (
                datetime(date.year, date.month, date.day, tzinfo=zone).timestamp()
                for date in (day.first, day.last)
            )
            is_dated |= (self.said_at_s >= first) & (self.said_at_s < last + DAY_S)
        return is_dated

    @property
    def message_ids(self) -> IntArray:
        """The id of the message that each of them is, or came with; 0 for memories."""
        return np.abs(self._message_ids)

    def with_message_ids(self, ids: Collection[int]) -> list[Item]:
        """Return the messages with these ids, without texts that came with them."""
        (indexes,) = np.nonzero(np.isin(self._message_ids, list(ids)))
        by_id = {int(self._message_ids[i]): self.items[i] for i in indexes.tolist()}
        return list(by_id.values())

    def of_messages(self, message_ids: Collection[int]) -> BoolArray:
        """Return which of them are, or came with, one of these messages."""
        return np.isin(self.message_ids, list(message_ids))

    def attached(self) -> list[Item]:
        """Return those that came with a message, such as the texts of attachments."""
        return [self.items[i] for i in np.flatnonzero(self._message_ids < 0).tolist()]

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


def prepare_messages(messages: Iterable[Said] | SaidColumns) -> Documents[Said]:
    """Return a member's messages with their words, their facts, and the message before each."""
    columns = messages if isinstance(messages, SaidColumns) else SaidColumns.of(messages)
    return Documents(columns.items, _ranking_columns(columns))


def add_messages(documents: Documents[Said], messages: Sequence[Said]) -> Documents[Said]:
    """Return the documents with these messages, which are new or changed."""
    if not messages:
        return documents
    changed = documents.by_index(messages, attrgetter("event_id"))
    return documents.updated(changed, _ranking_columns(SaidColumns.of(changed.values())))


def with_facts(
    messages: list[Said],
    stems_of: Callable[[int], str | None],
    message_ids: Mapping[int, tuple[int, ...]],
) -> list[Said]:
    """Return the messages with the stems of the memories that are based on them.

    Args:
        messages: the messages.
        stems_of: returns the stems of a memory; None if it does not count.
        message_ids: the ids of the messages behind each memory.
    """
    facts_of_all = facts([message.message_id for message in messages], stems_of, message_ids)
    return [
        message if message.fact_stems == of_message else replace(message, fact_stems=of_message)
        for message, of_message in zip(messages, facts_of_all, strict=True)
    ]


def facts(
    ids: Sequence[int],
    stems_of: Callable[[int], str | None],
    message_ids: Mapping[int, tuple[int, ...]],
) -> list[str]:
    """Return the stems of the memories that are based on each message, for :func:`with_facts`."""
    stems = dict.fromkeys(ids, "")
    for row_id in sorted(message_ids) if stems else ():
        for message_id in message_ids[row_id]:
            if message_id in stems and (stems_of_row := stems_of(row_id)) is not None:
                text_stems = stems_of_row.partition("\n")[0]
                stems[message_id] = f"{stems[message_id]} {text_stems}".lstrip()
    return [stems[message_id] for message_id in ids]


def written_into(
    old: NDArray[Number], total: int, indexes: Sequence[int], values: Sequence[Any]
) -> NDArray[Number]:
    """Return an array with the old values, and others at some indexes of its last axis."""
    if not old.shape[-1]:  # then these are all indexes, in order
        return np.array(values, old.dtype)
    array = np.zeros((*old.shape[:-1], total), old.dtype)
    array[..., : old.shape[-1]] = old
    array[..., indexes] = values
    return array


def _ranking_columns(messages: SaidColumns) -> RankingColumns:
    return RankingColumns(
        ids=messages.ids,
        importance=[0] * len(messages.ids),
        is_question=[text.rstrip().endswith(QUESTION_MARKS) for text in messages.texts],
        channel_ids=messages.channel_ids,
        message_ids=messages.message_ids,
        place_ids=messages.source_ids,
        said_at_s=messages.said_at_s,
        ends_at_s=messages.ends_at_s,
        text=messages.stems,
        source=messages.fact_stems,
        previous=messages.previous_stems,
        topics=[""] * len(messages.ids),
    )


def _is_continued(channel_ids: IntArray, said_at_s: FloatArray) -> BoolArray:
    """Return whether each document belongs to the conversation of the one before."""
    is_continued = np.zeros(len(said_at_s), np.bool_)
    is_soon = said_at_s[1:] - said_at_s[:-1] <= CONVERSATION_GAP_S
    is_continued[1:] = (channel_ids[1:] == channel_ids[:-1]) & is_soon
    return is_continued


def _ages(starts: IntArray, said_at_s: FloatArray) -> IntArray:
    """Return how many conversations ended after each one."""
    if not len(starts):
        return starts
    ended: FloatArray = np.maximum.reduceat(said_at_s, starts)
    ages = np.empty(len(starts), np.int64)
    ages[np.argsort(-ended, kind="stable")] = np.arange(len(starts))
    return ages
