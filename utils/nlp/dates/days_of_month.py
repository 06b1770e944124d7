"""Parse explicit days: "12 March", "March 12th", "Freitag den 11.", "on the 11th". Pure."""

import calendar
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from utils.nlp.dates import vocabulary
from utils.nlp.dates.sums import later
from utils.nlp.dates.tokens import Token
from utils.nlp.dates.vocabulary import DATES

__all__ = ["day_with_month", "day_without_month", "next_day", "next_day_of_month"]

_SUFFIXES = DATES.ordinal_suffixes | {"."}


def next_day(today: date, month: int, day: int) -> date:
    """Return the next such day, which can be today. Raises ValueError if there is none."""
    for year in range(today.year, today.year + 9):  # leap days may be eight years apart
        if (month, day) != (2, 29) or calendar.isleap(year):
            candidate = date(year, month, day)
            if candidate >= today:
                return candidate
    raise ValueError


def day_with_month(tokens: Sequence[Token], position: int, today: date) -> tuple[int, date] | None:
    """Return the day that a day beside a month names: 12 March, March 12th, le 12 mars 2027.

    With it, the position after its words. Raises ValueError if there is no such day.
    """
    token = tokens[position]
    if token.number < 0 and token.text not in vocabulary.MONTHS:
        return None
    words = [
        (end, near.text)
        for end, near in enumerate(tokens[position : position + 7], position + 1)
        if near.text not in DATES.of and not (near.is_glued and near.text in _SUFFIXES)
    ]
    number = next((word for _, word in words[:2] if word.isdecimal()), "")
    month = next(
        (vocabulary.MONTHS[word] for _, word in words[:2] if word in vocabulary.MONTHS), None
    )
    if month is None or len(number) not in (1, 2) or not 1 <= int(number) <= 31:
        return None
    end, year = next(((end, word) for end, word in words[2:4] if word != ","), (0, ""))
    if len(year) == 4 and year.isdecimal():
        return end, date(int(year), month, int(number))
    end = words[1][0]
    if end < len(tokens) and tokens[end].is_glued and tokens[end].text in _SUFFIXES:
        end += 1
    return end, next_day(today, month, int(number))


def day_without_month(tokens: Sequence[Token], position: int, today: date) -> date | None:
    """Return the next day of a month that is not named: am 11., on the 11th, Freitag den 11.

    Raises ValueError if it is not the weekday before it.
    """
    texts = [token.text for token in tokens[max(0, position - 3) : position] if token.text != ","]
    # Up to two words before: an article, and a weekday before that.
    before = texts[-2:] if texts[-1:] and texts[-1] in DATES.ordinal_before else texts[-1:]
    number = tokens[position].number
    if not 1 <= number <= 31 or not before:
        return None
    after = tokens[position + 1 : position + 2]
    has_suffix = bool(after) and after[0].is_glued and after[0].text in DATES.ordinal_suffixes
    following = tokens[position + 1 + has_suffix : position + 2 + has_suffix]
    in_next_month = any(
        word in DATES.next and vocabulary.UNITS.get(unit) == "month"
        for word, unit in pairwise([token.text for token in tokens[position + 1 : position + 6]])
    )
    is_alone = (
        in_next_month
        or not following
        or following[0].text in DATES.day_parts | {",", ".", "!", "?"}
    )
    has_article = before[-1] in DATES.ordinal_before
    weekdays = [vocabulary.WEEKDAYS[word] for word in before if word in vocabulary.WEEKDAYS]
    if not has_suffix and not (has_article and weekdays):
        return None
    if not weekdays and not (has_article and is_alone):
        return None
    if in_next_month:
        return later(today.replace(day=1), 1, "month").replace(day=number)
    day = next_day_of_month(today, number)
    if weekdays and (not is_alone or day.weekday() != weekdays[-1]):
        raise ValueError
    return day


def next_day_of_month(today: date, day: int) -> date:
    """Return the next day of that number, which can be today, in a month that has it."""
    for months in range(today.month - 1, today.month + 12):
        year, month = today.year + months // 12, months % 12 + 1
        if day <= calendar.monthrange(year, month)[1] and date(year, month, day) >= today:
            return date(year, month, day)
    raise ValueError
