"""The versions of a memory that go together when one of them is forgotten."""

from collections.abc import Sequence

from sqlalchemy import select

from utils.database.core.engine import Connection
from utils.database.core.queries import of_member
from utils.database.schema.memory_tables import memory_evidence, user_memory
from utils.models.memory import Member, Status

_MEMORY = user_memory.c


def load(connection: Connection, member: Member, memory_id: int) -> tuple[list[int], list[int]]:
    """Return the versions that go with a memory, itself first or after a later one, and their
    messages; both are empty if it is not the member's.

    Earlier versions go with it, and later ones that rest on no other messages: they are the same
    words, put differently by the operator.
    """
    ids = _with_earlier(connection, member, memory_id)
    messages = _messages_behind(connection, ids)
    while ids and (later := _later_version(connection, member, ids[0])) is not None:
        later_messages = _messages_behind(connection, [later])
        if not later_messages or not later_messages <= messages:
            break
        ids = _with_earlier(connection, member, later)
        messages = _messages_behind(connection, ids)
    return ids, sorted(messages)


def _messages_behind(connection: Connection, memory_ids: Sequence[int]) -> set[int]:
    """Return the ids of the messages that memories rest on."""
    evidence = memory_evidence.c
    messages = select(evidence.MessageId).where(evidence.MemoryId.in_(memory_ids))
    return set(connection.scalars(messages.distinct()))


def _later_version(connection: Connection, member: Member, memory_id: int) -> int | None:
    """Return the memory that superseded one, if the member still has it."""
    columns, later = user_memory.c, user_memory.alias().c
    return connection.scalar(
        select(later.Id)
        .join(user_memory, columns.SupersededById == later.Id)
        .where(
            of_member(user_memory, member),
            columns.Id == memory_id,
            later.Status != Status.FORGOTTEN,
        )
    )


def _with_earlier(connection: Connection, member: Member, memory_id: int) -> list[int]:
    """Return a memory of this member and all that it superseded; empty if it is not theirs."""
    is_theirs = of_member(user_memory, member)
    ids: list[int] = []
    wave = list(
        connection.scalars(
            select(_MEMORY.Id).where(
                is_theirs, _MEMORY.Id == memory_id, _MEMORY.Status != Status.FORGOTTEN
            )
        )
    )
    while wave:
        ids += wave
        wave = list(
            connection.scalars(
                select(_MEMORY.Id).where(is_theirs, _MEMORY.SupersededById.in_(wave))
            )
        )
    return ids
