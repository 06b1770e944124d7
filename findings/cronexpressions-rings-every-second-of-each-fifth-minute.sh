#!/bin/sh
# cronexpressions 0.1.1, read by croniter 7.0.0 with seconds first (PyPI, CPython 3.11). The builder begins with a star for the
# seconds, and "every 5 minutes" leaves it: the reminder comes sixty times in each fifth minute, the one of "every 2 hours" 3,600
# times in each second hour, and that of the first Monday of the month a second apart all day. Its docstrings give five fields
# for what are six. Of its constants half past nine on weekdays has six fields and ten o'clock five, so that no one way of
# reading them is right for both.
# Source: its README ("Create an expression to run every 5 minutes"; "to run every 2 hours"; "for the first Monday of each month")
# and docstrings (every('minute', 5) -> "*/5 * * * *"; set_range('hour', 9, 17) -> "9-17 * * * *"); croniter's README on
# second_at_beginning. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cronexpressions==0.1.1" "croniter==7.0.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime, timedelta

from croniter import croniter_range
from cronexpressions import CronBuilder, CronExpression

start = datetime(2026, 12, 7)
for title, expression in (
    ("every 5 minutes", CronBuilder().every("minute", 5).build()),
    ("every 2 hours", CronBuilder().every("hour", 2).build()),
    ("at 10:30:15", CronBuilder().set_second("15").set_minute("30").set_hour("10").build()),
    ("on the first Monday", CronBuilder().set_specific("weekday", "1#1").build()),
):
    times = list(croniter_range(start, start + timedelta(hours=12), expression, second_at_beginning=True))
    print(f"{title}: {expression}: {len(times)} times until noon, {', '.join(str(time.time()) for time in times[:3])}")
for name in ("MONDAY_TO_FRIDAY_AT_09_30AM", "MONDAY_TO_FRIDAY_AT_10AM"):
    expression = getattr(CronExpression, name)
    print(f"{name}: {expression}: {len(expression.split())} fields")
PY
cat seen
cat >expected <<'TEXT'
every 5 minutes: * */5 * * * *: 8641 times until noon, 00:00:00, 00:00:01, 00:00:02
every 2 hours: * * */2 * * *: 21601 times until noon, 00:00:00, 00:00:01, 00:00:02
at 10:30:15: 15 30 10 * * *: 1 times until noon, 10:30:15
on the first Monday: * * * * * 1#1: 43201 times until noon, 00:00:00, 00:00:01, 00:00:02
MONDAY_TO_FRIDAY_AT_09_30AM: 0 30 9 * * 1-5: 6 fields
MONDAY_TO_FRIDAY_AT_10AM: 0 10 * * 1-5: 5 fields
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
