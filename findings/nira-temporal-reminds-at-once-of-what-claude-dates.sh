#!/bin/sh
# nira-temporal 1.0.1 with mcp 1.30.0 and freezegun 1.5.5, which moves the clock (PyPI, CPython 3.11), reminders for models. A time in the form of
# ISO 8601, "2026-12-05T09:00", or "9 am" is not read, and the reminder is due at once; so is 17:30, asked for at 18:00, for it is
# of today. "Monthly" is told once, and never again. Looking at what is due without marking it (mark_fired=False) moves a daily
# reminder on all the same, so that the second look finds none. After three days away "daily" tells of three days ago, and of the next
# day at the next look. The folder that it keeps all in is not made: with the one it names, the first reminder is an error.
# Source: its tools: "at_time: specific time", "mark_fired: bool = True"; README: "manage tasks, reminders, and recurring schedules", and
# NIRA_DATA_DIR, optional, "default: ~/nira_temporal"; schedule_remind and schedule_check in server.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "nira-temporal==1.0.1" "mcp==1.30.0" "freezegun==1.5.5"
cd "$folder"
cat >run.py <<'PY'
import os
from pathlib import Path

from freezegun import freeze_time

os.environ["NIRA_DATA_DIR"] = "data"
import server  # noqa: E402

with freeze_time("2026-11-30 18:00"):
    try:
        server.schedule_remind("tea", delay_minutes=5)
    except FileNotFoundError as error:
        print("without the folder:", type(error).__name__)
    Path("data").mkdir()
    for at in "2026-12-05 09:00", "2026-12-05T09:00", "9 am", "17:30":
        print(at, "->", server.schedule_remind("dentist", at_time=at)["fires_at"])
    server.schedule_check()
    server.schedule_remind("pills", at_time="2026-12-01 08:00", repeat="daily")
    server.schedule_remind("rent", at_time="2026-12-01 09:00", repeat="monthly")
with freeze_time("2026-12-01 08:30"):
    for _ in range(2):
        print("looked at, not marked:", [one["message"] for one in server.schedule_check(mark_fired=False)["due"]])
with freeze_time("2026-12-04 12:00"):
    for _ in range(2):
        print("after three days:", [(one["message"], one["fired_at"]) for one in server.schedule_check()["due"]])
with freeze_time("2027-01-02 12:00"):
    print("a month later:", sorted({one["message"] for one in server.schedule_check()["due"]}))
PY
TZ=UTC venv/bin/python run.py >seen 2>log || cat log
cat seen
cat >expected <<'TEXT'
without the folder: FileNotFoundError
2026-12-05 09:00 -> 2026-12-05 09:00:00
2026-12-05T09:00 -> 2026-11-30 18:00:00
9 am -> 2026-11-30 18:00:00
17:30 -> 2026-11-30 17:30:00
looked at, not marked: ['pills']
looked at, not marked: []
after three days: [('pills', '2026-12-02 08:00:00'), ('rent', '2026-12-01 09:00:00')]
after three days: [('pills', '2026-12-03 08:00:00')]
a month later: ['dentist', 'pills']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
