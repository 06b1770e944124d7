#!/bin/sh
# anti-resonance 0.2.0 (PyPI, CPython 3.11), which puts bad memories among the good ones that a search found, so that a
# model is not too sure. Whether a memory is among them already is asked of the object in the program's own storage:
# what comes from a database, a copy, is put in once more. So a model that shall hear of two failures hears of one
# twice, and the other one, which was to be told, is not. The README's own call for customer support, without a score,
# takes the places from the front: the best match goes first, and the worst one stays. A memory without the field "pnl"
# is a success, whatever it says.
# Source: the README ("replace lowest-scoring positives with highest-scoring negatives", "Customer Support");
# ensure_negative_ratio in anti_resonance/core.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "anti-resonance==0.2.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import sqlite3

from anti_resonance import ensure_negative_ratio

database = sqlite3.connect(":memory:")
database.row_factory = sqlite3.Row
database.execute("CREATE TABLE memories (text, mood, score)")
MEMORIES = (
    ("Kim liked the cake", 1, 0.9),
    ("Kim was ill after the nuts", -1, 0.8),
    ("Kim liked the tea", 1, 0.7),
    ("Kim liked the soup", 1, 0.6),
    ("Kim was ill after the fish", -1, 0.5),
)
database.executemany("INSERT INTO memories VALUES (?, ?, ?)", MEMORIES)


def found(condition="1"):
    """Return memories of a query, the best first."""
    rows = database.execute(f"SELECT * FROM memories WHERE {condition} ORDER BY score DESC")
    return [dict(row) for row in rows]


def told(results, **options):
    return [memory["text"] for memory in ensure_negative_ratio(results, found(), min_negative_ratio=0.5, **options)]


best = found("score > 0.55")
print("with a score:", told(best, negative_classifier=lambda memory: memory["mood"] < 0, score_key="score"))
liked = found("mood > 0")
print("without:", told(liked, negative_classifier=lambda memory: memory["mood"] < 0))
print("by itself:", told(best))
PY
cat >expected <<'TEXT'
with a score: ['Kim liked the cake', 'Kim was ill after the nuts', 'Kim was ill after the nuts', 'Kim liked the tea']
without: ['Kim was ill after the nuts', 'Kim was ill after the fish', 'Kim liked the soup']
by itself: ['Kim liked the cake', 'Kim was ill after the nuts', 'Kim liked the tea', 'Kim liked the soup']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
