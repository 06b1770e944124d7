"""A member's memories, or messages, ready to be ranked: fields, conversations, times. Pure."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Generic

import numpy as np

from utils.memory.policy import FADING_KINDS, HALF_LIFE_DAYS, WritePolicy, has_faded
from utils.memory.postings import Field, Real, Truth, Whole
from utils.memory.stems import stems
from utils.model.memory import Kind, Memory, Status
from utils.model.recall import Item, Said

CONVERSATION_GAP_S = 1800.0
LONG_STEMS = 20
PREVIOUS_STEMS = 40
MOST_TOPICS_KNOWN = 10_000

# Words that place something in time, as they are mostly said; numbers count too.
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
    """What ranking needs to know of one memory or message; fields are stems with blanks between.

    Not frozen only because preparing a member makes thousands: nobody changes one.

    ``place_id`` is the channel whose readers may hear of it. ``message_id`` is below zero for what
    came with a message: an earlier turn shows no more than its first line.
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
    """A member's memories or messages, in the order of channels, and in each as they were said.

    A conversation is what lies in one channel with less than CONVERSATION_GAP_S between one and
    the next: ``conversations`` has its number for each document, ``conversation_starts`` its first
    document. ``conversation_ages`` counts, for each, how many have ended after it.
    """

    def __init__(self, items: Sequence[Item], entries: Sequence[Entry]) -> None:
        order = sorted(range(len(items)), key=lambda i: _place(entries[i]))
        ordered = [entries[i] for i in order]
        self.items: tuple[Item, ...] = tuple([items[i] for i in order])
        self.ids: Whole = np.array([one.id for one in ordered], np.int64)
        self.said_at_s: Real = np.array([one.said_at_s for one in ordered], np.float64)
        self.importance: Whole = np.array([one.importance for one in ordered], np.int64)
        self._message_ids: Whole = np.array([one.message_id for one in ordered], np.int64)
        self._ends_at_s: Real = np.array([one.ends_at_s for one in ordered], np.float64)
        places = np.array([one.place_id for one in ordered], np.int64)
        self._places, self._place_of = np.unique(places, return_inverse=True)
        self.text = Field([one.text for one in ordered])
        self.source = Field([one.source for one in ordered])
        self.previous = Field([one.previous for one in ordered])
        self.topics = Field([one.topics for one in ordered])
        self.is_question: Truth = np.array([one.is_question for one in ordered], np.bool_)
        self.fullness: Real = np.minimum(1.0, self.text.lengths / LONG_STEMS)
        goes_on = _goes_on(np.array([one.channel_id for one in ordered]), self.said_at_s)
        self.conversation_starts: Whole = np.flatnonzero(~goes_on)
        self.conversations: Whole = np.cumsum(~goes_on) - 1
        self.conversation_ages = _ages(self.conversation_starts, self.said_at_s)

    @cached_property
    def names_time(self) -> Truth:
        """Which of them place something in time; few messages ask for that."""
        texts = self.text.texts()
        return np.array([_names_time(text) for text in texts], np.bool_)

    def __len__(self) -> int:
        return len(self.items)

    def readable(self, sources: Collection[int], now: datetime, but: Collection[int] = ()) -> Truth:
        """Return which of them readers of these channels may hear of now: those not over.

        ``but`` are messages that they have in sight anyway.
        """
        is_open = np.array([place in sources for place in self._places.tolist()], np.bool_)
        mask: Truth = is_open[self._place_of] & (self._ends_at_s > now.timestamp())
        return mask & ~np.isin(self._message_ids, list(but)) if but else mask

    def those(self, may: Callable[[Item], bool]) -> Truth:
        """Return for which of them something holds."""
        return np.fromiter(map(may, self.items), np.bool_, len(self.items))

    def make_index(self) -> None:
        """Make what further recalls are quicker with; in any thread, since nothing is changed but
        how the same is found."""
        for field in (self.text, self.source, self.previous, self.topics):
            field.make_index()


class PreparedRows(Documents[Memory]):
    """A member's rows, ready to be ranked; ``version`` is the MemoryVersion they stand for.

    ``newest`` are the same rows, what was said last first, ``constraints`` those of them that are.
    ``messages`` are, by a row's id, the messages it rests on; ``said`` those of them that are
    still there, by their ids: what stood before one helps to find the row as well.
    """

    def __init__(
        self,
        rows: Iterable[Memory],
        version: int,
        messages: Mapping[int, tuple[int, ...]] | None = None,
        said: Mapping[int, Said] | None = None,
    ) -> None:
        kept = tuple(rows)
        self.messages = messages or {}
        before = said or {}
        super().__init__(
            kept,
            [
                _entry(row, [before[id] for id in self.messages.get(row.id, ()) if id in before])
                for row in kept
            ],
        )
        self.version = version
        self.confidence: Real = np.array([row.confidence for row in self.items], np.float64)
        self.half_life_days: Real = np.array([_half_life(row) for row in self.items], np.float64)
        self._is_active = self.those(lambda row: row.status is Status.ACTIVE)
        self._fading = [i for i, row in enumerate(self.items) if row.kind in FADING_KINDS]
        confirmed = [row.last_confirmed_at.timestamp() for row in self.items]
        self.confirmed_at_s: Real = np.array(confirmed, np.float64)
        self.by_id = {row.id: row for row in kept}
        newest = sorted(kept, key=lambda row: (row.last_confirmed_at, row.id), reverse=True)
        self.newest = tuple(newest)
        self.constraints = tuple([row for row in newest if row.kind is Kind.CONSTRAINT])

    def recallable(
        self, sources: Collection[int], now: datetime, write_policy: WritePolicy
    ) -> Truth:
        """Return which rows readers of these channels may hear of now: live, and not faded."""
        mask = self.readable(sources, now) & self._is_active
        for i in self._fading:
            mask[i] &= not has_faded(self.items[i], now, write_policy)
        return mask


def of_messages(said: Sequence[Said]) -> Documents[Said]:
    """Prepare a member's messages: their words, the facts drawn from them, and what was said just
    before."""
    return Documents(
        said,
        [
            Entry(
                id=one.event_id,
                channel_id=one.channel_id,
                said_at_s=one.said_at.timestamp(),
                place_id=one.source_id,
                ends_at_s=one.expires_at.timestamp(),
                message_id=-one.message_id if one.label else one.message_id,
                text=one.stems,
                source=one.fact_stems,
                previous=one.previous_stems,
                is_question=one.text.rstrip().endswith(("?", "？", "؟")),
            )
            for one in said
        ],
    )


def _entry(row: Memory, said: Sequence[Said]) -> Entry:
    text, source, previous, *_ = [*row.stems.split("\n"), "", ""]
    if said and not previous:
        previous = " ".join(said[0].previous_stems.split()[:PREVIOUS_STEMS])
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


def _half_life(row: Memory) -> float:
    return HALF_LIFE_DAYS[row.kind] or math.inf


def _place(entry: Entry) -> tuple[int, float, int]:
    return entry.channel_id, entry.said_at_s, entry.id


def _names_time(stems_of_text: str) -> bool:
    return not TIME_STEMS.isdisjoint(stems_of_text.split()) or bool(_NUMBER.search(stems_of_text))


def _goes_on(channel_ids: Whole, said_at_s: Real) -> Truth:
    """Return for each document whether it belongs to the conversation of the one before it."""
    goes_on = np.zeros(len(said_at_s), np.bool_)
    is_soon = np.diff(said_at_s) <= CONVERSATION_GAP_S
    goes_on[1:] = (channel_ids[1:] == channel_ids[:-1]) & is_soon
    return goes_on


def _ages(starts: Whole, said_at_s: Real) -> Whole:
    """Return for each conversation how many others have ended later."""
    if not len(starts):
        return starts
    ended: Real = np.maximum.reduceat(said_at_s, starts)
    ages = np.empty(len(starts), np.int64)
    ages[np.argsort(-ended, kind="stable")] = np.arange(len(starts))
    return ages


@lru_cache(MOST_TOPICS_KNOWN)
def _topic_stems(topic: str) -> str:
    return " ".join(stems(topic))
