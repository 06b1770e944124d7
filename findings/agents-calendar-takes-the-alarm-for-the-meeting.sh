#!/bin/sh
# agents-calendar 0.1.2 (PyPI, CPython 3.11), a client of CalDAV for agents over MCP. Of a meeting with an alarm, as Apple's
# calendar and others store it, the model reads the alarm: its description is "Reminder", not what somebody wrote, and its id
# is the alarm's, which Apple writes too. An update of the place puts the meeting back with the alarm's id and text as its
# own, and without what the tool does not know: the rule that repeats it, who is invited, the alarm. A meeting that says how
# long it lasts (DURATION) instead of when it ends has no end for the model, and no update: "empty datetime".
# Source: parse_vevent in agents_calendar/ics.py of the wheel, which takes the last of equal names up to END:VEVENT, and
# patch_vevent, with which update_event replaces the file; RFC 5545, 3.6.1 (VALARM stands within VEVENT) and RFC 9074, 4 (its
# UID). The README says "Recurrence rules stay on the CalDAV server". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agents-calendar==0.1.2"
cd "$folder"
venv/bin/python - >seen <<'PY'
from agents_calendar.ics import parse_vevent, patch_vevent

MEETING = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:5F2A-club
DTSTART;TZID=Europe/Berlin:20261203T190000
{end}
RRULE:FREQ=WEEKLY
SUMMARY:Club
DESCRIPTION:Bring tea
ATTENDEE:mailto:kim@example.org
BEGIN:VALARM
UID:9C41-alarm
TRIGGER:-PT15M
ACTION:DISPLAY
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
END:VCALENDAR
"""
with_end = MEETING.format(end="DTEND;TZID=Europe/Berlin:20261203T210000")
event = parse_vevent(with_end, tz="Europe/Berlin")
print("read:", event["uid"], "|", event["summary"], "|", event["description"])
stored = patch_vevent(with_end, location="Hall 3").replace("\r\n", "\n")
print("\n".join(line for line in stored.splitlines() if not line.startswith("DTSTAMP")))
with_duration = MEETING.format(end="DURATION:PT2H")
print("end:", repr(parse_vevent(with_duration)["dtend"]))
try:
    patch_vevent(with_duration, location="Hall 3")
except ValueError as error:
    print("update:", error)
PY
cat seen
cat >expected <<'TEXT'
read: 9C41-alarm | Club | Reminder
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Lolaplex//agents-calendar//EN
CALSCALE:GREGORIAN
BEGIN:VEVENT
UID:9C41-alarm
DTSTART:20261203T180000Z
DTEND:20261203T200000Z
SUMMARY:Club
LOCATION:Hall 3
DESCRIPTION:Reminder
END:VEVENT
END:VCALENDAR
end: ''
update: empty datetime
TEXT
cmp seen expected
