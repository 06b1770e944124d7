"""A memory's history: its evidence, and what it superseded.

The caller of every function that writes holds the member's lock.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import (
    IDS,
    from_row,
    member_parameters,
    of_member,
    rows_for,
)
from utils.database.memories import audit, memories
from utils.database.messages import stored_messages
from utils.database.messages.events import EVENT_COLUMNS, event_from
from utils.database.schema.memory_tables import (
    memory_audit,
    memory_event,
    memory_evidence,
    user_memory,
)
from utils.models.memory import Event, Evidence, Member, Status

_MEMORY, _AUDIT, _EVIDENCE = user_memory.c, memory_audit.c, memory_evidence.c

SUPERSEDED, UNDONE, RESTORED = "superseded", "undone", "restored"


def load_evidence(
    connection: Connection, row_ids: Sequence[int]
) -> dict[int, tuple[Evidence, ...]]:
    """Return the evidence of memories by id, oldest first; leaves out memories without any."""
    rows = rows_for(
        connection,
        select(memory_evidence).where(_EVIDENCE.MemoryId.in_(IDS)).order_by(_EVIDENCE.Id),
        row_ids,
    )
    return grouped((row.MemoryId, from_row(Evidence, row, context=())) for row in rows)


def load_own_messages(connection: Connection, member: Member, now: datetime) -> list[Event]:
    """Return a member's messages that are stored with their text, oldest first."""
    rows = connection.execute(
        select(*EVENT_COLUMNS).where(stored_messages.IS_STORED).order_by(memory_event.c.Id),
        member_parameters(member, now=now),
    )
    return [event_from(row) for row in rows]


def mark_proposed(connection: Connection, row_ids: Sequence[int]) -> None:
    """Mark active memories as proposed, so that a moderator reviews them."""
    connection.execute(
        update(user_memory)
        .where(user_memory.c.Id.in_(row_ids), user_memory.c.Status == Status.ACTIVE)
        .values(Status=Status.PROPOSED)
    )


def swap_superseded(
    connection: Connection, member: Member, row_id: int, *, now: datetime, actor_id: int
) -> tuple[list[int], list[int]] | None:
    """Restore what a current memory superseded last, in its place.

    Returns the ids of the restored memories and of those that are superseded now, which include
    ``row_id``; None if there was nothing to restore.
    Memories superseded by the same change are restored together. A second swap reverts it.
    """
    past = {
        row.id for row in memories.load_past(connection, member, now) if row.superseded_by == row_id
    }
    status = {row.id: row.status for row in memories.load_current(connection, member, now)}
    rows = connection.execute(
        select(_AUDIT.MemoryId, _AUDIT.Id, _AUDIT.At, _AUDIT.Action)
        .where(
            of_member(memory_audit, member),
            _AUDIT.Action.in_((SUPERSEDED, UNDONE, RESTORED)),
        )
        .order_by(_AUDIT.Id)
    )
    latest: dict[int, tuple[int, datetime, str]] = {  # the last change of each memory
        row.MemoryId: (row.Id, row.At, row.Action) for row in rows
    }
    changes = {earlier: latest[earlier] for earlier in past if earlier in latest}
    if row_id not in status or not changes:
        return None
    last = max(changes.values(), key=lambda change: change[0])[1:]
    restored = sorted(earlier for earlier, change in changes.items() if change[1:] == last)
    given_up = [row_id]
    if last[1] == UNDONE:  # what that swap restored beside this memory is superseded too
        restored_at_once = (last[0], RESTORED)
        given_up += [
            current
            for current in status
            if current != row_id and latest.get(current, (0,))[1:] == restored_at_once
        ]
    connection.execute(
        update(user_memory)
        .where(_MEMORY.Id.in_(restored))
        .values(Status=status[row_id], SupersededById=None)
    )
    connection.execute(
        update(user_memory)
        .where(_MEMORY.Id.in_(given_up))
        .values(Status=Status.SUPERSEDED, SupersededById=restored[-1])
    )
    audit.add(connection, member, given_up, UNDONE, now, actor_id)
    audit.add(connection, member, restored, RESTORED, now, actor_id)
    return restored, given_up
