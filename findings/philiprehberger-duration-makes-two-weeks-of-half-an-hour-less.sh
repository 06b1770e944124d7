#!/bin/sh
# philiprehberger-duration 0.4.0 (PyPI, CPython 3.11), lengths of time that are read, added and written. Half an hour less than
# nothing, "1 hour minus 90 minutes", is written as "-1w 6d 23h 30m" in all its forms, with a sign at the first part only, and
# read again it is two weeks less half an hour; with colons a whole day. Of ISO 8601 it knows neither years, months nor weeks,
# and then takes the numbers with letters out of it: "P3M", three months, are three minutes, "P1M2D" two days and a minute.
# What is no number with a unit is left out elsewhere too: "-2h" is 2 hours, "1,5h" five, "1h30" one.
# Source: its README: "parse(\"PT2H30M\")" under "ISO 8601 parsing", "d4 = d - Duration(minutes=10)"; its docstring: "Negative
# timedeltas are preserved" and "Raises: ValueError: If the string cannot be parsed"; ISO 8601: M before T is months. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "philiprehberger-duration==0.4.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from philiprehberger_duration import Duration, format, parse


def read(text):
    """Return what the text is in hours, or the error."""
    try:
        return f"{parse(text) / 3600:.4g} h"
    except ValueError as error:
        return f"{error}"


late = Duration(hours=1) - Duration(minutes=90)
print("1 hour - 90 minutes:", late.total_seconds() / 3600, "h")
for style in ("short", "long", "colon", "iso"):
    text = format(late.total_seconds(), style=style)
    print(f"{style}: {text!r} is read as {read(text)}")
for text in ("PT2H30M", "P3M", "P1M2D", "P1Y", "-2h", "1,5h", "1h30"):
    print(f"{text!r} is read as {read(text)}")
PY
cat seen
cat >expected <<'TEXT'
1 hour - 90 minutes: -0.5 h
short: '-1w 6d 23h 30m' is read as 335.5 h
long: '-1 weeks, 6 days, 23 hours, 30 minutes' is read as 335.5 h
colon: '-1d 23:30:00' is read as 24 h
iso: 'P-1DT23H30M' is read as Unknown duration unit: 'DT'
'PT2H30M' is read as 2.5 h
'P3M' is read as 0.05 h
'P1M2D' is read as 48.02 h
'P1Y' is read as Unknown duration unit: 'Y'
'-2h' is read as 2 h
'1,5h' is read as 5 h
'1h30' is read as 1 h
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
