#!/bin/sh
# lunar-birthday-ical 0.6.0 with icalendar 7.3.2 and lunar-python 1.4.8 (PyPI, CPython 3.11), which writes birthdays by
# the lunar calendar into an .ics file. Who is born in January or February before the lunar new year is born in the
# lunar year before, and has the lunar birthday of a year early in the next one. The age is the difference of the two
# numbers all the same, so Mei, born on 10 January 2000, is 26 on 10 January 2026, and 25 on her lunar birthday twelve
# days later; so each year. Lan, born in March, has one age for both. With one person in the file who is born on 29
# February there is no calendar for anybody: "day is out of range for month".
# Source: _add_birthday_event in lunar_birthday_ical/calendar.py of the wheel (age = year - start_datetime.year,
# replace(year=year)); the README's example of solar_birthday and lunar_birthday. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "lunar-birthday-ical==0.6.0" "icalendar==7.3.2" "lunar-python==1.4.8"
cd "$folder"
cat >family.yaml <<'YAML'
global:
  timezone: Asia/Shanghai
  year_start: 2025
  year_end: 2026
events:
  - name: Mei
    start_date: 2000-01-10
    event_keys: [lunar_birthday, solar_birthday]
  - name: Lan
    start_date: 2000-03-10
    event_keys: [lunar_birthday, solar_birthday]
YAML
{
    cat family.yaml
    printf '  - name: Bo\n    start_date: 2000-02-29\n    event_keys: [solar_birthday]\n'
} >with-bo.yaml
venv/bin/lunar-birthday-ical family.yaml >program.log 2>&1
if venv/bin/lunar-birthday-ical with-bo.yaml >with-bo.log 2>&1 || [ -e with-bo.ics ]; then
    echo "the 29 February is read"
    exit 1
fi
venv/bin/python - <<'PY' | tee seen
import re
from pathlib import Path
from zoneinfo import ZoneInfo

from icalendar import Calendar

days = []
for event in Calendar.from_ical(Path("family.ics").read_bytes()).walk("VEVENT"):
    text = str(event["DESCRIPTION"])
    kind = "lunar" if "农历" in text else "solar"
    day = event["DTSTART"].dt.astimezone(ZoneInfo("Asia/Shanghai")).date()
    days.append((text.split()[0], day, kind, re.search(r"age: (\d+)", text)[1]))
for name, day, kind, age in sorted(days):
    print(f"{name}, {day}, {kind} birthday: {age}")
PY
tail -n 1 with-bo.log | tee -a seen
cat >expected <<'TEXT'
Lan, 2025-03-04, lunar birthday: 25
Lan, 2025-03-10, solar birthday: 25
Lan, 2026-03-10, solar birthday: 26
Lan, 2026-03-23, lunar birthday: 26
Mei, 2025-01-10, solar birthday: 25
Mei, 2026-01-10, solar birthday: 26
Mei, 2026-01-22, lunar birthday: 25
Mei, 2027-01-11, lunar birthday: 26
ValueError: day is out of range for month
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
