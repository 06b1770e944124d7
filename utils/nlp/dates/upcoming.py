"""Parse the future day that a text names: "on Friday", "in zwei Wochen", "demain". Pure.

:mod:`utils.nlp.dates.parser` parses past dates with the same vocabulary. Words are looked up one
after the other, and the first that names a day decides.
"""

import calendar
import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.tokens import read_tokens

__all__ = ["coming_day"]

MAX_CHARACTERS = 300
_ISO = re.compile(r"\b([12][0-9]{3})-([0-9]{1,2})-([0-9]{1,2})\b")
_DOTTED = re.compile(r"\b([0-9]{1,2})\.([0-9]{1,2})\.([12][0-9]{3})?")
_UNIT_DAYS = {"day": 1, "week": 7}
_Rule = Callable[[Sequence[str], int, date], date | None]


def coming_day(text: str, now: datetime, zone: tzinfo) -> date | None:
    """Return the day that a text names, or None if it names none. Never raises.

    A weekday is the next one after today. Next week is its Monday. A day without a year is the next
    such day. A complete date (2026-03-12) is returned even if it is past.

    Args:
        text: only the first 300 characters are parsed.
        now: aware.
        zone: the time zone of the returned day.
    """
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
    try:
        today = now.astimezone(zone).date()
        return _numeric_date(plain, today) or _in_words(plain, today)
    except (OverflowError, ValueError):
        return None


def _numeric_date(text: str, today: date) -> date | None:
    if match := _ISO.search(text):
        return date(*map(int, match.groups()))
    if match := _DOTTED.search(text):
        day, month, year = match.groups()
        return date(int(year), int(month), int(day)) if year else _next(today, int(month), int(day))
    return None


def _in_words(text: str, today: date) -> date | None:
    tokens = [token.text for token in read_tokens(text)]
    rules: tuple[_Rule, ...] = (_day, _in_units, _next_unit, _day_of_month, _weekday)
    for position in range(len(tokens)):
        for rule in rules:
            if (day := rule(tokens, position, today)) is not None:
                return day
    for word, days in vocabulary.UNSPACED_DAYS_AHEAD.items():
        if word in text:
            return today + timedelta(days=days)
    return None


def _day(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse today, tomorrow, the day after."""
    for length in (3, 2, 1):
        days = vocabulary.DAYS_AHEAD.get(tuple(tokens[position : position + length]))
        if days is not None:
            return today + timedelta(days=days)
    return None


def _in_units(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse units after "in": in three days, in einer Woche, dans deux mois, через неделю."""
    if tokens[position] not in vocabulary.IN_BEFORE or position + 1 >= len(tokens):
        return None
    count, unit = 1, vocabulary.UNITS.get(tokens[position + 1])
    if unit is None and position + 2 < len(tokens):
        number, unit = tokens[position + 1], vocabulary.UNITS.get(tokens[position + 2])
        is_short_number = number.isdecimal() and len(number) < 4
        count = int(number) if is_short_number else vocabulary.NUMBERS.get(number, 0)
    return _later(today, count, unit) if unit and count else None


def _next_unit(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse the next unit: next week, nächsten Monat, la semaine prochaine, la semana que viene."""
    unit = vocabulary.UNITS.get(tokens[position])
    around = {*tokens[max(0, position - 1) : position], *tokens[position + 1 : position + 2]}
    if unit in (None, "day") or not around & vocabulary.NEXT:
        return None
    if unit == "week":
        return today + timedelta(days=7 - today.weekday())
    return date(today.year + 1, 1, 1) if unit == "year" else _later(today.replace(day=1), 1, unit)


def _day_of_month(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse a day and its month: 12 March, March 12th, am 12. März, le 12 mars 2027."""
    if not (tokens[position].isdecimal() or tokens[position] in vocabulary.MONTHS):
        return None
    ignored = vocabulary.OF | {"."}
    words = [token for token in tokens[position : position + 5] if token not in ignored]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) <= 4]
    days = [number for number in numbers[:1] if 1 <= number <= 31]
    if not days:
        return None
    months = [vocabulary.MONTHS[word] for word in words[:3] if word in vocabulary.MONTHS]
    if not months:
        return None
    year = next((number for number in numbers[1:2] if number > 31), None)
    return date(year, months[0], days[0]) if year else _next(today, months[0], days[0])


def _weekday(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse weekdays: on Friday, next Monday, am Wochenende, na sexta-feira."""
    word, after = tokens[position], tokens[position + 1 : position + 2]
    day = 5 if word in vocabulary.WEEKENDS else vocabulary.WEEKDAYS.get(word)
    is_feira = after == ["feira"] or tokens[position - 1 : position] == ["na"]
    if is_feira and word in vocabulary.WEEKDAYS_BEFORE_FEIRA:
        day = vocabulary.WEEKDAYS_BEFORE_FEIRA[word]
    return None if day is None else today + timedelta(days=(day - today.weekday() - 1) % 7 + 1)


def _next(today: date, month: int, day: int) -> date:
    """Return the next such day, which can be today. Raises ValueError if there is none."""
    for year in range(today.year, today.year + 9):  # leap days may be eight years apart
        if (month, day) != (2, 29) or calendar.isleap(year):
            candidate = date(year, month, day)
            if candidate >= today:
                return candidate
    raise ValueError


def _later(today: date, count: int, unit: str) -> date:
    """Return the day ``count`` units later; in a shorter month its last day."""
    if unit in _UNIT_DAYS:
        return today + timedelta(days=count * _UNIT_DAYS[unit])
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    first = date(months // 12, months % 12 + 1, 1)
    next_first = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    return first + timedelta(days=min(today.day, (next_first - first).days) - 1)
