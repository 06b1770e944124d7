#!/bin/sh
# rfc5545-rrule 1.1.1 (npm, Node 20) and python-dateutil 2.9.0 (PyPI, CPython 3.11). Read and written again by the first,
# without a change, a series ends at another time, and where it does depends on the machine. UNTIL=20261224T200000, of a
# series without a zone, as a reminder at eight wherever one is, becomes the moment at which it is eight where the program
# runs, with a Z: 20261225T010000Z in New York, 20261224T110000Z in Tokyo. A date, the end of whole days, becomes the first
# minute of that day there: 20261224T050000Z or, a day early, 20261223T150000Z. Both are then of another kind than DTSTART,
# which the standard forbids, so that dateutil, which counts three times before, refuses the rule. Only an UNTIL that has the
# Z already stays as it was.
# Source: RFC 5545, 3.3.10: "The value of the UNTIL rule part MUST have the same value type as the DTSTART property" and, for
# a local time, "MUST also be specified as a date with local time"; the README, "RFC5545 RRule library for JavaScript". Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "rfc5545-rrule@1.1.1"
python3 -m venv venv
venv/bin/pip install -q "python-dateutil==2.9.0.post0"
cat >again.cjs <<'JS'
const {RRule} = require("rfc5545-rrule");
for (const until of ["20261224T200000", "20261224", "20261224T190000Z"]) {
  console.log(RRule.fromString(`RRULE:FREQ=DAILY;UNTIL=${until}`).toString());
}
JS
cat >occur.py <<'PY'
import sys

from dateutil.rrule import rrulestr

BEFORE = [f"RRULE:FREQ=DAILY;UNTIL={until}" for until in ("20261224T200000", "20261224", "20261224T190000Z")]
STARTS = ("DTSTART:20261222T200000", "DTSTART;VALUE=DATE:20261222", "DTSTART:20261222T190000Z")


def count(start, rule):
    """Return how often a series takes place, or why it is refused."""
    try:
        return len(list(rrulestr(f"{start}\n{rule}")))
    except ValueError as error:
        return f"refused: {error}"


for start, before, after in zip(STARTS, BEFORE, sys.stdin.read().split("\n")):
    print(f"{start} {before}: {count(start, before)}; {after}: {count(start, after)}")
PY
for zone in America/New_York Asia/Tokyo; do
    echo "$zone"
    TZ=$zone node again.cjs | venv/bin/python occur.py
done >seen
cat seen
cat >expected <<'TEXT'
America/New_York
DTSTART:20261222T200000 RRULE:FREQ=DAILY;UNTIL=20261224T200000: 3; RRULE:FREQ=DAILY;UNTIL=20261225T010000Z: refused: RRULE UNTIL values must be specified in UTC when DTSTART is timezone-aware
DTSTART;VALUE=DATE:20261222 RRULE:FREQ=DAILY;UNTIL=20261224: 3; RRULE:FREQ=DAILY;UNTIL=20261224T050000Z: refused: RRULE UNTIL values must be specified in UTC when DTSTART is timezone-aware
DTSTART:20261222T190000Z RRULE:FREQ=DAILY;UNTIL=20261224T190000Z: 3; RRULE:FREQ=DAILY;UNTIL=20261224T190000Z: 3
Asia/Tokyo
DTSTART:20261222T200000 RRULE:FREQ=DAILY;UNTIL=20261224T200000: 3; RRULE:FREQ=DAILY;UNTIL=20261224T110000Z: refused: RRULE UNTIL values must be specified in UTC when DTSTART is timezone-aware
DTSTART;VALUE=DATE:20261222 RRULE:FREQ=DAILY;UNTIL=20261224: 3; RRULE:FREQ=DAILY;UNTIL=20261223T150000Z: refused: RRULE UNTIL values must be specified in UTC when DTSTART is timezone-aware
DTSTART:20261222T190000Z RRULE:FREQ=DAILY;UNTIL=20261224T190000Z: 3; RRULE:FREQ=DAILY;UNTIL=20261224T190000Z: 3
TEXT
cmp expected seen
