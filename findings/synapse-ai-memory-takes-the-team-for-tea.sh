#!/bin/sh
# synapse-ai-memory 0.13.1 (PyPI, CPython 3.11), a memory for agents with "natural-language forgetting". "forget tea" also
# deletes "My team meets on Fridays": the word is looked for within words. confirm=True, the default, is read nowhere:
# nothing is asked, and all is deleted at once. "forget that Sarah lives in Leeds" finds nothing, since "that" has to stand in
# the memory. gdpr_delete(user_id="user:anna"), the form that the MCP tool asks for, deletes nothing, since "user:" is put
# before it once more; nor does gdpr_delete(user_id="anna") for what remember(..., user_id="anna") stored, which keeps
# the name nowhere unless vaults are on. What is deleted stands in the log file for good: no call shortens it.
# Source: natural_forget.py, forgetting.py ("Full deletion for GDPR-like erasure"), _tool_schema_gdpr_delete in
# mcp_server.py ("User tag prefix, e.g. user:<id>") and storage.py of the wheel ("could truncate log (not implemented
# for safety)"). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "synapse-ai-memory==0.13.1"
cd "$folder"
venv/bin/python - <<'PY'
from pathlib import Path

from synapse import Synapse

FACTS = ("I like tea with milk", "My team meets on Fridays", "My sister Sarah lives in Leeds")


def gone(name, forget):
    """Return the memories that are gone after a restart, and how many of these the log still has."""
    memory = Synapse(name)
    for fact in FACTS:
        memory.remember(fact, user_id="anna", metadata={"tags": ["user:anna"]} if name == "tagged" else None)
    forget(memory)
    memory.snapshot()
    memory.close()
    memory = Synapse(name)
    left = {one["content"] for one in memory.store.memories.values()}
    memory.close()
    lost = [fact for fact in FACTS if fact not in left]
    return lost, sum(fact in Path(f"{name}.log").read_text() for fact in lost)


seen = {
    "forget tea": gone("tea", lambda memory: memory.natural_forget("forget tea", confirm=True)),
    "forget that Sarah lives in Leeds": gone(
        "that", lambda memory: memory.natural_forget("forget that Sarah lives in Leeds")
    ),
    "gdpr_delete(user_id='anna')": gone("plain", lambda memory: memory.gdpr_delete(user_id="anna")),
    "gdpr_delete(user_id='user:anna'), tagged": gone(
        "tagged", lambda memory: memory.gdpr_delete(user_id="user:anna")
    ),
    "gdpr_delete(concept='sarah')": gone(
        "concept", lambda memory: memory.gdpr_delete(concept="sarah")
    ),
}
for what, (lost, logged) in seen.items():
    print(f"{what}: gone {lost}, of these in the log {logged}")
expected = {
    "forget tea": ([FACTS[0], FACTS[1]], 2),
    "forget that Sarah lives in Leeds": ([], 0),
    "gdpr_delete(user_id='anna')": ([], 0),
    "gdpr_delete(user_id='user:anna'), tagged": ([], 0),
    "gdpr_delete(concept='sarah')": ([FACTS[2]], 1),
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
