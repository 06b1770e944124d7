#!/bin/sh
# rrule-humanize 0.1.0 (PyPI, CPython 3.11) puts a calendar's repetition (RRULE of RFC 5545) into words. Of a weekly series
# without BYDAY it names the weekday of the day on which it is asked, not that of DTSTART: a club that began on a Thursday
# meets "on Monday" if it is asked on a Monday, and "on Tuesday" a day later. The README's own example is right on Tuesdays only.
# A weekday with a number is left out: the third Thursday of the month (BYDAY=3TH) is "Every month", as are the last Friday
# (-1FR) and the last day (BYMONTHDAY=-1).
# Source: RFC 5545, 3.3.10 (what BYDAY leaves open is taken from DTSTART; "+1MO", "-1MO"); README: "supports all RRULE
# components defined in RFC 5545", and its example of 2 September 2025. The day is asked of the machine. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "rrule-humanize==0.1.0"
cd "$folder"
cat >say.py <<'PY'
from datetime import date, timedelta

from rrule_humanize import humanize

today = date.today()
for days in (1, 3, 6):
    first = today + timedelta(days=days)
    said = humanize("FREQ=WEEKLY;COUNT=4", f"{first:%Y%m%d}T190000")
    print(f"weekly from a {first:%A}: {said}")
    assert said.endswith(f", on {today:%A}, 4 times"), "the behaviour has changed"
expected = {
    "FREQ=MONTHLY;BYDAY=TH": "Every month, on Thursday",
    "FREQ=MONTHLY;BYDAY=3TH": "Every month",
    "FREQ=MONTHLY;BYDAY=-1FR": "Every month",
    "FREQ=MONTHLY;BYMONTHDAY=-1": "Every month",
    "FREQ=MONTHLY;BYMONTHDAY=24": "Every month, on the 24th",
}
for rule, words in expected.items():
    print(f"{rule}: {humanize(rule)}")
    assert humanize(rule) == words, "the behaviour has changed"
example = humanize("FREQ=WEEKLY;COUNT=5", "20250902T190400Z")
print("the README's example, which says Tuesday:", example)
assert f"on {today:%A}" in example
PY
venv/bin/python say.py
