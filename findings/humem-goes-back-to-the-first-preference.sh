#!/bin/sh
# humem 0.1.0 with SQLAlchemy 2.0.45 (PyPI, CPython 3.11), "a memory management system for AI agents". Each preference
# of somebody is stored beside the ones before, and get_user_preferences goes through them from the newest to the
# oldest, where each takes the place of what was read before. So the oldest is told: after Oslo, Rome and Bern Anna's
# city is Oslo, for good. Tags are looked for within tags: "art" finds what is tagged "party". A "%" in a search stands
# for any text.
# Source: get_user_preferences in humem/core.py and search_memories in humem/storage.py of the wheel ("any match", of
# tags); the README: "Get all user preferences". The README's own first line, "from agent_memory import", is of another
# package. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "humem==0.1.0" "sqlalchemy==2.0.45"
cd "$folder"
venv/bin/python -W ignore - <<'PY' | tee seen
from humem import AgentMemory

memory = AgentMemory("sqlite:///memory.db")
for city in ("Oslo", "Rome", "Bern"):
    memory.add_user_preference("anna", "city", city)
    print(f"told {city}, preferences: {memory.get_user_preferences('anna')}")
memory.add_memory("anna", "Anna comes at 8", tags=["party"])
for question in ({"tags": ["art"]}, {"content_search": "come% 8"}):
    found = memory.search_memories(user_id="anna", **question)
    print(f"{question}: {[memory.content for memory in found]}")
PY
cat >expected <<'TEXT'
told Oslo, preferences: {'city': 'Oslo'}
told Rome, preferences: {'city': 'Oslo'}
told Bern, preferences: {'city': 'Oslo'}
{'tags': ['art']}: ['Anna comes at 8']
{'content_search': 'come% 8'}: ['Anna comes at 8']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
