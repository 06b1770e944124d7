#!/bin/sh
# engramai 2.1.0 (PyPI, CPython 3.11), a memory "based on how human brains actually work", without an embedding
# provider, as it "works" by its README. FTS5 is asked for all words of the question. If it has none with all of them,
# all memories are candidates, ordered by how lately they were stored or read, and each is "certain" (0.84). So a
# question about a zebra, of which nothing is known, has five certain answers; "Where does Anna live?" has those that
# were stored last, and what says where she lives is not among them. The README's "user preferences" does not find the
# README's "User prefers detailed explanations" once five others were stored.
# Source: _get_candidates in engram/search.py of the wheel ("fall back to full scan"); recall in engram/memory.py: the
# "confidence score tells you how trustworthy each retrieval is"; the README, "Embedding Providers" and "Quick Start".
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "engramai==2.1.0"
cd "$folder"
ENGRAM_EMBEDDING=none venv/bin/python - 2>/dev/null <<'PY' | tee seen
from engram import Memory

TOLD = (
    "User prefers detailed explanations",
    "Anna lives in Oslo",
    "Ben has a cat",
    "The club meets at 8",
    "Cy likes chess",
    "Dana is a nurse",
    "Eve plays the flute",
)
for number, question in enumerate(("zebra", "Where does Anna live?", "user preferences", "Anna")):
    memory = Memory(f"{number}.db")
    for text in TOLD:
        memory.add(text, type="factual")
    results = memory.recall(question, limit=5)
    labels = ", ".join(sorted({result["confidence_label"] for result in results}))
    found = "; ".join(sorted(result["content"] for result in results))
    print(f"{question} ({labels}): {found}")
PY
cat >expected <<'TEXT'
zebra (certain): Ben has a cat; Cy likes chess; Dana is a nurse; Eve plays the flute; The club meets at 8
Where does Anna live? (certain): Ben has a cat; Cy likes chess; Dana is a nurse; Eve plays the flute; The club meets at 8
user preferences (certain): Ben has a cat; Cy likes chess; Dana is a nurse; Eve plays the flute; The club meets at 8
Anna (certain): Anna lives in Oslo
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
