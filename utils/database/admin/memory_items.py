"""The operator's queries: list memories, load one with its history, change one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Row, func, literal, select, update

from utils.database.admin import pagination
from utils.database.admin.pagination import ScanRange, load_page, scope_of
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, columns_of, from_row, read_first, rows_for
from utils.database.memories import audit, search
from utils.database.memories.memory_rows import IS_OPEN
from utils.database.schema import fts_index
from utils.database.schema.memory_tables import user_memory
from utils.models.admin import MAX_ID, MemoryFilter, MemoryOrder, Page
from utils.models.memory import Importance, Memory, Status

_MEMORY = user_memory.c

CHANGED = "changed"
_COLUMNS = {"status": "Status", "importance": "Importance", "expires_at": "ExpiresAt"}
_SORTED_BY = {
    MemoryOrder.NEWEST: "Id",
    MemoryOrder.TEXT: "Memory",
    MemoryOrder.KIND: "Kind",
    MemoryOrder.STATUS: "Status",
    MemoryOrder.IMPORTANCE: "Importance",
    MemoryOrder.SAID: "LastConfirmedAt",
    MemoryOrder.EXPIRES: "ExpiresAt",
    MemoryOrder.USED: "UseCount",
}
UNSEARCHED = (Status.SUPERSEDED, Status.FORGOTTEN)  # not in the full-text index
FAR_FUTURE = datetime(9999, 1, 1, tzinfo=UTC)  # sorts permanent memories last


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A text filter.

    Args:
        alternatives: for each word, the stems it may be stored under.
        matches: decides for a row by its stems and topics.
    """

    alternatives: Sequence[Collection[str]]
    matches: Callable[[str, Sequence[str]], bool]


ITEM = columns_of(
    user_memory, Memory, text="Memory", stems="SearchStems", superseded_by="SupersededById"
)


def items(
    connection: Connection,
    filters: MemoryFilter,
    query: TextQuery | None,
    cursor: int | None,
    limit: int,
) -> Page[Memory]:
    """Return memories of any status that match a filter, newest first, no confidential ones."""
    scan, conditions, matches = _selection(connection, filters, query, cursor)
    return load_page(connection, ITEM, scan, conditions, limit, item_from, matches)


def sorted_items(
    connection: Connection,
    filters: MemoryFilter,
    query: TextQuery | None,
    order: MemoryOrder,
    *,
    is_descending: bool,
    offset: int,
    limit: int,
) -> Page[Memory]:
    """Return memories that match a filter in another order; the cursor is the next offset.

    No index has these orders, so only the newest 5,000 memories are sorted.
    """
    scan, conditions, matches = _selection(connection, filters, query, None)
    by = _MEMORY[_SORTED_BY[order]]
    loaded = [_MEMORY.Id, by.label("SortedBy"), _MEMORY.Topics, _MEMORY.SearchStems]
    newest = load_page(connection, loaded, scan, conditions, pagination.MAX_SCANNED, tuple, matches)
    ranked = sorted(newest.rows, key=lambda row: _sort_key(row[1]), reverse=is_descending)
    return Page(
        tuple(pick(connection, [row[0] for row in ranked[offset : offset + limit]])),
        offset + limit if len(ranked) > offset + limit else None,
        is_partial=scan.floor is not None,
    )


def _selection(
    connection: Connection, filters: MemoryFilter, query: TextQuery | None, cursor: int | None
) -> tuple[ScanRange, list[ColumnElement[bool]], Callable[[Row[Any]], bool] | None]:
    """Return which rows one page scans, their conditions, and what only Python can filter."""
    key: Column[int] = _MEMORY.Id
    scope = scope_of(connection, _MEMORY.GuildId, _MEMORY.UserId, filters.guild_id, filters.user_id)
    conditions = _conditions(connection, filters)
    if query is None:
        return ScanRange.of(connection, key, scope, cursor), conditions, None
    is_indexed = (
        filters.user_id is None
        and filters.status not in UNSEARCHED
        and fts_index.exists(connection)
    )
    if is_indexed:
        before = MAX_ID if cursor is None else cursor
        hits, floor = search.hits(
            connection,
            filters.guild_id,
            query.alternatives,
            before=before,
            limit=pagination.MAX_SCANNED,
        )
        scan = ScanRange(key, hits, before, floor)
        if filters.guild_id is not None:  # "+ 0" prevents the index by server
            conditions.append(_MEMORY.GuildId + 0 == filters.guild_id)
    else:
        scan = ScanRange.of(connection, key, scope, cursor)
        conditions += [search.looks_like(connection, stems) for stems in query.alternatives]
    return scan, conditions, lambda row: query.matches(row.SearchStems, _topics(row))


def _sort_key(value: Any) -> Any:
    """Return how a value compares: text without its case; what never ends comes last."""
    if value is None:
        return FAR_FUTURE
    return value.casefold() if isinstance(value, str) else value


def pick(connection: Connection, memory_ids: Collection[int]) -> list[Memory]:
    """Return these memories in this order, without those that do not exist or are confidential."""
    query = select(*ITEM).where(user_memory.c.Id.in_(IDS), IS_OPEN)
    by_id = {row.Id: item_from(row) for row in rows_for(connection, query, memory_ids)}
    return [by_id[memory_id] for memory_id in memory_ids if memory_id in by_id]


def item(connection: Connection, memory_id: int) -> Memory | None:
    """Return one memory of any status, or None."""
    return read_first(connection, select(*ITEM).where(user_memory.c.Id == memory_id), item_from)


def past(connection: Connection, memory: Memory) -> list[Memory]:
    """Return the memories that a memory superseded, directly or not, newest first."""
    same_member = (_MEMORY.GuildId == memory.guild_id, _MEMORY.UserId == memory.user_id)
    superseded: dict[int, Memory] = {}
    wave = [memory.id]
    while wave:
        rows = connection.execute(
            select(*ITEM).where(*same_member, _MEMORY.SupersededById.in_(wave))
        )
        new = {row.Id: item_from(row) for row in rows if row.Id not in superseded}
        superseded |= new
        wave = list(new)
    return [superseded[row_id] for row_id in sorted(superseded, reverse=True)]


def change(
    connection: Connection,
    memory: Memory,
    values: Mapping[str, Any],
    *,
    before: str,
    after: str,
    now: datetime,
    actor_id: int,
) -> None:
    """Store a change of a memory and its audit entry.

    ``values`` are fields of Memory: status, importance, expires_at; empty if only its text
    changed, which is a new memory. ``before`` and ``after``
    are the audit's texts. The caller holds the member's lock.
    """
    stored = {_COLUMNS[name]: value for name, value in values.items()}
    if stored:
        connection.execute(update(user_memory).where(user_memory.c.Id == memory.id).values(stored))
    audit.add(
        connection, memory.member, [memory.id], CHANGED, now, actor_id, before=before, after=after
    )


def item_from(row: Row[Any]) -> Memory:
    """Return the memory of a row with the columns of ITEM."""
    return from_row(
        Memory,
        row,
        text=row.Memory,
        topics=tuple(_topics(row)),
        importance=Importance(row.Importance),
        stems=row.SearchStems,
        superseded_by=row.SupersededById,
    )


def _topics(row: Row[Any]) -> list[str]:
    return row.Topics.split(",") if row.Topics else []


def _conditions(connection: Connection, filters: MemoryFilter) -> list[ColumnElement[bool]]:
    conditions = [
        IS_OPEN,
        *(
            column == value
            for column, value in (
                (_MEMORY.Kind, filters.kind),
                (_MEMORY.Status, filters.status),
                (_MEMORY.Source, filters.source),
                (_MEMORY.Form, filters.form),
            )
            if value is not None
        ),
    ]
    if filters.topic:
        listed = "," + search.by_letters(connection, _MEMORY.Topics) + ","
        conditions.append(search.contains(listed, f",{filters.topic},"))
    if filters.expiring_before is not None:  # coalesce prevents the index by expiry
        time = _MEMORY.ExpiresAt.type
        end = func.coalesce(_MEMORY.ExpiresAt, literal(FAR_FUTURE, time))
        conditions.append(end < literal(filters.expiring_before, time))
    return conditions
