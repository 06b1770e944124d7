#!/bin/sh
# @sapphire/cron 1.2.1 (npm, Node 20), the schedules of the Sapphire framework for Discord bots (@sapphire/time-utilities
# 1.7.14 hands them on), asked for the next times of a pattern; croniter 7.0.0 (PyPI, CPython 3.11) is asked the same. A
# range that ends on Sunday or at midnight is its first day or hour alone: "sat-sun" is Saturday, "mon-sun" Monday, "20-0"
# eight in the evening. Of a range over the end of the week or of the day the ends are swapped: "fri-mon" is Monday to
# Friday, and "22-2", the night, each hour from 2 to 22. Nothing says so. Of a day of the month and a weekday both
# must hold, where cron takes either: "13 * fri" is next on a Friday the 13th, nine months from now.
# Source: Sunday is 0, which counts as no second end (the lines with "allowedNum" in dist/cjs/index.cjs), and the two ends
# are sorted; README and types say nothing of ranges. crontab(5) of Debian's cron: with both day fields restricted, the
# command runs "when either field matches". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "croniter==7.0.0"
cd "$folder"
npm install --silent --no-fund --no-audit "@sapphire/cron@1.2.1"
venv/bin/python - <<'PY'
import json
import subprocess
from datetime import UTC, datetime

from croniter import croniter

START = datetime(2026, 11, 29, 12, tzinfo=UTC)  # a Sunday
PATTERNS = {
    **{"0 9 * * sat-sun": 4, "0 9 * * mon-sun": 4, "0 20-0 * * *": 5},
    **{"0 9 * * fri-mon": 4, "0 22-2 * * *": 5, "0 9 13 * fri": 3},
}
NODE = """
const { Cron } = require("@sapphire/cron");
const [pattern, from, count] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const times = [new Date(from)];
while (times.length <= count) times.push(new Cron(pattern).next(times.at(-1)));
console.log(JSON.stringify(times.slice(1).map((time) => time.toISOString())));
"""


def by_sapphire(pattern, count):
    given = json.dumps([pattern, START.isoformat(), count])
    answer = subprocess.run(["node", "-e", NODE], input=given, capture_output=True, text=True, check=True)
    return [datetime.fromisoformat(time) for time in json.loads(answer.stdout)]


def by_croniter(pattern, count):
    times = croniter(pattern, START)
    return [times.get_next(datetime) for _ in range(count)]


seen = {}
for pattern, count in PATTERNS.items():
    found = [program(pattern, count) for program in (by_croniter, by_sapphire)]
    seen[pattern] = tuple(" ".join(f"{time:%d.%m.%y@%H}" for time in times) for times in found)
    print(pattern, "  croniter: " + seen[pattern][0], "  sapphire: " + seen[pattern][1], sep="\n")
expected = {
    "0 9 * * sat-sun": (
        "05.12.26@09 06.12.26@09 12.12.26@09 13.12.26@09",
        "05.12.26@09 12.12.26@09 19.12.26@09 26.12.26@09",
    ),
    "0 9 * * mon-sun": (
        "30.11.26@09 01.12.26@09 02.12.26@09 03.12.26@09",
        "30.11.26@09 07.12.26@09 14.12.26@09 21.12.26@09",
    ),
    "0 20-0 * * *": (
        "29.11.26@20 29.11.26@21 29.11.26@22 29.11.26@23 30.11.26@00",
        "29.11.26@20 30.11.26@20 01.12.26@20 02.12.26@20 03.12.26@20",
    ),
    "0 9 * * fri-mon": (
        "30.11.26@09 04.12.26@09 05.12.26@09 06.12.26@09",
        "30.11.26@09 01.12.26@09 02.12.26@09 03.12.26@09",
    ),
    "0 22-2 * * *": (
        "29.11.26@22 29.11.26@23 30.11.26@00 30.11.26@01 30.11.26@02",
        "29.11.26@13 29.11.26@14 29.11.26@15 29.11.26@16 29.11.26@17",
    ),
    "0 9 13 * fri": ("04.12.26@09 11.12.26@09 13.12.26@09", "13.08.27@09 13.10.28@09 13.04.29@09"),
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
