"""A member's own messages as recall reads them, each with what stands before it now.

Index seeks only: a member's messages by author, the one before each by the channel's talk, of
which what was read from an export is no part: nothing stands before that.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, func, select

from utils.database.engine import Session
from utils.database.tables import is_talk, memory_event, memory_evidence, user_memory
from utils.database.types import has_words
from utils.model.memory import EventState, Member, Role
from utils.model.recall import Said

MOST_SAID = 2_000
"""The newest messages of a member that recall looks through: about a year of a talkative member's
asking, 2 MB prepared and 20 ms to load once."""

_EVENT, _BEFORE, _ANY = (
    memory_event.c,
    memory_event.alias("before"),
    memory_event.alias("earlier").c,
)
_THEIRS = and_(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.AuthorId == bindparam("user_id"),
)
_LAST = select(func.max(_EVENT.Id)).where(_THEIRS)
_ID_BEFORE = (
    select(func.max(_ANY.Id))
    .where(
        _ANY.GuildId == _EVENT.GuildId,
        _ANY.ChannelId == _EVENT.ChannelId,
        _ANY.Id < _EVENT.Id,
        is_talk(_ANY.State),
    )
    .correlate(memory_event)
    .scalar_subquery()
)
_SAID = (
    select(
        _EVENT.Id,
        _EVENT.MessageId,
        _EVENT.ChannelId,
        _EVENT.SourceId,
        _EVENT.Text,
        _EVENT.CreatedAt,
        _EVENT.ExpiresAt,
        _EVENT.Stems,
        _BEFORE.c.Stems.label("StemsBefore"),
        _BEFORE.c.CreatedAt.label("CreatedBefore"),
        _BEFORE.c.ExpiresAt.label("ExpiresBefore"),
    )
    .select_from(
        memory_event.outerjoin(_BEFORE, and_(is_talk(_EVENT.State), _BEFORE.c.Id == _ID_BEFORE))
    )
    .where(
        _THEIRS,
        _EVENT.Role == Role.MEMBER,
        _EVENT.State != EventState.OVERHEARD,
        has_words(_EVENT.Text),
        _EVENT.ExpiresAt > bindparam("now"),
    )
    .limit(MOST_SAID)
)
_NEWEST = _SAID.order_by(_EVENT.MessageId.desc())
_STORED_SINCE = _SAID.where(_EVENT.Id > bindparam("after")).order_by(_EVENT.Id.desc())

_MESSAGES_BEHIND = (
    select(memory_evidence.c.MemoryId, memory_evidence.c.MessageId)
    .join(user_memory, user_memory.c.Id == memory_evidence.c.MemoryId)
    .where(
        user_memory.c.GuildId == bindparam("guild_id"),
        user_memory.c.UserId == bindparam("user_id"),
    )
    .order_by(memory_evidence.c.Id)
)


def last_event_id(session: Session, member: Member) -> int:
    """Return the id of the last of a member's messages that was stored, 0 if there is none."""
    found: int | None = session.scalar(_LAST, _key(member))
    return found or 0


def load(
    session: Session, member: Member, *, after: int, now: datetime, gap_s: float
) -> tuple[list[Said], datetime | None]:
    """Return a member's newest messages stored after an event id, at most MOST_SAID, and when the
    first word of somebody else's in them must be gone (None: never).

    What was said more than ``gap_s`` before a message does not belong to it. Where more was stored
    since, as by an import, those said last are looked for among all.
    """
    given = {**_key(member), "now": now}
    query = _STORED_SINCE if after else _NEWEST
    rows = session.execute(query, {**given, "after": after} if after else given).all()
    if after and len(rows) == MOST_SAID:
        rows = session.execute(_NEWEST, given).all()
    said, ends = [], []
    for row in reversed(rows):
        if belongs := _belongs(row, now, gap_s):
            ends.append(row.ExpiresBefore)
        said.append(_said(row, belongs=belongs))
    return said, min(ends, default=None)


def messages_behind(session: Session, member: Member) -> dict[int, tuple[int, ...]]:
    """Return, by a row's id, the messages that each of a member's rows rests on."""
    found: dict[int, tuple[int, ...]] = {}
    rows = session.execute(_MESSAGES_BEHIND, _key(member))
    for memory_id, message_id in rows.all():
        found[memory_id] = (*found.get(memory_id, ()), message_id)
    return found


def _key(member: Member) -> dict[str, int]:
    return {"guild_id": member.guild_id, "user_id": member.user_id}


def _belongs(row: Any, now: datetime, gap_s: float) -> bool:
    if not row.StemsBefore or row.ExpiresBefore <= now:
        return False
    return bool(0 <= (row.CreatedAt - row.CreatedBefore).total_seconds() <= gap_s)


def _said(row: Any, *, belongs: bool) -> Said:
    return Said(
        event_id=row.Id,
        message_id=row.MessageId,
        channel_id=row.ChannelId,
        source_id=row.SourceId,
        text=row.Text,
        said_at=row.CreatedAt,
        expires_at=row.ExpiresAt,
        stems=row.Stems,
        previous_stems=row.StemsBefore if belongs else "",
    )
