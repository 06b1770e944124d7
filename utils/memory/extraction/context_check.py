"""Find what was erased while an extraction or a verification was under way. A unit of work.

Minutes may lie between reading the texts around a message and storing what was learnt from it. What
was erased in between must not come back as a word of a note or as a stem.
"""

from dataclasses import replace

from utils.database.core.engine import Connection
from utils.database.memories import members, memories
from utils.database.messages import changes
from utils.database.sentiment import overheard_messages
from utils.memory.verification.context import ExtractionContext
from utils.models.memory import ContextRef, Member


def with_erased(
    connection: Connection, member: Member, context: ExtractionContext
) -> ExtractionContext:
    """Return a context that knows which of its texts were erased or edited since it was loaded.

    Locks the member and the authors of the texts: an erasure either commits first and is seen here,
    or commits later and finds what is stored.
    """
    texts = {
        item.ref.message_id: item.text
        for item in (*context.around, *context.previous.values())
        if item.ref.message_id
    }
    memory_ids = {item.ref.memory_id for item in context.known}
    authors = changes.authors_of(connection, member.guild_id, texts)
    members.lock_existing(connection, member.guild_id, {member.user_id, *authors})
    erased_ids = changes.erased_since(connection, member.guild_id, texts)
    erased_ids -= overheard_messages.still_watched(connection, member.guild_id, erased_ids)
    erased = {ContextRef(message_id=message_id) for message_id in erased_ids}
    erased |= {
        ContextRef(memory_id=memory_id)
        for memory_id in memory_ids - memories.remembered(connection, memory_ids)
    }
    return replace(context, erased=frozenset(erased))
