#!/bin/sh
# FlexibleDate 1.0.33 (PyPI, CPython 3.11), which finds what is known of a date in a text and compares dates of one event,
# such as births. The beginning of any word is a month and any number a day, and of several the one that a set has first: "May
# Smith was born 3 June 1950" was born in May or in June, from one start of a program to the next, as Python's hashes change.
# "Decided in 2001" is December, "Augusta, 1850" August, "page 12, 5 May 1990" the 12th, "3 children, 1985" March, and a house
# number makes 2010 of 2020. New Year's Eve and the day after it are alike to 32 of a hundred, the same day ten years earlier
# to 83. The functions that its README calls are not in the package, but methods for them.
# Source: its README: "This package can parse potentially dirty date data", createFlexibleDate in its examples, and comparing
# "two dates for the same event"; glean_year_month_day in FlexibleDate.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "FlexibleDate==1.0.33"
cd "$folder"
cat >read.py <<'PY'
from FlexibleDate import FlexibleDate as module
from FlexibleDate.FlexibleDate import FlexibleDate

print("functions of the README:", hasattr(module, "createFlexibleDate"), hasattr(module, "compareTwoDates"))
read = FlexibleDate.create_flexible_date
for text in (
    "born 5 March 1990",
    "May Smith was born 3 June 1950",
    "Decided in 2001",
    "Augusta, 1850",
    "page 12, 5 May 1990",
    "3 children, 1985",
    "10 Downing St, 4 Jan 2020",
):
    print(f"{text} -> {read(text)}")
for one, other in (("31 Dec 1999", "1 Jan 2000"), ("1 June 1999", "1 June 1989")):
    print(f"{one} and {other}: {read(one).compare_dates(read(other))}")
PY
for start in 0 1 2 3 4 5 6 7 8 9; do
  PYTHONHASHSEED=$start venv/bin/python read.py
done | sort -u >seen
cat seen
cat >expected <<'TEXT'
1 June 1999 and 1 June 1989: 83.33333
10 Downing St, 4 Jan 2020 -> Jan 2010
3 children, 1985 -> Mar 1985
31 Dec 1999 and 1 Jan 2000: 31.66667
Augusta, 1850 -> Aug 1850
Decided in 2001 -> Dec 2001
May Smith was born 3 June 1950 -> 3 Jun 1950
May Smith was born 3 June 1950 -> 3 May 1950
born 5 March 1990 -> 5 Mar 1990
functions of the README: False False
page 12, 5 May 1990 -> 12 May 1990
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
