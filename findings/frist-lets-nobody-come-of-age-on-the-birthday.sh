#!/bin/sh
# frist 0.21.0 (PyPI, CPython 3.11), ages and calendars. years_precise, the "exact number of calendar years", adds the parts of
# the first and the last year, each as a share of that year's own days. Who was born in a leap year after February is therefore
# not 18 on the 18th birthday, but 17.9986, and so on each birthday in a common year: a bot that asks for int(years_precise)
# congratulates a day late. months_precise of the same two days is 216.0, which are 18 years, so two properties of one object
# disagree. Who was born on 1 February of a leap year is 18 in time.
# Source: its README ("Unlike the approximate versions ..., these properties provide results that match real-world calendar
# boundaries"; "Age in years (precise, calendar-based)"); years_precise in frist/_age.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "frist==0.21.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime

from frist import Age

for born, day in (
    ("2008-07-01", "2026-07-01"),
    ("2008-07-01", "2026-07-02"),
    ("2000-12-01", "2026-12-01"),
    ("2008-02-01", "2026-02-01"),
):
    age = Age(datetime.fromisoformat(born), datetime.fromisoformat(day))
    years, months = age.years_precise, age.months_precise
    print(f"born {born}, on {day}: {years:.4f} years, so {int(years)}; {months:.2f} months, so {int(months // 12)} years")
PY
cat seen
cat >expected <<'TEXT'
born 2008-07-01, on 2026-07-01: 17.9986 years, so 17; 216.00 months, so 18 years
born 2008-07-01, on 2026-07-02: 18.0014 years, so 18; 216.03 months, so 18 years
born 2000-12-01, on 2026-12-01: 25.9998 years, so 25; 312.00 months, so 26 years
born 2008-02-01, on 2026-02-01: 18.0002 years, so 18; 216.00 months, so 18 years
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
