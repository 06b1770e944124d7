#!/bin/sh
# timezone-adapter 0.1.1 with pytz 2025.2 and freezegun 1.5.5, which sets the day (PyPI, CPython 3.11), for the days of people in
# another zone. The offset of a zone is taken once, at the moment the adapter is made, and holds for all dates: asked in
# December, the first of July in Berlin begins at 1 o'clock and ends at 0:59 on the second, so what was said at half past midnight
# is counted for the day before; asked in July, it is December that is an hour off. "Today" is the day on which the adapter was
# made: a program that has run for three days still gives the first.
# Source: docstrings of get_min_date and get_max_date ("the minimum datetime value for the specified date in the specified
# timezone"), of get_min_max_datetime_today ("for the current day"), and __init__ in timezone_adapter/main.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "timezone-adapter==0.1.1" "pytz==2025.2" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime
from zoneinfo import ZoneInfo

from freezegun import freeze_time
from timezone_adapter import TimeZoneAdapter

BERLIN = ZoneInfo("Europe/Berlin")


def show(begin, end):
    return f"from {begin.astimezone(BERLIN):%Y-%m-%d %H:%M} to {end.astimezone(BERLIN):%Y-%m-%d %H:%M}"


for asked in ("2026-12-01 12:00", "2026-07-01 12:00"):
    with freeze_time(asked) as clock:
        adapter = TimeZoneAdapter("Europe/Berlin")
        for day in ("2026-07-01", "2026-12-01"):
            noon = datetime.fromisoformat(f"{day} 12:00").replace(tzinfo=BERLIN)
            print(f"asked on {asked[:10]}, {day} in Berlin:", show(*adapter.get_min_max_datetime_by_date(noon)))
        clock.tick(3 * 86400)
        print("three days later, today:", show(*adapter.get_min_max_datetime_today()))
PY
cat seen
cat >expected <<'TEXT'
asked on 2026-12-01, 2026-07-01 in Berlin: from 2026-07-01 01:00 to 2026-07-02 00:59
asked on 2026-12-01, 2026-12-01 in Berlin: from 2026-12-01 00:00 to 2026-12-01 23:59
three days later, today: from 2026-12-01 00:00 to 2026-12-01 23:59
asked on 2026-07-01, 2026-07-01 in Berlin: from 2026-07-01 00:00 to 2026-07-01 23:59
asked on 2026-07-01, 2026-12-01 in Berlin: from 2026-11-30 23:00 to 2026-12-01 22:59
three days later, today: from 2026-07-01 00:00 to 2026-07-01 23:59
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
