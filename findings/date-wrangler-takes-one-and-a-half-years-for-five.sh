#!/bin/sh
# date-wrangler 2.3.0 (PyPI, CPython 3.11), which finds periods in what people type, on Monday, 2026-11-30. Of a number with a point
# or a comma it reads what stands behind it: "1.5 years ago" is the year 2021, "2.5 months ago" June, and of "a year and a half
# ago" it takes "a half ago", the first half of this year. "Two days before" and "a week after" are counted from today,
# whatever comes behind: two days before yesterday is two days ago and yesterday, two weeks after Easter the middle of
# December. All of that has its highest confidence and no diagnostic, and substitute writes it into the text.
# Source: its README: confidence "1.0: read in full, nothing in doubt", "0.5: part of the phrase was not read", and "A match whose
# neighbouring words change the period but could not be read comes back with confidence 0.5". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "date-wrangler==2.3.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import date

from date_wrangler import diagnose, substitute

today = date(2026, 11, 30)
for text in (
    "two years from March 2024",
    "1.5 years ago",
    "2.5 months ago",
    "a year and a half ago",
    "two days before yesterday",
    "2 weeks after easter",
    "a week before the wedding",
):
    matches, diagnostics = diagnose(text, today=today)
    for match in matches:
        print(f"{text}: {match.text!r} {match.range.start} to {match.range.end_inclusive}, {match.confidence}")
    print(" ", len(diagnostics), "diagnostics;", substitute(text, today=today))
PY
cat seen
cat >expected <<'TEXT'
two years from March 2024: 'March 2024' 2024-03-01 to 2024-03-31, 0.5
  1 diagnostics; two years from March 2024
1.5 years ago: '5 years ago' 2021-01-01 to 2021-12-31, 1.0
  0 diagnostics; 1.January 2021 to December 2021
2.5 months ago: '5 months ago' 2026-06-01 to 2026-06-30, 1.0
  0 diagnostics; 2.June 2026
a year and a half ago: 'a half ago' 2026-01-01 to 2026-06-30, 1.0
  0 diagnostics; a year and January 2026 to June 2026
two days before yesterday: 'two days before' 2026-11-28 to 2026-11-28, 1.0
two days before yesterday: 'yesterday' 2026-11-29 to 2026-11-29, 1.0
  0 diagnostics; 28 November 2026 29 November 2026
2 weeks after easter: '2 weeks after' 2026-12-14 to 2026-12-20, 1.0
  0 diagnostics; 14 December 2026 to 20 December 2026 easter
a week before the wedding: 'a week before' 2026-11-23 to 2026-11-29, 1.0
  0 diagnostics; 23 November 2026 to 29 November 2026 the wedding
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
