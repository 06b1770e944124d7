#!/bin/sh
# business-days 0.0.8 (PyPI, CPython 3.11), which counts working days without bank holidays of the United States. Its list ends with Christmas
# 2026 and nothing says so: New Year's Day 2027 is a working day, and what is due two working days after the 30th of December, the 4th of
# January, is due on the 1st. Washington's Birthday, the third Monday of February, is on a Thursday from 2021 to 2023, so that on
# that Monday people work. Of a holiday on a Sunday, as Independence Day 2021, the Monday that is free for it is a working day,
# though for New Year 2017 and Christmas 2016 it is none.
# Source: README: "Monday thru Friday, excluding certain bank holidays"; 5 U.S.C. 6103: Washington's Birthday is the third Monday in February;
# HOLIDAYS in business_days.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "business-days==0.0.8"
cd "$folder"
venv/bin/python - <<'PY' >seen
from datetime import date

from business_days import days_from_now, is_business_day

for name, days in {
    "New Year": [date(2026, 1, 1), date(2027, 1, 1)],
    "Washington's Birthday": [date(2020, 2, 17), date(2021, 2, 15), date(2022, 2, 21), date(2023, 2, 20), date(2024, 2, 19)],
    "Thursdays": [date(2021, 2, 18), date(2022, 2, 17), date(2023, 2, 16)],
    "Mondays after a Sunday": [date(2016, 12, 26), date(2017, 1, 2), date(2021, 7, 5)],
}.items():
    print(f"{name}:", ", ".join(f"{day} {'works' if is_business_day(day) else 'free'}" for day in days))
print("two working days after 30 December 2026:", days_from_now(date(2026, 12, 30), 2))
PY
cat seen
cat >expected <<'TEXT'
New Year: 2026-01-01 free, 2027-01-01 works
Washington's Birthday: 2020-02-17 free, 2021-02-15 works, 2022-02-21 works, 2023-02-20 works, 2024-02-19 free
Thursdays: 2021-02-18 free, 2022-02-17 free, 2023-02-16 free
Mondays after a Sunday: 2016-12-26 free, 2017-01-02 free, 2021-07-05 works
two working days after 30 December 2026: 2027-01-01
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
