#!/bin/sh
# mem0ai 2.2.1 (PyPI, CPython 3.11). After Memory.delete_all(user_id="anna") every wording that her memories ever had
# stands in history.db, and Memory.history(id) returns it; the deletion writes the last wording there once more. The
# table has no column for the person, and the only call that empties it is reset(), for everybody.
# Source: _delete_memory in mem0/memory/main.py of the wheel; mem0ai/mem0 issue 6512 asks for a switch, which only the
# TypeScript package has (pull request 6525 was closed). A stand-in makes the vectors, so that no model is needed.
# Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mem0ai==2.2.1"
cd "$folder"
MEM0_TELEMETRY=False MEM0_DIR="$folder" "$folder/venv/bin/python" -W ignore - 2>"$folder/log" <<'PY'
import sqlite3

from mem0 import Memory
from mem0.utils import factory


class Vectors:
    config = None

    def embed(self, text, *_):
        return [1.0, len(text) / 100]

    def embed_batch(self, texts, *_):
        return [self.embed(text) for text in texts]


factory.EmbedderFactory.create = staticmethod(lambda *_, **__: Vectors())
factory.LlmFactory.create = staticmethod(lambda *_, **__: None)
store = {"path": "vectors", "embedding_model_dims": 2}
memory = Memory.from_config(
    {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": "history.db"}
)
added = memory.add("Anna lives at the river.", user_id="anna", infer=False)
key = added["results"][0]["id"]
memory.update(key, "Anna lives in Rome.")
memory.delete_all(user_id="anna")
left = memory.get_all(filters={"user_id": "anna"})["results"]
told = [(row["event"], row["old_memory"]) for row in memory.history(key)]
print("after delete_all:", left, "but history() returns", told)
with sqlite3.connect("history.db") as database:
    columns = [row[1] for row in database.execute("PRAGMA table_info(history)")]
print("columns of the history:", *columns)
assert left == [] and "user_id" not in columns
assert told[-2:] == [("UPDATE", "Anna lives at the river."), ("DELETE", "Anna lives in Rome.")]
PY
