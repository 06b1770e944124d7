"""Where things were said: what was heard in a channel lately, and all that goes with a channel."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, func, insert, or_, select, update

from utils.database import alerts, episodes, memories, tombstones, watching
from utils.database.engine import Session
from utils.database.erasing import BLANK
from utils.database.tables import (
    WAS_SENT,
    channel_mode,
    channel_purpose,
    channel_state,
    history_import,
    is_from_export,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.database.types import has_words
from utils.model.memory import NOT_OF_THE_TALK, EventState, Member, Role
from utils.model.retention import Place

DELETED = tombstones.FOR_GOOD
_STATE_AFTER = dict.fromkeys(EventState, EventState.DONE) | {
    EventState.OVERHEARD: EventState.OVERHEARD,
    EventState.IMPORTING: EventState.IMPORTED,
    EventState.IMPORTED: EventState.IMPORTED,
}


@dataclass(frozen=True, slots=True)
class LastHeard:
    """A message as it was heard last; the text is empty when it was forgotten.

    ``is_talk``: it was said to Kith, neither overheard nor read from an export.
    """

    author_id: int
    revision: int
    text: str
    is_talk: bool


def last_heard(session: Session, guild_id: int, message_id: int) -> LastHeard | None:
    """Return the last revision of a message that was heard, or None when none was."""
    columns = memory_event.c
    row = session.execute(
        select(columns.AuthorId, columns.Revision, columns.Text, columns.State)
        .where(columns.GuildId == guild_id, columns.MessageId == message_id)
        .order_by(columns.Revision.desc())
        .limit(1)
    ).one_or_none()
    if row is None:
        return None
    return LastHeard(row.AuthorId, row.Revision, row.Text, row.State not in NOT_OF_THE_TALK)


def mark(
    session: Session, guild_id: int, message_ids: Sequence[int], revision: int = DELETED
) -> None:
    """Note, without words, that members' messages are gone, or empty in that revision: whatever is
    told of earlier ones later on is old news."""
    columns = memory_event.c
    for some in memories.chunks(message_ids):
        theirs = and_(columns.GuildId == guild_id, columns.MessageId.in_(some))
        last = (
            select(func.max(columns.Id))
            .where(theirs, columns.Role == Role.MEMBER)
            .group_by(columns.MessageId)
            .having(func.max(columns.Revision) < revision)
        )
        rows = session.execute(
            select(memory_event).where(columns.Id.in_(session.scalars(last).all()))
        ).all()
        if rows:
            session.execute(insert(memory_event), [_empty(row._mapping, revision) for row in rows])


def _empty(row: Mapping[Any, Any], revision: int) -> dict[str, Any]:
    values = {column.name: row[column] for column in memory_event.c if column.name != "Id"}
    return {**values, **BLANK, "State": _STATE_AFTER[values["State"]], "Revision": revision}


def heard_lately(
    session: Session,
    is_ours: Callable[[int], bool],
    since: datetime,
    *,
    channels: int,
    messages: int,
    scanned: int,
) -> list[Place]:
    """Return the channels in which something was heard since then, the latest first.

    Only those of servers that ``is_ours`` agrees to. Looks at no more than the last ``scanned``
    messages, and names at most ``messages`` of each of ``channels`` channels.
    """
    columns = memory_event.c
    newest = session.scalar(select(func.max(columns.Id)).where(~is_from_export(columns.State))) or 0
    latest = session.execute(
        select(columns.GuildId, columns.ChannelId)
        .where(columns.Id > newest - scanned, columns.CreatedAt >= since, has_words(columns.Text))
        .order_by(columns.Id.desc())
    )
    found = dict.fromkeys((row.GuildId, row.ChannelId) for row in latest)
    named = [one for one in found if is_ours(one[0])][:channels]
    return [Place(*one, _revisions(session, *one, since, messages)) for one in named]


def _revisions(
    session: Session, guild_id: int, channel_id: int, since: datetime, limit: int
) -> dict[int, int]:
    columns = memory_event.c
    rows = session.execute(
        select(columns.MessageId, columns.Revision)
        .where(
            columns.GuildId == guild_id,
            columns.ChannelId == channel_id,
            columns.CreatedAt >= since,
            has_words(columns.Text),
        )
        .order_by(columns.CreatedAt.desc())
        .limit(limit)
    )
    found: dict[int, int] = {}
    for row in rows:
        found[row.MessageId] = max(row.Revision, found.get(row.MessageId, 0))
    return found


def messages_in(
    session: Session, guild_id: int, channel_ids: Sequence[int], limit: int
) -> list[int]:
    """Return up to ``limit`` messages that were said in channels or their threads, or that support
    something and were said there; commands typed there are no messages."""
    said, evidence = memory_event.c, memory_evidence.c
    found = set(
        session.scalars(
            select(said.MessageId)
            .where(
                said.GuildId == guild_id,
                or_(said.ChannelId.in_(channel_ids), said.SourceId.in_(channel_ids)),
            )
            .limit(limit)
        )
    )
    found.update(
        session.scalars(
            select(evidence.MessageId)
            .where(evidence.GuildId == guild_id, evidence.ChannelId.in_(channel_ids), WAS_SENT)
            .limit(limit)
        )
    )
    return sorted(found)[:limit]


def delete_messages(session: Session, guild_id: int, message_ids: Collection[int]) -> int:
    """Delete messages altogether: they can never come again. Returns how many revisions went."""
    columns = memory_event.c
    return sum(
        session.execute(
            delete(memory_event).where(columns.GuildId == guild_id, columns.MessageId.in_(some))
        ).rowcount
        for some in memories.chunks(list(message_ids))
    )


def rehome(session: Session, member: Member, channel_ids: Sequence[int]) -> None:
    """Let rows that were first said in channels that are gone be told where they were said again.

    What only a command confirmed was said to nobody there: such a row is told to nobody any more.
    The caller holds the member's lock.
    """
    columns, evidence, said = user_memory.c, memory_evidence.c, memory_event.c
    again = and_(said.GuildId == evidence.GuildId, said.MessageId == evidence.MessageId)
    rows = session.execute(
        select(columns.Id, said.SourceId)
        .join(memory_evidence, evidence.MemoryId == columns.Id)
        .join(memory_event, again)
        .where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.ChannelId.in_(channel_ids),
            said.SourceId.not_in(channel_ids),
        )
        .order_by(said.Id)
    ).all()
    for row_id, source_id in rows:
        session.execute(update(user_memory).where(columns.Id == row_id).values(ChannelId=source_id))


def delete_places(session: Session, guild_id: int, channel_ids: Sequence[int]) -> None:
    """Delete what channels were for, where their working memory began, how far their past was
    read, their chapters, and what was watched."""
    for table in (channel_purpose, channel_mode, channel_state, history_import):
        gone = delete(table).where(table.c.GuildId == guild_id, table.c.ChannelId.in_(channel_ids))
        session.execute(gone)
    episodes.delete_places(session, guild_id, channel_ids)
    watching.erase_places(session, guild_id, channel_ids)
    alerts.erase_places(session, guild_id, channel_ids)
