"""A member's memories or messages as arrays, ready to be ranked. Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from utils.models.recall import Item, MemoryColumns, Said, SaidColumns
from utils.nlp.dates.vocabulary import names_time
from utils.nlp.questions import ends_as_question
from utils.nlp.stem_text import BoolArray, FloatArray, IntArray, StemText

CONVERSATION_GAP_S = 1800.0
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TEXT_LINE, SOURCE_LINE, PREVIOUS_LINE, TOPICS_LINE = range(LINES := 4)
"""The lines of a document's stems: its text, what it rests on, the message before, its topics."""
Number = TypeVar("Number", np.int64, np.float64, np.bool_)
T = TypeVar("T", bound=NDArray[Any])


class Documents(Generic[Item]):
    """A member's memories or messages, in the order in which they were stored.

    Documents of one channel with gaps below CONVERSATION_GAP_S form a conversation. ``order`` has
    the documents by channel and time, and the rest refers to it: ``conversations`` has the
    conversation's number for each of them, ``conversation_starts`` the first of each, and
    ``conversation_sizes`` how many are in each. ``place_of`` numbers the channels whose readers may
    see them.
    """

    _ARRAYS: tuple[str, ...] = (
        "ids",
        "_channel_ids",
        "importance",
        "_message_ids",
        "is_question",
        "said_at_s",
        "_ends_at_s",
    )

    def __init__(
        self,
        columns: MemoryColumns | SaidColumns,
        *,
        stems: Iterable[str],
        said_at_s: Sequence[float] | FloatArray,
        place_ids: Sequence[int],
        importance: Sequence[int] = (),
        message_ids: Sequence[int] = (),
        is_question: Sequence[bool] = (),
    ) -> None:
        """``stems`` are the LINES lines of each document. A document is made when it is asked for.

        ``place_ids`` are the channels whose readers may see them. A message id is negative for a
        text that came with a message, such as an attachment's.
        """
        total = len(columns.ids)
        items: Any = columns.items
        self._made: list[Item | None] = list(items) or [None] * total
        self._texts = list(columns.texts)
        self.stems = StemText(stems, LINES)
        self.ids = np.array(columns.ids, np.int64)
        self._channel_ids = np.array(columns.channel_ids, np.int64)
        self._places = {place: number for number, place in enumerate(dict.fromkeys(place_ids))}
        self.place_of = np.array([self._places[place] for place in place_ids], np.int64)
        self.importance = np.array(importance or [0] * total, np.int64)
        self._message_ids = np.array(message_ids or [0] * total, np.int64)
        self.is_question = np.array(is_question or [False] * total, np.bool_)
        self.said_at_s = np.array(said_at_s, np.float64)
        self._ends_at_s = np.array(columns.ends_at_s, np.float64)
        self._names_time: BoolArray | None = None
        self._find_conversations()

    def followed_by(self, newer: Self) -> Self:
        """Return these documents and then others, which are few: cheaper than preparing all."""
        followed = object.__new__(type(self))
        followed._made, followed._texts = self._made + newer._made, self._texts + newer._texts
        followed.stems = self.stems.followed_by(newer.stems)
        followed._places = places = dict(self._places)
        numbers = [places.setdefault(place, len(places)) for place in newer._places]
        followed.place_of = joined(self.place_of, np.array(numbers, np.int64)[newer.place_of])
        for name in self._ARRAYS:
            setattr(followed, name, joined(getattr(self, name), getattr(newer, name)))
        followed._names_time = None
        if self._names_time is not None:
            followed._names_time = joined(self._names_time, newer.names_time)
        followed._find_conversations()
        return followed

    def _find_conversations(self) -> None:
        self.order = np.lexsort((self.ids, self.said_at_s, self._channel_ids))
        channel_ids, said_at_s = self._channel_ids[self.order], self.said_at_s[self.order]
        is_continued = np.zeros(len(said_at_s), np.bool_)  # by each document, the one before
        is_soon = said_at_s[1:] - said_at_s[:-1] <= CONVERSATION_GAP_S
        is_continued[1:] = (channel_ids[1:] == channel_ids[:-1]) & is_soon
        self.conversation_starts = np.flatnonzero(~is_continued)
        self.conversations = np.cumsum(~is_continued) - 1
        self.conversation_sizes = np.bincount(self.conversations)

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, index: int) -> Item:
        item = self._made[index]
        if item is None:
            item = self._made[index] = self._make(index)
        return item

    def _make(self, index: int) -> Item:
        """Return a document that is only in the arrays so far."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Item]:
        return map(self.__getitem__, range(len(self)))

    @property
    def conversation_ages(self) -> IntArray:
        """How many conversations ended after each document's; only for statements."""
        starts = self.conversation_starts
        ages = np.empty(len(starts), np.int64)
        if len(starts):
            ended: FloatArray = np.maximum.reduceat(self.said_at_s[self.order], starts)
            ages[np.argsort(-ended, kind="stable")] = np.arange(len(starts))
        of_documents = np.empty(len(self), np.int64)
        of_documents[self.order] = ages[self.conversations]
        return of_documents

    @property
    def names_time(self) -> BoolArray:
        """Which documents name a time; computed only once a query asks for one."""
        if self._names_time is None:
            texts = self.stems.first_lines()
            self._names_time = np.fromiter(map(names_time, texts), np.bool_, len(self))
        return self._names_time

    def readable(
        self, sources: Collection[int], now: datetime, exclude_ids: Collection[int] = ()
    ) -> BoolArray:
        """Return which of them have not expired, and come from one of these channels.

        ``exclude_ids`` are messages that are left out; what came with them is not.
        """
        is_open = np.array([place in sources for place in self._places], np.bool_)
        mask: BoolArray = is_open[self.place_of] & (self._ends_at_s > now.timestamp())
        if exclude_ids:
            excluded = np.array([*exclude_ids], np.int64)[:, np.newaxis]
            mask &= ~(self._message_ids == excluded).any(axis=0)
        return mask

    @property
    def message_ids(self) -> IntArray:
        """The id of the message that each of them is, or came with; 0 for memories."""
        return np.abs(self._message_ids)

    @property
    def is_attached(self) -> BoolArray:
        """Which of them came with a message, such as the texts of attachments."""
        is_attached: BoolArray = self._message_ids < 0
        return is_attached

    def with_message_ids(self, ids: Collection[int]) -> list[Item]:
        """Return the messages with these ids, without texts that came with them."""
        (indexes,) = np.nonzero(np.isin(self._message_ids, list(ids)))
        return list({int(self._message_ids[i]): self[i] for i in indexes.tolist()}.values())

    def where(self, predicate: Callable[[Item], bool]) -> BoolArray:
        """Return for which documents ``predicate`` is true."""
        return np.fromiter(map(predicate, self), np.bool_, len(self))


class PreparedMessages(Documents[Said]):
    """A member's messages, ready to be ranked."""

    def _make(self, index: int) -> Said:
        stems, about, previous = self.stems.lines(index, PREVIOUS_LINE + 1).split("\n")
        return Said(
            int(self.ids[index]),
            int(self._message_ids[index]),
            int(self._channel_ids[index]),
            [*self._places][self.place_of[index]],
            self._texts[index],
            as_time(self.said_at_s[index]),
            as_time(self._ends_at_s[index]),
            stems,
            previous,
            about,
        )


def prepare_messages(messages: Iterable[Said] | SaidColumns) -> PreparedMessages:
    """Return a member's messages with their words and those of the message before each."""
    columns = messages if isinstance(messages, SaidColumns) else SaidColumns.of(messages)
    lines = zip(columns.stems, columns.about_stems, columns.previous_stems, strict=True)
    return PreparedMessages(
        columns,
        stems=[f"{text}\n{about}\n{previous}\n" for text, about, previous in lines],
        said_at_s=columns.said_at_s,
        place_ids=columns.source_ids,
        message_ids=columns.message_ids,
        is_question=[ends_as_question(text) for text in columns.texts],
    )


class MessagesBehind(NamedTuple):
    """The messages behind each of some memories: pairs of a memory's index and a message's id."""

    rows: IntArray
    message_ids: IntArray

    @classmethod
    def of(cls, ids: IntArray, messages: Mapping[int, tuple[int, ...]]) -> "MessagesBehind":
        """Return the pairs; ``messages`` has the ids of the messages behind each memory."""
        row_ids = np.array([*messages], np.int64).repeat([*map(len, messages.values())])
        message_ids = np.array([*chain.from_iterable(messages.values())], np.int64)
        matches, rows = matching(row_ids, ids)
        return cls(rows, message_ids[matches])

    def followed_by(self, newer: "MessagesBehind", total: int) -> "MessagesBehind":
        """Return these pairs and those of memories that follow ``total`` others."""
        return MessagesBehind(
            joined(self.rows, newer.rows + total), joined(self.message_ids, newer.message_ids)
        )


def matching(wanted: IntArray, ids: IntArray) -> tuple[IntArray, IntArray]:
    """Return the pairs of indexes whose ids are the same, by the first; each id may repeat."""
    order = ids.argsort(kind="stable")
    ordered = ids[order]
    first = ordered.searchsorted(wanted)
    counts = ordered.searchsorted(wanted, "right") - first
    places = np.arange(counts.sum()) - (counts.cumsum() - counts - first).repeat(counts)
    return np.arange(len(wanted)).repeat(counts), order[places]


def as_time(seconds: float) -> datetime:
    """Return the time of some seconds since 1970; as floats they are exact to a microsecond."""
    return EPOCH + timedelta(microseconds=round(float(seconds) * 1e6))


def joined(first: T, second: T) -> T:
    """Return the values of two arrays, one after the other."""
    both: Any = np.concatenate([first, second])
    return both  # type: ignore[no-any-return]
