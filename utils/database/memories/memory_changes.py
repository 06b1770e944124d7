"""Change a member's memories: :func:`change`, through which every change of them passes.

It locks the member, loads their state, calls a pure function and applies its plan. The first
statement takes the lock (the row's MemoryVersion) on both databases. It also invalidates every
cached copy of the member's memories.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import of_member
from utils.database.memories import audit, members, memories, write_policies
from utils.database.messages import events, summaries
from utils.database.privacy import tombstones
from utils.database.schema.memory_tables import memory_audit, user_memory
from utils.models.memory import Kind, Member, Memory, Profile, Status
from utils.models.plan import MemberState, Plan
from utils.models.policy import NO_WRITES

_MEMORY, _AUDIT = user_memory.c, memory_audit.c


def change(
    connection: Connection,
    member: Member,
    decide: Callable[[MemberState], Plan],
    *,
    now: datetime,
    event_ids: Sequence[int] = (),
    actor_id: int = 0,
    counts_writes: bool = False,
) -> Plan:
    """Change a member's memories in one unit of work; returns the plan with the new rows' ids.

    ``decide`` is pure: it sees only the state loaded here, under the lock. ``actor_id`` 0 is Kith.
    ``counts_writes``: it needs, also without events, how much was written lately and what waits.
    """
    members.lock(connection, member)
    state = load_state(
        connection, member, now=now, event_ids=event_ids, counts_writes=counts_writes
    )
    plan = decide(state)
    inserted = memories.apply_plan(connection, member, plan, now=now, actor_id=actor_id)
    if plan.only_adds:
        members.note_addition(connection, member)
    for confirmed in plan.confirmations:
        if confirmed.supersedes is not None:
            replace_corrected(
                connection, member, confirmed.row_id, confirmed.supersedes, now, actor_id
            )
    if plan.profile is not None:
        row_ids = plan.profile.row_ids + tuple(inserted[i] for i in plan.profile_inserts)
        members.save_profile(connection, member, Profile(plan.profile.text, row_ids))
    unused = {  # messages behind memories that wait for approval or stay in the shadow
        new.evidence.message_id
        for new in plan.inserts
        if new.status is Status.PROPOSED
        or (new.status is Status.SHADOW and new.kind is not Kind.PATTERN)
    }
    for confirmation in plan.confirmations:
        if confirmation.status is Status.PROPOSED:
            unused.add(confirmation.evidence.message_id)
            unused |= {ref.message_id for ref in state.evidence.get(confirmation.row_id, ())}
    withhold(connection, member.guild_id, unused)
    return replace(plan, inserted=tuple(inserted))


def load_state(
    connection: Connection,
    member: Member,
    *,
    now: datetime,
    event_ids: Sequence[int] = (),
    counts_writes: bool = False,
) -> MemberState:
    """Load everything that ``decide`` may know about a member."""
    header = members.load_header(connection, member)
    server = write_policies.load_server(connection, member.guild_id)
    surviving = tuple(events.load_existing(connection, list(event_ids))) if event_ids else ()
    said_at = max((event.created_at for event in surviving), default=now)
    rows = tuple(memories.load_current(connection, member, now))
    return MemberState(
        member=member,
        now=now,
        consent=header.consent or server.consent_default,
        frozen=server.frozen,
        version=header.version,
        rows=rows,
        profile=header.profile,
        tombstones=tombstones.permanent(
            connection, member.guild_id, [e.message_id for e in surviving]
        ),
        events=surviving,
        evidence=memories.load_evidence(connection, member) if event_ids else {},
        ignored=header.ignored,
        policy=server.policy,
        writes=write_policies.count_writes(connection, member, said_at, now)
        if event_ids or counts_writes
        else NO_WRITES,
        corrected=corrected_ids(
            connection, member, [row.id for row in rows if row.status is not Status.ACTIVE]
        )
        if event_ids or counts_writes
        else {},
    )


def refresh_profile(
    connection: Connection,
    member: Member,
    remaining: Callable[[Profile, list[Memory]], Profile],
    now: datetime,
) -> None:
    """Rewrite the profile if one of its source memories is gone; the caller holds the lock.

    ``remaining`` is the pure function that returns the new profile.
    """
    stored = members.load_header(connection, member).profile
    if stored.row_ids:
        profile = remaining(stored, memories.load_current(connection, member, now))
        if profile is not stored:
            members.save_profile(connection, member, profile)


def withhold(connection: Connection, guild_id: int, message_ids: Collection[int]) -> None:
    """Delete the summaries that were made of messages on which an unapproved memory rests now."""
    if message_ids and summaries.withhold(connection, guild_id, message_ids):
        members.invalidate_guild(connection, guild_id)


# --- corrections ----------------------------------------------------------------------------------
# A memory that waits replaces nothing yet: its rejection must leave the old one in force. The
# caller of every function holds the member's lock.

_REPLACES = re.compile(r"#(\d+)")
MAX_CHAIN = 100


def corrected_ids(
    connection: Connection, member: Member, memory_ids: Collection[int]
) -> dict[int, int]:
    """Return, by memory, the active memory that it corrects, if there is one.

    What was replaced since counts as its successor.
    """
    named = _named_ids(connection, memory_ids)
    active = {key: _active_successor(connection, member, old) for key, old in named.items()}
    return {key: old for key, old in active.items() if old is not None and old != key}


def put_in_place(
    connection: Connection, member: Member, memory_id: int, now: datetime, actor_id: int
) -> None:
    """Put a memory that was approved behind the one that it corrects.

    If that one was corrected since by something said later, the later one stays in force, and this
    memory becomes the one that the later one replaced: undoing goes back through all of them.
    """
    named = _named_ids(connection, [memory_id])
    if memory_id not in named:
        return
    old_id, later_id = _neighbours(connection, member, memory_id, named[memory_id])
    if later_id is None:
        if old_id != memory_id:
            replace_corrected(connection, member, memory_id, old_id, now, actor_id)
        return
    for superseded_id, by_id in ((memory_id, later_id), (old_id, memory_id)):
        connection.execute(
            update(user_memory)
            .where(_MEMORY.Id == superseded_id, of_member(user_memory, member))
            .values(Status=Status.SUPERSEDED, SupersededById=by_id)
        )
    audit.add(connection, member, [memory_id], "superseded", now, actor_id)


def replace_corrected(
    connection: Connection,
    member: Member,
    memory_id: int,
    old_id: int,
    now: datetime,
    actor_id: int,
) -> None:
    """Supersede an active memory by the one that corrects it."""
    superseded = connection.execute(
        update(user_memory)
        .where(
            _MEMORY.Id == old_id, of_member(user_memory, member), _MEMORY.Status == Status.ACTIVE
        )
        .values(Status=Status.SUPERSEDED, SupersededById=memory_id)
    )
    if superseded.rowcount:
        audit.add(connection, member, [old_id], "superseded", now, actor_id)


def _neighbours(
    connection: Connection, member: Member, memory_id: int, old_id: int
) -> tuple[int, int | None]:
    """Return the last memory before one, among those that replaced another in turn from ``old_id``
    on, and the first after it, if there is one."""
    row = _row(connection, member, memory_id)
    later_id = None
    for _ in range(MAX_CHAIN):
        old = _row(connection, member, old_id)
        later_id = None if old is None else old.SupersededById
        later = None if later_id is None else _row(connection, member, later_id)
        if row is None or later is None:
            return old_id, None
        if (later.CreatedAt, later.Id) > (row.CreatedAt, memory_id):
            break
        old_id = later.Id
    return old_id, later_id


def _active_successor(connection: Connection, member: Member, memory_id: int) -> int | None:
    """Return a memory, or what replaced it, if that is active."""
    for _ in range(MAX_CHAIN):
        row = _row(connection, member, memory_id)
        if row is None:
            return None
        if row.SupersededById is None:
            return memory_id if row.Status is Status.ACTIVE else None
        memory_id = row.SupersededById
    return None


def _named_ids(connection: Connection, memory_ids: Collection[int]) -> dict[int, int]:
    """Return, by memory, the one that it was said to correct."""
    if not memory_ids:
        return {}
    rows = connection.execute(
        select(_AUDIT.MemoryId, _AUDIT.Before)
        .where(_AUDIT.MemoryId.in_(sorted(memory_ids)), _AUDIT.Action == memories.LEARNT)
        .order_by(_AUDIT.Id)
    )
    matches = {row.MemoryId: _REPLACES.fullmatch(row.Before or "") for row in rows}
    return {memory_id: int(match[1]) for memory_id, match in matches.items() if match}


def _row(connection: Connection, member: Member, memory_id: int) -> Row[Any, Any, Any, Any] | None:
    return connection.execute(
        select(_MEMORY.Id, _MEMORY.Status, _MEMORY.SupersededById, _MEMORY.CreatedAt).where(
            _MEMORY.Id == memory_id, of_member(user_memory, member)
        )
    ).one_or_none()
