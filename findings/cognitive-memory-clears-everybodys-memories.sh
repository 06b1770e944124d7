#!/bin/sh
# cognitive-memory 0.5.1 (PyPI, CPython 3.11), a memory for agents with decay. Its README says that user_id "namespaces every
# read and write" and that two instances on one adapter are "fully isolated". clear() of Bob's instance empties Alice's as
# well, get(id) and delete(id) take her memories, and find_fading(), which a program asks for what may go, lists hers. What a
# memory must have been for "7 consecutive days" before it goes to cold storage are seven calls of tick(): run each hour, they
# are seven hours. What is "permanently removed" 180 days later stays word for word, up to 200 signs, as "[archived] ...", but
# its owner is "default" from then on: Alice's instance counts none of it, and nobody who does not know its id can delete it.
# Source: clear, get, delete and find_fading in cognitive_memory/core.py; run_cold_migration ("for cold_migration_days
# consecutive days") and run_cold_ttl_expiry ("Permanently remove") in engine.py, convert_to_stub in adapters/memory.py of the
# wheel. Seen on 2026-11-29.
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
    memory = await alice.add("I am allergic to nuts")
    await bob.add("I work in Leeds")
    print("Bob reads:", (await bob.get(memory.id)).content)
    print("Bob's fading:", [memory.content for memory in await bob.find_fading(2.0)])
    await bob.delete(memory.id)
    print("Alice after Bob's delete:", (await alice.counts())["total"])
    await alice.add("I have a sister in York")
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
Bob reads: I am allergic to nuts
Bob's fading: ['I am allergic to nuts', 'I work in Leeds']
Alice after Bob's delete: 0
Alice after Bob's clear: 0
ticks each 1:00:00: cold after 7:00:00
after the end: [archived] Kim moved to York of default 0
ticks each 1 day, 0:00:00: cold after 7 days, 0:00:00
after the end: [archived] Kim moved to York of default 0
TEXT
cmp "$folder/seen" "$folder/expected"
