"""What an import of history reads and writes: leaves, messages of the past, and how far it is."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select, true, update

from utils.database import memories, tombstones
from utils.database.engine import Session
from utils.database.erasing import BLANK
from utils.database.events import HEARD, event_from, row_of
from utils.database.histories import FORGOT_EVERYTHING
from utils.database.tables import (
    guild_settings,
    history_import,
    memory_audit,
    memory_event,
    user_state,
)
from utils.database.types import has_words
from utils.database.upsert import delete_some, insert_new, upsert
from utils.model.history import Known, Leave
from utils.model.memory import Consent, Event, EventState, Member

CONSENT_OFF = f"consent {Consent.OFF}"
CONSENTS = tuple(f"consent {one}" for one in Consent)
MOST_REFUSALS = 3
BEFORE = timedelta(hours=8)
_SNOWFLAKES_IN_BEFORE = int(BEFORE.total_seconds() * 1000) << 22


def leaves(session: Session, guild_id: int, user_ids: Collection[int]) -> dict[int, Leave]:
    """Return those of these people who let themselves be remembered by a choice of their own.

    Nobody in a server that is frozen or has removed Kith, nobody whom moderators had ignored, and
    nobody who left. What was said before somebody had everything forgotten, or chose again after
    they had turned memory off, is not theirs to be learnt any more.
    """
    server, columns = guild_settings.c, user_state.c
    is_closed = or_(server.Frozen == true(), server.RemovedAt.is_not(None))
    closed = select(server.GuildId).where(server.GuildId == guild_id, is_closed)
    if session.execute(closed).first() is not None:
        return {}
    found: dict[int, Consent] = {}
    for some in memories.chunks(sorted(user_ids)):
        rows = session.execute(
            select(columns.UserId, columns.Consent).where(
                columns.GuildId == guild_id,
                columns.UserId.in_(some),
                columns.Consent.in_([Consent.TEMPORARY, Consent.LASTING]),
                columns.Ignored != true(),
                columns.LeftAt.is_(None),
            )
        )
        found |= {row.UserId: row.Consent for row in rows}
    since = erased_until(session, guild_id, found)
    return {user_id: Leave(consent, since.get(user_id)) for user_id, consent in found.items()}


def erased_until(session: Session, guild_id: int, user_ids: Collection[int]) -> dict[int, datetime]:
    """Return since when what these people said may be learnt, where it is not since ever."""
    columns = memory_audit.c
    since: dict[int, datetime] = {}
    off: set[int] = set()
    for some in memories.chunks(sorted(user_ids)):
        rows = session.execute(
            select(columns.UserId, columns.Action, columns.At)
            .where(
                columns.GuildId == guild_id,
                columns.UserId.in_(some),
                columns.MemoryId.is_(None),
                columns.Action.in_([FORGOT_EVERYTHING, *CONSENTS]),
            )
            .order_by(columns.Id)
        )
        for row in rows:
            if row.Action in (FORGOT_EVERYTHING, CONSENT_OFF) or row.UserId in off:
                since[row.UserId] = row.At
            if row.Action in CONSENTS:
                (off.add if row.Action == CONSENT_OFF else off.discard)(row.UserId)
    return since


# --- messages -----------------------------------------------------------------------------------


def store(session: Session, ends: Sequence[tuple[Event, datetime]]) -> int:
    """Store messages of the past, each until its end, to be read by the import; returns how many
    were new."""
    rows = [row_of(event, end, EventState.IMPORTING) for event, end in ends]
    return len(insert_new(session, memory_event, rows))


def known(session: Session, guild_id: int, message_ids: Collection[int]) -> dict[int, Known]:
    """Return those of these messages that are stored, each as it was heard last, and those that
    teach nothing any more, without words."""
    columns = memory_event.c
    found: dict[int, Known] = {}
    for some in memories.chunks(sorted(message_ids)):
        rows = session.execute(
            select(columns.MessageId, columns.Revision, columns.Text, columns.State)
            .where(columns.GuildId == guild_id, columns.MessageId.in_(some))
            .order_by(columns.Revision)
        )
        for row in rows:
            is_waiting = row.State is EventState.IMPORTING
            found[row.MessageId] = Known(row.Revision, row.Text, is_waiting)
    for message_id, revision in tombstones.laid(session, guild_id, message_ids).items():
        if message_id not in found or found[message_id].revision <= revision:
            found[message_id] = Known(revision, "", is_waiting=False)
    return found


def waiting_authors(session: Session, guild_id: int, channel_id: int) -> dict[int, int]:
    """Return whose messages of a channel wait to be read, and how many each has."""
    columns = memory_event.c
    rows = session.execute(
        select(columns.AuthorId, func.count())
        .where(_waits(guild_id, channel_id))
        .group_by(columns.AuthorId)
        .order_by(columns.AuthorId)
    )
    return {row.AuthorId: row[1] for row in rows}


def waiting(
    session: Session, member: Member, channel_id: int, after_id: int, limit: int
) -> list[Event]:
    """Return a member's next messages that wait to be read, by their ids, oldest first."""
    columns = memory_event.c
    rows = session.execute(
        select(*HEARD)
        .where(
            _waits(member.guild_id, channel_id),
            columns.AuthorId == member.user_id,
            columns.MessageId > after_id,
        )
        .order_by(columns.MessageId)
        .limit(limit)
    )
    return [event_from(row) for row in rows]


def before(session: Session, event: Event, limit: int) -> list[Event]:
    """Return what stands before a message of the past in its channel, oldest first: only what its
    authors have let be stored."""
    columns = memory_event.c
    rows = session.execute(
        select(*HEARD)
        .where(
            columns.GuildId == event.guild_id,
            columns.ChannelId == event.channel_id,
            columns.MessageId < event.message_id,
            columns.MessageId > event.message_id - _SNOWFLAKES_IN_BEFORE,
            columns.CreatedAt > event.created_at - BEFORE,
            columns.CreatedAt <= event.created_at,
            columns.State != EventState.OVERHEARD,
            has_words(columns.Text),
        )
        .order_by(columns.MessageId.desc())
        .limit(limit)
    )
    return [event_from(row) for row in rows][::-1]


def finish(session: Session, event_ids: Sequence[int]) -> None:
    """Mark messages as read."""
    columns = memory_event.c
    session.execute(
        update(memory_event).where(columns.Id.in_(event_ids)).values(State=EventState.IMPORTED)
    )


def blank(session: Session, event_ids: Sequence[int], until: datetime) -> None:
    """Take the words of messages that have been read and are over: until then only their ids stay,
    so that they are not read a second time."""
    columns = memory_event.c
    session.execute(
        update(memory_event).where(columns.Id.in_(event_ids)).values({**BLANK, "ExpiresAt": until})
    )


def refuse(session: Session, event_ids: Sequence[int]) -> None:
    """Count that the model refused to read messages; the third time they are given up."""
    columns = memory_event.c
    these = columns.Id.in_(event_ids)
    given_up = and_(these, columns.Attempts + 1 >= MOST_REFUSALS)
    session.execute(update(memory_event).where(given_up).values(State=EventState.IMPORTED))
    session.execute(update(memory_event).where(these).values(Attempts=columns.Attempts + 1))


def _waits(guild_id: int, channel_id: int) -> ColumnElement[bool]:
    columns = memory_event.c
    return and_(
        columns.GuildId == guild_id,
        columns.ChannelId == channel_id,
        columns.State == EventState.IMPORTING,
        has_words(columns.Text),
    )


# --- how far it is ------------------------------------------------------------------------------


def read_until(session: Session, guild_id: int, channel_id: int, file_key: str) -> int:
    """Return the last message that an unfinished reading of a file has stored, else 0."""
    columns = history_import.c
    found: int | None = session.scalar(
        select(columns.LastMessageId).where(
            columns.GuildId == guild_id,
            columns.ChannelId == channel_id,
            columns.FileKey == file_key,
            columns.FinishedAt.is_(None),
        )
    )
    return found or 0


def note_progress(
    session: Session,
    guild_id: int,
    channel_id: int,
    file_key: str,
    message_id: int,
    now: datetime,
    *,
    is_finished: bool = False,
) -> None:
    """Note how far a file has been read; ``message_id`` is that of a message which is stored."""
    upsert(
        session,
        history_import,
        {"GuildId": guild_id, "ChannelId": channel_id, "FileKey": file_key},
        {
            "LastMessageId": message_id,
            "ChangedAt": now,
            "FinishedAt": now if is_finished else None,
        },
    )


def delete_old(session: Session, before: datetime, limit: int) -> int:
    """Delete up to ``limit`` notes of files that were last read before then; returns how many."""
    columns = history_import.c
    gone = delete_some(
        session, history_import, columns.ChangedAt < before, limit, returning=[columns.FileKey]
    )
    return len(gone)
