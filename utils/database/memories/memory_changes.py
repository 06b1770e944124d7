"""Change a member's memories: :func:`change`, through which every change of them passes.

It locks the member, loads their state, calls a pure function and applies its plan. The first
statement takes the lock (the row's MemoryVersion) on both databases. It also invalidates every
cached copy of the member's memories.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from utils.database.core.engine import Connection
from utils.database.memories import corrections, members, memories, write_policies
from utils.database.messages import events, summaries
from utils.database.privacy import tombstones
from utils.models.memory import Kind, Member, Memory, Profile, Status
from utils.models.plan import MemberState, Plan
from utils.models.policy import NO_WRITES


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
    for confirmed in plan.confirmations:
        if confirmed.supersedes is not None:
            corrections.replace_corrected(
                connection, member, confirmed.row_id, confirmed.supersedes, now, actor_id
            )
    if plan.profile is not None:
        row_ids = plan.profile.row_ids + tuple(inserted[i] for i in plan.profile_inserts)
        members.save_profile(connection, member, Profile(plan.profile.text, row_ids))
    withhold(connection, member.guild_id, _withheld(plan, state))
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
        corrected=corrections.corrected_ids(
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


def _withheld(plan: Plan, state: MemberState) -> set[int]:
    """Return the messages behind the memories of a plan that wait for approval or stay unused."""
    message_ids = {
        new.evidence.message_id
        for new in plan.inserts
        if new.status is Status.PROPOSED
        or (new.status is Status.SHADOW and new.kind is not Kind.PATTERN)
    }
    for change in plan.confirmations:
        if change.status is Status.PROPOSED:
            message_ids.add(change.evidence.message_id)
            message_ids |= {ref.message_id for ref in state.evidence.get(change.row_id, ())}
    return message_ids
