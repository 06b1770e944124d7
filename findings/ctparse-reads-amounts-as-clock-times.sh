#!/bin/sh
# ctparse 0.3.6 (PyPI, CPython 3.11), a parser of time phrases in English and German, asked on a Saturday at 14:00.
# Of an amount it keeps what it knows and reads that as something else, without a sign: "in 1.5 hours" is 5 hours,
# "in anderthalb Stunden" (one and a half hours) is 30 minutes, "in einer Stunde" (in an hour) is one o'clock tomorrow,
# "in 90 min" is the year 1990, though "in 90 minutes" is right, and "in a fortnight" is tonight.
# Source: the patterns in ctparse/time/rules.py of the package; its README names both languages and durations. Seen on
# 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "ctparse==0.3.6"
"$folder/venv/bin/python" - <<'PY' 2>"$folder/log"
from datetime import datetime

from ctparse import ctparse

SEEN = {
    "in 90 minutes": "90 minutes",
    "in 90 min": "1990-X-X X:X (X/X)",
    "in 2 hours": "2 hours",
    "in 1.5 hours": "5 hours",
    "in 1,5 Stunden": "5 hours",
    "in anderthalb Stunden": "30 minutes",
    "in einer Stunde": "2026-11-29 01:00 (X/X)",
    "in two weeks": "2 weeks",
    "in a fortnight": "2026-11-28 X:X (X/night)",
}
for phrase, seen in SEEN.items():
    read = str(ctparse(phrase, ts=datetime(2026, 11, 28, 14, 0), timeout=0).resolution)
    print(f"{phrase!r:26} -> {read}")
    assert read == seen, "the behaviour has changed"
PY
