"""Erasing messages, with everything that was made from them.

Summaries, open loops and attachment texts go in the same unit of work, before the messages.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, delete, literal, select, update

from utils.database.core.batches import chunks
from utils.database.core.engine import Connection
from utils.database.core.filters import of_member
from utils.database.messages import attachments
from utils.database.privacy import expiry, tombstones
from utils.database.schema.memory_tables import (
    episode,
    episode_member,
    episode_summary,
    is_from_export,
    memory_event,
    open_loop,
    shadow_recall,
)
from utils.models.memory import EventState, Member, Role

_STATE = memory_event.c.State
BLANK = {
    "Text": "",
    "Stems": "",
    "AuthorName": "",
    # Overheard and imported messages keep their kind: a later edit must not enter the chat.
    "State": case(
        (_STATE == EventState.OVERHEARD, _STATE),
        (is_from_export(_STATE), literal(EventState.IMPORTED, _STATE.type)),
        else_=literal(EventState.DONE, _STATE.type),
    ),
}


def is_any_stored(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> bool:
    """Return whether any of these messages is stored, with or without its text."""
    columns = memory_event.c
    query = (
        select(columns.Id)
        .where(columns.GuildId == guild_id, columns.MessageId.in_(message_ids))
        .limit(1)
    )
    return connection.execute(query).first() is not None


def erase(
    connection: Connection,
    guild_id: int,
    message_ids: Sequence[int],
    *,
    keeps_attachments: bool = False,
) -> None:
    """Blank messages and Kith's answers to them; only their ids stay, so that none is stored again.

    ``keeps_attachments``: the messages are about to be stored with another text.
    """
    columns = memory_event.c
    for ids in chunks(message_ids):
        if not keeps_attachments:
            attachments.erase_by_message(connection, guild_id, ids)
        connection.execute(
            delete(open_loop).where(open_loop.c.GuildId == guild_id, open_loop.c.MessageId.in_(ids))
        )
        is_answer = and_(columns.ReplyToId.in_(ids), columns.Role == Role.KITH)
        for condition in (columns.MessageId.in_(ids), is_answer):  # each by its own index
            _blank(connection, guild_id, condition)


def erase_answers_about(connection: Connection, member: Member, since: datetime) -> None:
    """Blank the answers since then in whose prompts this member's memories stood."""
    columns = memory_event.c
    _blank(
        connection,
        member.guild_id,
        and_(columns.Role == Role.KITH, columns.CreatedAt >= since, _is_about(member)),
    )


def _blank(connection: Connection, guild_id: int, condition: ColumnElement[bool]) -> None:
    erase_summaries(connection, guild_id, condition)
    connection.execute(
        update(memory_event).where(memory_event.c.GuildId == guild_id, condition).values(BLANK)
    )


def erase_summaries(connection: Connection, guild_id: int, of_events: ColumnElement[bool]) -> None:
    """Delete every summary of the episodes that these events of a server belong to.

    The episodes are summarised again from the remaining events. They are locked first: a concurrent
    summary either commits before this and is deleted, or commits later and sees the missing text.
    """
    events, summary = memory_event.c, episode_summary.c
    episode_ids = connection.scalars(
        select(events.EpisodeId)
        .where(events.GuildId == guild_id, of_events, events.EpisodeId.is_not(None))
        .distinct()
    ).all()
    for ids in chunks(episode_ids):
        connection.execute(
            update(episode)
            .where(episode.c.GuildId == guild_id, episode.c.Id.in_(ids))
            .values(SummarisedId=0)
        )
        connection.execute(
            delete(episode_summary).where(summary.GuildId == guild_id, summary.EpisodeId.in_(ids))
        )


def erase_member(connection: Connection, member: Member) -> int:
    """Delete a member's messages with all that was made from them, and Kith's answers to or about
    them; returns how many messages of the member were deleted."""
    attachments.erase_member(connection, member)
    columns = memory_event.c
    prompt = memory_event.alias("prompt").c
    answered = select(prompt.MessageId).where(
        prompt.GuildId == member.guild_id, prompt.AuthorId == member.user_id
    )
    by_kith = columns.Role == Role.KITH
    tombstones.erase_member(connection, member)
    deleted = 0
    for condition in (
        and_(by_kith, columns.ReplyToId.in_(answered)),
        and_(by_kith, _is_about(member)),
        columns.AuthorId == member.user_id,
    ):
        erase_summaries(connection, member.guild_id, condition)
        deleted = connection.execute(
            delete(memory_event).where(columns.GuildId == member.guild_id, condition)
        ).rowcount
    # Last: by now, every transaction that assigns these messages to episodes has committed.
    for table in (open_loop, episode_member, shadow_recall):
        connection.execute(delete(table).where(of_member(table, member)))
    return deleted


def _is_about(member: Member) -> ColumnElement[bool]:
    return memory_event.c.AboutIds.contains(f" {member.user_id} ")


def delete_expired(connection: Connection, now: datetime, limit: int) -> Counter[int]:
    """Delete up to ``limit`` expired events; returns how many, by server."""
    return expiry.delete_expired(connection, memory_event, now, limit)
