"""Where an answer comes from: stored sources that share words with it and that its reader may read.

What its prompt held is stored with each answer (answer_sources.py). Most of that says something
else, so a source counts only if it shares two stems with the answer.
"""

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import BindParameter, bindparam, not_, or_, select

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, rows_for
from utils.database.memories import memory_history, note_marks
from utils.database.memories.memory_rows import IS_OPEN
from utils.database.messages import answer_sources
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import episode_summary, memory_event, user_memory
from utils.models.memory import NO_MESSAGE
from utils.models.provenance import AnswerOrigin, SourceKind, SourceRef
from utils.models.transfer import jump_link, message_link
from utils.nlp.confidential import MARK
from utils.nlp.stemming import stems

MAX_ORIGINS = 3
MIN_SHARED_STEMS = 2

_EVENT, _MEMORY, _SUMMARY = memory_event.c, user_memory.c, episode_summary.c


def of_answer(
    connection: Connection,
    guild_id: int,
    answer_id: int,
    text: str,
    reader_id: int,
    sources: Collection[int],
) -> list[AnswerOrigin]:
    """Return the origins of a stored answer, without the question that it answers.

    The other arguments are those of :func:`load`.
    """
    refs = answer_sources.used_in(connection, guild_id, answer_id)
    _, asked_ids = note_marks.noted_by(connection, guild_id, answer_id)
    return load(connection, guild_id, refs, text, reader_id, sources, asked_ids)


def load(
    connection: Connection,
    guild_id: int,
    refs: Iterable[SourceRef],
    text: str,
    reader_id: int,
    sources: Collection[int],
    asked_ids: Collection[int] = (),
) -> list[AnswerOrigin]:
    """Return up to three origins of an answer, those that share most words first, each once.

    Args:
        refs: what the answer's prompt held.
        text: the answer.
        reader_id: who may also see what they said in confidence; 0: nobody.
        sources: the channels that everyone who sees the origins can read now.
        asked_ids: the messages that it answers.
    """
    words = set(stems(text))
    keys = {(ref.kind, ref.id) for ref in refs} - {(SourceKind.MESSAGE, id_) for id_ in asked_ids}
    stored = answer_sources.load(connection, guild_id, keys)
    shared = {key: len(source.stems & words) for key, source in stored.items()}
    ids = grouped(key for key, count in shared.items() if count >= MIN_SHARED_STEMS)
    if not sources:
        return []
    parameters = {"guild_id": guild_id, "reader_id": reader_id, "sources": sorted(sources)}
    owners = {
        row.Id: row.UserId
        for row in rows_for(connection, _MEMORIES, ids[SourceKind.MEMORY], **parameters)
    }
    origins: list[tuple[answer_sources.Key, AnswerOrigin]] = []
    for memory_id, evidence in memory_history.load_evidence(connection, sorted(owners)).items():
        with_words = (sentence for sentence in reversed(evidence) if sentence.quote)
        sentence = next(with_words, evidence[-1])
        link = jump_link(guild_id, sentence)
        origin = AnswerOrigin(
            owners[memory_id], sentence.channel_id, sentence.said_at, link, sentence.quote
        )
        origins.append(((SourceKind.MEMORY, memory_id), origin))
    for row in rows_for(connection, _MESSAGES, ids[SourceKind.MESSAGE], **parameters):
        is_linked = row.Revision != NO_MESSAGE
        link = message_link(guild_id, row.ChannelId, row.MessageId) if is_linked else None
        origin = AnswerOrigin(row.AuthorId, row.ChannelId, row.CreatedAt, link, row.Text)
        origins.append(((SourceKind.MESSAGE, row.MessageId), origin))
    for row in rows_for(connection, _SUMMARIES, ids[SourceKind.EPISODE], **parameters):
        origin = AnswerOrigin(0, row.ChannelId, row.SaidTo, None)
        origins.append(((SourceKind.EPISODE, row.EpisodeId), origin))
    origins.sort(key=lambda found: (shared[found[0]], found[1].said_at), reverse=True)
    by_place = {(origin.channel_id, origin.said_at): origin for _, origin in reversed(origins)}
    return list(reversed(by_place.values()))[:MAX_ORIGINS]


_SOURCES: BindParameter[Any] = bindparam("sources", expanding=True)
_MESSAGES = select(
    *(_EVENT[name] for name in ("MessageId", "ChannelId", "AuthorId", "CreatedAt", "Revision")),
    _EVENT.Text,
).where(
    _EVENT.GuildId == bindparam("guild_id"),
    _EVENT.MessageId.in_(IDS),
    _EVENT.SourceId.in_(_SOURCES),
    is_not_empty(_EVENT.Text),  # an edited message has an earlier revision without its words
    or_(_EVENT.AuthorId == bindparam("reader_id"), not_(_EVENT.Stems.contains(MARK))),
)
_MEMORIES = select(_MEMORY.Id, _MEMORY.UserId).where(
    _MEMORY.GuildId == bindparam("guild_id"),
    _MEMORY.Id.in_(IDS),
    _MEMORY.ChannelId.in_(_SOURCES),
    or_(_MEMORY.UserId == bindparam("reader_id"), IS_OPEN),
)
_SUMMARIES = select(_SUMMARY.EpisodeId, _SUMMARY.ChannelId, _SUMMARY.SaidTo).where(
    _SUMMARY.GuildId == bindparam("guild_id"),
    _SUMMARY.EpisodeId.in_(IDS),
    _SUMMARY.SourceId.in_(_SOURCES),
)
