#!/bin/sh
# hikari-tanjun 2.17.7 with hikari 2.7.0, alluka 0.4.0 and freezegun 1.5.5, which moves the clock (PyPI, CPython 3.11), a framework for Discord
# bots, and its schedules for days of the month. "On the 5th at 8:00" runs on the 5th of this month if the bot was started before 8
# in the morning, on whatever day; started at 20:00 on the 1st, it runs first on the 5th of the next month. Of "the 1st and the
# 15th" the 15th is left out too. A bot that is started anew each evening never runs it. "On the 31st" ends for good in the first
# shorter month: after October there is no run, also not in December. Schedules for days of the week are right.
# Source: documentation of as_time_schedule: "For months where less than 31 days exist, numbers which are too large will be ignored";
# _Datetime._next_day in tanjun/schedules.py goes to the day and keeps the hour, and to the 31st of any month. Its own
# example for weekdays, days=range(0, 5), is refused. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "hikari-tanjun==2.17.7" "hikari==2.7.0" "alluka==0.4.0" "freezegun==1.5.5"
cd "$folder"
cat >runs.py <<'PY'
import asyncio
from datetime import datetime, timedelta, timezone
from unittest import mock

import alluka
import freezegun
from tanjun import schedules

turn = asyncio.sleep


async def nothing():
    """Do nothing, as often as it is asked for."""


async def runs(started, **when):
    """Return the first three runs of a schedule that was started at a time."""
    times = []
    with freezegun.freeze_time(started, real_asyncio=True) as clock:

        async def sleep(seconds):
            if len(times) == 3:
                await turn(1000)
            clock.tick(timedelta(seconds=seconds))
            times.append(f"{datetime.now(timezone.utc):%d.%m.%y %H:%M}")

        schedule = schedules.TimeSchedule(nothing, minutes=0, hours=8, timezone=timezone.utc, **when)
        with mock.patch.object(schedules.asyncio, "sleep", sleep):
            schedule.start(alluka.Client())
            for _ in range(30):
                await turn(0)
        print(f"{when}, started {started}: {', '.join(times)}{'' if schedule.is_alive else ', and then none'}")
        if schedule.is_alive:
            schedule.force_stop()


async def main():
    await runs("2026-12-01 07:00", days=5)
    await runs("2026-12-01 20:00", days=5)
    await runs("2026-12-03 20:00", days=[1, 15])
    await runs("2026-10-30 07:00", days=31)
    await runs("2026-12-01 20:00", days=5, weekly=True)


asyncio.run(main())
PY
venv/bin/python runs.py >seen 2>log
cat seen
cat >expected <<'TEXT'
{'days': 5}, started 2026-12-01 07:00: 05.12.26 08:00, 05.01.27 08:00, 05.02.27 08:00
{'days': 5}, started 2026-12-01 20:00: 05.01.27 08:00, 05.02.27 08:00, 05.03.27 08:00
{'days': [1, 15]}, started 2026-12-03 20:00: 01.01.27 08:00, 15.01.27 08:00, 01.02.27 08:00
{'days': 31}, started 2026-10-30 07:00: 31.10.26 08:00, and then none
{'days': 5, 'weekly': True}, started 2026-12-01 20:00: 04.12.26 08:00, 11.12.26 08:00, 18.12.26 08:00
TEXT
cmp expected seen
