"""Read the records of an archive from the database."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, or_, select

from utils.database.admin.archive_records import (
    AuditRecord,
    ChannelModeRecord,
    ChannelRecord,
    ContextRecord,
    EvidenceRecord,
    LoopRecord,
    MemberRecord,
    MemoryRecord,
    MessageRecord,
    ModelChoiceRecord,
    PersonaRecord,
    PolicyRecord,
    ServerRecord,
    TombstoneRecord,
)
from utils.database.core import queries
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, grouped, of_member, rows_for
from utils.database.guilds import personas
from utils.database.memories.review_queue import POSTED
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    channel_mode,
    channel_purpose,
    guild_settings,
    memory_audit,
    memory_context,
    memory_event,
    memory_evidence,
    model_choice,
    open_loop,
    passive_refusal,
    persona,
    policy_version,
    tombstone,
    user_memory,
    user_state,
)
from utils.models.memory import EventState, Importance, Member, Role, Status
from utils.nlp.confidential import MARK

_MEMORY_NUMBER = re.compile(r"#(\d+)")


def next_members(
    connection: Connection, guild_id: int | None, user_id: int | None, after: Member, limit: int
) -> list[Member]:
    """Return the next members after ``after`` who have stored data, in the order of their ids.

    ``guild_id`` and ``user_id`` None: of all servers, of all people.
    """
    conditions = []
    if guild_id is not None:
        conditions.append(user_state.c.GuildId == guild_id)
    if user_id is not None:
        conditions.append(user_state.c.UserId == user_id)
    return queries.next_members(connection, user_state, after, limit, *conditions)


def servers(connection: Connection, guild_id: int | None) -> list[int]:
    """Return the servers with settings, in order; only ``guild_id`` if it is not None."""
    columns = guild_settings.c
    query = select(columns.GuildId).where(columns.RemovedAt.is_(None)).order_by(columns.GuildId)
    if guild_id is not None:
        query = query.where(columns.GuildId == guild_id)
    return list(connection.scalars(query))


def server_record(connection: Connection, guild_id: int) -> ServerRecord | None:
    """Return a server's settings; None if they were deleted in the meantime."""

    def rows(table: Table, order: ColumnElement[Any]) -> Sequence[Any]:
        query = select(table).where(table.c.GuildId == guild_id)
        return connection.execute(query.order_by(order)).all()

    query = select(guild_settings).where(guild_settings.c.GuildId == guild_id)
    settings = connection.execute(query).one_or_none()
    if settings is None:
        return None
    return ServerRecord.from_row(
        settings,
        channels=[
            ChannelRecord.from_row(row, topics=row.Topics or "")
            for row in rows(channel_purpose, channel_purpose.c.ChannelId)
        ],
        channel_modes=[
            ChannelModeRecord.from_row(row) for row in rows(channel_mode, channel_mode.c.ChannelId)
        ],
        models=[
            ModelChoiceRecord.from_row(row) for row in rows(model_choice, model_choice.c.ChannelId)
        ],
        personas=[PersonaRecord.from_row(row) for row in rows(persona, persona.c.Name)],
        policies=[
            PolicyRecord.from_row(row) for row in rows(policy_version, policy_version.c.Version)
        ],
    )


def member_record(connection: Connection, member: Member) -> MemberRecord:
    """Return a member's choices and profile, and the audit of all their memories at once."""
    row = connection.execute(select(user_state).where(of_member(user_state, member))).one()
    row_ids = [int(row_id) for row_id in row.NotesRowIds.split()]
    uids = _uids(connection, row_ids)
    is_complete = row_ids and all(row_id in uids for row_id in row_ids)
    columns = memory_audit.c
    audit = connection.execute(
        select(memory_audit)
        .where(
            of_member(memory_audit, member),
            columns.MemoryId.is_(None),
            columns.Action != POSTED,  # it names a Discord message of the review queue
        )
        .order_by(columns.Id)
    ).all()
    refusal = select(passive_refusal.c.UserId).where(of_member(passive_refusal, member))
    return MemberRecord.from_row(
        row,
        refuses_overhearing=connection.execute(refusal).first() is not None,
        refuses_roasts=personas.any_refuses_roasts(connection, member.guild_id, [member.user_id]),
        profile=row.UserNotes if is_complete else "",
        profile_rows=[uids[row_id] for row_id in row_ids] if is_complete else [],
        audit=[_audit_record(entry, {}) for entry in audit],
    )


def tombstone_records(connection: Connection, member: Member) -> list[TombstoneRecord]:
    """Return the messages of a member that no memory may be learned from."""
    query = select(tombstone).where(of_member(tombstone, member)).order_by(tombstone.c.MessageId)
    return [TombstoneRecord.from_row(row) for row in connection.execute(query)]


def message_records(
    connection: Connection, member: Member, after_id: int, now: datetime, limit: int
) -> tuple[list[MessageRecord], int]:
    """Return a member's next stored messages, and the row id of the last one."""
    columns = memory_event.c
    rows = connection.execute(
        select(memory_event)
        .where(
            columns.GuildId == member.guild_id,
            columns.AuthorId == member.user_id,
            columns.Id > after_id,
            columns.Role == Role.MEMBER,
            columns.ExpiresAt > now,
            is_not_empty(columns.Text),
        )
        .order_by(columns.Id)
        .limit(limit)
    ).all()
    records = [
        MessageRecord.from_row(
            row,
            overheard=row.State is EventState.OVERHEARD,
            confidential=MARK in row.Stems,
        )
        for row in rows
    ]
    return records, rows[-1].Id if rows else after_id


def memory_records(connection: Connection, member: Member, now: datetime) -> list[MemoryRecord]:
    """Return a member's unexpired memories in the order they were learned, with all about them."""
    columns = user_memory.c
    rows = connection.execute(
        select(user_memory)
        .where(
            of_member(user_memory, member),
            columns.Status != Status.FORGOTTEN,
            or_(columns.ExpiresAt.is_(None), columns.ExpiresAt > now),
        )
        .order_by(columns.Id)
    ).all()
    uids = {row.Id: row.Uid for row in rows}
    evidence = _rows_by_memory(connection, memory_evidence, list(uids))
    audit = _rows_by_memory(connection, memory_audit, list(uids))
    context = _rows_by_memory(connection, memory_context, list(uids))
    return [
        MemoryRecord.from_row(
            row,
            importance=Importance(row.Importance),
            superseded_by=uids.get(row.SupersededById),
            confidential=MARK in row.SearchStems,
            evidence=[EvidenceRecord.from_row(entry) for entry in evidence[row.Id]],
            context=list(_context_records(context[row.Id], uids)),
            audit=[_audit_record(entry, uids) for entry in audit[row.Id]],
        )
        for row in rows
    ]


def loop_records(connection: Connection, member: Member, now: datetime) -> list[LoopRecord]:
    """Return what a member wants to be asked about, answered or not."""
    columns = open_loop.c
    query = select(open_loop).where(of_member(open_loop, member), columns.ExpiresAt > now)
    return [LoopRecord.from_row(row) for row in connection.execute(query.order_by(columns.Id))]


def _rows_by_memory(
    connection: Connection, table: Table, memory_ids: Sequence[int]
) -> dict[int, list[Any]]:
    order = [table.c.Id] if "Id" in table.c else list(table.primary_key)
    query = select(table).where(table.c.MemoryId.in_(IDS)).order_by(*order)
    return grouped((row.MemoryId, row) for row in rows_for(connection, query, memory_ids))


def _context_records(rows: Sequence[Any], uids: Mapping[int, str]) -> Iterator[ContextRecord]:
    """Yield what a note rests on besides its own sentence; an expired memory is left out."""
    for row in rows:
        uid = uids.get(row.ContextMemoryId)
        if row.ContextMessageId or uid is not None:
            yield ContextRecord.model_construct(
                message=row.ContextMessageId or None, memory=uid, author=row.AuthorId or None
            )


def _audit_record(row: Any, uids: Mapping[int, str]) -> AuditRecord:
    """Return an audit entry. A memory's number in it becomes its uid: numbers differ elsewhere."""
    before = row.Before
    reference = _MEMORY_NUMBER.fullmatch(before or "")
    if reference is not None:
        uid = uids.get(int(reference[1]))
        before = None if uid is None else f"#{uid}"
    return AuditRecord.from_row(row, before=before)


def _uids(connection: Connection, row_ids: Sequence[int]) -> dict[int, str]:
    query = select(user_memory.c.Id, user_memory.c.Uid).where(user_memory.c.Id.in_(IDS))
    return {row.Id: row.Uid for row in rows_for(connection, query, row_ids)}
