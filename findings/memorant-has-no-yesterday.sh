#!/bin/sh
# memorant 1.0.0rc3 (PyPI, CPython 3.11), a memory of claims in one SQLite file, each with a tier of trust and the time for which it
# was true. Asked "as of" a day on which the old address was the one it knew, it finds nothing: a correction takes the old claim
# out of the index that every search reads. A correction under the default policy is "untrusted", though it corrects what the
# person had said at the tier "operator": after it, nothing about the address comes up by itself any more. What was guessed and is
# then said by the person stays "derived", since the same words only count up. Of two claims that match a question, the weaker
# one has the relevance 0 and is below every floor, and the age of a claim never counts: its time is kept without a zone and
# compared with one that has a zone, and the TypeError is swallowed.
# Source: its README ("Temporal validity: query as of any date", "That's operator-tier truth", "returning the top N results"),
# FTSRetriever ("recency_bonus: 1.0 for today, decaying linearly to 0.5 over 90 days") in retriever.py and core.py of the wheel.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memorant==1.0.0rc3"
cd "$folder"
venv/bin/python - >seen <<'PY'
import sqlite3
import time
from datetime import datetime, timezone

from memorant import MemorantStore


def store(name):
    memory = MemorantStore(f"{name}.db")
    memory.config.resonance_deadline_ms = 60_000
    memory.init()
    return memory


def tiers(memory, query, **how):
    return [(claim.content, claim.trust_tier) for claim in memory.search(query, **how)]


memory = store("address")
old = memory.add_claim("Ada lives in York.", source_pointer="chat", trust_tier="operator")
print("before:", "York" in memory.resonate("Where does Ada live?"))
time.sleep(1)
then = datetime.now(timezone.utc).isoformat()
time.sleep(1)
memory.correct_claim(old, "Ada lives in Leeds.")
print("now:", tiers(memory, "Ada"))
print("as of then:", tiers(memory, "Ada", as_of=then))
print("comes up:", repr(memory.resonate("Where does Ada live?")))

memory = store("guess")
memory.add_claim("Ben is a vegetarian.", source_pointer="inferred:1", trust_tier="derived")
memory.add_claim("Ben is a vegetarian.", source_pointer="chat", trust_tier="operator")
print("guessed, then said:", tiers(memory, "Ben"))

memory = store("two")
for claim in ("Eva is allergic to nuts.", "Eva is allergic to eggs, to milk and to the pollen of birches."):
    memory.add_claim(claim, source_pointer="chat", trust_tier="operator")
print("scores:", [abs(round(claim.score, 2)) for claim in memory.search("What is Eva allergic to?")])
print("eggs come up:", "eggs" in memory.resonate("What is Eva allergic to?"))
with sqlite3.connect("two.db") as rows:
    rows.execute("UPDATE claim_units SET updated_at = datetime('now', '-90 days')")
print("bonus after ninety days:", {claim.recency_bonus for claim in memory.search_debug("Eva")})
PY
cat seen
cat >expected <<'TEXT'
before: True
now: [('Ada lives in Leeds.', 'untrusted')]
as of then: []
comes up: ''
guessed, then said: [('Ben is a vegetarian.', 'derived')]
scores: [1.0, 0.0]
eggs come up: False
bonus after ninety days: {1.0}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
