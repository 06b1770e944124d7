#!/bin/sh
# calendar-link 0.3.0 with icalendar 7.3.2 (PyPI, CPython 3.11), which makes links that put a meeting into somebody's calendar. Its own
# example of a time zone, ten o'clock in New York, is ten o'clock in Greenwich in the links for Google, Yahoo and AOL, so it is entered
# for five in the morning; the links for Apple and Microsoft and the file have it right, and of one meeting there are two times. A
# whole day is from midnight to midnight for Google, a meeting of no length; in the file a day ends as it begins,
# which RFC 5545 does not allow. Microsoft's address lacks the question mark before its values.
# Source: README: "Support for timezone handling" and "Working with Timezones"; _format_google_dates and _format_yahoo_datetime in
# calendar_generator.py write "Z" behind the hours as they are; RFC 5545, 3.8.2.2: DTEND "MUST be later". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "calendar-link==0.3.0" "icalendar==7.3.2"
cd "$folder"
cat >links.py <<'PY'
from datetime import datetime
from urllib.parse import unquote

import pytz
from calendar_link import CalendarEvent, CalendarGenerator

start = pytz.timezone("America/New_York").localize(datetime(2024, 1, 15, 10, 0))
generator = CalendarGenerator()
meeting = CalendarEvent(title="Meeting", start_time=start, end_time=start.replace(hour=11), timezone="America/New_York")
for service, link in generator.generate_all_links(meeting).items():
    if service != "ics":
        print(f"{service}:", unquote(link).partition(".com")[2])
print(*[line for line in generator.generate_ics(meeting).splitlines() if line.startswith("DTSTART")])
birthday = CalendarEvent(title="Birthday", start_time=datetime(2024, 5, 3), end_time=datetime(2024, 5, 3), all_day=True)
print("google:", unquote(generator.generate_link(birthday, "google")).rpartition("&")[2])
print(*[line for line in generator.generate_ics(birthday).splitlines() if line.startswith(("DTSTART", "DTEND"))])
PY
venv/bin/python links.py >seen
cat seen
cat >expected <<'TEXT'
google: /calendar/render?action=TEMPLATE&text=Meeting&dates=20240115T100000Z/20240115T110000Z
apple: /event?title=Meeting&start=2024-01-15T10:00:00-05:00&end=2024-01-15T11:00:00-05:00
yahoo: /?v=60&title=Meeting&st=20240115T100000Z&et=20240115T110000Z
aol: /?v=60&title=Meeting&st=20240115T100000Z&et=20240115T110000Z
outlook: /calendar/0/path=/calendar/action/compose&rru=addevent&subject=Meeting&startdt=2024-01-15T10:00:00-05:00&enddt=2024-01-15T11:00:00-05:00
office365: /calendar/0/path=/calendar/action/compose&rru=addevent&subject=Meeting&startdt=2024-01-15T10:00:00-05:00&enddt=2024-01-15T11:00:00-05:00
DTSTART;TZID=America/New_York:20240115T100000
google: dates=20240503T000000Z/20240503T000000Z
DTSTART;VALUE=DATE:20240503 DTEND;VALUE=DATE:20240503
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
