#!/bin/sh
# agentic-memory-ai 0.1.2 (PyPI, CPython 3.11), a memory layer for agents with conflict detection. Whether two sentences
# contradict is asked only if they have most of their words in common. So the README's own case, an egg dinner ordered
# for a vegetarian, is no conflict, nor is "User eats meat", nor nuts for whom they are an allergy, nor another city,
# nor the very opposite of what is stored. What is a conflict is a repetition: the same allergy with "do not forget"
# behind it, or the same city with "now".
# Source: the README ('conflicts[0].action // "clarify"', "Find me egg --> conflict detected", "no config");
# ConflictDetector.check and its threshold of 0.6 in agentic_memory/retrieval/conflict.py of the wheel. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agentic-memory-ai==0.1.2"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import asyncio

from agentic_memory import AgentMemory, ImportanceLevel, MemoryType


async def conflicts(stored, incoming):
    """Return what is to be done about a sentence, beside a stored one that "never decays"."""
    memory = AgentMemory()
    await memory.store(stored, type=MemoryType.PREFERENCE, scope="user:42", importance=ImportanceLevel.HARD)
    return [conflict.action.value for conflict in await memory.check_conflicts(incoming, "user:42")]


for stored, incoming in (
    ("User is vegetarian", "Order an egg dinner for the user"),
    ("User is vegetarian", "Find me egg"),
    ("User is vegetarian", "User eats meat"),
    ("User is allergic to nuts", "Give the user nuts"),
    ("User does not eat nuts", "User eats nuts"),
    ("User lives in Oslo", "User lives in Rome"),
    ("User is allergic to nuts", "User is allergic to nuts, do not forget"),
    ("User lives in Oslo", "User lives in Oslo now"),
):
    print(f"{stored} | {incoming}: {asyncio.run(conflicts(stored, incoming))}")
PY
cat >expected <<'TEXT'
User is vegetarian | Order an egg dinner for the user: []
User is vegetarian | Find me egg: []
User is vegetarian | User eats meat: []
User is allergic to nuts | Give the user nuts: []
User does not eat nuts | User eats nuts: []
User lives in Oslo | User lives in Rome: []
User is allergic to nuts | User is allergic to nuts, do not forget: ['clarify']
User lives in Oslo | User lives in Oslo now: ['clarify']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
