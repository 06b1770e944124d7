"""How a member's choice of consent changes the ends of what is stored already.

The caller of anything here holds the member's lock.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, select

from utils.database import artifacts, derived, ends, members, memories
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
    earlier = ends.cut(rows, longest)
    over = [row_id for row_id, end in earlier.items() if end <= now]
    memories.remove(session, member, over, "expired", now=now, actor_id=member.user_id)
    ends.set_all(session, user_memory, {one: end for one, end in earlier.items() if end > now})
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
    ends.set_all(
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
    earlier = ends.cut(rows, longest)
    ends.set_all(session, memory_event, earlier)
    return bool(gone or earlier)


def _shorten_derived(session: Session, member: Member, longest: timedelta) -> bool:
    """Do the same with what is open of the member, and with what is written of the chapters that
    they spoke in or were told of in; False if none of those changed."""
    loop, columns, theirs = open_loop.c, episode_summary.c, episode_member.c
    loops = session.execute(
        select(loop.Id, loop.CreatedAt, loop.ExpiresAt).where(
            loop.GuildId == member.guild_id, loop.UserId == member.user_id
        )
    )
    ends.set_all(session, open_loop, ends.cut(loops, longest))
    summaries = session.execute(
        select(columns.Id, columns.SaidFrom, columns.ExpiresAt)
        .join(
            episode_member,
            and_(theirs.GuildId == columns.GuildId, theirs.EpisodeId == columns.EpisodeId),
        )
        .where(theirs.GuildId == member.guild_id, theirs.UserId == member.user_id)
    )
    earlier = ends.cut(summaries, longest)
    ends.set_all(session, episode_summary, earlier)
    return bool(earlier)
