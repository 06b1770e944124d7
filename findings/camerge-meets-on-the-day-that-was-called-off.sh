#!/bin/sh
# camerge 0.0.3 with icalendar 7.3.2 and recurring-ical-events 3.8.2 (PyPI, CPython 3.11), which merges calendars into one that
# shows when somebody has time. It copies nine named properties of an event; EXDATE, RDATE and DURATION are not among them. The
# choir that does not meet on 8 December meets on 8 December in the merged calendar, the dentist's second visit on the 9th is
# gone, and a shift of eight hours that is written with DURATION, as RFC 5545 allows, takes no time, so that whoever looks for a
# free hour finds one in its middle.
# Source: its README, "merges them, optionally anonymize them and creates new ical calendar with the correct availability data";
# __process_calendar_data in camerge/__init__.py; RFC 5545, 3.6.1 (either DTEND or DURATION), 3.8.5.1 (EXDATE). Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "camerge==0.0.3" "icalendar==7.3.2" "recurring-ical-events==3.8.2"
cd "$folder"
cat >mine.ics <<'TEXT'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//club//EN
BEGIN:VEVENT
UID:choir
DTSTAMP:20261130T000000Z
DTSTART:20261201T190000Z
DTEND:20261201T210000Z
RRULE:FREQ=WEEKLY;COUNT=3
EXDATE:20261208T190000Z
SUMMARY:Choir
END:VEVENT
BEGIN:VEVENT
UID:dentist
DTSTAMP:20261130T000000Z
DTSTART:20261202T080000Z
DTEND:20261202T090000Z
RDATE:20261209T080000Z
SUMMARY:Dentist
END:VEVENT
BEGIN:VEVENT
UID:shift
DTSTAMP:20261130T000000Z
DTSTART:20261203T080000Z
DURATION:PT8H
SUMMARY:Shift
END:VEVENT
END:VCALENDAR
TEXT
venv/bin/python - >seen <<'PY'
import datetime
from pathlib import Path

import icalendar
import recurring_ical_events
from camerge import merge_calendars

merged = merge_calendars([(f"file://{Path('mine.ics').absolute()}", False)])
for name, text in (("mine", Path("mine.ics").read_text()), ("merged", merged)):
    events = recurring_ical_events.of(icalendar.Calendar.from_ical(text)).between(
        datetime.date(2026, 12, 1), datetime.date(2026, 12, 31)
    )
    for event in sorted(events, key=lambda event: event["DTSTART"].dt):
        print(f"{name}: {event['SUMMARY']} {event['DTSTART'].dt:%d %b %H:%M} to {event['DTEND'].dt:%H:%M}")
PY
cat seen
cat >expected <<'TEXT'
mine: Choir 01 Dec 19:00 to 21:00
mine: Dentist 02 Dec 08:00 to 09:00
mine: Shift 03 Dec 08:00 to 16:00
mine: Dentist 09 Dec 08:00 to 09:00
mine: Choir 15 Dec 19:00 to 21:00
merged: Choir 01 Dec 19:00 to 21:00
merged: Dentist 02 Dec 08:00 to 09:00
merged: Shift 03 Dec 08:00 to 08:00
merged: Choir 08 Dec 19:00 to 21:00
merged: Choir 15 Dec 19:00 to 21:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
