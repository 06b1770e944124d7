#!/bin/sh
# leitner-box 0.3.0, sm-2 0.3.0 and anki-sm-2 0.2.0 (PyPI, CPython 3.11), which tell when a learned fact is to be asked again.
# A new card's id is the millisecond of its making: of fifty made in a row, as from a list of facts about people, all or
# nearly all have one id, and a table by id keeps one of them, with the reviews of all. fsrs 6.3.2, of the same authors, waits
# a millisecond for each card, so that fifty have fifty ids. leitner-box takes the zone off times instead of reckoning with
# it: at half past midnight in Berlin a card that is due on that day is asked if the time is given in Berlin's zone, and is
# "not due" if the same moment is given in UTC.
# Source: the classes' texts: "card_id (int): The id of the card. Defaults to the epoch miliseconds of when the card was
# created"; a comment in fsrs about the collision of ids; Scheduler.review_card: replace(tzinfo=None). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "leitner-box==0.3.0" "sm-2==0.3.0" "anki-sm-2==0.2.0" "fsrs==6.3.2"
cd "$folder"
venv/bin/python - <<'PY'
from datetime import datetime, timedelta, timezone

import anki_sm_2
import fsrs
import leitner_box
import sm_2

BERLIN = timezone(timedelta(hours=1))
seen = {}
for package in (leitner_box, sm_2, anki_sm_2, fsrs):
    cards = [package.Card() for _ in range(50)]
    seen[package.__name__] = len({card.card_id for card in cards})
    print(f"{package.__name__}: 50 cards, {'50 ids' if seen[package.__name__] == 50 else 'fewer than 10 ids'}")
assert seen["fsrs"] == 50 and all(ids < 10 for name, ids in seen.items() if name != "fsrs"), seen

start = datetime(2026, 11, 30, 9, tzinfo=BERLIN)
scheduler = leitner_box.Scheduler(start_datetime=start)
card, _ = scheduler.review_card(leitner_box.Card(), leitner_box.Rating.Pass, start)
print("due:", card.due)
asked = {}
for name, at in (("in Berlin", start.replace(day=1, month=12, hour=0, minute=30)), ("in UTC", None)):
    at = at or datetime(2026, 12, 1, 0, 30, tzinfo=BERLIN).astimezone(timezone.utc)
    try:
        scheduler.review_card(card, leitner_box.Rating.Pass, at)
        asked[name] = "asked"
    except RuntimeError as error:
        asked[name] = str(error)
    print(f"half past midnight, given {name} ({at}): {asked[name]}")
assert asked == {"in Berlin": "asked", "in UTC": "Card is not due for review until 2026-12-01 00:00:00."}
PY
