"""How a member's memories are read."""

import sqlite3
from contextlib import closing

from sqlalchemy.dialects.sqlite import dialect

from tests.fakes.builders import ADA, NOON
from tests.integration.database.core.test_migrations import file_of
from utils.database.core.compiled_select import compiled_select
from utils.database.memories import memory_rows
from utils.database.messages import said


async def test_recall_reads_memories_from_its_index_and_other_queries_a_smaller_one(sqlite_url):
    indexes = [
        (memory_rows.for_recall(ADA, NOON), "Recall"),
        (said.source_messages(ADA), "Member"),
    ]
    with closing(sqlite3.connect(file_of(sqlite_url))) as raw:
        for query, index in indexes:
            select = compiled_select(query.statement, dialect(paramstyle="qmark"))
            values = select.values(query.parameters)
            plan = str(raw.execute(f"EXPLAIN QUERY PLAN {select.text}", values).fetchall())
            assert f"UserMemory USING COVERING INDEX IX_UserMemory_{index} " in plan
