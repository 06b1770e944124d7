"""Erasing a server's lore and facts: they go with any message that tells them, and its author.

The callers hold the locks of the messages' authors; the server's row is locked after them.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, select

from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, values_for
from utils.database.erasure import dependants
from utils.database.memories import members, memories
from utils.database.schema.memory_tables import memory_event, memory_evidence, user_memory
from utils.models.memory import SERVER_USER_ID, Member, Status

_EVIDENCE, _MEMORY = memory_evidence.c, user_memory.c


def of_messages(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> list[int]:
    """Return the ids of a server's lore that any of these messages tells."""
    query = _lore(guild_id).where(_EVIDENCE.MessageId.in_(IDS))
    return sorted(set(values_for(connection, query, message_ids)))


def of_member(connection: Connection, member: Member) -> list[int]:
    """Return the ids of a server's lore that a member told with others."""
    told_by_them = select(memory_event.c.MessageId).where(
        memory_event.c.GuildId == member.guild_id, memory_event.c.AuthorId == member.user_id
    )
    return sorted(
        connection.scalars(
            _lore(member.guild_id).where(_EVIDENCE.MessageId.in_(told_by_them)).distinct()
        )
    )


def erase(
    connection: Connection, guild_id: int, ids: Sequence[int], now: datetime, *, actor_id: int = 0
) -> None:
    """Erase lore, and Kith's answers that were made from it; ``actor_id`` is who asked for it."""
    if not ids:
        return
    server = Member(guild_id, SERVER_USER_ID)
    members.lock(connection, server)
    words = dependants.words_of_memories(connection, ids)
    memories.record_erasure(connection, server, ids, now)
    memories.remove(connection, server, ids, "retracted", now=now, actor_id=actor_id)
    dependants.erase_dependants(
        connection, guild_id, dependants.Erased(memory_ids=ids, words=words), now
    )


def _lore(guild_id: int) -> Select[tuple[int]]:
    return (
        select(_MEMORY.Id)
        .join(memory_evidence, _EVIDENCE.MemoryId == _MEMORY.Id)
        .where(
            _MEMORY.GuildId == guild_id,
            _MEMORY.UserId == SERVER_USER_ID,
            _MEMORY.Status != Status.FORGOTTEN,
            _EVIDENCE.GuildId == guild_id,
        )
    )
