"""Messages on their way to memory, and the working memory of a channel made from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from itertools import accumulate
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal,
    not_,
    or_,
    select,
    true,
    update,
)

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    Selection,
    change_rows,
    columns_of,
    fetch_rows,
    fetch_value,
    insert_new,
    member_parameters,
    to_row,
    upsert,
)
from utils.database.messages import attachment_texts
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    NO_EPISODE,
    WAITING,
    channel_state,
    is_talk,
    memory_event,
)
from utils.models.attachment import has_placeholder
from utils.models.memory import NOT_CONVERSATION, Event, EventState, Member, Role
from utils.nlp.confidential import MARK, with_mark

_EVENT, _CHANNEL = memory_event.c, channel_state.c

MAX_ATTEMPTS = 100
"""An event that was claimed so often without being finished fails: it may crash the process."""
FAILURE = MAX_ATTEMPTS // 5
"""How many attempts a refusal by the model, a missing verdict, or an error of ours, counts for."""
PAUSES = (timedelta(minutes=30), timedelta(hours=6.5), timedelta(hours=30.5))
"""How long after it was said a message rests after its first, second and every later failure. The
last one is on another day, when a spent budget is full again."""
BURST_LIMIT = 20
MAX_BURSTS = 10_000  # that wait, of all servers
PREVIOUS_TURNS = 4  # before a burst
BURST_CHARACTERS = 8_000  # two of the longest messages, about 2,000 tokens

EVENT_COLUMNS = columns_of(memory_event, Event)

IS_TOLD_OPENLY = not_(_EVENT.Stems.contains(MARK))
"""The condition for messages that others than their author may hear of."""

# Built once, as those below: building costs more than running.
_IS_REVISION = and_(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.MessageId == bindparam("message_id"),
    _EVENT.Revision == bindparam("revision"),
)
_ID, _EXPIRY = (select(column).where(_IS_REVISION) for column in (_EVENT.Id, _EVENT.ExpiresAt))


def insert(
    connection: Connection,
    event: Event,
    expires_at: datetime,
    state: EventState | None = None,
    values: Mapping[str, Any] = {},
) -> bool:
    """Store an event; returns False if this message and revision is stored already.

    Raises IntegrityError if the database refuses the row for another reason.
    By default a member's message waits for extraction, and Kith's own message does not.
    ``values`` are columns that differ from the event.
    """
    if state is None:
        state = EventState.PENDING if event.role is Role.MEMBER else EventState.DONE
    row = {**event_row(event, expires_at, state), **values}
    return bool(insert_new(connection, memory_event, [row]))


_LEAVE_OUT = (
    update(memory_event)
    .where(
        _EVENT.GuildId == bindparam("guild_id"),
        _EVENT.AuthorId == bindparam("user_id"),
        _EVENT.MessageId.in_(bindparam("ids", expanding=True)),
    )
    .values(
        Stems=case(
            (_EVENT.Stems.contains(MARK), literal(MARK, _EVENT.Stems.type)),
            else_=literal("", _EVENT.Stems.type),
        )
    )
)


def leave_out_of_recall(connection: Connection, member: Member, message_ids: Sequence[int]) -> None:
    """Clear the stems of a member's messages: recall passes over messages without stems."""
    connection.execute(_LEAVE_OUT, member_parameters(member, ids=list(message_ids)))


def is_stored(connection: Connection, event: Event) -> bool:
    """Return whether this revision of a message is stored."""
    return expiry_of(connection, event) is not None


def expiry_of(connection: Connection, event: Event) -> datetime | None:
    """Return when this revision of a message ends; None if it is not stored."""
    return fetch_value(connection, _EXPIRY, **_revision(event))


def id_of(connection: Connection, event: Event) -> int | None:
    """Return the id of the stored event with this message id and revision, blanked or not."""
    return fetch_value(connection, _ID, **_revision(event))


def _revision(event: Event) -> dict[str, Any]:
    return {
        "guild_id": event.guild_id,
        "message_id": event.message_id,
        "revision": event.revision,
    }


def event_row(event: Event, expires_at: datetime, state: EventState) -> dict[str, Any]:
    """Return the row that an event is stored as, marked if its words ask to be kept secret."""
    return to_row(
        memory_event,
        event,
        Stems=with_mark(event.stems, event.text if event.role is Role.MEMBER else ""),
        AboutIds=" ".join(["", *map(str, event.about_ids), ""]),
        EpisodeId=NO_EPISODE if state in NOT_CONVERSATION else None,
        State=state,
        Attempts=0,
        ExpiresAt=expires_at,
    )


def last_turns(guild_id: int, channel_id: int, limit: int, now: datetime) -> Selection[list[Event]]:
    """Return the query of a channel's last turns, oldest first, none from before its last reset.

    They lack the texts of attachments: :func:`with_attachment_texts`.
    """
    parameters = {"guild_id": guild_id, "channel_id": channel_id, "now": now}
    return Selection(
        _last_turns(limit), parameters, lambda rows: [event_from(row) for row in rows][::-1]
    )


def with_attachment_texts(
    connection: Connection, turns: list[Event], now: datetime, *, with_full_text: bool = False
) -> list[Event]:
    """Return turns of one server with their attachments' captions, or their full text.

    Runs no query if no turn has attachments.
    """
    ids = [turn.message_id for turn in turns if has_placeholder(turn.text)]
    if not ids:
        return turns
    texts = attachment_texts.load_by_message(
        connection, turns[0].guild_id, ids, now, with_full_text=with_full_text
    )
    return [
        replace(turn, attachment_texts=texts[turn.message_id]) if turn.message_id in texts else turn
        for turn in turns
    ]


@cache
def _last_turns(limit: int) -> Select[Any]:
    """Build the query once: every recall runs it, and building costs more than running."""
    reset_at = (
        select(_CHANNEL.ResetEventId)
        .where(
            _CHANNEL.GuildId == bindparam("guild_id"), _CHANNEL.ChannelId == bindparam("channel_id")
        )
        .scalar_subquery()
    )
    return (
        select(*EVENT_COLUMNS)
        .where(
            _EVENT.GuildId == bindparam("guild_id"),
            _EVENT.ChannelId == bindparam("channel_id"),
            _EVENT.ExpiresAt > bindparam("now"),
            is_not_empty(_EVENT.Text),
            is_talk(_EVENT.State),
            _EVENT.Id > func.coalesce(reset_at, 0),
        )
        .order_by(_EVENT.Id.desc())
        .limit(limit)
    )


def reset_working_memory(connection: Connection, guild_id: int, channel_id: int) -> None:
    """Make the channel's working memory start after the newest stored message."""
    last = connection.scalar(
        select(func.max(_EVENT.Id)).where(
            _EVENT.GuildId == guild_id,
            _EVENT.ChannelId == channel_id,
            is_talk(_EVENT.State),
        )
    )
    upsert(
        connection,
        channel_state,
        {"GuildId": guild_id, "ChannelId": channel_id},
        {"ResetEventId": last or 0},
    )


def author_of_prompt(connection: Connection, guild_id: int, message_id: int) -> int | None:
    """Return the author of the message that Kith's message answers, or None if there is none."""
    answer = memory_event.alias("answer").c
    return connection.scalar(
        select(_EVENT.AuthorId)
        .where(
            _EVENT.GuildId == guild_id,
            _EVENT.MessageId.in_(
                select(answer.ReplyToId).where(
                    answer.GuildId == guild_id,
                    answer.MessageId == message_id,
                    answer.Role == Role.KITH,
                )
            ),
            _EVENT.Role == Role.MEMBER,
        )
        .limit(1)
    )


def answer_parts(connection: Connection, guild_id: int, message_id: int) -> list[int]:
    """Return all messages with which Kith answered the same prompt as with this one."""
    part, sibling = memory_event.alias("part").c, memory_event.alias("sibling").c
    return list(
        connection.scalars(
            select(sibling.MessageId)
            .join_from(
                part.GuildId.table,
                sibling.GuildId.table,
                and_(part.GuildId == sibling.GuildId, part.ReplyToId == sibling.ReplyToId),
            )
            .where(
                part.GuildId == guild_id,
                part.MessageId == message_id,
                part.Role == Role.KITH,
                sibling.Role == Role.KITH,
            )
        )
    )


def newest_revision(guild_id: int, message_id: int, *columns: ColumnElement[Any]) -> Select[Any]:
    """Return the query of these columns of a message's newest stored revision."""
    of_message = (_EVENT.GuildId == guild_id, _EVENT.MessageId == message_id)
    return select(*columns).where(*of_message).order_by(_EVENT.Revision.desc()).limit(1)


def load_latest(connection: Connection, guild_id: int, message_id: int) -> Event | None:
    """Return a message's newest stored revision; None if there is none or it is blanked."""
    query = newest_revision(guild_id, message_id, *EVENT_COLUMNS)
    row = connection.execute(query).one_or_none()
    return event_from(row) if row is not None and row.Text else None


_AUTHOR = (
    select(_EVENT.AuthorId)
    .where(
        _EVENT.GuildId == bindparam("guild_id"),
        _EVENT.MessageId == bindparam("message_id"),
        is_not_empty(_EVENT.Text),
    )
    .limit(1)
)


def author_of(connection: Connection, guild_id: int, message_id: int) -> int | None:
    """Return the author of a stored message that is not blanked."""
    return fetch_value(connection, _AUTHOR, guild_id=guild_id, message_id=message_id)


def recent_authors(
    connection: Connection, guild_id: int, limit: int, now: datetime
) -> dict[int, str]:
    """Return the authors of a server's newest ``limit`` messages with their names, latest first."""
    rows = connection.execute(
        select(_EVENT.AuthorId, _EVENT.AuthorName, _EVENT.Role, _EVENT.ExpiresAt)
        .where(_EVENT.GuildId == guild_id)
        .order_by(_EVENT.MessageId.desc(), _EVENT.Revision.desc())
        .limit(limit)
    )
    names: dict[int, str] = {}
    for user_id, name, role, expires_at in rows:
        if role is Role.MEMBER and name and expires_at > now:
            names.setdefault(user_id, name)
    return names


def names_of(connection: Connection, guild_id: int, user_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of some members in the newest of their stored messages with a name."""
    columns, names = memory_event.c, dict[int, str]()
    for user_id in user_ids:
        name = connection.scalar(
            select(columns.AuthorName)
            .where(columns.GuildId == guild_id, columns.AuthorId == user_id)
            .order_by(columns.Id.desc())
            .limit(1)
        )
        if name:
            names[user_id] = name
    return names


# Built once, as those below: building costs more than running.
_IS_RESTED = or_(
    _EVENT.Attempts < FAILURE,
    _EVENT.CreatedAt > bindparam("now"),  # stored before a clock was set back
    *(
        and_(
            _EVENT.CreatedAt <= bindparam(f"said_{failures}"),
            true() if failures == len(PAUSES) else _EVENT.Attempts < FAILURE * (failures + 1),
        )
        for failures in range(1, len(PAUSES) + 1)
    ),
)


_PENDING_BURSTS = (
    select(_EVENT.GuildId, _EVENT.AuthorId, _EVENT.ChannelId)
    .where(
        WAITING,
        or_(_EVENT.CreatedAt <= bindparam("before"), _EVENT.CreatedAt > bindparam("now")),
        _IS_RESTED,
    )
    .distinct()
    .limit(MAX_BURSTS)
)


def pending_bursts(
    connection: Connection, before: datetime, now: datetime
) -> list[tuple[Member, int]]:
    """Return members and channels with events that wait since before that time, and do not rest.

    Events from the future, stored before a clock was set back, count as old.
    """
    rows = connection.execute(_PENDING_BURSTS, {"before": before} | _rest_until(now))
    return [(Member(row.GuildId, row.AuthorId), row.ChannelId) for row in rows]


_OF_BURST = and_(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.AuthorId == bindparam("user_id"),
    _EVENT.ChannelId == bindparam("channel_id"),
    WAITING,
)
_FAIL_BURST = (
    update(memory_event)
    .where(_OF_BURST, _EVENT.Attempts >= MAX_ATTEMPTS)
    .values(State=EventState.FAILED)
)
_LOAD_BURST = (
    select(*EVENT_COLUMNS).where(_OF_BURST, _IS_RESTED).order_by(_EVENT.Id).limit(BURST_LIMIT + 1)
)
_CHANGE = update(memory_event).where(_EVENT.Id.in_(IDS))
_CLAIM = _CHANGE.values(State=EventState.CLAIMED, Attempts=_EVENT.Attempts + 1)


def claim(
    connection: Connection, member: Member, channel_id: int, now: datetime
) -> tuple[list[Event], bool]:
    """Claim a member's waiting events in a channel, oldest first; returns them and if more wait.

    Those that failed rest (PAUSES). Counts the attempt; events with MAX_ATTEMPTS fail. The caller
    holds the burst's lease.
    """
    burst = member_parameters(member, channel_id=channel_id)
    change_rows(connection, _FAIL_BURST, burst)
    rows = fetch_rows(connection, _LOAD_BURST, **burst, **_rest_until(now))
    candidates = [event_from(row) for row in rows]
    events = within(candidates[:BURST_LIMIT], BURST_CHARACTERS)
    change_rows(connection, _CLAIM, {"ids": [event.id for event in events]})
    return events, len(events) < len(candidates)


def within(events: list[Event], characters: int) -> list[Event]:
    """Return the first events with at most so many characters in total, but at least one event."""
    lengths = accumulate(len(event.text) for event in events)
    fitting = [event for event, total in zip(events, lengths, strict=True) if total <= characters]
    return fitting or events[:1]


def _rest_until(now: datetime) -> dict[str, Any]:
    """Return the parameters of _IS_RESTED."""
    parameters = {f"said_{failures}": now - pause for failures, pause in enumerate(PAUSES, start=1)}
    return {"now": now} | parameters


_MAX_ATTEMPTS = select(func.max(_EVENT.Attempts)).where(_EVENT.Id.in_(IDS))


def failures(connection: Connection, event_ids: list[int]) -> int:
    """Return how often the one of these events that failed most has failed."""
    return (fetch_value(connection, _MAX_ATTEMPTS, event_ids) or 0) // FAILURE


def release(connection: Connection, event_ids: list[int], attempts: int = 0) -> None:
    """Make claimed events wait again; the claim counts as this many attempts."""
    connection.execute(
        _CHANGE.where(_EVENT.State == EventState.CLAIMED).values(
            State=EventState.PENDING, Attempts=_EVENT.Attempts - 1 + attempts
        ),
        {"ids": event_ids},
    )


def finish(connection: Connection, event_ids: list[int], state: EventState) -> None:
    """Set the final state of events: DONE or FAILED."""
    change_rows(connection, _CHANGE, {"ids": event_ids, "State": state})


def note_receipts(connection: Connection, receipts: Mapping[int, str]) -> None:
    """Store why nothing was noted of some events, by their database ids."""
    for event_id, reason in receipts.items():
        change_rows(connection, _CHANGE, {"ids": [event_id], "Receipt": reason})


_RECEIPT = (
    select(_EVENT.State, _EVENT.Receipt, _EVENT.Text)
    .where(
        _EVENT.GuildId == bindparam("guild_id"),
        _EVENT.AuthorId == bindparam("user_id"),
        _EVENT.MessageId == bindparam("message_id"),
    )
    .order_by(_EVENT.Revision.desc())
    .limit(1)
)


def load_receipt(connection: Connection, member: Member, message_id: int) -> Any:
    """Return state, receipt and text of a member's message as it is now; None if not stored."""
    return connection.execute(_RECEIPT, member_parameters(member, message_id=message_id)).first()


_EXISTING = (
    select(*EVENT_COLUMNS).where(_EVENT.Id.in_(IDS), is_not_empty(_EVENT.Text)).order_by(_EVENT.Id)
)


def load_existing(connection: Connection, event_ids: list[int]) -> list[Event]:
    """Return those events that exist with their text, in the order of their ids."""
    return [event_from(row) for row in fetch_rows(connection, _EXISTING, event_ids)]


_PRECEDING = (
    select(*EVENT_COLUMNS)
    .where(
        _EVENT.GuildId == bindparam("guild_id"),
        _EVENT.ChannelId == bindparam("channel_id"),
        _EVENT.Id < bindparam("event_id"),
        _EVENT.CreatedAt > bindparam("after"),
        is_not_empty(_EVENT.Text),
        is_talk(_EVENT.State),
    )
    .order_by(_EVENT.Id.desc())
    .limit(PREVIOUS_TURNS)
)


def load_preceding(connection: Connection, event: Event) -> list[Event]:
    """Return the messages in the channel just before an event, oldest first."""
    rows = fetch_rows(
        connection,
        _PRECEDING,
        guild_id=event.guild_id,
        channel_id=event.channel_id,
        event_id=event.id,
        after=event.created_at - timedelta(hours=8),
    )
    return [event_from(row) for row in rows][::-1]


def event_from(row: Sequence[Any]) -> Event:
    """Return the event of a row that was selected as HEARD."""
    values = list(row)
    values[-1] = tuple(map(int, values[-1].split()))
    return Event(*values)
