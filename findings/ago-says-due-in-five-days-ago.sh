#!/bin/sh
# ago 0.1.1 with freezegun 1.5.5, which sets the day (PyPI, CPython 3.11), says how long something is away. A timedelta of five
# days is past, and one of minus five days to come, so that the README's own line "Due in " + human(delta), which it shows as
# "Due in 5 days, 3 hours", is "Due in 5 days, 3 hours ago". A year is 365 days: on the thirtieth birthday somebody was born "30
# years, 7 days ago", and what happened on the first of January of a leap year is "1 year ago" on New Year's Eve.
# Source: its README, "With a timedelta object", "# Due in 5 days, 3 hours"; get_delta_from_subject and TIME_UNITS in ago/ago.py
# of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ago==0.1.1" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime, timedelta

from ago import human
from freezegun import freeze_time

print("Due in " + human(timedelta(days=5, hours=3, minutes=45)))
print("timedelta(days=-5):", human(timedelta(days=-5)))
print("timedelta(days=5):", human(timedelta(days=5)))
for now, then in (
    ("2026-12-01", "1996-12-01"),
    ("2026-12-01", "2006-12-01"),
    ("2024-12-31", "2024-01-01"),
):
    with freeze_time(now):
        print(f"{then}, on {now}: {human(datetime.fromisoformat(then))}")
PY
cat seen
cat >expected <<'TEXT'
Due in 5 days, 3 hours ago
timedelta(days=-5): in 5 days
timedelta(days=5): 5 days ago
1996-12-01, on 2026-12-01: 30 years, 7 days ago
2006-12-01, on 2026-12-01: 20 years, 5 days ago
2024-01-01, on 2024-12-31: 1 year ago
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
