#!/bin/sh
# cron-parser-py 1.0.0 (PyPI, CPython 3.11), which reads lines of cron, puts them into words and tells when they are next due. The
# forms with seconds and with a year are read and checked, and then neither is used: what is to come once, on 1 January 2027, comes
# each year, is due in 2030, and no year stands in its words. What is to come 30 seconds past nine is due at nine, and "every 10
# seconds" is every minute. In words, steps within hours are steps without an end: "every second hour from 9 to 17" is "Every 2 hours", though
# the times are right; a plain range, "every 10 minutes from 9 to 17", keeps its hours.
# Source: README, "6-field (with seconds)", "7-field (with year)", "Natural English for any expression", "Determine if an expression fires
# right now". CronExpression.seconds and years in parser.py are read by nothing in scheduler.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "cron-parser-py==1.0.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime

import cron_parser_py as cron

NOW = datetime(2026, 11, 30, 10)
for line in (
    "0 0 9 1 1 ? 2027",
    "30 0 9 * * *",
    "*/10 * * * * *",
    "0 9-17/2 * * MON-FRI",
    "*/10 9-17 * * MON-FRI",
):
    times = [f"{time:%d.%m.%y %H:%M:%S}" for time in cron.next_runs(line, 3, NOW)]
    print(f"{line}: {cron.describe(line)}; {', '.join(times)}")
print("due in 2030:", cron.is_due("0 0 9 1 1 ? 2027", datetime(2030, 1, 1, 9)))
print("soon is a year:", cron.is_valid("0 0 9 1 1 ? soon"))
PY
cat seen
cat >expected <<'TEXT'
0 0 9 1 1 ? 2027: At 9:00 AM, on the 1st, in January; 01.01.27 09:00:00, 01.01.28 09:00:00, 01.01.29 09:00:00
30 0 9 * * *: At 9:00 AM; 01.12.26 09:00:00, 02.12.26 09:00:00, 03.12.26 09:00:00
*/10 * * * * *: Every minute; 30.11.26 10:01:00, 30.11.26 10:02:00, 30.11.26 10:03:00
0 9-17/2 * * MON-FRI: Every 2 hours, Monday through Friday; 30.11.26 11:00:00, 30.11.26 13:00:00, 30.11.26 15:00:00
*/10 9-17 * * MON-FRI: Every 10 minutes, from 9:00 AM to 5:00 PM, Monday through Friday; 30.11.26 10:10:00, 30.11.26 10:20:00, 30.11.26 10:30:00
due in 2030: True
soon is a year: False
TEXT
cmp expected seen
