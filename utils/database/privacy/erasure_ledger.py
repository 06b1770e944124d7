"""The erasure ledger: what was erased and when, written in the unit of work that erases.

It records what a restored backup would wrongly bring back:

- messages that were deleted, edited or forgotten;
- memories that were forgotten or rejected, with those that they superseded, and open loops;
- all data of a member, a channel or a server; the open episode of a channel that was reset;
- consent that was reduced.

It omits what expires by itself (restored rows have expiry times), what goes with something else (a
memory whose last message was deleted), what exceeds a cap (it is trimmed again), and what was
merged or corrected: such a memory is superseded, and recorded when its successor is forgotten.
"""

from sqlalchemy import and_, insert, select

from utils.database.core.engine import Connection
from utils.database.core.queries import columns_of, has_rows, read_list, to_row
from utils.database.core.scrubber import owe
from utils.database.schema.memory_tables import erasure_ledger
from utils.models.operator import Erasure

_COLUMNS = erasure_ledger.c
_FIELDS = columns_of(erasure_ledger, Erasure)
_ENTRIES = select(_COLUMNS.Id, *_FIELDS)


def record(connection: Connection, *erasures: Erasure) -> None:
    """Record what this unit of work erases, and that the file is to be scrubbed of it."""
    if erasures:
        owe(connection)
        rows = [to_row(erasure_ledger, erasure) for erasure in erasures]
        connection.execute(insert(erasure_ledger), rows)


def record_once(connection: Connection, *erasures: Erasure) -> None:
    """Record those of the erasures that are not recorded yet."""
    record(connection, *(entry for entry in erasures if not is_recorded(connection, entry)))


def is_recorded(connection: Connection, erasure: Erasure) -> bool:
    """Return whether exactly this erasure is recorded."""
    row = to_row(erasure_ledger, erasure)
    is_same = and_(*(column == row[column.name] for column in _FIELDS))  # IS NULL for None
    return has_rows(connection, select(_COLUMNS.Id).where(is_same))


def entries_after(connection: Connection, entry_id: int, limit: int) -> list[tuple[int, Erasure]]:
    """Return the next entries after one, with their ids, oldest first."""
    query = _ENTRIES.where(_COLUMNS.Id > entry_id).order_by(_COLUMNS.Id).limit(limit)
    return [(row[0], Erasure(*row[1:])) for row in connection.execute(query)]


def entries_before(connection: Connection, entry_id: int, limit: int) -> list[tuple[int, Erasure]]:
    """Return the last entries before one, with their ids, newest first."""
    query = _ENTRIES.where(_COLUMNS.Id < entry_id).order_by(_COLUMNS.Id.desc()).limit(limit)
    return [(row[0], Erasure(*row[1:])) for row in connection.execute(query)]


def entries_of(connection: Connection, guild_id: int, user_id: int | None) -> list[Erasure]:
    """Return a server's erasures that name this member (None: no member), oldest first."""
    return read_list(
        connection,
        select(*_FIELDS)
        .where(_COLUMNS.GuildId == guild_id, _COLUMNS.UserId == user_id)  # IS NULL for None
        .order_by(_COLUMNS.At, _COLUMNS.Id),
        lambda row: Erasure(*row),
    )
