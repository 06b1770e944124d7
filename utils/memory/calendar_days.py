"""Ranges of calendar days counted from one day: last week, March, Easter. Pure arithmetic.

Whatever would lie before the first or after the last possible day is cut there.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date

FIRST_YEAR = 1950  # of those that a bare number can mean
MOST_YEARS_AHEAD = 5
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_SLACK_DAYS = {"day": 0, "week": 3, "month": 15, "year": 183}
EXACT_DAYS = 6  # so many days back, people still count; further back, they round


@dataclass(frozen=True, slots=True, order=True)
class DateRange:
    """Whole calendar days in the zone they were asked for, both ends included."""

    first: date
    last: date


def _day(ordinal: int) -> date:
    return date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))


def _real(year: int, month: int, day: int) -> date | None:
    """Return that day, None where there is none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


class Calendar:
    """Ranges as seen from one day; "latest" is the latest occurrence that has begun by then."""

    def __init__(self, today: date) -> None:
        self.today = today

    # --- days -----------------------------------------------------------------------------------

    def is_year(self, number: int) -> bool:
        """Whether a number can be meant as a year."""
        return FIRST_YEAR <= number <= self.today.year + MOST_YEARS_AHEAD

    def days_back(self, first: int, last: int) -> DateRange:
        """Return the days from ``first`` to ``last`` days back."""
        now = self.today.toordinal()
        return DateRange(_day(now - max(first, last)), _day(now - min(first, last)))

    def day(self, year: int | None, month: int | None, day: int) -> list[DateRange]:
        """Return one day, the latest where no year or month is given; nothing if there is none."""
        if year is not None:
            found = _real(year, month or 0, day)
            return [DateRange(found, found)] if found else []
        this = self.today
        back = range(12) if month is None else range(9)  # years between leap days: up to eight
        for step in back:
            if month is None:
                months = this.year * 12 + this.month - 1 - step
                found = _real(months // 12, months % 12 + 1, day)
            else:
                found = _real(this.year - step, month, day)
            if found and found <= this:
                return [DateRange(found, found)]
        return []

    # --- months, years, seasons -----------------------------------------------------------------

    def month(self, year: int, month: int) -> DateRange:
        """Return a whole month."""
        year = min(max(year, MINYEAR), MAXYEAR)
        return DateRange(date(year, month, 1), date(year, month, monthrange(year, month)[1]))

    def latest_month(self, month: int, *, is_over: bool = False) -> DateRange:
        """Return the latest month of that number; with ``is_over``, not the one under way."""
        back = month >= self.today.month if is_over else month > self.today.month
        return self.month(self.today.year - back, month)

    def year(self, year: int) -> DateRange:
        """Return a whole year."""
        year = min(max(year, MINYEAR), MAXYEAR)
        return DateRange(date(year, 1, 1), date(year, 12, 31))

    def season(self, first_month: int, year: int) -> DateRange:
        """Return the three months from ``first_month``; a winter ends in the year after."""
        last_year, last_month = divmod(year * 12 + first_month - 1 + 2, 12)
        return DateRange(
            self.month(year, first_month).first, self.month(last_year, last_month + 1).last
        )

    def latest_season(self, first_month: int, *, is_over: bool = False) -> DateRange:
        """Return the latest season; with ``is_over``, not the one under way."""
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
        """Return that weekday of the week before this."""
        back = self.today.weekday() + 7 - day
        return self.days_back(back, back)

    def weekend(self, *, is_over: bool = False) -> DateRange:
        """Return the latest Saturday and Sunday; with ``is_over``, not those under way."""
        since_saturday = (self.today.weekday() - 5) % 7
        if is_over and since_saturday < 2:
            since_saturday += 7
        now = self.today.toordinal()
        return DateRange(_day(now - since_saturday), _day(now - since_saturday + 1))

    def this(self, unit: str) -> DateRange:
        """Return the week, month or year under way."""
        if unit == "year":
            return self.year(self.today.year)
        if unit == "month":
            return self.month(self.today.year, self.today.month)
        if unit == "week":
            monday = self.today.toordinal() - self.today.weekday()
            return DateRange(_day(monday), _day(monday + 6))
        return self.days_back(0, 0)

    def last(self, unit: str, times: int = 1) -> DateRange:
        """Return the week, month or year before this one, or ``times`` before it."""
        if unit == "year":
            return self.year(self.today.year - times)
        if unit == "month":
            months = self.today.year * 12 + self.today.month - 1 - times
            return self.month(months // 12, months % 12 + 1)
        if unit == "week":
            monday = self.today.toordinal() - self.today.weekday() - 7 * times
            return DateRange(_day(monday), _day(monday + 6))
        return self.days_back(times, times)

    # --- so long ago ----------------------------------------------------------------------------

    def ago(self, fewest: int, most: int, unit: str, *, is_vague: bool = False) -> DateRange:
        """Return the days between so many and so many units back, wider the coarser the unit."""
        slack = _SLACK_DAYS[unit]
        if unit == "day" and not is_vague and most > EXACT_DAYS:
            slack = 1 + most // 10
        far = round(most * _UNIT_DAYS[unit]) + slack
        near = round(fewest * _UNIT_DAYS[unit]) - slack
        return self.days_back(far, max(near, 0))

    def past(self, count: int, unit: str) -> DateRange:
        """Return the days from so many units back until today."""
        return self.days_back(round(count * _UNIT_DAYS[unit]), 0)

    # --- feasts ---------------------------------------------------------------------------------

    def holiday(self, name: str, year: int | None) -> list[DateRange]:
        """Return the days of a feast in a year, or of the latest that has begun."""
        if year is not None:
            return [_feast(name, year)]
        this = min(max(self.today.year, MINYEAR + 1), MAXYEAR - 1)
        days = [_feast(name, one) for one in (this + 1, this, this - 1) if one > MINYEAR]
        return [one for one in days if one.first <= self.today][:1]


def _feast(name: str, year: int) -> DateRange:
    """Return the days of a feast; those around New Year belong to the year that begins."""
    if name == "christmas":
        return DateRange(date(year, 12, 24), date(year, 12, 26))
    if name == "new year":
        return DateRange(date(year - 1, 12, 31), date(year, 1, 1))
    if name == "halloween":
        return DateRange(date(year, 10, 31), date(year, 10, 31))
    if name == "valentine":
        return DateRange(date(year, 2, 14), date(year, 2, 14))
    sunday = _easter(year).toordinal()
    return DateRange(_day(sunday - 2), _day(sunday + 1))


def _easter(year: int) -> date:
    """Return Easter Sunday (the anonymous Gregorian computus)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)
