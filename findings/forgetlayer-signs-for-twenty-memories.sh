#!/bin/sh
# forgetlayer 0.1.0 with mem0ai 2.2.1 (PyPI, CPython 3.11), "provable deletion for AI agent memory". Its cascade asks mem0
# for a person's memories without top_k, which is 20: of 25 memories five are left, and nothing says that there were more.
# Its receipt names history.db as covered, and is signed as "complete" with a residue of 0.0, but its attack reads one of
# that file's two tables: "messages", where mem0 keeps a person's last ten messages word for word, is neither searched nor
# emptied. mem0 tells them to the model with the next message, so what was erased can become a memory again.
# Source: Mem0Adapter in forgetlayer/adapters/mem0.py and mem0_demo.py ("mem0: history.db") of the wheel; get_all,
# save_messages and get_last_messages in mem0ai's. Stand-ins make vectors and facts, so that no model is needed.
# Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "forgetlayer[receipts]==0.1.0" "mem0ai==2.2.1"
cd "$folder"
MEM0_TELEMETRY=False MEM0_DIR="$folder" "$folder/venv/bin/python" -W ignore - 2>"$folder/log" <<'PY'
import json
import sqlite3

from forgetlayer import receipt
from forgetlayer.adapters.mem0 import Mem0Adapter
from mem0 import Memory
from mem0.utils import factory

WORDS = "The spare key lies under the blue stone"
prompts = []


class Vectors:
    config = None

    def embed(self, text, *_):
        return [1.0, len(text) / 100]

    def embed_batch(self, texts, *_):
        return [self.embed(text) for text in texts]


class Model:
    def generate_response(self, messages, **_):
        """Return one new fact, whatever was said."""
        prompts.append(messages[-1]["content"])
        return json.dumps({"memory": [{"id": "0", "text": f"Has a hiding place, {len(prompts)}"}]})


factory.EmbedderFactory.create = staticmethod(lambda *_, **__: Vectors())
factory.LlmFactory.create = staticmethod(lambda *_, **__: Model())
store = {"path": "vectors", "embedding_model_dims": 2}
memory = Memory.from_config(
    {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": "history.db"}
)
layer = Mem0Adapter(memory, "history.db")


def left(person):
    """Return how many memories of a person there are."""
    return len(memory.get_all(filters={"user_id": person}, top_k=1000)["results"])


memory.add(WORDS, user_id="anna")
for number in range(25):
    memory.add(f"I like number {number}", user_id="ben")
before = left("ben")
removed = layer.cascade_delete_owner("ben").counts
print(f"ben: {before} memories, receipt {removed}, {left('ben')} left")
deleted = layer.cascade_delete_owner("anna")
residue = layer.attack("anna", WORDS, "spare key").residue_score
body = receipt.build_receipt_body(
    owner="anna",
    deleted_memories=deleted.memory_ids,
    deleted_summaries=[],
    deleted_cache=[],
    residue_score=residue,
    covered_stores=["mem0: qdrant vector store", "mem0: history.db"],
)
signed = receipt.AuditLog("audit.jsonl").append(body, receipt.Signer.load_or_create("key.pem"))
print(f"anna: {signed['status']}, residue {signed['residue_score']}, {left('anna')} left")
with sqlite3.connect("history.db") as database:
    rows = database.execute("SELECT content FROM messages WHERE content = ?", (WORDS,)).fetchall()
print("in the table messages of history.db:", rows)
memory.add("Good morning", user_id="anna")
told = WORDS in prompts[-1]
print("told to the model with 'Good morning':", told)
if (before, removed["memories"], left("ben")) != (25, 20, 5) or not rows or not told:
    raise SystemExit("the behaviour has changed")
if (signed["status"], signed["residue_score"]) != ("complete", 0.0):
    raise SystemExit("the receipt has changed")
PY
