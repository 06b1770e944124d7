#!/bin/sh
# powermem 1.1.7 (PyPI, CPython 3.11) with SQLite, without a model and with its own mock of embeddings: a memory for agents with
# a curve of forgetting. A new memory that is not important begins exactly at the threshold of forgetting, 0.3, and falls
# below it at once. So whoever reads it by its id, with get(), a moment after it was stored, has it marked as "should_forget",
# and search ranks it at a tenth from then on. Its rules find hardly anything important: "Kim is allergic to nuts" is 0,
# only words such as "urgent" or "password" count a tenth each; 0.6 is not reached in common speech. A sentence that is
# asked for with a question mark or an apostrophe, as people ask, is not searched for by its words at all: SQLite's FTS5
# takes those signs for its own language, and the error is a line in the log. "Leeds" finds "We live in Leeds" first,
# "Leeds?" last.
# Source: _calculate_initial_retention and should_forget in powermem/intelligence/ebbinghaus_algorithm.py, on_get in
# plugin.py, _fulltext_search in storage/sqlite/sqlite_vector_store.py of the wheel. The README: "decay keep memories useful",
# "vector, full-text, graph, and recency signals work together". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "powermem==1.1.7"
# of its requirements those that SQLite needs; all are 700 MB
"$folder/venv/bin/pip" install -q "pydantic==2.14.4" "pydantic-settings==2.16.3" "httpx==0.28.1" "sqlalchemy==2.1.9" \
    "numpy==1.26.4" "pytz==2026.6" "python-dotenv==1.2.4" "rank-bm25==0.2.2" "jieba==0.42.1" "psutil==7.2.2" \
    "pyobvector==0.2.29" 2>"$folder/pip.log"
cd "$folder"
venv/bin/python - 2>log <<'PY'
import logging
import time

from powermem import Memory

logging.disable(logging.CRITICAL)
memory = Memory(
    config={
        "vector_store": {"provider": "sqlite", "config": {"database_path": "memory.db", "collection_name": "memories"}},
        "llm": {"provider": "noop", "config": {}},
        "embedder": {"provider": "mock", "config": {}},
        "intelligent_memory": {"enabled": True},
    }
)
NUTS, DOG, HOME = "Kim is allergic to nuts", "Kim has a dog", "We live in Leeds"
ids = {text: memory.add(text, user_id="ada", infer=False)["results"][0]["id"] for text in (NUTS, DOG, HOME)}


def found(query):
    """Return what is found, the nearest first, with how near it is."""
    return [(match["memory"], match["score"]) for match in memory.search(query, user_id="ada")["results"]]


def payload(text):
    """Return what is stored of a memory."""
    return memory.storage.vector_store.get(ids[text]).payload


questions = {query: [text for text, _ in found(query)].index(HOME) + 1 for query in ("Leeds", "Leeds?", "Leeds' people")}
before = dict(found("allergic"))[NUTS]
print("place of", repr(HOME), "asked with", questions)
print("importance:", payload(NUTS)["metadata"]["importance_score"], "near before it is read:", round(before, 4))
time.sleep(0.1)
memory.get(ids[NUTS], user_id="ada")
after = dict(found("allergic"))[NUTS]
marked = {text: payload(text).get("should_forget", False) for text in ids}
print("near after it was read once:", round(after, 4), "should_forget:", marked)
if (
    questions != {"Leeds": 1, "Leeds?": 3, "Leeds' people": 3}
    or marked != {NUTS: True, DOG: False, HOME: False}
    or not 0.09 < after / before < 0.11
):
    raise SystemExit("the behaviour has changed")
PY
