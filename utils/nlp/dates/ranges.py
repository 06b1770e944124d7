"""Compute days and ranges of days relative to one day: last week, March, Easter. Pure.

Ranges are clamped to the first and the last possible day.
"""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta
from typing import TypeAlias

MIN_YEAR = 1950  # of a bare number that can mean a year
MAX_YEARS_AHEAD = 5
_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}
_AVERAGE_DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_SLACK_DAYS = {"day": 0, "week": 3, "month": 15, "year": 183}
_HOLIDAYS = {"christmas": (12, 24, 26), "halloween": (10, 31, 31), "valentine": (2, 14, 14)}
"""The month and the days of holidays with a date of their own."""
MAX_SPAN_DAYS = 183  # of a span without a year at its end
MAX_EXACT_DAYS = 6  # further back, people round


@dataclass(frozen=True, slots=True, order=True)
class DateRange:
    """Whole calendar days in the requested time zone, both ends included."""

    first: date
    last: date


Yearly: TypeAlias = Callable[[int], DateRange]
"""What comes once a year: year -> its days."""


def later(day: date, count: int, unit: str) -> date:
    """Return the day ``count`` units later; in a shorter month its last day."""
    if unit in _DAYS:
        return day + timedelta(days=count * _DAYS[unit])
    year, month = divmod(_month_number(day) + count * _MONTHS[unit], 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def next_weekday(today: date, weekday: int) -> date:
    """Return the next such weekday after today."""
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def next_day(today: date, month: int | None, day: int) -> date:
    """Return the next such day, which can be today; without a month, of any.

    Raises ValueError if there is none.
    """
    if (coming := _nearest_day(today, month, day, 1)) is None:
        raise ValueError
    return coming


def _nearest_day(today: date, month: int | None, day: int, direction: int) -> date | None:
    """Return the nearest such day, today included, forwards (1) or backwards (-1) in time."""
    step = 1 if month is None else 12
    start = _month_number(today) if month is None else today.year * 12 + month - 1
    for count in range(12):  # leap days are up to eight years apart
        year, index = divmod(start + direction * step * count, 12)
        near = _date_or_none(year, index + 1 if month is None else month, day)
        if near is not None and (near - today).days * direction >= 0:
            return near
    return None


def _month_number(day: date) -> int:
    """Return the number of a day's month, counted from January of the year 0."""
    return day.year * 12 + day.month - 1


def _date_or_none(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _days(first: int, last: int) -> DateRange:
    """Return the days between two ordinals."""
    first, last = (min(max(day, 1), date.max.toordinal()) for day in (first, last))
    return DateRange(date.fromordinal(first), date.fromordinal(last))


def _months(first: int, count: int) -> DateRange:
    """Return whole months, the first by its number from January of the year 0."""
    (year, month), (last_year, last_month) = (
        divmod(min(max(number, 12 * MINYEAR), 12 * MAXYEAR + 11), 12)
        for number in (first, first + count - 1)
    )
    last_day = monthrange(last_year, last_month + 1)[1]
    return DateRange(date(year, month + 1, 1), date(last_year, last_month + 1, last_day))


def months_of_year(first: int, count: int) -> Yearly:
    """Return the months from ``first`` on (1 is January); a winter ends in the next year."""
    return lambda year: _months(year * 12 + first - 1, count)


def holiday(name: str) -> Yearly:
    """Return the days of a holiday; New Year's Eve belongs to the year that begins."""
    if name == "new_year":
        return lambda year: _days(date(year, 1, 1).toordinal() - 1, date(year, 1, 1).toordinal())
    if name == "easter":
        return _easter
    month, first, last = _HOLIDAYS[name]
    return lambda year: DateRange(date(year, month, first), date(year, month, last))


def _easter(year: int) -> DateRange:
    """Return Good Friday to Easter Monday by Oudin's algorithm for the Gregorian calendar."""
    golden, century = year % 19, year // 100
    moon = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    moon -= moon // 28 * (1 - moon // 28 * (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    sunday = date(year, 3, 28).toordinal() + moon - weekday
    return _days(sunday - 2, sunday + 1)


@dataclass(eq=False, repr=False)
class Calendar:
    """Ranges relative to today; "latest" means the latest that has begun.

    ``since``: the first day of a span whose last day is read; what has no year is the next one
    then, unless a day before it is meant ("moved from 5 May to 3 May").
    """

    today: date
    since: date | None = None

    def is_year(self, number: int) -> bool:
        """Whether a number can mean a year."""
        return MIN_YEAR <= number <= self.today.year + MAX_YEARS_AHEAD

    def days_back(self, first: int, last: int) -> DateRange:
        """Return the days from ``first`` to ``last`` days ago."""
        now = self.today.toordinal()
        return _days(now - first, now - last)

    def day(self, year: int | None, month: int | None, day: int) -> list[DateRange]:
        """Return a day; without a year or month, the latest such day. Empty if there is none."""
        named = (
            _nearest_day(self.today, month, day, -1)
            if year is None
            else _date_or_none(year, month or 0, day)
        )
        if year is None and self.since is not None:
            last = _nearest_day(self.since, month, day, 1)
            if last and named and (last <= named or (last - self.since).days < MAX_SPAN_DAYS):
                named = last
        return [DateRange(named, named)] if named else []

    def latest(self, yearly: Yearly, *, is_over: bool = False) -> list[DateRange]:
        """Return the latest of what comes once a year, if any.

        With ``is_over``, it is not the current one.
        """
        since = None if is_over else self.since  # the latest within a year is the next
        today = _days(1, since.toordinal() + 364).last if since else self.today
        for year in range(min(today.year + 1, MAXYEAR), today.year - 3, -1):
            days = yearly(max(year, MINYEAR))
            if days.last < today if is_over else days.first <= today:
                return [days]
        return []

    def weekday(self, first: int, last: int | None = None, *, is_over: bool = False) -> DateRange:
        """Return the latest such weekday (0 is Monday), or several that follow each other.

        With ``is_over``, not today's.
        """
        length = 0 if last is None else last - first
        back = (self.today.weekday() - first) % 7
        if is_over and back <= length:
            back += 7
        return self.days_back(back, back - length)

    def weekday_of_last_week(self, day: int) -> DateRange:
        """Return that weekday of last week."""
        back = self.today.weekday() + 7 - day
        return self.days_back(back, back)

    def unit_ago(self, unit: str, count: int = 1) -> DateRange:
        """Return the day, week, month or year that was ``count`` units ago, or is to come."""
        if unit in _MONTHS:
            size = _MONTHS[unit]
            return _months((_month_number(self.today) // size - count) * size, size)
        size = _DAYS[unit]
        first = ((self.today.toordinal() - 1) // size - count) * size + 1  # day 1 was a Monday
        return _days(first, first + size - 1)

    def ago(self, low: int, high: int, unit: str, *, is_vague: bool = False) -> DateRange:
        """Return the days from ``high`` to ``low`` units ago, wider for coarser units."""
        slack = _SLACK_DAYS[unit]
        if unit == "day" and not is_vague and high > MAX_EXACT_DAYS:
            slack = 1 + high // 10
        far = round(high * _AVERAGE_DAYS[unit]) + slack
        return self.days_back(far, max(round(low * _AVERAGE_DAYS[unit]) - slack, 0))

    def past(self, count: int, unit: str) -> DateRange:
        """Return the days from ``count`` units ago until today."""
        return self.days_back(round(count * _AVERAGE_DAYS[unit]), 0)
