#!/bin/sh
# org2ical 0.0.4 with orgparse 0.5.20260926 and icalendar 7.3.2 (PyPI, CPython 3.11), which writes an org-mode file as a
# calendar. The UID of an event is made of its DTSTAMP too, the time of the export, so that the same file has other UIDs with
# each export, and a calendar that takes two of them shows everything twice. A dinner that is SCHEDULED from 19:00 to 21:00 ends
# at 19:00, where the same time without the keyword ends at 21:00. A heading is not escaped: "notes in C:\new" has two lines for
# who reads it. Days are written without VALUE=DATE. The list of warnings is empty.
# Source: its README, "Generate an iCalendar (.ics) file based on a OrgMode (.org) file", "assert warnings == []"; RFC 5545,
# 3.8.4.7 (a UID is persistent), 3.3.11 (TEXT); _construct_vevent in org2ical of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "org2ical==0.0.4" "orgparse==0.5.20260926" "icalendar==7.3.2"
cd "$folder"
cat >diary.org <<'TEXT'
* Dinner
  SCHEDULED: <2026-12-05 Sat 19:00-21:00>
* Choir
  <2026-12-05 Sat 19:00-21:00>
* Put notes in C:\new
  <2026-12-05 Sat 10:00>
* Rent
  DEADLINE: <2026-12-01 Tue>
TEXT
venv/bin/python - >seen <<'PY'
from datetime import UTC, datetime
from pathlib import Path

import icalendar
import org2ical

exports = {}
for day in (1, 2):
    text, warnings = org2ical.loads(Path("diary.org").read_text(), now=datetime(2026, 12, day, tzinfo=UTC))
    exports[day] = {event["UID"]: event for event in icalendar.Calendar.from_ical(text).walk("VEVENT")}
for event in exports[1].values():
    print(f"{event['SUMMARY'].splitlines()}: {event['DTSTART'].dt} to {event['DTEND'].dt}")
print("warnings:", warnings)
print("UIDs in both of two exports:", len(exports[1].keys() & exports[2].keys()))
print([line for line in text.splitlines() if line.startswith("DTSTART") and "T" not in line[8:]])
PY
cat seen
cat >expected <<'TEXT'
['Dinner']: 2026-12-05 19:00:00+00:00 to 2026-12-05 19:00:00+00:00
['Choir']: 2026-12-05 19:00:00+00:00 to 2026-12-05 21:00:00+00:00
['Put notes in C:', 'ew']: 2026-12-05 10:00:00+00:00 to 2026-12-05 10:00:00+00:00
['Rent']: 2026-12-01 to 2026-12-01
warnings: []
UIDs in both of two exports: 0
['DTSTART:20261201']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
