#!/bin/sh
# human-readable-cron 0.1.0 with APScheduler 3.11.3 (PyPI, CPython 3.11). The first turns words into a line of cron and is
# said to raise ValueError for what it cannot read, but it raises none: what it does not know is midnight, each day, "remind
# me to call Kim" too. Of two days it takes the first ("every Monday and Friday" is Monday), of "every day except Sunday"
# Sunday alone, "the second Tuesday of the month" is each Tuesday, "every 3 days" is each day, "at 8" and "at 19.30" are
# midnight, and 90 minutes are "*/90", which cron reads as each hour. Handed to CronTrigger.from_crontab, each weekday is a
# day late: "every weekend" is Sunday and Monday, as numbers begin on Monday there. APScheduler's documentation warns of it;
# nothing else tells the two apart.
# Source: convert_to_cron in human_readable_cron/converter.py of the wheel and its docstring ("Raises: ValueError: If the
# input cannot be parsed"); the warning at CronTrigger.from_crontab and APScheduler's issue 286. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "human-readable-cron==0.1.0" "APScheduler==3.11.3"
"$folder/venv/bin/python" - >"$folder/seen" <<'PY'
from datetime import UTC, datetime, timedelta

from apscheduler.triggers.cron import CronTrigger
from human_readable_cron import convert_to_cron

NOW = datetime(2026, 11, 29, 14, 0, tzinfo=UTC)  # a Sunday
PHRASES = (
    "every Monday at 10 AM",
    "every weekend",
    "every Monday and Friday at 7 PM",
    "every day except Sunday",
    "every second Tuesday of the month",
    "every 3 days at 5 PM",
    "every evening at 8",
    "every Tuesday at 19.30",
    "every 90 minutes",
    "remind me to call Kim",
)
for phrase in PHRASES:
    line = convert_to_cron(phrase)
    try:
        trigger = CronTrigger.from_crontab(line, timezone=UTC)
        first = trigger.get_next_fire_time(None, NOW)
        second = trigger.get_next_fire_time(first, first + timedelta(seconds=1))
        times = f"{first:%a %d.%m. %H:%M}, {second:%a %d.%m. %H:%M}"
    except ValueError:
        times = "refused by APScheduler"
    print(f"{phrase}: {line} -> {times}")
PY
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
every Monday at 10 AM: 0 10 * * 1 -> Tue 01.12. 10:00, Tue 08.12. 10:00
every weekend: 0 0 * * 0,6 -> Mon 30.11. 00:00, Sun 06.12. 00:00
every Monday and Friday at 7 PM: 0 19 * * 1 -> Tue 01.12. 19:00, Tue 08.12. 19:00
every day except Sunday: 0 0 * * 0 -> Mon 30.11. 00:00, Mon 07.12. 00:00
every second Tuesday of the month: 0 0 * * 2 -> Wed 02.12. 00:00, Wed 09.12. 00:00
every 3 days at 5 PM: 0 17 * * * -> Sun 29.11. 17:00, Mon 30.11. 17:00
every evening at 8: 0 0 * * * -> Mon 30.11. 00:00, Tue 01.12. 00:00
every Tuesday at 19.30: 0 0 * * 2 -> Wed 02.12. 00:00, Wed 09.12. 00:00
every 90 minutes: */90 * * * * -> refused by APScheduler
remind me to call Kim: 0 0 * * * -> Mon 30.11. 00:00, Tue 01.12. 00:00
TEXT
cmp "$folder/seen" "$folder/expected"
