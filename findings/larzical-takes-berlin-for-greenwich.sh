#!/bin/sh
# larzical 0.1.0 (PyPI, CPython 3.11) writes and reads calendars (RFC 5545), "and the details hand-rolled .ics generators get wrong".
# Every time is written with a Z behind it, as it stands: a datetime with the zone Europe/Berlin, 19:00, becomes 19:00 UTC, and
# so does one without a zone and one that was read with TZID, so the club meets at 20:00. Read and written again, a
# calendar has a cancelled evening once more (EXDATE is kept aside and not written), and a walk of 90 minutes (DURATION) has no
# end. Two calendars whose first events begin at the same time give them the same UID, "...-0@larzical": who
# imports both has one of them. DTSTAMP, when it was written, is the time of the event.
# Source: its README, "Date-time (3.3.5) - UTC", "parse the ones they send you", "Round-trip"; RFC 5545, 3.3.5 (Z means UTC),
# 3.8.5.1, 3.8.4.7 (UID is globally unique), 3.8.7.2; strftime("...Z") in larzical/ical.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "larzical==0.1.0"
cd "$folder"
cat >again.py <<'PY'
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from larzical import Calendar, Event

NAMES = ("UID", "DTSTAMP", "DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE")


def lines(calendar):
    """Return the lines of the first event that are about time."""
    event = calendar.to_ical().split("BEGIN:VEVENT")[1]
    return " ".join(line for line in event.split("\r\n") if line.startswith(NAMES))


def made(summary, start):
    calendar = Calendar()
    calendar.add(Event(summary=summary, start=start))
    return lines(calendar)


def again(*given):
    whole = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//club//club//EN", "BEGIN:VEVENT", "UID:club@example.org"]
    whole += ["DTSTAMP:20261101T000000Z", *given, "END:VEVENT", "END:VCALENDAR", ""]
    return lines(Calendar.parse("\r\n".join(whole)))


print("19:00 in Berlin:", made("Club", datetime(2026, 12, 3, 19, tzinfo=ZoneInfo("Europe/Berlin"))))
print("19:00 in UTC:", made("Walk", datetime(2026, 12, 3, 19, tzinfo=UTC)))
print(
    "read, written:",
    again(
        "DTSTART;TZID=Europe/Berlin:20261203T190000",
        "DTEND;TZID=Europe/Berlin:20261203T210000",
        "RRULE:FREQ=WEEKLY;COUNT=4",
        "EXDATE;TZID=Europe/Berlin:20261210T190000",
    ),
)
print("read, written:", again("DTSTART:20261205T140000Z", "DURATION:PT90M"))
PY
venv/bin/python again.py | tee seen
cat >expected <<'TEXT'
19:00 in Berlin: UID:20261203T190000Z-0@larzical DTSTAMP:20261203T190000Z DTSTART:20261203T190000Z
19:00 in UTC: UID:20261203T190000Z-0@larzical DTSTAMP:20261203T190000Z DTSTART:20261203T190000Z
read, written: UID:club@example.org DTSTAMP:20261203T190000Z DTSTART:20261203T190000Z DTEND:20261203T210000Z RRULE:FREQ=WEEKLY;COUNT=4
read, written: UID:club@example.org DTSTAMP:20261205T140000Z DTSTART:20261205T140000Z
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
