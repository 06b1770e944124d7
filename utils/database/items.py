"""The operator's list of memories, one memory with its past, and the change of one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, func, insert, literal, select, update

from utils.database import memories, paging, search, search_index
from utils.database.engine import Session
from utils.database.paging import Stretch, scope_of, walk
from utils.database.tables import memory_audit, user_memory
from utils.model.browsing import LARGEST_ID, Item, ItemFilter, Page
from utils.model.memory import Importance, Member, Status
from utils.model.operator import OPERATOR

CHANGED = "changed"
_COLUMNS = {"status": "Status", "importance": "Importance", "expires_at": "ExpiresAt"}
UNSEARCHED = (Status.SUPERSEDED, Status.FORGOTTEN)  # the full-text index does not hold them
FAR_AWAY = datetime(9999, 1, 1, tzinfo=UTC)  # where what is permanent ends


@dataclass(frozen=True, slots=True)
class Words:
    """What a text filter asks for: for each word the stems it may be stored under, and who judges
    a row by its stems and topics."""

    alternatives: Sequence[Collection[str]]
    is_meant: Callable[[str, Sequence[str]], bool]


ITEM = [
    user_memory.c[name]
    for name in (
        "Id", "Uid", "GuildId", "UserId", "ChannelId", "Memory", "Topics", "Kind", "Status",
        "Source", "Importance", "FactKey", "Confidence", "EvidenceCount", "CreatedAt",
        "LastConfirmedAt", "ExpiresAt", "LastUsedAt", "UseCount", "SupersededById",
    )
]  # fmt: skip


def items(
    session: Session, wanted: ItemFilter, words: Words | None, cursor: int | None, limit: int
) -> Page[Item]:
    """Return memories that fit a filter, newest first, whatever their status."""
    columns = user_memory.c
    key: ColumnElement[int] = columns.Id
    scope = scope_of(session, columns.GuildId, columns.UserId, wanted.guild_id, wanted.user_id)
    which = _which(wanted)
    if words is None:
        stretch = Stretch.of(session, key, scope, cursor)
        return walk(session, ITEM, stretch, which, limit, item_from)
    is_indexed = (
        wanted.user_id is None
        and wanted.status not in UNSEARCHED
        and search_index.is_there(session)
    )
    if is_indexed:
        before = LARGEST_ID if cursor is None else cursor
        hits, floor = search.hits(
            session, wanted.guild_id, words.alternatives, before=before, most=paging.MOST_SCANNED
        )
        stretch = Stretch(key, hits, before, floor)
        if wanted.guild_id is not None:  # the sum keeps it from the index by server
            which.append(columns.GuildId + 0 == wanted.guild_id)
    else:
        stretch = Stretch.of(session, key, scope, cursor)
        looks = [search.looks_like(session, one) for one in words.alternatives]
        which = [*which, *looks]
    return walk(
        session,
        [*ITEM, columns.SearchStems],
        stretch,
        which,
        limit,
        item_from,
        lambda row: words.is_meant(row.SearchStems, _topics(row)),
    )


def item(session: Session, memory_id: int) -> Item | None:
    """Return one memory, whatever its status."""
    row = session.execute(select(*ITEM).where(user_memory.c.Id == memory_id)).one_or_none()
    return None if row is None else item_from(row)


def past(session: Session, one: Item) -> list[Item]:
    """Return what a memory took the place of, and what that had, newest first."""
    columns = user_memory.c
    theirs = (columns.GuildId == one.guild_id, columns.UserId == one.user_id)
    found: dict[int, Item] = {}
    wave = [one.id]
    while wave:
        rows = session.execute(select(*ITEM).where(*theirs, columns.SupersededById.in_(wave)))
        new = {row.Id: item_from(row) for row in rows if row.Id not in found}
        found |= new
        wave = list(new)
    return [found[row_id] for row_id in sorted(found, reverse=True)]


def change(
    session: Session,
    one: Item,
    values: Mapping[str, Any],
    *,
    before: str,
    after: str,
    now: datetime,
) -> None:
    """Write the operator's change of a memory and say in the audit what it was and is.

    ``values`` go by Item's names: status, importance, expires_at. The caller holds the member's
    lock.
    """
    stored = {_COLUMNS[name]: value for name, value in values.items()}
    session.execute(update(user_memory).where(user_memory.c.Id == one.id).values(stored))
    deed = memories.audit(Member(one.guild_id, one.user_id), one.id, CHANGED, now, OPERATOR)
    session.execute(insert(memory_audit).values({**deed, "Before": before, "After": after}))


def item_from(row: Row[Any]) -> Item:
    """Return a memory of a row that has the columns of ITEM."""
    return Item(
        id=row.Id,
        uid=row.Uid,
        guild_id=row.GuildId,
        user_id=row.UserId,
        channel_id=row.ChannelId,
        text=row.Memory,
        topics=tuple(_topics(row)),
        kind=row.Kind,
        status=row.Status,
        source=row.Source,
        importance=Importance(row.Importance),
        fact_key=row.FactKey,
        confidence=row.Confidence,
        evidence_count=row.EvidenceCount,
        created_at=row.CreatedAt,
        last_confirmed_at=row.LastConfirmedAt,
        expires_at=row.ExpiresAt,
        last_used_at=row.LastUsedAt,
        use_count=row.UseCount,
        superseded_by=row.SupersededById,
    )


def _topics(row: Row[Any]) -> list[str]:
    return row.Topics.split(",") if row.Topics else []


def _which(wanted: ItemFilter) -> list[ColumnElement[bool]]:
    columns = user_memory.c
    which = [
        column == value
        for column, value in (
            (columns.Kind, wanted.kind),
            (columns.Status, wanted.status),
            (columns.Source, wanted.source),
        )
        if value is not None
    ]
    if wanted.topic:
        listed = "," + columns.Topics + ","
        which.append(search.contains(listed, f",{wanted.topic},"))
    if wanted.expiring_before is not None:  # the function keeps it off the index of ends
        time = columns.ExpiresAt.type
        end = func.coalesce(columns.ExpiresAt, literal(FAR_AWAY, time))
        which.append(end < literal(wanted.expiring_before, time))
    return which
