"""Erase members with thousands of messages and memories in several short units of work.

All but the last batches go here, so that others never wait longer than for one batch. The unit of
work that follows erases the rest, and what belongs to the member as a whole. The first batch
records the erasure in the ledger, and as unfinished: an interrupted one is finished by another
process, after the next start, or by the nightly pruning. What the member said after it began stays.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from utils.common.clock import Clock
from utils.database.admin import jobs
from utils.database.core.engine import Connection, Database
from utils.database.erasure import forgetting, messages, retention
from utils.database.erasure.deletion import delete_said_up_to
from utils.database.memories import members, memory_changes
from utils.database.privacy import erasure_ledger
from utils.memory.consolidation import profile
from utils.memory.privacy import erasure, retraction
from utils.models.memory import Consent, Member
from utils.models.operator import Erasure, ErasureCounts, ErasureKind
from utils.models.policy import WritePolicy
from utils.runtime.worker import Infrastructure, Worker

BATCH = 500
LOOK_EVERY_S = 60.0
STILL_RUNNING = timedelta(minutes=2)  # for as long, its own process probably erases yet
LEASE = "finish erasures"


def interrupted_erasures(infrastructure: Infrastructure) -> Worker:
    """Return a worker that finishes the erasures of processes that died.

    What is unfinished when it closes is left to another process or the next start.
    """
    step = partial(finish_old, infrastructure)
    return Worker(infrastructure, "interrupted erasures", step, interval_s=LOOK_EVERY_S)


async def finish_old(infrastructure: Infrastructure) -> None:
    """Finish what began a while ago, or under a clock that was ahead; one process does it for all.

    Raises DatabaseError.
    """
    database, now = infrastructure.database, infrastructure.clock.now()
    unit = partial(jobs.unfinished_erasures, except_between=(now - STILL_RUNNING, now))
    if not await database.read(unit):
        return
    async with infrastructure.leases.hold(LEASE) as fence:
        if fence is not None:
            await _finish_all(database, infrastructure.clock, await database.read(unit))
            await database.scrub_if_owed()


async def erase_most(
    database: Database,
    clock: Clock,
    member: Member,
    kind: ErasureKind,
    *,
    if_unfinished: bool = False,
) -> ErasureCounts:
    """Erase a member's messages and memories except the last batches; returns what went.

    Args:
        database: where they are.
        clock: tells when the erasure began.
        member: whose.
        kind: SAID, OFF or MEMBER, as in the unit of work that follows.
        if_unfinished: erase only while such an erasure is recorded as unfinished.
    """
    total = ErasureCounts()
    entry = Erasure(clock.now(), kind, member.guild_id, member.user_id)
    while erased := await database.write(
        _erase_batch, member=member, entry=entry, if_unfinished=if_unfinished
    ):
        total += erased
    return total


async def finish_interrupted(database: Database, clock: Clock) -> None:
    """Finish all erasures that a process began and did not end."""
    await _finish_all(database, clock, await database.read(jobs.unfinished_erasures))


async def _finish_all(
    database: Database, clock: Clock, unfinished: Sequence[tuple[ErasureKind, Member]]
) -> None:
    for kind, member in unfinished:
        await erase_most(database, clock, member, kind, if_unfinished=True)
        await database.write(_finish, kind=kind, member=member, now=clock.now())


def _finish(connection: Connection, kind: ErasureKind, member: Member, now: datetime) -> None:
    """Erase the rest, unless the member's next choice or another process has done so."""
    members.lock(connection, member)
    unfinished = jobs.unfinished_up_to(connection, kind, member)
    if unfinished is None:
        return
    began, last_id = unfinished
    wrote_at = retention.last_seen(connection, member)
    has_said_more = (
        (wrote_at is not None and wrote_at > began)
        or messages.has_after(connection, member, last_id)
        or forgetting.has_after(connection, member, last_id)
    )
    if has_said_more and kind is not ErasureKind.OFF:
        # Erase the last batches, but nothing from later messages, nor the member's choices.
        members.invalidate_guild(connection, member.guild_id)
        while message_ids := messages.newest_of(connection, member, BATCH, last_id):
            messages.erase_member(connection, member, now, only=message_ids)
        while forgetting.has_more(connection, member, 1, last_id):
            forgetting.forget_some(connection, member, BATCH, now=now, up_to=last_id)
        delete_said_up_to(connection, member, last_id, began)
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
        jobs.finish_erasure(connection, kind, member)
    elif kind is ErasureKind.MEMBER:
        retraction.erase_member(connection, member=member, now=now)
    elif kind is ErasureKind.SAID:
        erasure.forget_all(connection, member=member, now=now)
    else:
        erasure.set_consent(
            connection, member, Consent.OFF, passive=None, write_policy=WritePolicy(), now=now
        )


def _erase_batch(
    connection: Connection, member: Member, entry: Erasure, *, if_unfinished: bool
) -> ErasureCounts | None:
    """Erase one batch; None if what is left is small, or nothing is unfinished any more."""
    last_id = messages.MAX_MESSAGE_ID
    if if_unfinished:
        unfinished = jobs.unfinished_up_to(connection, entry.kind, member)
        if unfinished is None:
            return None
        _, last_id = unfinished
    message_ids = messages.newest_of(connection, member, BATCH, last_id)
    if len(message_ids) < BATCH and not forgetting.has_more(connection, member, BATCH, last_id):
        return None
    members.lock(connection, member)
    if if_unfinished and jobs.unfinished_up_to(connection, entry.kind, member) is None:
        return None
    members.invalidate_guild(connection, member.guild_id)
    if not if_unfinished and not erasure_ledger.is_recorded(connection, entry):
        erasure_ledger.record(connection, entry)
        newest_id = messages.last_id(connection, member.guild_id)
        jobs.begin_erasure(connection, entry.kind, member, entry.at, newest_id)
        if entry.kind is ErasureKind.OFF:  # nothing is stored or told of them from now on
            erasure.choose_consent(connection, member, Consent.OFF, entry.at)
    if len(message_ids) == BATCH:
        count = messages.erase_member(connection, member, entry.at, only=message_ids)
        return ErasureCounts(messages=count)
    count = forgetting.forget_some(connection, member, BATCH, now=entry.at, up_to=last_id)
    return ErasureCounts(memories=count)
