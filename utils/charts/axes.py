"""Where the marks of an axis are: round values, and full hours or days of a time zone. Pure."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo

INTERVALS = 4  # between values, about
HOUR = timedelta(hours=1)
TICK_HOURS = {6: 1, 14: 2, 26: 4, 50: 8, 100: 24}  # hours shown at most -> hours per tick
MAX_DAYS = 8  # ticks of a longer time
LONG_HOURS = 26  # beyond these, midnights are labelled with their day
OFFSETS = timedelta(minutes=15)  # what time zones differ by


def value_ticks(maximum: float) -> list[int]:
    """Return round whole numbers from 0 to at least ``maximum``, about evenly spaced."""
    min_step = max(1.0, maximum / INTERVALS)
    power = 10 ** math.floor(math.log10(min_step))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= min_step)
    return [step * n for n in range(max(1, math.ceil(maximum / step)) + 1)]


def short_number(value: float, write: Callable[[float, str], str] = format) -> str:
    """Return a number for the label of an axis: 950, 1.5k, 20k, 3M, 2G.

    ``write`` writes a number as a format spec has it, with a language's separators.
    """
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return write(value / limit, ".4g") + unit
    return write(value, ".4g")


def time_ticks(first: datetime, last: datetime, zone: tzinfo) -> list[tuple[datetime, bool]]:
    """Return the times to mark, in the zone: full hours that divide the day, or midnights.

    Each with whether its label is the day. A time without any of these has one mark at its start.
    """
    hours = (last - first) / HOUR
    step_hours = next((step for limit, step in TICK_HOURS.items() if hours <= limit), 24)
    seconds = OFFSETS.total_seconds()
    at = datetime.fromtimestamp(math.ceil(first.timestamp() / seconds) * seconds, zone)
    ticks = []
    while at <= last:
        if at.minute == 0 and at.hour % step_hours == 0:
            ticks.append(at)
        at = datetime.fromtimestamp(at.timestamp() + seconds, zone)
    if step_hours == 24:
        ticks = ticks[:: max(1, -(-len(ticks) // MAX_DAYS))]
    is_long = hours > LONG_HOURS
    return [(at, is_long and at.hour == 0) for at in ticks or [first.astimezone(zone)]]
