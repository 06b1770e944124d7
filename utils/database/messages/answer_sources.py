"""What Kith's answers rest on: found when an answer is recorded, and stored with it.

An answer rests on everything that its prompt held. Through each earlier answer in the prompt, it
also rests on what that one held, and on what that one had inherited and still repeats. So words
stay known as long as answers hand them on, and are dropped once no answer repeats them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, exists, insert, or_, select

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, change_rows, fetch_rows, values_for
from utils.database.messages import attachment_texts, changes, episodes, events
from utils.database.privacy import tombstones
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    answer_source,
    artifact,
    artifact_text,
    episode_summary,
    memory_event,
    open_loop,
    user_memory,
)
from utils.models.memory import Event, Role, Status
from utils.models.provenance import MAX_INHERITED, SourceKind, SourceRef, SourceRole
from utils.nlp.stemming import stems

Key = tuple[SourceKind, int]
"""The kind and id of a source."""

_SOURCE, _EVENT, _MEMORY = answer_source.c, memory_event.c, user_memory.c
_SUMMARY = episode_summary.c

# Built once, as the statements below: building costs more than running.
_IN_GUILD = _EVENT.GuildId == bindparam("guild_id")


@dataclass(frozen=True, slots=True)
class StoredSource:
    """What is stored of a source: whose it is, its text, and when it ends at the latest."""

    user_id: int
    text: str
    ends_at: datetime | None

    @property
    def stems(self) -> frozenset[str]:
        """The words of the text."""
        return frozenset(stems(self.text))


# --- recording ----------------------------------------------------------------------------------


def resolve(
    connection: Connection, answer: Event, max_age: timedelta
) -> tuple[list[SourceRef], datetime | None]:
    """Return all that an answer rests on, with whose each source is, and when the first one ends.

    A memory that expires by itself ends ``max_age`` after it was last said, or when it expires.
    """
    provenance = answer.provenance
    refs = {(source.kind, source.id): source for source in provenance.sources}
    inherited, repeated_by = _inherited(connection, answer.guild_id, provenance.answer_ids, refs)
    stored = load(connection, answer.guild_id, [*refs, *inherited], max_age)
    repeated = [key for key in inherited if key in stored and stored[key].stems & repeated_by[key]]
    direct = [key for key, ref in inherited.items() if ref.role is not SourceRole.INHERITED]
    first = list(dict.fromkeys((*repeated, *direct)))[:MAX_INHERITED]
    refs |= {key: inherited[key]._replace(role=SourceRole.INHERITED) for key in first}
    owned = [
        ref._replace(user_id=ref.user_id or (stored[key].user_id if key in stored else 0))
        for key, ref in refs.items()
    ]
    ends = [end for key in refs if key in stored and (end := stored[key].ends_at) is not None]
    asked_by_command = [
        loop_id
        for loop_id, message_id in provenance.loops
        if (SourceKind.MESSAGE, message_id) not in stored
    ]
    ends += values_for(connection, _LOOP_ENDS, asked_by_command)
    return owned, min(ends, default=None)


_LOOP_ENDS = select(open_loop.c.ExpiresAt).where(open_loop.c.Id.in_(IDS))


_INHERITED = (
    select(_SOURCE.Kind, _SOURCE.SourceId, _SOURCE.Role, _SOURCE.UserId, _EVENT.Text)
    .join_from(memory_event, answer_source, _SOURCE.EventId == _EVENT.Id)
    .where(_IN_GUILD, _EVENT.MessageId.in_(IDS), _EVENT.Role == Role.KITH)
)


def _inherited(
    connection: Connection, guild_id: int, answer_ids: Sequence[int], known: Collection[Key]
) -> tuple[dict[Key, SourceRef], dict[Key, set[str]]]:
    """Return what earlier answers rest on, and by source the words of the answers that have it.

    What such an answer's prompt held comes first.
    """
    rows = fetch_rows(connection, _INHERITED, answer_ids, guild_id=guild_id)
    words = {text: set(stems(text)) for text in {row.Text for row in rows}}
    refs: dict[Key, SourceRef] = {}
    repeated_by: dict[Key, set[str]] = {}
    for row in sorted(rows, key=lambda row: row.Role is SourceRole.INHERITED):
        key = row.Kind, row.SourceId
        if key not in known:
            refs.setdefault(key, SourceRef(row.Kind, row.SourceId, row.Role, row.UserId))
            repeated_by.setdefault(key, set()).update(words[row.Text])
    return refs, repeated_by


ERASED = "+erased"
"""In place of the stems of an answer that was erased before it was deleted on Discord: one that is
being written, and whose prompt has it, repeats what was erased."""
_DELETED_ALONE = and_(
    _EVENT.Role == Role.KITH,
    _EVENT.Stems != ERASED,
    ~exists().where(_SOURCE.EventId == _EVENT.Id),
)
_REMAINING_EVENTS = (
    select(_EVENT.Id)
    .where(_EVENT.Id.in_(IDS), or_(is_not_empty(_EVENT.Text), _DELETED_ALONE))
    .distinct()
)
_REMAINING_MEMORIES = (
    select(_MEMORY.Id).where(_MEMORY.Id.in_(IDS), _MEMORY.Status != Status.FORGOTTEN).distinct()
)
_REMAINING_EPISODES = (
    select(_SUMMARY.EpisodeId)
    .where(_SUMMARY.EpisodeId.in_(IDS), _SUMMARY.GuildId == bindparam("guild_id"))
    .distinct()
)


def is_any_erased(connection: Connection, answer: Event, refs: Sequence[SourceRef]) -> bool:
    """Return whether something was erased or edited since an answer's prompt was made.

    An earlier answer of Kith's counts if it was erased with what it rested on, not if somebody
    deleted it. That the message itself that it answers was forgotten does not count: the answer may
    say so.

    Args:
        connection: the caller's unit of work, which holds the locks of the members concerned.
        answer: the answer, with what its prompt held.
        refs: what the prompt held, and what is inherited.
    """
    provenance = answer.provenance
    by_kind = grouped((ref.kind, ref.id) for ref in refs)
    ids_by_query = (
        (_REMAINING_EVENTS, provenance.event_ids),
        (_REMAINING_MEMORIES, by_kind[SourceKind.MEMORY]),
        (_REMAINING_EPISODES, by_kind[SourceKind.EPISODE]),
    )
    is_gone = any(
        len(fetch_rows(connection, query, {*ids}, guild_id=answer.guild_id)) < len({*ids})
        for query, ids in ids_by_query
    )
    return (
        is_gone
        or changes.edited_since(connection, answer.guild_id, provenance.revisions)
        or _is_loop_erased(connection, answer)
    )


_LOOPS = select(open_loop.c.Id).where(open_loop.c.Id.in_(IDS))


def _is_loop_erased(connection: Connection, answer: Event) -> bool:
    """Return whether an open loop is gone with its message, and not because a member dropped it."""
    message_ids = dict(answer.provenance.loops)
    for stored_id in values_for(connection, _LOOPS, message_ids):
        del message_ids[stored_id]
    missing_ids, guild_id = set(message_ids.values()), answer.guild_id
    is_standing = changes.stored_ids(connection, guild_id, missing_ids, with_text=True)
    return bool(
        missing_ids - is_standing or tombstones.revisions(connection, guild_id, missing_ids)
    )


_INSERT = insert(answer_source)


def store(connection: Connection, answer: Event, refs: Sequence[SourceRef]) -> None:
    """Store what a stored answer rests on."""
    event_id = events.id_of(connection, answer)
    if refs and event_id is not None:
        rows = [
            {
                "EventId": event_id,
                "Kind": ref.kind,
                "SourceId": ref.id,
                "GuildId": answer.guild_id,
                "UserId": ref.user_id,
                "Role": ref.role,
            }
            for ref in refs
        ]
        change_rows(connection, _INSERT, *rows)


_USED = (
    select(_SOURCE.Kind, _SOURCE.SourceId, _SOURCE.Role, _SOURCE.UserId)
    .join_from(memory_event, answer_source, _SOURCE.EventId == _EVENT.Id)
    .where(_IN_GUILD, _EVENT.MessageId == bindparam("message_id"), _EVENT.Role == Role.KITH)
)


def used_in(connection: Connection, guild_id: int, message_id: int) -> list[SourceRef]:
    """Return what a stored answer rests on, by its message id."""
    rows = connection.execute(_USED, {"guild_id": guild_id, "message_id": message_id})
    return [SourceRef(row.Kind, row.SourceId, row.Role, row.UserId) for row in rows]


# --- sources ------------------------------------------------------------------------------------


_MESSAGES_BEHIND = select(_SOURCE.EventId, _SOURCE.SourceId).where(
    _SOURCE.EventId.in_(IDS), _SOURCE.Kind == SourceKind.MESSAGE
)


def messages_behind(connection: Connection, event_ids: Collection[int]) -> dict[int, set[int]]:
    """Return, by answer, the ids of the messages that it rests on."""
    behind = grouped(fetch_rows(connection, _MESSAGES_BEHIND, event_ids))
    return {event_id: set(message_ids) for event_id, message_ids in behind.items()}


def people_in(connection: Connection, guild_id: int, refs: Iterable[SourceRef]) -> set[int]:
    """Return whose words some sources hold: their owners, and the members of episodes."""
    refs = list(refs)
    episode_ids = {ref.id for ref in refs if ref.kind is SourceKind.EPISODE}
    members = episodes.load_members(connection, guild_id, episode_ids).values()
    owners = {ref.user_id for ref in refs if ref.user_id}
    return owners.union(*members)


def load(
    connection: Connection,
    guild_id: int,
    keys: Iterable[Key],
    max_age: timedelta = timedelta(0),
) -> dict[Key, StoredSource]:
    """Return whose some sources are, their words, and their ends.

    Those that are not stored are missing. A memory ends no sooner than ``max_age`` after it was
    last said.
    """
    ids = grouped(keys)
    stored: dict[Key, StoredSource] = {}
    message_ids = ids[SourceKind.MESSAGE]
    attached = grouped(
        fetch_rows(connection, _TEXTS_OF_ATTACHMENTS, message_ids, guild_id=guild_id)
    )
    for row in fetch_rows(connection, _MESSAGES, message_ids, guild_id=guild_id):
        words = "\n".join([row.Text, *attached[row.MessageId]])
        stored[SourceKind.MESSAGE, row.MessageId] = StoredSource(row.AuthorId, words, row.ExpiresAt)
    for row in fetch_rows(connection, _MEMORIES, ids[SourceKind.MEMORY]):
        ends_at = row.ExpiresAt and max(row.ExpiresAt, row.LastConfirmedAt + max_age)
        stored[SourceKind.MEMORY, row.Id] = StoredSource(row.UserId, row.Memory, ends_at)
    for row in fetch_rows(connection, _EPISODES, ids[SourceKind.EPISODE], guild_id=guild_id):
        text, ends_at, key = row.Text, row.ExpiresAt, (SourceKind.EPISODE, row.EpisodeId)
        if key in stored:
            text = f"{stored[key].text}\n{text}"
            ends_at = min(ends_at, stored[key].ends_at or ends_at)
        stored[key] = StoredSource(0, text, ends_at)
    return stored


_TEXTS_OF_ATTACHMENTS = select(
    select(artifact.c.MessageId)
    .where(artifact.c.Id == artifact_text.c.ArtifactId)
    .scalar_subquery(),
    artifact_text.c.Text,
).where(attachment_texts.are_of_messages(bindparam("guild_id")))
_MESSAGES = select(_EVENT.MessageId, _EVENT.AuthorId, _EVENT.Text, _EVENT.ExpiresAt).where(
    _IN_GUILD, _EVENT.MessageId.in_(IDS), is_not_empty(_EVENT.Text)
)

_MEMORIES = select(
    _MEMORY.Id, _MEMORY.UserId, _MEMORY.Memory, _MEMORY.ExpiresAt, _MEMORY.LastConfirmedAt
).where(_MEMORY.Id.in_(IDS))


_EPISODES = select(_SUMMARY.EpisodeId, _SUMMARY.Text, _SUMMARY.ExpiresAt).where(
    _SUMMARY.GuildId == bindparam("guild_id"), _SUMMARY.EpisodeId.in_(IDS)
)
