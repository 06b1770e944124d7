#!/bin/sh
# memoric 0.1.0 with SQLAlchemy 2.0.45 (PyPI, CPython 3.11), a "policy-driven, deterministic memory". A question makes
# it find nothing: retrieve(query=...) takes the question for a label that a memory must have. What the caller says of
# a memory is written over by what is guessed: without a model, topic "health" and importance "critical" become the
# first word and "low". So the allergy comes behind a longer sentence about the rain. The policies that move memories
# from tier to tier cannot run: run_policies() ends with TypeError, with or without any memory. What is said more often
# gets a lower score.
# Source: the README ("explainable", "tiers evolve your memory over time automatically", "importance"), the docstring
# of retrieve ("Search query"); save and retrieve in core/memory_manager.py, run in core/policy_executor.py and
# find_older_than in db/postgres_connector.py, compute in utils/scoring.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "sqlalchemy==2.0.45" "pyyaml==6.0.3" "pydantic==2.12.5" "cryptography==50.0.2"
"$folder/venv/bin/pip" install -q "passlib==1.7.4" "pyjwt==2.15.1" "psutil==7.2.2"
"$folder/venv/bin/pip" install -q --no-deps "memoric==0.1.0" # its web server is not needed
cd "$folder"
env -u OPENAI_API_KEY venv/bin/python - 2>program.log <<'PY' | tee seen
from memoric import Memoric

tiers = [{"name": "long_term", "backend": "sqlite", "dsn": "sqlite:///memory.db", "expiry_days": 30}]
memory = Memoric(overrides={"storage": {"tiers": tiers}})
said = {"topic": "health", "importance": "critical"}
memory.save(user_id="kim", thread_id="club", content="Allergic to nuts", metadata=said)
rain = "It rains again today, and it will rain tomorrow, says the radio."
memory.save(user_id="kim", thread_id="club", content=rain)
memory.save(user_id="kim", thread_id="club", content="Tea please", metadata={"seen_count": 15})
for found in memory.retrieve(user_id="kim", thread_id="club"):
    meta = found["metadata"]
    print(f"{found['_score']}: {found['content'][:16]} ({meta['topic']}, {meta['importance']})")
for query in ("nuts", "Allergic to nuts"):
    print(f"asked for {query!r}:", memory.retrieve(user_id="kim", thread_id="club", query=query))
print("of the topic health:", memory.retrieve(user_id="kim", metadata_filter={"topic": "health"}))
try:
    memory.run_policies()
except TypeError as error:
    print("policies:", error)
PY
cat >expected <<'TEXT'
74: It rains again t (it, medium)
64: Allergic to nuts (allergic, low)
50: Tea please (tea, low)
asked for 'nuts': []
asked for 'Allergic to nuts': []
of the topic health: []
policies: PostgresConnector.find_older_than() got an unexpected keyword argument 'user_id'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
