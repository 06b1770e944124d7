#!/bin/sh
# timesense 1.1.0 (PyPI, CPython 3.11), a parser of reminders and events in English and Russian that also writes calendars. A
# day that is denied is the day: "not tomorrow but on Friday at 9" is tomorrow. "The first Monday in January" is that of
# December, and a birthday on 29 February is from now on each year on the day and at the minute at which it was typed,
# with no length. Of "the 2nd and 4th Friday" the second is lost, "starting January" begins tomorrow, and "Sat nav update on
# Friday" is on Saturday. What was read as a time or a number is cut out of the title: "lunch with May" is "lunch",
# "Call April" is "Call", "bring 3 cakes" is "bring cakes", so the calendar has less than was said. The confidence is 0.9
# in each case, as of what is read right.
# Source: TimeSenseParser.parse and timesense/ics.py of the wheel; its README: "structured event objects, ready to export"; RFC
# 5545, 3.3.10 (BYMONTHDAY=29 with BYMONTH=2 says a leap day's birthday). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "timesense==1.1.0"
cd "$folder"
venv/bin/python - <<'PY' >seen
from datetime import datetime

from timesense import TimeSenseParser
from timesense.ics import to_ics

NOW = datetime(2026, 11, 30, 15, 12)
parser = TimeSenseParser()
for text in (
    "remind me not tomorrow but on Friday at 9 to call Bert",
    "meeting on the first Monday in January at 10",
    "Anna's birthday on 29 February every year",
    "quiz on the 2nd and 4th Friday of each month at 8pm",
    "training at 6pm every other Tuesday starting January",
    "Sat nav update on Friday at 5pm",
    "lunch with May at noon on Friday",
    "Call April tomorrow at 10",
    "bring 3 cakes on 5 December at 2pm",
):
    result = parser.parse(text, now=NOW, language="en")
    lines = to_ics(result, stamp=NOW).split("\r\n")
    wanted = ("SUMMARY", "DTSTART", "DTEND", "RRULE")
    print(text, "->", result.confidence, *(line for line in lines if line.startswith(wanted)))
PY
cat seen
cat >expected <<'TEXT'
remind me not tomorrow but on Friday at 9 to call Bert -> 0.9 DTSTART:20261201T090000 SUMMARY:not but to call Bert
meeting on the first Monday in January at 10 -> 0.9 DTSTART:20261207T100000 SUMMARY:meeting on the first
Anna's birthday on 29 February every year -> 0.9 DTSTART:20261130T151200 DTEND:20261130T151200 RRULE:FREQ=YEARLY SUMMARY:Anna's birthday
quiz on the 2nd and 4th Friday of each month at 8pm -> 0.9 DTSTART:20261225T200000 RRULE:FREQ=MONTHLY;BYDAY=4FR SUMMARY:quiz
training at 6pm every other Tuesday starting January -> 0.9 DTSTART:20261201T180000 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU SUMMARY:training starting
Sat nav update on Friday at 5pm -> 0.9 DTSTART:20261205T170000 SUMMARY:nav update
lunch with May at noon on Friday -> 0.9 DTSTART:20261204T120000 SUMMARY:lunch
Call April tomorrow at 10 -> 0.9 DTSTART:20261201T100000 SUMMARY:Call
bring 3 cakes on 5 December at 2pm -> 0.9 DTSTART:20261205T140000 SUMMARY:bring cakes
TEXT
cmp seen expected
