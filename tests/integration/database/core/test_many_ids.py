"""Questions about more ids than one statement takes: none is left out or asked about twice."""

from sqlalchemy import delete, select, update

from utils.database.core import queries
from utils.database.core.queries import IDS, insert_new, rows_for, run_for, values_for
from utils.database.schema.memory_tables import command_sync

_ID, _HASH = command_sync.c.ApplicationId, command_sync.c.PayloadHash


async def test_many_ids_are_asked_and_changed_in_parts(database, monkeypatch):
    monkeypatch.setattr(queries, "IDS_PER_STATEMENT", 3)
    ids = {70, 10, 60, 20, 50, 30, 40}

    def unit(connection):
        stored = [{"ApplicationId": id_, "PayloadHash": "old"} for id_ in (*ids, 80)]
        insert_new(connection, command_sync, stored)
        are_these = _ID.in_(IDS)
        by_hash = select(_ID, _HASH).where(are_these, _HASH == "old").order_by(_ID.desc())
        rows = [row.ApplicationId for row in rows_for(connection, by_hash, ids)]
        change = update(command_sync).where(are_these).values(PayloadHash="new")
        changed = run_for(connection, change, ids)
        new = select(_ID).where(_HASH == "new", are_these).order_by(_ID)
        values = values_for(connection, new, [*ids, 80])
        deleted = run_for(connection, delete(command_sync).where(are_these), [])
        return rows, changed, values, deleted

    rows, changed, values, deleted = await database.write(unit)
    assert rows == [30, 20, 10, 60, 50, 40, 70]  # sorted into parts, each in the query's order
    assert values == sorted(ids)
    assert (changed, deleted) == (7, 0)
