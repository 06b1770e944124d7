"""ProposedNotes verifies notes again that got no verdict, or that a write limit held back.

Their sentences stand as quotes meanwhile. A note that is supported takes the place of its quote,
one that is not is deleted. A sentence that is not its author's own goes with it. After three
attempts, or seven days, a note is given up and its quote stays.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from utils.database.core.engine import Connection
from utils.database.memories import members, memories, proposed_notes
from utils.database.messages import events
from utils.memory.consolidation.planner import OVER_LIMIT
from utils.memory.extraction import bursts
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier, ExtractedNotes
from utils.models.extraction import BY_RULE, Candidate, Extraction, Judgement
from utils.models.memory import Member, Method
from utils.models.plan import Plan, ProposedNote
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure

MAX_MEMBERS = 20
MAX_NOTES = 10
PREVIOUS_TURNS = 6
"""More than a burst has before it: the lines that were extracted with a note's are among them."""
PAUSES = (timedelta(hours=6), timedelta(hours=24))
"""How long a note waits after each attempt without a verdict. The last one is on another day, when
a used-up budget is full again."""
HOUR_FULL_FOR = timedelta(minutes=30)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Due:
    """A note that may be verified now, with its message and what surrounds it."""

    note: ProposedNote
    notes: ExtractedNotes


class ProposedNotes:
    """Retries the verification of proposed notes, member by member, each under a lease."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
        verifier: CandidateVerifier,
        signals: MemorySignals,
    ) -> None:
        self._database = infrastructure.database
        self._clock = infrastructure.clock
        self._leases = infrastructure.leases
        self._metrics = infrastructure.metrics
        self._rules = rules
        self._verifier = verifier
        self._signals = signals
        self._one_at_a_time = asyncio.Lock()  # a lease does not keep out its own process

    async def retry_due(self) -> None:
        """Verify and apply every note whose time has come. Raises DatabaseError."""
        async with self._one_at_a_time:
            due = await self._database.read(
                proposed_notes.members_with_due, now=self._clock.now(), limit=MAX_MEMBERS
            )
            for member in due:
                lease = f"verify:{member.guild_id}:{member.user_id}"
                async with self._leases.hold(lease) as fence:
                    if fence is not None:
                        await self._retry(member, lease, fence)

    async def _retry(self, member: Member, lease: str, fence: int) -> None:
        now = self._clock.now()
        due, obsolete = await self._database.read(_load, member=member, rules=self._rules, now=now)
        if obsolete:
            drop = partial(proposed_notes.delete_proposed, note_ids=obsolete)
            await self._leases.write(lease, fence, drop)
        if not due:
            return
        judged = await self._verifier.judge_together([item.notes for item in due])
        for item, extraction in zip(due, judged, strict=True):
            unit = partial(
                _apply, member=member, item=item, extraction=extraction, rules=self._rules, now=now
            )
            plan = await self._leases.write(lease, fence, unit)
            if plan is not None:
                self._metrics.count_plan(member.guild_id, plan)
                self._signals.report(member, plan)
        _log.info("%d notes were verified again", len(due))


def _load(
    connection: Connection, member: Member, rules: WriteRules, now: datetime
) -> tuple[list[_Due], Sequence[int]]:
    """Return the due notes, and the ids of those whose message is gone."""
    due: list[_Due] = []
    obsolete: list[int] = []
    for note in proposed_notes.load_due(connection, member, now, MAX_NOTES):
        event = events.load_latest(connection, member.guild_id, note.candidate.message_id)
        if event is None or event.member != member:
            obsolete.append(note.id)
            continue
        job = bursts.load_job(
            connection,
            [event],
            events.load_preceding(connection, event, PREVIOUS_TURNS),
            rules.forbidden,
            now,
            is_more=False,
        )
        extraction = Extraction(
            (_candidate(note),),
            note.method,
            model=note.model,
            prompt_hash=note.prompt_hash,
            is_retry=True,
        )
        due.append(_Due(note, job.notes_of(extraction)))
    return due, obsolete


def _candidate(note: ProposedNote) -> Candidate:
    """Return a note's candidate; a built-in rule's keeps the verdict of its rule."""
    is_by_rule = note.method is Method.RULE
    return replace(note.candidate, verdict=BY_RULE) if is_by_rule else note.candidate


def _apply(
    connection: Connection,
    member: Member,
    item: _Due,
    extraction: Extraction,
    rules: WriteRules,
    now: datetime,
) -> Plan | None:
    """Apply one verdict; returns the plan, or None if nothing was planned."""
    members.lock(connection, member)
    note_ids = [item.note.id]
    if item.note.memory_id not in {
        row.id for row in memories.load_current(connection, member, now)
    }:  # forgotten meanwhile
        proposed_notes.delete_proposed(connection, note_ids)
        return None
    judgements = [candidate.verdict.judgement for candidate in extraction.candidates]
    if judgements == [Judgement.FAILED]:
        until = now + PAUSES[min(item.note.attempts, len(PAUSES) - 1)]
        proposed_notes.postpone(connection, note_ids, until, counts=True)
        return None
    if judgements == [Judgement.OTHER]:
        memories.remove(connection, member, [item.note.memory_id], "removed", now=now, actor_id=0)
        return None
    if judgements != [Judgement.SUPPORTED]:  # not supported, or it may not be kept any more
        proposed_notes.delete_proposed(connection, note_ids)
        return None
    notes = bursts.with_erased(connection, replace(item.notes, extraction=extraction))
    plan = bursts.apply(connection, notes, rules.policy, now)
    if plan.refused[OVER_LIMIT]:
        proposed_notes.postpone(connection, note_ids, now + HOUR_FULL_FOR, counts=False)
    else:
        proposed_notes.delete_proposed(connection, note_ids)
    return plan
