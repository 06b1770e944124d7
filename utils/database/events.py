"""Messages on their way to memory, and the working memory of a channel made from them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from itertools import accumulate
from typing import Any

from sqlalchemy import (
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from utils.database import surrogates
from utils.database.engine import Session
from utils.database.tables import NO_EPISODE, WAITING, channel_state, is_talk, memory_event
from utils.database.types import has_words
from utils.database.upsert import upsert
from utils.model.artifact import is_marked
from utils.model.memory import NOT_OF_THE_TALK, Event, EventState, Member, Role

MOST_ATTEMPTS = 100
"""Claims that nobody finished, as the process died: what brings it down is given up at last."""
FAILURE = MOST_ATTEMPTS // 5
"""How many attempts it counts for when the model refuses to read something, or we fail at it."""
BURST_LIMIT = 20
BURST_CHARACTERS = 8_000  # two of the longest messages, about 2,000 tokens

# In the order of Event's fields.
HEARD = (
    memory_event.c.GuildId,
    memory_event.c.ChannelId,
    memory_event.c.SourceId,
    memory_event.c.MessageId,
    memory_event.c.AuthorId,
    memory_event.c.AuthorName,
    memory_event.c.Role,
    memory_event.c.Text,
    memory_event.c.CreatedAt,
    memory_event.c.ReplyToId,
    memory_event.c.Revision,
    memory_event.c.Stems,
    memory_event.c.Id,
    memory_event.c.AboutIds,
)


def insert(
    session: Session, event: Event, expires_at: datetime, state: EventState | None = None
) -> bool:
    """Store an event; False when this message and revision is known already.

    What a member said to Kith waits for extraction, unless a ``state`` says what else it is for;
    what Kith said teaches nothing.
    """
    if state is None:
        state = EventState.PENDING if event.role is Role.MEMBER else EventState.DONE
    try:
        with session.begin_nested():
            row = row_of(event, expires_at, state)
            session.execute(memory_event.insert().values(row))
    except IntegrityError:
        return False
    return True


def row_of(event: Event, expires_at: datetime, state: EventState) -> dict[str, Any]:
    """Return the row that an event is stored as."""
    return {
        "GuildId": event.guild_id,
        "ChannelId": event.channel_id,
        "SourceId": event.source_id,
        "MessageId": event.message_id,
        "Revision": event.revision,
        "ReplyToId": event.reply_to_id,
        "AuthorId": event.author_id,
        "AuthorName": event.author_name,
        "Role": event.role,
        "Text": event.text,
        "Stems": event.stems,
        "AboutIds": " ".join(["", *map(str, event.about_ids), ""]),
        "EpisodeId": NO_EPISODE if state in NOT_OF_THE_TALK else None,
        "State": state,
        "Attempts": 0,
        "CreatedAt": event.created_at,
        "ExpiresAt": expires_at,
    }


def working_memory(
    session: Session, guild_id: int, channel_id: int, limit: int, now: datetime
) -> list[Event]:
    """Return the channel's last turns, oldest first, none from before its last reset."""
    rows = session.execute(
        _last_turns(limit), {"guild_id": guild_id, "channel_id": channel_id, "now": now}
    )
    turns = [event_from(row) for row in rows.all()][::-1]
    return with_surrogates(session, turns, now)


def with_surrogates(
    session: Session, turns: list[Event], now: datetime, *, whole: bool = False
) -> list[Event]:
    """Return turns of one server with what stands for their attachments; where nothing came with
    any of them, it costs nothing. ``whole``: with all that the attachments say."""
    ids = [turn.message_id for turn in turns if is_marked(turn.text)]
    if not ids:
        return turns
    found = surrogates.of_messages(session, turns[0].guild_id, ids, now, whole=whole)
    return [
        replace(turn, surrogates=found[turn.message_id]) if turn.message_id in found else turn
        for turn in turns
    ]


@cache
def _last_turns(limit: int) -> Select[Any]:
    """Build the query once: every recall runs it, and building costs more than running."""
    columns, state = memory_event.c, channel_state.c
    reset_at = (
        select(state.ResetEventId)
        .where(state.GuildId == bindparam("guild_id"), state.ChannelId == bindparam("channel_id"))
        .scalar_subquery()
    )
    return (
        select(*HEARD)
        .where(
            columns.GuildId == bindparam("guild_id"),
            columns.ChannelId == bindparam("channel_id"),
            columns.ExpiresAt > bindparam("now"),
            has_words(columns.Text),
            is_talk(columns.State),
            columns.Id > func.coalesce(reset_at, 0),
        )
        .order_by(columns.Id.desc())
        .limit(limit)
    )


def reset_working_memory(session: Session, guild_id: int, channel_id: int) -> None:
    """Make the channel's working memory begin after what has been heard there so far."""
    columns = memory_event.c
    last = session.scalar(
        select(func.max(columns.Id)).where(
            columns.GuildId == guild_id,
            columns.ChannelId == channel_id,
            is_talk(columns.State),
        )
    )
    upsert(
        session,
        channel_state,
        {"GuildId": guild_id, "ChannelId": channel_id},
        {"ResetEventId": last or 0},
    )


def author_answered(session: Session, guild_id: int, message_id: int) -> int | None:
    """Return who asked for one of Kith's messages, or None when it is not known to be one."""
    answer, prompt = memory_event.alias("answer"), memory_event.alias("prompt")
    return session.execute(
        select(prompt.c.AuthorId)
        .join(
            answer,
            and_(answer.c.GuildId == prompt.c.GuildId, answer.c.ReplyToId == prompt.c.MessageId),
        )
        .where(
            answer.c.GuildId == guild_id,
            answer.c.MessageId == message_id,
            answer.c.Role == Role.KITH,
        )
        .limit(1)
    ).scalar_one_or_none()


def answer_parts(session: Session, guild_id: int, message_id: int) -> list[int]:
    """Return the messages with which Kith answered the same prompt as with this one."""
    one, other = memory_event.alias("one").c, memory_event.alias("other").c
    return list(
        session.scalars(
            select(other.MessageId)
            .join_from(
                one.GuildId.table,
                other.GuildId.table,
                and_(one.GuildId == other.GuildId, one.ReplyToId == other.ReplyToId),
            )
            .where(
                one.GuildId == guild_id,
                one.MessageId == message_id,
                one.Role == Role.KITH,
                other.Role == Role.KITH,
            )
        )
    )


def text_of(session: Session, guild_id: int, message_id: int) -> str | None:
    """Return what a message says as last heard, or None when it never was."""
    columns = memory_event.c
    return session.scalar(
        select(columns.Text)
        .where(columns.GuildId == guild_id, columns.MessageId == message_id)
        .order_by(columns.Revision.desc())
        .limit(1)
    )


def as_last_heard(session: Session, guild_id: int, message_id: int) -> Event | None:
    """Return a message as it was last heard; None where it never was, or is erased."""
    columns = memory_event.c
    row = session.execute(
        select(*HEARD)
        .where(columns.GuildId == guild_id, columns.MessageId == message_id)
        .order_by(columns.Revision.desc())
        .limit(1)
    ).one_or_none()
    return event_from(row) if row is not None and row.Text else None


def author_of(session: Session, guild_id: int, message_id: int) -> int | None:
    """Return who wrote a message that was heard."""
    columns = memory_event.c
    return session.scalar(
        select(columns.AuthorId)
        .where(
            columns.GuildId == guild_id, columns.MessageId == message_id, has_words(columns.Text)
        )
        .limit(1)
    )


def recent_authors(session: Session, guild_id: int, limit: int, now: datetime) -> dict[int, str]:
    """Return the members who wrote the newest ``limit`` messages of a server, and their names,
    whoever wrote last first."""
    columns = memory_event.c
    rows = session.execute(
        select(columns.AuthorId, columns.AuthorName, columns.Role, columns.ExpiresAt)
        .where(columns.GuildId == guild_id)
        .order_by(columns.MessageId.desc())
        .limit(limit)
    )
    names: dict[int, str] = {}
    for user_id, name, role, expires_at in rows:
        if role is Role.MEMBER and name and expires_at > now:
            names.setdefault(user_id, name)
    return names


def pending_bursts(
    session: Session, before: datetime, now: datetime, limit: int
) -> list[tuple[Member, int]]:
    """Return who has events waiting since before that time, and in which channels.

    Events from the future, left by a clock that was set back, count as old.
    """
    columns = memory_event.c
    rows = session.execute(
        select(columns.GuildId, columns.AuthorId, columns.ChannelId)
        .where(WAITING, or_(columns.CreatedAt <= before, columns.CreatedAt > now))
        .distinct()
        .limit(limit)
    )
    return [(Member(row.GuildId, row.AuthorId), row.ChannelId) for row in rows]


def claim(session: Session, member: Member, channel_id: int) -> tuple[list[Event], bool]:
    """Take up a member's waiting events in a channel, oldest first, counting the attempt.

    Returns them and whether more are waiting. The caller holds the burst's lease. Events that were
    tried too often are given up.
    """
    columns = memory_event.c
    waiting = and_(
        columns.GuildId == member.guild_id,
        columns.AuthorId == member.user_id,
        columns.ChannelId == channel_id,
        WAITING,
    )
    session.execute(
        update(memory_event)
        .where(waiting, columns.Attempts >= MOST_ATTEMPTS)
        .values(State=EventState.FAILED)
    )
    rows = session.execute(
        select(*HEARD).where(waiting).order_by(columns.Id).limit(BURST_LIMIT + 1)
    )
    found = [event_from(row) for row in rows]
    events = _first(found[:BURST_LIMIT], BURST_CHARACTERS)
    session.execute(
        update(memory_event)
        .where(columns.Id.in_([event.id for event in events]))
        .values(State=EventState.CLAIMED, Attempts=columns.Attempts + 1)
    )
    return events, len(events) < len(found)


def _first(events: list[Event], characters: int) -> list[Event]:
    """Return the first events that have at most so many characters together; at least one."""
    lengths = accumulate(len(event.text) for event in events)
    fitting = [one for one, total in zip(events, lengths, strict=True) if total <= characters]
    return fitting or events[:1]


def put_back(session: Session, event_ids: list[int], attempts: int = 0) -> None:
    """Let claimed events wait again; the claim counts for so many attempts."""
    columns = memory_event.c
    session.execute(
        update(memory_event)
        .where(columns.Id.in_(event_ids), columns.State == EventState.CLAIMED)
        .values(State=EventState.PENDING, Attempts=columns.Attempts - 1 + attempts)
    )


def finish(session: Session, event_ids: list[int], state: EventState) -> None:
    """Mark events as read (DONE) or given up (FAILED)."""
    session.execute(
        update(memory_event).where(memory_event.c.Id.in_(event_ids)).values(State=state)
    )


def surviving(session: Session, event_ids: list[int]) -> list[Event]:
    """Return those events that still exist with their text, in order."""
    columns = memory_event.c
    rows = session.execute(
        select(*HEARD)
        .where(columns.Id.in_(event_ids), has_words(columns.Text))
        .order_by(columns.Id)
    )
    return [event_from(row) for row in rows]


def before(session: Session, event: Event, limit: int) -> list[Event]:
    """Return what was said in the channel just before an event, oldest first."""
    columns = memory_event.c
    rows = session.execute(
        select(*HEARD)
        .where(
            columns.GuildId == event.guild_id,
            columns.ChannelId == event.channel_id,
            columns.Id < event.id,
            columns.CreatedAt > event.created_at - timedelta(hours=8),
            has_words(columns.Text),
            is_talk(columns.State),
        )
        .order_by(columns.Id.desc())
        .limit(limit)
    )
    return [event_from(row) for row in rows][::-1]


def event_from(row: Sequence[Any]) -> Event:
    """Return the event of a row that was selected as HEARD."""
    values = list(row)
    values[-1] = tuple(map(int, values[-1].split()))
    return Event(*values)
