"""The audit is append-only: its rows may lose their words, and nothing else, ever."""

import pytest
from sqlalchemy import delete, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from tests.fakes.builders import ADA, BOB, at
from tests.integration.stored_rows import in_order
from tests.rows import each_row
from utils.common.errors import DatabaseError
from utils.database.memories import audit
from utils.database.schema.memory_tables import memory_audit

COLUMNS = memory_audit.c


@pytest.fixture
async def rows(database):
    def unit(connection):
        made = [
            audit.audit_row(ADA, 1, "learnt", at(), 0, after="likes tea"),
            audit.audit_row(ADA, 2, "corrected", at(), ADA.user_id, before="a", after="b"),
            audit.audit_row(BOB, 3, "learnt", at(), 0, after="likes cake"),
        ]
        connection.execute(insert(memory_audit), made)
        for row in made:  # one at a time, where a driver would ask for the new id
            connection.execute(insert(memory_audit).values(row))

    await database.write(unit)


@each_row(
    "statement",
    [
        delete(memory_audit),
        delete(memory_audit).where(COLUMNS.MemoryId == 1),
        update(memory_audit).values(Action="nothing"),
        update(memory_audit).values(ActorId=1),
        update(memory_audit).values(At=at(days=1)),
        update(memory_audit).values(UserId=BOB.user_id),
        update(memory_audit).values(GuildId=2),
        update(memory_audit).values(MemoryId=None),
        update(memory_audit).values(MemoryId=7),
        update(memory_audit).values(After="something else"),
        update(memory_audit).values(Before=None),
        update(memory_audit).values(Before=None, After=""),
        update(memory_audit).values(Before=None, After=None, Action="nothing"),
    ],
)
async def test_a_row_is_neither_deleted_nor_changed(database, rows, statement):
    before = await database.read(in_order, *COLUMNS)
    with pytest.raises((DatabaseError, DBAPIError, IntegrityError)):
        await database.write(lambda connection: connection.execute(statement))
    assert await database.read(in_order, *COLUMNS) == before


async def test_a_row_may_lose_its_words(database, rows):
    before = await database.read(in_order, *COLUMNS)
    blank = update(memory_audit).where(COLUMNS.UserId == ADA.user_id)
    await database.write(lambda s: s.execute(blank.values(Before=None, After=None)))
    after = await database.read(in_order, *COLUMNS)
    assert [row[:-2] for row in after] == [row[:-2] for row in before]
    assert [row[-2:] for row in after if row[2] == ADA.user_id] == [(None, None)] * 4
    assert [row[-1] for row in after if row[2] == BOB.user_id] == ["likes cake"] * 2


async def test_a_refused_change_takes_its_whole_unit_of_work_back(database, rows):
    def unit(connection):
        connection.execute(insert(memory_audit).values(audit.audit_row(ADA, 9, "learnt", at(), 0)))
        connection.execute(delete(memory_audit))

    with pytest.raises((DatabaseError, DBAPIError, IntegrityError)):
        await database.write(unit)
    query = select(func.count()).select_from(memory_audit).where(COLUMNS.MemoryId == 9)
    assert await database.read(lambda s: s.scalar(query)) == 0


async def test_plain_sql_is_refused_too(database, rows):
    with pytest.raises((DatabaseError, DBAPIError, IntegrityError)):
        await database.write(lambda s: s.execute(text("DELETE FROM MemoryAudit")))
