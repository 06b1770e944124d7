#!/bin/sh
# datemath-cli 0.1.0 with freezegun 1.5.5, which sets the clock to Monday, 2026-11-30, 14:00 (PyPI, CPython 3.11), dates in words
# for people and for agents. Units are looked for one after the other, each in the whole text, so "2 months" is two months and,
# by "2 m", two minutes: 14:02. "12 mondays" are a year and twelve minutes, "2 weekdays" two weeks, "1.5 hours" five hours,
# "1h30" one. What follows "in" or stands before "ago" is read in the same way, and what is no length is left out: "in 2 days
# at 6pm" is at 14:00. All else goes to dateutil's fuzzy reader, for which only "6pm" is a time in "tomorrow at 6pm": today at
# six; "2 weeks from now" is the 2nd of this month, four weeks ago, "a week ago" an error and "monday" today.
# Source: its README: "datemath add \"2 months\"  # 2 months from now", "datemath parse \"tomorrow\"", "Designed for humans and
# AI agents alike"; parse_duration and parse_natural_date in datemath/cli.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "datemath-cli==0.1.0" "freezegun==1.5.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
from click.testing import CliRunner
from datemath.cli import main
from freezegun import freeze_time


def ask(*words):
    """Return the line of datemath's answer that says the time, or its error."""
    result = CliRunner().invoke(main, list(words))
    lines = [line for line in result.output.splitlines() if line.startswith(("result: ", "iso: "))]
    return lines[0].split(": ")[1] if lines else result.exception


with freeze_time("2026-11-30 14:00"):
    for length in ("2 months", "1 year 2 months", "2 weekdays", "12 mondays", "1.5 hours", "1h30"):
        print(f"add {length!r}:", ask("add", length))
    for text in ("tomorrow", "tomorrow at 6pm", "in 2 months", "in 2 days at 6pm", "2 weeks from now", "a week ago", "monday"):
        print(f"parse {text!r}:", ask("parse", text))
PY
cat seen
cat >expected <<'TEXT'
add '2 months': 2027-01-30T14:02:00
add '1 year 2 months': 2028-01-30T14:02:00
add '2 weekdays': 2026-12-14T14:00:00
add '12 mondays': 2027-11-30T14:12:00
add '1.5 hours': 2026-11-30T19:00:00
add '1h30': 2026-11-30T15:00:00
parse 'tomorrow': 2026-12-01T14:00:00
parse 'tomorrow at 6pm': 2026-11-30T18:00:00
parse 'in 2 months': 2027-01-30T14:02:00
parse 'in 2 days at 6pm': 2026-12-02T14:00:00
parse '2 weeks from now': 2026-11-02T00:00:00
parse 'a week ago': Could not parse duration: a week
parse 'monday': 2026-11-30T00:00:00
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
