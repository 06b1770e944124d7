#!/bin/sh
# birthdayculator 0.5.0 with freezegun 1.5.5, which sets the day (PyPI, CPython 3.11), ages and next birthdays. Asked without
# a second date, it means today, and remembers what that was: both functions keep their last hundred answers by what they were
# given, so in a program that runs, as a bot does, whoever was asked about once stays as old as then, and the next birthday
# stays that of the first year, long past. With the date given, who was born on 29 February has the birthday after that of
# 2027 on 28 February 2028, a day before the real one, and on the day after that of 2024 there is a ValueError; on a birthday
# itself the next one is a year away. The modules of the wheel import each other by bare names, so that none can be imported
# as part of the package: its folder has to be put on the path, and typing-extensions, which they need, is not asked for.
# Source: @lru_cache of convert_inputs_to_dates and calculate_next_birthday in the wheel, where None is today; its summary,
# "calculating birthday info from a birth date". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q "birthdayculator==0.5.0" "arrow==1.4.0" "freezegun==1.5.5" "typing-extensions==4.15.0"
venv/bin/python - >seen <<'PY'
import sys

import birthdayculator

try:
    import birthdayculator.age_calculation
except ModuleNotFoundError as error:
    print(error)
sys.path.insert(0, next(iter(birthdayculator.__path__)))

from age_calculation import calculate_age
from freezegun import freeze_time
from next_birthday_calculation import calculate_next_birthday

for today in ("2026-11-30", "2026-12-01", "2030-06-01"):
    with freeze_time(today):
        print(f"{today}: {calculate_age('2000-12-01').years} years, next {calculate_next_birthday('2000-12-01')}")
        print(f"{today}, given: {calculate_age('2000-12-01', today).years} years, next {calculate_next_birthday('2000-12-01', today)}")
for today in ("2023-03-01", "2024-03-01", "2027-03-01"):
    try:
        print(f"born on 29 February, {today}: next {calculate_next_birthday('2000-02-29', today)}")
    except ValueError as error:
        print(f"born on 29 February, {today}: {error}")
PY
cat seen
cat >expected <<'TEXT'
No module named 'delta_calculation'
2026-11-30: 25 years, next 2026-12-01
2026-11-30, given: 25 years, next 2026-12-01
2026-12-01: 25 years, next 2026-12-01
2026-12-01, given: 26 years, next 2027-12-01
2030-06-01: 25 years, next 2026-12-01
2030-06-01, given: 29 years, next 2030-12-01
born on 29 February, 2023-03-01: next 2024-02-28
born on 29 February, 2024-03-01: day is out of range for month
born on 29 February, 2027-03-01: next 2028-02-28
TEXT
cmp expected seen
