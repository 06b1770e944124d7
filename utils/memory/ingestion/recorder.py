"""Recorder stores events and drives the extraction of their bursts.

An event is durable before Kith answers it. What a member says in a channel within a few seconds
shares one extraction, by a worker that holds the burst's lease. The result is applied in one unit
of work that checks the lease's fence. A crash or a model outage loses nothing: events wait in the
database, or in process memory while the database is away (offline_writer.py).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from utils.common.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    ModelMalformed,
    RequestRefused,
    StaleFence,
)
from utils.database.core.engine import Connection
from utils.database.memories import members
from utils.database.messages import attachments, events
from utils.memory.extraction import bursts
from utils.memory.extraction.bursts import ExtractionJob, Postponed
from utils.memory.ingestion.debounce import MAX_WAITING, BurstKey, Debouncer, PendingBurst
from utils.memory.ingestion.ephemeral_turns import EphemeralTurns
from utils.memory.ingestion.offline_writer import OfflineWriter
from utils.memory.ingestion.pending_answers import PendingAnswers
from utils.memory.ingestion.proposed_notes import ProposedNotes
from utils.memory.policy import write_policy as policy
from utils.memory.policy.normalize import storable
from utils.memory.policy.write_policy import WriteRules
from utils.memory.privacy import consent_gate
from utils.memory.privacy.retention import Retention
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.conversation import QuestionRef
from utils.models.extraction import Extraction, ExtractionInput
from utils.models.memory import Audience, Consent, Event, EventState, Member, RecordOutcome, Role
from utils.models.plan import Plan
from utils.runtime.backoff import Backoff, KeyedBackoff
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure

SWEEP_EVERY_S = 30.0
BUDGET_PAUSE_S = REFUSAL_PAUSE_S = 600.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExtractionPace:
    """How long a member pauses before their burst is extracted, and how many workers extract."""

    quiet_s: float
    workers: int


class Extractor(Protocol):
    """Extracts candidates from a burst: with the model, or with built-in rules."""

    async def extract(self, inputs: ExtractionInput) -> Extraction:
        """Return the candidates. Raises ModelError or BudgetSpent if there is no answer."""


class Recorder:
    """Stores events and extracts memories from each of them once."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
        extractor: Extractor,
        verifier: CandidateVerifier,
        pace: ExtractionPace,
        signals: MemorySignals,
        ephemeral_turns: EphemeralTurns,
    ) -> None:
        """Create a recorder; pass edits and deletions of messages to its ``offline_writer``.

        ``ephemeral_turns`` keeps the last turns that may not be stored. ``under_erasure`` are the
        members whose words are being erased now.
        """
        self._verifier = verifier
        self._database = infrastructure.database
        self._clock = infrastructure.clock
        self._leases = infrastructure.leases
        self._metrics = infrastructure.metrics
        self._rules = rules
        self._extractor = extractor
        self._signals = signals
        self.ephemeral_turns = ephemeral_turns
        self.under_erasure = signals.under_erasure
        self._debouncer = Debouncer(self._clock, pace.quiet_s)
        self._sweeper = infrastructure.worker(
            "extraction sweep", self._sweep_and_save, interval_s=SWEEP_EVERY_S
        )
        self._workers = [
            infrastructure.worker(f"extraction {number}", self._process_next, interval_s=0.0)
            for number in range(pace.workers)
        ]
        self._proposed_notes = ProposedNotes(infrastructure, rules, verifier, signals)
        self._has_swept = False
        self._backoff = Backoff(self._clock)
        self._burst_backoff: KeyedBackoff[BurstKey] = KeyedBackoff(self._clock)
        self._postponed: dict[BurstKey, PendingBurst] = {}
        self._last_seen: dict[Member, datetime] = {}
        self._being_stored: Counter[BurstKey] = Counter()
        self.refused: Counter[str] = Counter()
        retention = Retention(self._database, self._clock)
        self.offline_writer = OfflineWriter(self._clock, retention, self._store, ephemeral_turns)
        self.pending_answers = PendingAnswers(self._database, self._clock)

    async def start(self) -> None:
        """Start the workers, and pick up what an earlier run left; does nothing when read-only."""
        if self._rules.read_only:
            return
        for worker in (*self._workers, self._sweeper):
            worker.start()

    async def record(
        self, event: Event, audience: Audience, *, is_answered: bool = False
    ) -> RecordOutcome:
        """Store an event; KNOWN (falsy) if it was stored before, so another process answers it.

        ``is_answered``: this process answers it if it is new, and says in ``pending_answers`` when
        that is done.

        UNSTORED if it may not be stored: its author's consent is off, they are ignored, the server
        is frozen, or it is an answer of Kith's to or about such members. It is then only kept in
        ``ephemeral_turns`` for a while. UNSTORED as well if it has to wait for the database.
        """
        if self._rules.read_only:
            return RecordOutcome.UNSTORED
        event = storable(event)
        if not self.offline_writer.buffer.has_waiting(event.guild_id, event.channel_id):
            try:
                return await self._store(event, audience, is_answered=is_answered)
            except DatabaseError as error:
                _log.debug("an event waits for the database: %s", type(error).__name__)
        return (
            RecordOutcome.UNSTORED
            if self.offline_writer.enqueue(event, audience)
            else RecordOutcome.KNOWN
        )

    async def unsaved_turns(self, event: Event, limit: int, *, can_look: bool) -> list[Event]:
        """Return the turns before a message that wait for the database, as consent allows.

        If consent cannot be looked up (``can_look`` False), only the author's own dialogue.
        """
        waiting = self.offline_writer.buffer.turns(event.guild_id, event.channel_id, limit + 1)
        turns = [turn for turn in waiting if turn.message_id != event.message_id]
        try:
            if turns and can_look:
                return await self._database.read(consent_gate.allowed_turns, turns=turns)
        except DatabaseError as error:
            _log.debug("consent could not be looked up: %s", type(error).__name__)
        return consent_gate.turns_with_member(event.member, turns)

    async def _store(
        self, event: Event, audience: Audience, *, is_answered: bool = False
    ) -> RecordOutcome:
        """Store an event as consent allows, and schedule its extraction. Raises DatabaseError."""

        if event.role is Role.KITH:
            return await self._store_answer(event)

        def unit(connection: Connection) -> RecordOutcome:
            consent = consent_gate.locked_consent(connection, event, event.member)
            if consent is Consent.OFF:
                return RecordOutcome.UNSTORED
            expires_at = policy.event_end(event.created_at, consent)
            is_new = events.insert(connection, event, expires_at)
            if is_new and (event.attachments or event.revision):
                attachments.store(connection, event, expires_at)
            if is_new and is_answered:
                self.pending_answers.begin(connection, event)
            return RecordOutcome(is_new)

        key = BurstKey(event.member, event.channel_id)
        with self._kept_from_sweep(key):
            recorded = await self._database.write(unit)
            if recorded is RecordOutcome.STORED and event.role is Role.MEMBER:
                self._debouncer.schedule(key, audience)
        if recorded is RecordOutcome.UNSTORED:
            self.ephemeral_turns.add(event)
        if recorded is RecordOutcome.STORED and is_answered:
            self.pending_answers.hold(QuestionRef(event.guild_id, event.message_id))
        if recorded is RecordOutcome.STORED and event.role is Role.MEMBER:
            self._last_seen[event.member] = event.created_at
            self._signals.recorded.emit()
            if event.attachments:
                self._signals.attachments.emit(event.member, event.message_id)
        return recorded

    @contextmanager
    def _kept_from_sweep(self, key: BurstKey) -> Iterator[None]:
        """Keep the sweep, which knows no readers, from scheduling what is about to be scheduled."""
        self._being_stored[key] += 1
        try:
            yield
        finally:
            self._being_stored -= Counter((key,))

    async def _store_answer(self, answer: Event) -> RecordOutcome:
        """Store an answer of Kith's with what it rests on, unless some of that is erased by now."""
        now = self._clock.now()
        unit = partial(consent_gate.store_answer, answer=answer, now=now)
        recorded = await self._database.write(unit)
        if recorded is RecordOutcome.UNSTORED:
            self.ephemeral_turns.add(answer)
        if recorded is RecordOutcome.RETRACTED:
            self._signals.removals.emit()
        return recorded

    async def settle(self) -> None:
        """Extract everything that waits now; returns when it is done or cannot be done."""
        if not self._sweeper.is_running:
            return
        await self._sweep(older_than_s=0.0)
        await self._debouncer.drain()
        await self._proposed_notes.retry_due()

    async def close(self) -> None:
        """Stop the workers; interrupted extractions are repeated after the next start."""
        await asyncio.gather(*(worker.close() for worker in (*self._workers, self._sweeper)))
        await self._write_last_seen()

    # --- sweeping ------------------------------------------------------------------------------

    async def _sweep_and_save(self) -> None:
        """Find events that no queue holds: left by a crash, an outage or another process."""
        quiet_s = self._debouncer.max_wait_s if self._has_swept else 0.0
        self._has_swept = True
        await self._sweep(older_than_s=quiet_s)
        await self._proposed_notes.retry_due()
        await self._write_last_seen()

    async def _sweep(self, older_than_s: float) -> None:
        now = self._clock.now()
        before = now - timedelta(seconds=older_than_s)
        bursts = await self._database.read(
            events.pending_bursts, before=before, now=now, limit=MAX_WAITING
        )
        postponed, self._postponed = self._postponed, {}
        for member, channel_id in bursts:
            key = BurstKey(member, channel_id)
            is_scheduled = key in self._debouncer or key in self._being_stored
            if not is_scheduled and not self._is_backing_off(key):
                pending = postponed.get(key)
                unknown = Audience(member.guild_id, channel_id, frozenset())
                self._debouncer.schedule(key, unknown if pending is None else pending.audience)

    async def _write_last_seen(self) -> None:
        last_seen, self._last_seen = self._last_seen, {}
        try:
            if last_seen:
                await self._database.write(members.update_last_seen, last_seen=last_seen)
        except DatabaseError:
            self._last_seen = last_seen | self._last_seen
            raise

    # --- extracting ----------------------------------------------------------------------------

    async def _process_next(self) -> None:
        await self._debouncer.process_next(self._process)

    async def _process(self, key: BurstKey, pending: PendingBurst) -> bool:
        """Extract a burst under its lease and apply the result.

        Returns whether more of its events may be extracted at once.
        """
        if self._backoff.is_on():
            return False
        async with self._leases.hold(key.lease) as fence:
            if fence is None:
                return False
            job = await self._database.write(
                bursts.claim,
                member=key.member,
                channel_id=key.channel_id,
                audience=pending.audience,
                forbidden=self._rules.forbidden,
                now=self._clock.now(),
            )
            if isinstance(job, Postponed):
                self._postponed[key] = pending  # the sweep schedules it again
                return False
            if job is None:
                return False
            try:
                return await self._extract(key, job, fence)
            except StaleFence:
                _log.info("another worker took over an extraction; this one wrote nothing")
                return False
            except DatabaseError:
                raise
            except Exception:
                failed = partial(events.release, event_ids=job.event_ids, attempts=events.FAILURE)
                await self._leases.write(key.lease, fence, failed)
                raise

    async def _extract(self, key: BurstKey, job: ExtractionJob, fence: int) -> bool:
        """Run the extractor, and leave the events done, failed, or waiting again."""
        finish = partial(events.finish, event_ids=job.event_ids, state=EventState.FAILED)
        put_back = partial(events.release, event_ids=job.event_ids)
        try:
            extraction = await self._extractor.extract(job.inputs)
            extraction = await self._verifier.judge(job.unverified(extraction))
        except ModelMalformed:
            self.refused["malformed answer"] += 1
            self._metrics.count_refusals(key.member.guild_id, {"malformed answer": 1})
            await self._leases.write(key.lease, fence, finish)
        except RequestRefused as error:  # fails after a few attempts, so others need not wait
            failed = partial(put_back, attempts=events.FAILURE)
            await self._leases.write(key.lease, fence, failed)
            self._burst_backoff.begin(key, REFUSAL_PAUSE_S)
            _log.warning("the model refused a burst: %s", error)
            return False
        except (ModelError, BudgetSpent) as error:
            await self._leases.write(key.lease, fence, put_back)
            self._back_off(key, error)
            return False
        except asyncio.CancelledError:  # a shutdown does not count as an attempt
            await asyncio.shield(self._leases.write(key.lease, fence, put_back))
            raise
        else:
            self._backoff.forget()
            await self._apply(key, job, extraction, fence)
        return job.is_more

    async def _apply(
        self, key: BurstKey, job: ExtractionJob, extraction: Extraction, fence: int
    ) -> None:
        def unit(connection: Connection) -> Plan:
            notes = bursts.with_erased(connection, job.unverified(extraction))
            plan = bursts.apply(connection, notes, self._rules.policy, self._clock.now())
            events.finish(connection, job.event_ids, EventState.DONE)
            return plan

        plan = await self._leases.write(key.lease, fence, unit)
        self._signals.recorded.emit()
        self.refused.update(plan.refused)
        self._metrics.count_plan(key.member.guild_id, plan)
        self._signals.report(key.member, plan)
        _log.info(
            "extracted %d messages: %d new memories, %d confirmed, refused %s",
            len(job.event_ids),
            len(plan.inserts),
            len(plan.confirmations),
            dict(plan.refused) or "none",
        )

    def _back_off(self, key: BurstKey, error: Exception) -> None:
        """Pause extraction, longer each time the model does not answer.

        A used-up budget is one server's or one member's, so only this burst pauses.
        """
        if isinstance(error, BudgetSpent):
            self._burst_backoff.begin(key, BUDGET_PAUSE_S)
            return
        _log.warning(
            "extraction pauses for %.0f s; events wait: %s",
            self._backoff.begin(),
            type(error).__name__,
        )

    def _is_backing_off(self, key: BurstKey) -> bool:
        return self._backoff.is_on() or key in self._burst_backoff
