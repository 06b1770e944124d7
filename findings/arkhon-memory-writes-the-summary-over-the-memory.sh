#!/bin/sh
# arkhon-memory 0.1.0 with pydantic 2.12.5 (PyPI, CPython 3.11), a long-term memory for agents in a file of JSON. At the
# end of a session a snapshot is written beside it, under the same name with ".json" made "_snapshot.json". A memory
# whose file is not called so, "club.memory" here, is written over: its facts are gone, and the next session cannot
# begin. No snapshot is ever read, and the next one takes its place. "More-used facts stay relevant" holds for nothing:
# a query does not count as a use, so that a fact that was asked for a hundred times is behind one that is an hour
# newer. A tag with a capital letter is never found.
# Source: the README ("real persistence", "time decay & reuse: fresher and more-used facts stay relevant", "tagging");
# on_session_exit in arkhon_memory/lifecycle.py, query in memory_hub.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "arkhon-memory==0.1.0" "pydantic==2.12.5"
cd "$folder"
venv/bin/python -W ignore - <<'PY' | tee seen
from datetime import datetime, timedelta

from arkhon_memory.lifecycle import on_session_exit, on_session_start
from arkhon_memory.schemas import MemoryItem

hub = on_session_start("club.memory")
now = datetime.utcnow()
hub.append(MemoryItem(content="Anna is allergic to nuts", tags=["Health"], timestamp=now - timedelta(hours=1)))
hub.append(MemoryItem(content="Anna has seen a film about squirrels and nuts", timestamp=now))
for _ in range(100):
    hub.query("allergic to nuts")
print("asked for nuts:", [item.content for item in hub.query("nuts")])
print("uses of the allergy:", hub.memory[0].reuse_count)
print("asked for the tag Health:", hub.query("Health"))
print("facts in the file:", len(on_session_start("club.memory").memory))
on_session_exit(hub, summary="We talked about nuts.")
try:
    print("facts in the file:", len(on_session_start("club.memory").memory))
except Exception as error:
    print("the next session:", type(error).__name__)
with open("club.memory") as file:
    print("the allergy is in the file:", "allergic" in file.read())
PY
cat >expected <<'TEXT'
asked for nuts: ['Anna has seen a film about squirrels and nuts', 'Anna is allergic to nuts']
uses of the allergy: 0
asked for the tag Health: []
facts in the file: 2
the next session: TypeError
the allergy is in the file: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
