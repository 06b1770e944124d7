"""Notes that wait for a verdict, and what a verified note rests on besides its own sentence.

The caller of every function that writes holds the member's lock.
"""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, exists, func, insert, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    from_row,
    grouped,
    members_from,
    of_member,
    rows_for,
    run_for,
    to_row,
)
from utils.database.schema.memory_tables import (
    memory_context,
    memory_evidence,
    proposed_note,
    user_memory,
)
from utils.models.extraction import Candidate
from utils.models.memory import MAX_CONTEXT, ContextRef, Evidence, Form, Importance, Member
from utils.models.plan import NewMemory, ProposedNote

PROPOSED_DAYS = 7
"""How long a note waits for a verdict."""
FIRST_TRY_AFTER = timedelta(minutes=30)
"""A session is over then, and a model that was away may be back."""
MAX_ATTEMPTS = 3


def add_proposed(
    connection: Connection,
    member: Member,
    memory_id: int,
    evidence: Evidence,
    notes: Sequence[ProposedNote],
    now: datetime,
) -> None:
    """Store the notes that wait for a verdict about the sentence of one quote."""
    if not notes:
        return
    connection.execute(
        insert(proposed_note),
        [
            to_row(proposed_note, note)
            | to_row(
                proposed_note,
                note.candidate,
                GuildId=member.guild_id,
                UserId=member.user_id,
                MemoryId=memory_id,
                MessageId=evidence.message_id,
                Note=note.candidate.text,
                FactKey=note.candidate.attribute,
                Topics=",".join(note.candidate.topics),
                Importance=int(note.candidate.importance),
                UntilDay=note.candidate.until.isoformat() if note.candidate.until else "",
                ConfirmsId=note.candidate.confirms,
                ReplacesId=note.candidate.replaces,
                CreatedAt=now,
                NextTryAt=now + FIRST_TRY_AFTER,
                ExpiresAt=now + timedelta(days=PROPOSED_DAYS),
            )
            for note in notes
        ],
    )


def load_proposed(
    connection: Connection, member: Member, memory_ids: Sequence[int]
) -> dict[int, list[ProposedNote]]:
    """Return, by quote, the notes that wait for a verdict, oldest first."""
    columns = proposed_note.c
    of_quotes = and_(of_member(proposed_note, member), columns.MemoryId.in_(IDS))
    query = select(proposed_note).where(of_quotes).order_by(columns.Id)
    rows = rows_for(connection, query, memory_ids)
    return grouped((row.MemoryId, _proposed(row)) for row in rows)


def load_texts(connection: Connection, memory_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return, by quote, the texts of the notes that wait for a verdict, oldest first."""
    columns = proposed_note.c
    query = select(columns.MemoryId, columns.Note).where(columns.MemoryId.in_(IDS))
    texts = grouped(rows_for(connection, query.order_by(columns.Id), memory_ids))
    return {memory_id: tuple(notes) for memory_id, notes in texts.items()}


_NOTED = (
    select(memory_evidence.c.MessageId, memory_evidence.c.Quote)
    .join(user_memory, user_memory.c.Id == memory_evidence.c.MemoryId)
    .where(
        memory_evidence.c.GuildId == bindparam("guild_id"),
        memory_evidence.c.MessageId.in_(IDS),
        or_(
            user_memory.c.Form == Form.NOTE,
            exists().where(proposed_note.c.MemoryId == user_memory.c.Id),
        ),
    )
)


def load_noted(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> frozenset[tuple[int, str]]:
    """Return the sentences of these messages from which a note was made, each with its message.

    The note may be replaced by now, or wait for a verdict.
    """
    rows = rows_for(connection, _NOTED, message_ids, guild_id=guild_id)
    return frozenset((row.MessageId, row.Quote) for row in rows)


def promote(connection: Connection, memory_id: int, note: NewMemory) -> None:
    """Turn a quote into a note, and delete the notes that waited beside it."""
    connection.execute(
        update(user_memory)
        .where(user_memory.c.Id == memory_id)
        .values(
            Form=Form.NOTE,
            Memory=note.text,
            Topics=",".join(note.topics),
            Importance=int(note.importance),
            Kind=note.kind,
            FactKey=note.fact_key,
            Confidence=note.confidence,
            SearchStems=note.stems,
            ExpiresAt=note.expires_at,
        )
    )
    connection.execute(
        update(memory_evidence)
        .where(memory_evidence.c.MemoryId == memory_id)
        .values(VerifiedBy=note.evidence.verified_by)
    )
    connection.execute(delete(proposed_note).where(proposed_note.c.MemoryId == memory_id))


# Built once, as those below: building costs more than running.
@cache
def _members_with_due(limit: int) -> Select[Any]:
    columns = proposed_note.c
    return (
        select(columns.GuildId, columns.UserId)
        .where(columns.NextTryAt <= bindparam("now"), columns.ExpiresAt > bindparam("now"))
        .group_by(columns.GuildId, columns.UserId)
        .order_by(func.min(columns.NextTryAt), columns.GuildId, columns.UserId)
        .limit(limit)
    )


def members_with_due(connection: Connection, now: datetime, limit: int) -> list[Member]:
    """Return up to ``limit`` members with notes that may be verified again now, oldest first."""
    return members_from(connection, _members_with_due(limit), {"now": now})


def load_due(
    connection: Connection, member: Member, now: datetime, limit: int
) -> list[ProposedNote]:
    """Return up to ``limit`` notes of a member that may be verified again now, oldest first."""
    columns = proposed_note.c
    rows = connection.execute(
        select(proposed_note)
        .where(of_member(proposed_note, member), columns.NextTryAt <= now, columns.ExpiresAt > now)
        .order_by(columns.Id)
        .limit(limit)
    )
    return [_proposed(row) for row in rows]


def postpone(
    connection: Connection, note_ids: Sequence[int], until: datetime, *, counts: bool
) -> None:
    """Verify these notes later; ``counts``: it was an attempt, and the last one deletes a note."""
    columns = proposed_note.c
    if counts:
        is_last = and_(columns.Id.in_(IDS), columns.Attempts >= MAX_ATTEMPTS - 1)
        run_for(connection, delete(proposed_note).where(is_last), note_ids)
    later = {"NextTryAt": until, "Attempts": columns.Attempts + int(counts)}
    run_for(connection, update(proposed_note).where(columns.Id.in_(IDS)).values(later), note_ids)


def delete_proposed(connection: Connection, note_ids: Sequence[int]) -> None:
    """Delete notes that wait no longer: they were judged, or their message is gone."""
    run_for(connection, delete(proposed_note).where(proposed_note.c.Id.in_(IDS)), note_ids)


_DELETE_FOR_MEMORIES = [
    delete(table).where(table.c.MemoryId.in_(IDS)) for table in (proposed_note, memory_context)
]


def delete_for_memories(connection: Connection, memory_ids: Sequence[int]) -> None:
    """Delete the unverified notes and the context of memories that are deleted or blanked."""
    for deletion in _DELETE_FOR_MEMORIES:
        run_for(connection, deletion, memory_ids)


def add_context(
    connection: Connection, guild_id: int, memory_id: int, context: Sequence[ContextRef]
) -> None:
    """Store what a note rests on besides its own sentence; at most three of them."""
    if not context:
        return
    columns = memory_context.c
    stored = connection.execute(
        select(columns.ContextMessageId, columns.ContextMemoryId).where(
            columns.MemoryId == memory_id
        )
    )
    known = {tuple(row) for row in stored}
    new = [ref for ref in context if (ref.message_id, ref.memory_id) not in known]
    rows = context_rows(guild_id, memory_id, new)
    if rows:
        connection.execute(insert(memory_context), rows)


def load_context(
    connection: Connection, memory_ids: Sequence[int]
) -> dict[int, tuple[ContextRef, ...]]:
    """Return what these memories rest on besides their own sentences, by memory."""
    columns = memory_context.c
    ids = (columns.ContextMessageId, columns.ContextMemoryId)
    query = select(columns.MemoryId, *ids, columns.AuthorId)
    query = query.where(columns.MemoryId.in_(IDS)).order_by(*ids)
    rows = rows_for(connection, query, memory_ids)
    by_memory = grouped((row[0], ContextRef(*row[1:])) for row in rows)
    return {memory_id: tuple(refs) for memory_id, refs in by_memory.items()}


def context_rows(
    guild_id: int, memory_id: int, context: Sequence[ContextRef]
) -> list[dict[str, int]]:
    """Return the rows of what a note rests on; at most three of them. Pure."""
    return [
        {
            "GuildId": guild_id,
            "ContextMessageId": ref.message_id,
            "ContextMemoryId": ref.memory_id,
            "MemoryId": memory_id,
            "AuthorId": ref.author_id,
        }
        for ref in dict.fromkeys(context)
    ][:MAX_CONTEXT]


def _proposed(row: Any) -> ProposedNote:
    candidate = Candidate(
        subject_id=row.UserId,
        text=row.Note,
        quote=row.Quote,
        kind=row.Kind,
        importance=Importance(row.Importance),
        lifetime_days=row.LifetimeDays,
        attribute=row.FactKey,
        topics=tuple(row.Topics.split(",")) if row.Topics else (),
        confirms=row.ConfirmsId,
        replaces=row.ReplacesId,
        source=row.Source,
        until=date.fromisoformat(row.UntilDay) if row.UntilDay else None,
        message_id=row.MessageId,
    )
    return from_row(ProposedNote, row, candidate=candidate)
