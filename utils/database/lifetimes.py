"""How a member's choice of consent changes the ends of what is stored already.

The caller of anything here holds the member's lock.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, bindparam, delete, select, update

from utils.database import artifacts, derived, members, memories
from utils.database.engine import Session
from utils.database.tables import (
    episode_member,
    episode_summary,
    memory_event,
    open_loop,
    user_memory,
)
from utils.model.memory import Kind, Member, Role, Status


def shorten(session: Session, member: Member, longest: timedelta, *, now: datetime) -> None:
    """Let nothing of a member live longer than so long after they last said it.

    What is older goes at once.
    """
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.LastConfirmedAt, columns.ExpiresAt).where(
            columns.GuildId == member.guild_id, columns.UserId == member.user_id
        )
    )
    ends = {
        row.Id: row.LastConfirmedAt + longest
        for row in rows
        if row.ExpiresAt is None or row.ExpiresAt > row.LastConfirmedAt + longest
    }
    over = [row_id for row_id, end in ends.items() if end <= now]
    memories.remove(session, member, over, "expired", now=now, actor_id=member.user_id)
    _set_ends(session, user_memory, {one: end for one, end in ends.items() if end > now})
    is_shorter = [
        _shorten_events(session, member, longest, now),
        artifacts.shorten(session, member, longest, now),
        _shorten_derived(session, member, longest),
    ]
    if any(is_shorter):  # or what others have prepared of it would be told for longer
        members.note_erasure(session, member.guild_id)


def prolong(
    session: Session, member: Member, cut: timedelta, kinds: Collection[Kind], *, now: datetime
) -> None:
    """Let rows of these kinds be permanent whose end is the one that a shorter consent gave them:
    exactly ``cut`` after they were last said. What has ended stays ended."""
    columns = user_memory.c
    rows = session.execute(
        select(columns.Id, columns.LastConfirmedAt, columns.ExpiresAt).where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.Kind.in_(kinds),
            columns.Status != Status.FORGOTTEN,
            columns.ExpiresAt > now,
        )
    )
    _set_ends(
        session,
        user_memory,
        {row.Id: None for row in rows if row.ExpiresAt == row.LastConfirmedAt + cut},
    )


def _shorten_events(session: Session, member: Member, longest: timedelta, now: datetime) -> bool:
    """Do the same with what the member said, and what Kith answered them; False if nothing
    changed."""
    columns, prompt = memory_event.c, memory_event.alias("prompt").c
    said = select(prompt.MessageId).where(
        prompt.GuildId == member.guild_id,
        prompt.AuthorId == member.user_id,
        prompt.Role == Role.MEMBER,
    )
    here = columns.GuildId == member.guild_id
    answers = and_(here, columns.Role == Role.KITH, columns.ReplyToId.in_(said))
    own = and_(here, columns.AuthorId == member.user_id)
    # Answers first: they are found by what they answer.
    cut = [_cut_events(session, member.guild_id, which, longest, now) for which in (answers, own)]
    return any(cut)


def _cut_events(
    session: Session,
    guild_id: int,
    condition: ColumnElement[bool],
    longest: timedelta,
    now: datetime,
) -> bool:
    columns = memory_event.c
    over = and_(condition, columns.CreatedAt <= now - longest)
    derived.unsummarise(session, guild_id, over)
    gone = session.execute(delete(memory_event).where(over)).rowcount
    rows = session.execute(
        select(columns.Id, columns.CreatedAt, columns.ExpiresAt).where(condition)
    )
    ends = {
        row.Id: row.CreatedAt + longest for row in rows if row.ExpiresAt > row.CreatedAt + longest
    }
    _set_ends(session, memory_event, ends)
    return bool(gone or ends)


def _shorten_derived(session: Session, member: Member, longest: timedelta) -> bool:
    """Do the same with what is open of the member, and with what is written of the chapters that
    they spoke in or were told of in; False if none of those changed."""
    loop, columns, theirs = open_loop.c, episode_summary.c, episode_member.c
    loops = session.execute(
        select(loop.Id, loop.CreatedAt, loop.ExpiresAt).where(
            loop.GuildId == member.guild_id, loop.UserId == member.user_id
        )
    )
    _set_ends(
        session,
        open_loop,
        {
            row.Id: row.CreatedAt + longest
            for row in loops
            if row.ExpiresAt > row.CreatedAt + longest
        },
    )
    summaries = session.execute(
        select(columns.Id, columns.SaidFrom, columns.ExpiresAt)
        .join(
            episode_member,
            and_(theirs.GuildId == columns.GuildId, theirs.EpisodeId == columns.EpisodeId),
        )
        .where(theirs.GuildId == member.guild_id, theirs.UserId == member.user_id)
    )
    ends = {
        row.Id: row.SaidFrom + longest
        for row in summaries
        if row.ExpiresAt > row.SaidFrom + longest
    }
    _set_ends(session, episode_summary, ends)
    return bool(ends)


def _set_ends(session: Session, table: Table, ends: dict[int, Any]) -> None:
    if ends:
        change = update(table).where(table.c.Id == bindparam("row_id"))
        change = change.values(ExpiresAt=bindparam("ends_at", type_=table.c.ExpiresAt.type))
        session.execute(
            change, [{"row_id": row_id, "ends_at": end} for row_id, end in ends.items()]
        )
