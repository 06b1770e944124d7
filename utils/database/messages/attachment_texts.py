"""Texts of attachments, for prompts, recall and data exports."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, select

from utils.database.core.engine import Connection
from utils.database.core.queries import Selection, chunks, of_member
from utils.database.schema.memory_tables import artifact, artifact_text
from utils.models.attachment import AttachmentText, label
from utils.models.memory import Member
from utils.models.recall import Said

MAX_PARTS_RECALLED = 600
CAPTION_PART = 0

_ROW, _TEXT = artifact.c, artifact_text.c
_SAID = (
    select(
        _TEXT.Id,
        _TEXT.Part,
        _TEXT.Text,
        _TEXT.Stems,
        _TEXT.ExpiresAt,
        _ROW.Id.label("ArtifactId"),
        _ROW.Kind,
        _ROW.Name,
        _ROW.MessageId,
        _ROW.ChannelId,
        _ROW.SourceId,
        _ROW.CreatedAt,
    )
    .join_from(artifact_text, artifact, _ROW.Id == _TEXT.ArtifactId)
    .where(
        _TEXT.GuildId == bindparam("guild_id"),
        _TEXT.UserId == bindparam("user_id"),
        _TEXT.ExpiresAt > bindparam("now"),
    )
    .order_by(_TEXT.Id.desc())
    .limit(MAX_PARTS_RECALLED)
)


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
    texts: dict[int, tuple[AttachmentText, ...]] = defaultdict(tuple)
    for row in rows:
        text = _attachment_text(row, parts.get(row.Id, ()))
        texts[row.MessageId] = (*texts[row.MessageId], text)
    return texts


def said(member: Member, now: datetime) -> Selection[list[Said]]:
    """Return the query of a member's attachment texts, in the form in which messages are recalled.

    They are ordered oldest first. Their ids are negative, unlike those of messages.
    """
    parameters = {"guild_id": member.guild_id, "user_id": member.user_id, "now": now}
    return Selection(_SAID, parameters, _said)


def _said(rows: Sequence[Row[Any]]) -> list[Said]:
    texts = []
    for row in reversed(rows):
        stems, _, about = row.Stems.partition("\n")
        is_caption = row.Part == CAPTION_PART
        texts.append(
            Said(
                event_id=-row.Id,
                message_id=row.MessageId,
                channel_id=row.ChannelId,
                source_id=row.SourceId,
                text=f"{row.Name}: {row.Text}" if is_caption else row.Text,
                said_at=row.CreatedAt,
                expires_at=row.ExpiresAt,
                stems=stems,
                fact_stems=about,
                label=label(row.Kind, row.ArtifactId),
            )
        )
    return texts


def load_of_member(connection: Connection, member: Member, now: datetime) -> list[AttachmentText]:
    """Return all stored attachments of a member with their full text, oldest first."""
    rows = connection.execute(
        select(artifact).where(of_member(artifact, member), _ROW.ExpiresAt > now).order_by(_ROW.Id)
    ).all()
    parts = load_parts(connection, member.guild_id, [row.Id for row in rows])
    return [_attachment_text(row, parts[row.Id]) for row in rows]


def _attachment_text(row: Row[Any], parts: Sequence[str]) -> AttachmentText:
    return AttachmentText(
        kind=row.Kind,
        name=row.Name,
        state=row.State,
        caption=row.Caption,
        parts=tuple(parts),
        id=row.Id,
        created_at=row.CreatedAt,
    )


def load_parts(connection: Connection, guild_id: int, ids: Sequence[int]) -> dict[int, list[str]]:
    """Return the text parts of attachments by id, without their captions."""
    parts: dict[int, list[str]] = defaultdict(list)
    for chunk in chunks(ids):
        rows = connection.execute(
            select(_TEXT.ArtifactId, _TEXT.Text)
            .where(
                _TEXT.GuildId == guild_id,
                _TEXT.ArtifactId.in_(chunk),
                _TEXT.Part > CAPTION_PART,
            )
            .order_by(_TEXT.ArtifactId, _TEXT.Part)
        )
        for row in rows:
            parts[row.ArtifactId].append(row.Text)
    return parts
