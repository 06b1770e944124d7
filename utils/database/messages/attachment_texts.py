"""Texts of attachments, for prompts and data exports."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import BindParameter, ColumnElement, and_, select

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, from_row, of_member, rows_for
from utils.database.schema.memory_tables import artifact, artifact_text
from utils.models.attachment import AttachmentText
from utils.models.memory import Event, Member

CAPTION_PART = 0

_ROW, _TEXT = artifact.c, artifact_text.c


def are_of_messages(guild_id: int | BindParameter[int]) -> ColumnElement[bool]:
    """Return the condition of the parts of a server's attachments that messages (IDS) have.

    It is no join, for which SQLite would go through all texts for their files.
    """
    attached = select(_ROW.Id).where(_ROW.GuildId == guild_id, _ROW.MessageId.in_(IDS))
    return and_(_TEXT.GuildId == guild_id, _TEXT.ArtifactId.in_(attached))


def load_by_message(
    connection: Connection,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    *,
    with_full_text: bool = False,
) -> dict[int, tuple[AttachmentText, ...]]:
    """Return the attachments of messages, by message id."""
    rows = connection.execute(
        select(artifact)
        .where(_ROW.GuildId == guild_id, _ROW.MessageId.in_(message_ids), _ROW.ExpiresAt > now)
        .order_by(_ROW.MessageId, _ROW.Position)
    ).all()
    parts = (
        load_parts(connection, guild_id, [row.Id for row in rows])
        if with_full_text and rows
        else {}
    )
    return grouped(
        (row.MessageId, from_row(AttachmentText, row, parts=parts.get(row.Id, ()))) for row in rows
    )


def load_of_message(
    connection: Connection, event: Event, now: datetime
) -> tuple[AttachmentText, ...]:
    """Return the attachments of a message with their full text."""
    ids = [event.message_id]
    texts = load_by_message(connection, event.guild_id, ids, now, with_full_text=True)
    return texts.get(event.message_id, ())


def load_of_member(connection: Connection, member: Member, now: datetime) -> list[AttachmentText]:
    """Return all stored attachments of a member with their full text, oldest first."""
    rows = connection.execute(
        select(artifact).where(of_member(artifact, member), _ROW.ExpiresAt > now).order_by(_ROW.Id)
    ).all()
    parts = load_parts(connection, member.guild_id, [row.Id for row in rows])
    return [from_row(AttachmentText, row, parts=parts[row.Id]) for row in rows]


def load_parts(
    connection: Connection, guild_id: int, ids: Sequence[int]
) -> dict[int, tuple[str, ...]]:
    """Return the text parts of attachments by id, without their captions."""
    query = (
        select(_TEXT.ArtifactId, _TEXT.Text)
        .where(_TEXT.GuildId == guild_id, _TEXT.ArtifactId.in_(IDS), _TEXT.Part > CAPTION_PART)
        .order_by(_TEXT.ArtifactId, _TEXT.Part)
    )
    return grouped(rows_for(connection, query, ids))
