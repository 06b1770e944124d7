"""Generates the values of memory rows, and inserts rows of any table."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, insert

from benchmarks.generated.words import MEMORIES, TOPICS, Words
from utils.database.core.engine import Connection
from utils.memory.consolidation.wording import search_stems
from utils.models.memory import Importance, Kind, Source, Status

DIFFERENT_ROWS = 20_000
KIND_WEIGHTS = (40, 20, 2, 10, 8, 17, 3, 0)  # what the server knows is no member's


def different_rows(words: Words, count: int) -> list[dict[str, Any]]:
    """Return the values of ``count`` memory rows without owner, channel and times."""
    kinds = words.dice.choices(list(MEMORIES), weights=KIND_WEIGHTS, k=count)
    return [memory_row(words, kind) for kind in kinds]


def memory_row(words: Words, kind: Kind) -> dict[str, Any]:
    """Return the values of one memory row without owner, channel and times."""
    text = words.memory(kind)
    statuses = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
    return {
        "Memory": text,
        "Topics": ",".join(words.dice.sample(TOPICS.split(), words.dice.randint(1, 3))),
        "Importance": int(words.dice.choices(list(Importance), weights=(5, 4, 1))[0]),
        "Kind": kind,
        "Source": Source.CHAT,
        "Status": words.dice.choices(statuses, weights=(95, 3, 2))[0],
        "Confidence": words.dice.uniform(0.8, 1.0),
        "SearchStems": search_stems(text, f"{words.message()}, {text}"),
    }


def default_values(table: Table, provided: dict[str, Any]) -> dict[str, Any]:
    """Return "", 0 or False for the required columns that ``provided`` does not have.

    The database fills those with a default of its own.
    """
    return {
        column.name: getattr(column.type, "impl_instance", column.type).python_type()
        for column in table.c
        if not (column.nullable or column.primary_key or column.name in provided)
        and column.server_default is None
    }


def insert_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, with default values in the required columns that they do not have."""
    blanks = default_values(table, provided=rows[0])
    connection.execute(insert(table), [blanks | row for row in rows])
