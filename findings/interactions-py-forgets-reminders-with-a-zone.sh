#!/bin/sh
# discord-py-interactions 5.16.0 (PyPI, CPython 3.11), a library for Discord bots, and its tasks at a time. A task whose
# DateTrigger has a time with a zone never runs, and nobody is told: start() returns, no line is logged, on_error is not
# called, and "running" is False as after a run. Inside, the time is compared with datetime.now(), which has no zone, and
# the TypeError stays in an asyncio task that nobody looks at. The library's own times all have a zone: a message's
# timestamp, Timestamp.utcnow(), Timestamp.fromtimestamp(). The same end comes to a CronTrigger joined to another trigger
# ("|"), though each of the two runs alone. Two joined triggers that fall on the same moment run the task twice.
# Source: interactions/models/internal/tasks/triggers.py of the wheel: DateTrigger, "A datetime representing the date/time
# to run this task"; OrTrigger, "Trigger a task when any sub-trigger is fulfilled"; Task.on_error, "Called when an exception is
# raised during execution of the task". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "discord-py-interactions==5.16.0" "croniter==7.0.0"
cd "$folder"
cat >tasks.py <<'PY'
import asyncio
import logging
import warnings
from datetime import UTC, datetime, timedelta

warnings.simplefilter("ignore")
from interactions import CronTrigger, DateTrigger, IntervalTrigger, Task, TimeTrigger, Timestamp

logging.basicConfig(level=logging.DEBUG)  # whatever is logged is seen
logging.getLogger("asyncio").setLevel(logging.INFO)
logging.getLogger("interactions").setLevel(logging.DEBUG)


async def runs(name, trigger, wait_s=4.0):
    """Print how often a task with this trigger runs, and what is known of it afterwards."""
    count = 0
    errors = []

    async def remind():
        nonlocal count
        count += 1

    task = Task(remind, trigger)
    task.on_error = errors.append
    task.start()
    await asyncio.sleep(wait_s)
    inner = task.task.exception() if task.task.done() and not task.task.cancelled() else None
    print(f"{name}: ran {count} times; on_error {len(errors)}; running {task.running}; inside: {inner}")
    task.stop()


def soon():
    return datetime.now() + timedelta(seconds=2)


async def main():
    at = soon()
    await runs("at a time without a zone", DateTrigger(at))
    await runs("at a time in UTC", DateTrigger(datetime.now(UTC) + timedelta(seconds=2)))
    await runs("at the library's own Timestamp", DateTrigger(Timestamp.utcnow() + timedelta(seconds=2)))
    await runs("every second of a cron line", CronTrigger("* * * * * *"), 2.5)
    await runs("the same, or every hour", CronTrigger("* * * * * *") | IntervalTrigger(hours=1), 2.5)
    at = soon().replace(microsecond=0)
    moments = [TimeTrigger(at.hour, at.minute, at.second, utc=False) for _ in range(2)]
    await runs("at a time of the day, or at the same", moments[0] | moments[1])


asyncio.run(main())
PY
venv/bin/python tasks.py | tee seen
grep -q "^at a time without a zone: ran 1 times; on_error 0; running False; inside: None$" seen
naive="can't compare offset-naive and offset-aware datetimes"
grep -q "^at a time in UTC: ran 0 times; on_error 0; running False; inside: $naive$" seen
grep -q "^at the library's own Timestamp: ran 0 times; on_error 0; running False; inside: $naive$" seen
grep -q "^every second of a cron line: ran [23] times; on_error 0; running True; inside: None$" seen
grep -q "^the same, or every hour: ran 0 times; on_error 0; running False; inside: can't subtract offset-naive" seen
grep -q "^at a time of the day, or at the same: ran 2 times" seen
