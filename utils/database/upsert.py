"""One helper for everybody: change a row, or make it, when others may be making it too."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table, insert, update
from sqlalchemy.exc import IntegrityError

from utils.database.engine import Session


def upsert(
    session: Session,
    table: Table,
    keys: Mapping[str, Any],
    values: Mapping[str, Any],
    on_update: Mapping[str, Any] | None = None,
) -> bool:
    """Write ``values`` to the row with ``keys`` (column names); return True when it was made.

    ``on_update`` replaces ``values`` where the row exists already, for expressions such as
    ``{"Calls": table.c.Calls + 1}``. UPDATE, then INSERT inside a savepoint, then UPDATE again
    when somebody else inserted meanwhile: the same on SQLite and SQL Server, without MERGE.
    """
    changes = dict(values if on_update is None else on_update) or dict(keys)
    change = update(table).where(*(table.c[name] == key for name, key in keys.items()))
    change = change.values(changes)
    if session.execute(change).rowcount:
        return False
    try:
        with session.begin_nested():
            session.execute(insert(table).values({**keys, **values}))
    except IntegrityError:
        if session.execute(change).rowcount:
            return False
        raise  # it was another constraint, not a second writer
    return True
