"""Compares the ledger of a simulation with the rows of a SQLite database."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

PENDING = "SELECT Id, GuildId FROM MemoryEvent WHERE State IN ('pending', 'claimed')"
EVENTS = "SELECT MessageId, State, Text FROM MemoryEvent WHERE Role = 'member'"
EVIDENCE = "SELECT MessageId FROM MemoryEvidence"


def open_read_only(file: Path) -> sqlite3.Connection:
    """Open a database to read it, while another process may write."""
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=30.0)


def pending_events(file: Path) -> dict[int, int]:
    """Return the events that extraction has not read yet, by id, with their servers."""
    with closing(open_read_only(file)) as connection:
        return dict(connection.execute(PENDING).fetchall())


def check_database(file: Path, questions: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return what was lost or doubled; ``questions`` are from a simulation's ledger.

    An event is acknowledged when its author got an answer or a refusal. Every message to the bot
    mentions one belonging, under a name of its own. So each message that was read has one piece of
    evidence: for a note or, beyond the write policy's limit, for a quote. ``taught_nothing`` has
    the texts of a few that have none.
    """
    with closing(open_read_only(file)) as connection:
        events = connection.execute(EVENTS).fetchall()
        evidence = Counter(row[0] for row in connection.execute(EVIDENCE))
        integrity = [row[0] for row in connection.execute("PRAGMA integrity_check")]
        integrity += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
    state = {id: state for id, state, _ in events}
    by_id = {question["id"]: question for question in questions}
    acknowledged = {
        id for id, question in by_id.items() if question["answers"] or question["refusals"]
    }
    read = {id for id in by_id if state.get(id) == "done"}
    return {
        "integrity": integrity,
        "recorded": len(events),
        "acknowledged": len(acknowledged),
        "acknowledged_and_lost": len(acknowledged - state.keys()),
        "unread": sum(state.get(id) in ("pending", "claimed") for id in by_id),
        "given_up": sum(state.get(id) == "failed" for id in by_id),
        "read_without_memory": len(read - evidence.keys()),
        "taught_nothing": [text for id, _, text in events if id in read - evidence.keys()][:5],
        "answered_twice": sum(question["standing"] > 1 for question in by_id.values()),
        "recorded_twice": len(events) - len(state),
        "learnt_twice": sum(count > 1 for count in evidence.values()),
    }
