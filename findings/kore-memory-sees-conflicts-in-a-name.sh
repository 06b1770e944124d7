#!/bin/sh
# kore-memory 3.0.4 (PyPI, CPython 3.11), a memory for agents that "scores memory importance without any LLM call", as installed,
# without the extra for embeddings. Two memories conflict if one word of the first begins like one of the second: all that is
# known of Kim is in conflict with all else that is known of Kim, "factual" each time, and ten memories that share a word
# make 45 conflicts, which are flagged after 30 days; "to" is such a word. Importance is
# looked for within words: "mai", Italian for never, makes each "email", "domain", "Maine" and "remain calm" a 5, which lasts for
# a year, and "Kim is allergic to nuts" is a 1, which search leaves out after 31 days if nobody asked.
# Source: _fts_candidates in kore_memory/conflict_detector.py, which takes what any word finds and no similarity, scorer.py and
# decay.py of the wheel. The README: "Remembers what matters", conflict detection; the docstring: a conflict is a memory with a
# similarity above 0.75. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "kore-memory==3.0.4"
cd "$folder"
KORE_DB_PATH="$folder/memory.db" venv/bin/python - 2>log <<'PY'
from datetime import UTC, datetime, timedelta

from kore_memory.database import get_connection, init_db
from kore_memory.decay import compute_decay
from kore_memory.models import MemorySaveRequest
from kore_memory.repository import save_memory

SAID = (
    "Kim is allergic to nuts",
    "Kim has a dog",
    "Kim lives in Maine",
    "We should remain calm",
    "Kim wrote an email",
    "Kim has a cat",
    "I went to the kiln",
)
init_db()
importance, conflicts = {}, {}
for text in SAID:
    _, importance[text], found = save_memory(MemorySaveRequest(content=text), agent_id="bot")
    conflicts[text] = len(found)
with get_connection() as connection:
    kinds = {row[0] for row in connection.execute("SELECT DISTINCT conflict_type FROM memory_conflicts")}
month_ago = (datetime.now(UTC) - timedelta(days=31)).isoformat(sep=" ")[:19]
left = {text: compute_decay(importance[text], month_ago, None, 0) for text in SAID[:4]}
for text in SAID:
    print(f"{text}: importance {importance[text]}, conflicts with {conflicts[text]} of those before it")
print("kinds of conflict:", kinds)
print("after 31 days, of which less than 0.05 is not found:", left)
if (
    list(importance.values()) != [1, 1, 5, 5, 5, 1, 1]
    or list(conflicts.values()) != [0, 1, 2, 0, 3, 4, 1]
    or kinds != {"factual"}
    or not left[SAID[0]] < 0.05 < 0.9 < left[SAID[3]]
):
    raise SystemExit("the behaviour has changed")
PY
