"""The queue of attachments to read, and their deletion; attachment_texts.py loads their texts.

The caller of :func:`finish` and :func:`cap_expiry` holds the member's lock. Nothing is stored for
a row that was deleted while its file was read. Deletions take the row before its texts, so that
they wait for a concurrent :func:`finish` and find its texts.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, delete, func, insert, select, text, update

from utils.common.text import utf16_length
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    from_row,
    has_changed,
    of_member,
    read_list,
    run_for,
    to_row,
)
from utils.database.messages import attachment_texts
from utils.database.privacy import expiry
from utils.database.schema.memory_tables import artifact, artifact_text, memory_event
from utils.models.attachment import (
    Attachment,
    AttachmentKind,
    AttachmentState,
    FileDescription,
    PendingAttachment,
    has_placeholder,
    tool_placeholder,
)
from utils.models.memory import DIRECT_MESSAGES, EVENT_LIMIT, Event, EventState, Member

_ROW, _TEXT, _EVENT = artifact.c, artifact_text.c, memory_event.c

MAX_ATTEMPTS = 3

# Literal, so that both databases see that a query with it fits the filtered index.
_UNFINISHED = text("State IN ('pending', 'claimed')")


# --- queue ----------------------------------------------------------------------------------


def store(connection: Connection, event: Event, expires_at: datetime) -> None:
    """Queue a message's attachments; those of an earlier revision stay if still attached."""
    of_message = and_(_ROW.GuildId == event.guild_id, _ROW.MessageId == event.message_id)
    rows = connection.execute(
        select(_ROW.Id, _ROW.Name, _ROW.Size, _ROW.Position).where(of_message)
    ).all()
    added = list(event.attachments)
    removed = []
    for row in rows:
        same = next((new for new in added if (new.name, new.size) == (row.Name, row.Size)), None)
        if same is None:
            removed.append(row.Id)
        else:
            added.remove(same)
    erase(connection, event.guild_id, removed)
    after = max((row.Position for row in rows), default=-1) + 1
    if added:
        connection.execute(
            insert(artifact),
            [
                _new_row(event, attachment, position, expires_at)
                for position, attachment in enumerate(added, after)
            ],
        )


def add_read(
    connection: Connection,
    event: Event,
    attachment: Attachment,
    description: FileDescription,
    stems: Sequence[str],
    expires_at: datetime,
) -> bool:
    """Store what was read for a stored message, such as a page it names; it goes with the message.

    The caller holds the member's lock.
    """
    of_message = and_(_ROW.GuildId == event.guild_id, _ROW.MessageId == event.message_id)
    last = connection.scalar(select(func.max(_ROW.Position)).where(of_message))
    row = _new_row(event, attachment, 0 if last is None else last + 1, expires_at)
    row["State"] = AttachmentState.CLAIMED
    artifact_id = connection.execute(insert(artifact).returning(_ROW.Id), row).scalar_one()
    return finish(connection, event.member, artifact_id, AttachmentState.DONE, description, stems)


def has_attachment(connection: Connection, event: Event, kind: AttachmentKind, name: str) -> bool:
    """Return whether a message has an attachment of that kind and name."""
    of_message = and_(_ROW.GuildId == event.guild_id, _ROW.MessageId == event.message_id)
    names = connection.scalars(select(_ROW.Name).where(of_message, _ROW.Kind == kind))
    return name in names.all()  # not in SQL: addresses may differ in case alone


def list_unfinished(connection: Connection, limit: int) -> list[tuple[Member, int]]:
    """Return members and messages with attachments to read, the longest waiting first."""
    first = func.min(_ROW.Id)
    return read_list(
        connection,
        select(_ROW.GuildId, _ROW.UserId, _ROW.MessageId)
        .where(_UNFINISHED)
        .group_by(_ROW.GuildId, _ROW.UserId, _ROW.MessageId)
        .order_by(first)
        .limit(limit),
        lambda row: (Member(row.GuildId, row.UserId), row.MessageId),
    )


def load_pending(connection: Connection, guild_id: int, message_id: int) -> list[PendingAttachment]:
    """Return a message's attachments that wait; those with MAX_ATTEMPTS fail.

    The caller holds the message's lease.
    """
    of_message = and_(_ROW.GuildId == guild_id, _ROW.MessageId == message_id, _UNFINISHED)
    connection.execute(
        update(artifact)
        .where(of_message, _ROW.Attempts >= MAX_ATTEMPTS)
        .values(State=AttachmentState.FAILED, Url="", Caption="reading it failed several times")
    )
    rows = connection.execute(select(artifact).where(of_message).order_by(_ROW.Position)).all()
    return [from_row(PendingAttachment, row, attachment=from_row(Attachment, row)) for row in rows]


def claim(connection: Connection, artifact_id: int) -> bool:
    """Claim an attachment, counting the attempt; returns False if it was deleted."""
    return has_changed(
        connection,
        update(artifact)
        .where(_ROW.Id == artifact_id, _UNFINISHED)
        .values(State=AttachmentState.CLAIMED, Attempts=_ROW.Attempts + 1),
    )


def release(connection: Connection, artifact_id: int, *, is_counted: bool = True) -> None:
    """Make a claimed attachment wait again; ``is_counted``: the attempt counts."""
    connection.execute(
        update(artifact)
        .where(_ROW.Id == artifact_id, _ROW.State == AttachmentState.CLAIMED)
        .values(State=AttachmentState.PENDING, Attempts=_ROW.Attempts - (0 if is_counted else 1))
    )


def finish(
    connection: Connection,
    member: Member,
    artifact_id: int,
    state: AttachmentState,
    conclusion: FileDescription,
    stems: Sequence[str],
    sha256: str = "",
) -> bool:
    """Store the result of reading an attachment; returns False if it was deleted.

    ``stems`` are those of the caption and of each part.
    """
    updated = connection.execute(
        update(artifact).where(_ROW.Id == artifact_id, _ROW.State == AttachmentState.CLAIMED),
        {
            "State": state,
            "Kind": conclusion.kind,
            "Caption": conclusion.caption,
            "Sha256": sha256,
            "Url": "",
        },
    )
    if not updated.rowcount:
        return False
    if state is AttachmentState.DONE:
        expires_at = connection.execute(
            select(_ROW.ExpiresAt).where(_ROW.Id == artifact_id)
        ).scalar_one()
        texts = (conclusion.caption, *conclusion.parts)
        connection.execute(
            insert(artifact_text),
            [
                {
                    "GuildId": member.guild_id,
                    "UserId": member.user_id,
                    "ArtifactId": artifact_id,
                    "Part": part,
                    "Text": part_text,
                    "Stems": part_stems,
                    "ExpiresAt": expires_at,
                }
                for part, (part_text, part_stems) in enumerate(zip(texts, stems, strict=True))
            ],
        )
    return True


def find_same_file(connection: Connection, member: Member, sha256: str) -> FileDescription | None:
    """Return the result of reading the same file before in the server, if any.

    In direct messages only the member's own files count.
    """
    same = and_(_ROW.GuildId == member.guild_id, _ROW.Sha256 == sha256)
    if member.guild_id == DIRECT_MESSAGES:
        same = and_(same, _ROW.UserId == member.user_id)
    same = and_(same, _ROW.State == AttachmentState.DONE)
    row = connection.execute(select(_ROW.Id, _ROW.Kind, _ROW.Caption).where(same).limit(1)).first()
    if row is None:
        return None
    parts = attachment_texts.load_parts(connection, member.guild_id, [row.Id])
    return FileDescription(row.Kind, row.Caption, parts[row.Id])


def _new_row(
    event: Event, attachment: Attachment, position: int, expires_at: datetime
) -> dict[str, Any]:
    return to_row(
        artifact,
        event,
        Position=position,
        UserId=event.author_id,
        Sha256="",
        State=AttachmentState.PENDING,
        Attempts=0,
        Caption="",
        ExpiresAt=expires_at,
        **to_row(artifact, attachment),
    )


# --- deleting -------------------------------------------------------------------------------


def cap_expiry(connection: Connection, member: Member, max_age: timedelta, now: datetime) -> bool:
    """Make a member's attachments expire at most ``max_age`` after they were posted.

    Older ones are deleted at once. Returns whether anything changed.
    """
    is_theirs = of_member(artifact, member)
    old = connection.scalars(
        select(_ROW.Id).where(is_theirs, _ROW.CreatedAt <= now - max_age)
    ).all()
    erase(connection, member.guild_id, old)
    rows = connection.execute(select(_ROW.Id, _ROW.CreatedAt, _ROW.ExpiresAt).where(is_theirs))
    earlier = expiry.capped_expiries(rows, max_age)
    expiry.set_expiries(connection, artifact, earlier)
    for row_id, expires_at in earlier.items():
        connection.execute(
            update(artifact_text)
            .where(_TEXT.GuildId == member.guild_id, _TEXT.ArtifactId == row_id)
            .values(ExpiresAt=expires_at)
        )
    return bool(old or earlier)


def erase(connection: Connection, guild_id: int, ids: Sequence[int]) -> None:
    """Delete attachments with their texts."""
    texts = delete(artifact_text).where(_TEXT.GuildId == guild_id, _TEXT.ArtifactId.in_(IDS))
    for deletion in (delete(artifact).where(_ROW.Id.in_(IDS)), texts):
        run_for(connection, deletion, ids)


TOOL_METHOD = "mcp"  # in place of a file's media type


def store_tool_result(
    connection: Connection,
    event: Event,
    name: str,
    description: FileDescription,
    stems: Sequence[str],
    now: datetime,
) -> bool:
    """Store a result with its message; returns False if the message is not stored any more.

    While the message is being extracted, nothing is stored, because it must not change then. A
    message that was extracted already is extracted once more. The caller holds the member's lock.
    """
    of_message = (_EVENT.GuildId == event.guild_id, _EVENT.MessageId == event.message_id)
    row = connection.execute(
        select(_EVENT.Id, _EVENT.Text, _EVENT.State, _EVENT.ExpiresAt)
        .where(*of_message, _EVENT.AuthorId == event.author_id, _EVENT.ExpiresAt > now)
        .order_by(_EVENT.Id.desc())
        .limit(1)
    ).first()
    if row is None or not row.Text or row.State not in (EventState.PENDING, EventState.DONE):
        return False
    text = tool_placeholder(row.Text)
    if utf16_length(text) > EVENT_LIMIT:  # one placeholder of any kind does
        text = row.Text
        if not has_placeholder(text):
            return False
    connection.execute(
        update(memory_event).where(_EVENT.Id == row.Id),
        {"Text": text, "State": EventState.PENDING},
    )
    result = Attachment(AttachmentKind.TOOL, name, TOOL_METHOD)
    return add_read(connection, event, result, description, stems, row.ExpiresAt)
