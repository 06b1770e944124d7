"""Attachments on their way to being read, and going; surrogates.py tells what they say.

The caller of :func:`finish` and :func:`shorten` holds the member's lock. A row that is deleted
while its file is being read takes nothing in any more. The row goes before its words do, so that
whoever deletes it waits for whoever is just writing them, and finds them.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from operator import itemgetter

from sqlalchemy import and_, delete, func, insert, select, text, update

from utils.database import ends, memories, surrogates
from utils.database.engine import Session
from utils.database.tables import artifact, artifact_text
from utils.database.upsert import delete_some
from utils.model.artifact import (
    ArtifactState,
    Attachment,
    Conclusion,
    Pending,
)
from utils.model.memory import DIRECT_MESSAGES, Event, Member

MOST_ATTEMPTS = 3
LOOKED_AT = 20  # times as many as are wanted, so that one who posts much hides nobody
WORN_OUT = "reading it failed several times"

# Literal, so that both databases see that a query with it fits the filtered index.
_UNFINISHED = text("State IN ('pending', 'claimed')")
_ROW, _TEXT = artifact.c, artifact_text.c


# --- on their way to being read -------------------------------------------------------------


def store(session: Session, event: Event, expires_at: datetime) -> None:
    """Store what came with a message, to be read; what an earlier revision had and this one
    still has stays as it is, and what it has no more goes."""
    here = and_(_ROW.GuildId == event.guild_id, _ROW.MessageId == event.message_id)
    rows = session.execute(select(_ROW.Id, _ROW.Name, _ROW.Size, _ROW.Position).where(here)).all()
    left = list(event.attachments)
    gone = []
    for row in rows:
        same = next((one for one in left if (one.name, one.size) == (row.Name, row.Size)), None)
        if same is None:
            gone.append(row.Id)
        else:
            left.remove(same)
    _delete(session, event.guild_id, gone)
    after = max((row.Position for row in rows), default=-1) + 1
    if left:
        session.execute(
            insert(artifact),
            [
                {
                    "GuildId": event.guild_id,
                    "ChannelId": event.channel_id,
                    "SourceId": event.source_id,
                    "MessageId": event.message_id,
                    "Position": position,
                    "UserId": event.author_id,
                    "Kind": one.kind,
                    "Name": one.name,
                    "MediaType": one.media_type,
                    "Size": one.size,
                    "Sha256": "",
                    "Url": one.url,
                    "State": ArtifactState.PENDING,
                    "Attempts": 0,
                    "Caption": "",
                    "CreatedAt": event.created_at,
                    "ExpiresAt": expires_at,
                }
                for position, one in enumerate(left, after)
            ],
        )


def unfinished(session: Session, limit: int) -> list[tuple[Member, int]]:
    """Return the members and messages whose attachments wait to be read: everybody's oldest one
    first, then everybody's second, so that nobody's many keep others waiting."""
    first = func.min(_ROW.Id)
    rows = session.execute(
        select(_ROW.GuildId, _ROW.UserId, _ROW.MessageId)
        .where(_UNFINISHED)
        .group_by(_ROW.GuildId, _ROW.UserId, _ROW.MessageId)
        .order_by(first)
        .limit(limit * LOOKED_AT)
    )
    found = [(Member(row.GuildId, row.UserId), row.MessageId) for row in rows]
    turns: Counter[Member] = Counter()
    ranked = []
    for member, message_id in found:
        ranked.append((turns[member], member, message_id))
        turns[member] += 1
    ranked.sort(key=itemgetter(0))
    return [(member, message_id) for _, member, message_id in ranked[:limit]]


def waiting(session: Session, guild_id: int, message_id: int) -> list[Pending]:
    """Return a message's attachments that wait; the caller holds the message's lease. What was
    tried too often, as it brought the process down, is given up."""
    here = and_(_ROW.GuildId == guild_id, _ROW.MessageId == message_id, _UNFINISHED)
    session.execute(
        update(artifact)
        .where(here, _ROW.Attempts >= MOST_ATTEMPTS)
        .values(State=ArtifactState.FAILED, Url="", Caption=WORN_OUT)
    )
    rows = session.execute(select(artifact).where(here).order_by(_ROW.Position)).all()
    return [
        Pending(
            id=row.Id,
            user_id=row.UserId,
            attachment=Attachment(row.Kind, row.Name, row.MediaType, row.Size, row.Url),
            position=row.Position,
            attempts=row.Attempts,
            created_at=row.CreatedAt,
        )
        for row in rows
    ]


def claim(session: Session, artifact_id: int) -> bool:
    """Take up an attachment, counting the attempt; False where it is gone."""
    claimed = session.execute(
        update(artifact)
        .where(_ROW.Id == artifact_id, _UNFINISHED)
        .values(State=ArtifactState.CLAIMED, Attempts=_ROW.Attempts + 1)
    )
    return bool(claimed.rowcount)


def put_back(session: Session, artifact_id: int, *, is_counted: bool = True) -> None:
    """Let an attachment wait again; the attempt counts, or it does not."""
    session.execute(
        update(artifact)
        .where(_ROW.Id == artifact_id, _ROW.State == ArtifactState.CLAIMED)
        .values(State=ArtifactState.PENDING, Attempts=_ROW.Attempts - (0 if is_counted else 1))
    )


def finish(
    session: Session,
    member: Member,
    artifact_id: int,
    state: ArtifactState,
    conclusion: Conclusion,
    stems: Sequence[str],
    sha256: str = "",
) -> bool:
    """Store what is kept of an attachment, and that its file is done with.

    ``stems`` are those of the caption and of each part. False, and nothing is stored, where the
    attachment is gone.
    """
    done = session.execute(
        update(artifact)
        .where(_ROW.Id == artifact_id, _ROW.State == ArtifactState.CLAIMED)
        .values(
            State=state,
            Kind=conclusion.kind,
            Caption=conclusion.caption,
            Sha256=sha256,
            Url="",
        )
    )
    if not done.rowcount:
        return False
    if state is ArtifactState.DONE:
        end = session.execute(select(_ROW.ExpiresAt).where(_ROW.Id == artifact_id)).scalar_one()
        texts = (conclusion.caption, *conclusion.parts)
        session.execute(
            insert(artifact_text),
            [
                {
                    "GuildId": member.guild_id,
                    "UserId": member.user_id,
                    "ArtifactId": artifact_id,
                    "Part": part,
                    "Text": words,
                    "Stems": found,
                    "ExpiresAt": end,
                }
                for part, (words, found) in enumerate(zip(texts, stems, strict=True))
            ],
        )
    return True


def same_file(session: Session, member: Member, sha256: str) -> Conclusion | None:
    """Return what is kept of the very same file that was read in a server before.

    In direct messages it is the member's own: those of different people share nothing.
    """
    same = and_(_ROW.GuildId == member.guild_id, _ROW.Sha256 == sha256)
    if member.guild_id == DIRECT_MESSAGES:
        same = and_(same, _ROW.UserId == member.user_id)
    same = and_(same, _ROW.State == ArtifactState.DONE)
    row = session.execute(select(_ROW.Id, _ROW.Kind, _ROW.Caption).where(same).limit(1)).first()
    if row is None:
        return None
    parts = surrogates.parts_of(session, member.guild_id, [row.Id])
    return Conclusion(row.Kind, row.Caption, tuple(parts[row.Id]))


# --- going ----------------------------------------------------------------------------------


def erase_of(session: Session, guild_id: int, message_ids: Sequence[int]) -> None:
    """Erase the attachments of messages, with all that they say."""
    for some in memories.chunks(message_ids):
        ids = session.scalars(
            select(_ROW.Id).where(_ROW.GuildId == guild_id, _ROW.MessageId.in_(some))
        ).all()
        _delete(session, guild_id, ids)


def erase_member(session: Session, member: Member) -> None:
    """Erase everything that a member's attachments say in a server."""
    for table in (artifact, artifact_text):
        theirs = and_(table.c.GuildId == member.guild_id, table.c.UserId == member.user_id)
        session.execute(delete(table).where(theirs))


def shorten(session: Session, member: Member, longest: timedelta, now: datetime) -> bool:
    """Let nothing that a member's attachments say live longer than so long after they were
    posted; what is older goes at once. False if nothing changed."""
    theirs = and_(_ROW.GuildId == member.guild_id, _ROW.UserId == member.user_id)
    old = session.scalars(select(_ROW.Id).where(theirs, _ROW.CreatedAt <= now - longest)).all()
    _delete(session, member.guild_id, old)
    rows = session.execute(select(_ROW.Id, _ROW.CreatedAt, _ROW.ExpiresAt).where(theirs))
    earlier = ends.cut(rows, longest)
    ends.set_all(session, artifact, earlier)
    for row_id, end in earlier.items():
        session.execute(
            update(artifact_text)
            .where(_TEXT.GuildId == member.guild_id, _TEXT.ArtifactId == row_id)
            .values(ExpiresAt=end)
        )
    return bool(old or earlier)


def delete_expired(
    session: Session, now: datetime, limit: int, *, words: bool = False
) -> Counter[int]:
    """Delete up to ``limit`` attachments whose time is over (``words``: parts of what they say);
    returns how many, by server."""
    table = artifact_text if words else artifact
    rows = delete_some(
        session,
        table,
        table.c.ExpiresAt <= now,
        limit,
        returning=[table.c.GuildId],
        first=table.c.ExpiresAt,
    )
    return Counter(row.GuildId for row in rows)


def _delete(session: Session, guild_id: int, ids: Sequence[int]) -> None:
    for some in memories.chunks(ids):
        session.execute(delete(artifact).where(_ROW.Id.in_(some)))
        session.execute(
            delete(artifact_text).where(_TEXT.GuildId == guild_id, _TEXT.ArtifactId.in_(some))
        )
