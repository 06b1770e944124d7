"""Messages by channel: the newest revisions, and what is deleted or moved with a channel."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, delete, func, insert, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    of_member,
    read_dict,
    read_list,
    rows_for,
    run_for,
    values_for,
)
from utils.database.erasure.inventory import BLANK_MESSAGE
from utils.database.messages.events import newest_revision
from utils.database.privacy import tombstones
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    WAS_SENT,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.memory import NO_MESSAGE, NOT_CONVERSATION, EventState, Member, Role

_EVENT, _EVIDENCE, _MEMORY = memory_event.c, memory_evidence.c, user_memory.c

_ALL_BUT_ID = [column for column in _EVENT if column.name != "Id"]

MAX_DISCORD_ID = (1 << 62) - 1  # until 2049

_STATE_AFTER = dict.fromkeys(EventState, EventState.DONE) | {
    EventState.OVERHEARD: EventState.OVERHEARD,
    EventState.IMPORTING: EventState.IMPORTED,
    EventState.IMPORTED: EventState.IMPORTED,
}


@dataclass(frozen=True, slots=True)
class LastRevision:
    """The newest stored revision of a message; the text is empty once it was forgotten.

    ``is_talk``: it was sent to Kith, neither overheard nor imported from an export.
    """

    author_id: int
    revision: int
    text: str
    is_talk: bool


def load_last_revision(
    connection: Connection, guild_id: int, message_id: int
) -> LastRevision | None:
    """Return the newest stored revision of a message, or None if none is stored."""
    columns = (_EVENT.AuthorId, _EVENT.Revision, _EVENT.Text, _EVENT.State)
    row = connection.execute(newest_revision(guild_id, message_id, *columns)).one_or_none()
    if row is None:
        return None
    return LastRevision(row.AuthorId, row.Revision, row.Text, row.State not in NOT_CONVERSATION)


def mark_erased(
    connection: Connection,
    guild_id: int,
    message_ids: Sequence[int],
    revision: int = tombstones.FINAL_REVISION,
) -> None:
    """Store an empty revision of members' messages, so that older revisions are ignored later."""
    last_ids = values_for(
        connection,
        select(func.max(_EVENT.Id))
        .where(
            _EVENT.GuildId == guild_id,
            _EVENT.MessageId.in_(IDS),
            _EVENT.Role == Role.MEMBER,
        )
        .group_by(_EVENT.MessageId)
        .having(func.max(_EVENT.Revision) < revision),
        message_ids,
    )
    rows = rows_for(connection, select(*_ALL_BUT_ID).where(_EVENT.Id.in_(IDS)), last_ids)
    blank = {**BLANK_MESSAGE, "Revision": revision}
    empty = [{**row._asdict(), **blank, "State": _STATE_AFTER[row.State]} for row in rows]
    if empty:
        connection.execute(insert(memory_event), empty)


def with_messages(connection: Connection) -> list[tuple[int, int]]:
    """Return the servers and channels of all messages with text, the newest first."""
    return read_list(
        connection,
        select(_EVENT.GuildId, _EVENT.ChannelId)
        .where(is_not_empty(_EVENT.Text), _EVENT.Revision != NO_MESSAGE)
        .group_by(_EVENT.GuildId, _EVENT.ChannelId)
        .order_by(func.max(_EVENT.MessageId).desc()),
        tuple,
    )


def with_evidence(connection: Connection) -> list[tuple[int, int]]:
    """Return the servers and channels of all messages on which a memory rests, stored or not.

    What members asked for themselves alone has no channel on Discord, and their id or a higher one
    than Discord's in its place.
    """
    return read_list(
        connection,
        select(_EVIDENCE.GuildId, _EVIDENCE.ChannelId)
        .join(user_memory, user_memory.c.Id == _EVIDENCE.MemoryId)
        .where(
            WAS_SENT,
            _EVIDENCE.ChannelId.between(1, MAX_DISCORD_ID),
            _EVIDENCE.ChannelId != user_memory.c.UserId,
        )
        .distinct()
        .order_by(_EVIDENCE.GuildId, _EVIDENCE.ChannelId),
        tuple,
    )


def revisions_before(
    connection: Connection, guild_id: int, channel_id: int, before_id: int | None, limit: int
) -> dict[int, int]:
    """Return the newest revisions of a channel's newest messages with text, by message id.

    ``before_id``: only of messages with a lower id.
    """
    is_before = [] if before_id is None else [_EVENT.MessageId < before_id]
    return read_dict(
        connection,
        select(_EVENT.MessageId, func.max(_EVENT.Revision).label("Revision"))
        .where(
            _EVENT.GuildId == guild_id,
            _EVENT.ChannelId == channel_id,
            is_not_empty(_EVENT.Text),
            _EVENT.Revision != NO_MESSAGE,
            *is_before,
        )
        .group_by(_EVENT.MessageId)
        .order_by(_EVENT.MessageId.desc())
        .limit(limit),
    )


def questions_by_command(
    connection: Connection, guild_id: int, answer_ids: Sequence[int]
) -> list[int]:
    """Return the ids of the questions of these answers that were asked with a command.

    Discord shows no other message of such a question. Answers that Kith erased itself have none.
    """
    answer, question = memory_event.alias(), memory_event.alias()
    is_answer = and_(
        answer.c.GuildId == guild_id, answer.c.Role == Role.KITH, is_not_empty(answer.c.Text)
    )
    question_ids = select(question.c.MessageId).join(
        answer,
        and_(question.c.GuildId == answer.c.GuildId, question.c.MessageId == answer.c.ReplyToId),
    )
    is_command = and_(answer.c.MessageId.in_(IDS), question.c.Revision == NO_MESSAGE)
    return values_for(connection, question_ids.where(is_answer, is_command).distinct(), answer_ids)


def messages_in(
    connection: Connection, guild_id: int, channel_ids: Sequence[int], limit: int
) -> list[int]:
    """Return up to ``limit`` ids of messages from channels or their threads.

    Includes messages that are only known as evidence; slash commands are not messages.
    """
    message_ids = set(
        connection.scalars(
            select(_EVENT.MessageId)
            .where(
                _EVENT.GuildId == guild_id,
                or_(_EVENT.ChannelId.in_(channel_ids), _EVENT.SourceId.in_(channel_ids)),
            )
            .limit(limit)
        )
    )
    message_ids.update(
        connection.scalars(
            select(_EVIDENCE.MessageId)
            .where(_EVIDENCE.GuildId == guild_id, _EVIDENCE.ChannelId.in_(channel_ids), WAS_SENT)
            .limit(limit)
        )
    )
    return sorted(message_ids)[:limit]


def delete_messages(connection: Connection, guild_id: int, message_ids: Collection[int]) -> int:
    """Delete messages that can never be sent again; returns how many revisions were deleted."""
    return run_for(
        connection,
        delete(memory_event).where(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(IDS)),
        message_ids,
    )


def move_to_later_channels(
    connection: Connection, member: Member, channel_ids: Sequence[int]
) -> None:
    """Move memories from deleted channels to a channel in which the member repeated them.

    A memory that only a slash command confirmed stays, and is then visible in no channel. The
    caller holds the member's lock.
    """
    is_evidence = and_(_EVENT.GuildId == _EVIDENCE.GuildId, _EVENT.MessageId == _EVIDENCE.MessageId)
    rows = connection.execute(
        select(_MEMORY.Id, _EVENT.SourceId)
        .join(memory_evidence, _EVIDENCE.MemoryId == _MEMORY.Id)
        .join(memory_event, is_evidence)
        .where(
            of_member(user_memory, member),
            _MEMORY.ChannelId.in_(channel_ids),
            _EVENT.SourceId.not_in(channel_ids),
        )
        .order_by(_EVENT.Id)
    ).all()
    for row_id, source_id in rows:
        connection.execute(
            update(user_memory).where(_MEMORY.Id == row_id).values(ChannelId=source_id)
        )
