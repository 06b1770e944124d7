"""Parse explicit days: "12 March", "March 12th", "Freitag den 11.", "on the 11th". Pure."""

from datetime import date
from itertools import pairwise

from utils.nlp.dates.ranges import later, next_day
from utils.nlp.dates.tokens import WordPositions
from utils.nlp.dates.vocabulary import DATES, MONTHS, UNITS, WEEKDAYS

_SUFFIXES = DATES.ordinal_suffixes | {"."}
_AFTER_DAY = DATES.day_parts | {",", ".", "!", "?", ""}


def day_with_month(words: WordPositions, position: int, today: date) -> tuple[int, date] | None:
    """Return the day that a day beside a month names: 12 March, March 12th, le 12 mars 2027.

    With it, the position after its words. Raises ValueError if there is no such day.
    """
    if words.at(position).number < 0 and words[position] not in MONTHS:
        return None
    beside = [
        (end, near.text)
        for end, near in enumerate(words.tokens[position : position + 7], position + 1)
        if near.text not in DATES.of and not (near.is_glued and near.text in _SUFFIXES)
    ]
    number = next((word for _, word in beside[:2] if word.isdecimal()), "")
    month = next((MONTHS[word] for _, word in beside[:2] if word in MONTHS), None)
    if month is None or len(number) not in (1, 2) or not 1 <= int(number) <= 31:
        return None
    end, year = next(((end, word) for end, word in beside[2:4] if word != ","), (0, ""))
    if len(year) == 4 and year.isdecimal():
        return end, date(int(year), month, int(number))
    end = beside[1][0]
    end += words.at(end).is_glued and words[end] in _SUFFIXES
    return end, next_day(today, month, int(number))


def day_without_month(words: WordPositions, position: int, today: date) -> date | None:
    """Return the next day of a month that is not named: am 11., on the 11th, Freitag den 11.

    Raises ValueError if it is not the weekday before it.
    """
    number, end = words.at(position).number, position + 1
    if not 1 <= number <= 31:
        return None
    before = [word for word in words.between(position - 3, position) if word != ","]
    has_article = before[-1:] != [] and before[-1] in DATES.ordinal_before
    weekday = next(
        (WEEKDAYS[word] for word in before[-1 - has_article :] if word in WEEKDAYS), None
    )
    has_suffix = words.at(end).is_glued and words[end] in DATES.ordinal_suffixes
    if has_article + has_suffix + (weekday is not None) < 2:  # one alone makes no day of a number
        return None
    if any(
        word in DATES.next and UNITS.get(unit) == "month"
        for word, unit in pairwise(words.between(end, end + 5))
    ):
        return later(today.replace(day=1), 1, "month").replace(day=number)
    is_alone = words[end + has_suffix] in _AFTER_DAY
    day = next_day(today, None, number)
    if weekday is None:
        return day if is_alone else None
    if not is_alone or day.weekday() != weekday:
        raise ValueError
    return day
