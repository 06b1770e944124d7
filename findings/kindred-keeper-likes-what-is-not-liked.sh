#!/bin/sh
# kindred-keeper 0.1.0 (PyPI, CPython 3.11), a memory of the people that somebody cares for, with a plan of what to do.
# "Kim doesn't like jazz" makes jazz an interest of Kim's, "It looks like rain" makes it rain, and "I ran into her ex" her
# ex. "Maybe 10 people come" is the tenth of May, "Marina 3" the third of March, and a note of "maybe 40" people raises
# ValueError, after which it is not stored; "12 August" is no day. Any "book", "text" or "call" promises something: "Kim
# reads a book about bees" is an open commitment to "Book about bees", and is planned for today. Each note
# says that they met: after "I have not seen Kim since May" Kim was last seen today, and is no longer due.
# Source: INTEREST_RE, DATE_RE and PROMISE_RE in engine.py and add_note in storage.py of the wheel; the README ("Note
# analysis that extracts interests, promises, dates"). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "kindred-keeper==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from datetime import date
from pathlib import Path

from kindred_keeper.engine import analyze_note, build_contact_summary, plan_actions
from kindred_keeper.storage import KeeperStore

TODAY = date(2026, 11, 28)
EXPECTED = {
    "Kim doesn't like jazz": (["jazz"], [], []),
    "It looks like rain": (["rain"], [], []),
    "I ran into her ex": (["her ex"], [], []),
    "Maybe 10 people come": ([], [], ["2027-05-10"]),
    "We sat at the Marina 3 hours": ([], [], ["2027-03-03"]),
    "Her recital is on 12 August": ([], [], []),
    "Kim reads a book about bees": ([], ["Book about bees"], []),
}
seen = {}
for note in EXPECTED:
    found = analyze_note(note, today=TODAY)
    seen[note] = (found["interests"], found["promises"], found["dates"])
    print(f"{note}: interests {seen[note][0]}, promises {seen[note][1]}, dates {seen[note][2]}")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
store = KeeperStore(Path("people.json"))
store.clear_demo()
kim = store.add_contact("Kim", "friend", 14, "")
data = store.read()
data["contacts"][0]["last_seen"] = "2026-05-01"
store.write(data)
try:
    store.add_note(kim["id"], "Maybe 40 people come")
except ValueError as error:
    print("Maybe 40 people come: ValueError,", error)
else:
    raise SystemExit("forty people are no day any more")
assert not store.read()["notes"]


def days():
    """Return for how many days Kim was not seen, and what is planned."""
    data = store.read()
    today = date.today()
    notes = [note for note in data["notes"] if note["contact_id"] == kim["id"]]
    summary = build_contact_summary(data["contacts"][0], notes, today=today)
    planned = plan_actions(data["contacts"], {kim["id"]: notes}, today=today)
    return summary["days_since"], [action.title for action in planned]


before = days()
store.add_note(kim["id"], "I have not seen Kim since May, and miss her")
after = days()
print("days since Kim was seen:", before, "after the note:", after)
if before[0] < 100 or after[0] != 0:
    raise SystemExit("a note no longer is a meeting")
PY
