"""What notes rest on: the sentences they were made of, and what supplied other words of them.

The caller of every function that writes holds the member's lock.
"""

from collections.abc import Collection, Sequence

from sqlalchemy import bindparam, delete, insert, select

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import IDS, fetch_rows, rows_for, run_for
from utils.database.schema.memory_tables import memory_context, memory_evidence, user_memory
from utils.models.memory import MAX_CONTEXT, ContextRef, Form

_CONTEXT = memory_context.c

_NOTED = (
    select(memory_evidence.c.MessageId, memory_evidence.c.Quote)
    .join(user_memory, user_memory.c.Id == memory_evidence.c.MemoryId)
    .where(
        memory_evidence.c.GuildId == bindparam("guild_id"),
        memory_evidence.c.MessageId.in_(IDS),
        user_memory.c.Form == Form.NOTE,
    )
)


def load_noted(
    connection: Connection, guild_id: int, message_ids: Collection[int]
) -> frozenset[tuple[int, str]]:
    """Return the sentences of these messages from which a note was made, each with its message.

    The note may be replaced by now.
    """
    rows = fetch_rows(connection, _NOTED, message_ids, guild_id=guild_id)
    return frozenset((row.MessageId, row.Quote) for row in rows)


def delete_for_memories(connection: Connection, memory_ids: Sequence[int]) -> None:
    """Delete the context of memories that are deleted or blanked."""
    run_for(
        connection, delete(memory_context).where(memory_context.c.MemoryId.in_(IDS)), memory_ids
    )


def add_context(
    connection: Connection, guild_id: int, memory_id: int, context: Sequence[ContextRef]
) -> None:
    """Store what a note rests on besides its own sentence; at most three of them."""
    if not context:
        return
    stored = connection.execute(
        select(_CONTEXT.ContextMessageId, _CONTEXT.ContextMemoryId).where(
            _CONTEXT.MemoryId == memory_id
        )
    )
    stored_refs = {tuple(row) for row in stored}
    new = [ref for ref in context if (ref.message_id, ref.memory_id) not in stored_refs]
    rows = [
        {
            "GuildId": guild_id,
            "ContextMessageId": ref.message_id,
            "ContextMemoryId": ref.memory_id,
            "MemoryId": memory_id,
            "AuthorId": ref.author_id,
        }
        for ref in dict.fromkeys(new)
    ][:MAX_CONTEXT]
    if rows:
        connection.execute(insert(memory_context), rows)


def load_context(
    connection: Connection, memory_ids: Sequence[int]
) -> dict[int, tuple[ContextRef, ...]]:
    """Return what these memories rest on besides their own sentences, by memory."""
    ids = (_CONTEXT.ContextMessageId, _CONTEXT.ContextMemoryId)
    query = select(_CONTEXT.MemoryId, *ids, _CONTEXT.AuthorId)
    query = query.where(_CONTEXT.MemoryId.in_(IDS)).order_by(*memory_context.primary_key)
    rows = rows_for(connection, query, memory_ids)
    return grouped((row[0], ContextRef(*row[1:])) for row in rows)
