#!/bin/sh
# metadate 0.6.2 (PyPI, CPython 3.11), a parser of time phrases, asked on Saturday, 28 November, at 14:00. "next month" is
# what is left of this one, from 14:00 to 1 December; "next week" and "next weekend" both end on Saturday at 0:00, before
# that weekend begins. The README's own example, "the last 2 weeks of March 2024", is one week, from the 14th to the
# 20th; the last Friday of January is the last but one, and the first Monday of December is the last. "tonight at 8" is
# eight in the morning, "in 1.5 hours" and "in half an hour" are one hour, "quarter to nine" is November and December,
# "7pm for 2 hours" is nine. Nothing tells these from what is read rightly.
# Source: the README ("It handles everything from ... to ..."; its table lists "next month"). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "metadate==0.6.2" "python-dateutil==2.9.0.post0"
"$folder/venv/bin/python" - >"$folder/seen" <<'PY'
from datetime import datetime

from metadate import parse_date

PHRASES = (
    "next month",
    "next week",
    "next weekend",
    "the last 2 weeks of March 2024",
    "the last friday of january",
    "the first monday of december",
    "tonight at 8",
    "in 1.5 hours",
    "in half an hour",
    "quarter to nine",
    "monday at 7pm for 2 hours",
    "in 90 minutes",
    "next year",
)
for phrase in PHRASES:
    period = parse_date(phrase, reference_date=datetime(2026, 11, 28, 14, 0))
    print(f"{phrase}: {period.start_date:%a %d.%m.%Y %H:%M} to {period.end_date:%a %d.%m.%Y %H:%M}")
PY
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
next month: Sat 28.11.2026 14:00 to Tue 01.12.2026 00:00
next week: Sat 28.11.2026 14:00 to Sat 05.12.2026 00:00
next weekend: Sat 28.11.2026 14:00 to Sat 05.12.2026 00:00
the last 2 weeks of March 2024: Thu 14.03.2024 00:00 to Thu 21.03.2024 00:00
the last friday of january: Fri 23.01.2026 00:00 to Sat 24.01.2026 00:00
the first monday of december: Mon 28.12.2026 00:00 to Tue 29.12.2026 00:00
tonight at 8: Sat 28.11.2026 08:00 to Sat 28.11.2026 09:00
in 1.5 hours: Sat 28.11.2026 15:00 to Sat 28.11.2026 16:00
in half an hour: Sat 28.11.2026 15:00 to Sat 28.11.2026 16:00
quarter to nine: Sun 01.11.2026 00:00 to Fri 01.01.2027 00:00
monday at 7pm for 2 hours: Mon 30.11.2026 21:00 to Mon 30.11.2026 21:01
in 90 minutes: Sat 28.11.2026 15:30 to Sat 28.11.2026 15:31
next year: Fri 01.01.2027 00:00 to Sat 01.01.2028 00:00
TEXT
cmp "$folder/seen" "$folder/expected"
