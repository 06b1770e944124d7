#!/bin/sh
# agent-smriti 0.1.0 (PyPI, CPython 3.11), a memory for agents in Markdown files, "four rules", the format as "the whole
# spec". A memory's name is its sentence without signs, cut at 60 letters, and a name that is there is written over
# without a word, although a sentence may have 120: of two meetings that differ behind the 60th letter the first is
# gone, and who writes C++ or C# takes the place of who writes C. A memory told again without its text loses it. A
# sentence from "[" to "]" is taken for a list when it is read: from then on no question is answered any more, whatever
# it asks for. The README's own get("use-postgres-for-the-ledger") finds nothing, as the name has "not-mongo" in it.
# Source: the README and the docstring of write ("no duplicate id", HOOK_MAX of 120); _slug, write and _parse_meta in
# smriti.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agent-smriti==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from smriti import Memory


def kept(name, *sentences):
    """Print what a new memory has after some sentences were written; returns the memory."""
    memory = Memory(name)
    for sentence in sentences:
        memory.write(sentence)
    print([memo.hook for memo in memory.all()])
    return memory


MEETING = "The board game club meets on the second Friday of the month at"
kept("meetings", f"{MEETING} the harbour", f"{MEETING} Kim's")
kept("languages", "Kim writes C", "Ben writes C", "Kim writes C++")
memory = kept("readme", "Use Postgres, not Mongo, for the ledger")
print("the README's get:", memory.get("use-postgres-for-the-ledger"))
memory.write("Kim is ill", "Call the doctor, 3 pm")
memory.write("Kim is ill", type="fact")
print("the text of what is told again:", repr(memory.get("kim-is-ill").body))
memory.write("[Ben] will bring the [red box]")
try:
    memory.recall("postgres ledger")
except AttributeError as error:
    print("a question after that:", error)
PY
cat >expected <<'TEXT'
["The board game club meets on the second Friday of the month at Kim's"]
['Ben writes C', 'Kim writes C++']
['Use Postgres, not Mongo, for the ledger']
the README's get: None
the text of what is told again: ''
a question after that: 'list' object has no attribute 'lower'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
