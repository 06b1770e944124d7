#!/bin/sh
# agewizard 0.2.1 with freezegun 1.5.5, which sets the day (PyPI, CPython 3.11), ages from dates of birth. Age(...).months,
# the "total months lived", counts the names of months: who was born yesterday, on 30 November, is one month old on 1
# December, and who turns 18 tomorrow has lived 216 months, which are 18 years, where years says 17 and readable "17 years, 11
# months". Somebody born on 29 February has no birthday in three years of four: on 1 March next_birthday_days is 0 and the age
# goes up, but is_today is false, as it is on the day before, so who congratulates by it congratulates once in four years.
# Age("1995-15-05"), the README's own example of a date that is read by itself, raises a ValueError.
# Source: its README, "Total Reliability", ".months: Total months lived", ".is_today: True if today is the user's birth
# anniversary", "Automatically handles it"; age_in_months, is_birthday and days_until_birthday in agewizard/core.py. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agewizard==0.2.1" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from agewizard import Age
from freezegun import freeze_time


def show(today, born):
    """Print what is said of somebody on a day."""
    with freeze_time(today):
        age = Age(born)
        birthday = f"birthday today: {age.is_today}, next in {age.next_birthday_days} days"
        print(f"{today}, born {born}: {age.years} years, {age.months} months, {age.days} days; {age.readable}; {birthday}")


show("2026-12-01", "2026-11-30")
show("2026-12-01", "2008-12-02")
for today in ("2027-02-28", "2027-03-01", "2028-02-29"):
    show(today, "2008-02-29")
try:
    Age("1995-15-05")
except ValueError as error:
    print(error)
PY
cat seen
cat >expected <<'TEXT'
2026-12-01, born 2026-11-30: 0 years, 1 months, 1 days; 0 years, 0 months, 1 days; birthday today: False, next in 364 days
2026-12-01, born 2008-12-02: 17 years, 216 months, 6573 days; 17 years, 11 months, 29 days; birthday today: False, next in 1 days
2027-02-28, born 2008-02-29: 18 years, 228 months, 6939 days; 18 years, 11 months, 29 days; birthday today: False, next in 1 days
2027-03-01, born 2008-02-29: 19 years, 229 months, 6940 days; 19 years, 0 months, 2 days; birthday today: False, next in 0 days
2028-02-29, born 2008-02-29: 20 years, 240 months, 7305 days; 20 years, 0 months, 0 days; birthday today: True, next in 0 days
Invalid date components in '1995-15-05': month must be in 1..12
TEXT
cmp expected seen
