"""Parse the future time that a text names: "tomorrow at 6", "in 1h30m", "jeden Tag um 9". Pure.

Every word of the text is used or named as unused: half of what somebody said is another time.
:mod:`utils.nlp.dates.upcoming` searches longer texts for a day.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.days_of_month import day_with_month, next_day, next_day_of_month
from utils.nlp.dates.repeats import MAX_COUNT, Repeat, instant
from utils.nlp.dates.sums import day_at, later, sum_at
from utils.nlp.dates.tokens import Token, read_tokens
from utils.nlp.dates.upcoming import MAX_CHARACTERS, next_unit
from utils.nlp.dates.vocabulary import CLOCK, DATES, phrase_at
from utils.nlp.dates.zones import MINUS, zone_at

__all__ = ["SpokenTime", "read_time"]

MAX_TOKENS = 40  # no time needs more
HOUR, NOON, MIDNIGHT = 60, 12 * 60, 24 * 60  # in minutes
MORNING = 9 * HOUR  # where only a day is named
EARLY = 7 * HOUR  # "Friday at 5" is the afternoon, "Friday at 7" the morning
AFTERNOON, EVENING = 15, 19
LATE_HOURS = {AFTERNOON: range(NOON, 19 * HOUR), EVENING: range(17 * HOUR, MIDNIGHT + 1)}
_STAMP = re.compile(r"<t:([0-9]{1,11})(?::[A-Za-z])?>")
_MERIDIEM = re.compile(r"\b([ap])\.\s?m\b\.?", re.IGNORECASE)
_OFFSET_SIGN = re.compile(r"\b(utc|gmt)\s*[-\u2013](?=\s*[0-9])", re.IGNORECASE)
_ISO_OFFSET = re.compile(r"(?<=t[0-9]{2}:[0-9]{2})(:00(?:\.0+)?)?-(?=[0-9]{2})", re.IGNORECASE)
_ISO_DATE = re.compile(r"([12][0-9]{3})-([0-9]{1,2})-([0-9]{1,2})")
_DATE = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::00(?:\.0+)?)?")
_DOTTED_CLOCK = re.compile(r"([0-9]{1,2})\.([0-9]{2})")
_AMOUNT = re.compile(r"[0-9]{1,4}(?:[.,][0-9]{1,2})?")
_SIZES = {
    "second": (1, 0, 0),
    "minute": (60, 0, 0),
    "hour": (3600, 0, 0),
    "day": (0, 1, 0),
    "week": (0, 7, 0),
    "month": (0, 0, 1),
    "year": (0, 0, 12),
}
"""The seconds, days and months of a unit."""
_SIGNS = frozenset(",.;!?()\"'")


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
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
    cut = text[MAX_CHARACTERS:].strip()[:MAX_CHARACTERS]
    stamp = _STAMP.search(plain)
    prepared = _STAMP.sub(" ", plain, count=1)
    prepared = _MERIDIEM.sub(r"\1m ", prepared)
    prepared = _OFFSET_SIGN.sub(rf"\1 {MINUS}", prepared)
    prepared = _ISO_OFFSET.sub(rf"\1{MINUS}", prepared)
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


@dataclass(frozen=True, slots=True)
class _Duration:
    """An amount of time."""

    seconds: float = 0
    days: int = 0
    months: int = 0

    def plus(self, count: float, unit: str) -> "_Duration":
        """Return this and so many units more. Raises ValueError for half a day and the like."""
        seconds, days, months = (count * size for size in _SIZES[unit])
        if days != int(days) or months != int(months):
            raise ValueError
        return _Duration(self.seconds + seconds, self.days + int(days), self.months + int(months))


class _Reader:
    """Reads the words of a text one after the other; each method returns the position after it.

    What is named twice in different ways is unused the second time.
    """

    def __init__(self, tokens: Sequence[Token], now: datetime, zone: tzinfo) -> None:
        self._tokens = [
            token._replace(text=_WEEKDAY_NAMES.get(token.text, token.text)) for token in tokens
        ]
        self._words = [token.text for token in self._tokens]
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
            *(self._clock_time, self._time_zone, self._one_day, self._part_of_day, self._filler),
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
            is_glued = position - 1 in self._unused and self._tokens[position].is_glued
            text += ("" if is_glued else " ") + self._words[position]
        return text.strip()

    def result(self) -> tuple[datetime | None, Repeat | None]:
        """Return the time that all words name together, and its repetition."""
        others = (self._day, self._weekday, self._clock, self._part, self._every)
        if self.instant is not None:
            return (self.instant if others == (None,) * 5 and self._wait is None else None), None
        if self._wait is not None:
            return (self._now.astimezone(UTC) + self._wait if others == (None,) * 5 else None), None
        clock = self._time_of_day()
        if clock is None or (self._shift is not None and self._every is not None):
            return None, None
        if self._every is not None:
            return self._repeated(clock[0], self._every)
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
            if is_early and has_day:
                return minutes + NOON, True
            return minutes, is_sure
        if part >= AFTERNOON and minutes < NOON:
            is_meant = minutes + NOON in LATE_HOURS[part] and not self._is_literal
            return (minutes + NOON, True) if is_meant else None
        is_other = minutes // HOUR == 12 if part == EVENING else minutes >= NOON
        return None if is_other and part != AFTERNOON else (minutes, True)

    def _once(self, minutes: int, is_sure: bool) -> datetime | None:
        zone, now = self._zone or self._home, self._now
        is_timed = self._clock is not None or self._part is not None
        day = self._day or self._weekday
        if self._day and self._weekday and self._day.weekday() != self._weekday.weekday():
            return None
        today = now.astimezone(zone).date()
        if not is_timed and (day is None or self._at(day, minutes, zone) <= now):
            return None if day is None or day == today else self._at(day, minutes, zone)
        at = self._at(day or today, minutes, zone)
        if at > now or (day is not None and day != today):
            return at
        later_at = self._at(day or today, minutes + NOON, zone)
        if not is_sure and 0 < minutes < NOON and later_at > now:
            return later_at
        return at if day is not None else self._at(today + timedelta(days=1), minutes, zone)

    def _at(self, day: date, minutes: int, zone: tzinfo) -> datetime:
        shift = self._shift or timedelta()
        days, minutes = divmod(minutes, MIDNIGHT)
        day += timedelta(days=days)
        clock = time(minutes // HOUR, minutes % HOUR)
        return instant(day, clock, zone, self._now.astimezone(UTC) - shift) + shift

    def _repeated(
        self, minutes: int, every: tuple[int, str]
    ) -> tuple[datetime | None, Repeat | None]:
        (count, unit), zone = every, self._zone or self._home
        today = self._now.astimezone(zone).date()
        start = today if self._month_day else max(self._day or today, today)
        days: tuple[int, ...] = ()
        if unit == "week":
            named = None if self._weekday is None else (self._weekday.weekday(),)
            days = self._weekdays or named or ()
            if not days or (named or days) != days:
                return None, None
        elif self._weekday is not None:
            return None, None
        elif unit == "month":
            if self._month_day is None:
                return None, None
            days = (self._month_day,)
        if minutes == MIDNIGHT and unit == "day":
            minutes = 0
        if not 0 <= minutes < MIDNIGHT or not 1 <= count <= MAX_COUNT:
            return None, None
        clock = time(minutes // HOUR, minutes % HOUR)
        repeat = Repeat(count, unit, days, clock, str(zone))
        first = Repeat(1, unit, days, clock, str(zone))
        return first.next_after(self._now, start), repeat

    # --- single words -----------------------------------------------------------------------------

    def _word(self, position: int) -> str:
        return self._words[position] if 0 <= position < len(self._words) else ""

    def _is_glued(self, position: int) -> bool:
        return position < len(self._tokens) and self._tokens[position].is_glued

    def _put(self, name: str, value: object, start: int, end: int) -> int:
        if getattr(self, name) in (None, value):
            setattr(self, name, value)
        else:
            self._unused += range(start, end)
        return end

    def _filler(self, position: int) -> int:
        word = self._word(position)
        if word in CLOCK.fillers or word in _SIGNS:
            return position + 1
        is_before_time = self.instant is not None or _ISO_DATE.fullmatch(self._word(position + 1))
        if is_before_time and word in CLOCK.at:
            return position + 1
        return phrase_at(self._words, position, CLOCK.from_now)[0] if self._wait is not None else 0

    # --- days -------------------------------------------------------------------------------------

    def _numeric_date(self, position: int) -> int:
        """Parse 2026-12-01, 24.12., 24/12/2026, 12/24."""
        word, end = self._word(position), position + 1
        if match := _ISO_DATE.fullmatch(word):
            if self._word(end) == "t" and self._is_glued(end):
                end += 1
            return self._put_dated(date(*map(int, match.groups())), position, end)
        match = _DATE.fullmatch(word)
        if match is None:
            return 0
        first, sign, second, year = int(match[1]), match[2], int(match[3]), match[4]
        has_dot = self._word(end) == "." and self._is_glued(end)
        if sign == ".":
            has_article = self._word(position - 1) in DATES.ordinal_before
            if not (year or has_dot or has_article) or self._word(end) in CLOCK.oclock:
                return 0
        elif (sign == "-" and not year) or (first <= 12 and second <= 12 and first != second):
            return 0  # of the latter, both orders fit
        elif second > 12:
            first, second = second, first
        if has_dot and sign == ".":
            end += 1
        if not year:
            return self._put_dated(next_day(self._today, second, first), position, end)
        day = date(int(year) + (2000 if len(year) == 2 else 0), second, first)
        return self._put_dated(day, position, end)

    def _put_dated(self, day: date, start: int, end: int) -> int:
        self._is_dated = True
        return self._put("_day", day, start, end)

    def _named_date(self, position: int) -> int:
        """Parse 24 December, the 3rd, am 15., end of the month."""
        if dated := day_with_month(self._tokens, position, self._today):
            return self._put("_day", dated[1], position, dated[0])
        end, month_end = phrase_at(self._words, position, CLOCK.month_end)
        if month_end:
            days = monthrange(self._today.year, self._today.month)[1]
            self._month_day = 31
            return self._put("_day", self._today.replace(day=days), position, end)
        number, suffix = self._tokens[position].number, self._word(position + 1)
        has_article = self._word(position - 1) in DATES.ordinal_before
        is_ordinal = self._is_glued(position + 1) and (
            suffix in DATES.ordinal_suffixes and (suffix != "." or has_article)
        )
        if not is_ordinal or not 1 <= number <= 31:
            return 0
        self._month_day = number
        day = next_day_of_month(self._today, number)
        return self._put("_day", day, position, position + 2)

    def _sum(self, position: int) -> int:
        """Parse Friday in two weeks, next week Friday."""
        day_sum = sum_at(self._words, position, self._today)
        return self._put("_day", day_sum.day, position, day_sum.end) if day_sum else 0

    def _one_day(self, position: int) -> int:
        """Parse tomorrow, next Friday, next month."""
        word = self._word(position)
        if word in CLOCK.morning_after_day and (
            self._day or self._weekday or self._word(position - 1) in DATES.on_day
        ):
            return self._put("_part", MORNING // HOUR, position, position + 1)
        if word in DATES.this and self._word(position + 1) in vocabulary.PARTS_OF_DAY:
            return self._put("_day", self._today, position, position + 1)
        for unit in (position, position + 1):
            if self._word(unit) in vocabulary.UNITS:
                day = next_unit(self._words, unit, self._today)
                if day is not None and self._is_next(position, unit):
                    return self._put("_day", day, position, position + 2)
        day_sum = day_at(self._words, position, self._today)
        if day_sum is None:
            return 0
        for named in self._words[position : day_sum.end]:
            if named in vocabulary.PARTS_OF_DAY:  # tonight
                self._put("_part", vocabulary.PARTS_OF_DAY[named], position, day_sum.end)
        name = "_weekday" if day_sum.is_weekday else "_day"
        return self._put(name, day_sum.day, position, day_sum.end)

    def _is_next(self, position: int, unit: int) -> bool:
        other = self._word(position if unit > position else position + 1)
        return other in DATES.next | DATES.after_next_before

    # --- repeats ----------------------------------------------------------------------------------

    def _repeat(self, position: int) -> int:
        """Parse every 3 days, jeden Montag, weekdays, daily."""
        word, end = self._word(position), position + 1
        if word in vocabulary.REPEATS:
            return self._put("_every", (1, vocabulary.REPEATS[word]), position, end)
        has_every = word in DATES.every
        following = self._word(position + has_every)
        if following in CLOCK.working_days:
            return self._put_weekdays((0, 1, 2, 3, 4), position, end + has_every)
        names = vocabulary.WEEKDAYS if has_every else vocabulary.EACH_WEEKDAY
        if following in names:
            return self._weekdays_from(position, position + has_every, names)
        is_part = following in CLOCK.morning_after_day or following in vocabulary.PARTS_OF_DAY
        if has_every and is_part:
            part = vocabulary.PARTS_OF_DAY.get(following, MORNING // HOUR)
            self._put("_part", part, position, end + 1)
            return self._put("_every", (1, "day"), position, end + 1)
        amount = self._amount(end) if word in CLOCK.every_n else None
        is_counted = amount is not None and self._word(amount[0]) in vocabulary.UNITS
        return self._every_units(position, end) if has_every or is_counted else 0

    def _every_units(self, position: int, start: int) -> int:
        if self._word(start) in CLOCK.every_other:
            count, at = 2, start + 1
        else:
            at, number = self._amount(start) or (start, 1.0)
            count = int(number) if number == int(number) else 0
        weekday = vocabulary.WEEKDAYS.get(self._word(at))
        if weekday is not None and count == 2 and at == start + 1:
            self._put("_weekdays", (weekday,), position, at + 1)
            return self._put("_every", (count, "week"), position, at + 1)
        unit = vocabulary.UNITS.get(self._word(at))
        if unit is None or unit == "year" or not count:
            return 0
        return self._put("_every", (count, unit), position, at + 1)

    def _weekdays_from(self, position: int, start: int, names: Mapping[str, int]) -> int:
        """Parse Monday, Tuesday and Friday."""
        days, end = {names[self._word(start)]}, start + 1
        following = end
        while self._word(following) in CLOCK.joined_by | DATES.every | {","}:
            following += 1
            if self._word(following) in names:
                days.add(names[self._word(following)])
                end = following = following + 1
        is_counted = self._every is not None and self._every[1] == "week"
        if names is vocabulary.EACH_WEEKDAY and is_counted:  # alle 2 Wochen dienstags
            return self._put("_weekdays", tuple(sorted(days)), position, end)
        return self._put_weekdays(tuple(sorted(days)), position, end)

    def _put_weekdays(self, days: tuple[int, ...], start: int, end: int) -> int:
        self._put("_weekdays", days, start, end)
        return self._put("_every", (1, "week"), start, end)

    # --- sums of time -----------------------------------------------------------------------------

    def _after_wait(self, position: int) -> int:
        """Parse in 1h30m, anderthalb Stunden, an hour before 6pm."""
        has_in = self._word(position) in DATES.in_before
        read = self._span(position + has_in)
        if read is None:
            return 0
        end, span = read
        sign = (self._word(end) in CLOCK.after) - (self._word(end) in CLOCK.before)
        clock = self._clock_at(end + 1, is_named=True) if sign and not has_in else None
        if clock is not None and not span.days and not span.months:
            self._put("_shift", timedelta(seconds=sign * span.seconds), position, end)
            return self._put("_clock", clock[1:], end, clock[0])
        is_hours_alone = self._word(end - 1) in ("h", *CLOCK.oclock) or (
            self._word(end - 1).isdecimal() and self._is_glued(end - 1)
        )
        if not has_in and is_hours_alone and self._could_be_clock(position, end):
            return 0
        if span.seconds and not span.months:
            wait = timedelta(days=span.days, seconds=span.seconds)
            return self._put("_wait", wait, position, end)
        if span.seconds:
            return 0
        day = later(later(self._today, span.months, "month"), span.days, "day")
        return self._put("_day", day, position, end)

    def _could_be_clock(self, position: int, end: int) -> bool:
        """Whether "18h" or "9h30" is rather a time of day."""
        hours = self._tokens[position].number
        return end - position in (2, 3) and (
            self._day is not None or self._weekday is not None or hours > 12 or end - position == 3
        )

    def _span(self, position: int) -> tuple[int, _Duration] | None:
        span, end = _Duration(), position
        following = position
        while True:
            amount = self._amount(following) or (following, 1.0)
            unit = self._unit(amount[0])
            if unit is None or (amount[0] == following and unit[0] == 1):
                break
            span = span.plus(amount[1] * unit[0], unit[1])
            end = following = amount[0] + 1
            if self._word(end) in CLOCK.joined_by:
                following = end + 1
                half = self._fraction(following)
                if half is not None and self._unit(half[0]) is None:  # an hour and a half
                    span = span.plus(half[1] * unit[0], unit[1])
                    end = following = half[0]
            elif self._word(end) == ",":
                following = end + 1
        minutes = self._word(end)
        if (
            self._word(end - 1) == "h"
            and self._is_glued(end)
            and re.fullmatch("[0-5][0-9]", minutes)
        ):
            return end + 1, span.plus(int(minutes), "minute")  # 1h30
        return (end, span) if end > position else None

    def _unit(self, position: int) -> tuple[int, str] | None:
        """Return how many of which unit a word means: hours, fortnight."""
        word = self._word(position)
        if word in vocabulary.SPANS:
            return vocabulary.SPANS[word]
        if word in vocabulary.GLUED_UNITS and self._is_glued(position):
            return 1, vocabulary.GLUED_UNITS[word]
        unit = vocabulary.TIME_UNITS.get(word)
        return None if unit is None else (1, unit)

    def _fraction(self, position: int) -> tuple[int, float] | None:
        """Parse half an, eine halbe, a quarter of an."""
        if vocabulary.NUMBERS.get(self._word(position)) == 1:
            position += 1
        word = self._word(position)
        if word not in CLOCK.half | CLOCK.quarter:
            return None
        end = position + 1
        while self._word(end) in DATES.of or vocabulary.NUMBERS.get(self._word(end)) == 1:
            end += 1
        return end, 0.5 if word in CLOCK.half else 0.25

    def _amount(self, position: int) -> tuple[int, float] | None:
        """Parse 90, 1.5, forty-five, anderthalb, half an, one and a half."""
        if fraction := self._fraction(position):
            return fraction
        word, end = self._word(position), position + 1
        if word in vocabulary.AMOUNTS:
            return end, vocabulary.AMOUNTS[word]
        number: float | None = vocabulary.CLOCK_NUMBERS.get(word)
        if _AMOUNT.fullmatch(word):
            number = float(word.replace(",", "."))
        if number is None:
            return None
        ones = vocabulary.NUMBERS.get(self._word(end), 0)
        if word in vocabulary.TENS and 1 <= ones <= 9 and self._is_glued(end):  # forty-five
            return end + 1, number + ones
        if self._word(end) in CLOCK.joined_by:
            half = self._fraction(end + 1)
            if half is not None and self._unit(half[0]) is not None:
                return half[0], number + half[1]
        return end, float(number)

    # --- times of day -----------------------------------------------------------------------------

    def _clock_time(self, position: int) -> int:
        clock = self._clock_at(position)
        if clock is None:
            return 0
        words = self._words[position : clock[0]]
        self._is_literal |= words[-1] == "am" or any(word.startswith("0") for word in words)
        return self._put("_clock", clock[1:], position, clock[0])

    def _clock_at(self, position: int, *, is_named: bool = False) -> tuple[int, int, bool] | None:
        """Return the position after a time of day, its minutes, and whether it means only one.

        ``is_named``: a word before it says that it is a time of day.
        """
        while self._word(position) in CLOCK.at or (
            is_named and self._word(position) in DATES.articles
        ):
            position, is_named = position + 1, True
        word = self._word(position)
        if word in CLOCK.midnight:
            return position + 1, MIDNIGHT, True
        if word in CLOCK.noon:
            return position + 1, NOON, True
        return self._beside_hour(position) or self._hour_and_minute(position, is_named=is_named)

    def _beside_hour(self, position: int) -> tuple[int, int, bool] | None:
        """Parse ten past nine, Viertel vor acht, halb sieben, fünf vor halb sieben."""
        word = self._word(position)
        for words, minutes in ((CLOCK.half_before, 30), (CLOCK.three_quarters, 15)):
            hour = self._hour(position + 1) if word in words else None
            if hour is not None and 1 <= hour <= 12:
                return position + 2, hour * HOUR - minutes, False
        amount = self._amount(position)
        if amount is None:
            return None
        end, number = amount
        minutes = int(number * HOUR if number < 1 else number)
        if vocabulary.TIME_UNITS.get(self._word(end)) == "minute":
            end += 1
        sign = (self._word(end) in CLOCK.after) - (self._word(end) in CLOCK.before)
        clock = self._clock_at(end + 1, is_named=True) if sign and minutes < HOUR else None
        return None if clock is None else (clock[0], clock[1] + sign * minutes, clock[2])

    def _hour(self, position: int) -> int | None:
        word = self._word(position)
        number = int(word) if re.fullmatch("[0-9]{1,2}", word) else vocabulary.NUMBERS.get(word)
        return number if number is not None and number <= 24 else None

    def _hour_and_minute(self, position: int, *, is_named: bool) -> tuple[int, int, bool] | None:
        """Parse 18:30, 6pm, 18 Uhr 30, 18h30, 6 o'clock."""
        word, end, minute = self._word(position), position + 1, 0
        has_meridiem = self._word(end) in ("am", "pm")
        is_sure, hour = word.startswith("0"), self._hour(position)
        if match := _CLOCK.fullmatch(word):
            hour, minute, is_named = int(match[1]), int(match[2]), True
        elif match := _DOTTED_CLOCK.fullmatch(word):
            hour, minute = int(match[1]), int(match[2])
        if hour is None or minute >= HOUR:
            return None
        has_day = self._day is not None or self._weekday is not None
        if self._word(end) in CLOCK.oclock and not self._is_glued(end + 1):
            is_named = is_sure = True
            end += 1
            minutes = self._amount(end)
            if minutes is not None and not match and self._is_minute(*minutes):
                end, minute = minutes[0], int(minutes[1])
        elif self._word(end) == "h" and not match and (is_named or has_day or hour > 12):
            is_sure, end = True, end + 1
            if self._is_glued(end) and re.fullmatch("[0-5][0-9]", self._word(end)):
                end, minute, is_named = end + 1, int(self._word(end)), True
            is_named = is_named or has_day
        elif (phrase_end := phrase_at(self._words, end, CLOCK.oclock_of_twelve)[0]) > end:
            is_named, end = True, phrase_end
        if self._word(end) in ("am", "pm") and hour <= 12:
            is_late = self._word(end) == "pm"
            hour, is_named, is_sure = hour % 12 + (12 if is_late else 0), True, True
            end += 1
        elif has_meridiem and hour > 12 and self._word(end) == "pm":
            end += 1
        if not is_named or hour * HOUR + minute > MIDNIGHT:
            return None
        return end, hour * HOUR + minute, is_sure or hour == 0

    def _is_minute(self, end: int, number: float) -> bool:
        """Whether a number behind "18 Uhr" is its minutes, and no sum or day begins with it."""
        is_ordinal = self._word(end) == "." and self._is_glued(end)
        return 1 <= number < HOUR and self._unit(end) is None and not is_ordinal

    def _part_of_day(self, position: int) -> int:
        part = vocabulary.PARTS_OF_DAY.get(self._word(position))
        return 0 if part is None else self._put("_part", part, position, position + 1)

    def _time_zone(self, position: int) -> int:
        read = zone_at(self._tokens, position)
        if read is None:
            return 0
        end, zone = read
        if zone is None:
            self._unused += range(position, end)
            return end
        return self._put("_zone", zone, position, end)


_WEEKDAY_NAMES = {
    short: next(word for word, day in vocabulary.WEEKDAYS.items() if day == number)
    for short, number in vocabulary.SHORT_WEEKDAYS.items()
}
