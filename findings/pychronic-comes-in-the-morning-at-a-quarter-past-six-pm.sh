#!/bin/sh
# pychronic 0.0.14 with freezegun 1.5.5, which sets the day (PyPI, CPython 3.11), which finds dates and times in sentences. PM
# counts in front of a day and a month's name, and nowhere else: "tomorrow at 6:15 pm" is 6:15 in the morning, "at 8:30 pm" half
# past eight, and "at 11:30 PM on 2026-05-23" half an hour before noon. A quarter past twelve at night is a quarter past noon. A
# year behind the month is left out: who marries on 3 May 2028 has married in 2026, half a year ago, and a birthday "on 5th
# January" is the last one, for who says it in December. "2 pm" without minutes is no time at all.
# Source: its README ("A natural language date parser", 11:30 PM on 23rd May is 23:30); the second of patterns_to_match in
# pychronic/models/parse_pattern.py, which asks for a PERIOD and does not read it. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "pychronic==0.0.14" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from freezegun import freeze_time
from pychronic.utils import highlight_from_text

with freeze_time("2026-12-01 12:00"):
    for text in (
        "We meet on 11:30 PM on 23rd May",
        "We meet tomorrow at 6:15 pm",
        "We meet on 11:30 PM on 2026-05-23",
        "The train leaves at 12:15 am",
        "We begin at 8:30 pm",
        "We marry on 3 May 2028",
        "Her birthday is on 5th January",
        "We eat tomorrow at 2 pm",
    ):
        print(f"{text}:", *(match["parsed_value"].isoformat() for match in highlight_from_text(text)["matched_pattern"]))
PY
cat seen
cat >expected <<'TEXT'
We meet on 11:30 PM on 23rd May: 2026-05-23T23:30:00
We meet tomorrow at 6:15 pm: 2026-12-02 06:15:00
We meet on 11:30 PM on 2026-05-23: 2026-05-23T11:30:00
The train leaves at 12:15 am: 12:15:00
We begin at 8:30 pm: 08:30:00
We marry on 3 May 2028: 2026-05-03
Her birthday is on 5th January: 2026-01-05
We eat tomorrow at 2 pm: 2026-12-02
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
