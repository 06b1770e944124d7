#!/bin/sh
# qontext-memory 1.0.0 (PyPI, CPython 3.11), a memory of talks with a SillyTavern extension, which keeps short facts ("knots") and
# replaces what is out of date. Two sentences that differ in their names and numbers alone are the old and the new of one fact: of
# "My daughter Mia was born on 3 May" and "My daughter Lea was born on 4 June" the second remains, of two brothers in two towns one,
# of two languages the last, of two appointments the later. Where the words that differ have small letters both stay: nuts and eggs
# do, German and French do not. What contradicts stays beside it: the boss and the new boss, the cat and its death. "My favourite
# colour is blue." is not kept at all, and of "I am vegetarian. Actually I eat fish now." the first alone is.
# Source: its README ("short, self-contained facts", "Never trim the name, day, place or number out of an entry", "The payload is
# the point"); _supersede() in qontext_memory.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "qontext-memory==1.0.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from qontext_memory import QontextMemory

for question, *said in (
    ("When were my daughters born?", "My daughter Mia was born on 3 May.", "My daughter Lea was born on 4 June."),
    ("Where do my brothers live?", "My brother Tom lives in York.", "My brother Max lives in Graz."),
    ("What do I speak?", "I speak German.", "I speak French."),
    ("Whom do I meet?", "On Monday I meet Eva.", "On Tuesday I meet Tom."),
    ("What am I allergic to?", "I am allergic to nuts.", "I am allergic to eggs."),
    ("Who is my boss?", "My boss is Tom.", "My new boss is Eva."),
    ("What is my favourite colour?", "My favourite colour is blue."),
    ("What do I eat?", "I am vegetarian.", "Actually I eat fish now."),
):
    memory = QontextMemory()
    for words in said:
        memory.observe("user", words)
    print(question, memory.pack(question, 2000).splitlines())
PY
cat seen
cat >expected <<'TEXT'
When were my daughters born? ["the user's daughter Lea was born on 4 June"]
Where do my brothers live? ["the user's brother Max lives in Graz"]
What do I speak? ['the user speaks French']
Whom do I meet? ['On Tuesday the user meet Tom']
What am I allergic to? ['the user is allergic to eggs', 'the user is allergic to nuts']
Who is my boss? ["the user's new boss is Eva", "the user's boss is Tom"]
What is my favourite colour? []
What do I eat? ['the user is vegetarian']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
