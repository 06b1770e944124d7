#!/bin/sh
# selective-memory 0.1.0 (PyPI, CPython 3.11), "memory that decides what is worth keeping". What shares words with
# something known contradicts it, and search then hides what was known. To the README's own question, "what am I
# allergic to", the answer after "I am also allergic to bees" is bees alone, and no longer the README's penicillin.
# "Anna is allergic to nuts" hides it as well, so that Anna's nuts are all that the speaker is allergic to; and after "I
# am not allergic to nuts" only that is told. "I have 3 cats" after "I have 2 cats", a true change, is not stored.
# Source: find_superseded in selectivemem/hippocampus.py of the wheel; the README: "a month later the allergy is still
# there", and of supersession "the stale version is neither deleted nor weakened", retrieval "hides what it points at".
# Without the extras, as its first example is; the default settings. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "selective-memory==0.1.0"
cd "$folder"
venv/bin/python - 2>/dev/null <<'PY' | tee seen
from selectivemem import Memory

TOLD = [
    ("I am allergic to penicillin", "thanks"),
    ("I am allergic to penicillin", "I am also allergic to bees"),
    ("I am allergic to penicillin", "Anna is allergic to nuts"),
    ("I am allergic to penicillin", "I am not allergic to nuts"),
]
for number, sentences in enumerate(TOLD):
    memory = Memory(f"{number}.db")
    for sentence in sentences:
        memory.observe(sentence)
    print(f"after {sentences[1]!r}: {memory.context_for('what am I allergic to')}")
memory = Memory("cats.db")
for sentence in ("I have 2 cats", "I have 3 cats"):
    print(f"{sentence}: {'stored' if memory.observe(sentence).node_id else 'not stored'}")
PY
cat >expected <<'TEXT'
after 'thanks': - I am allergic to penicillin
after 'I am also allergic to bees': - I am also allergic to bees
after 'Anna is allergic to nuts': - Anna is allergic to nuts
after 'I am not allergic to nuts': - I am not allergic to nuts
I have 2 cats: stored
I have 3 cats: not stored
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
