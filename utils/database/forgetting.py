"""Forgetting: memories that go because a person says so, with every trace of their words.

The caller of anything here holds the member's lock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, func, insert, not_, select, update

from utils.database import memories, tombstones
from utils.database.engine import Session
from utils.database.tables import (
    WAS_SENT,
    is_from_export,
    memory_audit,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.model.memory import FROM_EXPORTS, Member, Role, Seen, Status


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What stood behind a memory that was forgotten: its messages, and when it was first said."""

    message_ids: list[int]
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The rows that went, and those that hold again, each with the row that had its place."""

    removed: list[int]
    restored: dict[int, int]


def forget(
    session: Session, member: Member, memory_id: int, *, now: datetime, actor_id: int | None = None
) -> Forgotten | None:
    """Erase one row's text and quotes, leaving a tombstone; returns what stood behind it.

    Rows that it superseded go with it: they say the same thing's past. None if the row is not
    this member's. It is the member's own wish unless ``actor_id`` says whose.
    """
    actor_id = member.user_id if actor_id is None else actor_id
    ids = _with_predecessors(session, member, memory_id)
    if not ids:
        return None
    evidence = memory_evidence.c
    messages = list(
        session.scalars(select(evidence.MessageId).where(evidence.MemoryId.in_(ids)).distinct())
    )
    memories.note_erasure(session, member, ids, now)  # first: doing it again begins with these
    tombstones.lay(session, member.guild_id, messages, now=now)
    said_at = session.scalars(
        select(user_memory.c.CreatedAt).where(user_memory.c.Id.in_(ids))
    ).all()
    session.execute(
        update(user_memory)
        .where(user_memory.c.Id.in_(ids))
        .values(Memory="", Topics="", FactKey="", SearchStems="", Status=Status.FORGOTTEN)
    )
    session.execute(update(memory_evidence).where(evidence.MemoryId.in_(ids)).values(Quote=""))
    forget_words(session, member, messages)
    memories.blank_audit(session, ids)
    session.execute(
        insert(memory_audit),
        [memories.audit(member, row_id, "forgotten", now, actor_id) for row_id in ids],
    )
    return Forgotten(messages, min(said_at))


def withdraw(
    session: Session, member: Member, message_ids: Sequence[int], *, now: datetime
) -> Withdrawn:
    """Take messages away as evidence; rows that nothing else supports go.

    What they had superseded holds again, and so does what was merged into a row of which only the
    merged evidence is left. What took the place of such a row itself, as a correction, stays.
    """
    gone = set(message_ids) - _typed(session, member, message_ids)
    orphans = []
    forget_words(session, member, message_ids)
    evidence = memories.evidence_of(session, member)
    absorbed = _absorbed(session, member, evidence)
    for memory_id, seen in evidence.items():
        left = {one.message_id for one in seen} - gone
        if left <= absorbed.get(memory_id, set()):
            if left < {one.message_id for one in seen}:
                orphans.append(memory_id)
        elif len(left) < len({one.message_id for one in seen}):
            _keep_evidence(session, memory_id, gone & {one.message_id for one in seen}, len(left))
    restored = _bring_back(session, member, orphans)
    memories.remove(session, member, orphans, "retracted", now=now, actor_id=member.user_id)
    if restored:
        session.execute(
            insert(memory_audit),
            [memories.audit(member, one, "restored", now, member.user_id) for one in restored],
        )
    return Withdrawn(orphans, restored)


def _typed(session: Session, member: Member, message_ids: Sequence[int]) -> set[int]:
    """Return those ids under which a member's commands, not messages, support something."""
    evidence = memory_evidence.c
    return {
        one
        for some in memories.chunks(message_ids)
        for one in session.scalars(
            select(evidence.MessageId).where(
                evidence.GuildId == member.guild_id, evidence.MessageId.in_(some), not_(WAS_SENT)
            )
        )
    }


def _keep_evidence(session: Session, memory_id: int, gone: set[int], left: int) -> None:
    evidence = memory_evidence.c
    session.execute(
        delete(memory_evidence).where(evidence.MemoryId == memory_id, evidence.MessageId.in_(gone))
    )
    session.execute(
        update(user_memory).where(user_memory.c.Id == memory_id).values(EvidenceCount=left)
    )


def _absorbed(
    session: Session, member: Member, evidence: Mapping[int, Sequence[Seen]]
) -> dict[int, set[int]]:
    """Return, by row, the messages that support what it superseded or was merged with."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.SupersededById).where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.SupersededById.is_not(None),
        )
    )
    found: dict[int, set[int]] = {}
    for row in rows:
        messages = {one.message_id for one in evidence.get(row.Id, ())}
        found.setdefault(row.SupersededById, set()).update(messages)
    return found


def _bring_back(session: Session, member: Member, withdrawn: Sequence[int]) -> dict[int, int]:
    """Let rows hold again that were superseded by what is now withdrawn; returns by what.

    Where something that stays has taken the withdrawn row's own place, it takes theirs too.
    """
    columns = user_memory.c
    mine = and_(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    successors: dict[int, int] = {}
    past: dict[int, int] = {}
    for some in memories.chunks(withdrawn):
        superseded = columns.Status == Status.SUPERSEDED
        pair = select(columns.Id, columns.SupersededById)
        rows = session.execute(pair.where(columns.Id.in_(some), superseded))
        successors |= {row.Id: row.SupersededById for row in rows}
        rows = session.execute(pair.where(mine, columns.SupersededById.in_(some), superseded))
        past |= {row.Id: row.SupersededById for row in rows}
    restored = {}
    for row_id, by in past.items():
        if row_id in withdrawn:
            continue
        heir: int | None = by
        while heir is not None and heir in withdrawn:
            heir = successors.get(heir)
        if heir is None:
            restored[row_id] = by
        status = Status.ACTIVE if heir is None else Status.SUPERSEDED
        change = {"Status": status, "SupersededById": heir}
        session.execute(update(user_memory).where(columns.Id == row_id).values(change))
    return restored


def first_said(session: Session, member: Member, message_ids: Sequence[int]) -> datetime | None:
    """Return when the first of these messages was said that teaches something of this member."""
    said, evidence = memory_event.c, memory_evidence.c
    found: list[datetime | None] = []
    for some in memories.chunks(message_ids):
        found += [
            session.scalar(
                select(func.min(said.CreatedAt)).where(
                    said.GuildId == member.guild_id,
                    said.MessageId.in_(some),
                    said.AuthorId == member.user_id,
                )
            ),
            session.scalar(
                select(func.min(evidence.SaidAt))
                .join(user_memory, user_memory.c.Id == evidence.MemoryId)
                .where(
                    evidence.GuildId == member.guild_id,
                    evidence.MessageId.in_(some),
                    user_memory.c.UserId == member.user_id,
                )
            ),
        ]
    return min((at for at in found if at is not None), default=None)


def forget_all(
    session: Session, member: Member, *, now: datetime, actor_id: int | None = None
) -> int:
    """Delete every row of a member, tombstones too; returns how many could still be recalled.

    It is the member's own wish unless ``actor_id`` says whose.
    """
    actor_id = member.user_id if actor_id is None else actor_id
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.Status).where(
            columns.GuildId == member.guild_id, columns.UserId == member.user_id
        )
    ).all()
    ids = [row.Id for row in rows]
    memories.remove(session, member, ids, "erased", now=now, actor_id=actor_id)
    return sum(row.Status in memories.CURRENT for row in rows)


def concerned(session: Session, guild_id: int, message_ids: Sequence[int]) -> list[Member]:
    """Return the members of whom something is, or is about to be, believed by these messages."""
    evidence, columns, said = memory_evidence.c, user_memory.c, memory_event.c
    found: set[int] = set()
    for some in memories.chunks(message_ids):
        found.update(
            session.scalars(
                select(said.AuthorId)
                .where(
                    said.GuildId == guild_id,
                    said.MessageId.in_(some),
                    said.Role == Role.MEMBER,
                )
                .distinct()
            )
        )
        found.update(
            session.scalars(
                select(columns.UserId)
                .join(memory_evidence, columns.Id == evidence.MemoryId)
                .where(evidence.GuildId == guild_id, evidence.MessageId.in_(some), WAS_SENT)
                .distinct()
            )
        )
    return [Member(guild_id, user_id) for user_id in sorted(found)]


def forget_words(session: Session, member: Member, message_ids: Sequence[int]) -> None:
    """Take the words of messages that are to go from the member's memories of other messages.

    Quotes of them go, and the stems of them by which a memory could be found; so do the stems of
    Kith's answers to them. Call it before the messages themselves are erased.
    """
    evidence = memory_evidence.c
    for some in memories.chunks(message_ids):
        quoting = and_(evidence.GuildId == member.guild_id, evidence.MessageId.in_(some))
        session.execute(update(memory_evidence).where(quoting).values(Quote=""))
        _keep_stems(session, member, some, lines=1)
        _keep_stems(session, member, _said_next(session, member, some), lines=2)


def _said_next(session: Session, member: Member, message_ids: Sequence[int]) -> list[int]:
    """Return what the member said next after each of their messages, and after its answers."""
    columns, gone = memory_event.c, memory_event.alias("gone")
    here = gone.c.GuildId == member.guild_id
    theirs = and_(here, gone.c.AuthorId == member.user_id, gone.c.MessageId.in_(message_ids))
    answers = and_(here, gone.c.Role == Role.KITH, gone.c.ReplyToId.in_(message_ids))
    erased: list[Any] = []
    for condition in (theirs, answers):  # each by its own index
        ids = select(gone.c.Id, gone.c.ChannelId, gone.c.State).where(condition)
        erased += session.execute(ids).all()
    found: list[int] = []
    for row in erased:
        is_past = is_from_export(columns.State)  # it follows on what was read with it
        found += session.scalars(
            select(columns.MessageId)
            .where(
                columns.GuildId == member.guild_id,
                columns.ChannelId == row.ChannelId,
                columns.AuthorId == member.user_id,
                columns.Id > row.Id,
                is_past if row.State in FROM_EXPORTS else ~is_past,
            )
            .order_by(columns.Id)
            .limit(1)
        )
    return found


def _keep_stems(session: Session, member: Member, message_ids: Sequence[int], lines: int) -> None:
    """Keep only the first lines of the stems of memories that rest on these messages."""
    columns, evidence = user_memory.c, memory_evidence.c
    rows = session.execute(
        select(columns.Id, columns.SearchStems)
        .join(memory_evidence, columns.Id == evidence.MemoryId)
        .where(
            evidence.GuildId == member.guild_id,
            evidence.MessageId.in_(message_ids),
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
        )
    ).all()
    for row in rows:
        kept = "\n".join(row.SearchStems.split("\n")[:lines])
        session.execute(update(user_memory).where(columns.Id == row.Id).values(SearchStems=kept))


def _with_predecessors(session: Session, member: Member, memory_id: int) -> list[int]:
    """Return a row of this member and all that it superseded; empty if it is not theirs."""
    columns = user_memory.c
    mine = and_(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
    found: list[int] = []
    wave = list(
        session.scalars(
            select(columns.Id).where(
                mine, columns.Id == memory_id, columns.Status != Status.FORGOTTEN
            )
        )
    )
    while wave:
        found += wave
        wave = list(
            session.scalars(select(columns.Id).where(mine, columns.SupersededById.in_(wave)))
        )
    return found
