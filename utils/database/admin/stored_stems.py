"""Makes stored stems again, a page of a table at a time."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Table, bindparam, select, update

from utils.database.core.engine import Connection
from utils.database.memories import members
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import user_memory
from utils.nlp.confidential import MARK

PAGE = 500


def restem_page(
    connection: Connection, table: Table, make: Callable[[Any], str], after_id: int
) -> int | None:
    """Make the stems of a page of rows again; returns its last id, None if no row is left.

    Only the first line is made, of the row's own text: the other lines are of other texts. Marks of
    confidence stay. A row without stems stays without: its text was erased, or is not recalled.

    Args:
        connection: the caller's unit of work.
        table: one with a column of stems.
        make: returns the stems of a row's text.
        after_id: the last id of the page before.
    """
    column = table.c.SearchStems if table is user_memory else table.c.Stems
    rows = connection.execute(
        select(table)
        .where(table.c.Id > after_id, is_not_empty(column))
        .order_by(table.c.Id)
        .limit(PAGE)
    ).all()
    change = (
        update(table)
        .where(table.c.Id == bindparam("row_id"), column == bindparam("stored"))
        .values({column: bindparam("made", type_=column.type)})
    )
    changed = set[int]()
    for row in rows:
        stored = row._mapping[column]
        first, separator, following = stored.partition("\n")
        marks = [stem for stem in first.split() if stem.startswith(MARK)]
        if len(marks) == len(first.split()):
            continue
        restemmed = " ".join([make(row), *marks]) + separator + following
        if restemmed != stored:
            connection.execute(change, {"row_id": row.Id, "stored": stored, "made": restemmed})
            changed.add(row.GuildId)
    for guild_id in sorted(changed):
        members.invalidate_guild(connection, guild_id)
    return rows[-1].Id if rows else None
