"""When something repeated is next due, on the clock of a time zone. Pure.

Each occurrence is a day and a time of day in the zone. In the hour that is skipped in spring it
comes at the next clock time that exists, and in the hour that is repeated in autumn it comes once.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from utils.nlp.dates.zones import zone_named

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MAX_COUNT = 99  # units between two occurrences
_RULE = re.compile(
    r"every (?:(?P<count>[0-9]+) )?(?P<unit>day|week|month)s?"
    r"(?: on (?:the )?(?P<days>[a-z0-9 ]+?))? at (?P<clock>[0-9:]{5}) in (?P<zone>\S+)"
)
_MAX_DAYS = {"day": 1, "week": 7, "month": 31}


def instant(day: date, clock: time, zone: tzinfo, after: datetime) -> datetime:
    """Return a clock time of a day in UTC; of a repeated hour the first one later than ``after``.

    What falls into a skipped hour is as much later as the clock is set forward.
    """
    first = datetime.combine(day, clock.replace(fold=0), zone).astimezone(UTC)
    second = datetime.combine(day, clock.replace(fold=1), zone).astimezone(UTC)
    return second if first <= after < second else first


@dataclass(frozen=True, slots=True)
class Repeat:
    """A rule of repetition; its text is what the database stores.

    Attributes:
        count, unit: every so many days, weeks or months.
        days: the weekdays (Monday is 0) or the day of the month; shorter months have their last.
        clock: the time of day in the zone.
        zone: the name of a time zone, or UTC with an offset.
    """

    count: int
    unit: str
    days: tuple[int, ...]
    clock: time
    zone: str

    @classmethod
    def parse(cls, text: str) -> "Repeat":
        """Return the rule that a text names. Raises ValueError if it is none."""
        match = _RULE.fullmatch(text)
        if match is None:
            raise ValueError
        days = (match["days"] or "").split()
        numbers = tuple(WEEKDAYS.index(day) if day in WEEKDAYS else int(day) for day in days)
        clock = time.fromisoformat(match["clock"])
        return cls(int(match["count"] or 1), match["unit"], numbers, clock, match["zone"])

    @property
    def rule(self) -> str:
        """The days of the rule: every 2 weeks on mon fri."""
        often = self.unit if self.count == 1 else f"{self.count} {self.unit}s"
        names = " ".join(WEEKDAYS[day] for day in self.days) if self.unit == "week" else ""
        if self.unit == "month":
            names = f"the {self.days[0]}"
        return f"every {often} on {names}" if names else f"every {often}"

    def __str__(self) -> str:
        """Return the whole rule in words that :meth:`parse` understands."""
        return f"{self.rule} at {self.clock:%H:%M} in {self.zone}"

    def next_after(self, after: datetime, start: date) -> datetime:
        """Return the first occurrence later than ``after``, in UTC.

        Args:
            after: aware.
            start: a day of the zone from which weeks, days and months are counted.
        """
        zone = zone_named(self.zone)
        first = max(start, after.astimezone(zone).date() - timedelta(days=1))
        for day in (
            first + timedelta(days=days) for days in range(self.count * _MAX_DAYS[self.unit] + 8)
        ):
            if self._is_on(day, start):
                at = datetime.combine(day, self.clock, zone).astimezone(UTC)
                if at > after:
                    return at
        raise ValueError

    def _is_on(self, day: date, start: date) -> bool:
        if self.unit == "day":
            return (day - start).days % self.count == 0
        if self.unit == "week":
            weeks = (_monday(day) - _monday(start)).days // 7
            return weeks % self.count == 0 and day.weekday() in self.days
        months = (day.year - start.year) * 12 + day.month - start.month
        last = monthrange(day.year, day.month)[1]
        return months % self.count == 0 and day.day == min(self.days[0], last)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
