"""Extract what a member says in a channel once they pause.

What is said within a few seconds is a burst, and shares one extraction. A worker holds the burst's
lease, and the result is applied in one unit of work that checks the lease's fence. A crash or a
model outage loses nothing: the events wait in the database, and a sweep finds them.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from utils.common.clock import Clock
from utils.common.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    OutOfRoom,
    RequestRefused,
    StaleFence,
)
from utils.database.core.engine import Connection
from utils.database.memories import note_marks
from utils.database.messages import events
from utils.memory.extraction import bursts
from utils.memory.extraction.bursts import ExtractionJob, Postponed
from utils.memory.extraction.llm_extractor import ModelExtractor
from utils.memory.extraction.receipts import receipts_of
from utils.memory.extraction.rule_extractor import RuleExtractor
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.candidate_verifier import CandidateVerifier
from utils.models.extraction import Extraction
from utils.models.memory import Audience, EventState, Member
from utils.models.plan import Plan
from utils.runtime.backoff import Backoff, KeyedBackoff
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker, first_of

MAX_BURST_FACTOR = 5
BUDGET_PAUSE_S = REFUSAL_PAUSE_S = 600.0
VERDICT_PAUSE_S = 1_800.0
"""A session is over then, and a model that was away may be back."""
MAX_PUT_BACK = 3
NO_ROOM_PAUSE_S = 3600.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BurstKey:
    """The member and channel of a burst."""

    member: Member
    channel_id: int

    @property
    def lease(self) -> str:
        """The name of the lease under which the burst is extracted."""
        return f"extract:{self.member.guild_id}:{self.channel_id}:{self.member.user_id}"


@dataclass(slots=True)
class PendingBurst:
    """When to extract a burst (monotonic seconds), and who reads its channel."""

    ready_at: float
    latest_at: float
    audience: Audience
    events: int = 1


class ExtractionWorkers(InfrastructureService):
    """Extract each event once. ``refused`` counts why candidates were dropped."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        rules: WriteRules,
        extractor: ModelExtractor | RuleExtractor,
        verifier: CandidateVerifier,
        signals: MemorySignals,
        *,
        quiet_s: float,
        workers: int,
    ) -> None:
        """``quiet_s``: how long a member pauses before their burst is extracted."""
        super().__init__(infrastructure)
        self._rules = rules
        self._extractor = extractor
        self._verifier = verifier
        self._signals = signals
        self._debouncer = Debouncer(self._clock, quiet_s)
        process_next = partial(self._debouncer.process_next, self._process)
        self._workers = [
            Worker(infrastructure, f"extraction {number}", process_next, interval_s=0.0)
            for number in range(workers)
        ]
        self._has_swept = False
        self._backoff = Backoff(self._clock)
        self._burst_backoff: KeyedBackoff[BurstKey] = KeyedBackoff(self._clock)
        self._postponed: dict[BurstKey, PendingBurst] = {}
        self._being_stored: Counter[BurstKey] = Counter()
        self.refused: Counter[str] = Counter()

    def start(self) -> None:
        """Start the workers."""
        for worker in self._workers:
            worker.start()

    async def close(self) -> None:
        """Stop the workers; interrupted extractions are repeated after the next start."""
        await asyncio.gather(*(worker.close() for worker in self._workers))

    def schedule(self, key: BurstKey, audience: Audience) -> None:
        """Schedule the extraction of a stored event; ``audience`` reads its channel."""
        self._debouncer.schedule(key, audience)

    @contextmanager
    def kept_from_sweep(self, key: BurstKey) -> Iterator[None]:
        """Keep the sweep, which knows no readers, from scheduling what is about to be scheduled."""
        self._being_stored[key] += 1
        try:
            yield
        finally:
            self._being_stored -= Counter((key,))

    async def settle(self) -> None:
        """Extract everything that waits now; returns when it is done or cannot be done."""
        await self._schedule_stored(older_than_s=0.0)
        await self._debouncer.drain()

    async def sweep(self) -> None:
        """Find events that no queue holds."""
        older_than_s = self._debouncer.max_wait_s if self._has_swept else 0.0
        self._has_swept = True
        await self._schedule_stored(older_than_s)

    async def _schedule_stored(self, older_than_s: float) -> None:
        """Schedule what was left by a crash, an outage or another process."""
        now = self._clock.now()
        stored = await self._database.read(
            events.pending_bursts, before=now - timedelta(seconds=older_than_s), now=now
        )
        postponed, self._postponed = self._postponed, {}
        for member, channel_id in stored:
            key = BurstKey(member, channel_id)
            is_scheduled = key in self._debouncer or key in self._being_stored
            is_paused = self._backoff.is_on() or key in self._burst_backoff
            if not is_scheduled and not is_paused:
                pending = postponed.get(key)
                unknown = Audience(member.guild_id, channel_id, frozenset())
                self._debouncer.schedule(key, unknown if pending is None else pending.audience)

    async def _process(self, key: BurstKey, pending: PendingBurst) -> bool:
        """Extract a burst under its lease and apply the result.

        Returns whether more of its events may be extracted at once.
        """
        if self._backoff.is_on():
            return False
        claim = partial(
            bursts.claim,
            member=key.member,
            channel_id=key.channel_id,
            audience=pending.audience,
            forbidden=self._rules.forbidden,
            now=self._clock.now(),
        )
        async with self._leases.hold_with(key.lease, claim) as held:
            if held is None:
                return False
            fence, job = held
            if isinstance(job, Postponed):
                self._postponed[key] = pending  # the sweep schedules it again
            if not isinstance(job, ExtractionJob):
                return False
            try:
                return await self._extract(key, job, fence)
            except StaleFence:
                _log.info("another worker took over an extraction; this one wrote nothing")
                return False
            except DatabaseError:
                raise
            except Exception:
                await self._leases.write(
                    key.lease, fence, events.release, job.event_ids, attempts=events.FAILURE
                )
                raise

    async def _extract(self, key: BurstKey, job: ExtractionJob, fence: int) -> bool:
        """Run the extractor, and leave the events done, or waiting again."""
        put_back = partial(events.release, event_ids=job.event_ids)
        try:
            has_failed = job.failures > MAX_PUT_BACK  # its sentences are kept as quotes, at last
            extractor = RuleExtractor() if has_failed else self._extractor
            extraction = await extractor.extract(job.inputs)
            extraction = await self._verifier.judge(job.notes_of(extraction))
        except RequestRefused as error:  # only this burst pauses, so others need not wait
            await self._leases.write(key.lease, fence, put_back, attempts=events.FAILURE)
            self._burst_backoff.begin(key, REFUSAL_PAUSE_S)
            _log.warning("the model refused a burst: %s", error)
            return False
        except (OutOfRoom, BudgetSpent) as error:  # only this burst pauses: others may be shorter,
            await self._leases.write(key.lease, fence, put_back)  # or of another member or server
            has_no_room = isinstance(error, OutOfRoom)
            self._burst_backoff.begin(key, NO_ROOM_PAUSE_S if has_no_room else BUDGET_PAUSE_S)
            return False
        except ModelError as error:  # all bursts pause, longer each time
            await self._leases.write(key.lease, fence, put_back)
            pause_s, kind = self._backoff.begin(), type(error).__name__
            _log.warning("extraction pauses for %.0f s; events wait: %s", pause_s, kind)
            return False
        except asyncio.CancelledError:  # a shutdown does not count as an attempt
            await asyncio.shield(self._leases.write(key.lease, fence, put_back))
            raise
        else:
            self._backoff.forget()
            if extraction.lacks_a_verdict and job.failures < MAX_PUT_BACK:
                await self._put_back(key, job, extraction, fence)
            else:
                await self._apply(key, job, extraction, fence)
        return job.is_more

    async def _put_back(
        self, key: BurstKey, job: ExtractionJob, extraction: Extraction, fence: int
    ) -> None:
        """Let a burst wait whole for its verdicts: half of what was said may end the other half.

        What is to be kept from others is, from now on.
        """

        def unit(connection: Connection) -> None:
            bursts.keep_from_others(connection, key.member, extraction, self._clock.now())
            events.release(connection, job.event_ids, attempts=events.FAILURE)

        await self._leases.write(key.lease, fence, unit)
        self._burst_backoff.begin(key, VERDICT_PAUSE_S)
        _log.warning("a burst of %d messages waits for its verdicts", len(job.event_ids))

    async def _apply(
        self, key: BurstKey, job: ExtractionJob, extraction: Extraction, fence: int
    ) -> None:
        def unit(connection: Connection) -> tuple[Plan, bool]:
            now = self._clock.now()
            notes = bursts.with_erased(connection, job.notes_of(extraction))
            plan = bursts.apply(connection, notes, self._rules.policy, now)
            events.finish(connection, job.event_ids, EventState.DONE)
            burst = job.inputs.burst
            events.note_receipts(connection, receipts_of(plan, burst.events, self._rules.forbidden))
            return plan, note_marks.queue(connection, burst, plan, now)

        plan, is_to_be_shown = await self._leases.write(key.lease, fence, unit)
        self._signals.recorded.emit()
        if is_to_be_shown or plan.removals or not plan.only_adds:
            self._signals.noted.emit()
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


@dataclass(eq=False, repr=False)
class Debouncer:
    """Holds each burst until its member pauses for ``quiet_s``, for at most five times as long."""

    _clock: Clock
    _quiet_s: float
    _pending: dict[BurstKey, PendingBurst] = field(default_factory=dict, init=False)
    _queue: asyncio.Queue[BurstKey] = field(
        default_factory=lambda: asyncio.Queue(events.MAX_BURSTS), init=False
    )
    _draining: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @property
    def max_wait_s(self) -> float:
        """How long a burst waits at most, in seconds."""
        return self._quiet_s * MAX_BURST_FACTOR

    def __contains__(self, key: BurstKey) -> bool:
        return key in self._pending

    def schedule(self, key: BurstKey, audience: Audience) -> None:
        """Schedule a burst after a pause; further events postpone it, up to :attr:`max_wait_s`."""
        now = self._clock.monotonic()
        pending = self._pending.get(key)
        if pending is not None:
            pending.ready_at = min(now + self._quiet_s, pending.latest_at)
            pending.audience = replace(
                audience,
                sources=pending.audience.sources & audience.sources,
                is_open=pending.audience.is_open and audience.is_open,
                open_ids=pending.audience.open_ids & audience.open_ids,
            )
            pending.events += 1
        elif not self._queue.full():  # otherwise the sweep finds it in the database
            latest_at = now + self.max_wait_s
            self._pending[key] = PendingBurst(now + self._quiet_s, latest_at, audience)
            self._queue.put_nowait(key)

    async def process_next(
        self, process: Callable[[BurstKey, PendingBurst], Awaitable[bool]]
    ) -> None:
        """Wait until the next burst is ready, and process it; several workers may run at once.

        ``process`` returns whether more events of the burst may wait. If it raises, the events stay
        in the database.
        """
        key = await self._queue.get()
        pending = self._pending[key]
        processed = 0
        is_more = False
        try:
            while (wait_s := pending.ready_at - self._clock.monotonic()) > 0:
                if self._draining.is_set():
                    break
                await first_of([self._clock.sleep(wait_s), self._draining.wait()])
            processed = pending.events
            is_more = await process(key, pending)
        finally:
            del self._pending[key]
            if is_more or pending.events > processed:  # new events, or too many for one job
                self.schedule(key, pending.audience)
            self._queue.task_done()

    async def drain(self) -> None:
        """Extract all pending bursts now, without waiting for pauses; returns when done."""
        self._draining.set()
        try:
            await self._queue.join()
        finally:
            self._draining.clear()
