"""Parse the past dates that a message names: "12 March", "last week", "vor drei Tagen". Pure.

The parser reads words one after the other and looks them up in tables, so it takes time linear in
the length of the text. :mod:`utils.nlp.dates.cjk` parses Japanese and Chinese.
Seasons are those of the northern hemisphere; weeks begin on Monday.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime, tzinfo
from functools import cached_property

from utils.nlp.dates import vocabulary
from utils.nlp.dates.cjk import cjk_dates
from utils.nlp.dates.ranges import MAX_SPAN_DAYS, Calendar, DateRange, months_of_year
from utils.nlp.dates.tokens import WordPositions, read_tokens
from utils.nlp.dates.vocabulary import (
    DATES,
    MONTHS,
    NUMBERS,
    UNITS,
    WEEKDAYS,
    WEEKDAYS_BEFORE_FEIRA,
)

MAX_CHARACTERS = 4_000
MAX_RANGES = 8
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_ORDINALS = DATES.ordinal_suffixes - {"."}
_SENTENCE_ENDS = frozenset(["", *".,;:!?)…\"'"])
_WITHIN = DATES.of | DATES.season_before
_BEFORE_DAY = DATES.articles | DATES.date_before
_CURRENCIES = frozenset("%€$£¥")
_YEAR_FIRST = re.compile(r"([12][0-9]{3})([-/.])([0-9]{1,2})\2([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([12][0-9]{3})")
_SHORT_YEAR = re.compile(r"([0-9]{2})([./])([0-9]{2})\2([0-9]{2})")
_NO_YEAR = re.compile(r"([0-9]{1,2})([./])([0-9]{1,2})()")
_DAY_TO_DAY = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")


def mentioned_dates(text: str, now: datetime, zone: tzinfo) -> tuple[DateRange, ...]:
    """Return the date ranges that a text names, each once, in the order of their first mention.

    At most eight are returned, and only the first 4,000 characters are parsed. Never raises.

    - The width follows the precision: "12 March" is one day, "last week" is seven, "a few days ago"
      is 6 to 2 days ago.
    - A month, weekday or holiday alone, or a day without a year, is the latest one that has begun.
    - 3/12 is read both ways, and only if it must be a date ("on 3/12", or with a year).
    - Today, the future in words ("tomorrow", "next week") and repetitions ("every Friday") are
      left out: they help to find no memory.

    Args:
        text: any text.
        now: aware; "yesterday" is relative to its day in ``zone``.
        zone: the time zone of the returned days.
    """
    try:
        calendar = Calendar(now.astimezone(zone).date())
    except (OverflowError, ValueError):
        return ()
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])[:MAX_CHARACTERS]
    ranges = _Parser(plain, calendar).ranges()
    if _UNSPACED.search(plain):
        ranges += cjk_dates(plain, calendar, MAX_RANGES)
    return tuple(dict.fromkeys(ranges))[:MAX_RANGES]


# The ranges a rule found, and the position after them; a rule that does not apply returns None.
_Parsed = tuple[list[DateRange], int]


class _Parser:
    """One pass over the words of a text; each rule is tried at the current position."""

    def __init__(self, text: str, calendar: Calendar) -> None:
        self._words = WordPositions(read_tokens(text))
        self._calendar = calendar

    @cached_property
    def _is_french(self) -> bool:
        words = set(self._words.values())
        return len(words & vocabulary.FRENCH_WORDS) > len(words & vocabulary.GERMAN_WORDS)

    def ranges(self) -> list[DateRange]:
        """Return the first MAX_RANGES ranges, in order.

        Of what is within another, such as "the last week of May" or "Christmas in 2024", only the
        other is known: the first says which one of it. "28 December 2025 to 3 January" is one.
        """
        rules: tuple[Callable[[int], _Parsed | None], ...] = (
            *(self._numeric, self._day_and_month, self._counted, self._month_and_day),
            *(self._named, self._year, self._weekday, self._unit),
        )
        ranges: list[DateRange] = []
        start = end = 0
        for position, word in self._words.items():
            if position < end or not (word in vocabulary.STARTS or "0" <= word[0] <= "9"):
                continue
            is_span = (
                self._words[end] in DATES.span_to
                and len(ranges) > start
                and self._words.after(end + 1, _BEFORE_DAY, 1) == position
            )
            since = ranges[-1].first if is_span else None
            # "until May" of "2010 until May" is the latest May
            self._calendar.since = (
                since if since and (ranges[-1].last - since).days < MAX_SPAN_DAYS else None
            )
            for rule in rules:
                if (parsed := rule(position)) is not None:
                    days = parsed[0]
                    if since and days and since <= days[0].last:
                        days = [DateRange(since, days[0].last)]
                    elif end != position - 1 or self._words[end] not in _WITHIN:
                        start = len(ranges)
                    ranges[start:], end = days, parsed[1]
                    break
            if len(ranges) >= MAX_RANGES:
                break
        return ranges

    # --- days -----------------------------------------------------------------------------------

    def _numeric(self, position: int) -> _Parsed | None:
        """Parse numbers with signs between: 2026-03-12, 12.03.2026, on 3/12."""
        text, before, end = self._words[position], self._words[position - 1], position + 1
        if text.isalnum():
            return None
        if self._words.at(position).is_glued and before[-1:].isalnum():
            return [], end  # a version: v3.12.2024
        if match := _YEAR_FIRST.fullmatch(text):
            return self._calendar.day(int(match[1]), int(match[3]), int(match[4])), end
        match = (
            _YEAR_LAST.fullmatch(text) or _SHORT_YEAR.fullmatch(text) or _NO_YEAR.fullmatch(text)
        )
        if match is None:
            return None
        first, second, year_digits = int(match[1]), int(match[3]), match[4]
        if not year_digits and before not in DATES.date_before:
            return [], end
        year = int(f"20{year_digits}"[-4:]) if year_digits else None
        ranges = self._calendar.day(year, second, first)
        if match[2] == "/" and first != second:
            ranges += self._calendar.day(year, first, second)
        return ranges, end

    def _day_and_month(self, position: int) -> _Parsed | None:
        """Parse a day before its month: 12 March, the 12th of March 2025, 12. März, 3-5 March."""
        words, token, end = self._words, self._words.at(position), position + 1
        last = day = token.number
        if day < 0 and (match := _DAY_TO_DAY.fullmatch(token.text)):
            day, last = int(match[1]), int(match[2])
        if not 1 <= day <= last <= 31 or (token.is_glued and words[position - 1].isalnum()):
            return None
        is_ordinal = words.at(end).is_glued and words[end] in _ORDINALS | {"."}
        is_of = words[end + is_ordinal] in DATES.of
        month_at = end + is_ordinal + is_of
        month = MONTHS.get(words[month_at])
        if month is None:
            is_alone = words[position - 2] == "on" and words[end + 1] in _SENTENCE_ENDS
            return (
                (self._calendar.day(None, None, day), end + 1) if is_ordinal and is_alone else None
            )
        year, end = self._year_after(month_at + 1)
        if not (is_ordinal or is_of or year or self._is_month(month_at, end, position - 1)):
            return None
        first_days = self._calendar.day(year, month, day)
        last_days = self._calendar.day(year, month, last)
        ranges = zip(first_days, last_days, strict=False)  # empty if one does not exist
        return [DateRange(first.first, last.last) for first, last in ranges], end

    def _month_and_day(self, position: int) -> _Parsed | None:
        """Parse a month before its day: March 12th, March 12, 2025."""
        month = MONTHS.get(self._words[position])
        day = self._words.at(position + 1).number if month else 0
        if month is None or not 1 <= day <= 31 or self._is_amount(position + 2):
            return None
        suffix = self._words.at(position + 2)
        is_ordinal = suffix.is_glued and suffix.text in _ORDINALS
        year, end = self._year_after(position + 2 + is_ordinal)
        if is_ordinal or year or self._is_month(position, end, position - 1):
            return self._calendar.day(year, month, day), end
        return None

    def _is_month(self, position: int, end: int, before: int) -> bool:
        """Whether a word with a number is a month: not in "I may 3 times"."""
        token = self._words.at(position)
        words_before = vocabulary.AMBIGUOUS.get(token.text)
        return (
            words_before is None
            or token.is_capital
            or not token.text.isascii()
            or self._words[end] in _SENTENCE_ENDS
            or self._words[before] in DATES.date_before | words_before
        )

    def _year_after(self, position: int) -> tuple[int | None, int]:
        """Return a year here, or after a word for "of", and the position after it."""
        words, end = self._words, position
        end += words[end] in (DATES.of | {","}) and words[end + 1] not in _SENTENCE_ENDS
        end += words[end] in ("an", "année", "ano", "año", "anno")
        number = words.at(end).number
        if self._calendar.is_year(number):
            return number, end + 1
        if words[end] in DATES.last_before and UNITS.get(words[end + 1]) == "year":
            return self._calendar.today.year - 1, end + 2
        return None, position

    # --- months, seasons, holidays, years -------------------------------------------------------

    def _named(self, position: int) -> _Parsed | None:
        """Parse yesterday, the other day, last March, summer 2024, l'été dernier, at Easter."""
        after, phrase = self._words.phrase(position, vocabulary.PAST_NAMES)
        if self._words[position] == "hier" and not phrase and self._is_french:
            phrase, after = "yesterday", position + 1
        yearly = vocabulary.PAST_NAMES.get(phrase)
        if yearly is None:
            return None
        if isinstance(yearly, tuple):
            return [self._calendar.days_back(*yearly)], after
        year, end = self._year_after(after)
        if year:
            return [yearly(year)], end
        if self._is_next(position, after):
            return [], after
        before, has_last_after = self._words[position - 1], self._words[after] in DATES.last_after
        is_last = before in DATES.last_before or has_last_after
        is_capital_this = before in DATES.this and self._words.at(position).is_capital
        if phrase in vocabulary.SEASONS and before in DATES.articles:
            before = self._words[position - 2]  # in the summer
        required = vocabulary.AMBIGUOUS.get(phrase)
        if required is None or before in required or (required and is_last) or is_capital_this:
            return self._calendar.latest(yearly, is_over=is_last), after + has_last_after
        return None

    def _year(self, position: int) -> _Parsed | None:
        """Parse a year: in 2023, im Jahr 2023, в 2023 году."""
        token, after = self._words.at(position), self._words[position + 1]
        if not self._calendar.is_year(token.number) or token.is_glued:
            return None
        is_date = self._words[position - 1] in DATES.year_before or after in ("год", "году", "года")
        is_count = after in DATES.counted_nouns or self._is_amount(position + 1)
        if is_count or not is_date:
            return None
        return [months_of_year(1, 12)(token.number)], position + 1

    def _is_amount(self, position: int) -> bool:
        """Whether the number before counts something else: 12 %, 12 €."""
        return self._words.at(position).is_glued and self._words[position] in _CURRENCIES

    # --- counted units --------------------------------------------------------------------------

    def _counted(self, position: int) -> _Parsed | None:
        """Parse three days ago, vor drei Tagen, неделю назад, last two weeks, 3 derniers mois."""
        words = self._words
        start, ago = words.phrase(position, DATES.ago_before)
        is_rolling = not ago and words[start] in DATES.rolling
        quantity = self._quantity(start + is_rolling)
        if quantity is None:
            if words[position] not in DATES.one_without_number:
                return None
            quantity = 1, 1, False, position
        low, high, is_vague, end = quantity
        if high > 1 and words[end] in DATES.rolling:
            is_rolling, end = True, end + 1
        unit, has_ago = UNITS.get(words[end]), words[end + 1] in DATES.ago_after
        if unit is None:
            return None
        if is_rolling:
            return [self._calendar.past(high, unit)], end + 1
        if not ago and not has_ago:
            return None
        return [self._calendar.ago(low, high, unit, is_vague=is_vague)], end + 1 + has_ago

    def _quantity(self, position: int) -> tuple[int, int, bool, int] | None:
        """Return the lowest and highest number, whether they are vague, and the position after."""
        words = self._words
        position += words[position] in NUMBERS and words[position + 1] in vocabulary.VAGUE_NUMBERS
        word, end = words[position], position + 1
        if word in vocabulary.VAGUE_NUMBERS:
            return *vocabulary.VAGUE_NUMBERS[word], True, end + (words[end] in DATES.of)
        digits = words.at(position).number
        number = NUMBERS.get(word, -1) if digits < 0 else digits
        return (number, number, False, end) if 1 <= number <= 999 else None

    # --- weekdays and weeks ---------------------------------------------------------------------

    def _is_next(self, first: int, after: int) -> bool:
        """Whether the words from ``first`` to ``after`` are in the future, or repeat."""
        before = self._words[first - 1]
        return (
            before in DATES.next
            or before in DATES.every
            or (before in DATES.articles and self._words[first - 2] in DATES.every)
            or self._words[after] in DATES.next
        )

    def _weekday(self, position: int) -> _Parsed | None:
        """Parse weekdays: on Monday, last Friday, sexta-feira passada; the weekend."""
        words, word, end = self._words, self._words[position], position + 1
        day = WEEKDAYS.get(word)
        is_feira = words[end] == "feira"
        if word in WEEKDAYS_BEFORE_FEIRA and (is_feira or words[end] in DATES.last_after):
            day, end = WEEKDAYS_BEFORE_FEIRA[word], end + is_feira
        if day is None and word not in DATES.weekends:
            return None
        if self._is_next(position, end):
            return [], end
        before, has_last_after = words[position - 1], words[end] in DATES.last_after
        is_last, end = before in DATES.last_before or has_last_after, end + has_last_after
        if day is None:
            before = words[position - 1 - (before in DATES.articles)]
            weekend = self._calendar.weekday(5, 6, is_over=is_last)
            return ([weekend], end) if is_last or before in DATES.weekend_before else None
        if words[end] in DATES.last_before and UNITS.get(words[end + 1]) == "week":
            return [self._calendar.weekday_of_last_week(day)], end + 2
        return [self._calendar.weekday(day, is_over=is_last)], end

    def _unit(self, position: int) -> _Parsed | None:
        """Parse one unit: last week, letztes Jahr, le mois dernier, this month."""
        words, unit, end = self._words, UNITS.get(self._words[position]), position + 1
        if unit is None or unit == "day":
            return None
        before = words[position - 1]
        if before in DATES.always_rolling or (
            before in ("last", "past") and words[position - 2] == "the"
        ):
            return [self._calendar.past(1, unit)], end
        if before in DATES.last_before:
            return [self._calendar.unit_ago(unit)], end
        if words[end] in DATES.last_after:
            return [self._calendar.unit_ago(unit)], end + 1
        return ([self._calendar.unit_ago(unit, 0)], end) if before in DATES.this else None
