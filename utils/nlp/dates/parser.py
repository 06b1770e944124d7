"""Parse the past dates that a message names: "12 March", "last week", "vor drei Tagen". Pure.

The parser reads words one after the other and looks them up in tables, so it takes time linear in
the length of the text. :mod:`utils.nlp.dates.cjk` parses Japanese and Chinese.
Seasons are those of the northern hemisphere; weeks begin on Monday.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.cjk import cjk_dates
from utils.nlp.dates.ranges import Calendar, DateRange
from utils.nlp.dates.tokens import NO_TOKEN, Token, read_tokens
from utils.nlp.dates.vocabulary import DATES, phrase_at

__all__ = ["DateRange", "mentioned_dates"]

MAX_CHARACTERS = 4_000
MAX_RANGES = 8
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_ORDINALS = frozenset(["st", "nd", "rd", "th", "er", "re", "o", "a", "го", "ого", "е"])
_SENTENCE_ENDS = frozenset(".,;:!?)…\"'")
_YEAR_FIRST = re.compile(r"([12][0-9]{3})([-/.])([0-9]{1,2})\2([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([12][0-9]{3})")
_SHORT_YEAR = re.compile(r"([0-9]{2})([./])([0-9]{2})\2([0-9]{2})")
_NO_YEAR = re.compile(r"([0-9]{1,2})([./])([0-9]{1,2})")
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
    """One pass over the tokens of a text; each rule is tried at the current position."""

    def __init__(self, text: str, calendar: Calendar) -> None:
        self._tokens = read_tokens(text)
        self._calendar = calendar
        self._words = [token.text for token in self._tokens]
        french_words = vocabulary.FRENCH_WORDS.intersection(self._words)
        german_words = vocabulary.GERMAN_WORDS.intersection(self._words)
        self._is_french = len(french_words) > len(german_words)

    def ranges(self) -> list[DateRange]:
        """Return the first MAX_RANGES ranges, in order."""
        rules: tuple[Callable[[int], _Parsed | None], ...] = (
            self._phrase, self._compound, self._day_of_month, self._span, self._ago,
            self._month, self._year, self._weekday, self._unit, self._season,
        )  # fmt: skip
        ranges: list[DateRange] = []
        position = 0
        while position < len(self._tokens) and len(ranges) < MAX_RANGES:
            if not self._tokens[position].can_begin_date:
                position += 1
                continue
            for rule in rules:
                if (parsed := rule(position)) is not None:
                    ranges += parsed[0]
                    position = parsed[1]
                    break
            else:
                position += 1
        return ranges

    def _at(self, position: int) -> Token:
        return self._tokens[position] if 0 <= position < len(self._tokens) else NO_TOKEN

    def _text(self, position: int) -> str:
        return self._at(position).text

    def _ends_at(self, position: int) -> bool:
        """Whether a clause ends here."""
        return self._at(position) is NO_TOKEN or self._text(position) in _SENTENCE_ENDS

    # --- phrases and numbers --------------------------------------------------------------------

    def _phrase(self, position: int) -> _Parsed | None:
        """Parse "yesterday", "the day before yesterday", holidays."""
        text = self._text(position)
        if text in vocabulary.PHRASE_STARTS:
            end, phrase = phrase_at(self._words, position, vocabulary.DAY_PHRASES)
            if phrase:
                return [self._calendar.days_back(*vocabulary.DAY_PHRASES[phrase])], end
            end, phrase = phrase_at(self._words, position, vocabulary.HOLIDAYS)
            if phrase:
                return self._holiday(position, end, *vocabulary.HOLIDAYS[phrase])
        if text in DATES.yesterday or (text == "hier" and self._is_french):
            return [self._calendar.days_back(1, 1)], position + 1
        return None

    def _holiday(self, first: int, after: int, name: str, is_sure: bool) -> _Parsed | None:
        year, end = self._year_after(after)
        if self._is_next(first, end):
            return [], end
        is_last = (
            self._text(first - 1) in DATES.last_before or self._text(after) in DATES.last_after
        )
        before = self._text(first - 1)
        if not (is_sure or year or is_last or before in ("no", "do", "ao", "passado")):
            return None
        return self._calendar.holiday(name, year), end

    def _compound(self, position: int) -> _Parsed | None:
        """Parse numbers with signs between: 2026-03-12, 12.03.2026, on 3/12."""
        token = self._at(position)
        if not ("0" <= token.text[:1] <= "9") or token.text.isdecimal():
            return None
        before = self._text(position - 1)
        if token.is_glued and before[-1:].isalnum():
            return [], position + 1  # a version: v3.12.2024
        if match := _YEAR_FIRST.fullmatch(token.text):
            return self._calendar.day(int(match[1]), int(match[3]), int(match[4])), position + 1
        year: int | None = None
        if match := _YEAR_LAST.fullmatch(token.text):
            year = int(match[4])
        elif match := _SHORT_YEAR.fullmatch(token.text):
            year = 2000 + int(match[4])
        else:
            match = _NO_YEAR.fullmatch(token.text)
            if match is not None and before not in DATES.date_before:
                return [], position + 1
        if match is None:
            return None
        first, second = int(match[1]), int(match[3])
        ranges = self._calendar.day(year, second, first)
        if match[2] == "/" and first != second:
            ranges += self._calendar.day(year, first, second)
        return ranges, position + 1

    def _day_of_month(self, position: int) -> _Parsed | None:
        """Parse a day before its month: 12 March, the 12th of March 2025, 12. März, 3-5 March."""
        token = self._at(position)
        last = day = token.number
        if match := _DAY_TO_DAY.fullmatch(token.text):
            day, last = int(match[1]), int(match[2])
        if not 1 <= day <= last <= 31 or (token.is_glued and self._text(position - 1).isalnum()):
            return None
        after = position + 1
        is_ordinal = self._at(after).is_glued and self._text(after) in _ORDINALS | {"."}
        after += is_ordinal
        is_of = self._text(after) in DATES.of
        after += is_of
        month = vocabulary.MONTHS.get(self._text(after))
        if month is None:
            if is_ordinal and self._text(position - 2) == "on" and self._ends_at(position + 2):
                return self._calendar.day(None, None, day), position + 2
            return None
        year, end = self._year_after(after + 1)
        is_sure = is_ordinal or is_of or bool(year) or self._is_sure(after, end, position - 1)
        if not is_sure:
            return None
        first_days = self._calendar.day(year, month, day)
        last_days = self._calendar.day(year, month, last)
        if first_days and last_days:
            return [DateRange(first_days[0].first, last_days[0].last)], end
        return [], end

    def _is_sure(self, position: int, end: int, before: int) -> bool:
        """Whether a word with a number is a month: not in "I may 3 times"."""
        token = self._at(position)
        if token.text not in vocabulary.AMBIGUOUS_MONTHS or token.is_capital or self._ends_at(end):
            return True
        if not token.text.isascii():
            return True
        month_before = vocabulary.AMBIGUOUS_MONTHS[token.text]
        return self._text(before) in DATES.date_before | month_before

    def _year_after(self, position: int) -> tuple[int | None, int]:
        """Return a year here, or after a word for "of", and the position after it."""
        after = position
        if self._text(after) in (DATES.of | {","}) and not self._ends_at(position + 1):
            after += 1
        if self._text(after) in ("an", "année", "ano", "año", "anno"):
            after += 1
        number = self._at(after).number
        if self._calendar.is_year(number):
            return number, after + 1
        if self._text(after) in DATES.last_before and self._unit_at(after + 1) == "year":
            return self._calendar.today.year - 1, after + 2
        return None, position

    # --- months and years -----------------------------------------------------------------------

    def _month(self, position: int) -> _Parsed | None:
        """Parse a month with or without a day: March 12th, March 2025, last March, in March."""
        token = self._at(position)
        month = vocabulary.MONTHS.get(token.text)
        if month is None:
            return None
        before = self._text(position - 1)
        number = self._at(position + 1).number
        if 1 <= number <= 31 and not self._is_counted(position + 2):
            is_ordinal = self._at(position + 2).is_glued and self._text(position + 2) in _ORDINALS
            year, end = self._year_after(position + 2 + is_ordinal)
            if is_ordinal or year or self._is_sure(position, end, position - 1):
                return self._calendar.day(year, month, number), end
        year, end = self._year_after(position + 1)
        if year:
            return [self._calendar.month(year, month)], end
        if self._is_next(position, position + 1):
            return [], position + 1
        is_last = before in DATES.last_before or self._text(position + 1) in DATES.last_after
        required = vocabulary.AMBIGUOUS_MONTHS.get(token.text)
        if required is not None and before not in required and not (is_last and required):
            is_this = before in DATES.this and token.is_capital
            if not is_this:
                return None
        return [self._calendar.latest_month(month, is_over=is_last)], position + 1 + (
            self._text(position + 1) in DATES.last_after
        )

    def _is_counted(self, position: int) -> bool:
        """Whether the number before counts something else: 12 %, 12 €."""
        return self._at(position).is_glued and self._text(position) in ("%", "€", "$", "£", "¥")

    def _year(self, position: int) -> _Parsed | None:
        """Parse a year: in 2023, im Jahr 2023, в 2023 году."""
        number = self._at(position).number
        if not self._calendar.is_year(number):
            return None
        is_date = self._text(position - 1) in DATES.year_before
        is_date = is_date or self._text(position + 1) in ("год", "году", "года")
        after = self._at(position + 1)
        is_count = after.text in DATES.counted_nouns or self._is_counted(position + 1)
        if not is_date or is_count or self._at(position).is_glued:
            return None
        return [self._calendar.year(number)], position + 1

    # --- units ago ------------------------------------------------------------------------------

    def _ago(self, position: int) -> _Parsed | None:
        """Parse units before "ago": three days ago, a few weeks back, due mesi fa, неделю назад."""
        quantity = self._quantity(position)
        if quantity is None:
            if self._text(position) not in DATES.one_without_number:
                return None
            quantity = 1, 1, False, position
        low, high, is_vague, after = quantity
        unit = self._unit_at(after)
        if unit is None or self._text(after + 1) not in DATES.ago_after:
            return None
        return [self._calendar.ago(low, high, unit, is_vague=is_vague)], after + 2

    def _span(self, position: int) -> _Parsed | None:
        """Parse "ago" before units, and "last" with a number: vor drei Tagen, last two weeks."""
        start, ago = phrase_at(self._words, position, DATES.ago_before)
        if ago:
            quantity = self._quantity(start)
            unit = self._unit_at(quantity[3]) if quantity else None
            if quantity is None or unit is None:
                return None
            low, high, is_vague, after = quantity
            after += 1 + (self._text(after + 1) in DATES.ago_after)
            return [self._calendar.ago(low, high, unit, is_vague=is_vague)], after
        if self._text(position) in DATES.rolling:
            quantity = self._quantity(position + 1)
            unit = self._unit_at(quantity[3]) if quantity else None
            if quantity and unit:
                return [self._calendar.past(quantity[1], unit)], quantity[3] + 1
        quantity = self._quantity(position)
        if quantity and quantity[1] > 1 and self._text(quantity[3]) in DATES.rolling:
            unit = self._unit_at(quantity[3] + 1)
            return ([self._calendar.past(quantity[1], unit)], quantity[3] + 2) if unit else None
        return None

    def _quantity(self, position: int) -> tuple[int, int, bool, int] | None:
        """Return the lowest and highest number, whether they are vague, and the position after."""
        text = self._text(position)
        if text in vocabulary.NUMBERS and self._text(position + 1) in vocabulary.VAGUE_NUMBERS:
            position, text = position + 1, self._text(position + 1)
        after = position + 1
        if text in vocabulary.VAGUE_NUMBERS:
            after += self._text(after) in DATES.of
            return *vocabulary.VAGUE_NUMBERS[text], True, after
        number = self._at(position).number
        if number < 0:
            number = vocabulary.NUMBERS.get(text, -1)
        return (number, number, False, after) if 1 <= number <= 999 else None

    def _unit_at(self, position: int) -> str | None:
        return vocabulary.UNITS.get(self._text(position))

    # --- weekdays, weeks, seasons ---------------------------------------------------------------

    def _is_next(self, first: int, after: int) -> bool:
        """Whether the words from ``first`` to ``after`` are in the future, or repeat."""
        before = self._text(first - 1)
        if before in DATES.articles:
            before = self._text(first - 2) if self._text(first - 2) in DATES.every else before
        is_coming = self._text(after) == "que" and self._text(after + 1) in ("viene", "vem")
        return (
            is_coming
            or before in DATES.next
            or before in DATES.every
            or self._text(after) in DATES.next
        )

    def _weekday(self, position: int) -> _Parsed | None:
        """Parse weekdays: on Monday, last Friday, sexta-feira passada; the weekend."""
        text = self._text(position)
        after = position + 1
        day = vocabulary.WEEKDAYS.get(text)
        if text in vocabulary.WEEKDAYS_BEFORE_FEIRA:
            is_feira = self._text(after) == "feira"
            if is_feira or self._text(after) in DATES.last_after:
                day, after = vocabulary.WEEKDAYS_BEFORE_FEIRA[text], after + is_feira
        is_weekend = text in DATES.weekends
        if day is None and not is_weekend:
            return None
        if self._is_next(position, after):
            return [], after
        is_last = self._text(position - 1) in DATES.last_before
        if self._text(after) in DATES.last_after:
            is_last, after = True, after + 1
        if day is None:
            before = self._text(position - 1 - (self._text(position - 1) in DATES.articles))
            is_date = is_last or before in DATES.weekend_before
            return ([self._calendar.weekend(is_over=is_last)], after) if is_date else None
        if self._text(after) in DATES.last_before and self._unit_at(after + 1) == "week":
            return [self._calendar.weekday_of_last_week(day)], after + 2
        return [self._calendar.weekday(day, is_over=is_last)], after

    def _unit(self, position: int) -> _Parsed | None:
        """Parse one unit: last week, letztes Jahr, le mois dernier, this month."""
        unit = self._unit_at(position)
        if unit is None or unit == "day":
            return None
        before, after = self._text(position - 1), self._text(position + 1)
        if before in DATES.rolling:
            is_english = before in ("last", "past") and self._text(position - 2) == "the"
            if before in DATES.always_rolling or is_english:
                return [self._calendar.past(1, unit)], position + 1
        if before in DATES.last_before:
            return [self._calendar.unit_ago(unit)], position + 1
        if after in DATES.last_after:
            return [self._calendar.unit_ago(unit)], position + 2
        return ([self._calendar.unit_ago(unit, 0)], position + 1) if before in DATES.this else None

    def _season(self, position: int) -> _Parsed | None:
        """Parse seasons: last summer, summer 2024, in the winter, l'été dernier, прошлой зимой."""
        text, before = self._text(position), self._text(position - 1)
        if text not in vocabulary.SEASONS:
            return None
        year, end = self._year_after(position + 1)
        if year:
            return [self._calendar.season(vocabulary.SEASONS[text], year)], end
        if self._is_next(position, position + 1):
            return [], position + 1
        is_last = before in DATES.last_before or self._text(position + 1) in DATES.last_after
        is_date = is_last or before in DATES.this
        if not is_date and text not in DATES.ambiguous_seasons:
            is_the = before in DATES.articles and self._text(position - 2) in DATES.season_before
            is_date = before in DATES.season_before or is_the
        if not is_date:
            return None
        month = vocabulary.SEASONS[text]
        return [self._calendar.latest_season(month, is_over=is_last)], position + 1
