"""Parse the future day that a text names: "on Friday", "in zwei Wochen", "demain". Pure.

:mod:`utils.nlp.dates.parser` parses past dates with the same vocabulary. An explicit date
anywhere in the text decides, then a sum ("Friday in two weeks"), then the first word that names a
day.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.days_of_month import day_with_month, day_without_month, next_day
from utils.nlp.dates.sums import later, next_weekday, sum_at
from utils.nlp.dates.tokens import read_tokens
from utils.nlp.dates.vocabulary import DATES, phrase_at

__all__ = ["coming_day", "next_unit"]

MAX_CHARACTERS = 300
_ISO = re.compile(r"\b([12][0-9]{3})-([0-9]{1,2})-([0-9]{1,2})\b")
_DOTTED = re.compile(r"\b([0-9]{1,2})\.([0-9]{1,2})\.([12][0-9]{3})?")
_Rule = Callable[[Sequence[str], int, date], date | None]


def coming_day(text: str, now: datetime, zone: tzinfo) -> date | None:
    """Return the day that a text names, or None if it names none. Never raises.

    A weekday is the next one after today, and one "after next" is a week later. Next week is its
    Monday. A day without a year is the next
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
        return (
            date(int(year), int(month), int(day)) if year else next_day(today, int(month), int(day))
        )
    return None


def _in_words(text: str, today: date) -> date | None:
    read = read_tokens(text)
    for position in range(len(read)):
        if (dated := day_with_month(read, position, today)) is not None:
            return dated[1]
    for position in range(len(read)):
        if (day := day_without_month(read, position, today)) is not None:
            return day
    tokens = [token.text for token in read]
    for position in range(len(tokens)):
        if (day_sum := sum_at(tokens, position, today)) is not None:
            return day_sum.day if day_sum.day >= today else None
    rules: tuple[_Rule, ...] = (_day, _in_units, next_unit, _weekday)
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
    phrase = phrase_at(tokens, position, vocabulary.DAYS_AHEAD)[1]
    return today + timedelta(days=vocabulary.DAYS_AHEAD[phrase]) if phrase else None


def _in_units(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse units after "in": in three days, in einer Woche, dans deux mois, через неделю."""
    if tokens[position] not in DATES.in_before or position + 1 >= len(tokens):
        return None
    count, unit = 1, vocabulary.UNITS.get(tokens[position + 1])
    if unit is None and position + 2 < len(tokens):
        number, unit = tokens[position + 1], vocabulary.UNITS.get(tokens[position + 2])
        is_short_number = number.isdecimal() and len(number) < 4
        count = int(number) if is_short_number else vocabulary.NUMBERS.get(number, 0)
    return later(today, count, unit) if unit and count else None


def next_unit(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse the next unit: next week, nächsten Monat, la semaine prochaine, la semana que viene."""
    unit = vocabulary.UNITS.get(tokens[position])
    around = {*tokens[max(0, position - 1) : position], *tokens[position + 1 : position + 2]}
    if unit in (None, "day"):
        return None
    is_after_next = (
        tokens[max(0, position - 1)] in DATES.after_next_before
        or phrase_at(tokens, position + 1, DATES.after_next_after)[1] != ""
    )
    if not is_after_next and not around & DATES.next:
        return None
    count = 2 if is_after_next else 1
    if unit == "week":
        return today + timedelta(days=7 * count - today.weekday())
    first = today.replace(day=1)
    return (
        later(first.replace(month=1), count, unit) if unit == "year" else later(first, count, unit)
    )


def _weekday(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse weekdays: on Friday, next Monday, am Wochenende, na sexta-feira."""
    word, after = tokens[position], tokens[position + 1 : position + 2]
    day = 5 if word in DATES.weekends else vocabulary.WEEKDAYS.get(word)
    is_feira = after == ["feira"] or tokens[position - 1 : position] == ["na"]
    if is_feira and word in vocabulary.WEEKDAYS_BEFORE_FEIRA:
        day = vocabulary.WEEKDAYS_BEFORE_FEIRA[word]
    return None if day is None else next_weekday(today, day)
