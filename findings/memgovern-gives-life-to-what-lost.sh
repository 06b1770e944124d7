#!/bin/sh
# memgovern 0.5.0 (PyPI, CPython 3.9 or newer), the "governance" of agents' memory: under its policy "manual" a write that
# contradicts a fact waits until somebody says which of the two is right. Two such writes wait apart, each against the fact
# that stood when it came, and whoever judges them in turn brings back what lost: York, overruled by Leeds, lives again beside
# Leeds when Bath is rejected ("old wins"), and if Bath is accepted, Leeds and Bath both stand. A fact that was deleted
# in between ("private") stands again when the write that contradicted it is rejected; the audit log has a settled conflict
# and no restoration. A fact that is told twice in the same words is two facts in each query.
# Source: resolve_conflict in memgovern/store.py of the wheel, which makes the winner alive and the loser superseded whatever
# became of them since. The README: a memory "that knows how to die", deletion is "a tombstone", and "restore() undoes
# it". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "memgovern==0.5.0"
cd "$folder"
venv/bin/python - <<'PY'
from memgovern import ConflictPolicy, MemoryStore

YORK, LEEDS, BATH = "Kim lives in York", "Kim lives in Leeds", "Kim lives in Bath"


def store(name, *texts):
    """Return a store with these texts under one key."""
    new = MemoryStore(f"{name}.db", conflict_policy=ConflictPolicy.MANUAL)
    for text in texts:
        new.write("home", text)
    return new


def told(memories):
    """Return all that is told."""
    return sorted(memory.text for memory in memories.query(limit=50))


def judged(memories, *winners):
    """Settle the conflicts in their order; return what is told then."""
    for conflict, winner in zip(memories.pending_conflicts(), winners, strict=True):
        memories.resolve_conflict(conflict.id, winner=winner)
    return told(memories)


deleted = store("deleted", YORK, LEEDS)
deleted.delete("home", reason="private")
gone = told(deleted)
seen = {
    "Leeds accepted, Bath rejected": judged(store("rejected", YORK, LEEDS, BATH), "new", "old"),
    "Leeds accepted, Bath accepted": judged(store("accepted", YORK, LEEDS, BATH), "new", "new"),
    "York deleted": gone,
    "York deleted, Leeds rejected": judged(deleted, "old"),
    "what the log has of York after its deletion": [
        event.action for event in deleted.audit(key="home") if event.memory_id == 1 and event.action != "write"
    ],
    "York told twice": told(store("twice", YORK, YORK)),
}
for name, texts in seen.items():
    print(f"{name}: {texts}")
if list(seen.values()) != [
    [LEEDS, YORK],
    [BATH, LEEDS],
    [],
    [YORK],
    ["conflict_resolved", "tombstone"],
    [YORK, YORK],
]:
    raise SystemExit("the behaviour has changed")
PY
