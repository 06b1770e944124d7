"""A memory's history: what it rests on, what it took the place of, and what was done to it.

The caller of anything that writes here holds the member's lock.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select, update

from utils.database import events, memories, merges
from utils.database.engine import Session
from utils.database.tables import memory_audit, memory_event, memory_evidence, user_memory
from utils.database.types import has_words
from utils.model.memory import Event, Evidence, Member, Role, Status
from utils.model.policy import Outcome
from utils.model.transfer import Deed

SUPERSEDED, UNDONE, RESTORED = "superseded", "undone", "restored"
VIEWED = "viewed"
FORGOT_EVERYTHING = "forgot everything"


@dataclass(frozen=True, slots=True)
class Swapped:
    """What an undoing did: the rows that hold again, and those that do not any more."""

    restored: tuple[int, ...]
    superseded: tuple[int, ...]


def evidence_by_row(session: Session, row_ids: Sequence[int]) -> dict[int, tuple[Evidence, ...]]:
    """Return what rows rest on, oldest first; rows without any are left out."""
    columns = memory_evidence.c
    found: dict[int, list[Evidence]] = defaultdict(list)
    for some in memories.chunks(row_ids):
        rows = session.execute(
            select(memory_evidence).where(columns.MemoryId.in_(some)).order_by(columns.Id)
        )
        for row in rows:
            found[row.MemoryId].append(
                Evidence(
                    message_id=row.MessageId,
                    channel_id=row.ChannelId,
                    quote=row.Quote,
                    method=row.Method,
                    said_at=row.SaidAt,
                    model=row.Model,
                    prompt_hash=row.PromptHash,
                )
            )
    return {row_id: tuple(evidence) for row_id, evidence in found.items()}


def deeds(
    session: Session, member: Member, *, action: str | None = None, limit: int | None = None
) -> list[Deed]:
    """Return what was done to a member's memories, newest first."""
    columns = memory_audit.c
    query = (
        select(memory_audit)
        .where(columns.GuildId == member.guild_id, columns.UserId == member.user_id)
        .order_by(columns.Id.desc())
    )
    if action is not None:
        query = query.where(columns.Action == action)
    if limit is not None:
        query = query.limit(limit)
    return [
        Deed(row.At, row.ActorId, row.Action, row.MemoryId, row.Before, row.After)
        for row in session.execute(query)
    ]


def note(
    session: Session,
    member: Member,
    action: str,
    now: datetime,
    actor_id: int,
    *,
    after: str | None = None,
) -> None:
    """Append to the audit what concerns a member and no memory in particular."""
    row = memories.audit(member, 0, action, now, actor_id, after=after) | {"MemoryId": None}
    session.execute(insert(memory_audit).values(row))


def own_events(session: Session, member: Member, now: datetime) -> list[Event]:
    """Return what a member said, as far as it is kept, oldest first."""
    columns = memory_event.c
    ids = session.scalars(
        select(columns.Id)
        .where(
            columns.GuildId == member.guild_id,
            columns.AuthorId == member.user_id,
            columns.Role == Role.MEMBER,
            has_words(columns.Text),
            columns.ExpiresAt > now,
        )
        .order_by(columns.Id)
    ).all()
    return [
        event for some in memories.chunks(ids) for event in events.surviving(session, list(some))
    ]


def approved(session: Session, member: Member) -> set[int]:
    """Return the rows of a member's that a moderator once approved."""
    columns = memory_audit.c
    found = session.scalars(
        select(columns.MemoryId).where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.Action == Outcome.APPROVED,
        )
    )
    return set(found)


def let_wait(session: Session, row_ids: Sequence[int]) -> None:
    """Let rows wait for a moderator; the caller holds their member's lock."""
    session.execute(
        update(user_memory)
        .where(user_memory.c.Id.in_(row_ids), user_memory.c.Status == Status.ACTIVE)
        .values(Status=Status.PROPOSED)
    )


def event_id(session: Session, event: Event) -> int | None:
    """Return the id under which a message and revision is stored, with its words or without."""
    columns = memory_event.c
    return session.scalar(
        select(columns.Id).where(
            columns.GuildId == event.guild_id,
            columns.MessageId == event.message_id,
            columns.Revision == event.revision,
        )
    )


def swap(
    session: Session, member: Member, row_id: int, *, now: datetime, actor_id: int
) -> Swapped | None:
    """Let what a current row superseded last hold again, in its place; None if there is nothing.

    Rows superseded by the same change come back together. One that the row only absorbed (merged)
    holds beside it again, each on its own evidence, and for good. Swapping once more brings back
    what the first one replaced.
    """
    past = {row.id for row, by in memories.load_past(session, member, now) if by == row_id}
    status = {row.id: row.status for row in memories.load_current(session, member, now)}
    latest = _latest_deeds(session, member)
    changes = {one: latest[one] for one in past if one in latest}
    if row_id not in status or not changes:
        return None
    last = max(changes.values(), key=lambda change: change[0])[1:]
    restored = tuple(sorted(one for one, change in changes.items() if change[1:] == last))
    given_up = [] if last[1] == merges.MERGED else [row_id]
    if last[1] == merges.MERGED:
        merges.part(session, row_id, last[0])
    if last[1] == UNDONE:  # what that undoing had restored beside this row goes with it
        twins = [one for one in status if latest.get(one, (0,))[1:] == (last[0], RESTORED)]
        given_up += [one for one in twins if one != row_id]
    columns = user_memory.c
    session.execute(
        update(user_memory)
        .where(columns.Id.in_(restored))
        .values(Status=status[row_id], SupersededById=None)
    )
    if given_up:
        session.execute(
            update(user_memory)
            .where(columns.Id.in_(given_up))
            .values(Status=Status.SUPERSEDED, SupersededById=restored[-1])
        )
    done = [(one, UNDONE) for one in given_up] + [(one, RESTORED) for one in restored]
    session.execute(
        insert(memory_audit),
        [memories.audit(member, one, action, now, actor_id) for one, action in done],
    )
    return Swapped(restored, tuple(given_up))


def _latest_deeds(session: Session, member: Member) -> dict[int, tuple[int, datetime, str]]:
    """Return, by row, the last change of its place: the audit's id, when, and what."""
    columns = memory_audit.c
    rows = session.execute(
        select(columns.MemoryId, columns.Id, columns.At, columns.Action)
        .where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.Action.in_((SUPERSEDED, merges.MERGED, UNDONE, RESTORED)),
        )
        .order_by(columns.Id)
    )
    return {row.MemoryId: (row.Id, row.At, row.Action) for row in rows}
