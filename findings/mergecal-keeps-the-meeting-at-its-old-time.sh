#!/bin/sh
# mergecal 0.5.0 with icalendar 7.3.2 (PyPI, CPython 3.11), which merges calendars and leaves out what stands in both. A meeting
# is the same there only if its SEQUENCE is too: whoever merges last week's copy of a calendar with the one in which the
# meeting was moved has it at both times, and one that was cancelled since takes place as well, each under the same UID. To-dos
# and journals of all calendars are dropped without a word. Two calendars that name their own zones alike, "Club", are in
# that of the first: six in the evening in Tokyo is six in Berlin.
# Source: its summary, "A Python library to merge iCalendar feeds", and CalendarMerger.merge ("Create a unique identifier for the
# component"); RFC 5545, 3.8.7.4: SEQUENCE is "the revision sequence number" of one component, and 3.8.3.1: TZID is unique
# within one calendar. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mergecal==0.5.0" "icalendar==7.3.2"
cd "$folder"
venv/bin/python - >seen <<'PY'
from icalendar import Calendar
from mergecal import merge_calendars


def read(*lines):
    """Return a calendar of these lines."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//club//EN", *lines, "END:VCALENDAR", ""]
    return Calendar.from_ical("\r\n".join(lines))


def meet(uid, sequence, start, *more):
    """Return the lines of a meeting."""
    known = f"UID:{uid}", f"SEQUENCE:{sequence}", "DTSTAMP:20261101T000000Z"
    return "BEGIN:VEVENT", *known, f"DTSTART{start}", *more, "END:VEVENT"


def zone(offset):
    """Return the lines of the zone that a club names Club."""
    standard = "BEGIN:STANDARD", "DTSTART:19700101T000000", f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}", "END:STANDARD"
    return "BEGIN:VTIMEZONE", "TZID:Club", *standard, "END:VTIMEZONE"


def show(*calendars):
    """Print what the merged calendar has."""
    for event in Calendar.from_ical(merge_calendars(calendars).to_ical()).walk():
        if event.name not in ("VCALENDAR", "VTIMEZONE", "STANDARD"):
            print(" ", event.name, event["UID"], f"{event['DTSTART'].dt:%a %H:%M%z}", event.get("STATUS", ""))


todo = "BEGIN:VTODO", "UID:milk", "DTSTAMP:20261101T000000Z", "SUMMARY:Milk", "END:VTODO"
print("last week's, moved to Sunday, cancelled:")
first = read(*meet("board", 0, ":20261205T180000Z"), *todo)
show(first, read(*meet("board", 1, ":20261206T190000Z")), read(*meet("board", 2, ":20261206T190000Z", "STATUS:CANCELLED")))
print("the same twice:")
show(first, first)
print("Berlin and Tokyo:")
berlin = read(*zone("+0100"), *meet("berlin", 0, ";TZID=Club:20261205T180000"))
show(berlin, read(*zone("+0900"), *meet("tokyo", 0, ";TZID=Club:20261205T180000")))
PY
cat seen
cat >expected <<'TEXT'
last week's, moved to Sunday, cancelled:
  VEVENT board Sat 18:00+0000 
  VEVENT board Sun 19:00+0000 
  VEVENT board Sun 19:00+0000 CANCELLED
the same twice:
  VEVENT board Sat 18:00+0000 
Berlin and Tokyo:
  VEVENT berlin Sat 18:00+0100 
  VEVENT tokyo Sat 18:00+0100 
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
