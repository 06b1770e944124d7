"""Forgetting memories on request, with every copy of their text.

The caller of every function holds the member's lock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, not_, or_, select, update

from utils.common.text import one_line
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, chunks, has_rows, of_member, rows_for, values_for
from utils.database.erasure import dependants, note_context, versions
from utils.database.erasure.inventory import BLANK_EVIDENCE, BLANK_MEMORY
from utils.database.memories import audit, contexts, memories
from utils.database.memories.memory_rows import CURRENT
from utils.database.messages import changes
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import (
    WAS_SENT,
    memory_evidence,
    user_memory,
)
from utils.models.memory import NAME, Evidence, Form, Member, Status
from utils.nlp.stemming import repeats_others

_EVIDENCE, _MEMORY = memory_evidence.c, user_memory.c

_STATUSES = select(user_memory.c.Id, user_memory.c.Status)


@dataclass(frozen=True, slots=True)
class RetractResult:
    """Deleted memories with their words, and restored ones, each with what had replaced it.

    ``reworded`` are notes that became quotes again.
    """

    removed: list[int]
    restored: dict[int, int]
    reworded: list[int]
    words: frozenset[str]


def forget(
    connection: Connection,
    member: Member,
    memory_id: int,
    *,
    now: datetime,
    actor_id: int | None = None,
) -> dependants.Erased | None:
    """Blank a memory; returns the messages behind it and what went, for :func:`messages.erase`.

    Memories that it superseded are blanked too: they are earlier versions of it. So are later
    versions that rest on no other messages, such as an operator's edit, and quotes of the sentences
    that they rest on; quotes of other sentences of these messages stay. With a quote go notes that
    rest on its sentences only. Tombstones keep the messages from being learnt again. Returns None
    if the member has no such memory. ``actor_id`` is who asked for it, by default the member.
    """
    actor_id = member.user_id if actor_id is None else actor_id
    ids, messages = versions.load(connection, member, memory_id)
    if not ids:
        return None
    ids = [*dict.fromkeys((*ids, *_of_same_sentences(connection, member, ids, messages)))]
    # First: a replay on a restored backup starts with these entries.
    memories.record_erasure(connection, member, ids, now)
    tombstones.add(connection, member.guild_id, messages, now=now)
    words = dependants.words_of_memories(connection, ids)
    connection.execute(update(user_memory).where(user_memory.c.Id.in_(ids)).values(BLANK_MEMORY))
    connection.execute(
        update(memory_evidence).where(_EVIDENCE.MemoryId.in_(ids)).values(BLANK_EVIDENCE)
    )
    contexts.delete_for_memories(connection, ids)
    erase_copied_text(connection, member, messages)
    audit.blank_of(connection, ids)
    audit.add(connection, member, ids, "forgotten", now, actor_id)
    return dependants.Erased(messages, ids, words=words)


def retract(
    connection: Connection, member: Member, message_ids: Sequence[int], *, now: datetime
) -> RetractResult:
    """Remove messages as evidence; memories without other evidence are deleted.

    A memory with words that only these messages have becomes a quote of another message that
    supports it. What a deleted memory superseded is restored, also what was merged into a memory
    that has only the merged evidence left. A correction that replaced a deleted memory stays.
    """
    # Slash commands have ids in evidence too, and are no messages.
    commands = select(_EVIDENCE.MessageId).where(
        _EVIDENCE.GuildId == member.guild_id, _EVIDENCE.MessageId.in_(IDS), not_(WAS_SENT)
    )
    retracted = set(message_ids) - set(values_for(connection, commands, message_ids))
    orphans, lessened = [], []
    evidence = memories.load_evidence(connection, member)
    erase_copied_text(connection, member, message_ids)
    absorbed = _absorbed(connection, member, evidence)
    for memory_id, sources in evidence.items():
        before = {source.message_id for source in sources}
        remaining = before - retracted
        if remaining <= absorbed.get(memory_id, set()):
            if remaining < before:
                orphans.append(memory_id)
        elif remaining < before:
            lessened.append(memory_id)
            columns = memory_evidence.c
            is_retracted = and_(
                columns.MemoryId == memory_id, columns.MessageId.in_(before & retracted)
            )
            connection.execute(delete(memory_evidence).where(is_retracted))
            is_memory = user_memory.c.Id == memory_id
            counted = {"EvidenceCount": len(remaining)}
            connection.execute(update(user_memory).where(is_memory).values(counted))
    texts = select(_MEMORY.Id, _MEMORY.Memory).where(_MEMORY.Id.in_(IDS))
    unsupported = []
    for row in rows_for(connection, texts, lessened):
        sources = evidence[row.Id]
        left_quotes = [source.quote for source in sources if source.message_id not in retracted]
        erased_quotes = [  # one that is blank already may have said all of the note
            source.quote or row.Memory for source in sources if source.message_id in retracted
        ]
        if any(left_quotes) and repeats_others(row.Memory, left_quotes, erased_quotes):
            unsupported.append(row.Id)
    words = dependants.words_of_memories(connection, [*orphans, *unsupported])
    restored = _restore_superseded(connection, member, orphans)
    memories.remove(connection, member, orphans, "retracted", now=now, actor_id=member.user_id)
    reworded = note_context.fall_back(
        connection,
        member,
        message_ids=message_ids,
        memory_ids=orphans,
        unsupported=unsupported,
        now=now,
    )
    audit.add(connection, member, restored, "restored", now, member.user_id)
    return RetractResult(orphans, restored, reworded, words)


def _absorbed(
    connection: Connection, member: Member, evidence: Mapping[int, Sequence[Evidence]]
) -> dict[int, set[int]]:
    """Return, by memory, the messages that support what it superseded.

    A nightly merge of earlier versions copied evidence to the memory that took another in: such
    rows are in databases and archives.
    """
    superseded = select(_MEMORY.Id, _MEMORY.SupersededById).where(
        of_member(user_memory, member), _MEMORY.SupersededById.is_not(None)
    )
    absorbed: dict[int, set[int]] = {}
    for row in connection.execute(superseded):
        message_ids = {source.message_id for source in evidence.get(row.Id, ())}
        absorbed.setdefault(row.SupersededById, set()).update(message_ids)
    return absorbed


def _restore_superseded(
    connection: Connection, member: Member, deleted: Sequence[int]
) -> dict[int, int]:
    """Restore memories that deleted ones superseded; returns, by restored id, the deleted id.

    If a remaining memory superseded the deleted one, it supersedes the earlier ones instead.
    """
    superseded = select(_MEMORY.Id, _MEMORY.SupersededById).where(
        of_member(user_memory, member), _MEMORY.Status == Status.SUPERSEDED
    )
    successors, past = (
        {
            row.Id: row.SupersededById
            for row in rows_for(connection, superseded.where(key.in_(IDS)), deleted)
        }
        for key in (_MEMORY.Id, _MEMORY.SupersededById)
    )
    restored = {}
    for row_id, by in past.items():
        if row_id in deleted:
            continue
        successor: int | None = by
        while successor is not None and successor in deleted:
            successor = successors.get(successor)
        if successor is None:
            restored[row_id] = by
        status = Status.ACTIVE if successor is None else Status.SUPERSEDED
        change = {"Status": status, "SupersededById": successor}
        connection.execute(update(user_memory).where(_MEMORY.Id == row_id).values(change))
    return restored


def forget_all(connection: Connection, member: Member, *, now: datetime, actor_id: int) -> int:
    """Delete every memory of a member; returns how many of them could still be recalled.

    ``actor_id`` is who asked for it.
    """
    rows = connection.execute(_STATUSES.where(of_member(user_memory, member))).all()
    ids = [row.Id for row in rows]
    memories.remove(connection, member, ids, "erased", now=now, actor_id=actor_id)
    return sum(row.Status in CURRENT for row in rows)


def has_more(connection: Connection, member: Member, count: int, up_to: int | None = None) -> bool:
    """Return whether a member has at least that many memories, superseded ones included.

    ``up_to``: of those that do not rest only on messages after this one.
    """
    ids = select(user_memory.c.Id).where(_rests_on_messages_up_to(member, up_to)).limit(count)
    return len(connection.scalars(ids).all()) == count


def has_after(connection: Connection, member: Member, message_id: int) -> bool:
    """Return whether a member has memories that rest only on messages after one."""
    is_new = not_(_rests_on_messages_up_to(member, message_id))
    return has_rows(
        connection, select(user_memory.c.Id).where(of_member(user_memory, member), is_new)
    )


def _rests_on_messages_up_to(member: Member, message_id: int | None) -> ColumnElement[bool]:
    """Return the condition for a member's memories, but not those only from later messages."""
    is_theirs = of_member(user_memory, member)
    if message_id is None:
        return is_theirs
    of_memory = _EVIDENCE.MemoryId == user_memory.c.Id
    is_from_before = exists().where(of_memory, _EVIDENCE.MessageId <= message_id)
    is_from_after = exists().where(of_memory, _EVIDENCE.MessageId > message_id)
    return and_(is_theirs, or_(is_from_before, not_(is_from_after)))


def forget_some(
    connection: Connection,
    member: Member,
    limit: int,
    *,
    now: datetime,
    up_to: int | None = None,
) -> int:
    """Delete up to ``limit`` memories of a member, with the answers that were made from them.

    Returns how many of them could still be recalled. For a member whose messages are deleted.
    ``up_to``: keep those that rest only on messages after this one.
    """
    rows = connection.execute(
        _STATUSES.where(_rests_on_messages_up_to(member, up_to)).limit(limit)
    ).all()
    ids = [row.Id for row in rows]
    erased = dependants.Erased(memory_ids=ids, words=dependants.words_of_memories(connection, ids))
    dependants.erase_dependants(connection, member.guild_id, erased, now)
    memories.remove(connection, member, ids, "erased", now=now, actor_id=member.user_id)
    return sum(row.Status in CURRENT for row in rows)


def affected_members(
    connection: Connection, guild_id: int, message_ids: Sequence[int]
) -> list[Member]:
    """Return the members whose memories rest on these messages, and the authors of the messages.

    A memory also rests on the messages that supplied its context.
    """
    user_ids = changes.authors_of(connection, guild_id, message_ids)
    owners = (
        select(_MEMORY.UserId)
        .join(memory_evidence, _MEMORY.Id == _EVIDENCE.MemoryId)
        .where(_EVIDENCE.GuildId == guild_id, _EVIDENCE.MessageId.in_(IDS), WAS_SENT)
        .distinct()
    )
    user_ids.update(values_for(connection, owners, message_ids))
    resting = note_context.members_resting_on(connection, guild_id, message_ids)
    user_ids.update(member.user_id for member in resting)
    return [Member(guild_id, user_id) for user_id in sorted(user_ids)]


def erase_copied_text(connection: Connection, member: Member, message_ids: Sequence[int]) -> None:
    """Remove text of these messages from the member's memories that rest on other messages too.

    Removes quotes and search stems.
    """
    for ids in chunks(message_ids):
        quoting = and_(_EVIDENCE.GuildId == member.guild_id, _EVIDENCE.MessageId.in_(ids))
        connection.execute(update(memory_evidence).where(quoting).values(BLANK_EVIDENCE))
    dependants.drop_source_stems(connection, member, message_ids)


def _of_same_sentences(
    connection: Connection, member: Member, memory_ids: Sequence[int], message_ids: Sequence[int]
) -> list[int]:
    """Return the member's quotes of the sentences of these messages that memories rest on.

    All quotes of the messages, if it is not known which sentences those are. If the memories are
    quotes, also the notes that rest on one of these messages only: on these sentences, or, if it
    is no longer known on which, with words of them. The member's name stays.
    """
    query = (
        select(
            *(_MEMORY.Id, _MEMORY.Memory, _MEMORY.Form, _MEMORY.FactKey, _MEMORY.EvidenceCount),
            _EVIDENCE.Quote,
        )
        .join(memory_evidence, _MEMORY.Id == _EVIDENCE.MemoryId)
        .where(
            of_member(user_memory, member),
            _MEMORY.Status != Status.FORGOTTEN,
            _EVIDENCE.GuildId == member.guild_id,
            _EVIDENCE.MessageId.in_(IDS),
        )
    )
    said = {  # an earlier forgetting may have blanked what evidence quotes
        row: one_line(row.Memory if row.Form is Form.QUOTE else row.Quote or "")
        for row in rows_for(connection, query, message_ids)
    }
    sentences = {sentence for row, sentence in said.items() if row.Id in memory_ids}
    with_notes = {row.Form for row in said if row.Id in memory_ids} == {Form.QUOTE}
    ids = set()
    for row, text in said.items():
        is_such_note = with_notes and row.EvidenceCount == 1 and row.FactKey != NAME
        if row.Form is Form.QUOTE or is_such_note:
            is_same = any(sentence in text or text in sentence for sentence in sentences)
            if is_same if text else repeats_others(row.Memory, (), sentences):
                ids.add(row.Id)
    return sorted(ids)
