#!/bin/sh
# bettertime 1.0.0 (PyPI, CPython 3.11), which reads lengths of time for Discord bots. The list of parts belongs to the class, so
# each length is added to all that were read before: once Ada has asked for half an hour, Ben's "1 day" is a day and half an
# hour, and Cy's "2 hours" more than a day. A part is looked up by what it says, and the first part that says the same is
# found: "1 hour 1 minute" is two hours, "2h 2m 2s" six. A year is 360 days, and what it writes itself ends in a space.
# Source: its README: "converting string date expressions to seconds" and "Sweet using and building your lovely dsbots"; its
# docstring: "Seconds got from summing expressions tokens"; Lexer.tokens and Parser.parse_to_seconds. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "bettertime==1.0.0"
cd "$folder"
ask() {
  venv/bin/python -c 'import sys, bettertime; print({text: bettertime.to_seconds(text) for text in sys.argv[1:]})' "$@"
}
{
  echo "each in a program of its own:"
  for text in "5hours 30minutes" "30 minutes" "1 day" "2 hours" "1 hour 1 minute" "2h 2m 2s" "1 year"; do
    ask "$text"
  done
  echo "one after the other:"
  ask "30 minutes" "1 day" "2 hours"
} >seen
cat seen
cat >expected <<'TEXT'
each in a program of its own:
{'5hours 30minutes': 19800}
{'30 minutes': 1800}
{'1 day': 86400}
{'2 hours': 7200}
{'1 hour 1 minute': 7200}
{'2h 2m 2s': 21600}
{'1 year': 31104000}
one after the other:
{'30 minutes': 1800, '1 day': 88200, '2 hours': 95400}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
