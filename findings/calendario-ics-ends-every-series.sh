#!/bin/sh
# calendario-ics 2.3.1 (PyPI, CPython 3.11), which adds, changes and deletes events in the calendar files of KOrganizer and
# Rainlendar. Whichever event is changed or deleted, all others of the file are written anew from seven fields: a weekly
# series is one meeting from then on, times lose their zone and UTC times their "Z", a birthday of a whole day is at midnight,
# an alarm is gone, a task that stood between two events too, and a walk that was cancelled is CONFIRMED. A meeting that was
# moved out of its series becomes a second event of the same UID. A text that was folded within a blank is joined without it.
# What stays is reported as "Evento ... eliminado", and there is no copy of the file.
# Source: parsear_eventos, construir_evento_ics (whose status is always CONFIRMED) and _reconstruir_archivo (which says that
# it keeps "elementos como VTIMEZONE, PRODID") in calendario_ics.py of the wheel; RFC 5545, 3.1: a fold takes one blank away.
# Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "calendario-ics==2.3.1"
mkdir "$folder/calendar"
cat >"$folder/calendar/club.ics" <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//club//EN
BEGIN:VEVENT
UID:club
DTSTART;TZID=Europe/Berlin:20261203T190000
RRULE:FREQ=WEEKLY;COUNT=10
EXDATE;TZID=Europe/Berlin:20261224T190000
SUMMARY:Club
DESCRIPTION:Bring tea
  and cake
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT1H
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:club
RECURRENCE-ID;TZID=Europe/Berlin:20261210T190000
DTSTART;TZID=Europe/Berlin:20261211T200000
SUMMARY:Club
END:VEVENT
BEGIN:VTODO
UID:hall
DUE;VALUE=DATE:20261207
SUMMARY:Pay for the hall
END:VTODO
BEGIN:VEVENT
UID:walk
DTSTART:20261205T090000Z
STATUS:CANCELLED
SUMMARY:Walk
END:VEVENT
BEGIN:VEVENT
UID:birthday
DTSTART;VALUE=DATE:20261206
RRULE:FREQ=YEARLY
SUMMARY:Kim's birthday
END:VEVENT
BEGIN:VEVENT
UID:old
DTSTART:20261101T090000Z
SUMMARY:Something old
END:VEVENT
END:VCALENDAR
ICS
cd "$folder"
HOME="$folder" CALENDARIO_ICS_DIR="$folder/calendar" venv/bin/python - <<'PY'
import calendario_ics

print(calendario_ics.eliminar_evento("old"))
PY
tr -d '\r' <calendar/club.ics | grep -v '^$' >seen
cat seen
cat >expected <<'TEXT'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//club//EN
BEGIN:VEVENT
UID:club
SUMMARY:Club
DESCRIPTION:Bring teaand cake
DTSTART:20261203T190000
STATUS:CONFIRMED
END:VEVENT
BEGIN:VEVENT
UID:club
SUMMARY:Club
DESCRIPTION:
DTSTART:20261211T200000
STATUS:CONFIRMED
END:VEVENT
BEGIN:VEVENT
UID:walk
SUMMARY:Walk
DESCRIPTION:
DTSTART:20261205T090000
STATUS:CONFIRMED
END:VEVENT
BEGIN:VEVENT
UID:birthday
SUMMARY:Kim's birthday
DESCRIPTION:
DTSTART:20261206T000000
STATUS:CONFIRMED
END:VEVENT
END:VCALENDAR
TEXT
cmp seen expected
