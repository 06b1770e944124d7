#!/bin/sh
# timefyi 0.1.3 with freezegun 1.5.5, which sets the day, and tzdata 2026.6 (PyPI, CPython 3.11), times of people in other
# zones. Quarters of an hour are rounded to tenths: between India and Nepal, which are 15 minutes apart, it says "+0.2h", and
# of Nepal's 5:45 "+5.8h". The table of hours cuts what is not a whole hour off: 9 o'clock in London is 14:45 in Kathmandu and
# stands there as 14, and noon in Kathmandu, 6:15 in London, as 6. Hours in which all work are counted by their beginning, so
# that 12 o'clock UTC, 17:45 in Kathmandu, is an hour of business that ends at 18:00. In Ireland is_dst is False in July, as in
# January.
# Source: its README, "compute time differences, find business hours overlap", +5:45 and +12:45 in its table of offsets;
# difference_str, get_hourly_comparison and get_current_time in timefyi/engine.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "timefyi==0.1.3" "freezegun==1.5.5" "tzdata==2026.6"
cd "$folder"
PYTHONTZPATH="" venv/bin/python - >seen <<'PY'
from freezegun import freeze_time
from timefyi.engine import (
    get_business_hours_overlap,
    get_current_time,
    get_hourly_comparison,
    get_time_difference,
)

with freeze_time("2026-01-15 12:00"):
    for pair in (
        ("Asia/Kolkata", "Asia/Kathmandu"),
        ("UTC", "Asia/Kathmandu"),
        ("Pacific/Auckland", "Pacific/Chatham"),
    ):
        print(*pair, get_time_difference(*pair).difference_str)
    print("London and Kathmandu:", get_hourly_comparison("Europe/London", "Asia/Kathmandu")[9:12])
    print("Kathmandu and London:", get_hourly_comparison("Asia/Kathmandu", "Europe/London")[12:15])
    print("both at work, UTC:", get_business_hours_overlap(["Europe/London", "Asia/Kathmandu"]))
for day in ("2026-01-15", "2026-07-15"):
    with freeze_time(day):
        for zone in ("Europe/London", "Europe/Dublin"):
            now = get_current_time(zone)
            print(day, zone, now.utc_offset, now.timezone_abbr, "summer time:", now.is_dst)
PY
cat seen
cat >expected <<'TEXT'
Asia/Kolkata Asia/Kathmandu +0.2h
UTC Asia/Kathmandu +5.8h
Pacific/Auckland Pacific/Chatham +0.8h
London and Kathmandu: [(9, 14), (10, 15), (11, 16)]
Kathmandu and London: [(12, 6), (13, 7), (14, 8)]
both at work, UTC: [9, 10, 11, 12]
2026-01-15 Europe/London +00:00 GMT summer time: False
2026-01-15 Europe/Dublin +00:00 GMT summer time: False
2026-07-15 Europe/London +01:00 BST summer time: True
2026-07-15 Europe/Dublin +01:00 IST summer time: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
