"""The day that is to come of which a text speaks: "on Friday", "in zwei Wochen", "demain". Pure.

The counterpart of :mod:`utils.memory.dates`, which reads what is over; the words are the same
tables. Words are looked up one after the other, and the first that names a day decides.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo

from utils.memory import date_words as words
from utils.memory.date_tokens import read_tokens

__all__ = ["coming_day"]

MOST_CHARACTERS = 300
_ISO = re.compile(r"\b([12][0-9]{3})-([0-9]{1,2})-([0-9]{1,2})\b")
_DOTTED = re.compile(r"\b([0-9]{1,2})\.([0-9]{1,2})\.([12][0-9]{3})?")
_DAYS: Mapping[tuple[str, ...], int] = {
    tuple(phrase.split()): days
    for days, phrases in (
        (
            2,
            "day after tomorrow, übermorgen, après demain, pasado mañana, depois de amanhã, "
            "dopodomani, overmorgen, послезавтра",
        ),
        (1, "tomorrow, morgen, demain, mañana, amanhã, domani, завтра"),
        (
            0,
            "today, tonight, heute, aujourd hui, ce soir, hoy, esta noche, hoje, oggi, stasera, "
            "vandaag, vanavond, сегодня",
        ),
    )
    for phrase in phrases.split(", ")
}
_UNSPACED = {"明後日": 2, "あさって": 2, "后天": 2, "後天": 2, "모레": 2} | dict.fromkeys(
    ("明日", "あした", "明天", "내일"), 1
)
_IN = frozenset(["in", "dans", "en", "em", "tra", "fra", "over", "через", "within"])
_UNIT_DAYS = {"day": 1, "week": 7}
_Rule = Callable[[Sequence[str], int, date], date | None]


def coming_day(text: str, now: datetime, zone: tzinfo) -> date | None:
    """Return the day in ``zone`` that a text names, counted from ``now``; None if it names none.

    A weekday is the next one after today, next week its Monday, and a day without a year the next
    such day. What is written out (2026-03-12) is returned even if it is over. Never raises.
    """
    plain = unicodedata.normalize("NFKC", text[:MOST_CHARACTERS])
    try:
        today = now.astimezone(zone).date()
        return _written_out(plain, today) or _in_words(plain, today)
    except (OverflowError, ValueError):
        return None


def _written_out(text: str, today: date) -> date | None:
    if found := _ISO.search(text):
        return date(*map(int, found.groups()))
    if found := _DOTTED.search(text):
        day, month, year = found.groups()
        return date(int(year), int(month), int(day)) if year else _next(today, int(month), int(day))
    return None


def _in_words(text: str, today: date) -> date | None:
    tokens = [token.text for token in read_tokens(text)]
    rules: tuple[_Rule, ...] = (_day, _in_so_long, _next_unit, _day_of_month, _weekday)
    for place in range(len(tokens)):
        for rule in rules:
            if (found := rule(tokens, place, today)) is not None:
                return found
    for word, days in _UNSPACED.items():
        if word in text:
            return today + timedelta(days=days)
    return None


def _day(tokens: Sequence[str], place: int, today: date) -> date | None:
    """Today, tomorrow, the day after."""
    for length in (3, 2, 1):
        days = _DAYS.get(tuple(tokens[place : place + length]))
        if days is not None:
            return today + timedelta(days=days)
    return None


def _in_so_long(tokens: Sequence[str], place: int, today: date) -> date | None:
    """In three days, in einer Woche, dans deux mois, через неделю."""
    if tokens[place] not in _IN or place + 1 >= len(tokens):
        return None
    count, unit = 1, words.UNITS.get(tokens[place + 1])
    if unit is None and place + 2 < len(tokens):
        said, unit = tokens[place + 1], words.UNITS.get(tokens[place + 2])
        count = int(said) if said.isdecimal() and len(said) < 4 else words.NUMBERS.get(said, 0)
    return _later(today, count, unit) if unit and count else None


def _next_unit(tokens: Sequence[str], place: int, today: date) -> date | None:
    """Next week, nächsten Monat, la semaine prochaine, la semana que viene."""
    unit = words.UNITS.get(tokens[place])
    around = {*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2]}
    if unit in (None, "day") or not around & words.NEXT:
        return None
    if unit == "week":
        return today + timedelta(days=7 - today.weekday())
    return date(today.year + 1, 1, 1) if unit == "year" else _later(today.replace(day=1), 1, unit)


def _day_of_month(tokens: Sequence[str], place: int, today: date) -> date | None:
    """12 March, March 12th, am 12. März, le 12 mars 2027."""
    if not (tokens[place].isdecimal() or tokens[place] in words.MONTHS):
        return None
    near = [one for one in tokens[place : place + 5] if one not in words.OF and one != "."]
    numbers = [int(one) for one in near if one.isdecimal() and len(one) <= 4]
    days = [one for one in numbers[:1] if 1 <= one <= 31]
    if not days:
        return None
    months = [words.MONTHS[one] for one in near[:3] if one in words.MONTHS]
    if not months:
        return None
    year = next((one for one in numbers[1:2] if one > 31), None)
    return date(year, months[0], days[0]) if year else _next(today, months[0], days[0])


def _weekday(tokens: Sequence[str], place: int, today: date) -> date | None:
    """On Friday, next Monday, am Wochenende, na sexta-feira."""
    word, after = tokens[place], tokens[place + 1 : place + 2]
    day = 5 if word in words.WEEKENDS else words.WEEKDAYS.get(word)
    if word in words.FEIRAS and (after == ["feira"] or tokens[place - 1 : place] == ["na"]):
        day = words.FEIRAS[word]
    return None if day is None else today + timedelta(days=(day - today.weekday() - 1) % 7 + 1)


def _next(today: date, month: int, day: int) -> date:
    """Return the next such day, today included; ValueError if there is none."""
    for year in range(today.year, today.year + 9):  # leap days may be eight years apart
        if (month, day) != (2, 29) or _is_leap(year):
            found = date(year, month, day)
            if found >= today:
                return found
    raise ValueError


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _later(today: date, count: int, unit: str) -> date:
    """Return the day so many units later, the last of a month that is too short."""
    if unit in _UNIT_DAYS:
        return today + timedelta(days=count * _UNIT_DAYS[unit])
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    first = date(months // 12, months % 12 + 1, 1)
    following = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    return first + timedelta(days=min(today.day, (following - first).days) - 1)
