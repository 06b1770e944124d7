"""What a member asks to be kept secret: find which message it is, and mark what rests on it.

A mark (utils/nlp/confidential.py) keeps a message, its memories, and Kith's answers that rest on it
from everybody but the member. Units of work that mark hold the member's lock.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, Table, and_, bindparam, case, select, update

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    fetch_rows,
    is_member,
    member_parameters,
    rows_for,
    values_for,
)
from utils.database.erasure import lore
from utils.database.memories import members
from utils.database.messages import events, open_loops, summaries
from utils.database.schema.column_types import constant, is_not_empty
from utils.database.schema.memory_tables import (
    answer_source,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.memory import Event, EventState, Member, Role
from utils.models.provenance import SourceKind, SourceRef
from utils.nlp.confidential import (
    MARK,
    is_bare_request,
    is_confidential,
    named_texts,
    owners_of,
    with_mark,
    with_owners,
)
from utils.nlp.stemming import stems

MAX_BACK = 5
MAX_NAMED = 1_000  # messages among which a request names some
MAX_GAP = timedelta(hours=8)

_EVENT, _SOURCE, _MEMORY = memory_event.c, answer_source.c, user_memory.c
_IN_GUILD = _EVENT.GuildId == bindparam("guild_id")

_OWN = and_(
    _IN_GUILD,
    _EVENT.AuthorId == bindparam("user_id"),
    _EVENT.Role == Role.MEMBER,
    is_not_empty(_EVENT.Text),
)
_OWN_BEFORE = (
    select(_EVENT.MessageId, _EVENT.Text, _EVENT.Stems, _EVENT.ChannelId, _EVENT.CreatedAt)
    .where(
        _OWN,
        _EVENT.MessageId < bindparam("message_id"),
        _EVENT.State != constant(EventState.OVERHEARD),
    )
    .order_by(_EVENT.MessageId.desc(), _EVENT.Id.desc())
    .limit(MAX_NAMED)
)
_ANSWERED = select(_EVENT.ReplyToId).where(
    _IN_GUILD, _EVENT.MessageId == bindparam("message_id"), _EVENT.Role == Role.KITH
)
# An agent's note rests on no message; it stands for itself, as a negative id.
_SOURCE_ID = case(
    (memory_evidence.c.MessageId == 0, -_MEMORY.Id), else_=memory_evidence.c.MessageId
)
_OWN_NOTES = (
    select(_SOURCE_ID, _MEMORY.SearchStems)
    .join(memory_evidence, memory_evidence.c.MemoryId == _MEMORY.Id)
    .where(is_member(user_memory))
)
_OWN_TARGETS = select(_EVENT.MessageId, _EVENT.Text).where(_OWN, _EVENT.MessageId.in_(IDS))


def meant_by(connection: Connection, event: Event) -> list[int]:
    """Return the earlier messages that a member asks to keep secret.

    These are all that have the words which the request names, themselves or in a note made of them;
    of a note that the member typed, the id of the command; of an agent's note, minus its own id. If
    it says nothing itself, it is also their message that it replies to, at once or through Kith's
    answer to it; else their last one in the channel that says something.
    """
    if event.role is not Role.MEMBER or not is_confidential(event.text):
        return []
    parameters = member_parameters(event.member, message_id=event.message_id)
    before = list(connection.execute(_OWN_BEFORE, parameters))
    # What is left out of recall has no stems, and still stands among the channel's turns.
    words = {row.MessageId: row.Stems or " ".join(stems(row.Text)) for row in before}
    for message_id, note_stems in connection.execute(_OWN_NOTES, parameters):
        words[message_id] = " ".join([words.get(message_id, ""), note_stems.partition("\n")[0]])
    named = [*named_texts(event.text, words)]
    if not is_bare_request(event.text):
        return named
    own_rows = [
        row
        for row in before
        if row.ChannelId == event.channel_id and row.CreatedAt > event.created_at - MAX_GAP
    ]
    if event.reply_to_id is not None:
        reply = {"guild_id": event.guild_id, "message_id": event.reply_to_id}
        targets = [event.reply_to_id, connection.scalar(_ANSWERED, reply) or 0]
        own_rows = (
            rows_for(connection, _OWN_TARGETS, targets, **member_parameters(event.member))
            + own_rows
        )
    return (
        named + [row.MessageId for row in own_rows[:MAX_BACK] if not is_bare_request(row.Text)][:1]
    )


_REQUESTS_AFTER = select(*events.EVENT_COLUMNS).where(
    _OWN,
    _EVENT.MessageId > bindparam("message_id"),
    _EVENT.CreatedAt < bindparam("until"),
    _EVENT.Stems.contains(MARK),
)


def mark_meant(
    connection: Connection, event: Event, now: datetime, *, is_overtaken: bool = False
) -> None:
    """Mark what a new message asks to keep secret, or itself if one stored before it asks for that.

    The latter if it ``is_overtaken``: Discord sends many at once after a gap, or one of them late.
    """
    meant = meant_by(connection, event)
    if is_overtaken:
        parameters = member_parameters(
            event.member, message_id=event.message_id, until=event.created_at + MAX_GAP
        )
        later = [*map(events.event_from, connection.execute(_REQUESTS_AFTER, parameters))]
        meant += {event.message_id}.intersection(
            id_ for request in later for id_ in meant_by(connection, request)
        )
    mark(connection, event.member, meant, now)


_MARKED = select(_EVENT.MessageId).where(
    _IN_GUILD, _EVENT.MessageId.in_(IDS), _EVENT.Stems.contains(MARK)
)


def marked(connection: Connection, guild_id: int, message_ids: Collection[int]) -> list[int]:
    """Return those of these messages that are marked, by their words or by what refers to them."""
    return values_for(connection, _MARKED, message_ids, guild_id=guild_id)


_KEEP_MARK = (
    update(memory_event)
    .where(_IN_GUILD, _EVENT.MessageId == bindparam("message_id"))
    .values(Stems=MARK)
)


def keep_mark(connection: Connection, event: Event) -> None:
    """Mark the erased text of a message that is edited, so that its new text is stored marked."""
    connection.execute(_KEEP_MARK, {"guild_id": event.guild_id, "message_id": event.message_id})


def mark(
    connection: Connection, member: Member, message_ids: Collection[int], now: datetime
) -> None:
    """Keep a member's messages from others, and what rests on them.

    The memories that they support and the answers that rest on them are marked. The summaries made
    of them are written again without them, and stories that they tell are erased. What Kith was to
    bring up because of them comes by direct message, if the member asked for it, else not at all.
    """
    guild_id = member.guild_id
    message_ids = {*message_ids} - {*marked(connection, guild_id, message_ids)}
    if not message_ids:
        return
    members.lock(connection, member)
    lore.erase(connection, guild_id, lore.of_messages(connection, guild_id, [*message_ids]), now)
    own_events = _add_mark(connection, memory_event, _SAID_BY_THEM, message_ids, member)
    memories = _add_mark(connection, user_memory, _SUPPORTED, message_ids, member)
    replies = _add_mark(connection, memory_event, _REPLIES, message_ids, member)
    pending = {
        SourceKind.MESSAGE: message_ids,
        SourceKind.MEMORY: {row.Id for row in memories},
        SourceKind.EPISODE: {row.EpisodeId for row in (*own_events, *replies) if row.EpisodeId},
    }
    answer_ids, episode_ids = set[int](), set(pending[SourceKind.EPISODE])
    while any(pending.values()):
        answers = [
            row
            for kind, ids in pending.items()
            for row in _add_mark(
                connection, memory_event, _RESTING.where(_SOURCE.Kind == kind), ids, member
            )
        ]
        answer_ids.update(row.MessageId for row in answers)
        further = {row.EpisodeId for row in answers if row.EpisodeId} - episode_ids
        episode_ids |= further
        pending = {SourceKind.EPISODE: further}
    summaries.withhold(connection, guild_id, message_ids | answer_ids)
    open_loops.keep_private(connection, member, message_ids, now)
    members.invalidate_guild(connection, guild_id)


_ROWS = select(_EVENT.Id, _EVENT.Stems, _EVENT.MessageId, _EVENT.EpisodeId)
_SAID_BY_THEM = _ROWS.where(_OWN, _EVENT.MessageId.in_(IDS))
_SUPPORTED = (
    select(_MEMORY.Id, _MEMORY.SearchStems)
    .join(memory_evidence, memory_evidence.c.MemoryId == _MEMORY.Id)
    .where(is_member(user_memory), _SOURCE_ID.in_(IDS))
)
_IS_ANSWER = and_(_IN_GUILD, _EVENT.Role == Role.KITH, is_not_empty(_EVENT.Text))
_REPLIES = _ROWS.where(_IS_ANSWER, _EVENT.ReplyToId.in_(IDS))
_RESTING = _ROWS.join(answer_source, _SOURCE.EventId == _EVENT.Id).where(
    _IS_ANSWER, _SOURCE.GuildId == bindparam("guild_id"), _SOURCE.SourceId.in_(IDS)
)


def _add_mark(
    connection: Connection, table: Table, query: Select[Any], ids: Collection[int], member: Member
) -> list[Row[Any]]:
    """Mark the rows that a query returns, which has their Id and then their stems; returns all."""
    rows = rows_for(connection, query, ids, **member_parameters(member))
    name = "SearchStems" if table is user_memory else "Stems"
    for row_id, row_stems, *_ in rows:
        is_answer = query is not _SAID_BY_THEM and query is not _SUPPORTED
        marked = (
            with_owners(row_stems, [member.user_id]) if is_answer else with_mark(row_stems, MARK)
        )
        connection.execute(update(table).where(table.c.Id == row_id), {name: marked})
    return rows


_SAID = select(_EVENT.MessageId, _EVENT.Role, _EVENT.AuthorId, _EVENT.Text, _EVENT.Stems).where(
    _IN_GUILD, _EVENT.MessageId.in_(IDS)
)
_NOTED = select(_MEMORY.UserId, _MEMORY.Memory, _MEMORY.SearchStems).where(
    _MEMORY.GuildId == bindparam("guild_id"), _MEMORY.Id.in_(IDS)
)


def confided_by(
    connection: Connection, answer: Event, sources: Sequence[SourceRef]
) -> frozenset[int]:
    """Return whose confidences are among all that an answer rests on, its ``sources``.

    Of a message that is not stored, only the earlier answers that rest on it know that it is one.
    """
    ids = grouped((ref.kind, ref.id) for ref in sources)
    guild_id, earlier_ids = answer.guild_id, answer.provenance.answer_ids
    said = fetch_rows(
        connection, _SAID, {*ids[SourceKind.MESSAGE], *earlier_ids}, guild_id=guild_id
    )
    noted = fetch_rows(connection, _NOTED, {*ids[SourceKind.MEMORY]}, guild_id=guild_id)
    told = [(row.AuthorId, row.Text, row.Stems) for row in said if row.Role is Role.MEMBER]
    owners = frozenset(user_id for user_id, *words in (*told, *noted) if is_confidential(*words))
    stored_ids = {row.MessageId for row in said}
    unstored = {
        ref.user_id
        for ref in sources
        if ref.kind is SourceKind.MESSAGE and ref.id not in stored_ids
    }
    for row in said:
        if row.Role is Role.KITH and (confiders := owners_of(row.Stems)):
            repeats = not {*stems(answer.text)}.isdisjoint(stems(row.Text))
            owners |= {owner for owner in confiders if repeats or owner in unstored}
    return owners.union(answer.provenance.confided_by)
