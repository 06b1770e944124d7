#!/bin/sh
# Chronyk 1.0.1 (PyPI, CPython 3.11), which reads times "especially when it comes to interfacing with those pesky humans". Of a
# text with "in" or "ago" it takes the figures that stand before a unit, and nothing is now: in an hour, in two weeks, in 20 min
# and an hour ago are all this moment, without an error, and "in a week and 2 days" is in two days. Of 1.5 hours the figure
# before the unit is the 5, so an hour and a half are five hours, and so is half an hour written as 0.5.
# Source: its README ("Parsing human-written strings"; Chronyk("2 days and 30 hours ago")) and the class's docstring ("If Chronyk
# fails to parse a given string, a ValueError is raised"); __fromrelative__ in chronyk/chronyk.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "chronyk==1.0.1"
cd "$folder"
TZ=UTC venv/bin/python -W ignore - >seen <<'PY'
import time

from chronyk import Chronyk

for text in (
    "in 90 minutes",
    "in 1 hour and 30 minutes",
    "in 1.5 hours",
    "in 0.5 hours",
    "in 1:30 hours",
    "in an hour",
    "in two weeks",
    "in a week and 2 days",
    "in 20 min",
    "an hour ago",
    "soon",
):
    try:
        away = Chronyk(text, timezone=0).timestamp() - time.time()
        print(f"{text}: {round(away / 60)} minutes")
    except ValueError as error:
        print(f"{text}: {error}")
PY
cat seen
cat >expected <<'TEXT'
in 90 minutes: 90 minutes
in 1 hour and 30 minutes: 90 minutes
in 1.5 hours: 300 minutes
in 0.5 hours: 300 minutes
in 1:30 hours: 1800 minutes
in an hour: 0 minutes
in two weeks: 0 minutes
in a week and 2 days: 2880 minutes
in 20 min: 0 minutes
an hour ago: 0 minutes
soon: Failed to parse time string.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
