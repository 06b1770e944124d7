#!/bin/sh
# disnake-compass 1.1.0 with disnake 2.12.2 (PyPI, CPython 3.11), buttons for Discord bots that keep what they know within their ids.
# Whole numbers are written there to the base 36, but those below 36 as they are, and all are read to the base 36: 10 comes
# back as 36, page 12 as page 38, a pause of 30 seconds as 108. The counter of its README goes 8, 9, 10, 37, 38. Negative
# numbers from -10 on come back as others too: "an hour earlier" is 39 hours earlier. A parser of times that is not strict keeps
# the clock of a time that has a zone and drops the zone: 18:00 in Berlin comes back as 18:00 in UTC.
# Source: README, "custom id matching, parsing, conversion and creation are all managed for you", with the counter; IntParser.dumps
# in impl/parser/builtins.py ("if argument < self.base"), DatetimeParser.dumps in datetime.py, whose documentation gives the parser's
# zone to "a timezone-naive datetime". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "disnake-compass==1.1.0" "disnake==2.12.2"
cd "$folder"
cat >count.py <<'PY'
import asyncio
from datetime import datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import disnake
import disnake_compass
from disnake_compass.impl.parser import DatetimeParser, get_parser

manager = disnake_compass.get_manager()


@manager.register
class Counter(disnake_compass.RichButton):
    """The button of the README, that counts how often it was pressed."""

    count: int

    async def callback(self, interaction: disnake.MessageInteraction[disnake.Client]) -> None:
        self.count += 1
        self.label = str(self.count)


async def read_back(parser, value):
    """Return what a button knows after it was sent and pressed."""
    return await parser.loads(await parser.dumps(value))


async def main():
    shown = await Counter(label="8", count=8).as_ui_component()
    counted = []
    for _ in range(4):
        pressed = await manager.parse_raw_component(shown)
        await pressed.callback(SimpleNamespace())
        counted.append(pressed.label)
        shown = await pressed.as_ui_component()
    print("the counter after 8:", *counted)
    numbers = get_parser(int)
    print("whole numbers:", {number: await read_back(numbers, number) for number in (9, 10, 12, 35, 36, 100, -10)})
    spans = get_parser(timedelta)
    for span in (timedelta(seconds=30), timedelta(minutes=5), timedelta(hours=-1)):
        print("a span:", span, "->", await read_back(spans, span))
    tea = datetime(2026, 12, 1, 18, tzinfo=ZoneInfo("Europe/Berlin"))
    print("a time:", tea, "->", await read_back(DatetimeParser(strict=False), tea))


asyncio.run(main())
PY
venv/bin/python count.py >seen 2>log
cat seen
cat >expected <<'TEXT'
the counter after 8: 9 10 37 38
whole numbers: {9: 9, 10: 36, 12: 38, 35: 113, 36: 36, 100: 100, -10: -36}
a span: 0:00:30 -> 0:01:48
a span: 0:05:00 -> 0:05:00
a span: -1 day, 23:00:00 -> -2 days, 6:57:36
a time: 2026-12-01 18:00:00+01:00 -> 2026-12-01 18:00:00+00:00
TEXT
cmp expected seen
