#!/bin/sh
# agethos 0.16.0 (PyPI, CPython 3.11), "a brain for AI agents: persona, memory". Its "arbitrated memory write" decides
# without a model by the set of words, of which those of one character are left out. So "Ben owes Anna 20 euros" after
# "Anna owes Ben 20 euros" is "already captured": the answer is NOOP, and nothing is stored. Each digit and each letter
# is of one character: "Anna has 3 cats" after 2, the club's new hour and another team are no news either. And in a
# sentence of fifteen words a "not" is no new memory, but an UPDATE that takes the place of what it denies.
# Source: _tokens in agethos/memory/retrieval.py, MemoryArbiter.decide in agethos/memory/arbiter.py of the wheel ("works
# zero-infra"); the README: "the store dedups/merges/contradicts instead of growing unbounded". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agethos==0.16.0"
cd "$folder"
venv/bin/python - <<'PY'
import asyncio

from agethos.memory import MemoryStream, remember
from agethos.models import MemoryNode
from agethos.storage.memory_store import InMemoryStore

CAKE = "allergic to nuts, so we leave all nuts out of the cake for her party"
PAIRS = [
    ("Anna owes Ben 20 euros", "Ben owes Anna 20 euros"),
    ("Anna has 2 cats", "Anna has 3 cats"),
    ("The club meets at 7", "The club meets at 8"),
    ("Cy plays in team A", "Cy plays in team B"),
    (f"Anna is {CAKE}", f"Anna is not {CAKE}"),
    ("Cy likes tea", "Cy likes coffee"),
]


async def told(first, second):
    """Return what became of the second memory, and what is stored then."""
    stream = MemoryStream(InMemoryStore())
    await remember(stream, MemoryNode(description=first))
    operation, _ = await remember(stream, MemoryNode(description=second))
    return operation, [node.description for node in await stream.store.get_all()]


seen = [asyncio.run(told(*pair)) for pair in PAIRS]
for (_, second), (operation, stored) in zip(PAIRS, seen):
    print(f"{second!r}: {operation}, stored: {stored}")
expected = [("NOOP", [first]) for first, _ in PAIRS[:4]]
expected += [("UPDATE", [PAIRS[4][1]]), ("ADD", list(PAIRS[5]))]
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
