"""Store the records of an archive that the import rules accepted.

The caller holds the lock of the member.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, func, insert, select, update

from utils.database.admin.archive_records import (
    AuditRecord,
    EvidenceRecord,
    LoopRecord,
    MemberRecord,
    MemoryRecord,
    ServerRecord,
    TombstoneRecord,
)
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, chunks, insert_new, of_member, rows_for, upsert
from utils.database.memories import contexts
from utils.database.messages.events import event_row
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
    persona,
    policy_version,
    roast_refusal,
    tombstone,
    user_memory,
    user_state,
)
from utils.models.memory import ContextRef, Event, EventState, Member
from utils.models.operator import IMPORTED, OPERATOR

_MEMORY_UID = re.compile(r"#([0-9a-f]{32})")


# --- servers ------------------------------------------------------------------------------------


def is_known_server(connection: Connection, guild_id: int) -> bool:
    """Whether a server has settings here."""
    columns = guild_settings.c
    query = select(columns.Mode).where(columns.GuildId == guild_id)
    return connection.execute(query).first() is not None


def add_server(connection: Connection, server: ServerRecord) -> None:
    """Store the settings of a server that has none here."""
    settings = server.to_row(PolicyVersion=server.policy_version if server.policies else 0)
    key = {"GuildId": settings.pop("GuildId")}
    upsert(connection, guild_settings, key, settings)
    channels = [record.to_row(**key, Topics=record.topics or None) for record in server.channels]
    insert_new(connection, channel_purpose, channels)
    for table, records in (
        (channel_mode, server.channel_modes),
        (model_choice, server.models),
        (persona, server.personas),
        (policy_version, server.policies),
    ):
        insert_new(connection, table, [record.to_row(**key) for record in records])


# --- members ------------------------------------------------------------------------------------


def load_state(connection: Connection, member: Member) -> Any:
    """Return a member's UserState row, or None."""
    return connection.execute(select(user_state).where(of_member(user_state, member))).one_or_none()


def add_choices(connection: Connection, record: MemberRecord) -> bool:
    """Store a member's choices if they made none here; "ignored" is stored in any case.

    Returns whether their choices are new. Does not apply them to stored data.
    """
    member = Member(record.server, record.member)
    columns = user_state.c
    change = update(user_state).where(of_member(user_state, member))
    is_new = False
    if record.consent is not None:
        choices = {"Consent": record.consent, "PassiveOptIn": record.overhears}
        undecided = change.where(columns.Consent.is_(None))
        is_new = bool(connection.execute(undecided.values(choices)).rowcount)
    if record.ignored:
        connection.execute(change.values(Ignored=True))
    if record.never_first:
        connection.execute(change.values(NeverFirst=True))
    if record.time_zone is not None:
        connection.execute(
            change.where(columns.TimeZone.is_(None)).values(TimeZone=record.time_zone)
        )
    if record.seen_at is not None:
        unseen = change.where(columns.LastSeenAt.is_(None))
        connection.execute(unseen.values(LastSeenAt=record.seen_at))
    if record.refuses_roasts and record.seen_at:
        insert_new(connection, roast_refusal, [_key(member) | {"At": record.seen_at}])
    return is_new


def add_audit(connection: Connection, member: Member, records: Sequence[AuditRecord]) -> None:
    """Append those audit entries about a member as a whole that are not stored yet."""
    columns = memory_audit.c
    stored = connection.execute(
        select(columns.At, columns.ActorId, columns.Action).where(
            of_member(memory_audit, member), columns.MemoryId.is_(None)
        )
    )
    stored_keys = {tuple(row) for row in stored}
    new = [entry for entry in records if (entry.at, entry.actor, entry.action) not in stored_keys]
    if rows := _audit_rows(member, None, new, {}):
        connection.execute(insert(memory_audit), rows)


# --- messages -----------------------------------------------------------------------------------


def known_revisions(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> dict[int, int]:
    """Return the last stored revision of each of these messages that is stored."""
    columns = memory_event.c
    query = (
        select(columns.MessageId, func.max(columns.Revision))
        .where(columns.GuildId == guild_id, columns.MessageId.in_(IDS))
        .group_by(columns.MessageId)
    )
    return {row.MessageId: row[1] for row in rows_for(connection, query, message_ids)}


def add_messages(connection: Connection, messages: Sequence[tuple[Event, datetime, bool]]) -> None:
    """Store past messages with their expiry and whether they were overheard.

    They are not part of the channel's conversation, and nothing is extracted from them again.
    """
    rows = [
        event_row(event, expires_at, EventState.OVERHEARD if overheard else EventState.IMPORTED)
        for event, expires_at, overheard in messages
    ]
    insert_new(connection, memory_event, rows)


def add_tombstones(
    connection: Connection, member: Member, records: Sequence[TombstoneRecord], *, writes: bool
) -> int:
    """Store tombstones, or raise the revision of stored ones; returns how many are new.

    ``writes=False`` only counts.
    """
    columns = tombstone.c
    new = 0
    for record in records:
        same = (columns.GuildId == member.guild_id, columns.MessageId == record.message)
        revision = connection.scalar(select(columns.Revision).where(*same))
        if revision is None:
            new += 1
            if writes:
                insert_new(connection, tombstone, [record.to_row()])
        elif revision < record.revision and writes:
            connection.execute(update(tombstone).where(*same).values(Revision=record.revision))
    return new


def add_loops(
    connection: Connection,
    member: Member,
    loops: Sequence[tuple[LoopRecord, datetime]],
    *,
    writes: bool,
) -> int:
    """Store open loops with their expiry, unless they are known; returns how many are new.

    ``writes=False`` only counts.
    """
    columns = open_loop.c
    stored = select(columns.MessageId, columns.Text).where(of_member(open_loop, member))
    stored_keys = {tuple(row) for row in connection.execute(stored)}
    new = [loop for loop in loops if (loop[0].message, loop[0].text) not in stored_keys]
    if new and writes:
        rows = [record.to_row(ExpiresAt=expires_at) for record, expires_at in new]
        connection.execute(insert(open_loop), rows)
    return len(new)


# --- memories -----------------------------------------------------------------------------------


def owners(connection: Connection, uids: Collection[str]) -> dict[str, tuple[int, Member]]:
    """Return the row id and the member of each of these uids that is stored."""
    columns = user_memory.c
    return {
        row.Uid: (row.Id, Member(row.GuildId, row.UserId))
        for chunk in chunks(sorted(uids))
        for row in connection.execute(
            select(columns.Uid, columns.Id, columns.GuildId, columns.UserId).where(
                columns.Uid.in_(chunk)
            )
        )
    }


@dataclass(frozen=True, slots=True)
class AcceptedMemory:
    """A memory to store, with what the import rules let through of it."""

    record: MemoryRecord
    evidence: Sequence[EvidenceRecord]
    expires_at: datetime | None
    stems: str


def add_memories(
    connection: Connection,
    member: Member,
    accepted: Sequence[AcceptedMemory],
    known_ids: Mapping[str, int],
    now: datetime,
) -> dict[str, int]:
    """Store memories with their evidence and audit, at their original times.

    ``known_ids`` are the row ids of the member's stored memories by uid. Returns those of the new.
    """
    if not accepted:
        return {}
    connection.execute(
        insert(user_memory),
        [
            memory.record.to_row(
                Importance=int(memory.record.importance),
                EvidenceCount=len({entry.message for entry in memory.evidence}),
                SearchStems=memory.stems,
                ExpiresAt=memory.expires_at,
            )
            for memory in accepted
        ],
    )
    new_ids = {
        uid: row_id
        for uid, (row_id, _) in owners(
            connection, [memory.record.uid for memory in accepted]
        ).items()
    }
    ids = {**known_ids, **new_ids}
    rows: dict[Table, list[dict[str, Any]]] = {}
    for memory in accepted:
        row_id = new_ids[memory.record.uid]
        for table, part in _rows_beside(member, memory, row_id, ids, now):
            rows.setdefault(table, []).extend(part)
    for table, part in rows.items():
        if part:
            connection.execute(insert(table), part)
    return new_ids


def _rows_beside(
    member: Member, memory: AcceptedMemory, row_id: int, ids: Mapping[str, int], now: datetime
) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """Yield the rows of a new memory in other tables: evidence, context, notes and audit."""
    record, of_memory = memory.record, {"GuildId": member.guild_id, "MemoryId": row_id}
    evidence = {entry.message: entry.to_row(**of_memory) for entry in memory.evidence}
    yield memory_evidence, list(evidence.values())
    context = [
        ContextRef(ref.message or 0, ids.get(ref.memory or "", 0), ref.author or 0)
        for ref in record.context
    ]
    known = [ref for ref in context if ref.message_id or ref.memory_id]
    yield memory_context, contexts.context_rows(member.guild_id, row_id, known)
    imported = AuditRecord.model_construct(
        at=now, actor=OPERATOR, action=IMPORTED, before=None, after=None
    )
    yield memory_audit, _audit_rows(member, row_id, [*record.audit, imported], ids)


def add_evidence(
    connection: Connection, member: Member, row_id: int, records: Sequence[EvidenceRecord]
) -> None:
    """Add the evidence of messages that a stored memory does not rest on yet."""
    columns = memory_evidence.c
    stored_message_ids = set(
        connection.scalars(select(columns.MessageId).where(columns.MemoryId == row_id))
    )
    rows = {
        record.message: record.to_row(GuildId=member.guild_id, MemoryId=row_id)
        for record in records
        if record.message not in stored_message_ids
    }
    if rows:
        connection.execute(insert(memory_evidence), list(rows.values()))
        connection.execute(
            update(user_memory)
            .where(user_memory.c.Id == row_id)
            .values(EvidenceCount=len(stored_message_ids) + len(rows))
        )


def link(connection: Connection, row_id: int, superseded_by: int) -> None:
    """Mark a memory as superseded by another, unless it already names one."""
    columns = user_memory.c
    connection.execute(
        update(user_memory)
        .where(columns.Id == row_id, columns.SupersededById.is_(None))
        .values(SupersededById=superseded_by)
    )


def _audit_rows(
    member: Member,
    memory_id: int | None,
    records: Sequence[AuditRecord],
    ids: Mapping[str, int],
) -> list[dict[str, Any]]:
    return [
        record.to_row(**_key(member), MemoryId=memory_id, Before=_with_number(record.before, ids))
        for record in records
    ]


def _with_number(before: str | None, ids: Mapping[str, int]) -> str | None:
    """Replace a memory's uid by its number in this database."""
    reference = _MEMORY_UID.fullmatch(before or "")
    if reference is None:
        return before
    return f"#{ids[reference[1]]}" if reference[1] in ids else None


def _key(member: Member) -> dict[str, int]:
    return {"GuildId": member.guild_id, "UserId": member.user_id}
