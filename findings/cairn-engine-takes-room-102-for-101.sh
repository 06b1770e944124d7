#!/bin/sh
# cairn-engine 0.1.0 (PyPI, CPython 3.11), which finds out whom or what a word means, "a closed world": what is not
# known is told as unresolved, and "a miss is never a made-up id". A name that differs in one letter is no miss: of two
# rooms, 101 and 110, room 102 is either with 0.875, Jane is Jan, and the flight and the day after the known ones are
# the known ones. Signs are dropped before that: C# is C and C++, both with certainty. Of what was true when, times are
# compared as text: at 23:00 in UTC a fact that began at 00:30 in Helsinki, half an hour before, is not yet true, and
# one that is true until a day ends with the beginning of that day.
# Source: the README ("deterministic", "never a synthesized ID", "bi-temporal state"), and "ISO 8601 strings order
# correctly" in entity/bitemporal.py; normalize in entity/normalize.py, _fuzzy in entity/resolve.py of the wheel. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cairn-engine==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from cairn_engine import Entity, InMemoryAliasTable, Relation, as_at, resolve

NAMES = ("Room 101", "Room 110", "Jan", "C", "C++", "Flight 1718", "Friday 4 December")
table = InMemoryAliasTable.from_entities([Entity(f"known::{name}", name, "thing") for name in NAMES])
for mention in ("Room 102", "Jane", "C#", "Flight 1719", "Friday 5 December", "Sofia"):
    resolved, unresolved = resolve("", table=table, mentions=[mention])
    print(f"{mention}: {[(hit.canonical_id[7:], hit.confidence) for hit in resolved]}, unresolved: {unresolved}")


def true_at(time, **interval):
    """Return whether a fact with an interval is true at a time."""
    return bool(as_at([Relation("lives in", "known::Oslo", **interval)], valid_as_of=time))


print("30 minutes after:", true_at("2026-03-09T23:00:00+00:00", valid_from="2026-03-10T00:30:00+02:00"))
print("at noon on the last day:", true_at("2026-03-10T12:00:00", valid_until="2026-03-10"))
PY
cat >expected <<'TEXT'
Room 102: [('Room 101', 0.875), ('Room 110', 0.875)], unresolved: []
Jane: [('Jan', 0.857143)], unresolved: []
C#: [('C', 1.0), ('C++', 1.0)], unresolved: []
Flight 1719: [('Flight 1718', 0.909091)], unresolved: []
Friday 5 December: [('Friday 4 December', 0.941176)], unresolved: []
Sofia: [], unresolved: ['Sofia']
30 minutes after: False
at noon on the last day: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
