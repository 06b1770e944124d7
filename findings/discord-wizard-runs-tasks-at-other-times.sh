#!/bin/sh
# discord-wizard 1.5.0 with discord.py 2.7.1 (PyPI, CPython 3.11), tasks of Discord bots at times of the day and by cron
# patterns. The time zone of wizard.at is read and changes nothing: "09:00" of US/Eastern, as in the README, is nine
# o'clock UTC, four in the morning there. Of weekdays, 7 for Sunday is dropped without a word: "5-7" is Friday and Saturday.
# Where nothing is left, as of "7" alone, or where the next time is more than a year away, as that of 29 February,
# there is no next time, and the task, once started, runs at once, and again and again without a pause.
# Source: Task._compute_next and _run_loop in discord/wizard/tasks/scheduler.py of the wheel (the hours are set in UTC, then
# converted; None as the next run is not waited for), _parse_field and CronExpr.next in cron.py. crontab(5) of Debian's
# cron: "0-7 (0 or 7 is Sunday)". What is asked here are the task's own next times, on a Sunday. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord-wizard==1.5.0" "discord.py==2.7.1" "tzdata==2025.2"
"$folder/venv/bin/python" -W ignore - <<'PY'
import asyncio
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from discord.wizard import tasks
from discord.wizard.tasks.scheduler import _resolve_task

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def next_times(decorate, count):
    """Return the times at which a task runs next, fewer if it has no next one."""

    @decorate
    async def task():
        """Do nothing."""

    times = [NOON]
    while times[-1] is not None and len(times) <= count:
        times.append(_resolve_task(task)._compute_next(times[-1]))
    return [time for time in times[1:] if time is not None]


async def started(pattern):
    """Return how often a task has run a moment after its start; its third run is the last."""
    ran = []
    done = asyncio.Event()

    @tasks.cron(pattern)
    async def yearly():
        ran.append(datetime.now(UTC))
        if len(ran) == 3:
            done.set()
            await asyncio.sleep(60)

    tasks.start(yearly)
    await asyncio.wait_for(done.wait(), 30)
    await tasks.stop(yearly)
    return len(ran)


seen = {}
for zone in ("US/Eastern", "Europe/Berlin"):
    (time,) = next_times(tasks.at("09:00", timezone=zone), 1)
    seen[zone] = f"{time.astimezone(ZoneInfo(zone)):%a %H:%M}"
for pattern in ("0 9 * * 0", "0 9 * * 7", "0 9 * * 5-7", "0 9 29 2 *"):
    seen[pattern] = ", ".join(f"{time:%a %d.%m.}" for time in next_times(tasks.cron(pattern), 3)) or "never"
seen["runs of 0 9 29 2 * after its start"] = asyncio.run(started("0 9 29 2 *"))
for name, times in seen.items():
    print(f"{name}: {times}")
expected = {
    "US/Eastern": "Mon 04:00",
    "Europe/Berlin": "Mon 10:00",
    "0 9 * * 0": "Sun 06.12., Sun 13.12., Sun 20.12.",
    "0 9 * * 7": "never",
    "0 9 * * 5-7": "Fri 04.12., Sat 05.12., Fri 11.12.",
    "0 9 29 2 *": "never",
    "runs of 0 9 29 2 * after its start": 3,
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
