"""A member's own messages for recall, each with the message before it, and texts of attachments.

Uses index seeks only: the member's messages by author, and the message before each by channel.
Imported messages have no message before them.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Row, and_, bindparam, case, func, literal, select

from utils.common.grouping import grouped
from utils.common.visible_text import own_words_of
from utils.database.core.queries import Selection, is_member, member_parameters
from utils.database.messages.attachment_texts import CAPTION_PART
from utils.database.schema.column_types import (
    as_stored,
    aware,
    constant,
    is_not_empty,
    microseconds,
    seconds,
)
from utils.database.schema.memory_tables import (
    artifact,
    artifact_text,
    is_talk,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.attachment import PAGES, label
from utils.models.memory import EventState, Member, Method, Role, Status
from utils.models.recall import Said, SaidColumns
from utils.nlp.confidential import MARK

MAX_PARTS_RECALLED = 600  # of attachments
MAX_MESSAGES_SHOWN = 2_000
"""The newest messages of a member that recall ranks: about a year of an active member.

They take 2 MB prepared and 20 ms to load once."""

_EVENT, _BEFORE, _ANY = (
    memory_event.c,
    memory_event.alias("before"),
    memory_event.alias("earlier").c,
)
_IS_THEIRS = and_(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.AuthorId == bindparam("user_id"),
)
_LAST = select(func.max(_EVENT.Id)).where(_IS_THEIRS)
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
        as_stored(_EVENT.CreatedAt),
        as_stored(_EVENT.ExpiresAt),
        _EVENT.Stems,
        _BEFORE.c.Stems.label("StemsBefore"),
        as_stored(_BEFORE.c.CreatedAt).label("CreatedBefore"),
        as_stored(_BEFORE.c.ExpiresAt).label("ExpiresBefore"),
    )
    .select_from(
        memory_event.outerjoin(_BEFORE, and_(is_talk(_EVENT.State), _BEFORE.c.Id == _ID_BEFORE))
    )
    .where(
        _IS_THEIRS,
        _EVENT.Role == constant(Role.MEMBER),
        _EVENT.State != constant(EventState.OVERHEARD),
        is_not_empty(_EVENT.Text),
        is_not_empty(_EVENT.Stems),
        _EVENT.Stems != literal(MARK, _EVENT.Stems.type),
        _EVENT.ExpiresAt > bindparam("now"),
    )
    .limit(MAX_MESSAGES_SHOWN)
)
_NEWEST = _SAID.order_by(_EVENT.MessageId.desc())
_STORED_SINCE = _SAID.where(_EVENT.Id > bindparam("after")).order_by(_EVENT.Id.desc())

_FILE, _PART, _ROW = artifact.c, artifact_text.c, user_memory.c
_ATTACHED = (
    select(
        _PART.Id,
        _PART.Part,
        _PART.Text,
        _PART.Stems,
        _PART.ExpiresAt,
        _FILE.Id.label("ArtifactId"),
        _FILE.Kind,
        _FILE.Name,
        _FILE.MessageId,
        _FILE.ChannelId,
        _FILE.SourceId,
        _FILE.CreatedAt,
    )
    .join_from(artifact_text, artifact, _FILE.Id == _PART.ArtifactId)
    .where(
        is_member(artifact_text),
        _PART.ExpiresAt > bindparam("now"),
    )
    .order_by(_PART.Id.desc())
    .limit(MAX_PARTS_RECALLED)
)

_SUPERSEDED_BY = case((_ROW.Status == constant(Status.SUPERSEDED), _ROW.SupersededById))
_BEHIND = (
    select(
        _ROW.Id,
        memory_evidence.c.MessageId,
        _SUPERSEDED_BY.label("SupersededById"),
        as_stored(memory_evidence.c.Method),
    )
    .join_from(user_memory, memory_evidence, memory_evidence.c.MemoryId == _ROW.Id)
    .where(is_member(user_memory), _ROW.Id > bindparam("after"))
    .order_by(_ROW.Id, memory_evidence.c.Id)
)


def last_event_id(member: Member) -> Selection[int]:
    """Return the query of the id of a member's newest stored message, 0 if there is none."""
    return Selection(_LAST, member_parameters(member), lambda rows: rows[0][0] or 0)


def since(
    member: Member, *, after: int, now: datetime, gap_s: float
) -> Selection[tuple[SaidColumns, datetime | None]]:
    """Return the query of a member's newest messages stored after an event id, and of when the
    first text of another person in them expires (None: never).

    At most MAX_MESSAGES_SHOWN messages, oldest first; with so many, others may be newer
    (``after=0``), as after an import. A message before counts only within ``gap_s`` seconds.
    """
    parameters = member_parameters(member, now=now)
    read = partial(_messages, now=now, gap_s=gap_s)
    if not after:
        return Selection(_NEWEST, parameters, read, by_column=True)
    parameters["after"] = after
    return Selection(_STORED_SINCE, parameters, read, by_column=True)


def _messages(
    columns: Sequence[Sequence[Any]], now: datetime, gap_s: float
) -> tuple[SaidColumns, datetime | None]:
    if not columns:
        return SaidColumns.of(()), None
    *own, stems_before, said_before, before_expires_at = [column[::-1] for column in columns]
    ids, message_ids, channel_ids, source_ids, texts, said_at, expires_at, stems = own
    said_at_us = microseconds(said_at)
    gaps = said_at_us - microseconds(said_before)
    is_live = microseconds(before_expires_at) > microseconds(
        [now.astimezone(UTC).replace(tzinfo=None)]
    )
    is_soon = (gaps >= 0) & (gaps <= gap_s * 1e6) & is_live
    previous_stems = [
        text if text and follows else ""
        for text, follows in zip(stems_before, is_soon.tolist(), strict=True)
    ]
    messages = SaidColumns(
        ids,
        message_ids,
        channel_ids,
        source_ids,
        [*map(own_words_of, texts)],
        said_at_s=said_at_us / 1e6,
        ends_at_s=seconds(expires_at),
        stems=stems,
        about_stems=[""] * len(ids),
        previous_stems=previous_stems,
    )
    ends = [at for at, text in zip(before_expires_at, previous_stems, strict=True) if text]
    return messages, aware(min(ends)) if ends else None


def attachments(member: Member, now: datetime) -> Selection[list[Said]]:
    """Return the query of a member's attachment texts, in the form in which messages are recalled.

    They are ordered oldest first. Their ids are negative, unlike those of messages.
    """
    return Selection(_ATTACHED, member_parameters(member, now=now), _texts)


def _texts(rows: Sequence[Row[Any]]) -> list[Said]:
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
                about_stems=about,
                label=label(row.Kind, row.ArtifactId),
                is_page=row.Kind in PAGES,
            )
        )
    return texts


def source_messages(member: Member) -> Selection[dict[int, tuple[int, ...]]]:
    """Return the query of the messages that support each of a member's memories, by memory id."""
    return Selection(_BEHIND, member_parameters(member, after=0), messages_by_memory)


def sources_for_recall(
    member: Member, after: int = 0
) -> Selection[tuple[dict[int, tuple[int, ...]], dict[int, int], set[int]]]:
    """Return the query of what :func:`source_messages` returns, of which memory superseded each of
    the superseded ones, by id, and of the messages that asked to remember or to correct one.

    ``after`` is the id of a memory: only later ones are read.
    """
    return Selection(_BEHIND, member_parameters(member, after=after), _sources, by_column=True)


def _sources(
    columns: Sequence[Sequence[Any]],
) -> tuple[dict[int, tuple[int, ...]], dict[int, int], set[int]]:
    if not columns:
        return {}, {}, set()
    ids, message_ids, successor_ids, methods = columns
    successors = {
        id: successor for id, successor in zip(ids, successor_ids, strict=True) if successor
    }
    by_method = zip(message_ids, methods, strict=True)
    requests = {message_id for message_id, method in by_method if method == Method.EXPLICIT}
    return messages_by_memory(zip(ids, message_ids, strict=True)), successors, requests


def messages_by_memory(rows: Iterable[Sequence[Any]]) -> dict[int, tuple[int, ...]]:
    """Return the messages behind each memory, from rows that begin with the ids of both."""
    return grouped((row_id, message_id) for row_id, message_id, *_ in rows)
