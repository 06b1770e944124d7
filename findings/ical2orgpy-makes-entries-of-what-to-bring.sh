#!/bin/sh
# ical2orgpy 0.5 with icalendar 7.3.2 and recurring-ical-events 3.8.2 (PyPI, CPython 3.11), which writes a calendar as a file of
# Emacs org-mode. A description goes into it as it is, so that a list with stars ("* cake") becomes entries of its own between the
# meeting and the next one. A time without a zone, which RFC 5545 wants shown as the same clock time everywhere, is read in the
# computer's zone and moved: with --timezone America/New_York on a server in UTC, 9 o'clock is 4 o'clock. Whatever begins and ends
# at midnight in Greenwich counts as a whole day, so a shift in New York from 19:00 on the 4th to 19:00 on the 5th is the 5th. A
# cancelled dinner is written like any other, and semicolons and line breaks keep their backslashes.
# Source: its help, "Convert ICAL format into org-mode", "Timezone to use"; RFC 5545, 3.3.5 (form 1), 3.8.1.11 (STATUS);
# create_entry and org_datetime in ical2orgpy of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ical2orgpy==0.5" "icalendar==7.3.2" "recurring-ical-events==3.8.2"
cd "$folder"
cat >club.ics <<'TEXT'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//club//EN
BEGIN:VEVENT
UID:breakfast
DTSTAMP:20261130T000000Z
DTSTART:20261203T090000
DTEND:20261203T100000
SUMMARY:Breakfast\; all welcome
DESCRIPTION:Please bring\n* cake\n* tea
END:VEVENT
BEGIN:VEVENT
UID:shift
DTSTAMP:20261130T000000Z
DTSTART:20261205T000000Z
DTEND:20261206T000000Z
SUMMARY:Shift
END:VEVENT
BEGIN:VEVENT
UID:dinner
DTSTAMP:20261130T000000Z
DTSTART:20261207T230000Z
DTEND:20261208T010000Z
STATUS:CANCELLED
SUMMARY:Dinner
END:VEVENT
END:VCALENDAR
TEXT
TZ=UTC venv/bin/ical2orgpy --days 36500 --timezone America/New_York club.ics club.org 2>log
grep . club.org >seen  # without the empty lines
cat seen
cat >expected <<'TEXT'
* Breakfast\; all welcome
  <2026-12-03 Thu 04:00>--<2026-12-03 Thu 05:00>
Please bring
* cake
* tea
* Shift
  <2026-12-05 Sat>
* Dinner
  <2026-12-07 Mon 18:00>--<2026-12-07 Mon 20:00>
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
