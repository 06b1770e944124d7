#!/bin/sh
# spacedreppy 0.5.0 (PyPI, CPython 3.11), which says when a flashcard is to be asked next (SM-2, Leitner, FSRS-6). The next
# date is counted from the last due date, never from the day of the answer: a card that was due on 3, 4 or 8 January and asked
# seven weeks late is "due" in January once more, known or not. The other way round, each "no" while learning on one evening
# puts the card off by a day: forgotten five times on the 1st, it comes on the 6th and not on the 2nd.
# Source: its README ("Each call returns the next due timestamp and interval", given attempted_at); its docstring of sm2
# ("Inter-repetition interval after the n-th repetition (in days)"); FSRSScheduler keeps the day of the answer and counts the
# memory's decay from it, but not what is due. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "spacedreppy==0.5.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from datetime import datetime, timezone

from spacedreppy import FSRSScheduler, LeitnerScheduler, SM2Scheduler


def learn(scheduler, *answers):
    """Print when the card is due after each of the answers (month, day, result)."""
    print(type(scheduler).__name__)
    for month, day, result in answers:
        asked = datetime(2026, month, day, 9, tzinfo=timezone.utc)
        due, interval = scheduler.compute_next_due_interval(attempted_at=asked, result=result)
        print(f"  {asked:%d %b}: result {result}, again in {interval.days} days, due {due:%d %b}")


learn(SM2Scheduler(), (1, 1, 5), (1, 2, 5), (2, 26, 5), (2, 27, 0))
learn(LeitnerScheduler(), (1, 1, 1), (2, 26, 1), (2, 27, 0))
learn(FSRSScheduler(), (1, 1, 3), (2, 26, 1), (2, 27, 3))
learn(SM2Scheduler(), *[(1, 1, 0)] * 5)
PY
cat seen
cat >expected <<'TEXT'
SM2Scheduler
  01 Jan: result 5, again in 1 days, due 02 Jan
  02 Jan: result 5, again in 6 days, due 08 Jan
  26 Feb: result 5, again in 16 days, due 24 Jan
  27 Feb: result 0, again in 1 days, due 25 Jan
LeitnerScheduler
  01 Jan: result 1, again in 3 days, due 04 Jan
  26 Feb: result 1, again in 7 days, due 11 Jan
  27 Feb: result 0, again in 1 days, due 12 Jan
FSRSScheduler
  01 Jan: result 3, again in 2 days, due 03 Jan
  26 Feb: result 1, again in 1 days, due 04 Jan
  27 Feb: result 3, again in 3 days, due 07 Jan
SM2Scheduler
  01 Jan: result 0, again in 1 days, due 02 Jan
  01 Jan: result 0, again in 1 days, due 03 Jan
  01 Jan: result 0, again in 1 days, due 04 Jan
  01 Jan: result 0, again in 1 days, due 05 Jan
  01 Jan: result 0, again in 1 days, due 06 Jan
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
