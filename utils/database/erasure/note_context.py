"""Notes whose context is erased become quotes of their own sentences again.

The caller of :func:`fall_back` holds the member's lock.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, chunks, of_member, rows_for
from utils.database.memories import audit, contexts, members, memories
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    memory_context,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.memory import Form, Kind, Member, Profile, Status, VerifiedBy
from utils.nlp.confidential import with_mark
from utils.nlp.stemming import stems

_CONTEXT, _MEMORY, _EVIDENCE, _EVENT = (
    memory_context.c,
    user_memory.c,
    memory_evidence.c,
    memory_event.c,
)


MAX_STEMS = 60


def members_resting_on(
    connection: Connection,
    guild_id: int,
    message_ids: Collection[int],
    memory_ids: Collection[int] = (),
) -> list[Member]:
    """Return the members with notes whose context includes these messages or memories."""
    notes = _notes_resting_on(connection, guild_id, message_ids, memory_ids)
    return [Member(guild_id, user_id) for user_id in sorted({row.UserId for row in notes})]


def fall_back(
    connection: Connection,
    member: Member,
    *,
    message_ids: Collection[int],
    memory_ids: Collection[int] = (),
    unsupported: Collection[int] = (),
    now: datetime,
) -> list[int]:
    """Turn notes that rest on erased messages or memories into quotes; returns their ids.

    So do ``unsupported`` ones, which have words of messages that no longer support them. The quote
    is the sentence with most of the note's words, of those the newest. A note whose sentence is
    gone is deleted. What a note had superseded is restored, but not by those that another message
    confirmed, nor by those that are superseded themselves.
    """
    notes = _notes_resting_on(
        connection,
        member.guild_id,
        message_ids,
        memory_ids,
        of_member(user_memory, member),
        _MEMORY.Status != Status.FORGOTTEN,
    )
    ids = {*unsupported, *(row.Id for row in notes)}
    query = (
        select(
            *(_EVIDENCE.MemoryId, _EVIDENCE.Quote),
            *(_MEMORY.Memory, _MEMORY.SearchStems, _MEMORY.SupersededById),
        )
        .join(user_memory, user_memory.c.Id == _EVIDENCE.MemoryId)
        .where(_EVIDENCE.MemoryId.in_(IDS), is_not_empty(_EVIDENCE.Quote))
        .order_by(_EVIDENCE.Id)
    )
    sentences = {
        row.MemoryId: row
        for row in sorted(
            rows_for(connection, query, ids),
            key=lambda row: len({*stems(row.Memory)}.intersection(stems(row.Quote))),
        )
    }
    memories.remove(
        connection, member, sorted(ids - sentences.keys()), "retracted", now=now, actor_id=0
    )
    for row_id, row in sentences.items():
        quote_stems = " ".join(stems(row.Quote, limit=MAX_STEMS))
        connection.execute(
            update(user_memory).where(_MEMORY.Id == row_id),
            {
                "Form": Form.QUOTE,
                "Memory": row.Quote,
                "Topics": "",
                "FactKey": "",
                "Kind": Kind.EPISODE,
                "SearchStems": with_mark(quote_stems, row.SearchStems),
            },
        )
        connection.execute(
            update(memory_evidence)
            .where(memory_evidence.c.MemoryId == row_id)
            .values(VerifiedBy=VerifiedBy.NONE, VerifierModel="", VerifierHash="")
        )
        if row.SupersededById is None and row_id not in unsupported:
            connection.execute(
                update(user_memory)
                .where(
                    of_member(user_memory, member),
                    _MEMORY.SupersededById == row_id,
                    _MEMORY.Status == Status.SUPERSEDED,
                )
                .values(Status=Status.ACTIVE, SupersededById=None)
            )
    for part in chunks(sorted(sentences)):
        contexts.delete_for_memories(connection, part)
        audit.blank_of(connection, part)
        audit.add(connection, member, part, "unverified", now, 0)
    return sorted(ids)


def fall_back_everywhere(
    connection: Connection,
    guild_id: int,
    *,
    message_ids: Collection[int],
    memory_ids: Collection[int],
    now: datetime,
) -> list[int]:
    """Do :func:`fall_back` for all members of a server, under their locks; returns the ids.

    A profile that was made of such a note is emptied; it is then rendered from the remaining rows.
    """
    changed: list[int] = []
    for member in members_resting_on(connection, guild_id, message_ids, memory_ids):
        members.lock(connection, member)
        reworded = fall_back(
            connection, member, message_ids=message_ids, memory_ids=memory_ids, now=now
        )
        if not set(reworded).isdisjoint(members.load_header(connection, member).profile.row_ids):
            members.save_profile(connection, member, Profile())
        changed += reworded
    return changed


def context_of_others(connection: Connection, member: Member) -> tuple[list[int], list[int]]:
    """Return the messages and memories of a member that are the context of a note.

    Also messages that are not stored (any more): they have expired, or were only watched.
    """
    of_stored = (
        select(_CONTEXT.ContextMessageId)
        .join(
            memory_event,
            and_(_EVENT.GuildId == _CONTEXT.GuildId, _EVENT.MessageId == _CONTEXT.ContextMessageId),
        )
        .where(_CONTEXT.GuildId == member.guild_id, _EVENT.AuthorId == member.user_id)
    )
    of_author = select(_CONTEXT.ContextMessageId).where(
        _CONTEXT.GuildId == member.guild_id, _CONTEXT.AuthorId == member.user_id
    )
    message_ids = connection.scalars(of_stored.union(of_author)).all()
    memory_ids = connection.scalars(
        select(_CONTEXT.ContextMemoryId)
        .join(user_memory, _MEMORY.Id == _CONTEXT.ContextMemoryId)
        .where(_CONTEXT.GuildId == member.guild_id, of_member(user_memory, member))
        .distinct()
    ).all()
    return list(message_ids), list(memory_ids)


def _notes_resting_on(
    connection: Connection,
    guild_id: int,
    message_ids: Collection[int],
    memory_ids: Collection[int],
    *conditions: ColumnElement[bool],
) -> list[Row[Any]]:
    """Return id and owner of the notes whose context has one of these messages or memories."""
    query = (
        select(_MEMORY.Id, _MEMORY.UserId)
        .join(memory_context, _CONTEXT.MemoryId == _MEMORY.Id)
        .where(_CONTEXT.GuildId == guild_id, *conditions)
    )
    by_message = rows_for(connection, query.where(_CONTEXT.ContextMessageId.in_(IDS)), message_ids)
    by_memory = rows_for(connection, query.where(_CONTEXT.ContextMemoryId.in_(IDS)), memory_ids)
    return [*by_message, *by_memory]
