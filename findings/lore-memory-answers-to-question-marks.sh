#!/bin/sh
# lore-memory 0.2.0 (PyPI, CPython 3.11), a memory for agents in one SQLite file. A question goes to FTS5 as it is,
# which asks for all of its words: the README's own questions find none of the memories that it stores for them. What
# FTS5 refuses to read is asked for again, any word of it, and a question mark is such a sign: "which database do we
# use?" finds what "which database do we use" does not. In "tea NOT coffee" the word in capitals is an order: what has
# tea and coffee in it is left out.
# Source: the README: recall "which database do we use" after "We use PostgreSQL, never MySQL", recall("theme
# preference") after "User prefers dark mode"; search in lore_memory/core/store.py of the wheel; FTS5's documentation,
# "Full-text Query Syntax". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "lore-memory==0.2.0"
cd "$folder"
HOME=$folder venv/bin/python - <<'PY' | tee seen
from lore_memory import LoreMemory

with LoreMemory("memory.db") as memory:
    for text in (
        "We use PostgreSQL, never MySQL",
        "User prefers dark mode",
        "Ben is Anna's brother",
        "Anna drinks tea and coffee",
    ):
        memory.remember(text)
    for question in (
        "which database do we use",
        "which database do we use?",
        "theme preference",
        "who is Ben",
        "who is Ben?",
        "tea coffee",
        "tea NOT coffee",
    ):
        print(f"{question}: {[row['content'] for row in memory.recall(question)]}")
PY
cat >expected <<'TEXT'
which database do we use: []
which database do we use?: ['We use PostgreSQL, never MySQL']
theme preference: []
who is Ben: []
who is Ben?: ["Ben is Anna's brother"]
tea coffee: ['Anna drinks tea and coffee']
tea NOT coffee: []
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
