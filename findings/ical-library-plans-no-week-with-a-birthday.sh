#!/bin/sh
# ical-library 0.2.3 (PyPI, CPython 3.11), which shows what a calendar has in some days. A day of its own without an end, as
# birthdays mostly are, lasts that day. Here it lasts for no time that is known: one birthday in the file, and nothing of it
# is shown, but an AttributeError about "intersects". A series that is later from one day on (THISANDFUTURE) is later on
# that day alone, a meeting that was cancelled takes place, and the backslashes stay in "Tea\, cake\nand milk".
# Source: its README: "Fully functional support for recurring iCal components", "Redefined/changed components/events correctly
# show the latest version", "No strict evaluation that could lead to errors"; RFC 5545, 3.6.1 (a DATE without an end "is taken
# to be one day"), 3.2.13 for RANGE, 3.3.11 for "\,". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ical-library==0.2.3"
cd "$folder"
venv/bin/python - >seen <<'PY'
from pathlib import Path

import pendulum
from ical_library import client


def event(uid, *lines):
    """Return the lines of an event."""
    return ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20261001T000000Z", *lines, "END:VEVENT"]


def show(*events):
    """Print what a calendar with these events has in a winter."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//club//EN", *sum(events, []), "END:VCALENDAR", ""]
    file = Path("club.ics")
    file.write_bytes("\r\n".join(lines).encode())
    winter = pendulum.datetime(2026, 11, 1), pendulum.datetime(2027, 1, 31)
    try:
        for span, found in client.parse_icalendar_file(file).get_limited_timeline(*winter).iterate():
            print(f"  {span.begin:%d %b %H:%M} {found.summary.value}")
    except AttributeError as error:
        print(f"  {error}")


board = event("board", "SUMMARY:Board", "DTSTART:20261207T180000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3")
later = "SUMMARY:Later", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261214T180000Z", "DTSTART:20261214T200000Z", "DURATION:PT1H"
print("a birthday with its end")
show(event("ada", "SUMMARY:Ada", "DTSTART;VALUE=DATE:20201210", "DTEND;VALUE=DATE:20201211", "RRULE:FREQ=YEARLY"))
print("without, beside a board")
show(board, event("ada", "SUMMARY:Ada", "DTSTART;VALUE=DATE:20201210", "RRULE:FREQ=YEARLY"))
print("later from the second week on")
show(board, event("board", *later))
print("cancelled")
show(event("tea", "SUMMARY:Tea\\, cake\\nand milk", "STATUS:CANCELLED", "DTSTART:20261207T180000Z", "DURATION:PT1H"))
PY
cat seen
cat >expected <<'TEXT'
a birthday with its end
  10 Dec 00:00 Ada
without, beside a board
  'NoneType' object has no attribute 'intersects'
later from the second week on
  07 Dec 18:00 Board
  14 Dec 20:00 Later
  21 Dec 18:00 Board
cancelled
  07 Dec 18:00 Tea\, cake\nand milk
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
