#!/bin/sh
# habitrack 1.0.0 (PyPI, CPython 3.11), a tracker of daily habits. A habit that was begun today and done today is done in 3.3%
# of the last 30 days, 1 of 30: the day on which it began is stored and never looked at, so that all days before it count as
# missed, and for two months the arrow of its trend says that things get better, also for somebody who missed every second
# day. A habit that was archived cannot be taken up again: "add" says that it exists, and no command brings it back, though
# its history is kept; under another name it begins at nought. Before it is done in the evening, the streak of a hundred days
# is 0.
# Source: the README, "Trends are calculated for windows of 7, 14, or 30 days", with a report "4/7"; completion_pct in
# habitrack/tracker.py of the wheel, whose comment says that only days on which the task was active are counted. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "habitrack==1.0.0"
cd "$folder"
cat >report.py <<'PY'
from datetime import date, timedelta

from habitrack.tracker import add_task, compute_report, mark_done, remove_task

today = date.today()


def shown(data):
    """Return the line of the only habit in a report of 30 days."""
    line = compute_report(data, 30)["tasks"][0]
    return f"{line['done']}/{line['total']}, {line['pct']:.1f}%, streak {line['streak']}, trend {line['trend_delta']:+}"


data, slug = add_task({"tasks": {}, "days": {}}, "Reading")
print("begun and done today:", shown(mark_done(data, [slug])))
begun = {"tasks": {slug: {**data["tasks"][slug], "created": (today - timedelta(days=19)).isoformat()}}, "days": {}}
for days in range(0, 20, 2):
    begun["days"][(today - timedelta(days=days)).isoformat()] = {slug: {"done": True, "at": "20:00"}}
print("begun 20 days ago, every second day:", shown(begun))
for days in range(1, 101):
    data["days"][(today - timedelta(days=days)).isoformat()] = {slug: {"done": True, "at": "20:00"}}
data["days"][today.isoformat()] = {}
print("a hundred days, and not yet today:", shown(data))
remove_task(data, slug)
try:
    add_task(data, "Reading")
except ValueError as error:
    print("taken up again:", error)
PY
venv/bin/python report.py | tee seen
cat >expected <<'TEXT'
begun and done today: 1/30, 3.3%, streak 1, trend +3.3
begun 20 days ago, every second day: 10/30, 33.3%, streak 1, trend +33.3
a hundred days, and not yet today: 29/30, 96.7%, streak 0, trend -3.3
taken up again: Task 'reading' already exists.
TEXT
cmp seen expected
