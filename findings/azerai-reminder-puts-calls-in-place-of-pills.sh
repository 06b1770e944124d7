#!/bin/sh
# AzerAI-Plugins-Reminder 5.0.3 with livekit-agents 1.8.9 and APScheduler 3.11.3 (PyPI, CPython 3.11), reminders for a voice
# assistant, as its tools are called. A new reminder's id is the number of reminders plus one. After one was deleted, that is the
# id of another: of "shopping", "tea" and "pills" every day, "shopping" is deleted, and "call mum in a minute" takes the place of
# the pills, in the list, the file and the scheduler, and nothing says so. A reminder "in a minute" is kept as that
# minute, not as the time when it is due: after a restart it is counted anew, so that what is due in three hours never comes where
# the assistant is started every two.
# Source: README, "Günlük xatırladıcılar - Hər gün təkrar olunan" (every day again), "JSON saxlama" (kept in a file); create_reminder and
# _schedule_reminder in main.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "AzerAI-Plugins-Reminder==5.0.3" "livekit-agents==1.8.9" "APScheduler==3.11.3"
cd "$folder"
venv/bin/python - >seen <<'PY'
import asyncio
import contextlib
import io
import json
import logging
import time
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

logging.disable(logging.CRITICAL)
with contextlib.redirect_stdout(io.StringIO()):
    from azerai_plugins_reminder.main import ReminderTools


def kept():
    """Return the titles in the file."""
    return [reminder["title"] for reminder in json.loads(Path("azerai_reminders.json").read_text())["reminders"].values()]


async def main():
    context = SimpleNamespace(session=SimpleNamespace())
    with contextlib.redirect_stdout(io.StringIO()):
        tools = ReminderTools()
        for title, clock in (("shopping", "18:00"), ("tea", "17:00"), ("pills", "08:00")):
            await tools.create_daily_reminder(context, title=title, time_str=clock)
        before = kept()
        await tools.delete_reminder(context, title="shopping")
        answer = await tools.create_reminder(context, title="call mum", minutes=1)
        jobs = sorted(str(job.trigger) for job in tools.scheduler.get_jobs())
        after = kept()
        tools.scheduler.shutdown()
        time.sleep(5)
        started = datetime.now(timezone.utc)
        (job,) = [job for job in ReminderTools().scheduler.get_jobs() if "interval" in str(job.trigger)]
    print("kept:", *before)
    print(answer, "- kept:", *after)
    print("scheduled:", *jobs)
    print("in a minute, five seconds later after a restart:", round((job.next_run_time - started).total_seconds()), "seconds")


asyncio.run(main())
PY
cat seen
cat >expected <<'TEXT'
kept: shopping tea pills
Xatırlatma 'call mum' yaradıldı: 1 dəqiqə sonra - kept: tea call mum
scheduled: cron[hour='17', minute='0'] interval[0:01:00]
in a minute, five seconds later after a restart: 60 seconds
TEXT
cmp expected seen
