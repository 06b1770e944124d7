#!/bin/sh
# kim-reminder 4.5.10 with freezegun 1.5.5, which sets the clock, Monday, 23 November 2026, 10:00 in Greenwich (PyPI, CPython
# 3.11). Its --tz refuses each name with a slash and asks for one, "Use an IANA name like 'Asia/Kolkata'": the README's own
# reminder "--tz America/New_York" cannot be set, only CET, EST and the like can. Its daily one, "--at 10:00 --tz
# Asia/Kolkata", is set, and comes at ten where the program runs; a line in the log alone tells. Of a delay the digits and the
# first letter behind them count: "in 2 months" is in two minutes, "on 24 December" in 24 days, "on 3 March" in three minutes
# and "1 September" in a second; "in 1,5 h" is five hours, and "in 1h30" one. "2 weeks", "an hour" and "tomorrow 10am" without
# "at" are refused with a sentence, so what is accepted looks understood.
# Source: its README, 'kim remind "deploy" at 2026-04-07 14:30 --tz America/New_York', "timezone: IANA name e.g.
# Asia/Kolkata"; _get_utc_offset and parse_datetime in kim/core.py, _next_at_fire in kim/scheduler.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q "kim-reminder==4.5.10" "freezegun==1.5.5" "tzdata==2025.2"
HOME=$folder TZ=UTC venv/bin/python - >seen 2>log <<'PY'
from datetime import datetime

from freezegun import freeze_time
from kim.core import parse_datetime
from kim.scheduler import KimScheduler


def show(typed, zone=None):
    """Print when a reminder comes that is typed behind its text."""
    try:
        said = f"{datetime.utcfromtimestamp(parse_datetime(typed.split(), zone)):%d %B %H:%M:%S}"
    except ValueError as error:
        said = str(error).splitlines()[0]
    print(f"{typed}{f' --tz {zone}' if zone else ''}: {said}")


with freeze_time("2026-11-23 10:00:00"):
    for zone in ("America/New_York", "EST"):
        show("at 2026-12-07 14:30", zone)
    for zone in ("Asia/Kolkata", "EST"):
        daily = KimScheduler._next_at_fire({"name": "standup", "at": "10:30", "timezone": zone})
        print(f"daily at 10:30 --tz {zone}: {datetime.utcfromtimestamp(daily):%d %B %H:%M}")
    for typed in (
        "in 2h 30m",
        "in 2 months",
        "on 24 December",
        "on 3 March",
        "1 September",
        "in 1,5 h",
        "in 1h30",
        "in 2 weeks",
        "in an hour",
        "tomorrow 10am",
        "at tomorrow 10am",
    ):
        show(typed)
PY
cat seen
cat >expected <<'TEXT'
at 2026-12-07 14:30 --tz America/New_York: Invalid timezone name: 'America/New_York'. Use an IANA name like 'Asia/Kolkata' or 'America/New_York'.
at 2026-12-07 14:30 --tz EST: 07 December 19:30:00
daily at 10:30 --tz Asia/Kolkata: 23 November 10:30
daily at 10:30 --tz EST: 23 November 15:30
in 2h 30m: 23 November 12:30:00
in 2 months: 23 November 10:02:00
on 24 December: 17 December 10:00:00
on 3 March: 23 November 10:03:00
1 September: 23 November 10:00:01
in 1,5 h: 23 November 15:00:00
in 1h30: 23 November 11:00:00
in 2 weeks: Could not parse time: 'in 2 weeks'.
in an hour: Could not parse time: 'in an hour'.
tomorrow 10am: Could not parse time: 'tomorrow 10am'.
at tomorrow 10am: 24 November 10:00:00
TEXT
cmp expected seen
