#!/bin/sh
# humandate 0.8 with freezegun 1.5.5, which sets the clock to Monday, 2026-11-30, 14:00 (PyPI, CPython 3.11), dates in words. It
# sets the month before the day, and of a day that the month does not have, such as the 30th of February, it takes the error
# for an end: "12 february" is now, with nothing to tell it. After a month "at 6pm" is six in the morning, and "7:30pm",
# "1h30m" and "second week" are now; half an hour is an hour, and the "I" of "may I come tomorrow" comes on 31 May. What is
# earlier in the year is in the past, "march 3rd" nine months ago.
# Source: its summary, "Parse human-readable dates", and compute in humandate/index.py, where all that
# goes wrong is passed over. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "humandate==0.8" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from freezegun import freeze_time

with freeze_time("2026-11-30 14:00"):
    import humandate

    for text in (
        "tomorrow at 9",
        "in 90 minutes",
        "31 december",
        "12 february",
        "3 march at 6pm",
        "march 3rd",
        "at 7:30pm",
        "in 1h30m",
        "in half an hour",
        "may I come tomorrow",
    ):
        print(f"{text}: {humandate.parse_date(text):%Y-%m-%d %H:%M}")
PY
cat seen
cat >expected <<'TEXT'
tomorrow at 9: 2026-12-01 09:00
in 90 minutes: 2026-11-30 15:30
31 december: 2026-12-31 14:00
12 february: 2026-11-30 14:00
3 march at 6pm: 2026-03-03 06:00
march 3rd: 2026-03-03 14:00
at 7:30pm: 2026-11-30 14:00
in 1h30m: 2026-11-30 14:00
in half an hour: 2026-11-30 15:00
may I come tomorrow: 2026-05-31 14:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
