#!/bin/sh
# dateparse 1.4.0 (PyPI, CPython 3.11), which reads days in English, with days that a caller names. What one parser is told, all
# are: the names go into the class's own dictionary. Ada's parser knows her birthday as the 11th of June; when Ben's is made
# with his on the 3rd of March, Ada's reminder is set before Ben's birthday, and Eva's, who told none, has one too.
# "Yesterday" is in a year's time, unless the past is allowed; with it allowed, "May 5" is last May. A number before a date is
# its month or day: "meet 3 friends on December 7" is the 7th of March. A year in the past is moved on: 1999 is 2000.
# Source: README: "You can also define your own custom named days as a string dictionary and pass it into the parser"; docstring of
# DateParser: it remembers "user-defined preferences"; self.named_days = self.default_named_days in dateparse/dateparser.py.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "dateparse==1.4.0"
cd "$folder"
venv/bin/python - <<'PY' >seen
from datetime import date

from dateparse import DateParser

today = date(2026, 11, 30)
ada = DateParser(today, {"my birthday": "june 11"})
print("Ada, alone:", ada.get_first_date("two days before my birthday"))
ben = DateParser(today, {"my birthday": "march 3"})
for name, parser in ("Ada", ada), ("Ben", ben), ("Eva", DateParser(today)):
    print(f"{name}:", parser.get_first_date("two days before my birthday"))
for text in "yesterday", "may 5", "meet 3 friends on december 7", "december 7 1999":
    print(text, "->", ada.get_first_date(text), ada.get_first_date(text, allow_past=True))
PY
cat seen
cat >expected <<'TEXT'
Ada, alone: 2027-06-09
Ada: 2027-03-01
Ben: 2027-03-01
Eva: 2027-03-01
yesterday -> 2027-11-29 2026-11-29
may 5 -> 2027-05-05 2026-05-05
meet 3 friends on december 7 -> 2027-03-07 2026-03-07
december 7 1999 -> 2000-12-07 1999-12-07
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
