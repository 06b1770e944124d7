#!/bin/sh
# ics-to-org 1.0.6 with icalendar 7.3.2 (PyPI, CPython 3.11), which keeps a calendar in an Org file with one's own notes below each
# meeting, "Bulletproof merge logic". A meeting with notes that is older than the days looked back is "CANCELLED", and its day is the
# day of the run, every time: the dinner with "Anna paid" was called off, and it is today. The heading of the next day, which the
# program itself writes, is taken for notes of the last meeting above it: so the walk is called off as well, and such headings
# pile up. A weekly club is in the file only in the week of its first evening. If one evening of four was moved
# (RECURRENCE-ID), that evening is all there is of the course. 18:00 UTC is 18:00 on a machine in Berlin, as 18:00 in Tokyo is.
# Source: its README, "Calendar data always updates, user notes always preserved", "Proper handling of UTC"; merge_events takes
# what is not among the days read for removed; RFC 5545, 3.3.5, 3.6.1, 3.8.4.4, 3.8.5.3. Two runs a few days apart are played
# by two numbers of days to look back. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ics-to-org==1.0.6" "icalendar==7.3.2"
cd "$folder"
cat >calendar.py <<'PY'
from datetime import datetime, timedelta

DAY = timedelta(days=1)
NOW = datetime.now().replace(hour=18, minute=0, second=0, microsecond=0)


def at(days):
    return f"{NOW + days * DAY:%Y%m%dT%H%M%S}"


events = [
    ("dinner", f"DTSTART:{at(-8)}Z", "DURATION:PT2H"),
    ("walk", f"DTSTART:{at(-8)}Z", "DURATION:PT1H"),
    ("club", f"DTSTART:{at(-20)}Z", "DURATION:PT2H", "RRULE:FREQ=WEEKLY"),
    ("course", f"DTSTART:{at(1)}Z", "DURATION:PT2H", "RRULE:FREQ=WEEKLY;COUNT=4"),
    ("course", f"RECURRENCE-ID:{at(8)}Z", f"DTSTART:{at(9)}Z", f"DTEND:{at(9)[:9]}200000Z"),
    ("call", f"DTSTART;TZID=Asia/Tokyo:{at(2)}", f"DTEND;TZID=Asia/Tokyo:{at(2)[:9]}190000"),
]
lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//club//club//EN"]
for name, *properties in events:
    lines += ["BEGIN:VEVENT", f"UID:{name}", f"DTSTAMP:{at(0)}Z", f"SUMMARY:{name}", *properties, "END:VEVENT"]
with open("club.ics", "w", newline="") as file:
    file.write("\r\n".join([*lines, "END:VCALENDAR", ""]))
PY
cat >days.py <<'PY'
import re
from datetime import date

text = open("club.org").read()
for title, stamp, notes in re.findall(r"^\* (.*)\n:PROP[^*]*?:END:\n<(.*)>\n([^*]*)", text, re.M):
    days = (date.fromisoformat(stamp[:10]) - date.today()).days
    notes = re.sub(r"# \w+, .*", "(a day's heading)", " ".join(notes.split("\n")))
    print(f"{title}: {days:+} days{stamp[14:]}", *notes.split())
PY
export TZ=Europe/Berlin
venv/bin/python calendar.py
venv/bin/ics-sync --ics-url club.ics --org-file club.org --days-backward 10 2>log
{ echo "first:" && venv/bin/python days.py; } | tee seen
sed -i '/UID: *dinner/,/^</{/^</a\
\
Anna paid.
}' club.org
venv/bin/ics-sync --ics-url club.ics --org-file club.org 2>log
{ echo "later:" && venv/bin/python days.py; } | tee -a seen
before=$(grep -c '^# ' club.org)
venv/bin/ics-sync --ics-url club.ics --org-file club.org 2>log
echo "of headings, once more: $(($(grep -c '^# ' club.org) - before))" | tee -a seen
cat >expected <<'TEXT'
first:
dinner: -8 days
walk: -8 days (a day's heading)
call: +2 days 18:00-19:00 (a day's heading)
course: +9 days 18:00-20:00
later:
CANCELLED: dinner: +0 days Anna paid.
CANCELLED: walk: +0 days (a day's heading)
call: +2 days 18:00-19:00 (a day's heading)
course: +9 days 18:00-20:00
of headings, once more: 2
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
