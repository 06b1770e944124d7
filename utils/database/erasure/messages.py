"""Erasing messages, with everything that was made from them.

Summaries, open loops and attachment texts go in the same unit of work, before the messages.
"""

from collections.abc import Sequence, Set
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    delete_all,
    has_rows,
    rows_for,
    run_for,
    values_for,
)
from utils.database.erasure import dependants, lore, note_context
from utils.database.erasure.answer_removals import MAX_QUEUED_AT_ONCE
from utils.database.erasure.deletion import delete_of_member, delete_of_messages
from utils.database.erasure.dependants import NOTHING_ERASED, DependentAnswer, Erased
from utils.database.erasure.inventory import Extent
from utils.database.messages import answer_sources, summaries
from utils.database.messages.answer_sources import Key
from utils.database.schema.memory_tables import (
    NO_EPISODE,
    answer_source,
    artifact,
    episode_member,
    loop_source,
    memory_event,
    memory_evidence,
    open_loop,
)
from utils.models.memory import SERVER_USER_ID, Member, Role
from utils.models.provenance import SourceKind, SourceRole
from utils.nlp.stemming import stems

_SOURCE, _EVENT, _MEMBER, _LOOP_SOURCE = (
    answer_source.c,
    memory_event.c,
    episode_member.c,
    loop_source.c,
)


MAX_MESSAGE_ID = 2**63 - 1


def is_any_stored(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> bool:
    """Return whether any of these messages is stored, with or without its text."""
    are_these = and_(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(message_ids))
    return has_rows(connection, select(_EVENT.Id).where(are_these))


def erase(
    connection: Connection,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    *,
    memories: Erased = NOTHING_ERASED,
    new_text: str | None = None,
    is_deleted: bool = False,
    keeps_attachments: bool = False,
) -> None:
    """Blank messages, Kith's answers to them, and what rests on them.

    Only their ids stay, so that none is stored again.

    Args:
        connection: the caller's unit of work.
        guild_id: the server.
        message_ids: the messages.
        now: the time.
        memories: the memories that are erased with the messages.
        new_text: what an edit leaves of the one message; its other words are erased. Only its
            attachments go then, as watching sees edits itself.
        is_deleted: the messages are deleted on Discord, so Kith's answers to them are as well.
        keeps_attachments: the messages are about to be stored with another text.
    """
    lore.erase(connection, guild_id, lore.of_messages(connection, guild_id, message_ids), now)
    words = dependants.words_of_messages(connection, guild_id, message_ids)
    words = words - frozenset(stems(new_text or "")) | memories.words
    erased = Erased(message_ids, memories.memory_ids, words=words, is_deleted=is_deleted)
    dependants.erase_dependants(connection, guild_id, erased, now)
    if new_text is None:
        delete_of_messages(connection, guild_id, message_ids)
    elif not keeps_attachments:
        delete_of_messages(connection, guild_id, message_ids, artifact)
    if is_deleted:
        dependants.drop_sources(connection, guild_id, message_ids)
    are_these = and_(_EVENT.GuildId == guild_id, _EVENT.MessageId.in_(IDS))
    event_ids = values_for(connection, select(_EVENT.Id).where(are_these), message_ids)
    erased = Erased(episode_ids=dependants.blank(connection, guild_id, event_ids), words=words)
    dependants.erase_dependants(connection, guild_id, erased, now)


def erase_member(
    connection: Connection, member: Member, now: datetime, only: Sequence[int] | None = None
) -> int:
    """Delete a member's messages with all that was made from them, and Kith's answers to or about
    them; returns how many messages of the member were deleted.

    Call it before the member's memories are deleted: their words show which answers repeat them.

    Args:
        connection: the caller's unit of work.
        member: whose messages.
        now: the time.
        only: delete only these messages, at most IDS_PER_STATEMENT; the newest have to go first,
            as an answer rests on what was said before it.
    """
    columns, source, guild_id = memory_event.c, answer_source.c, member.guild_id
    lore.erase(connection, guild_id, lore.of_member(connection, member), now)
    is_theirs = columns.AuthorId == member.user_id
    of_answers = _answers_to_or_about(member)
    if only is not None:
        is_theirs = and_(is_theirs, columns.MessageId.in_(only))
        resting = select(source.EventId).where(
            source.GuildId == guild_id,
            source.Kind == SourceKind.MESSAGE,
            source.SourceId.in_(only),
        )
        of_answers = (columns.ReplyToId.in_(only), columns.Id.in_(resting))
    of_answers = tuple(and_(columns.Role == Role.KITH, part) for part in of_answers)
    answers: dict[int, DependentAnswer] = {}
    for condition in of_answers:
        answers |= dependants.answers_where(connection, guild_id, condition, MAX_QUEUED_AT_ONCE)
    made_from_words, words = _made_from_words_of(connection, member, answers)
    dependants.remove_posts(connection, guild_id, made_from_words, now)
    conditions = [and_(columns.GuildId == guild_id, part) for part in (*of_answers, is_theirs)]
    said_ids = only or connection.scalars(select(columns.MessageId).where(conditions[-1])).all()
    words |= dependants.words_of_messages(connection, guild_id, said_ids)
    # Before any answer is blanked: its text shows whether it repeats what a summary said.
    episode_ids = _erase_summaries(connection, guild_id, conditions)
    erased = Erased(episode_ids=episode_ids, words=words)
    dependants.erase_dependants(connection, guild_id, erased, now)
    dependants.hand_on_sources(connection, guild_id, answers)
    _leave_standing(connection, member, answers.keys() - made_from_words.keys())
    _delete_loops_repeating(connection, member)
    context_ids = note_context.context_of_others(connection, member)
    dependants.erase_dependants(connection, guild_id, Erased(*context_ids), now)
    if only is not None:
        delete_of_messages(connection, guild_id, only)
    later_ids = _erase_summaries(connection, guild_id, conditions) - episode_ids
    *_, deleted = [delete_all(connection, memory_event, condition) for condition in conditions]
    answer_ids = [answer.message_id for answer in answers.values()]
    dependants.delete_loops(connection, guild_id, answer_ids)
    erased = Erased(episode_ids=later_ids, words=words)
    dependants.erase_dependants(connection, guild_id, erased, now)
    if only is None:
        # Last: by now, every transaction that assigns these messages to episodes has committed.
        delete_of_member(connection, member, Extent.MESSAGES)
    return deleted


def newest_of(connection: Connection, member: Member, limit: int, up_to: int) -> list[int]:
    """Return the ids of a member's newest messages up to one, for :func:`erase_member`."""
    of_member_ = and_(_EVENT.GuildId == member.guild_id, _EVENT.AuthorId == member.user_id)
    newest = select(_EVENT.MessageId).where(of_member_, _EVENT.MessageId <= up_to)
    return list(connection.scalars(newest.order_by(_EVENT.Id.desc()).limit(limit)))


def last_id(connection: Connection, guild_id: int) -> int:
    """Return the highest id of a server's messages, those that memories rest on included."""
    newest = (
        select(func.max(table.c.MessageId)).where(table.c.GuildId == guild_id)
        for table in (memory_event, memory_evidence)
    )
    return max(connection.scalar(query) or 0 for query in newest)


def has_after(connection: Connection, member: Member, message_id: int) -> bool:
    """Return whether a member has messages after one."""
    return has_rows(
        connection,
        select(_EVENT.Id).where(
            _EVENT.GuildId == member.guild_id,
            _EVENT.AuthorId == member.user_id,
            _EVENT.MessageId > message_id,
        ),
    )


def _answers_to_or_about(member: Member) -> tuple[ColumnElement[bool], ...]:
    columns, source, prompt = memory_event.c, answer_source.c, memory_event.alias().c
    answered = select(prompt.MessageId).where(
        prompt.GuildId == member.guild_id, prompt.AuthorId == member.user_id
    )
    resting = select(source.EventId).where(
        source.GuildId == member.guild_id, source.UserId == member.user_id
    )
    return (
        columns.ReplyToId.in_(answered),
        memory_event.c.AboutIds.contains(f" {member.user_id} "),
        columns.Id.in_(resting),
    )


def _erase_summaries(
    connection: Connection, guild_id: int, conditions: Sequence[ColumnElement[bool]]
) -> set[int]:
    """Delete the summaries of messages that meet any condition; returns their episodes."""
    erased = (summaries.erase_summaries(connection, guild_id, part) for part in conditions)
    return set().union(*erased)


def _leave_standing(connection: Connection, member: Member, event_ids: Set[int]) -> None:
    """Blank answers that stay on Discord and rest on other members' words as well.

    They no longer name this member.
    """
    with_others = select(_MEMBER.EpisodeId).where(
        _MEMBER.GuildId == member.guild_id, _MEMBER.UserId != member.user_id
    )
    of_others = or_(
        _SOURCE.UserId.not_in((member.user_id, SERVER_USER_ID)),
        and_(_SOURCE.Kind == SourceKind.EPISODE, _SOURCE.SourceId.in_(with_others)),
    )
    shared = values_for(
        connection,
        select(_SOURCE.EventId).where(_SOURCE.EventId.in_(IDS), of_others).distinct(),
        event_ids,
    )
    dependants.blank(connection, member.guild_id, shared)
    unlinked = {"AboutIds": "", "ReplyToId": None, "EpisodeId": NO_EPISODE}
    for change in (
        update(memory_event).where(memory_event.c.Id.in_(IDS)).values(unlinked),
        delete(answer_source).where(_SOURCE.EventId.in_(IDS), _SOURCE.UserId == member.user_id),
    ):
        run_for(connection, change, shared)


def _made_from_words_of(
    connection: Connection, member: Member, answers: dict[int, DependentAnswer]
) -> tuple[dict[int, DependentAnswer], frozenset[str]]:
    """Return the answers made from a member's words: recalled for them, or with a word of them.

    Also returns the stems of these words, as far as they are still stored.
    """
    used: dict[int, set[Key]] = {event_id: set() for event_id in answers}
    sources = select(_SOURCE.EventId, _SOURCE.Kind, _SOURCE.SourceId, _SOURCE.Role).where(
        _SOURCE.EventId.in_(IDS), _SOURCE.UserId == member.user_id
    )
    for row in rows_for(connection, sources, answers):
        answers[row.EventId].is_recalled |= row.Role is SourceRole.RECALLED
        used[row.EventId].add((row.Kind, row.SourceId))
    prompts = select(_EVENT.Id, _EVENT.ReplyToId).where(_EVENT.Id.in_(IDS))
    for event_id, prompt_id in rows_for(connection, prompts, answers):
        used[event_id].add((SourceKind.MESSAGE, prompt_id or 0))
    keys = {key for keys in used.values() for key in keys}
    stored = {
        key: answer
        for key, answer in answer_sources.load(connection, member.guild_id, keys).items()
        if answer.user_id == member.user_id
    }
    made_from_words = {
        event_id: answer
        for event_id, answer in answers.items()
        if answer.is_recalled
        or any(answer.may_repeat(stored[key].stems) for key in used[event_id] & stored.keys())
    }
    return made_from_words, frozenset().union(*(source.stems for source in stored.values()))


def _delete_loops_repeating(connection: Connection, member: Member) -> None:
    """Delete other members' open loops that repeat words of this member."""
    repeating = (
        select(_LOOP_SOURCE.LoopId)
        .join_from(
            loop_source,
            memory_event,
            and_(
                _EVENT.GuildId == _LOOP_SOURCE.GuildId, _EVENT.MessageId == _LOOP_SOURCE.MessageId
            ),
        )
        .where(_EVENT.GuildId == member.guild_id, _EVENT.AuthorId == member.user_id)
    )
    connection.execute(
        delete(open_loop).where(
            open_loop.c.GuildId == member.guild_id, open_loop.c.Id.in_(repeating)
        )
    )
