#!/bin/sh
# zerotime 0.1.3 with tzdata 2026.6 (PyPI, CPython 3.11), rules for what comes again. The README's rule for "quarterly reports
# on the last business day", the last three days of a quarter if they are from Monday to Friday, is true on each of these days:
# in 2026 it comes ten times, three times in September and in December. A rule in a time zone with a name, as its section on
# zones has it, writes its zone into its JSON and cannot be read from it any more: from_json wants a zone that begins with
# "UTC". "-31", where it may be meant, raises an error in February, in the middle of a series, where "31" leaves the month out.
# Source: its README, "quarterly reports on the last business day", "(will pick based on weekday)", "Serialize for storage",
# "Restore later"; from_json in zerotime/core.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "zerotime==0.1.3" "tzdata==2026.6"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime
from zoneinfo import ZoneInfo

from zerotime import AtomicRule, Rule
from zerotime.core import InvalidExpressionError

report = AtomicRule(
    months="3,6,9,12", days="-1,-2,-3", weekdays="1..5", hours="17", minutes="0", seconds="0"
)
for day in report.generate(datetime(2026, 1, 1), datetime(2026, 12, 31, 23)):
    print(f"report on {day:%a %d %b}")
for zone in (None, ZoneInfo("Europe/Berlin")):
    rule = AtomicRule(hours="9", minutes="0", seconds="0", timezone=zone)
    try:
        print(zone, "read again:", Rule.from_json(rule.to_json()).to_json() == rule.to_json())
    except ValueError as error:
        print(error)
for days in ("31", "-31"):
    rule = AtomicRule(days=days, hours="9", minutes="0", seconds="0")
    try:
        print(days, [f"{day:%d %b}" for day in rule.generate(datetime(2026, 1, 1), datetime(2026, 6, 1))])
    except InvalidExpressionError as error:
        print(days, error)
PY
cat seen
cat >expected <<'TEXT'
report on Mon 30 Mar
report on Tue 31 Mar
report on Mon 29 Jun
report on Tue 30 Jun
report on Mon 28 Sep
report on Tue 29 Sep
report on Wed 30 Sep
report on Tue 29 Dec
report on Wed 30 Dec
report on Thu 31 Dec
None read again: True
Invalid timezone string 'Europe/Berlin': Timezone must start with 'UTC', got 'Europe/Berlin'
31 ['31 Jan', '31 Mar', '31 May']
-31 Negative day offset '-31' (=-2) is too large for February which has only 28 days
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
