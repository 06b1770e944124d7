#!/bin/sh
# backlinker 2.1.0 (PyPI, CPython 3.11), which writes a line into today's Obsidian note and makes a due date of the date in a
# task. People whose names are months are read as one: "give Jan 2 tickets" is "give tickets", due on 2 January, although the
# vault has a Jan, whom it links in other sentences. A year after the day is not read: what is to be paid on March 5 2028 is
# due on 5 March 2027, a year early. "Until" and "before" are taken out with the day: "no sweets for Ada until fri" becomes "no
# sweets for Ada", due on Friday. What was typed is kept nowhere.
# Source: its README ("First names work for people"; "A date phrase in it becomes a Tasks due date"); the first lines of its
# dates.py ("a phrase is only read as a date when there is one sensible reading"). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "backlinker==2.1.0"
cd "$folder"
mkdir -p vault/.obsidian vault/People home
echo "A friend." >"vault/People/Jan Example.md"
{
  for text in "ask Jan about tickets" "give Jan 2 tickets"; do
    echo "$text:"
    HOME="$folder/home" venv/bin/bl --vault "$folder/vault" --date 2026-10-07 -n -t "$text" | grep '^+[^+]'
  done
} >seen
venv/bin/python - >>seen <<'PY'
from datetime import date

from backlinker.dates import find_due

for text in [
    "send Ada the deck on fri",
    "pay the rent on March 5 2028",
    "no sweets for Ada until fri",
    "do not open the present before oct 9",
]:
    due, rest = find_due(text, date(2026, 10, 7))
    print(f"{text}: {rest}, due {due}")
PY
cat seen
cat >expected <<'TEXT'
ask Jan about tickets:
+- [ ] ask [[Jan Example|Jan]] about tickets
give Jan 2 tickets:
+- [ ] give tickets 📅 2027-01-02
send Ada the deck on fri: send Ada the deck, due 2026-10-09
pay the rent on March 5 2028: pay the rent 2028, due 2027-03-05
no sweets for Ada until fri: no sweets for Ada, due 2026-10-09
do not open the present before oct 9: do not open the present, due 2026-10-09
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
