"""Parse the future day that a text names: "on Friday", "in zwei Wochen", "demain". Pure.

:mod:`utils.nlp.dates.parser` parses past dates with the same vocabulary. An explicit date
anywhere in the text decides, then a sum ("Friday in two weeks"), then the first word that names a
day.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.days_of_month import day_with_month, day_without_month, next_day
from utils.nlp.dates.ranges import Calendar
from utils.nlp.dates.sums import day_at, later, sum_at, units_at
from utils.nlp.dates.tokens import read_tokens
from utils.nlp.dates.vocabulary import DATES, phrase_at

__all__ = ["coming_day", "next_unit"]

MAX_CHARACTERS = 300
_ISO = re.compile(r"\b([12][0-9]{3})-([0-9]{1,2})-([0-9]{1,2})\b")
_DOTTED = re.compile(r"\b([0-9]{1,2})\.([0-9]{1,2})\.([12][0-9]{3})?")


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
    for position, token in enumerate(tokens):
        if (named := day_at(tokens, position, today)) is not None:
            return named.day
        if token in DATES.in_before and (units := units_at(tokens, position + 1)) is not None:
            return later(today, *units[1:])
        if (day := next_unit(tokens, position, today)) is not None:
            return day
    for word, days in vocabulary.UNSPACED_DAYS_AHEAD.items():
        if word in text:
            return today + timedelta(days=days)
    return None


def next_unit(tokens: Sequence[str], position: int, today: date) -> date | None:
    """Parse the next unit: next week, nächsten Monat, la semaine prochaine, la semana que viene."""
    unit = vocabulary.UNITS.get(tokens[position])
    around = {*tokens[max(0, position - 1) : position], *tokens[position + 1 : position + 2]}
    if unit is None or unit == "day":
        return None
    is_after_next = (
        tokens[max(0, position - 1)] in DATES.after_next_before
        or phrase_at(tokens, position + 1, DATES.after_next_after)[1] != ""
    )
    if not is_after_next and not around & DATES.next:
        return None
    return Calendar(today).unit_ago(unit, -2 if is_after_next else -1).first
