"""The versions of a memory that go together when one of them is forgotten."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select

from utils.database.core.engine import Connection
from utils.database.core.queries import of_member
from utils.database.schema.memory_tables import memory_evidence, user_memory
from utils.models.memory import Member, Status

_MEMORY, _EVIDENCE = user_memory.c, memory_evidence.c


def load(connection: Connection, member: Member, memory_id: int) -> tuple[list[int], list[int]]:
    """Return the versions that go with a memory, itself first or after a later one, and their
    messages; both are empty if it is not the member's.

    Earlier versions go with it, and later ones that rest on no other messages: they are the same
    words, put differently by the operator.
    """
    rows = connection.execute(
        select(_MEMORY.Id, _MEMORY.SupersededById)
        .where(of_member(user_memory, member), _MEMORY.Status != Status.FORGOTTEN)
        .order_by(_MEMORY.Id)
    )
    successors: dict[int, int | None] = {row.Id: row.SupersededById for row in rows}
    ids = _with_earlier(successors, memory_id) if memory_id in successors else []
    messages = _messages_behind(connection, ids)
    while ids and (later := successors[ids[0]]) is not None and later in successors:
        later_messages = _messages_behind(connection, [later])
        if not later_messages or not later_messages <= messages:
            break
        ids = _with_earlier(successors, later)
        messages = _messages_behind(connection, ids)
    return ids, sorted(messages)


def _messages_behind(connection: Connection, memory_ids: Sequence[int]) -> set[int]:
    """Return the ids of the messages that memories rest on."""
    messages = select(_EVIDENCE.MessageId).where(_EVIDENCE.MemoryId.in_(memory_ids))
    return set(connection.scalars(messages.distinct()))


def _with_earlier(successors: Mapping[int, int | None], memory_id: int) -> list[int]:
    """Return a memory and all that it superseded; ``successors`` says by which each was."""
    ids, wave = list[int](), [memory_id]
    while wave:
        ids += wave
        wave = [earlier for earlier, by in successors.items() if by in wave]
    return ids
