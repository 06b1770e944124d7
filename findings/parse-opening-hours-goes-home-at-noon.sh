#!/bin/sh
# parse-opening-hours 0.4.2 with pyparsing 3.3.3 (PyPI, CPython 3.11), which reads when somebody is there. Whatever stands behind
# the first span of time is left out without a word: "Mon-Fri 9am-12pm, 1pm-5pm" goes home at noon, and with "closed Wednesday"
# behind the hours Wednesday is open. Days that go on over Sunday lose their last one: "Sun-Tue" is Sunday and Monday, "Fri-Mon"
# Friday alone, where "Mon-Thurs" is all four. Midnight is noon: "12am-6am" is 12:00 to 18:00, "6pm-12am" 18:00 to 12:00.
# Source: its README, "parses opening hours from various human-readable strings ... into a more standard JSON format that can be
# processed more easily"; days.py, time.py and times.py in opening_hours/models of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "parse-opening-hours==0.4.2" "pyparsing==3.3.3"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
from opening_hours import OpeningHours

for text in (
    "Mon-Fri 9am-5pm",
    "Mon-Fri 9am-12pm, 1pm-5pm",
    "Mon-Fri 9am-5pm, closed Wednesday",
    "Mon-Thurs 9am-5pm",
    "Sun-Tue 9am-5pm",
    "Fri-Mon 9am-5pm",
    "Saturday 12am-6am",
    "Saturday 6pm-12am",
):
    hours = OpeningHours.parse(text).json()
    spans = {f"{hour['opens']} to {hour['closes']}" for hour in hours}
    print(f"{text}: {', '.join(hour['day'][:3] for hour in hours)}, {', '.join(sorted(spans))}")
PY
cat seen
cat >expected <<'TEXT'
Mon-Fri 9am-5pm: mon, tue, wed, thu, fri, 9:00 to 17:00
Mon-Fri 9am-12pm, 1pm-5pm: mon, tue, wed, thu, fri, 9:00 to 12:00
Mon-Fri 9am-5pm, closed Wednesday: mon, tue, wed, thu, fri, 9:00 to 17:00
Mon-Thurs 9am-5pm: mon, tue, wed, thu, 9:00 to 17:00
Sun-Tue 9am-5pm: sun, mon, 9:00 to 17:00
Fri-Mon 9am-5pm: fri, 9:00 to 17:00
Saturday 12am-6am: sat, 12:00 to 18:00
Saturday 6pm-12am: sat, 18:00 to 12:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
