"""Tombstones: messages from which nothing may be learnt again, even after they were erased.

A deleted, edited or forgotten message gets one. A member's tombstones are deleted when everything
of the member is erased.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import bindparam, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, chunks, fetch_rows, insert_new
from utils.database.privacy import erasure_ledger
from utils.database.schema.memory_tables import (
    WAS_SENT,
    memory_event,
    memory_evidence,
    tombstone,
    user_memory,
)
from utils.models.memory import Member, Role
from utils.models.operator import Erasure, ErasureKind

_EVIDENCE, _TOMBSTONE, _EVENT = memory_evidence.c, tombstone.c, memory_event.c

FINAL_REVISION = 2**62
"""The highest possible revision: the message was deleted or forgotten."""


def add(
    connection: Connection,
    guild_id: int,
    message_ids: Sequence[int],
    *,
    now: datetime,
    revision: int = FINAL_REVISION,
) -> None:
    """Add tombstones up to a revision for messages, and record them in the ledger.

    Skips messages that are neither stored nor evidence, and slash commands, which are no messages.
    Kith's own messages are only recorded in the ledger: nothing is ever learnt from them.
    """
    for ids in chunks(message_ids):
        as_evidence = (
            select(_EVIDENCE.MessageId, user_memory.c.UserId)
            .join(user_memory, user_memory.c.Id == _EVIDENCE.MemoryId)
            .where(_EVIDENCE.GuildId == guild_id, _EVIDENCE.MessageId.in_(ids), WAS_SENT)
        )
        as_events = select(_EVENT.MessageId, _EVENT.AuthorId, _EVENT.Role).where(
            _EVENT.GuildId == guild_id, _EVENT.MessageId.in_(ids)
        )
        authors: dict[int, int] = {row[0]: row[1] for row in connection.execute(as_evidence)}
        answers: dict[int, int] = {}
        for row in connection.execute(as_events):
            (authors if row.Role is Role.MEMBER else answers)[row.MessageId] = row.AuthorId
        up_to = revisions(connection, guild_id, authors.keys())
        connection.execute(
            update(tombstone)
            .where(
                _TOMBSTONE.GuildId == guild_id,
                _TOMBSTONE.MessageId.in_(authors),
                _TOMBSTONE.Revision < revision,
            )
            .values(Revision=revision)
        )
        rows = [
            {"GuildId": guild_id, "MessageId": message_id, "UserId": user_id, "Revision": revision}
            for message_id, user_id in authors.items()
            if message_id not in up_to
        ]
        insert_new(connection, tombstone, rows)
        changed = {
            message_id: user_id
            for message_id, user_id in authors.items()
            if up_to.get(message_id, -1) < revision
        }
        of_message = partial(Erasure, now, ErasureKind.MESSAGE, guild_id, revision=revision)
        entries = (
            of_message(user_id, message_id=message_id)
            for message_id, user_id in (answers | changed).items()
        )
        erasure_ledger.record(connection, *entries)


# Built once: building costs more than running.
_REVISIONS = select(tombstone.c.MessageId, tombstone.c.Revision).where(
    tombstone.c.GuildId == bindparam("guild_id"),
    tombstone.c.MessageId.in_(IDS),
)


def revisions(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> dict[int, int]:
    """Return the tombstone's revision for each of these messages that has one."""
    return dict(fetch_rows(connection, _REVISIONS, message_ids, guild_id=guild_id))


def edits(connection: Connection, guild_id: int, message_ids: Collection[int]) -> dict[int, int]:
    """Return up to which revision each of these messages was edited; none that was deleted."""
    up_to = revisions(connection, guild_id, message_ids)
    return {message_id: last for message_id, last in up_to.items() if last < FINAL_REVISION}


def is_buried(connection: Connection, member: Member, message_id: int) -> bool:
    """Return whether a message has a tombstone, and is the member's own."""
    query = select(_TOMBSTONE.MessageId).where(
        _TOMBSTONE.GuildId == member.guild_id,
        _TOMBSTONE.MessageId == message_id,
        _TOMBSTONE.UserId == member.user_id,
    )
    return connection.scalar(query) is not None


def permanent(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> frozenset[int]:
    """Return those messages that were deleted or forgotten: later edits teach nothing either."""
    up_to = revisions(connection, guild_id, message_ids)
    return frozenset(message_id for message_id, last in up_to.items() if last == FINAL_REVISION)
