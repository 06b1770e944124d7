#!/bin/sh
# ai-character-sdk 0.1.1 (PyPI, CPython 3.11), characters with a memory of six tiers that is saved after each change.
# What forget() removes is still in the file: it says True, and the next session has it again. Each session stores the
# backstory and the goals once more: in the fifth one "Is Nora allergic to nuts?" recalls five copies of the backstory,
# and not the memory that says it, as the most important and newest come first. A working memory that is full drops
# what was put into it last, if that weighs less than the rest, and hands it back as stored. The README's own
# learn(reward=10.0) makes a memory of importance 15, on a scale from 1 to 10.
# Source: the README ("Persistence", "Characters that remember"); forget, _init_memory and learn in core/character.py,
# retrieve and _evict_from_tier ("Evict old memories") in memory/hierarchical.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "ai-character-sdk==0.1.1"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from ai_character_sdk import Character


def session():
    """Start the character with what was saved of it."""
    return Character("Finn", backstory="I keep the inn at the harbour.", storage_path="saved")


finn = session()
secret = finn.remember("Nora told me of the surprise party", importance=4.0)
finn.remember("Nora is allergic to nuts", importance=4.0)
print("forgotten:", finn.forget(secret.id))
print("the party in this session:", finn.memory.get_by_id(secret.id) is not None)
finn = session()
print("the party in the next one:", finn.memory.get_by_id(secret.id) is not None)
for _ in range(3):
    finn = session()
for memory in finn.recall("Is Nora allergic to nuts?"):
    print("recalled:", memory.content)

finn = Character("Finn")
for number in range(10):
    finn.memory.store_working(f"Guest {number} came in", importance=6.0)
newest = finn.memory.store_working("Nora has just asked for the bill", importance=5.0)
print("what was said last is in the working memory:", finn.memory.get_by_id(newest.id) is not None)
finn.learn(outcome="Made a new ally", success=True, reward=10.0)
print("the highest importance:", max(memory.importance for memory in finn.memory.memories.values()))
PY
cat >expected <<'TEXT'
forgotten: True
the party in this session: False
the party in the next one: True
recalled: I am Finn. I keep the inn at the harbour.
recalled: I am Finn. I keep the inn at the harbour.
recalled: I am Finn. I keep the inn at the harbour.
recalled: I am Finn. I keep the inn at the harbour.
recalled: I am Finn. I keep the inn at the harbour.
what was said last is in the working memory: False
the highest importance: 15.0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
