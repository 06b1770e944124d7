"""Days that a message speaks of: "12 March", "last week", "vor drei Tagen", "先週". Pure.

Knows nothing of rows or ranking: it turns words into ranges of calendar days. Words are read one
after the other and looked up in tables, so that work is linear in the length of any text. Japanese
and Chinese, which write no spaces, are read by :mod:`utils.memory.cjk_dates`. Seasons are those of
the northern half of the world; weeks begin on Monday.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime, tzinfo

from utils.memory import date_words as words
from utils.memory.calendar_days import Calendar, DateRange
from utils.memory.cjk_dates import cjk_dates
from utils.memory.date_tokens import NOTHING, Token, read_tokens

__all__ = ["DateRange", "mentioned_dates"]

MOST_CHARACTERS = 4_000
MOST_RANGES = 8
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_ORDINALS = frozenset(["st", "nd", "rd", "th", "er", "re", "o", "a", "го", "ого", "е"])
_SENTENCE_ENDS = frozenset(".,;:!?)…\"'")
_YEAR_FIRST = re.compile(r"([12][0-9]{3})([-/.])([0-9]{1,2})\2([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([12][0-9]{3})")
_SHORT_YEAR = re.compile(r"([0-9]{2})([./])([0-9]{2})\2([0-9]{2})")
_NO_YEAR = re.compile(r"([0-9]{1,2})([./])([0-9]{1,2})")
_DAY_TO_DAY = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")


def mentioned_dates(text: str, now: datetime, zone: tzinfo) -> tuple[DateRange, ...]:
    """Return the ranges of days that the text names, in the order of their first mention.

    ``now`` must be aware; its day in ``zone`` is what "yesterday" counts from, and the ranges are
    days in ``zone``. The width follows the precision: "12 March" is one day, "last week" seven,
    "a few days ago" those from 6 to 2 days back. A bare month or weekday, a feast, a day without a
    year mean their latest occurrence that has begun. 3/12 is read both ways, and only where it must
    be a date ("on 3/12", or with a year). Today, the future in words ("tomorrow", "next week") and
    what recurs ("every Friday") give nothing: no memory is found by them.

    Each range comes once; at most eight are returned, and only the first 4,000 characters are
    read. Never raises; ``first <= last`` always holds.
    """
    try:
        calendar = Calendar(now.astimezone(zone).date())
    except (OverflowError, ValueError):
        return ()
    plain = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS])[:MOST_CHARACTERS]
    found = _Sentence(plain, calendar).ranges()
    if _UNSPACED.search(plain):
        found += cjk_dates(plain, calendar, MOST_RANGES)
    return tuple(dict.fromkeys(found))[:MOST_RANGES]


_Found = tuple[list[DateRange], int]


class _Sentence:
    """One pass over the words; every rule looks at the place where the pass has come to."""

    def __init__(self, text: str, calendar: Calendar) -> None:
        self._words = read_tokens(text)
        self._calendar = calendar
        texts = {word.text for word in self._words}
        self._is_french = len(texts & words.FRENCH_SIGNS) > len(texts & words.GERMAN_SIGNS)

    def ranges(self) -> list[DateRange]:
        """Return every range, in order, until there are enough of them."""
        rules: tuple[Callable[[int], _Found | None], ...] = (
            self._phrase, self._compound, self._day_of_month, self._span, self._span_ago,
            self._month, self._year, self._weekday, self._unit, self._season,
        )  # fmt: skip
        found: list[DateRange] = []
        place = 0
        while place < len(self._words) and len(found) < MOST_RANGES:
            if not self._words[place].can_begin:
                place += 1
                continue
            for rule in rules:
                if (one := rule(place)) is not None:
                    found += one[0]
                    place = one[1]
                    break
            else:
                place += 1
        return found

    def _at(self, place: int) -> Token:
        return self._words[place] if 0 <= place < len(self._words) else NOTHING

    def _text(self, place: int) -> str:
        return self._at(place).text

    def _ends_at(self, place: int) -> bool:
        """Whether the sentence, or a part of it, ends at a place."""
        return self._at(place) is NOTHING or self._text(place) in _SENTENCE_ENDS

    # --- phrases and numbers --------------------------------------------------------------------

    def _phrase(self, place: int) -> _Found | None:
        """Yesterday, the day before it, feasts."""
        for length in (4, 3, 2, 1) if self._text(place) in words.PHRASE_STARTS else ():
            phrase = tuple(word.text for word in self._words[place : place + length])
            if phrase in words.DAY_PHRASES:
                return [self._calendar.days_back(*words.DAY_PHRASES[phrase])], place + length
            if phrase in words.HOLIDAYS:
                return self._holiday(place, place + length, *words.HOLIDAYS[phrase])
        text = self._text(place)
        if text in words.YESTERDAY or (text == "hier" and self._is_french):
            return [self._calendar.days_back(1, 1)], place + 1
        return None

    def _holiday(self, first: int, after: int, name: str, is_sure: bool) -> _Found | None:
        year, end = self._year_after(after)
        if self._is_next(first, end):
            return [], end
        is_last = (
            self._text(first - 1) in words.LAST_BEFORE or self._text(after) in words.LAST_AFTER
        )
        before = self._text(first - 1)
        if not (is_sure or year or is_last or before in ("no", "do", "ao", "passado")):
            return None
        return self._calendar.holiday(name, year), end

    def _compound(self, place: int) -> _Found | None:
        """2026-03-12, 12.03.2026, on 3/12: numbers with signs between."""
        word = self._at(place)
        if not ("0" <= word.text[:1] <= "9") or word.text.isdecimal():
            return None
        before = self._text(place - 1)
        if word.is_glued and before[-1:].isalnum():
            return [], place + 1  # a version: v3.12.2024
        if match := _YEAR_FIRST.fullmatch(word.text):
            return self._calendar.day(int(match[1]), int(match[3]), int(match[4])), place + 1
        year: int | None = None
        if match := _YEAR_LAST.fullmatch(word.text):
            year = int(match[4])
        elif match := _SHORT_YEAR.fullmatch(word.text):
            year = 2000 + int(match[4])
        else:
            match = _NO_YEAR.fullmatch(word.text)
            if match is not None and before not in words.DATE_BEFORE:
                return [], place + 1
        if match is None:
            return None
        first, second = int(match[1]), int(match[3])
        found = self._calendar.day(year, second, first)
        if match[2] == "/" and first != second:
            found += self._calendar.day(year, first, second)
        return found, place + 1

    def _day_of_month(self, place: int) -> _Found | None:
        """12 March, the 12th of March 2025, 12. März, 12 de marzo, 3-5 March."""
        word = self._at(place)
        last = day = word.number
        if match := _DAY_TO_DAY.fullmatch(word.text):
            day, last = int(match[1]), int(match[2])
        if not 1 <= day <= last <= 31 or (word.is_glued and self._text(place - 1).isalnum()):
            return None
        after = place + 1
        is_ordinal = self._at(after).is_glued and self._text(after) in _ORDINALS | {"."}
        after += is_ordinal
        is_of = self._text(after) in words.OF
        after += is_of
        month = words.MONTHS.get(self._text(after))
        if month is None:
            if is_ordinal and self._text(place - 2) == "on" and self._ends_at(place + 2):
                return self._calendar.day(None, None, day), place + 2
            return None
        year, end = self._year_after(after + 1)
        is_sure = is_ordinal or is_of or bool(year) or self._is_sure(after, end, place - 1)
        if not is_sure:
            return None
        first_days = self._calendar.day(year, month, day)
        last_days = self._calendar.day(year, month, last)
        if first_days and last_days:
            return [DateRange(first_days[0].first, last_days[0].last)], end
        return [], end

    def _is_sure(self, place: int, end: int, before: int) -> bool:
        """Whether a month with a number is one: "I may 3 times" is not."""
        word = self._at(place)
        if word.text not in words.UNSURE_MONTHS or word.is_capital or self._ends_at(end):
            return True
        if not word.text.isascii():
            return True
        return self._text(before) in words.DATE_BEFORE | words.UNSURE_MONTHS[word.text]

    def _year_after(self, place: int) -> tuple[int | None, int]:
        """Return a year at this place, perhaps after a word for "of", and the place after it."""
        after = place
        if self._text(after) in (words.OF | {","}) and not self._ends_at(place + 1):
            after += 1
        if self._text(after) in ("an", "année", "ano", "año", "anno"):
            after += 1
        number = self._at(after).number
        if self._calendar.is_year(number):
            return number, after + 1
        if self._text(after) in words.LAST_BEFORE and self._unit_at(after + 1) == "year":
            return self._calendar.today.year - 1, after + 2
        return None, place

    # --- months and years -----------------------------------------------------------------------

    def _month(self, place: int) -> _Found | None:
        """March 12th, March 2025, last March, in March."""
        word = self._at(place)
        month = words.MONTHS.get(word.text)
        if month is None:
            return None
        before = self._text(place - 1)
        number = self._at(place + 1).number
        if 1 <= number <= 31 and not self._is_counted(place + 2):
            is_ordinal = self._at(place + 2).is_glued and self._text(place + 2) in _ORDINALS
            year, end = self._year_after(place + 2 + is_ordinal)
            if is_ordinal or year or self._is_sure(place, end, place - 1):
                return self._calendar.day(year, month, number), end
        year, end = self._year_after(place + 1)
        if year:
            return [self._calendar.month(year, month)], end
        if self._is_next(place, place + 1):
            return [], place + 1
        is_last = before in words.LAST_BEFORE or self._text(place + 1) in words.LAST_AFTER
        needed = words.UNSURE_MONTHS.get(word.text)
        if needed is not None and before not in needed and not (is_last and needed):
            is_this = before in words.THIS and word.is_capital
            if not is_this:
                return None
        return [self._calendar.latest_month(month, is_over=is_last)], place + 1 + (
            self._text(place + 1) in words.LAST_AFTER
        )

    def _is_counted(self, place: int) -> bool:
        """Whether the number before this place counts something else: 12 %, 12 €."""
        return self._at(place).is_glued and self._text(place) in ("%", "€", "$", "£", "¥")

    def _year(self, place: int) -> _Found | None:
        """In 2023, im Jahr 2023, в 2023 году."""
        number = self._at(place).number
        if not self._calendar.is_year(number):
            return None
        is_told = self._text(place - 1) in words.YEAR_BEFORE
        is_told = is_told or self._text(place + 1) in ("год", "году", "года")
        after = self._at(place + 1)
        is_other = after.text in words.NOT_A_YEAR_BEFORE or self._is_counted(place + 1)
        if not is_told or is_other or self._at(place).is_glued:
            return None
        return [self._calendar.year(number)], place + 1

    # --- so long ago ----------------------------------------------------------------------------

    def _span_ago(self, place: int) -> _Found | None:
        """Three days ago, a few weeks back, due mesi fa, неделю назад."""
        quantity = self._quantity(place)
        if quantity is None:
            if self._text(place) not in words.ONE_WITHOUT_NUMBER:
                return None
            quantity = 1, 1, False, place
        fewest, most, is_vague, after = quantity
        unit = self._unit_at(after)
        if unit is None or self._text(after + 1) not in words.AGO_AFTER:
            return None
        return [self._calendar.ago(fewest, most, unit, is_vague=is_vague)], after + 2

    def _span(self, place: int) -> _Found | None:
        """Vor drei Tagen, il y a deux ans; in the last two weeks, les trois derniers mois."""
        for length in (3, 2, 1):
            start = tuple(word.text for word in self._words[place : place + length])
            if start in words.AGO_BEFORE:
                quantity = self._quantity(place + length)
                unit = self._unit_at(quantity[3]) if quantity else None
                if quantity is None or unit is None:
                    return None
                fewest, most, is_vague, after = quantity
                after += 1 + (self._text(after + 1) in words.AGO_AFTER)
                return [self._calendar.ago(fewest, most, unit, is_vague=is_vague)], after
        if self._text(place) in words.ROLLING:
            quantity = self._quantity(place + 1)
            unit = self._unit_at(quantity[3]) if quantity else None
            if quantity and unit:
                return [self._calendar.past(quantity[1], unit)], quantity[3] + 1
        quantity = self._quantity(place)
        if quantity and quantity[1] > 1 and self._text(quantity[3]) in words.ROLLING:
            unit = self._unit_at(quantity[3] + 1)
            return ([self._calendar.past(quantity[1], unit)], quantity[3] + 2) if unit else None
        return None

    def _quantity(self, place: int) -> tuple[int, int, bool, int] | None:
        """Return fewest, most, whether that is vague, and the place after it."""
        text = self._text(place)
        if text in words.NUMBERS and self._text(place + 1) in words.VAGUE:
            place, text = place + 1, self._text(place + 1)
        after = place + 1
        if text in words.VAGUE:
            after += self._text(after) in words.OF
            return *words.VAGUE[text], True, after
        number = self._at(place).number
        if number < 0:
            number = words.NUMBERS.get(text, -1)
        return (number, number, False, after) if 1 <= number <= 999 else None

    def _unit_at(self, place: int) -> str | None:
        return words.UNITS.get(self._text(place))

    # --- weekdays, weeks, seasons ---------------------------------------------------------------

    def _is_next(self, first: int, after: int) -> bool:
        """Whether a word from ``first`` on is one of the future, or of every week."""
        before = self._text(first - 1)
        if before in words.ARTICLES:
            before = self._text(first - 2) if self._text(first - 2) in words.EVERY else before
        is_coming = self._text(after) == "que" and self._text(after + 1) in ("viene", "vem")
        return (
            is_coming
            or before in words.NEXT
            or before in words.EVERY
            or self._text(after) in words.NEXT
        )

    def _weekday(self, place: int) -> _Found | None:
        """On Monday, last Friday, sexta-feira passada, Friday last week; the weekend."""
        text = self._text(place)
        after = place + 1
        day = words.WEEKDAYS.get(text)
        if text in words.FEIRAS:
            is_feira = self._text(after) == "feira"
            if is_feira or self._text(after) in words.LAST_AFTER:
                day, after = words.FEIRAS[text], after + is_feira
        is_weekend = text in words.WEEKENDS
        if day is None and not is_weekend:
            return None
        if self._is_next(place, after):
            return [], after
        is_last = self._text(place - 1) in words.LAST_BEFORE
        if self._text(after) in words.LAST_AFTER:
            is_last, after = True, after + 1
        if day is None:
            before = self._text(place - 1 - (self._text(place - 1) in words.ARTICLES))
            is_told = is_last or before in words.WEEKEND_BEFORE
            return ([self._calendar.weekend(is_over=is_last)], after) if is_told else None
        if self._text(after) in words.LAST_BEFORE and self._unit_at(after + 1) == "week":
            return [self._calendar.weekday_of_last_week(day)], after + 2
        return [self._calendar.weekday(day, is_over=is_last)], after

    def _unit(self, place: int) -> _Found | None:
        """Last week, letztes Jahr, le mois dernier, el año pasado, this month."""
        unit = self._unit_at(place)
        if unit is None or unit == "day":
            return None
        before, after = self._text(place - 1), self._text(place + 1)
        if before in words.ROLLING:
            is_english = before in ("last", "past") and self._text(place - 2) == "the"
            if before in words.ALWAYS_ROLLING or is_english:
                return [self._calendar.past(1, unit)], place + 1
        if before in words.LAST_BEFORE:
            return [self._calendar.last(unit)], place + 1
        if after in words.LAST_AFTER:
            return [self._calendar.last(unit)], place + 2
        return ([self._calendar.this(unit)], place + 1) if before in words.THIS else None

    def _season(self, place: int) -> _Found | None:
        """Last summer, summer 2024, in the winter, l'été dernier, прошлой зимой."""
        text, before = self._text(place), self._text(place - 1)
        if text not in words.SEASONS:
            return None
        year, end = self._year_after(place + 1)
        if year:
            return [self._calendar.season(words.SEASONS[text], year)], end
        if self._is_next(place, place + 1):
            return [], place + 1
        is_last = before in words.LAST_BEFORE or self._text(place + 1) in words.LAST_AFTER
        is_told = is_last or before in words.THIS
        if not is_told and text not in words.PLAIN_SEASONS:
            is_the = before in words.ARTICLES and self._text(place - 2) in words.SEASON_BEFORE
            is_told = before in words.SEASON_BEFORE or is_the
        if not is_told:
            return None
        month = words.SEASONS[text]
        return [self._calendar.latest_season(month, is_over=is_last)], place + 1
