"""Reads and writes of a history import: consent, past messages, and progress."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    func,
    or_,
    select,
    true,
    update,
)

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    fetch_rows,
    insert_new,
    read_dict,
    read_list,
    rows_for,
    upsert,
)
from utils.database.erasure.inventory import BLANK_MESSAGE
from utils.database.memories.audit import FORGOT_EVERYTHING
from utils.database.messages.events import (
    EVENT_COLUMNS,
    PREVIOUS_TURNS,
    event_from,
    event_row,
)
from utils.database.privacy import tombstones
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    guild_settings,
    history_import,
    memory_audit,
    memory_event,
    user_state,
)
from utils.models.history import ImportConsent, StoredMessage
from utils.models.memory import Consent, Event, EventState, Member

_AUDIT, _EVENT, _STATE = memory_audit.c, memory_event.c, user_state.c

CONSENT_OFF = f"consent {Consent.OFF}"
ERASED_ALL = (FORGOT_EVERYTHING, CONSENT_OFF)
CONSENTS = tuple(f"consent {consent}" for consent in Consent)
LIMITS = (FORGOT_EVERYTHING, *CONSENTS)  # they say from when on messages may be imported
MAX_REFUSALS = 3
BEFORE = timedelta(hours=8)
_SNOWFLAKES_IN_BEFORE = int(BEFORE.total_seconds() * 1000) << 22


def import_consents(
    connection: Connection, guild_id: int, user_ids: Collection[int]
) -> dict[int, ImportConsent]:
    """Return the consent of those users who chose to be remembered.

    Empty if the server is frozen or removed Kith; without members who are ignored or left.
    Messages from before an "erase everything", or before consent was turned on again, are excluded
    by the consent's start.
    """
    is_closed = or_(guild_settings.c.Frozen == true(), guild_settings.c.RemovedAt.is_not(None))
    closed = select(guild_settings.c.GuildId).where(guild_settings.c.GuildId == guild_id, is_closed)
    if connection.execute(closed).first() is not None:
        return {}
    consenting = select(_STATE.UserId, _STATE.Consent).where(
        _STATE.GuildId == guild_id,
        _STATE.UserId.in_(IDS),
        _STATE.Consent.in_([Consent.TEMPORARY, Consent.LASTING]),
        _STATE.Ignored != true(),
        _STATE.LeftAt.is_(None),
    )
    consents = {row.UserId: row.Consent for row in rows_for(connection, consenting, user_ids)}
    since = erased_until(connection, guild_id, consents)
    return {
        user_id: ImportConsent(consent, since.get(user_id)) for user_id, consent in consents.items()
    }


def erased_until(
    connection: Connection, guild_id: int, user_ids: Collection[int]
) -> dict[int, datetime]:
    """Return the time before which messages of these users must not be used, if there is one."""
    query = (
        select(_AUDIT.UserId, _AUDIT.Action, _AUDIT.At)
        .where(
            _AUDIT.GuildId == guild_id,
            _AUDIT.UserId.in_(IDS),
            _AUDIT.MemoryId.is_(None),
            _AUDIT.Action.in_(LIMITS),
        )
        .order_by(_AUDIT.At, _AUDIT.Id)  # those of an archive have later ids
    )
    since: dict[int, datetime] = {}
    off: set[int] = set()
    for row in rows_for(connection, query, user_ids):
        if row.Action in ERASED_ALL or row.UserId in off:
            since[row.UserId] = row.At
        if row.Action in CONSENTS:
            (off.add if row.Action == CONSENT_OFF else off.discard)(row.UserId)
    return since


_LAST_ERASED = (
    select(_AUDIT.UserId, func.max(_AUDIT.At).label("At"))
    .where(
        _AUDIT.GuildId == bindparam("guild_id"),
        _AUDIT.UserId.in_(IDS),
        _AUDIT.MemoryId.is_(None),
        _AUDIT.Action.in_(ERASED_ALL),
    )
    .group_by(_AUDIT.UserId)
)


def last_erased(
    connection: Connection, guild_id: int, user_ids: Collection[int]
) -> dict[int, datetime]:
    """Return when these users last had everything erased, where they did."""
    return dict(fetch_rows(connection, _LAST_ERASED, user_ids, guild_id=guild_id))


# --- messages -----------------------------------------------------------------------------------


def store(connection: Connection, messages: Sequence[tuple[Event, datetime]]) -> int:
    """Store past messages with their expiry for extraction; returns how many are new."""
    rows = [event_row(event, expires_at, EventState.IMPORTING) for event, expires_at in messages]
    return len(insert_new(connection, memory_event, rows))


def load_stored(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> dict[int, StoredMessage]:
    """Return the stored messages of these in their last revision; those with a tombstone have no
    text."""
    query = (
        select(_EVENT.MessageId, _EVENT.Revision, _EVENT.Text, _EVENT.State)
        .where(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(IDS))
        .order_by(_EVENT.MessageId, _EVENT.Revision)
    )
    stored = {
        row.MessageId: StoredMessage(row.Revision, row.Text, row.State is EventState.IMPORTING)
        for row in rows_for(connection, query, message_ids)
    }
    for message_id, revision in tombstones.revisions(connection, guild_id, message_ids).items():
        if message_id not in stored or stored[message_id].revision <= revision:
            stored[message_id] = StoredMessage(revision, "", is_waiting=False)
    return stored


def pending_authors(connection: Connection, guild_id: int, channel_id: int) -> dict[int, int]:
    """Return the number of unread messages of each author in a channel."""
    return read_dict(
        connection,
        select(_EVENT.AuthorId, func.count())
        .where(_is_pending(guild_id, channel_id))
        .group_by(_EVENT.AuthorId)
        .order_by(_EVENT.AuthorId),
    )


def pending(
    connection: Connection, member: Member, channel_id: int, after_id: int, limit: int
) -> list[Event]:
    """Return a member's next unread messages by id, oldest first."""
    return read_list(
        connection,
        select(*EVENT_COLUMNS)
        .where(
            _is_pending(member.guild_id, channel_id),
            _EVENT.AuthorId == member.user_id,
            _EVENT.MessageId > after_id,
        )
        .order_by(_EVENT.MessageId, _EVENT.Id)
        .limit(limit),
        event_from,
    )


def load_latest(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> dict[int, Event]:
    """Return the newest stored revision of each of these messages, except blanked ones."""
    query = (
        select(*EVENT_COLUMNS)
        .where(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(IDS))
        .order_by(_EVENT.MessageId, _EVENT.Revision)
    )
    newest = {row.MessageId: row for row in rows_for(connection, query, message_ids)}
    return {id_: event_from(row) for id_, row in newest.items() if row.Text}


def before(connection: Connection, event: Event) -> list[Event]:
    """Return the stored messages before a past message in its channel, oldest first."""
    values = {
        "guild_id": event.guild_id,
        "channel_id": event.channel_id,
        "before_id": event.message_id,
        "after_id": event.message_id - _SNOWFLAKES_IN_BEFORE,
        "after": event.created_at - BEFORE,
        "until": event.created_at,
    }
    rows = connection.execute(_BEFORE, values)
    return [event_from(row) for row in rows][::-1]


# Built once: building costs more than running.
_BEFORE = (
    select(*EVENT_COLUMNS)
    .where(
        memory_event.c.GuildId == bindparam("guild_id"),
        memory_event.c.ChannelId == bindparam("channel_id"),
        memory_event.c.MessageId < bindparam("before_id"),
        memory_event.c.MessageId > bindparam("after_id"),
        memory_event.c.CreatedAt > bindparam("after"),
        memory_event.c.CreatedAt <= bindparam("until"),
        memory_event.c.State != EventState.OVERHEARD,
        is_not_empty(memory_event.c.Text),
    )
    .order_by(memory_event.c.MessageId.desc(), memory_event.c.Id.desc())
    .limit(PREVIOUS_TURNS)
)


def finish(connection: Connection, event_ids: Sequence[int]) -> None:
    """Mark messages as read."""
    connection.execute(
        update(memory_event).where(_EVENT.Id.in_(event_ids)).values(State=EventState.IMPORTED)
    )


def blank(connection: Connection, event_ids: Sequence[int], until: datetime) -> None:
    """Erase the text of messages that were read and have expired.

    Their ids stay ``until`` then, so that they are not read a second time.
    """
    connection.execute(
        update(memory_event)
        .where(_EVENT.Id.in_(event_ids))
        .values({**BLANK_MESSAGE, "ExpiresAt": until})
    )


def refuse(connection: Connection, event_ids: Sequence[int]) -> None:
    """Count that the model refused messages; after the third time they are not tried again."""
    selected = _EVENT.Id.in_(event_ids)
    given_up = and_(selected, _EVENT.Attempts + 1 >= MAX_REFUSALS)
    connection.execute(update(memory_event).where(given_up).values(State=EventState.IMPORTED))
    connection.execute(update(memory_event).where(selected).values(Attempts=_EVENT.Attempts + 1))


def _is_pending(guild_id: int, channel_id: int) -> ColumnElement[bool]:
    return and_(
        _EVENT.GuildId == guild_id,
        _EVENT.ChannelId == channel_id,
        _EVENT.State == EventState.IMPORTING,
        is_not_empty(_EVENT.Text),
    )


# --- progress -----------------------------------------------------------------------------------


def read_until(connection: Connection, guild_id: int, channel_id: int, file_key: str) -> int:
    """Return the last message id that an unfinished import of a file stored, else 0."""
    message_id: int | None = connection.scalar(
        select(history_import.c.LastMessageId).where(
            history_import.c.GuildId == guild_id,
            history_import.c.ChannelId == channel_id,
            history_import.c.FileKey == file_key,
            history_import.c.FinishedAt.is_(None),
        )
    )
    return message_id or 0


def note_progress(
    connection: Connection,
    guild_id: int,
    channel_id: int,
    file_key: str,
    message_id: int,
    now: datetime,
    *,
    is_finished: bool = False,
) -> None:
    """Record how far a file was read; ``message_id`` is a stored message."""
    upsert(
        connection,
        history_import,
        {"GuildId": guild_id, "ChannelId": channel_id, "FileKey": file_key},
        {
            "LastMessageId": message_id,
            "ChangedAt": now,
            "FinishedAt": now if is_finished else None,
        },
    )
