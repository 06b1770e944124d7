"""Prepares a member's memories or messages for ranking: fields, conversations, times. Pure."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Generic

import numpy as np

from utils.memory.policy.write_policy import FADING_KINDS, HALF_LIFE_DAYS, has_faded
from utils.models.memory import Form, Kind, Memory, Status
from utils.models.policy import WriteMode, WritePolicy
from utils.models.recall import Item, Said
from utils.nlp.inverted_index import BoolArray, Field, FloatArray, IntArray
from utils.nlp.stemming import stems

CONVERSATION_GAP_S = 1800.0
LONG_STEMS = 20
PREVIOUS_STEMS = 40
MAX_TOPICS_KNOWN = 10_000

# Common words that place something in time; numbers count too.
_TIME_WORDS = {
    "en": "yesterday today tonight tomorrow last next ago week weekend month year day morning "
    "recently monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december since summer winter",
    "de": "gestern vorgestern heute morgen letzte nächste woche wochenende monat jahr tag montag "
    "dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli "
    "oktober dezember seit sommer",
    "fr": "hier aujourd'hui demain dernier prochain semaine mois an année jour lundi mardi "
    "mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août "
    "décembre depuis",
    "es": "ayer hoy mañana pasado próximo semana mes año día lunes martes miércoles jueves viernes "
    "sábado domingo enero febrero marzo abril mayo junio julio agosto diciembre desde hace",
    "pt": "ontem hoje amanhã passado próximo semana mês ano dia segunda terça quarta quinta sexta "
    "janeiro fevereiro março maio junho julho dezembro desde atrás",
    "ru": "вчера сегодня завтра прошлый следующий неделя месяц год день понедельник вторник среда "
    "четверг пятница суббота воскресенье назад январь февраль март апрель май июнь июль август",
    "ja": "昨日 今日 明日 先週 来週 先月 来月 去年 今年 来年",
    "zh": "昨天 今天 明天 上周 下周 上个月 下个月 去年 今年 明年",
    "ar": "أمس اليوم غدا الأسبوع الشهر السنة",
}
_NUMBER = re.compile(r"(?<!\S)\d")


def _time_stems() -> frozenset[str]:
    return frozenset(
        stem
        for language, words in _TIME_WORDS.items()
        for word in words.split()
        for stem in stems(word, language=language)
    )


TIME_STEMS = _time_stems()


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
    """A member's memories or messages, ordered by channel and time.

    Documents of one channel with gaps below CONVERSATION_GAP_S form a conversation.
    ``conversations`` has the conversation's number for each document, ``conversation_starts`` the
    first document of each. ``conversation_ages`` counts how many conversations ended later.
    """

    def __init__(self, items: Sequence[Item], entries: Sequence[Entry]) -> None:
        order = sorted(range(len(items)), key=lambda i: _place(entries[i]))
        ordered = [entries[i] for i in order]
        self.items: tuple[Item, ...] = tuple([items[i] for i in order])
        self.ids: IntArray = np.array([entry.id for entry in ordered], np.int64)
        self.said_at_s: FloatArray = np.array([entry.said_at_s for entry in ordered], np.float64)
        self.importance: IntArray = np.array([entry.importance for entry in ordered], np.int64)
        self._message_ids: IntArray = np.array([entry.message_id for entry in ordered], np.int64)
        self._ends_at_s: FloatArray = np.array([entry.ends_at_s for entry in ordered], np.float64)
        places = np.array([entry.place_id for entry in ordered], np.int64)
        self._places, self._place_of = np.unique(places, return_inverse=True)
        self.text = Field([entry.text for entry in ordered])
        self.source = Field([entry.source for entry in ordered])
        self.previous = Field([entry.previous for entry in ordered])
        self.topics = Field([entry.topics for entry in ordered])
        self.is_question: BoolArray = np.array([entry.is_question for entry in ordered], np.bool_)
        self.fullness: FloatArray = np.minimum(1.0, self.text.lengths / LONG_STEMS)
        goes_on = _goes_on(np.array([entry.channel_id for entry in ordered]), self.said_at_s)
        self.conversation_starts: IntArray = np.flatnonzero(~goes_on)
        self.conversations: IntArray = np.cumsum(~goes_on) - 1
        self.conversation_ages = _ages(self.conversation_starts, self.said_at_s)

    @cached_property
    def names_time(self) -> BoolArray:
        """Which documents name a time; computed only when a query asks for one."""
        texts = self.text.texts()
        return np.array([_names_time(text) for text in texts], np.bool_)

    def __len__(self) -> int:
        return len(self.items)

    def readable(
        self, sources: Collection[int], now: datetime, exclude_ids: Collection[int] = ()
    ) -> BoolArray:
        """Return which of them readers of these channels may hear of now: those not over.

        ``exclude_id`` are messages that they have in sight anyway.
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

    def make_index(self) -> None:
        """Build indexes that make later recalls faster; safe in any thread."""
        for field in (self.text, self.source, self.previous, self.topics):
            field.make_index()


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
        self.messages = messages or {}
        known_messages = messages_by_id or {}
        self._stored_ids = frozenset(known_messages)
        super().__init__(
            memories,
            [
                _entry(
                    row,
                    [
                        known_messages[id]
                        for id in self.messages.get(row.id, ())
                        if id in known_messages
                    ],
                )
                for row in memories
            ],
        )
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
        self.by_id = {row.id: row for row in memories}
        newest = sorted(memories, key=lambda row: (row.last_confirmed_at, row.id), reverse=True)
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
    return Documents(
        messages,
        [
            Entry(
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
            for message in messages
        ],
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


def _place(entry: Entry) -> tuple[int, float, int]:
    return entry.channel_id, entry.said_at_s, entry.id


def _names_time(stems_of_text: str) -> bool:
    return not TIME_STEMS.isdisjoint(stems_of_text.split()) or bool(_NUMBER.search(stems_of_text))


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
