#!/bin/sh
# todoman 4.7.0 with icalendar 7.3.2 and python-dateutil 4.0.0 (PyPI, CPython 3.11), tasks on the command line, kept as iCalendar. When
# a task that repeats is done, it writes the next one with the same RRULE as if that were the first: of a course of two
# days (COUNT=2) there is a third, and a hundredth. At the end of a series (UNTIL) there are ever more without a day. The start
# and the day that it is due are moved each by itself: a report that may be begun on Mondays and is due on Wednesdays (BYDAY=MO)
# is then due on Mondays, and its start is gone. What todoman does not know, such as the alarm and the address, stays with the
# task that is done; the next ones have none.
# Source: README, "Unsupported fields may not be shown but are *never* deleted or altered"; RFC 5545: COUNT and UNTIL bound the
# series from its DTSTART (3.3.10), which is where instances lie, and DUE keeps its distance (3.8.5.3). _create_next_instance
# and _apply_recurrence_to_dt in todoman/model.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "todoman==4.7.0" "icalendar==7.3.2" "python-dateutil==4.0.0"
cd "$folder"
mkdir -p tasks/home
export TODOMAN_CONFIG="$folder/config.py" TZ=UTC
cat >config.py <<TEXT
path = "$folder/tasks/*"
cache_path = "$folder/cache.sqlite3"
date_format = "%Y-%m-%d"
default_list = "home"
TEXT
venv/bin/python - >seen <<'PY'
import json
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import icalendar

ALARM = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Now", "TRIGGER:-PT1H", "END:VALARM"]
TASKS = {
    "pills": ("20261130", "20261201", "FREQ=DAILY;COUNT=2"),
    "rent": ("20261130", "20261201", "FREQ=DAILY;UNTIL=20261201"),
    "report": ("20261130", "20261202", "FREQ=WEEKLY;BYDAY=MO"),
}


def todo(*words):
    """Return what todoman says."""
    return subprocess.run(["venv/bin/todo", *words], capture_output=True, text=True, check=True).stdout


def open_tasks():
    """Return the open tasks by name."""
    return {task["summary"]: task for task in json.loads(todo("--porcelain", "list"))}


def due(task):
    """Return the day on which a task is due."""
    return f"{datetime.fromtimestamp(task['due'], timezone.utc):%a %d.%m.}" if task["due"] else "no day"


for name, (start, end, rule) in TASKS.items():
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//home//home//EN", "BEGIN:VTODO", f"UID:{name}@example.org"]
    lines += ["DTSTAMP:20261101T000000Z", f"SUMMARY:{name}", f"DTSTART;VALUE=DATE:{start}", f"DUE;VALUE=DATE:{end}"]
    lines += [f"RRULE:{rule}", "URL:https://example.org/", *ALARM, "END:VTODO", "END:VCALENDAR", ""]
    Path(f"tasks/home/{name}.ics").write_bytes("\r\n".join(lines).encode())
for name in TASKS:
    days = []
    for _ in range(3):
        days.append(due(open_tasks()[name]))
        todo("done", str(open_tasks()[name]["id"]))
    print(f"{name} ({TASKS[name][2]}) was done: {', '.join(days)}; open: {due(open_tasks()[name])}")
written = [icalendar.Calendar.from_ical(path.read_bytes()).todos[0] for path in Path("tasks/home").glob("*.ics")]
for done, tasks in (("first", [task for task in written if "@example.org" in task["uid"]]), ("next", written)):
    if done == "next":
        tasks = [task for task in written if "@example.org" not in task["uid"]]
    kept = [name for name in ("DTSTART", "URL") if any(name in task for task in tasks)]
    kept += ["VALARM"] * any(task.subcomponents for task in tasks)
    print(f"the {done} ones, {len(tasks)}, have: {', '.join(kept) or 'none of these'}")
PY
cat seen
cat >expected <<'TEXT'
pills (FREQ=DAILY;COUNT=2) was done: Tue 01.12., Wed 02.12., Thu 03.12.; open: Fri 04.12.
rent (FREQ=DAILY;UNTIL=20261201) was done: Tue 01.12., no day, no day; open: no day
report (FREQ=WEEKLY;BYDAY=MO) was done: Wed 02.12., Mon 07.12., Mon 14.12.; open: Mon 21.12.
the first ones, 3, have: DTSTART, URL, VALARM
the next ones, 9, have: DTSTART
TEXT
cmp expected seen
