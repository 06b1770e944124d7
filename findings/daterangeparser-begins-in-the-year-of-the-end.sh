#!/bin/sh
# DateRangeParser 1.3.2 with freezegun 1.5.5, which sets the clock to Monday, 2026-11-30 (PyPI, CPython 3.11), ranges of days as
# people write them. The year at the first day is dropped unless the last day has one too: "15 Mar 2019 to 2 Apr" is in 2026,
# "30 Nov 2027 - 2 Dec" a year early. Without a year at the end the end is in this year, and a beginning that then comes after
# it goes back, written year or not: a stay "28 Dec 2026 to 3 Jan" is from December 2025, and was over in January.
# Source: its README: "easy to parse date ranges specified in a human-style string", among them "30 May to 9th Aug" and "3rd Jan
# 1980 -- 2nd Jan 2013", and no word of a year that is not used; where a text is not read it raises. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "DateRangeParser==1.3.2" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from daterangeparser import parse
from freezegun import freeze_time

with freeze_time("2026-11-30"):
    for text in (
        "30 May to 9th Aug",
        "28 Dec - 3 Jan 2027",
        "28 Dec 2026 to 3 Jan",
        "28 Dec to 3 Jan",
        "15 Mar 2019 to 2 Apr",
        "30 Nov 2027 - 2 Dec",
    ):
        first, last = parse(text)
        print(f"{text}: {first:%Y-%m-%d} to {last:%Y-%m-%d}")
PY
cat seen
cat >expected <<'TEXT'
30 May to 9th Aug: 2026-05-30 to 2026-08-09
28 Dec - 3 Jan 2027: 2026-12-28 to 2027-01-03
28 Dec 2026 to 3 Jan: 2025-12-28 to 2026-01-03
28 Dec to 3 Jan: 2025-12-28 to 2026-01-03
15 Mar 2019 to 2 Apr: 2026-03-15 to 2026-04-02
30 Nov 2027 - 2 Dec: 2026-11-30 to 2026-12-02
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
