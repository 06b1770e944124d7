#!/bin/sh
# agent-logbook 0.1.1 (PyPI, CPython 3.11), long-term memory in SQLite for agents, which gives a memory more salience each time it helps
# and lets the rest fade. bm25() of SQLite is negative, the better the smaller; recall() sorts by bm25 / salience, which brings the
# salient ones nearer to nought, and so to the end: of two memories that match alike, the one that was recalled a hundred
# times comes after the one that has faded to a tenth, and when the budget has room for one, the faded one is told. Each time that a
# memory is useful makes it be told less.
# Source: its README ("ranks them by relevance and salience"), the docstring of recall() ("Rank = bm25 relevance x salience", "Salience
# decays over time, reinforced on use") in db.py; SQLite's FTS5, 5.1.1: "the better match is assigned a numerically lower value".
# Its database layer is run alone, without the MCP server around it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "agent-logbook==0.1.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from agent_logbook import db

logbook = db.connect("logbook.db")
used = db.remember(logbook, "fact", "Ada is allergic to nuts.", entity="allergy").id
faded = db.remember(logbook, "fact", "Ada is waiting for Ben.", entity="waiting").id
for number in range(20):
    db.remember(logbook, "note", f"Something else happened on day {number}.")
for _ in range(40):
    db.recall(logbook, "allergic nuts")
for _ in range(200):
    db.decay(logbook)
for _ in range(40):
    db.recall(logbook, "allergic nuts")


def told(**how):
    return [(memory.content, round(memory.salience, 2)) for memory in db.recall(logbook, "Ada", **how)]


print("told:", told())
print("told, room for one:", told(budget_tokens=6))
print("bm25:", [round(row[0], 3) for row in logbook.execute(
    "SELECT bm25(memories_fts) FROM memories_fts WHERE memories_fts MATCH 'Ada'")])
PY
cat seen
cat >expected <<'TEXT'
told: [('Ada is waiting for Ben.', 0.1), ('Ada is allergic to nuts.', 5.0)]
told, room for one: [('Ada is waiting for Ben.', 0.25)]
bm25: [-2.104, -2.104]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
