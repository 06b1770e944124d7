"""Notes whose context is erased become quotes of their own sentences again.

The caller of :func:`fall_back` holds the member's lock.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import chunks, of_member
from utils.database.memories import audit_entries, members, memories, proposed_notes
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    memory_context,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.memory import Form, Kind, Member, Profile, Status, VerifiedBy
from utils.nlp.stemming import stems

MAX_STEMS = 60


def members_resting_on(
    connection: Connection, guild_id: int, message_ids: Sequence[int]
) -> list[Member]:
    """Return the members with notes whose context includes these messages."""
    user_ids: set[int] = set()
    for ids in chunks(message_ids):
        user_ids.update(
            connection.scalars(
                select(user_memory.c.UserId)
                .join(memory_context, memory_context.c.MemoryId == user_memory.c.Id)
                .where(
                    memory_context.c.GuildId == guild_id,
                    memory_context.c.ContextMessageId.in_(ids),
                )
                .distinct()
            )
        )
    return [Member(guild_id, user_id) for user_id in sorted(user_ids)]


def fall_back(
    connection: Connection,
    member: Member,
    *,
    message_ids: Sequence[int] = (),
    memory_ids: Sequence[int] = (),
    now: datetime,
) -> list[int]:
    """Turn notes that rest on erased messages or memories into quotes; returns their ids.

    A note whose sentence is gone is deleted. What a note had superseded is restored.
    """
    columns = memory_context.c
    ids: set[int] = set()
    for condition in (
        *(columns.ContextMessageId.in_(part) for part in chunks(message_ids)),
        *(columns.ContextMemoryId.in_(part) for part in chunks(memory_ids)),
    ):
        ids.update(_resting_on(connection, member, condition))
    sentences = _sentences(connection, ids)
    memories.remove(
        connection, member, sorted(ids - sentences.keys()), "retracted", now=now, actor_id=0
    )
    rows = user_memory.c
    for row_id, sentence in sentences.items():
        connection.execute(
            update(user_memory)
            .where(rows.Id == row_id)
            .values(
                Form=Form.QUOTE,
                Memory=sentence,
                Topics="",
                FactKey="",
                Kind=Kind.EPISODE,
                SearchStems=" ".join(stems(sentence, limit=MAX_STEMS)),
            )
        )
        connection.execute(
            update(memory_evidence)
            .where(memory_evidence.c.MemoryId == row_id)
            .values(VerifiedBy=VerifiedBy.NONE, VerifierModel="", VerifierHash="")
        )
        connection.execute(
            update(user_memory)
            .where(
                of_member(user_memory, member),
                rows.SupersededById == row_id,
                rows.Status == Status.SUPERSEDED,
            )
            .values(Status=Status.ACTIVE, SupersededById=None)
        )
    for part in chunks(sorted(sentences)):
        proposed_notes.delete_for_memories(connection, part)
        audit_entries.blank_of(connection, part)
        audit_entries.add(connection, member, part, "unverified", now, 0)
    return sorted(ids)


def fall_back_everywhere(
    connection: Connection,
    guild_id: int,
    *,
    message_ids: Collection[int] = (),
    memory_ids: Collection[int] = (),
    now: datetime,
) -> list[int]:
    """Do :func:`fall_back` for all members of a server, under their locks; returns the ids.

    A profile that was made of such a note is emptied; it is then rendered from the remaining rows.
    """
    columns, rows = memory_context.c, user_memory.c
    resting = set(members_resting_on(connection, guild_id, sorted(message_ids)))
    for ids in chunks(sorted(memory_ids)):
        query = (
            select(rows.UserId)
            .join(memory_context, columns.MemoryId == rows.Id)
            .where(columns.GuildId == guild_id, columns.ContextMemoryId.in_(ids))
        )
        resting.update(Member(guild_id, user_id) for user_id in connection.scalars(query))
    changed: list[int] = []
    for member in sorted(resting):
        members.lock(connection, member)
        reworded = fall_back(
            connection,
            member,
            message_ids=sorted(message_ids),
            memory_ids=sorted(memory_ids),
            now=now,
        )
        if not set(reworded).isdisjoint(members.load_header(connection, member).profile.row_ids):
            members.save_profile(connection, member, Profile())
        changed += reworded
    return changed


def context_of_others(connection: Connection, member: Member) -> tuple[list[int], list[int]]:
    """Return the messages and memories of a member that are the context of a note."""
    columns, event, row = memory_context.c, memory_event.c, user_memory.c
    message_ids = connection.scalars(
        select(columns.ContextMessageId)
        .join(
            memory_event,
            and_(event.GuildId == columns.GuildId, event.MessageId == columns.ContextMessageId),
        )
        .where(columns.GuildId == member.guild_id, event.AuthorId == member.user_id)
        .distinct()
    ).all()
    memory_ids = connection.scalars(
        select(columns.ContextMemoryId)
        .join(user_memory, row.Id == columns.ContextMemoryId)
        .where(columns.GuildId == member.guild_id, of_member(user_memory, member))
        .distinct()
    ).all()
    return list(message_ids), list(memory_ids)


def _resting_on(
    connection: Connection, member: Member, condition: ColumnElement[bool]
) -> list[int]:
    columns = user_memory.c
    query = (
        select(columns.Id)
        .join(memory_context, memory_context.c.MemoryId == columns.Id)
        .where(
            of_member(user_memory, member),
            memory_context.c.GuildId == member.guild_id,
            condition,
            columns.Status != Status.FORGOTTEN,
        )
    )
    return list(connection.scalars(query))


def _sentences(connection: Connection, row_ids: Collection[int]) -> dict[int, str]:
    """Return the newest sentence that each of these memories still has."""
    evidence = memory_evidence.c
    sentences: dict[int, str] = {}
    for ids in chunks(sorted(row_ids)):
        rows = connection.execute(
            select(evidence.MemoryId, evidence.Quote)
            .where(evidence.MemoryId.in_(ids), is_not_empty(evidence.Quote))
            .order_by(evidence.Id)
        )
        sentences |= {row.MemoryId: row.Quote for row in rows}
    return sentences
