#!/bin/sh
# fuzzyparsers 0.9.5.1 (PyPI, CPython 3.11), which reads dates as people type them. Only the beginning of a text is read, and what
# follows is dropped or taken for a year: the evening of Christmas Eve, "dec 24 18:30", is in 2018, one with "at" in it is this
# year's, and "may 7 8 people" is in 2008. "+2 weeks" is the day after tomorrow, and "-1 month" yesterday. A year of two figures
# is always of this century, so that who was born in 79 has that birthday still ahead, and the day of birth of the README's own
# example is a hundred years later when it is typed so.
# Source: its README ("sanitize free form user input"; "+34 -- 34 days in the future"; parse_date('nov 30 2012') for a birthday)
# and the docstring of str_to_date_int, where what is not read raises ("total junk"). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "fuzzyparsers==0.9.5.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import datetime

from fuzzyparsers import DateParser

parser = DateParser(today=datetime.date(2026, 12, 1), dfmt="%d.%m.%Y")
for text in (
    "dec 24",
    "dec 24 18:30",
    "24 dec at 18:30",
    "24.12. 18:30",
    "may 7 8 people",
    "+2",
    "+2 weeks",
    "-1 month",
    "jan 9 1979",
    "jan 9 79",
    "9.1.79",
    "31 dec 2026 to 2 jan 2027",
    "total junk",
):
    try:
        print(f"{text}: {parser.parse_date(text)}")
    except NotImplementedError as error:
        print(error)
PY
cat seen
cat >expected <<'TEXT'
dec 24: 2026-12-24
dec 24 18:30: 2018-12-24
24 dec at 18:30: 2026-12-24
24.12. 18:30: 2026-12-24
may 7 8 people: 2008-05-07
+2: 2026-12-03
+2 weeks: 2026-12-03
-1 month: 2026-11-30
jan 9 1979: 1979-01-09
jan 9 79: 2079-01-09
9.1.79: 2079-01-09
31 dec 2026 to 2 jan 2027: 2026-12-31
The input date 'total junk' is unrecognized.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
