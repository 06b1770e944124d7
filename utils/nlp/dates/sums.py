"""Parse days that two expressions name together: "Friday in two weeks", "next week Friday". Pure.

Read one by one, the two would be two days, both wrong.
"""

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from utils.nlp.dates import vocabulary
from utils.nlp.dates.vocabulary import DATES, phrase_at

__all__ = ["DaySum", "day_at", "later", "next_weekday", "sum_at", "units_at"]

_UNIT_DAYS = {"day": 1, "week": 7}
_BETWEEN = DATES.of | DATES.articles | DATES.on_day | DATES.in_before | {","}
"""Words between a weekday and its week."""
_MAX_BETWEEN = 3


@dataclass(frozen=True, slots=True)
class DaySum:
    """A day, and the position after the words that name it."""

    end: int
    day: date
    is_weekday: bool = True


def sum_at(words: Sequence[str], position: int, today: date) -> DaySum | None:
    """Return the day that words from a position on name together; None if they name none.

    Raises ValueError if they may mean several days.
    """
    return (
        _weekday_and_week(words, position, today)
        or _day_and_units(words, position, today)
        or _units_and_day(words, position, today)
    )


def next_weekday(today: date, weekday: int) -> date:
    """Return the next such weekday after today."""
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def later(today: date, count: int, unit: str) -> date:
    """Return the day ``count`` units later; in a shorter month its last day."""
    if unit in _UNIT_DAYS:
        return today + timedelta(days=count * _UNIT_DAYS[unit])
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(today.day, calendar.monthrange(year, month)[1]))


def _weekday_and_week(words: Sequence[str], position: int, today: date) -> DaySum | None:
    """Parse next week Friday, Samstag übernächste Woche, vendredi de la semaine prochaine."""
    weekday = vocabulary.WEEKDAYS.get(words[position])
    if weekday is not None:
        week = _week(words, _after(words, position + 1, _BETWEEN | DATES.day_parts))
        end = 0 if week is None else week[0]
    else:
        week = _week(words, _after(words, position, DATES.articles))
        end = 0 if week is None else _after(words, week[0], _BETWEEN)
        weekday = vocabulary.WEEKDAYS.get(_word(words, end)) if week else None
        end += 1
    if week is None or weekday is None:
        return None
    monday = today - timedelta(days=today.weekday())
    return DaySum(end, monday + timedelta(days=7 * week[1] + weekday))


def _week(words: Sequence[str], position: int) -> tuple[int, int] | None:
    """Return the position after a week, and how many weeks ahead it is."""
    word, after = _word(words, position), _word(words, position + 1)
    if vocabulary.UNITS.get(word) == "week":
        end, after_next = phrase_at(words, position + 1, DATES.after_next_after)
        if after_next:
            return end, 2
        return (position + 2, 1) if after in DATES.next else None
    ahead = vocabulary.STEPS.get(word)
    is_week = vocabulary.UNITS.get(after) == "week"
    return (position + 2, ahead) if is_week and ahead is not None else None


def _day_and_units(words: Sequence[str], position: int, today: date) -> DaySum | None:
    """Parse heute in acht Tagen, Friday in two weeks, Friday week, the Friday after next."""
    day = day_at(words, position, today)
    if day is None:
        return None
    start = _after(words, day.end, DATES.day_parts | {","})
    has_in = _word(words, start) in DATES.in_before
    has_ago = _word(words, start) in DATES.ago_before
    if units := units_at(words, start + (has_in or has_ago)):
        end, count, unit = units
        is_back = has_ago or (not has_in and _word(words, end) in DATES.ago_after)
        if day.is_weekday and (is_back or (has_in and unit != "week")):
            raise ValueError
        if is_back or has_in:
            counted = later(day.day, -count if is_back else count, unit)
            return DaySum(end if has_in or has_ago else end + 1, counted, day.is_weekday)
    if _word(words, day.end) in DATES.week_after_day:
        return DaySum(day.end + 1, day.day + timedelta(days=7), day.is_weekday)
    is_after_next = (
        not DATES.after_next_before.isdisjoint(words[position : day.end])
        or " ".join(words[day.end - 2 : day.end]) in DATES.after_next_after
    )
    return day if is_after_next else None


def _units_and_day(words: Sequence[str], position: int, today: date) -> DaySum | None:
    """Parse two weeks from Friday, a week on Friday, in zwei Wochen am Freitag."""
    has_in = words[position] in DATES.in_before
    units = units_at(words, position + has_in)
    before = words[position - 1] if position else ""
    is_bare = not has_in and words[position] in vocabulary.UNITS
    if units is None or is_bare or before in DATES.not_counted_after:
        return None
    start, count, unit = units
    word = _word(words, start)
    if word in DATES.ago_after:
        day = day_at(words, _after(words, start + 1, DATES.on_day), today)
        if day is not None and day.is_weekday:
            raise ValueError
        return day and DaySum(day.end, later(day.day, -count, unit), is_weekday=False)
    if word in DATES.counted_from or (word in DATES.weeks_on and unit == "week" and not has_in):
        day = day_at(words, start + 1, today)
        return day and DaySum(day.end, later(day.day, count, unit), day.is_weekday)
    day = day_at(words, _after(words, start, _BETWEEN), today) if has_in else None
    if day is None or not day.is_weekday or unit != "week":
        return None
    counted, in_week = later(day.day, count, unit), later(today, count, unit)
    if counted.isocalendar()[:2] != in_week.isocalendar()[:2]:
        raise ValueError
    return DaySum(day.end, counted)


def day_at(words: Sequence[str], position: int, today: date) -> DaySum | None:
    """Parse today, tomorrow, Friday, next Friday, vendredi prochain, the Friday after next."""
    end, phrase = phrase_at(words, position, vocabulary.DAYS_AHEAD)
    if phrase:
        ahead = timedelta(days=vocabulary.DAYS_AHEAD[phrase])
        return DaySum(end, today + ahead, is_weekday=False)
    position = _after(words, position, DATES.articles)
    before = _word(words, position)
    is_after_next = before in DATES.after_next_before
    if is_after_next or before in DATES.next | DATES.this:
        position += 1
    word, end = _word(words, position), position + 1
    weekday = 5 if word in DATES.weekends else vocabulary.WEEKDAYS.get(word)
    is_feira = _word(words, end) == "feira"
    is_on = "na" in words[max(0, position - 1) : position]
    if word in vocabulary.WEEKDAYS_BEFORE_FEIRA and (is_feira or is_on):
        weekday, end = vocabulary.WEEKDAYS_BEFORE_FEIRA[word], end + is_feira
    if weekday is None:
        return None
    day = next_weekday(today, weekday)
    if (after := phrase_at(words, end, DATES.after_next_after)[0]) > end:
        following = _word(words, after)
        if following not in vocabulary.WEEKDAYS and following not in vocabulary.UNITS:
            is_after_next, end = True, after
    elif _word(words, end) in DATES.next:
        end += 1
    return DaySum(end, day + timedelta(days=7) if is_after_next else day)


def units_at(words: Sequence[str], position: int) -> tuple[int, int, str] | None:
    """Return the position after "two weeks", the number and the unit; "неделю" is one."""
    word = _word(words, position)
    if unit := vocabulary.UNITS.get(word):
        return position + 1, 1, unit
    is_short_number = word.isdecimal() and len(word) < 4
    count = int(word) if is_short_number else vocabulary.NUMBERS.get(word, 0)
    unit = vocabulary.UNITS.get(_word(words, position + 1))
    return (position + 2, count, unit) if count and unit else None


def _after(words: Sequence[str], position: int, skipped: frozenset[str]) -> int:
    """Return the position after a few words that are skipped."""
    for index in range(position, position + _MAX_BETWEEN):
        if _word(words, index) not in skipped:
            return index
    return position + _MAX_BETWEEN


def _word(words: Sequence[str], position: int) -> str:
    return words[position] if position < len(words) else ""
