#!/bin/sh
# cmd-habit-tracker 1.3.0 (PyPI, CPython 3.11), which has a model suggest habits and shows their progress. A day on which only
# the second of two habits was noted stands in the row of the first: 30 minutes of walking become 30 litres of water, and the
# column "Total" beside them is right. Of what the model answers in the form that it was asked for, all signs but letters and
# digits go: 1.5 litres a day are 15, and 0.5 hours are 5. A note begins with its second letter. A habit of every 6 months has
# no period at all, as the program waits for "moths": it is reckoned as one of every 6 days, 60 visits to the dentist in 360
# days, and cannot be shown.
# Source: the form in ai/api.py of the wheel ("every z months", "target: amount, metric"), set_habit_from_str in db/models.py,
# and make_table_by_range in cli.py, which appends a day's values one after the other; the documentation within the program,
# "To view your progress, you can run progress". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cmd-habit-tracker==1.3.0"
cd "$folder"
export HOME="$folder"
cat >habits.py <<'PY'
from cmd_habit_tracker.cli import make_table_by_range
from cmd_habit_tracker.db.models import Habit, Record

ANSWER = "title: {}\nfrequency: {}\nperiod: 30 days\ntarget: {}\nnote: Keep going"


def habit(number, *said):
    """Return the habit of a model's answer."""
    made = Habit().set_habit_from_str(ANSWER.format(*said))
    made.id = number
    return made


def record(habit_id, day, achieved):
    """Return what somebody noted for a habit."""
    made = Record()
    made.set_record_values((0, habit_id, f"2026-11-{day:02}", achieved, ""))
    return made


water, walk = habit(1, "Water", "every day", "1.5 litres"), habit(2, "Walk", "every day", "30 minutes")
print("said 1.5 litres:", water.target_amount, water.target_metric, "| said Keep going:", water.note.strip())
table = make_table_by_range([water, walk], [record(1, 1, 2), record(2, 1, 30), record(2, 2, 30)], 1, 2)
for row, title in enumerate(table["Habit"]):
    print(title, "day 1:", table[1][row], "day 2:", table[2][row], "total:", table["Total"][row])
dentist = habit(3, "Dentist", "every 6 months", "1 visit")
print("visits to the dentist in 360 days:", dentist.get_total_target(360), "| in weeks:", end=" ")
print(round(habit(4, "Dentist", "every 26 weeks", "1 visit").get_total_target(360)))
try:
    print(dentist)
except KeyError as error:
    print("shown:", repr(error))
PY
venv/bin/python habits.py | tee seen
cat >expected <<'TEXT'
said 1.5 litres: 15.0 litres | said Keep going: eep going
water day 1: 2 day 2: 30 total: 2
walk day 1: 30 day 2: 0 total: 60
visits to the dentist in 360 days: 60.0 | in weeks: 2
shown: KeyError(None)
TEXT
cmp seen expected
