#!/bin/sh
# discord.py 2.7.1 (PyPI, CPython 3.11): a loop of discord.ext.tasks that is given nine o'clock in Berlin and nine o'clock
# in New York runs at nine in Berlin only. The times are made unique as a set, and two datetime.time of zones with summer
# time are equal if their hands are: without a date neither has an offset. With fixed offsets, or a minute apart, both stay.
# Nothing is said of the time that is gone; which of the two it is depends on their order.
# Source: discord/ext/tasks, Loop._get_time_parameter; Python's documentation of time objects: a time whose zone's
# utcoffset(None) is None is naive, and naive times are compared by their hands. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord.py==2.7.1" "tzdata==2025.2"
"$folder/venv/bin/python" - <<'PY'
from datetime import time, timedelta, timezone
from zoneinfo import ZoneInfo

from discord.ext import tasks


def kept(*times):
    """Return the times at which a loop with these times runs."""

    @tasks.loop(time=list(times))
    async def loop():
        pass

    return [f"{at:%H:%M} {at.tzinfo}" for at in loop.time]


berlin, new_york = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
same = kept(time(9, tzinfo=berlin), time(9, tzinfo=new_york))
turned = kept(time(9, tzinfo=new_york), time(9, tzinfo=berlin))
apart = kept(time(9, tzinfo=berlin), time(9, 1, tzinfo=new_york))
fixed = kept(time(9, tzinfo=timezone(timedelta(hours=1))), time(9, tzinfo=timezone(timedelta(hours=-5))))
print("nine and nine, zones:", same)
print("the other way round:", turned)
print("a minute apart:", apart)
print("nine and nine, fixed offsets:", fixed)
assert (len(same), len(turned), len(apart), len(fixed)) == (1, 1, 2, 2), "the behaviour has changed"
assert same != turned, "the order no longer decides"
PY
