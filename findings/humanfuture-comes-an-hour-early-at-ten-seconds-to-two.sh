#!/bin/sh
# HumanFuture 0.2 (PyPI, CPython 3.11), which says when something will be. In the last half minute of an hour the minutes are
# rounded to sixty, which are none, and the hour is not counted up: what is one hour, 59 minutes and 40 seconds away is in "one
# hour", a second later than what is in "one hour and 59 minutes", and ten seconds before the second hour. An appointment of
# 23:58 today is "two minutes to midnight", also at noon, when all others have a clock time.
# Source: its README ("Friendly language without sacrificing precision", "a precision of one minute"); minutes, hours and the
# branch below 2.5 hours of humanize in humanfuture.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "HumanFuture==0.2"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
from datetime import datetime, timedelta

from humanfuture import humanize

now = datetime(2026, 12, 1, 12)
for away in ("0:59:29", "1:00:20", "1:59:20", "1:59:40", "2:00:00", "2:29:20", "2:29:40", "11:57:00", "11:58:00"):
    hours, minutes, seconds = map(int, away.split(":"))
    print(f"{away} away: {humanize(now + timedelta(hours=hours, minutes=minutes, seconds=seconds), now)}")
PY
cat seen
cat >expected <<'TEXT'
0:59:29 away: 59 minutes
1:00:20 away: one hour
1:59:20 away: one hour and 59 minutes
1:59:40 away: one hour
2:00:00 away: two hours
2:29:20 away: two hours and 29 minutes
2:29:40 away: two hours and 30 minutes
11:57:00 away: 11:57 pm
11:58:00 away: two minutes to midnight
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
