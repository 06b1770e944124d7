#!/bin/sh
# feltstate 0.2.0a4 (PyPI, CPython 3.11), a memory for companions, of facts with actor, action and object. A fact is the
# same as another by actor and object alone: "Anna hates coffee" after "Anna loves coffee" is kept nowhere, also not in the
# history, and strengthens that she loves it. Words are looked for in the whole record as JSON, with the names of its
# fields: a search for "hat" finds each fact, since each has "what", and retract("hat") takes back the first of them,
# whatever it is. "A pluggable scorer", which the README offers for other languages and for meaning, is asked only
# about records that have the whole question in one piece: for "coffee Anna" or a sentence there are none.
# Source: the README's chapter "Memory beyond retrieval"; _entry_id, _entry_text, _find_active and recall in
# feltstate/memory/canon.py of the wheel. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "feltstate==0.2.0a4"
cd "$folder"
venv/bin/python - <<'PY'
from feltstate.memory.canon import Canon


def told(facts):
    return [f"{fact['actor']} {fact['action']} {fact['object']}" for fact in facts]


def perfect(query, text):
    """Score each text as if it were what is meant."""
    return 1.0


canon = Canon("canon.jsonl")
first = canon.add("Anna", "coffee", action="loves", intensity=0.5)
second = canon.add("Anna", "coffee", action="hates", intensity=0.5)
seen = {
    "loves, then hates": (told(canon.history("coffee")), first["intensity"], second["intensity"]),
}
canon.add("Ben", "red hats", action="collects", intensity=0.5)
seen['search "hat"'] = sorted(told(canon.search("hat")))
for query in ("coffee", "coffee Anna", "What does Anna drink?"):
    seen[f'recall "{query}" with a scorer'] = told(canon.recall(query, scorer=perfect))
seen['retract "hat"'] = told([canon.retract("hat")])
seen["left then"] = told(canon.view())
for what, result in seen.items():
    print(f"{what}: {result}")
expected = {
    "loves, then hates": (["Anna loves coffee"], 0.5, 0.6),
    'search "hat"': ["Anna loves coffee", "Ben collects red hats"],
    'recall "coffee" with a scorer': ["Anna loves coffee"],
    'recall "coffee Anna" with a scorer': [],
    'recall "What does Anna drink?" with a scorer': [],
    'retract "hat"': ["Anna loves coffee"],
    "left then": ["Ben collects red hats"],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
