#!/bin/sh
# FlexibleDate 1.0.33 (PyPI, CPython 3.11), which finds what is known of a date in a text and compares dates of one event,
# such as births. The beginning of any word is a month and the first number a day: "May Smith was born 3 June 1950" was born
# on 3 May, "Decided in 2001" was in December, "Augusta, 1850" in August, "page 12, 5 May 1990" on the 12th, "3 children, 1985"
# in March, and a house number makes the year 2010 of 2020. New Year's Eve and the day after it are alike to 32 of a hundred,
# the same day ten years earlier to 83. The functions that its README calls are not in the package, but methods for them.
# Source: its README: "This package can parse potentially dirty date data", createFlexibleDate in its examples, and comparing
# "two dates for the same event". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "FlexibleDate==1.0.33"
cd "$folder"
venv/bin/python - >seen <<'PY'
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
cat seen
cat >expected <<'TEXT'
functions of the README: False False
born 5 March 1990 -> 5 Mar 1990
May Smith was born 3 June 1950 -> 3 May 1950
Decided in 2001 -> Dec 2001
Augusta, 1850 -> Aug 1850
page 12, 5 May 1990 -> 12 May 1990
3 children, 1985 -> Mar 1985
10 Downing St, 4 Jan 2020 -> Jan 2010
31 Dec 1999 and 1 Jan 2000: 31.66667
1 June 1999 and 1 June 1989: 83.33333
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
