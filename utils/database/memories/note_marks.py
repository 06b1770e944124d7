"""Where Discord shows that something was noted: a line below an answer, or a reaction.

A line is a copy of notes. A trigger makes a mark due whenever its note changes (text_triggers.py).
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, delete, func, insert, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, change_rows, fetch_rows, run_for
from utils.database.memories import members
from utils.database.memories.memory_rows import IS_OPEN
from utils.database.schema.memory_tables import memory_event, note_mark, user_memory
from utils.models.extraction import Burst
from utils.models.memory import NO_MESSAGE, Form, NotedMark, Role, Status
from utils.models.plan import Plan

MAX_LINES_OF_QUESTION = 20
MAX_SCANNED = 500  # messages

_MARK, _EVENT, _MEMORY = note_mark.c, memory_event.c, user_memory.c


class NotedNote(NamedTuple):
    """One note of a message: its mark's id, its end, and its text if it may be shown now."""

    mark_id: int
    text: str | None
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class NotedMessage:
    """A message on Discord that shows, or is to show, what was noted.

    Attributes:
        message_id: the answer of a line; the member's own message of a waiting line. A reaction is
            on either.
        notes: oldest first.
        held_until: until when this process has it.
    """

    guild_id: int
    channel_id: int
    message_id: int
    mark: NotedMark
    attempts: int
    notes: tuple[NotedNote, ...]
    held_until: datetime

    @property
    def texts(self) -> list[str]:
        """The notes that may be shown now."""
        return [note.text for note in self.notes if note.text is not None]


_INSERT = insert(note_mark)


def queue(connection: Connection, burst: Burst, plan: Plan, now: datetime) -> bool:
    """Queue the marks of what a plan noted, as its member chose; returns whether there are any.

    Quotes are not shown, nor what waits for a moderator. What was said with a command is marked at
    that command's answer, because only its member may see it; the rest at the last message that
    taught something.
    """
    mark = members.noted_mark(connection, burst.member)
    notes = [
        (memory_id, new.evidence.message_id)
        for memory_id, new in zip(plan.inserted, plan.inserts, strict=True)
        if new.form is Form.NOTE and new.status is Status.ACTIVE
    ]
    if mark is NotedMark.NOTHING or not notes:
        return False
    commands = {event.message_id for event in burst.events if event.revision == NO_MESSAGE}
    last_id = max((message_id for _, message_id in notes if message_id not in commands), default=0)
    rows = [
        {
            "GuildId": burst.member.guild_id,
            "ChannelId": burst.channel_id,
            "MessageId": message_id if message_id in commands else last_id,
            "MemoryId": memory_id,
            "Mark": NotedMark.WAITING if mark is NotedMark.LINE else mark,
            "Attempts": 0,
            "DueAt": now,
        }
        for memory_id, message_id in notes
    ]
    change_rows(connection, _INSERT, *rows)
    return True


def due(connection: Connection, now: datetime) -> list[tuple[int, int]]:
    """Return the next messages to look at, by server and message id, the longest due first."""
    return [(row.GuildId, row.MessageId) for row in fetch_rows(connection, _DUE, now=now)]


# Built once, as those below: building costs more than running.
_DUE = (
    select(_MARK.GuildId, _MARK.MessageId)
    .where(_MARK.DueAt <= bindparam("now"))
    .group_by(_MARK.GuildId, _MARK.MessageId)
    .order_by(func.min(_MARK.DueAt), _MARK.MessageId)
    .limit(MAX_SCANNED)
)
_OF_MESSAGE = and_(
    _MARK.GuildId == bindparam("guild_id"), _MARK.MessageId == bindparam("message_id")
)
_LOAD = (
    select(note_mark, _MEMORY.Memory, _MEMORY.ExpiresAt)
    .outerjoin(
        user_memory,
        and_(
            _MEMORY.Id == _MARK.MemoryId,
            _MEMORY.Status == Status.ACTIVE,
            or_(_MEMORY.ExpiresAt.is_(None), _MEMORY.ExpiresAt > bindparam("now")),
            IS_OPEN,
        ),
    )
    .where(_OF_MESSAGE)
    .order_by(_MARK.MemoryId)
)
_HOLD = (
    update(note_mark)
    .where(_OF_MESSAGE, _MARK.DueAt <= bindparam("now"))
    .values(DueAt=bindparam("until"))
)


def claim(
    connection: Connection, guild_id: int, message_id: int, now: datetime, until: datetime
) -> NotedMessage | None:
    """Return a message that is due, for this process until then; None if another has it.

    What changes meanwhile is due again at once.
    """
    key = {"guild_id": guild_id, "message_id": message_id}
    if not change_rows(connection, _HOLD, {**key, "now": now, "until": until}):
        return None
    rows = fetch_rows(connection, _LOAD, guild_id=guild_id, message_id=message_id, now=now)
    return NotedMessage(
        guild_id,
        rows[0].ChannelId,
        message_id,
        rows[0].Mark,
        max(row.Attempts for row in rows),
        tuple(NotedNote(row.Id, row.Memory, row.ExpiresAt) for row in rows),
        until,
    )


_ASKED = select(_EVENT.AuthorId, _EVENT.ChannelId, _EVENT.Revision).where(
    _EVENT.GuildId == bindparam("guild_id"), _EVENT.MessageId == bindparam("message_id")
)
_LINES = (
    select(_EVENT.MessageId)
    .where(
        _EVENT.GuildId == bindparam("guild_id"),
        _EVENT.AuthorId == bindparam("author_id"),
        _EVENT.ChannelId == bindparam("channel_id"),
        _EVENT.Revision != NO_MESSAGE,
    )
    .limit(MAX_LINES_OF_QUESTION)
)
_LINES_FROM = _LINES.where(_EVENT.MessageId >= bindparam("message_id")).order_by(_EVENT.MessageId)
_LINES_TO = _LINES.where(_EVENT.MessageId <= bindparam("message_id")).order_by(
    _EVENT.MessageId.desc()
)
_ASKED_BY_ANSWER = select(_EVENT.ReplyToId).where(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.MessageId == bindparam("message_id"),
    _EVENT.Role == Role.KITH,
)
_ANSWERS = select(_EVENT.ReplyToId, _EVENT.MessageId).where(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.ReplyToId.in_(IDS),
    _EVENT.Role == Role.KITH,
)


def answer_to(connection: Connection, guild_id: int, message_id: int) -> int | None:
    """Return the last message of the answer to a member's message; None if there is none yet.

    Several lines are answered together, so the answer may be to a later one.
    """
    lines = _lines(connection, _LINES_FROM, guild_id, message_id)
    answers = fetch_rows(connection, _ANSWERS, lines, guild_id=guild_id)
    first_line = min((row.ReplyToId for row in answers), default=None)
    return max((row.MessageId for row in answers if row.ReplyToId == first_line), default=None)


def noted_by(connection: Connection, guild_id: int, message_id: int) -> tuple[set[int], set[int]]:
    """Return the memories that are marked on a message, and the messages that it stands for.

    These are itself, and the lines to which it is the answer.
    """
    key = {"guild_id": guild_id, "message_id": message_id}
    marked = set(connection.scalars(select(_MARK.MemoryId).where(_OF_MESSAGE), key))
    asked_id = connection.scalar(_ASKED_BY_ANSWER, key)
    if asked_id is None:
        return marked, {message_id}
    lines = _lines(connection, _LINES_TO, guild_id, asked_id)
    answered = {row.ReplyToId for row in fetch_rows(connection, _ANSWERS, lines, guild_id=guild_id)}
    before = takewhile(lambda line: line == asked_id or line not in answered, lines)
    return marked, {asked_id, *before}


def _lines(connection: Connection, query: Select[Any], guild_id: int, message_id: int) -> list[int]:
    """Return a message, and those of its author around it; a question by command is alone."""
    key = {"guild_id": guild_id, "message_id": message_id}
    question = connection.execute(_ASKED, key).first()
    if question is None or question.Revision == NO_MESSAGE:
        return [message_id]
    author = {"author_id": question.AuthorId, "channel_id": question.ChannelId}
    return list(connection.scalars(query, {**key, **author}))


def change(
    connection: Connection,
    message: NotedMessage,
    due_at: datetime,
    *,
    attempts: int = 0,
    mark: NotedMark | None = None,
    message_id: int | None = None,
) -> None:
    """Change how or where a message's notes are shown, and when that is looked at."""
    values = {
        "Mark": mark or message.mark,
        "MessageId": message_id or message.message_id,
        "Attempts": attempts,
        "DueAt": due_at,
    }
    ids = [note.mark_id for note in message.notes]
    run_for(connection, update(note_mark).where(_MARK.Id.in_(IDS)).values(values), ids)


_DELETE = delete(note_mark).where(_MARK.Id.in_(IDS))
_SETTLE = (
    update(note_mark)
    .where(_MARK.Id == bindparam("mark_id"), _MARK.DueAt == bindparam("held_until"))
    .values(DueAt=bindparam("ends_at"), Attempts=0)
)


def settle(connection: Connection, message: NotedMessage) -> None:
    """Note that Discord shows what may be shown: the rest has no mark any more.

    A note is due again at its end. One that changed since :func:`claim` stays due.
    """
    run_for(connection, _DELETE, [note.mark_id for note in message.notes if note.text is None])
    for note in message.notes:
        key = {"mark_id": note.mark_id, "held_until": message.held_until}
        change_rows(connection, _SETTLE, {**key, "ends_at": note.ends_at})


def remove(connection: Connection, message: NotedMessage) -> None:
    """Remove the marks of a message that shows none, or that is gone."""
    run_for(connection, _DELETE, [note.mark_id for note in message.notes])
