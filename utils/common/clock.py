"""The clock, which everything that needs the time gets as a parameter."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from utils.common.errors import BadInput


class Clock:
    """Tells the system's time and waits; the console can set it forward."""

    _offset = timedelta()

    def now(self) -> datetime:
        """Return the current time, aware, in UTC, plus what :meth:`shift` added."""
        return datetime.now(UTC) + self._offset

    def monotonic(self) -> float:
        """Return the system's monotonic seconds, which a shift does not change."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait in real time."""
        await asyncio.sleep(seconds)

    def shift(self, by: timedelta) -> None:
        """Move :meth:`now` by a duration, so that a person can watch memories expire.

        Raises OverflowError if the result is outside the calendar.
        """
        datetime.now(UTC) + self._offset + by
        self._offset += by


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of all time zones, in alphabetical order; read from disk once."""
    return tuple(sorted(available_timezones()))


def time_zone_named(typed: str) -> str:
    """Return the time zone with a name such as Europe/Berlin, or the only one of a city: "berlin".

    Raises BadInput if there is none, or several: no GMT+3, as Etc/GMT+3 is west of Greenwich.
    """
    name = "_".join(typed.split()).casefold()
    cities = {zone for zone in time_zones() if not zone.startswith("Etc/")}
    for matches in (
        [zone for zone in time_zones() if zone.casefold() == name],
        [zone for zone in cities if zone.rpartition("/")[2].casefold() == name],
    ):
        if len(matches) == 1:
            return matches[0]
    raise BadInput(
        "That is no time zone I know; use a name such as Europe/Berlin, America/New_York or UTC."
    )


def local_time_zone() -> str:
    """Return the name of this machine's time zone; UTC if it has none that is known."""
    import tzlocal  # only a person at the terminal needs it

    try:
        name = tzlocal.get_localzone_name()
        is_utc = ZoneInfo(name).utcoffset(None) == timedelta()  # "Etc/UTC" is UTC
        return "UTC" if is_utc else name
    except (ZoneInfoNotFoundError, ValueError, TypeError):
        return "UTC"
