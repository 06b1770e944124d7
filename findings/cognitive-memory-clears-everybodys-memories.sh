#!/bin/sh
# cognitive-memory 0.5.1 (PyPI, CPython 3.11), a memory for agents with decay. What a memory must have been for "7 consecutive
# days" before it goes to cold storage are seven calls of tick(): run each hour, they are seven hours. What is "permanently
# removed" 180 days later stays word for word, up to 200 signs, as "[archived] ...", but its owner is "default" from then on:
# Alice's own count has none of it. clear() of Bob's instance empties Alice's on the same adapter as well, though the README
# says that user_id "namespaces every read and write".
# Source: clear in cognitive_memory/core.py; run_cold_migration ("for cold_migration_days consecutive days") and
# run_cold_ttl_expiry ("Permanently remove") in engine.py, convert_to_stub in adapters/memory.py of the wheel. Seen on
# 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cognitive-memory==0.5.1" "numpy==2.4.6"
"$folder/venv/bin/python" - >"$folder/seen" <<'PY'
import asyncio
from datetime import datetime, timedelta

from cognitive_memory import CognitiveMemory, InMemoryAdapter

TOLD = datetime(2026, 1, 1, 12, 0)


async def two_users():
    shared = InMemoryAdapter()
    alice = CognitiveMemory(embedder="hash", adapter=shared, user_id="alice")
    bob = CognitiveMemory(embedder="hash", adapter=shared, user_id="bob")
    await alice.add("I have a sister in York")
    await bob.add("I work in Leeds")
    await bob.clear()
    print("Alice after Bob's clear:", (await alice.counts())["total"])


async def decay(step):
    memory = CognitiveMemory(embedder="hash", user_id="alice")
    told = await memory.add("Kim moved to York", importance=0.1, timestamp=TOLD)
    now = start = TOLD + timedelta(days=400)
    while not (await memory.get(told.id)).is_cold:
        now += step
        await memory.tick(now)
    print(f"ticks each {step}: cold after {now - start}")
    await memory.tick(now + timedelta(days=200))
    stub = await memory.get(told.id)
    print("after the end:", stub.content, "of", stub.user_id, (await memory.counts())["stub"])


asyncio.run(two_users())
for step in (timedelta(hours=1), timedelta(days=1)):
    asyncio.run(decay(step))
PY
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
Alice after Bob's clear: 0
ticks each 1:00:00: cold after 7:00:00
after the end: [archived] Kim moved to York of default 0
ticks each 1 day, 0:00:00: cold after 7 days, 0:00:00
after the end: [archived] Kim moved to York of default 0
TEXT
cmp "$folder/seen" "$folder/expected"
