#!/bin/sh
# ashira-memory 0.1.0 with httpx 0.28.1 (PyPI, CPython 3.11), a memory for companions and characters. recent(user, k)
# looks at no time: of memories that are equally important it returns those that were stored first, so a character that
# begins with "the last ten" is told the first ten for ever. consolidate() multiplies the importance by the decay since
# the last access, and counts the same hours again at its next call: with the standard half-life of 72 hours, 0.8
# becomes 0.4 after 72 hours if it ran once, and nothing (under 0.00001) if it ran each hour. What is forgotten stays in
# the file "for audit/export", but export() leaves it out, and no call removes it.
# Source: the docstrings of recent, consolidate ("half-life decay") and forget in ashira_memory/memory.py, and
# _search_sync in ashira_memory/storage/sqlite.py of the wheel. Stand-ins make the vectors and the time, so that
# neither a model nor three days are needed. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "ashira-memory==0.1.0" "httpx==0.28.1"
cd "$folder"
venv/bin/python - <<'PY'
import asyncio
import sqlite3
import time
from types import SimpleNamespace
from unittest import mock

from ashira_memory import Memory
from ashira_memory.storage.sqlite import SQLiteStorage


class Vectors:
    """The same vector for each text."""

    async def embed(self, texts):
        return [[1.0, 0.0] for _ in texts]


async def importance_after(user, hours_of_calls):
    """Return a memory's importance after consolidate() was called at these hours."""
    await memory.remember(user, "likes tea", importance=0.8)
    begin = time.time()
    for hour in hours_of_calls:
        clock = SimpleNamespace(time=lambda now=begin + hour * 3600: now)
        with mock.patch("ashira_memory.memory.time", clock):
            await memory.consolidate(user)
    (hit,) = await memory.recent(user)
    return f"{hit.entry.importance:.5f}"


async def main():
    days = [await memory.remember("anna", f"day {day}") for day in range(1, 6)]
    seen = {
        "recent, k=2": [hit.entry.text for hit in await memory.recent("anna", k=2)],
        "72 hours, consolidated once": await importance_after("bob", [72]),
        "72 hours, consolidated each hour": await importance_after("bea", range(1, 73)),
    }
    await memory.forget(days[4].id)
    seen["exported after day 5 was forgotten"] = [
        row["text"] for row in (await memory.export("anna"))["memories"]
    ]
    rows = sqlite3.connect("memory.db").execute("SELECT text FROM memories WHERE deleted = 1")
    seen["still in the file"] = [text for (text,) in rows]
    return seen


memory = Memory("ashira", provider=Vectors(), storage=SQLiteStorage("memory.db"))
seen = asyncio.run(main())
for what, result in seen.items():
    print(f"{what}: {result}")
expected = {
    "recent, k=2": ["day 1", "day 2"],
    "72 hours, consolidated once": "0.40000",
    "72 hours, consolidated each hour": "0.00000",
    "exported after day 5 was forgotten": ["day 1", "day 2", "day 3", "day 4"],
    "still in the file": ["day 5"],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
