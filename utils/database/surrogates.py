"""What attachments say, as it is shown beside their messages, recalled, and handed out."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select

from utils.database import memories
from utils.database.engine import Session
from utils.database.tables import artifact, artifact_text
from utils.model.artifact import Surrogate, label
from utils.model.memory import Member
from utils.model.recall import Said

MOST_PARTS_RECALLED = 600
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
    .limit(MOST_PARTS_RECALLED)
)


def of_messages(
    session: Session,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    *,
    whole: bool = False,
) -> dict[int, tuple[Surrogate, ...]]:
    """Return what stands for the attachments of messages; ``whole``: with all their words."""
    rows = session.execute(
        select(artifact)
        .where(_ROW.GuildId == guild_id, _ROW.MessageId.in_(message_ids), _ROW.ExpiresAt > now)
        .order_by(_ROW.MessageId, _ROW.Position)
    ).all()
    parts = parts_of(session, guild_id, [row.Id for row in rows]) if whole and rows else {}
    found: dict[int, tuple[Surrogate, ...]] = defaultdict(tuple)
    for row in rows:
        one = Surrogate(
            kind=row.Kind,
            name=row.Name,
            state=row.State,
            caption=row.Caption,
            parts=tuple(parts.get(row.Id, ())),
            id=row.Id,
            created_at=row.CreatedAt,
        )
        found[row.MessageId] = (*found[row.MessageId], one)
    return found


def said(session: Session, member: Member, now: datetime) -> list[Said]:
    """Return what a member's attachments say, as messages are recalled, oldest first.

    Their ids are negative, so that they are no message's.
    """
    rows = session.execute(
        _SAID, {"guild_id": member.guild_id, "user_id": member.user_id, "now": now}
    ).all()
    found = []
    for row in reversed(rows):
        stems, _, about = row.Stems.partition("\n")
        is_caption = row.Part == CAPTION_PART
        found.append(
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
    return found


def of_member(session: Session, member: Member, now: datetime) -> list[Surrogate]:
    """Return everything that is kept of a member's attachments, oldest first."""
    rows = session.execute(
        select(artifact)
        .where(_ROW.GuildId == member.guild_id, _ROW.UserId == member.user_id, _ROW.ExpiresAt > now)
        .order_by(_ROW.Id)
    ).all()
    parts = parts_of(session, member.guild_id, [row.Id for row in rows])
    return [
        Surrogate(
            kind=row.Kind,
            name=row.Name,
            state=row.State,
            caption=row.Caption,
            parts=tuple(parts[row.Id]),
            id=row.Id,
            created_at=row.CreatedAt,
        )
        for row in rows
    ]


def parts_of(session: Session, guild_id: int, ids: Sequence[int]) -> dict[int, list[str]]:
    """Return the words of attachments, but for their captions."""
    found: dict[int, list[str]] = defaultdict(list)
    for some in memories.chunks(ids):
        rows = session.execute(
            select(_TEXT.ArtifactId, _TEXT.Text)
            .where(
                _TEXT.GuildId == guild_id,
                _TEXT.ArtifactId.in_(some),
                _TEXT.Part > CAPTION_PART,
            )
            .order_by(_TEXT.ArtifactId, _TEXT.Part)
        )
        for row in rows:
            found[row.ArtifactId].append(row.Text)
    return found
