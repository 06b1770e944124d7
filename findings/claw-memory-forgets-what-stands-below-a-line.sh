#!/bin/sh
# claw-memory 1.2.1 (PyPI, CPython 3.11), a journal of conversations in Markdown for agents. Turns are parted by "---", and an
# answer in which one line is "---", as agents part their sections, ends there: what stands below is in the file and in no turn,
# so the search never finds it. More that is appended to such an answer is put above the line, in the middle. Where the turn
# has changes of code, what is appended to the answer goes below them, as one of them.
# Source: its README ("Each journal entry captures the complete conversation"; memory_log_conversation_append, "Append to the
# last turn"; memory_search, "Search chat history by keyword") and the tools' own texts ("Append more text to the last Agent
# section", "returning full conversation turns"); openclaw_memory/storage.py, which the tools call. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "claw-memory==1.2.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from pathlib import Path

from openclaw_memory.storage import append_agent, grep_search, write_turn

journal = Path("journal")


def find(word):
    """Print what the answers say in which a word is found."""
    turns = [turn["content"].split("### Agent")[1].split() for turn in grep_search(journal, word)]
    print(f"{word}:", [" ".join(turn) for turn in turns])


write_turn(journal, "What may Ada eat?", "Ada is vegan.\n\n---\n\nShe is allergic to nuts.")
find("vegan")
find("nuts")
append_agent(journal, "She drinks tea.")
find("tea")
write_turn(journal, "And Ben?", "Ben eats all.", code_changes="- `menu.md` (modified)")
append_agent(journal, "But no fish.")
find("fish")
for line in next(journal.iterdir()).read_text().split("## ")[3].splitlines()[1:]:
    print(f"| {line}".rstrip())
PY
cat seen
cat >expected <<'TEXT'
vegan: ['Ada is vegan.']
nuts: []
tea: ['Ada is vegan. She drinks tea.']
fish: ['Ben eats all. ### Code Changes - `menu.md` (modified) But no fish.']
|
| Ada is vegan.
|
| She drinks tea.
| ---
|
| She is allergic to nuts.
|
| ---
|
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
