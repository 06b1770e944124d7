#!/bin/sh
# matrix-reminder-bot 0.4.0 with dateparser 1.5.0 (PyPI, CPython 3.11), reminders for rooms of Matrix. Who asks on a Monday
# for "every friday; friday 8pm; club" is reminded on Friday and again after three days and some hours, and so on: the word is
# read as a point of time, and what lies between now and then is the length of the series. Asked for on a Thursday evening it
# would come each four hours. "every 1 month" is the number of days that this month has, for good, so that a rent of the first
# moves through the month. "every 1st" and "every january 5" are taken as well, while "every day" and "every month" are
# invalid.
# Source: the README, "put every followed by a length of time", and its example "every 1w; tuesday";
# _parse_reminder_command_args in bot_commands.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "matrix-reminder-bot==0.4.0" "dateparser==1.5.0"
cd "$folder"
cat >remind.py <<'PY'
from datetime import datetime, timedelta

from matrix_reminder_bot.bot_commands import Command
from matrix_reminder_bot.config import CONFIG
from matrix_reminder_bot.errors import CommandError

CONFIG.timezone, CONFIG.command_prefix = "UTC", "!"


def every(said):
    """Return how often the bot would remind."""
    command = Command(None, None, f"!remindme every {said}; tomorrow 8pm; club", None, None)
    try:
        return command._parse_reminder_command_args()[2]
    except CommandError as error:
        return str(error)


now = datetime.now()
print("every 1w:", every("1w"))
for days in (2, 4, 6):
    weekday = f"{now + timedelta(days=days):%A}".lower()
    length = every(weekday)
    print(f"every weekday that is {days} days off: more than {length.days} days, a week: {length == timedelta(days=7)}")
print("every 1 month, in whole days:", 28 <= every("1 month").days <= 31)
print("every 1st, up to two months:", timedelta(0) < every("1st") < timedelta(days=62))
for said in ("day", "month"):
    print(f"every {said}:", every(said))
PY
venv/bin/python remind.py 2>/dev/null | tee seen
cat >expected <<'TEXT'
every 1w: 7 days, 0:00:00
every weekday that is 2 days off: more than 1 days, a week: False
every weekday that is 4 days off: more than 3 days, a week: False
every weekday that is 6 days off: more than 5 days, a week: False
every 1 month, in whole days: True
every 1st, up to two months: True
every day: The given time 'day' is invalid.
every month: The given time 'month' is invalid.
TEXT
cmp seen expected
