"""Every table whose rows have an end loses all of them in one night, however many there are."""

from datetime import timedelta

import pytest
from sqlalchemy import Connection, Table, insert, select

from tests.fakes.clock import ManualClock
from tests.integration.stored_rows import filled_row
from utils.database.schema.column_types import UtcDateTime
from utils.database.schema.memory_tables import metadata
from utils.memory.privacy import pruning
from utils.memory.privacy.pruning import prune
from utils.models.policy import WritePolicy

BATCH, ROWS = 20, 50  # more than two batches
LONG_AGO = timedelta(days=500)

KEPT = {
    "AnswerRemoval": "goes once the answer is deleted on Discord, or after six attempts",
    "ErasureLedger": "kept for good, so that no backup brings anything back",
    "GuildSettings": "as long as Kith is in the server; seven days longer",
    "JobRun": "one row a job",
    "MemoryAudit": "the bare fact stays; the text goes with the memory",
    "MemoryEvidence": "goes with its memory",
    "NoteMark": "goes once Discord no longer shows the note, or after six attempts",
    "PendingAnswer": "goes with the next start, which gives the answer",
    "Persona": "until moderators delete it",
    "PolicyVersion": "a server's rules",
    "ReadPolicyUse": "the operator's rules",
    "ReadPolicyVersion": "the operator's rules",
    "RoastRefusal": "a member's wish",
    "SpeakingPlace": "a moderator's choice",
    "UserState": "a member's choices",
    "WatchedChannel": "until moderators stop watching",
}
"""Tables with a time in them whose rows do not end by it."""

ENDING = [
    table
    for table in metadata.sorted_tables
    if table.name not in KEPT
    and any(isinstance(column.type, UtcDateTime) or column.name == "Day" for column in table.c)
]


async def test_all_that_has_ended_is_gone_after_one_night(
    database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that is new, and has a time in it, ends here or has its reason in KEPT."""
    monkeypatch.setattr(pruning, "PAUSE_S", 0)
    monkeypatch.setattr(pruning, "BATCH", BATCH)
    clock = ManualClock()
    for table in ENDING:
        rows = [filled_row(table, number, clock.now() - LONG_AGO) for number in range(1, ROWS + 1)]
        await database.write(lambda s, table=table, rows=rows: s.execute(insert(table), rows))
    await prune(database, clock, WritePolicy())
    assert await database.read(left_of, ENDING) == set()


async def test_what_has_not_ended_stays(database) -> None:
    clock = ManualClock()
    tables = [table for table in ENDING if table.name != "UserMemory"]  # needs evidence to stay
    soon = clock.now() + timedelta(minutes=1)
    for table in tables:
        rows = [filled_row(table, 1, soon)]
        await database.write(lambda s, table=table, rows=rows: s.execute(insert(table), rows))
    await prune(database, clock, WritePolicy())
    assert await database.read(left_of, tables) == {table.name for table in tables}


def left_of(connection: Connection, tables: list[Table]) -> set[str]:
    """Return the names of the tables that have a row."""
    return {table.name for table in tables if connection.execute(select(table)).first()}


def test_the_tables_that_are_kept_exist() -> None:
    assert KEPT.keys() <= {table.name for table in metadata.sorted_tables}
