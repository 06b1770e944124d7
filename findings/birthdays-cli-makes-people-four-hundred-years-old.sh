#!/bin/sh
# birthdays-cli 0.8.1 with icalendar 7.3.2 (PyPI, CPython 3.11), birthdays of an address book in "all vCard formats". Apple
# writes 1604 for the year of a birthday that has none, and says so: "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15". The
# parameter is skipped, so Kim is 422 years old in the list, and "Turns 423 this year!" in the calendar. Two further
# forms are left out without a word, while "Added" counts the rest: a birthday with a time, which is vCard 3.0's own
# second example, and one in a group ("item1.BDAY"), as any property may be.
# Source: BIRTHDAY, DATE and parse_vcards in birthdays.py of the wheel; RFC 2426, 3.1.5 and section 4. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "birthdays-cli==0.8.1" "icalendar==7.3.2"
cd "$folder"
venv/bin/python - <<'PY'
import datetime
from pathlib import Path

from birthdays.birthdays import build_ical, parse_vcards

CARDS = {
    "Kim": "BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15",
    "Sam": "BDAY:1990-05-20T00:00:00Z",
    "Gil": "item1.BDAY:1990-07-01",
    "Lee": "BDAY:--0615",
    "Ann": "BDAY;VALUE=date:1950-12-20",
}
cards = (
    f"BEGIN:VCARD\nVERSION:3.0\nN:;{name};;;\nFN:{name}\n{birthday}\nEND:VCARD\n"
    for name, birthday in CARDS.items()
)
Path("contacts.vcf").write_text("".join(cards))
people = {person.full_name: person for person in parse_vcards(Path("contacts.vcf"), "before")}
for name, birthday in CARDS.items():
    person = people.get(name)
    print(f"{birthday}: {f'{person}, age {person.get_age()}' if person else 'left out'}")
kim = people["Kim"]
calendar = build_ical([kim], 1, 1, "09:00", "{name}", "Turns {age} this year!", "", "").to_ical().decode()
description = next(line for line in calendar.splitlines() if line.startswith("DESCRIPTION:Turns"))
print(description)
year = kim.get_next_occurrence(datetime.date.today()).year
if set(people) != {"Kim", "Lee", "Ann"} or kim.year != 1604 or people["Lee"].year is not None:
    raise SystemExit("the behaviour has changed")
if description != f"DESCRIPTION:Turns {year - 1604} this year!":
    raise SystemExit("the calendar has changed")
PY
