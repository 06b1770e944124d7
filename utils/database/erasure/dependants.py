"""Erase what rests on erased words: Kith's answers, summaries of episodes, open loops.

An answer is blanked with any message, memory or summary that its prompt held (answer_sources.py).
It is queued to be deleted on Discord too if it was made from the erased words: they were recalled
for it, alone or in a past episode's summary, or it shares a word with them. That a message only
stood in the running conversation, or in its summary, is not enough, or one deleted message would
take every answer of the minutes after it from everybody.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    chunks,
    has_rows,
    of_member,
    rows_for,
    run_for,
    values_for,
)
from utils.database.core.scrubber import owe
from utils.database.erasure import answer_removals, note_context
from utils.database.erasure.inventory import BLANK_MESSAGE
from utils.database.messages import attachment_texts, summaries
from utils.database.messages.answer_sources import ERASED
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    answer_source,
    artifact_text,
    loop_source,
    memory_event,
    memory_evidence,
    open_loop,
    user_memory,
)
from utils.models.memory import Event, Member, Role
from utils.models.provenance import SourceKind, SourceRole
from utils.nlp.confidential import with_mark
from utils.nlp.stemming import stems

_EVIDENCE, _MEMORY, _EVENT, _SOURCE, _LOOP_SOURCE, _LOOP = (
    memory_evidence.c,
    user_memory.c,
    memory_event.c,
    answer_source.c,
    loop_source.c,
    open_loop.c,
)


@dataclass(frozen=True, slots=True)
class Erased:
    """What is erased from a server: messages, memories and summaries, and their words.

    ``words`` are the stems that are erased; an edit leaves some of a message's words as they were.
    ``is_deleted``: the messages are deleted on Discord, where Kith's answers must not stay either.
    ``is_expired``: nothing was forgotten, it only ended; Kith's answers stay on Discord.
    """

    message_ids: Collection[int] = ()
    memory_ids: Collection[int] = ()
    episode_ids: Collection[int] = ()
    words: frozenset[str] = frozenset()
    is_deleted: bool = False
    is_expired: bool = False


NOTHING_ERASED = Erased()


def erase_dependants(connection: Connection, guild_id: int, erased: Erased, now: datetime) -> None:
    """Erase what rests on erased words, what rests on that, and so on.

    Notes whose context is erased become quotes of their own sentences again, of all members.
    Call it in the unit of work that erases them, under the locks of the members they belong to.
    """
    owe(connection)  # also where the ledger records nothing: the messages are not stored
    pending = {
        SourceKind.MESSAGE: set(erased.message_ids),
        SourceKind.MEMORY: set(erased.memory_ids),
        SourceKind.EPISODE: set(erased.episode_ids),
    }
    known_episodes, known_memories = set(erased.episode_ids), set(erased.memory_ids)
    known_answers: set[int] = set()  # blanked by now: whether they repeat a word is judged once
    while any(pending.values()):
        answers = _answers_resting_on(connection, guild_id, pending)
        query = _ANSWERS.where(_EVENT.GuildId == guild_id, _EVENT.ReplyToId.in_(IDS))
        replies = _by_id(rows_for(connection, query, pending[SourceKind.MESSAGE]))
        for event_id, reply in replies.items():
            answers.setdefault(event_id, reply).is_recalled |= erased.is_deleted
        delete_loops(connection, guild_id, pending[SourceKind.MESSAGE])
        made_from_them = {
            event_id: answer
            for event_id, answer in answers.items()
            if not erased.is_expired
            and (
                answer.is_recalled
                or (event_id not in known_answers and answer.may_repeat(erased.words))
            )
        }
        known_answers |= answers.keys()
        remove_posts(connection, guild_id, made_from_them, now)
        episode_ids = blank(connection, guild_id, list(answers)) - known_episodes
        known_episodes |= episode_ids
        answer_ids = {answer.message_id for answer in answers.values()}
        delete_loops(connection, guild_id, answer_ids)
        reworded = note_context.fall_back_everywhere(
            connection,
            guild_id,
            message_ids=pending[SourceKind.MESSAGE] | answer_ids,
            memory_ids=pending[SourceKind.MEMORY],
            now=now,
        )
        memory_ids = set(reworded) - known_memories
        known_memories |= memory_ids
        pending = {
            SourceKind.MESSAGE: set(),
            SourceKind.MEMORY: memory_ids,
            SourceKind.EPISODE: episode_ids,
        }


@dataclass(slots=True)
class DependentAnswer:
    """An answer that rests on erased words; ``is_recalled``: it was made from them in any case.

    They were recalled for it, or it answers a message that was deleted on Discord.
    Its text is empty if it was blanked before and left standing on Discord.
    """

    channel_id: int
    message_id: int
    text: str
    is_recalled: bool = False

    def may_repeat(self, words: frozenset[str]) -> bool:
        """Return whether it has one of these words, as far as is still known."""
        return not self.text or not words.isdisjoint(stems(self.text))


def _answers_resting_on(
    connection: Connection, guild_id: int, sources: dict[SourceKind, set[int]]
) -> dict[int, DependentAnswer]:
    """Return the answers that rest on any of these sources, by their database id."""
    answers: dict[int, DependentAnswer] = {}
    for kind, source_ids in sources.items():
        query = (
            select(_EVENT.Id, _EVENT.ChannelId, _EVENT.MessageId, _EVENT.Text, _SOURCE.Role)
            .join_from(answer_source, memory_event, _EVENT.Id == _SOURCE.EventId)
            .where(_SOURCE.GuildId == guild_id, _SOURCE.Kind == kind, _SOURCE.SourceId.in_(IDS))
        )
        for event_id, *values, role in rows_for(connection, query, source_ids):
            answer = answers.setdefault(event_id, DependentAnswer(*values))
            answer.is_recalled |= role is SourceRole.RECALLED
    return answers


def has_dependants(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> bool:
    """Return whether an answer or open loop rests on any of these messages, stored or not."""
    in_answer = select(_SOURCE.EventId).where(
        _SOURCE.GuildId == guild_id,
        _SOURCE.Kind == SourceKind.MESSAGE,
        _SOURCE.SourceId.in_(IDS),
    )
    in_loop = select(loop_source.c.LoopId).where(
        loop_source.c.GuildId == guild_id, loop_source.c.MessageId.in_(IDS)
    )
    return any(rows_for(connection, query.limit(1), message_ids) for query in (in_answer, in_loop))


def is_quoted_before(connection: Connection, edited: Event) -> bool:
    """Return whether an answer from before an edit rests on its message, stored or not."""
    return has_rows(
        connection,
        select(_EVENT.Id)
        .join_from(answer_source, memory_event, _EVENT.Id == _SOURCE.EventId)
        .where(
            _SOURCE.GuildId == edited.guild_id,
            _SOURCE.Kind == SourceKind.MESSAGE,
            _SOURCE.SourceId == edited.message_id,
            _EVENT.CreatedAt < datetime.fromtimestamp(edited.revision / 1000, UTC),
        ),
    )


# --- answers ------------------------------------------------------------------------------------


_BLANK = {
    **BLANK_MESSAGE,
    "Stems": case((_EVENT.Stems == ERASED, _EVENT.Stems), else_=literal("", _EVENT.Stems.type)),
}


def blank(connection: Connection, guild_id: int, event_ids: Sequence[int]) -> set[int]:
    """Blank messages by database id; returns the episodes whose summaries went with them.

    Answers keep their sources until they are deleted on Discord.
    """
    episode_ids: set[int] = set()
    for ids in chunks(event_ids):
        these = and_(_EVENT.GuildId + 0 == guild_id, _EVENT.Id.in_(ids))  # see erase_summaries
        episode_ids |= summaries.erase_summaries(connection, guild_id, these)
        connection.execute(update(memory_event).where(these).values(_BLANK))
    return episode_ids


def remove_posts(
    connection: Connection,
    guild_id: int,
    answers: Mapping[int, DependentAnswer],
    now: datetime,
) -> None:
    """Queue answers, by their database ids, to be deleted on Discord."""
    posts = [(answer.channel_id, answer.message_id) for answer in answers.values()]
    answer_removals.queue(connection, guild_id, posts, now)


def drop_sources(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> None:
    """Delete the sources of answers that no longer stand on Discord."""
    are_these = and_(
        _EVENT.GuildId == guild_id, _EVENT.MessageId.in_(IDS), _EVENT.Role == Role.KITH
    )
    event_ids = values_for(connection, select(_EVENT.Id).where(are_these), message_ids)
    hand_on_sources(connection, guild_id, event_ids)
    run_for(connection, delete(answer_source).where(_SOURCE.EventId.in_(IDS)), event_ids)
    erased = and_(_EVENT.Id.in_(IDS), ~is_not_empty(_EVENT.Text))
    run_for(connection, update(memory_event).where(erased).values(Stems=ERASED), event_ids)


def hand_on_sources(connection: Connection, guild_id: int, event_ids: Collection[int]) -> None:
    """Let what was told by a summary of answers rest on these answers' own sources.

    Call it before answers, by database id, lose their sources or their episode: only they lead from
    words that others erase later to the answers that had these words from the summary.
    """
    told, has_it = answer_source.alias(), answer_source.alias()
    pairs = (
        select(
            told.c.EventId,
            _SOURCE.Kind,
            _SOURCE.SourceId,
            _SOURCE.GuildId,
            func.max(_SOURCE.UserId),
            literal(SourceRole.INHERITED, _SOURCE.Role.type),
        )
        .join_from(answer_source, memory_event, _EVENT.Id == _SOURCE.EventId)
        .join(
            told,
            and_(
                told.c.GuildId == guild_id,
                told.c.Kind == SourceKind.EPISODE,
                told.c.SourceId == _EVENT.EpisodeId,
            ),
        )
        .where(
            _SOURCE.EventId.in_(IDS),
            ~exists().where(
                has_it.c.EventId == told.c.EventId,
                has_it.c.Kind == _SOURCE.Kind,
                has_it.c.SourceId == _SOURCE.SourceId,
            ),
        )
        .group_by(told.c.EventId, _SOURCE.Kind, _SOURCE.SourceId, _SOURCE.GuildId)
    )
    run_for(connection, insert(answer_source).from_select(list(answer_source.c), pairs), event_ids)


# Built once: building costs more than running.
_ANSWERS = (
    select(_EVENT.Id, _EVENT.ChannelId, _EVENT.MessageId, _EVENT.Text)
    .where(
        _EVENT.Role == Role.KITH,
        or_(is_not_empty(_EVENT.Text), exists().where(_SOURCE.EventId == _EVENT.Id)),
    )
    .order_by(_EVENT.Id.desc())
)


def answers_where(
    connection: Connection, guild_id: int, condition: ColumnElement[bool], limit: int
) -> dict[int, DependentAnswer]:
    """Return Kith's newest answers that meet a condition, by their database id.

    Leaves out those that are blanked and were deleted on Discord.
    """
    query = _ANSWERS.where(_EVENT.GuildId == guild_id, condition).limit(limit)
    return _by_id(connection.execute(query))


def _by_id(rows: Iterable[Any]) -> dict[int, DependentAnswer]:
    return {row.Id: DependentAnswer(row.ChannelId, row.MessageId, row.Text) for row in rows}


def words_of_messages(
    connection: Connection, guild_id: int, message_ids: Sequence[int]
) -> frozenset[str]:
    """Return the stems of messages and of their attachments, before they are erased."""
    texts = select(_EVENT.Text).where(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(IDS))
    attached = select(artifact_text.c.Text).where(attachment_texts.are_of_messages(guild_id))
    return frozenset(
        stem
        for query in (texts, attached)
        for text in values_for(connection, query, message_ids)
        for stem in stems(text)
    )


def words_of_memories(connection: Connection, memory_ids: Sequence[int]) -> frozenset[str]:
    """Return the stems of memories, before they are erased."""
    texts = values_for(
        connection, select(user_memory.c.Memory).where(user_memory.c.Id.in_(IDS)), memory_ids
    )
    return frozenset(stem for text in texts for stem in stems(text))


def drop_source_stems(connection: Connection, member: Member, message_ids: Sequence[int]) -> None:
    """Drop the stems of these messages from the member's memories that rest on them.

    The memories' own stems stay, and what is confidential stays marked.
    """
    query = (
        select(_MEMORY.Id, _MEMORY.SearchStems)
        .join(memory_evidence, _MEMORY.Id == _EVIDENCE.MemoryId)
        .where(
            of_member(user_memory, member),
            _EVIDENCE.GuildId == member.guild_id,
            _EVIDENCE.MessageId.in_(IDS),
        )
    )
    for row_id, stored in rows_for(connection, query, message_ids):
        own_stems, separator, _ = stored.partition("\n")
        if separator:
            connection.execute(
                update(user_memory).where(_MEMORY.Id == row_id),
                {"SearchStems": with_mark(own_stems, stored)},
            )


# --- open loops -------------------------------------------------------------------


def delete_loops(connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
    """Delete the open loops that were made of these messages, or repeat their words."""
    repeating = select(_LOOP_SOURCE.LoopId).where(
        _LOOP_SOURCE.GuildId == guild_id, _LOOP_SOURCE.MessageId.in_(IDS)
    )
    is_from_them = or_(_LOOP.MessageId.in_(IDS), _LOOP.Id.in_(repeating))
    run_for(
        connection, delete(open_loop).where(_LOOP.GuildId == guild_id, is_from_them), message_ids
    )
