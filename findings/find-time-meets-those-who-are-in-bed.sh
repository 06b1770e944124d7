#!/bin/sh
# find-time 1.0.1 (PyPI, CPython 3.11), which finds when all of a group are free. The last block of the day ends at 24:00,
# which it writes as 0, and a block lies within what somebody said if it begins no earlier and ends no later: so whoever is
# free at any time of a day is free at 23:45 too. Ada, free from 8 to 10 in the morning, meets Ben at a quarter to midnight, as
# "2 of 3 available"; with blocks of an hour 23:00 to midnight is the best meeting of all. Up to 23:00 alone the answers are
# right.
# Source: its README ("finding regular availability overlaps between event invitees") and its help ("--hours START END, Start
# and end hours to evaluate, in 24hr time"); as a library it looks at all 24 hours unless told. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "find-time==1.0.1"
cd "$folder"
printf 'Ada: Mon 8:00-10:00\nBen: Mon 9:30-11:00\nCy: Tue 9:00-10:00\n' >free
{
  for blocks in 4 1; do
    echo "$blocks blocks an hour, 8 to 24:"
    venv/bin/find-time --input free --hours 8 24 --blocks-per-hour "$blocks" --nprint 2
  done
  echo "8 to 23:"
  venv/bin/find-time --input free --hours 8 23 --nprint 2
} >seen
cat seen
cat >expected <<'TEXT'
4 blocks an hour, 8 to 24:
1) Monday, 09:30-10:00 (2 of 3 available):
 - Available: Ada, Ben
 - Unavailable: Cy

2) Monday, 23:45-00:00 (2 of 3 available):
 - Available: Ada, Ben
 - Unavailable: Cy

1 blocks an hour, 8 to 24:
1) Monday, 23:00-00:00 (2 of 3 available):
 - Available: Ada, Ben
 - Unavailable: Cy

2) Monday, 08:00-10:00 (1 of 3 available):
 - Available: Ada
 - Unavailable: Ben, Cy

8 to 23:
1) Monday, 09:30-10:00 (2 of 3 available):
 - Available: Ada, Ben
 - Unavailable: Cy

2) Monday, 08:00-09:30 (1 of 3 available):
 - Available: Ada
 - Unavailable: Ben, Cy

TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
