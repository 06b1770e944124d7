#!/bin/sh
# ezcord 0.8.0 with py-cord 2.8.1 (PyPI, CPython 3.11), helpers for Discord bots, and its reader of how long members want to be
# reminded or muted, with error=True, which is to raise where nothing can be read. It knows months, weeks and days, and no
# years: "1 year" is one minute, the unit of numbers without any. Of months and days only the months count: "1 month 3 days" is
# 30 days, though weeks are added to them; "2 years 6 months" is half a year. Of two numbers without a unit the last one counts,
# so the time "18:30" is half an hour. Put into words by its sister convert_time, an hour and a half is "2 hours".
# Source: its documentation, "Supports multiple units and decimal separators", "The default unit to use if no valid unit is specified";
# convert_to_seconds in ezcord/times.py writes the months over the days. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ezcord==0.8.0" "py-cord==2.8.1"
cd "$folder"
venv/bin/python - 2>log >seen <<'PY'
from datetime import timedelta

from ezcord import convert_time, convert_to_seconds

for words in (
    "1 month",
    "1 month 3 days",
    "1 month 2 weeks",
    "3 days 2 hours",
    "1 year",
    "2 years 6 months",
    "18:30",
):
    print(f"{words} -> {timedelta(seconds=convert_to_seconds(words, error=True))}")
print(f"an hour and a half in words -> {convert_time(5400)}")
PY
cat seen
cat >expected <<'TEXT'
1 month -> 30 days, 0:00:00
1 month 3 days -> 30 days, 0:00:00
1 month 2 weeks -> 44 days, 0:00:00
3 days 2 hours -> 3 days, 2:00:00
1 year -> 0:01:00
2 years 6 months -> 180 days, 0:00:00
18:30 -> 0:30:00
an hour and a half in words -> 2 hours
TEXT
cmp expected seen
