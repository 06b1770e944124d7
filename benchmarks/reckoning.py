"""Comparing what a stage's people said and were answered with what a SQLite database holds."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

PENDING = "SELECT count(*) FROM MemoryEvent WHERE State IN ('pending', 'claimed')"
EVENTS = "SELECT MessageId, State FROM MemoryEvent WHERE Role = 'member'"
EVIDENCE = "SELECT MessageId FROM MemoryEvidence"


def look(file: Path) -> sqlite3.Connection:
    """Open a database to read it, beside whoever writes."""
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30.0)


def pending(file: Path) -> int:
    """Count the events that nobody has read for memories yet."""
    with closing(look(file)) as connection:
        return int(connection.execute(PENDING).fetchone()[0])


def reckon(file: Path, asked: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return what was lost or doubled, by a stage's ledger.

    An event is acknowledged when its author got an answer, be it a refusal. Every message to the
    bot tells of one belonging, so that a message that was read has one piece of evidence, unless
    the write policy's limit was reached (ten new memories of a member in a session).
    """
    with closing(look(file)) as connection:
        events = connection.execute(EVENTS).fetchall()
        evidence = Counter(row[0] for row in connection.execute(EVIDENCE))
        integrity = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        integrity += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
    state = dict(events)
    told = {one["id"]: one for one in asked}
    acknowledged = {id for id, one in told.items() if one["answers"] or one["refusals"]}
    read = {id for id in told if state.get(id) == "done"}
    return {
        "integrity": integrity,
        "recorded": len(events),
        "acknowledged": len(acknowledged),
        "acknowledged_and_lost": len(acknowledged - state.keys()),
        "unread": sum(state.get(id) in ("pending", "claimed") for id in told),
        "given_up": sum(state.get(id) == "failed" for id in told),
        "read_without_memory": len(read - evidence.keys()),
        "answered_twice": sum(len(one["after_ms"]) > 1 for one in told.values()),
        "recorded_twice": len(events) - len(state),
        "learnt_twice": sum(count > 1 for count in evidence.values()),
    }
