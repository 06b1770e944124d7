#!/bin/sh
# langmem 0.0.30 with langgraph 1.2.24 (PyPI, CPython 3.11). The tool with which a model keeps memories says "Deleted
# memory" and "updated memory" for ids that do not exist: after a deletion, an update under the same id, which still
# stands in the conversation, stores the memory again, and nothing tells it from one that was never deleted. An id that
# the model misread is "deleted" too, while the memory stays.
# Source: create_manage_memory_tool in langmem/knowledge/tools.py of the wheel: delete and put without a look whether
# the id is there. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "langmem==0.0.30" "langgraph==1.2.24"
"$folder/venv/bin/python" -W ignore - <<'PY'
import uuid

from langgraph.store.memory import InMemoryStore
from langmem import create_manage_memory_tool

store = InMemoryStore()
tool = create_manage_memory_tool(namespace=("memories", "anna"), store=store)


def call(**arguments):
    """Call the tool as a model does; returns its answer and what is stored then."""
    answer = tool.invoke(arguments)
    stored = [item.value["content"] for item in store.search(("memories", "anna"))]
    print(f"{arguments['action']:6} -> {answer.rpartition(' ')[0]!r}, stored: {stored}")
    return answer, stored


created, _ = call(action="create", content="Anna lives in Rome.")
key = created.rpartition(" ")[2]
other = str(uuid.uuid4())
assert call(action="delete", id=other) == (f"Deleted memory {other}", ["Anna lives in Rome."])
assert call(action="delete", id=key) == (f"Deleted memory {key}", [])
again = call(action="update", id=key, content="Anna lives in Rome, near the river.")
assert again == (f"updated memory {key}", ["Anna lives in Rome, near the river."])
PY
