#!/bin/sh
# human-friendly-opening-hours 0.0.6 (PyPI, CPython 3.11), which says and tests when somebody is there. The list of hours
# belongs to the class and not to the object, so that all objects of a process share it: Ben, to whom only Friday evening was
# added, is there on Monday morning because Anna is, and both are described with the hours of both. Hours that end after
# midnight never begin: on Friday at 21 o'clock, and on Saturday at 1 o'clock, nobody is there, though the description says
# "Friday: 20:00 to 02:00".
# Source: its README, "shopOpeningHours = OpeningHours()", "check if the time passed matches the opening hours"; class
# OpeningHours in human_friendly_opening_hours/main.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "human-friendly-opening-hours==0.0.6"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime, time

from human_friendly_opening_hours import Opening, OpeningHours, Weekdays

anna, ben = OpeningHours(), OpeningHours()
anna.add_opening(Opening(Weekdays.mon, time(9), time(17)))
ben.add_opening(Opening(Weekdays.fri, time(20), time(2)))
for name, hours in (("Anna", anna), ("Ben", ben)):
    print(f"{name}:", "; ".join(map(str, hours.opening_hours_description())))
    for moment in (datetime(2026, 11, 30, 10), datetime(2026, 12, 4, 21), datetime(2026, 12, 5, 1)):
        print(f"{name} on {moment:%A at %H:%M}: {hours.is_open(moment)}")
PY
cat seen
cat >expected <<'TEXT'
Anna: Monday: 09:00 to 17:00; Friday: 20:00 to 02:00
Anna on Monday at 10:00: True
Anna on Friday at 21:00: False
Anna on Saturday at 01:00: False
Ben: Monday: 09:00 to 17:00; Friday: 20:00 to 02:00
Ben on Monday at 10:00: True
Ben on Friday at 21:00: False
Ben on Saturday at 01:00: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
