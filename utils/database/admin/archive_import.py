"""Store the rows of an archive that the import rules accepted.

The caller holds the lock of the member.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, update

from utils.common.grouping import grouped
from utils.database.admin.archive_rows import ARCHIVED, Row, with_references
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    chunks,
    insert_new,
    of_member,
    rows_for,
    upsert,
)
from utils.database.schema.memory_tables import (
    answer_source,
    guild_settings,
    memory_audit,
    memory_event,
    memory_evidence,
    open_loop,
    tombstone,
    user_memory,
    user_state,
)
from utils.models.episode import REMINDER_SIGN
from utils.models.memory import MAX_CONTEXT, Consent, Member
from utils.models.operator import IMPORTED, OPERATOR

_MEMORY = user_memory.c

# --- servers and members --------------------------------------------------------------------------


def is_known_server(connection: Connection, guild_id: int) -> bool:
    """Whether a server has settings here."""
    query = select(guild_settings.c.Mode).where(guild_settings.c.GuildId == guild_id)
    return connection.execute(query).first() is not None


def add_rows(connection: Connection, rows: Iterable[tuple[str, Row]]) -> None:
    """Store rows, each with the name of its table, as they are; those that exist stay."""
    for table, part in grouped(rows).items():
        insert_new(connection, ARCHIVED[table].table, part)


def load_state(connection: Connection, member: Member) -> Any:
    """Return a member's UserState row, or None."""
    return connection.execute(select(user_state).where(of_member(user_state, member))).one_or_none()


def add_choices(connection: Connection, member: Member, row: Row, consent: Consent | None) -> bool:
    """Store a member's choices if they made none here; what restricts is stored in any case.

    Returns whether their consent is new. Does not apply it to stored data.
    """
    change = update(user_state).where(of_member(user_state, member))
    for name in ("Ignored", "NeverFirst", "NotFindable"):
        if row[name]:
            connection.execute(change.values({name: True}))
    for name in ("TimeZone", "LastSeenAt", "Noted"):
        if row[name] is not None:
            connection.execute(change.where(user_state.c[name].is_(None)).values({name: row[name]}))
    if consent is None:
        return False
    choices = {"Consent": consent, "PassiveOptIn": row["PassiveOptIn"]}
    return bool(
        connection.execute(change.where(user_state.c.Consent.is_(None)).values(choices)).rowcount
    )


def add_audit(connection: Connection, member: Member, rows: Sequence[Row]) -> None:
    """Append those audit entries about a member as a whole that are not stored yet."""
    stored = connection.execute(
        select(memory_audit.c.At, memory_audit.c.ActorId, memory_audit.c.Action).where(
            of_member(memory_audit, member), memory_audit.c.MemoryId.is_(None)
        )
    )
    stored_keys = {tuple(row) for row in stored}
    new = [row for row in rows if (row["At"], row["ActorId"], row["Action"]) not in stored_keys]
    if new:
        connection.execute(insert(memory_audit), new)


# --- messages -----------------------------------------------------------------------------------


def known_revisions(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> dict[int, int]:
    """Return the last stored revision of each of these messages that is stored."""
    return dict(
        rows_for(
            connection,
            select(memory_event.c.MessageId, func.max(memory_event.c.Revision))
            .where(memory_event.c.GuildId == guild_id, memory_event.c.MessageId.in_(IDS))
            .group_by(memory_event.c.MessageId),
            message_ids,
        )
    )


def add_tombstones(connection: Connection, rows: Sequence[Row]) -> None:
    """Store tombstones, or raise the revision of stored ones."""
    for row in rows:
        key = {name: row[name] for name in ("GuildId", "MessageId")}
        values = {name: row[name] for name in ("UserId", "Revision")}
        upsert(connection, tombstone, key, values, {"Revision": row["Revision"]})


def known_loops(connection: Connection, member: Member) -> list[tuple[int, str, bool]]:
    """Return the message and the text of each open loop of a member, and of each reminder that was
    sent, whose text ends with the loop's; and whether it was sent."""
    stored = select(open_loop.c.MessageId, open_loop.c.Text).where(of_member(open_loop, member))
    sent = (
        select(answer_source.c.SourceId, memory_event.c.Text)
        .join(memory_event, memory_event.c.Id == answer_source.c.EventId)
        .where(of_member(answer_source, member), memory_event.c.Text.startswith(REMINDER_SIGN))
    )
    return [
        (id_, text, text.startswith(REMINDER_SIGN))  # emoji equal '' in older collations
        for query in (stored, sent)
        for id_, text in connection.execute(query)
    ]


# --- memories -----------------------------------------------------------------------------------


def owners(connection: Connection, uids: Collection[str]) -> dict[str, tuple[int, Member]]:
    """Return the row id and the member of each of these uids that is stored."""
    return {
        row.Uid: (row.Id, Member(row.GuildId, row.UserId))
        for chunk in chunks(sorted(uids))
        for row in connection.execute(
            select(_MEMORY.Uid, _MEMORY.Id, _MEMORY.GuildId, _MEMORY.UserId).where(
                _MEMORY.Uid.in_(chunk)
            )
        )
    }


@dataclass(frozen=True, slots=True)
class ArchivedMemory:
    """A memory of an archive, and by table the rows that belong to it.

    They name memories by their uids.
    """

    row: Row
    parts: Mapping[str, Sequence[Row]]

    @property
    def uid(self) -> str:
        """The memory's uid."""
        return str(self.row["Uid"])


def memories_from(rows: Sequence[tuple[str, Row]]) -> list[ArchivedMemory]:
    """Return the memories among a member's rows, each with those that belong to it."""
    parts = grouped(((row["MemoryId"], table), row) for table, row in rows if "MemoryId" in row)
    tables = [name for name, entry in ARCHIVED.items() if "MemoryId" in entry.table.c]
    return [
        ArchivedMemory(row, {name: parts[row["Uid"], name] for name in tables})
        for table, row in rows
        if table == user_memory.name
    ]


def add_memories(
    connection: Connection,
    member: Member,
    memories: Sequence[ArchivedMemory],
    known_ids: Mapping[str, int],
    now: datetime,
) -> dict[str, int]:
    """Store memories with the rows that belong to them, at their original times.

    ``known_ids`` are the row ids of the member's stored memories by uid. Returns those of the new.
    """
    if not memories:
        return {}
    rows = [
        memory.row
        | {"EvidenceCount": len(memory.parts[memory_evidence.name]), "SupersededById": None}
        for memory in memories
    ]
    connection.execute(insert(user_memory), rows)
    stored = owners(connection, [memory.uid for memory in memories])
    new_ids = {uid: row_id for uid, (row_id, _) in stored.items()}
    ids = {**known_ids, **new_ids}
    imported = {"At": now, "ActorId": OPERATOR, "Action": IMPORTED, "Before": None, "After": None}
    parts: dict[str, list[Row]] = {}
    for memory in memories:
        for table, part in memory.parts.items():
            parts.setdefault(table, []).extend(_numbered(part, ids))
        parts[memory_audit.name].append(
            imported
            | {
                "GuildId": member.guild_id,
                "UserId": member.user_id,
                "MemoryId": new_ids[memory.uid],
            }
        )
    for table, part in parts.items():
        if part:
            connection.execute(insert(ARCHIVED[table].table), part)
    return new_ids


def _numbered(rows: Sequence[Row], ids: Mapping[str, int]) -> list[Row]:
    """Return rows of a memory that name memories by their numbers here.

    What a note rests on is stored once, at most MAX_CONTEXT of it, and only if it is known here.
    """
    numbered = [with_references(row, ids) for row in rows]
    if not numbered or "ContextMemoryId" not in numbered[0]:
        return numbered
    context = {(row["ContextMessageId"], row["ContextMemoryId"] or 0): row for row in numbered}
    return [
        row | {"ContextMemoryId": memory_id}
        for (message_id, memory_id), row in context.items()
        if message_id or memory_id
    ][:MAX_CONTEXT]


def add_evidence(connection: Connection, row_id: int, rows: Sequence[Row]) -> None:
    """Add the evidence of messages that a stored memory does not rest on yet."""
    stored_message_ids = set(
        connection.scalars(
            select(memory_evidence.c.MessageId).where(memory_evidence.c.MemoryId == row_id)
        )
    )
    new = [row | {"MemoryId": row_id} for row in rows if row["MessageId"] not in stored_message_ids]
    if new:
        connection.execute(insert(memory_evidence), new)
        count = len(stored_message_ids) + len(new)
        connection.execute(
            update(user_memory).where(user_memory.c.Id == row_id).values(EvidenceCount=count)
        )


def link(connection: Connection, row_id: int, superseded_by: int) -> None:
    """Mark a memory as superseded by another, unless it already names one."""
    connection.execute(
        update(user_memory)
        .where(_MEMORY.Id == row_id, _MEMORY.SupersededById.is_(None))
        .values(SupersededById=superseded_by)
    )
