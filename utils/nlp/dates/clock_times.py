"""Parse the future time that a text names: "tomorrow at 6", "in 1h30m", "jeden Tag um 9". Pure.

Every word of the text is used or named as unused: half of what somebody said is another time.
:mod:`utils.nlp.dates.upcoming` searches longer texts for a day.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from utils.nlp.dates.days_of_month import day_with_month
from utils.nlp.dates.ranges import later, next_day
from utils.nlp.dates.repeats import MAX_COUNT, Repeat, instant
from utils.nlp.dates.sums import day_at, next_unit, sum_at
from utils.nlp.dates.tokens import Token, WordPositions, read_tokens
from utils.nlp.dates.upcoming import ISO_DATE, MAX_CHARACTERS
from utils.nlp.dates.vocabulary import (
    CLOCK,
    CLOCK_NUMBERS,
    DATES,
    EACH_WEEKDAY,
    GLUED_UNITS,
    NUMBERS,
    PARTS_OF_DAY,
    REPEATS,
    SHORT_WEEKDAYS,
    SPANS,
    TENS,
    TIME_UNITS,
    UNITS,
    WEEKDAYS,
)
from utils.nlp.dates.zones import MINUS, zone_at

MAX_TOKENS = 40  # no time needs more
MAX_TIME_WORDS = 14
_ANY_MOMENT = datetime(2026, 1, 5, 8, tzinfo=UTC)  # whether a text names a time depends on no day
HOUR, NOON, MIDNIGHT = 60, 12 * 60, 24 * 60  # in minutes
MORNING = 9 * HOUR  # where only a day is named
EARLY = 7 * HOUR  # "Friday at 5" is the afternoon, "Friday at 7" the morning
AFTERNOON, EVENING = 15, 19
LATE_HOURS = {AFTERNOON: range(NOON, 19 * HOUR), EVENING: range(17 * HOUR, MIDNIGHT + 1)}
_STAMP = re.compile(r"<t:([0-9]{1,11})(?::[A-Za-z])?>")
_VULGAR = re.compile("([0-9]*) ?([¼½¾])(?! ?[0-9])")  # "½8" is half past seven
_MERIDIEM = re.compile(r"\b([ap])\.\s?m\b\.?", re.IGNORECASE)
_OFFSET_SIGN = re.compile(r"\b(utc|gmt)\s*[-\u2013](?=\s*[0-9])", re.IGNORECASE)
_ISO_OFFSET = re.compile(
    r"(?<=t[0-9]{2}:[0-9]{2})(:00(?:\.0+)?)?-(?=[0-9]{2})"
    r"|(?<= [0-9]{2}:[0-9]{2}:00) ?[-+](?=[0-9]{2}:?[0-9]{2}\b)",  # "18:00-20:00" is no offset
    re.IGNORECASE,
)
_DATE = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?")
_CLOCK = re.compile(r"([0-9]{1,2})(?::([0-9]{2})(?::00(?:\.0+)?)?|\.([0-9]{2}))")
_HOUR = re.compile("[0-9]{1,2}")
_MINUTE = re.compile("[0-5][0-9]")
_AMOUNT = re.compile(r"[0-9]{1,4}(?:[.,][0-9]{1,2})?")
_SIZES = {
    "second": (1, "second"),
    "minute": (60, "second"),
    "hour": (3600, "second"),
    "day": (1, "day"),
    "week": (7, "day"),
    "month": (1, "month"),
    "year": (12, "month"),
}
"""How many seconds, days or months a unit is."""
_FRACTIONS = {**dict.fromkeys(CLOCK.half, 0.5), **dict.fromkeys(CLOCK.quarter, 0.25)}
_NEXT = DATES.next | DATES.after_next_before
_BETWEEN_WEEKDAYS = CLOCK.joined_by | DATES.every | {","}
_NAMES = {number: name for name, number in reversed(WEEKDAYS.items())}
_FULL_WEEKDAYS = {short: _NAMES[number] for short, number in SHORT_WEEKDAYS.items()}
"""Weekdays that are other words elsewhere ("mon", "so") -> the same without abbreviation."""
_SIGNS = frozenset(",.;!?()\"'")
_UNIT_ENDS = frozenset(",.")


@dataclass(frozen=True, slots=True)
class SpokenTime:
    """The time that a text names.

    Attributes:
        at: in UTC; None if it names none. With unused words, what the others mean.
        repeat: how it is repeated.
        unused: the words that fit nowhere, in their order.
    """

    at: datetime | None = None
    repeat: Repeat | None = None
    unused: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether a time was named and every word of the text was used."""
        return self.at is not None and not self.unused


def read_time(text: str, now: datetime, zone: tzinfo) -> SpokenTime:
    """Return the time that a text names. Never raises.

    A day without a time means 9 o'clock. A time without a day is the next such time; "at 6" said
    at noon is 6 in the evening. "At 6" on another day or each day is the evening too, "at 7" the
    morning. A complete date is returned even if it is past.

    Args:
        text: at most 300 characters; the rest is unused.
        now: aware.
        zone: the time zone of the person who says it.
    """
    decimals = _VULGAR.sub(
        lambda match: str(int(match[1] or 0) + unicodedata.numeric(match[2])), text[:MAX_CHARACTERS]
    )
    plain = unicodedata.normalize("NFKC", decimals)
    cut = text[MAX_CHARACTERS:].strip()[:MAX_CHARACTERS]
    stamp = _STAMP.search(plain)
    prepared = _MERIDIEM.sub(r"\1m ", _STAMP.sub(" ", plain, count=1))
    prepared = _ISO_OFFSET.sub(
        lambda match: (match[1] or "") + ("+" if "+" in match[0] else MINUS),
        _OFFSET_SIGN.sub(rf"\1 {MINUS}", prepared),
    )
    tokens = read_tokens(prepared)
    cut = " ".join([*(token.text for token in tokens[MAX_TOKENS:]), *cut.split()])
    reader = _Reader(tokens[:MAX_TOKENS], now, zone)
    try:
        if stamp is not None:
            reader.instant = datetime.fromtimestamp(int(stamp[1]), UTC)
        reader.read()
        at, repeat = reader.result()
    except (OverflowError, ValueError, OSError):
        return SpokenTime()
    return SpokenTime(at, repeat, " ".join(filter(None, (reader.unused(), cut))))


def split_at_time(text: str) -> tuple[str, str] | None:
    """Return a text without the time at its end, and that time in words; None if it ends in none.

    It is the longest end, of at most MAX_TIME_WORDS, that is a time as a whole.
    """
    words = text.split()
    for position in range(max(1, len(words) - MAX_TIME_WORDS), len(words)):
        when = " ".join(words[position:])
        if read_time(when, _ANY_MOMENT, UTC).is_sure:
            return " ".join(words[:position]), when
    return None


def time_before(day: str, text: str) -> tuple[str, str]:
    """Return a text without the words at its beginning that change the time before it, and that
    time with them: ("to call her", "at ten to eight") of "at ten" and "to eight to call her".
    """
    words, split, time = text.split(), (text, day), read_time(day, _ANY_MOMENT, UTC)
    for position in range(1, min(len(words), MAX_TIME_WORDS) + 1):
        when = f"{day} {' '.join(words[:position])}".strip(" ,")
        spoken = read_time(when, _ANY_MOMENT, UTC)
        if spoken.is_sure and (spoken != time or words[position - 1].lower() in CLOCK.oclock):
            split, time = (" ".join(words[position:]), when), spoken
    return split


class _Reader:
    """Reads the words of a text one after the other; each method returns the position after it.

    What is named twice in different ways is unused the second time.
    """

    def __init__(self, tokens: Sequence[Token], now: datetime, zone: tzinfo) -> None:
        self._words = WordPositions(
            [token._replace(text=_FULL_WEEKDAYS.get(token.text, token.text)) for token in tokens]
        )
        self._now, self._home = now, zone
        self._today = now.astimezone(zone).date()
        self._unused: list[int] = []
        self.instant: datetime | None = None
        self._day: date | None = None
        self._weekday: date | None = None
        self._month_day: int | None = None
        self._clock: tuple[int, bool] | None = None
        self._part: int | None = None
        self._is_literal = False  # 5am or 05:00, no other half of the day
        self._is_dated = False  # by a date in digits, beside which hours are of 24
        self._wait: timedelta | None = None
        self._shift: timedelta | None = None
        self._zone: tzinfo | None = None
        self._every: tuple[int, str] | None = None
        self._weekdays: tuple[int, ...] | None = None

    def read(self) -> None:
        """Read all words. Raises ValueError if some may mean several days."""
        steps: tuple[Callable[[int], int], ...] = (
            *(self._repeat, self._numeric_date, self._named_date, self._sum, self._after_wait),
            *(self._clock_time, self._time_zone, self._one_day, self._filler),
        )
        position = 0
        while position < len(self._words):
            end = next((end for step in steps if (end := step(position)) > position), 0)
            if not end:
                self._unused.append(position)
            position = end or position + 1

    def unused(self) -> str:
        """Return the words that fit nowhere."""
        text = ""
        for position in sorted(set(self._unused)):
            is_glued = position - 1 in self._unused and self._words.at(position).is_glued
            text += ("" if is_glued else " ") + self._words[position]
        return text.strip()

    def result(self) -> tuple[datetime | None, Repeat | None]:
        """Return the time that all words name together, and its repetition."""
        other_parts = (self._day, self._weekday, self._clock, self._part, self._every)
        if self.instant is not None or self._wait is not None:
            is_one = (self.instant is None or self._wait is None) and other_parts == (None,) * 5
            wait = self._wait or timedelta()
            return (self.instant or self._now.astimezone(UTC) + wait) if is_one else None, None
        clock = self._time_of_day()
        if clock is None or (self._shift is not None and self._every is not None):
            return None, None
        if self._every is not None:
            return self._repeated(clock[0], *self._every)
        return self._once(*clock), None

    def _time_of_day(self) -> tuple[int, bool] | None:
        """Return the minutes since midnight, and whether morning and evening are told apart."""
        part = self._part
        if self._clock is None:
            return (MORNING if part is None else part * HOUR), True
        minutes, is_sure = self._clock
        is_sure = is_sure or self._zone == UTC  # whose hours nobody counts to twelve
        if part is None:
            has_day = (self._day, self._weekday, self._every) != (None,) * 3
            is_early = 0 < minutes < EARLY and not (is_sure or self._is_dated)
            return (minutes + NOON, True) if is_early and has_day else (minutes, is_sure)
        if part >= AFTERNOON and minutes < NOON:
            is_meant = minutes + NOON in LATE_HOURS[part] and not self._is_literal
            return (minutes + NOON, True) if is_meant else None
        is_other = minutes // HOUR == 12 if part == EVENING else minutes >= NOON
        return None if is_other and part != AFTERNOON else (minutes, True)

    def _once(self, minutes: int, is_sure: bool) -> datetime | None:
        zone, now = self._zone or self._home, self._now
        if self._day and self._weekday and self._day.weekday() != self._weekday.weekday():
            return None
        today, day = now.astimezone(zone).date(), self._day or self._weekday
        is_timed = self._clock is not None or self._part is not None
        if not is_timed and day is None:
            return None
        at = self._at(day or today, minutes, zone)
        if at > now or day not in (None, today):
            return at
        if not is_timed:
            return None
        later_at = self._at(today, minutes + NOON, zone)
        if not is_sure and 0 < minutes < NOON and later_at > now:
            return later_at
        return at if day is not None else self._at(today + timedelta(days=1), minutes, zone)

    def _at(self, day: date, minutes: int, zone: tzinfo) -> datetime:
        shift = self._shift or timedelta()
        days, minutes = divmod(minutes, MIDNIGHT)
        clock = time(*divmod(minutes, HOUR))
        return (
            instant(day + timedelta(days=days), clock, zone, self._now.astimezone(UTC) - shift)
            + shift
        )

    def _repeated(
        self, minutes: int, count: int, unit: str
    ) -> tuple[datetime | None, Repeat | None]:
        zone = self._zone or self._home
        today = self._now.astimezone(zone).date()
        start = today if self._month_day else max(self._day or today, today)
        weekday = (self._weekday.weekday(),) if self._weekday else None
        month_day = (self._month_day,) if self._month_day else None
        days = {"day": (), "week": self._weekdays or weekday, "month": month_day}[unit]
        is_other_day = weekday is not None and (unit != "week" or weekday != days)
        if minutes == MIDNIGHT and unit == "day":
            minutes = 0
        is_time = 0 <= minutes < MIDNIGHT and 1 <= count <= MAX_COUNT
        if days is None or is_other_day or not is_time:
            return None, None
        repeat = Repeat(count, unit, days, time(*divmod(minutes, HOUR)), str(zone))
        return replace(repeat, count=1).next_after(self._now, start), repeat

    def _put(self, name: str, value: object, start: int, end: int) -> int:
        if getattr(self, name) in (None, value):
            setattr(self, name, value)
        else:
            self._unused += range(start, end)
        return end

    def _filler(self, position: int) -> int:
        word, following = self._words[position], self._words[position + 1]
        is_before_time = self.instant or ISO_DATE.fullmatch(following)
        is_filler = word in (CLOCK.fillers - DATES.in_before if ":" in following else CLOCK.fillers)
        if is_filler or word in _SIGNS or (is_before_time and word in CLOCK.at):
            return position + 1
        return self._words.phrase(position, CLOCK.from_now)[0] if self._wait is not None else 0

    # --- days -------------------------------------------------------------------------------------

    def _numeric_date(self, position: int) -> int:
        """Parse 2026-12-01, 24.12., 24/12/2026, 12/24."""
        words, word, end = self._words, self._words[position], position + 1
        if match := ISO_DATE.fullmatch(word):
            end += words[end] == "t" and words.at(end).is_glued
            day = date(*map(int, match.groups()))
        elif match := _DATE.fullmatch(word):
            first, sign, second, year = int(match[1]), match[2], int(match[3]), match[4]
            if sign == ".":
                has_dot = words[end] == "." and words.at(end).is_glued
                is_date = year or has_dot or words[position - 1] in DATES.ordinal_before
                if not is_date or words[end] in CLOCK.oclock:
                    return 0
                end += has_dot
            elif (sign == "-" and not year) or (first <= 12 and second <= 12 and first != second):
                return 0  # of the latter, both orders fit
            elif second > 12:
                first, second = second, first
            day = (
                date(int(f"20{year}"[-4:]), second, first)
                if year
                else next_day(self._today, second, first)
            )
        else:
            return 0
        self._is_dated = True
        return self._put("_day", day, position, end)

    def _named_date(self, position: int) -> int:
        """Parse 24 December, the 3rd, am 15., end of the month."""
        words = self._words
        if dated := day_with_month(words, position, self._today):
            return self._put("_day", dated[1], position, dated[0])
        end, month_end = words.phrase(position, CLOCK.month_end)
        if month_end:
            self._month_day = 31
            days = monthrange(self._today.year, self._today.month)[1]
            return self._put("_day", self._today.replace(day=days), position, end)
        number, suffix = words.at(position).number, words.at(position + 1)
        if not 1 <= number <= 31 or not suffix.is_glued:
            return 0
        has_article = words[position - 1] in DATES.ordinal_before
        if suffix.text not in DATES.ordinal_suffixes or (suffix.text == "." and not has_article):
            return 0
        self._month_day = number
        return self._put("_day", next_day(self._today, None, number), position, position + 2)

    def _sum(self, position: int) -> int:
        """Parse Friday in two weeks, next week Friday."""
        day_sum = sum_at(self._words, position, self._today)
        return self._put("_day", day_sum.day, position, day_sum.end) if day_sum else 0

    def _one_day(self, position: int) -> int:
        """Parse tomorrow, next Friday, next month, evening."""
        words, word, following = self._words, self._words[position], self._words[position + 1]
        has_day = self._day or self._weekday or words[position - 1] in DATES.on_day
        if word in CLOCK.morning_after_day and has_day:
            return self._put("_part", MORNING // HOUR, position, position + 1)
        if word in DATES.this and following in PARTS_OF_DAY:
            return self._put("_day", self._today, position, position + 1)
        unit, next_word = (position, following) if word in UNITS else (position + 1, word)
        day = next_unit(words, unit, self._today) if next_word in _NEXT else None
        if day is not None:
            return self._put("_day", day, position, position + 2)
        day_sum = day_at(words, position, self._today)
        if day_sum is None:
            part = PARTS_OF_DAY.get(word)
            return 0 if part is None else self._put("_part", part, position, position + 1)
        for named in words.between(position, day_sum.end):
            if named in PARTS_OF_DAY:  # tonight
                self._put("_part", PARTS_OF_DAY[named], position, day_sum.end)
        name = "_weekday" if day_sum.is_weekday else "_day"
        return self._put(name, day_sum.day, position, day_sum.end)

    # --- repeats ----------------------------------------------------------------------------------

    def _repeat(self, position: int) -> int:
        """Parse every 3 days, jeden Montag, weekdays, daily."""
        words, word = self._words, self._words[position]
        if word in REPEATS:
            return self._put("_every", (1, REPEATS[word]), position, position + 1)
        has_every = word in DATES.every
        start = position + has_every
        names = WEEKDAYS if has_every else EACH_WEEKDAY
        if words[start] in CLOCK.working_days:
            return self._put_weekly(range(5), position, start + 1)
        if words[start] in names:
            return self._weekdays_from(position, start, names)
        part = PARTS_OF_DAY.get(words[start])
        if words[start] in CLOCK.morning_after_day:
            part = MORNING // HOUR
        if has_every and part is not None:
            self._put("_part", part, position, start + 1)
            return self._put("_every", (1, "day"), position, start + 1)
        return self._every_units(position) if has_every or word in CLOCK.every_n else 0

    def _every_units(self, position: int) -> int:
        """Parse every 2 weeks, every other day, jeden zweiten Freitag."""
        start = position + 1
        is_every_other = self._words[start] in CLOCK.every_other
        end, count = (start + 1, 2.0) if is_every_other else self._amount(start) or (start, 1.0)
        word = self._words[end]
        if word in WEEKDAYS and count == 2:
            return self._put_weekly([WEEKDAYS[word]], position, end + 1, count=2)
        unit = UNITS.get(word, "year")
        if unit == "year" or count < 1 or count % 1:
            return 0
        return self._put("_every", (int(count), unit), position, end + 1)

    def _weekdays_from(self, position: int, start: int, names: Mapping[str, int]) -> int:
        """Parse Monday, Tuesday and Friday."""
        days, end = {names[self._words[start]]}, start + 1
        following = end
        while self._words[following] in _BETWEEN_WEEKDAYS:
            following += 1
            if self._words[following] in names:
                days.add(names[self._words[following]])
                end = following = following + 1
        is_counted = self._every is not None and self._every[1] == "week"
        if is_counted and names is EACH_WEEKDAY:  # alle 2 Wochen dienstags
            return self._put("_weekdays", tuple(sorted(days)), position, end)
        return self._put_weekly(sorted(days), position, end)

    def _put_weekly(self, days: Iterable[int], start: int, end: int, count: int = 1) -> int:
        self._put("_weekdays", tuple(days), start, end)
        return self._put("_every", (count, "week"), start, end)

    # --- sums of time -----------------------------------------------------------------------------

    def _after_wait(self, position: int) -> int:
        """Parse in 1h30m, anderthalb Stunden, an hour before 6pm."""
        words = self._words
        has_in = words[position] in DATES.in_before
        read = self._span(position + has_in)
        if read is None:
            return 0
        end, span = read
        seconds, days, months = span["second"], int(span["day"]), int(span["month"])
        sign = (words[end] in CLOCK.after) - (words[end] in CLOCK.before)
        clock = self._clock_at(end + 1, is_named=True) if sign and not has_in else None
        if clock is not None and not days and not months:
            self._put("_shift", timedelta(seconds=sign * seconds), position, end)
            return self._put("_clock", clock[1:], end, clock[0])
        if not has_in and self._could_be_clock(position, end):
            return 0
        if not seconds:
            day = later(later(self._today, months, "month"), days, "day")
            return self._put("_day", day, position, end)
        if months:
            return 0
        return self._put("_wait", timedelta(days=days, seconds=seconds), position, end)

    def _could_be_clock(self, position: int, end: int) -> bool:
        """Whether "18h" or "9h30" is rather a time of day."""
        last = self._words.at(end - 1)
        if last.text not in ("h", *CLOCK.oclock) and not (last.text.isdecimal() and last.is_glued):
            return False
        has_day, hours = self._day or self._weekday, self._words.at(position).number
        return end - position == 3 or (end - position == 2 and (bool(has_day) or hours > 12))

    def _span(self, position: int) -> tuple[int, dict[str, float]] | None:
        """Parse 2 hours and 15 minutes, 1h30, an hour and a half, a fortnight.

        Returns the position after it, and how many seconds, days and months it is. Raises
        ValueError for half a day and the like.
        """
        words, end = self._words, position
        span = {"second": 0.0, "day": 0.0, "month": 0.0}
        following = position
        while True:
            at, count = self._amount(following) or (following, 1.0)
            unit = self._unit(at)
            if unit is None or (at == following and unit[0] == 1):
                break
            end = at + 1
            following = words.after(end, _UNIT_ENDS, 2)  # 3Std., 20Min. und 5Sek.
            if words[following] in CLOCK.joined_by:
                following += 1
                half = self._fraction(following)
                if half is not None and self._unit(half[0]) is None:  # an hour and a half
                    count += half[1]
                    end = following = half[0]
            size, base = _SIZES[unit[1]]
            if base != "second" and count * unit[0] * size % 1:
                raise ValueError
            span[base] += count * unit[0] * size
        if words[end - 1] == "h" and words.at(end).is_glued and _MINUTE.fullmatch(words[end]):
            span["second"] += 60 * int(words[end])  # 1h30
            return end + 1, span
        return (end, span) if end > position else None

    def _unit(self, position: int) -> tuple[int, str] | None:
        """Return how many of which unit a word means: hours, fortnight."""
        word = self._words[position]
        if word in GLUED_UNITS and self._words.at(position).is_glued:
            return 1, GLUED_UNITS[word]
        return SPANS.get(word)

    def _fraction(self, position: int) -> tuple[int, float] | None:
        """Parse half an, eine halbe, a quarter of an."""
        position += NUMBERS.get(self._words[position]) == 1
        fraction = _FRACTIONS.get(self._words[position])
        if fraction is None:
            return None
        end = position + 1
        while self._words[end] in DATES.of or NUMBERS.get(self._words[end]) == 1:
            end += 1
        return end, fraction

    def _amount(self, position: int) -> tuple[int, float] | None:
        """Parse 90, 1.5, forty-five, anderthalb, half an, one and a half."""
        if fraction := self._fraction(position):
            return fraction
        words, word, end = self._words, self._words[position], position + 1
        is_digits = _AMOUNT.fullmatch(word)
        number = float(word.replace(",", ".")) if is_digits else CLOCK_NUMBERS.get(word)
        if number is None:
            return None
        ones = NUMBERS.get(words[end], 0)
        if word in TENS and 1 <= ones <= 9 and words.at(end).is_glued:  # forty-five
            return end + 1, number + ones
        half = self._fraction(end + 1) if words[end] in CLOCK.joined_by else None
        if half is not None and self._unit(half[0]) is not None:
            return half[0], number + half[1]
        return end, number

    # --- times of day -----------------------------------------------------------------------------

    def _clock_time(self, position: int) -> int:
        clock = self._clock_at(position)
        if clock is None:
            return 0
        words = self._words.between(position, clock[0])
        self._is_literal |= words[-1] == "am" or any(word.startswith("0") for word in words)
        return self._put("_clock", clock[1:], position, clock[0])

    def _clock_at(self, position: int, *, is_named: bool = False) -> tuple[int, int, bool] | None:
        """Return the position after a time of day, its minutes, and whether it means only one.

        ``is_named``: a word before it says that it is a time of day.
        """
        while self._words[position] in CLOCK.at or (
            is_named and self._words[position] in DATES.articles
        ):
            position, is_named = position + 1, True
        for words, minutes in ((CLOCK.midnight, MIDNIGHT), (CLOCK.noon, NOON)):
            if self._words[position] in words:
                return position + 1, minutes, True
        return self._beside_hour(position) or self._hour_and_minute(position, is_named=is_named)

    def _beside_hour(self, position: int) -> tuple[int, int, bool] | None:
        """Parse ten past nine, Viertel vor acht, halb sieben, fünf vor halb sieben."""
        for words, minutes in ((CLOCK.half_before, 30), (CLOCK.three_quarters, 15)):
            hour = self._hour(position + 1) if self._words[position] in words else None
            if hour is not None and 1 <= hour <= 12:
                return position + 2, hour * HOUR - minutes, False
        end, number = self._amount(position) or (position, float(HOUR))
        count = int(number * HOUR if number < 1 else number)
        end += TIME_UNITS.get(self._words[end]) == "minute"
        sign = (self._words[end] in CLOCK.after) - (self._words[end] in CLOCK.before)
        clock = self._clock_at(end + 1, is_named=True) if sign and count < HOUR else None
        return None if clock is None else (clock[0], clock[1] + sign * count, clock[2])

    def _hour(self, position: int) -> int | None:
        word = self._words[position]
        number = int(word) if _HOUR.fullmatch(word) else NUMBERS.get(word, 25)
        return number if number <= 24 else None

    def _hour_and_minute(self, position: int, *, is_named: bool) -> tuple[int, int, bool] | None:
        """Parse 18:30, 6pm, 18 Uhr 30, 18h30, 6 o'clock."""
        words, word, end, minute = self._words, self._words[position], position + 1, 0
        is_sure, hour = word.startswith("0"), self._hour(position)
        if match := _CLOCK.fullmatch(word):
            hour, minute = int(match[1]), int(match[2] or match[3])
            is_named = is_named or match[2] is not None
        if hour is None or minute >= HOUR:
            return None
        has_day = self._day is not None or self._weekday is not None
        if words[end] in CLOCK.oclock and not words.at(end + 1).is_glued:
            is_named = is_sure = True
            end += 1
            amount = None if match else self._amount(end)
            if amount is not None and self._is_minute(*amount):
                end, minute = amount[0], int(amount[1])
        elif words[end] == "h" and not match and (is_named or has_day or hour > 12):
            is_sure, is_named, end = True, is_named or has_day, end + 1
            if words.at(end).is_glued and _MINUTE.fullmatch(words[end]):
                end, minute, is_named = end + 1, int(words[end]), True
        elif (phrase_end := words.phrase(end, CLOCK.oclock_of_twelve)[0]) > end:
            is_named, end = True, phrase_end
        if words[end] in ("am", "pm") and hour <= 12:
            is_named = is_sure = True
            hour, end = hour % 12 + (12 if words[end] == "pm" else 0), end + 1
        elif words[end] == "pm":
            end += 1
        if not is_named or hour * HOUR + minute > MIDNIGHT:
            return None
        return end, hour * HOUR + minute, is_sure or hour == 0

    def _is_minute(self, end: int, number: float) -> bool:
        """Whether a number behind "18 Uhr" is its minutes, and no sum or day begins with it."""
        is_ordinal = self._words[end] == "." and self._words.at(end).is_glued
        is_article = not self._words[end - 1].isdecimal() and number == 1  # "18 Uhr an den Arzt"
        is_other = is_article or is_ordinal or self._unit(end) is not None
        return 1 <= number < HOUR and not is_other

    def _time_zone(self, position: int) -> int:
        read = zone_at(self._words, position)
        if read is None:
            return 0
        end, zone = read
        if zone is None:
            self._unused += range(position, end)
            return end
        return self._put("_zone", zone, position, end)
