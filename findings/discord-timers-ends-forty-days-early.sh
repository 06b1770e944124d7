#!/bin/sh
# discord-timers 0.1.0 with discord.py 2.7.1 (PyPI, CPython 3.11), timers for reminders of Discord bots. A wait of more than forty
# days is cut into pieces, and the last forty days are left out: a reminder in 41 days comes tomorrow, one in 60 days after 20,
# one in a year after 325 days, while its remaining time says that there are forty days to go. Up to forty days it is exact.
# Source: its README and docstring ("If a datetime.timedelta, the delta relative to the current UTC date at which the timer
# will finish"); _chunk_sleep in discord/ext/timers/utils.py. The sleep is played here: it notes how long it is asked to wait, and
# moves the clock, by freezegun 1.5.5. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "discord-timers==0.1.0" "discord.py==2.7.1" "freezegun==1.5.5"
cd "$folder"
venv/bin/python -W ignore - >seen <<'PY'
import asyncio
from datetime import timedelta

from discord.ext.timers import Timer, utils
from freezegun import freeze_time


class Bot:
    """As much of a bot as a timer uses."""

    def __init__(self, loop):
        self.loop = loop
        self.told = []

    def dispatch(self, name, text):
        self.told.append(text)


async def remind(days):
    with freeze_time("2026-12-01 12:00", real_asyncio=True) as clock:

        async def sleep(seconds):
            waits.append(seconds / 86400)
            clock.tick(seconds)

        waits = []
        utils.asyncio = type("Played", (), {"sleep": staticmethod(sleep)})
        bot = Bot(asyncio.get_running_loop())
        timer = Timer(bot, "reminder", timedelta(days=days), args=("cake",)).start()
        await timer.join()
        left = timer.remaining / 86400
        print(f"in {days} days: comes after {sum(waits):g} days, remaining then: {left:g} days; told: {bot.told}")


for days in (7, 40, 41, 60, 365):
    asyncio.run(remind(days))
PY
cat seen
cat >expected <<'TEXT'
in 7 days: comes after 7 days, remaining then: 0 days; told: ['cake']
in 40 days: comes after 0 days, remaining then: 40 days; told: ['cake']
in 41 days: comes after 1 days, remaining then: 40 days; told: ['cake']
in 60 days: comes after 20 days, remaining then: 40 days; told: ['cake']
in 365 days: comes after 325 days, remaining then: 40 days; told: ['cake']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
