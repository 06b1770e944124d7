"""Compute ranges of calendar days relative to one day: last week, March, Easter. Pure.

Ranges are clamped to the first and the last possible day.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date

MIN_YEAR = 1950  # of a bare number that can mean a year
MAX_YEARS_AHEAD = 5
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_SLACK_DAYS = {"day": 0, "week": 3, "month": 15, "year": 183}
_HOLIDAYS = {"christmas": (12, 24, 26), "halloween": (10, 31, 31), "valentine": (2, 14, 14)}
"""The month and the days of holidays with a date of their own."""
MAX_EXACT_DAYS = 6  # further back, people round


@dataclass(frozen=True, slots=True, order=True)
class DateRange:
    """Whole calendar days in the requested time zone, both ends included."""

    first: date
    last: date


def _clamped_day(ordinal: int) -> date:
    return date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))


def _date_or_none(year: int, month: int, day: int) -> date | None:
    """Return the date, or None if it does not exist."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


class Calendar:
    """Ranges relative to today; "latest" means the latest occurrence that has begun."""

    def __init__(self, today: date) -> None:
        self.today = today

    # --- days -----------------------------------------------------------------------------------

    def is_year(self, number: int) -> bool:
        """Whether a number can mean a year."""
        return MIN_YEAR <= number <= self.today.year + MAX_YEARS_AHEAD

    def days_back(self, first: int, last: int) -> DateRange:
        """Return the days from ``first`` to ``last`` days ago."""
        now = self.today.toordinal()
        return DateRange(_clamped_day(now - max(first, last)), _clamped_day(now - min(first, last)))

    def day(self, year: int | None, month: int | None, day: int) -> list[DateRange]:
        """Return a day; without a year or month, the latest such day. Empty if there is none."""
        if year is not None:
            candidate = _date_or_none(year, month or 0, day)
            return [DateRange(candidate, candidate)] if candidate else []
        today = self.today
        steps = range(12) if month is None else range(9)  # leap days are up to eight years apart
        for step in steps:
            if month is None:
                months = today.year * 12 + today.month - 1 - step
                candidate = _date_or_none(months // 12, months % 12 + 1, day)
            else:
                candidate = _date_or_none(today.year - step, month, day)
            if candidate and candidate <= today:
                return [DateRange(candidate, candidate)]
        return []

    # --- months, years, seasons -----------------------------------------------------------------

    def month(self, year: int, month: int) -> DateRange:
        """Return a whole month."""
        year = min(max(year, MINYEAR), MAXYEAR)
        return DateRange(date(year, month, 1), date(year, month, monthrange(year, month)[1]))

    def latest_month(self, month: int, *, is_over: bool = False) -> DateRange:
        """Return the latest such month (1 is January); with ``is_over``, not the current one."""
        is_last_year = month >= self.today.month if is_over else month > self.today.month
        return self.month(self.today.year - is_last_year, month)

    def year(self, year: int) -> DateRange:
        """Return a whole year."""
        year = min(max(year, MINYEAR), MAXYEAR)
        return DateRange(date(year, 1, 1), date(year, 12, 31))

    def season(self, first_month: int, year: int) -> DateRange:
        """Return the three months from ``first_month``; a winter ends in the next year."""
        last_year, last_month = divmod(year * 12 + first_month - 1 + 2, 12)
        return DateRange(
            self.month(year, first_month).first, self.month(last_year, last_month + 1).last
        )

    def latest_season(self, first_month: int, *, is_over: bool) -> DateRange:
        """Return the latest such season; with ``is_over``, not the current one."""
        for year in (self.today.year, self.today.year - 1):
            season = self.season(first_month, year)
            if (season.last if is_over else season.first) <= self.today:
                return season
        return self.season(first_month, self.today.year - 2)

    # --- weeks ----------------------------------------------------------------------------------

    def weekday(self, day: int, *, is_over: bool = False) -> DateRange:
        """Return the latest such weekday (0 is Monday); with ``is_over``, not today."""
        back = (self.today.weekday() - day) % 7
        back = back or (7 if is_over else 0)
        return self.days_back(back, back)

    def weekday_of_last_week(self, day: int) -> DateRange:
        """Return that weekday of last week."""
        back = self.today.weekday() + 7 - day
        return self.days_back(back, back)

    def weekend(self, *, is_over: bool) -> DateRange:
        """Return the latest Saturday and Sunday; with ``is_over``, not the current ones."""
        since_saturday = (self.today.weekday() - 5) % 7
        if is_over and since_saturday < 2:
            since_saturday += 7
        now = self.today.toordinal()
        return DateRange(_clamped_day(now - since_saturday), _clamped_day(now - since_saturday + 1))

    def unit_ago(self, unit: str, count: int = 1) -> DateRange:
        """Return the day, week, month or year that was ``count`` units ago, or is to come."""
        if unit == "year":
            return self.year(self.today.year - count)
        if unit == "month":
            months = self.today.year * 12 + self.today.month - 1 - count
            return self.month(months // 12, months % 12 + 1)
        if unit == "week":
            monday = self.today.toordinal() - self.today.weekday() - 7 * count
            return DateRange(_clamped_day(monday), _clamped_day(monday + 6))
        return self.days_back(count, count)

    # --- units ago ------------------------------------------------------------------------------

    def ago(self, low: int, high: int, unit: str, *, is_vague: bool = False) -> DateRange:
        """Return the days from ``high`` to ``low`` units ago, wider for coarser units."""
        slack = _SLACK_DAYS[unit]
        if unit == "day" and not is_vague and high > MAX_EXACT_DAYS:
            slack = 1 + high // 10
        far = round(high * _UNIT_DAYS[unit]) + slack
        near = round(low * _UNIT_DAYS[unit]) - slack
        return self.days_back(far, max(near, 0))

    def past(self, count: int, unit: str) -> DateRange:
        """Return the days from ``count`` units ago until today."""
        return self.days_back(round(count * _UNIT_DAYS[unit]), 0)

    # --- holidays -------------------------------------------------------------------------------

    def holiday(self, name: str, year: int | None) -> list[DateRange]:
        """Return the days of a holiday in a year; without one, of the latest that has begun."""
        if year is not None:
            return [_holiday(name, year)]
        this_year = min(max(self.today.year, MINYEAR + 1), MAXYEAR - 1)
        for year in (this_year + 1, this_year, this_year - 1):
            if year > MINYEAR and (days := _holiday(name, year)).first <= self.today:
                return [days]
        return []


def _holiday(name: str, year: int) -> DateRange:
    """Return the days of a holiday; New Year's Eve belongs to the year that begins."""
    if name == "new_year":
        return DateRange(date(year - 1, 12, 31), date(year, 1, 1))
    if name in _HOLIDAYS:
        month, first, last = _HOLIDAYS[name]
        return DateRange(date(year, month, first), date(year, month, last))
    # Easter Sunday: the anonymous Gregorian computus.
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    sunday = date(year, month, day + 1).toordinal()
    return DateRange(_clamped_day(sunday - 2), _clamped_day(sunday + 1))
