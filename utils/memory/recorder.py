"""Recorder hears: events in, bursts out, extraction driven to its end.

An event is durable before anybody is answered. What a member says in a channel within a few
seconds is read in one extraction, by a worker that holds the burst's lease; its result is applied
in one unit of work that checks the lease's fence. Nothing is lost by a crash or a model outage:
events wait in the database, or in process memory while that is away (backlog_writer.py).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from utils.clock import Clock
from utils.database import artifacts, events, members
from utils.database.engine import Database, Session
from utils.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    ModelMalformed,
    RequestRefused,
    StaleFence,
)
from utils.leases import Leases
from utils.memory import bursts, leave, policy, unwritten
from utils.memory.backlog_writer import BacklogWriter
from utils.memory.bursts import PutOff, Work
from utils.memory.categories import DEFAULT_CATEGORIES, Category
from utils.memory.decide import decide
from utils.memory.fleeting import FleetingRoom
from utils.memory.overheard import Overheard, as_event, take_in
from utils.memory.pauses import Pause, Rests
from utils.memory.proposals import Proposals
from utils.memory.retention import Retention
from utils.memory.storable import storable
from utils.memory.waiting import MOST_WAITING, BurstKey, Waiting, WaitingRoom
from utils.metrics import Metrics
from utils.model.memory import (
    Audience,
    Consent,
    Event,
    EventState,
    Extraction,
    Member,
    Reading,
    Recorded,
    Role,
)
from utils.model.plan import Plan
from utils.model.policy import WritePolicy

SWEEP_EVERY_S = 30.0
SPENT_REST_S = REFUSED_REST_S = 600.0

_log = logging.getLogger(__name__)


class Extractor(Protocol):
    """Turns a burst into candidates: the model, or the built-in rules."""

    async def extract(self, reading: Reading) -> Extraction:
        """Return the candidates; raises ModelError or BudgetSpent when there is no answer."""


class Recorder:
    """Stores what is heard and sees to it that it is read, exactly once."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        extractor: Extractor,
        *,
        write_policy: WritePolicy,
        quiet_s: float,
        workers: int,
        forbidden: frozenset[Category] = DEFAULT_CATEGORIES,
        proposals: Proposals | None = None,
        read_only: bool = False,
        on_news: Callable[[], object] = lambda: None,
        on_attached: Callable[[Member, int], None] = lambda member, message_id: None,
        fleeting: FleetingRoom | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """``on_news`` is called whenever a message or memories were stored, ``on_attached`` with
        the member and the id of each that something came with.

        ``backlog`` takes what happens to messages: their edits and deletions; ``fleeting`` keeps
        the last turns that may not be stored.
        """
        self._database = database
        self._clock = clock
        self._leases = leases
        self._on_news = on_news
        self._on_attached = on_attached
        self._extractor = extractor
        self._write_policy = write_policy
        self._worker_count = workers
        self._forbidden = forbidden
        self._proposals = proposals or Proposals()
        self._read_only = read_only
        self._room = WaitingRoom(clock, quiet_s)
        self._tasks: list[asyncio.Task[None]] = []
        self._pause = Pause(clock)
        self._rests: Rests[BurstKey] = Rests(clock)
        self._put_off: dict[BurstKey, Waiting] = {}
        self._seen: dict[Member, datetime] = {}
        self.refused: Counter[str] = Counter()
        self._metrics = metrics or Metrics(clock)
        self.fleeting = fleeting or FleetingRoom(clock)
        retention = Retention(database, clock)
        self.backlog = BacklogWriter(clock, retention, self._store, fleeting=self.fleeting)

    async def start(self) -> None:
        """Take up what an earlier run left, and begin to work; not where nothing may be written."""
        if self._read_only:
            return
        self._tasks = [
            asyncio.create_task(self._room.serve(self._read), name=f"extraction {i}")
            for i in range(self._worker_count)
        ]
        self._tasks.append(asyncio.create_task(self._sweep_for_ever(), name="extraction sweep"))

    async def record(self, event: Event, audience: Audience) -> Recorded:
        """Store an event for good; KNOWN, which is false: another answers it.

        What a member with consent off writes, or one whom moderators had ignored, or anybody in a
        frozen server, and what Kith answers them or with them in mind, counts as new, UNSTORED: it
        is only kept in process memory for a while (``fleeting``). So does, without a look at other
        processes, what has to wait for the database.
        """
        if self._read_only:
            return Recorded.UNSTORED
        event = storable(event)
        if not self.backlog.waits_in(event.guild_id, event.channel_id):
            try:
                return await self._store(event, audience)
            except DatabaseError as error:
                _log.debug("an event waits for the database: %s", type(error).__name__)
        return Recorded.UNSTORED if self.backlog.hear(event, audience) else Recorded.KNOWN

    async def waiting_turns(self, event: Event, limit: int, *, can_look: bool) -> list[Event]:
        """Return the turns before a message that wait, but for those of people who want none kept.

        Where that cannot be looked up (``can_look``), only its own author's.
        """
        found = self.backlog.turns(event.guild_id, event.channel_id, limit + 1)
        turns = [one for one in found if one.message_id != event.message_id]
        try:
            if turns and can_look:
                return await self._database.read(partial(unwritten.allowed, turns=turns))
        except DatabaseError as error:
            _log.debug("wishes could not be looked up: %s", type(error).__name__)
        return unwritten.of_one(event.member, turns)

    async def _store(self, event: Event, audience: Audience) -> Recorded:
        """Store an event as its author allows now, and have it read. Raises DatabaseError."""

        def unit(session: Session) -> Recorded:
            subject = leave.subject_of(session, event)
            consent = leave.to_store(session, event, subject) if subject else Consent.OFF
            if consent is Consent.OFF:
                return Recorded.UNSTORED
            ends = policy.event_end(event.created_at, consent)
            is_new = events.insert(session, event, ends)
            if is_new and (event.attachments or event.revision):
                artifacts.store(session, event, ends)
            return Recorded(is_new)

        recorded = await self._database.write(unit)
        if recorded is Recorded.UNSTORED:
            self.fleeting.hear(event)
        if recorded is Recorded.STORED and event.role is Role.MEMBER:
            self._seen[event.member] = event.created_at
            key = BurstKey(event.member, event.channel_id)
            self._room.expect(key, audience.sources, is_open=audience.is_open)
            self._on_news()
            if event.attachments:
                self._on_attached(event.member, event.message_id)
        return recorded

    async def overhear(self, overheard: Overheard) -> Plan | None:
        """Take in what watching noted of one member; None where nothing may be noted of them.

        The notes go the way of everything that is learnt, as passive ones.
        """
        if self._read_only:
            return None
        plan = await self._database.write(
            partial(
                take_in,
                overheard=overheard,
                events=[storable(as_event(message)) for message in overheard.messages],
                write_policy=self._write_policy,
                forbidden=self._forbidden,
                now=self._clock.now(),
            )
        )
        if plan is not None:
            self.refused.update(plan.refused)
            self._metrics.learnt(overheard.member.guild_id, plan)
            self._proposals.tell(overheard.member.guild_id, plan.proposed)
        return plan

    async def settle(self) -> None:
        """Read everything that waits, at once, and return when it is done or cannot be done."""
        if not self._tasks:
            return
        await self._sweep(older_than_s=0.0)
        await self._room.emptied()

    async def close(self) -> None:
        """Stop working; what is under way is broken off and taken up at the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        await self._write_seen()

    # --- finding what waits --------------------------------------------------------------------

    async def _sweep_for_ever(self) -> None:
        """Find what no queue holds: left by a crash, by an outage, or by another process."""
        quiet_s = 0.0
        while True:
            try:
                await self._sweep(older_than_s=quiet_s)
                await self._write_seen()
            except DatabaseError as error:
                _log.warning("waiting events could not be looked up: %s", type(error).__name__)
            quiet_s = self._room.longest_s
            await self._clock.sleep(SWEEP_EVERY_S)

    async def _sweep(self, older_than_s: float) -> None:
        now = self._clock.now()
        before = now - timedelta(seconds=older_than_s)
        found = await self._database.read(
            partial(events.pending_bursts, before=before, now=now, limit=MOST_WAITING)
        )
        put_off, self._put_off = self._put_off, {}
        for member, channel_id in found:
            key = BurstKey(member, channel_id)
            if key not in self._room and not self._is_left_alone(key):
                known = put_off.get(key)
                sources = known.sources if known else frozenset()
                self._room.expect(key, sources, is_open=known is not None and known.is_open)

    async def _write_seen(self) -> None:
        seen, self._seen = self._seen, {}
        try:
            if seen:
                await self._database.write(partial(members.see, seen=seen))
        except DatabaseError:
            self._seen = seen | self._seen
            raise

    # --- reading -------------------------------------------------------------------------------

    async def _read(self, key: BurstKey, waiting: Waiting) -> bool:
        """Extract a burst under its lease and apply what comes of it.

        Returns whether there may be more to read at once.
        """
        if self._pause.is_on():
            return False
        async with self._leases.hold(key.lease) as fence:
            if fence is None:
                return False
            work = await self._database.write(
                partial(
                    bursts.claim,
                    member=key.member,
                    channel_id=key.channel_id,
                    sources=waiting.sources,
                    is_open=waiting.is_open,
                    forbidden=self._forbidden,
                    now=self._clock.now(),
                )
            )
            if isinstance(work, PutOff):
                self._put_off[key] = waiting  # the sweep asks again
                return False
            if work is None:
                return False
            try:
                return await self._extract(key, work, fence)
            except StaleFence:
                _log.info("another worker took over an extraction; this one wrote nothing")
                return False
            except DatabaseError:
                raise
            except Exception:
                failed = partial(events.put_back, event_ids=work.event_ids, attempts=events.FAILURE)
                await self._leases.write(key.lease, fence, failed)
                raise

    async def _extract(self, key: BurstKey, work: Work, fence: int) -> bool:
        """Ask the extractor, and leave the events done, given up, or waiting again."""
        finish = partial(events.finish, event_ids=work.event_ids, state=EventState.FAILED)
        put_back = partial(events.put_back, event_ids=work.event_ids)
        try:
            extraction = await self._extractor.extract(work.reading)
        except ModelMalformed:
            self.refused["malformed answer"] += 1
            self._metrics.refused(key.member.guild_id, {"malformed answer": 1})
            await self._leases.write(key.lease, fence, finish)
        except RequestRefused as error:  # given up after a few: others must not wait for it
            failed = partial(put_back, attempts=events.FAILURE)
            await self._leases.write(key.lease, fence, failed)
            self._rests.begin(key, REFUSED_REST_S)
            _log.warning("the model refused to read a burst: %s", error)
            return False
        except (ModelError, BudgetSpent) as error:
            await self._leases.write(key.lease, fence, put_back)
            self._leave_alone(key, error)
            return False
        except asyncio.CancelledError:  # a shutdown is no failed attempt
            await asyncio.shield(self._leases.write(key.lease, fence, put_back))
            raise
        else:
            self._pause.forget()
            await self._apply(key, work, extraction, fence)
        return work.is_more

    async def _apply(self, key: BurstKey, work: Work, extraction: Extraction, fence: int) -> None:
        def unit(session: Session) -> Plan:
            plan = members.change(
                session,
                key.member,
                partial(
                    decide,
                    extraction=extraction,
                    write_policy=self._write_policy,
                    heard=work.heard,
                ),
                now=self._clock.now(),
                event_ids=work.event_ids,
            )
            events.finish(session, work.event_ids, EventState.DONE)
            return plan

        plan = await self._leases.write(key.lease, fence, unit)
        self._on_news()
        self.refused.update(plan.refused)
        self._metrics.learnt(key.member.guild_id, plan)
        self._proposals.tell(key.member.guild_id, plan.proposed)
        _log.info(
            "read %d messages: %d new memories, %d confirmed, refused %s",
            len(work.event_ids),
            len(plan.inserts),
            len(plan.confirmations),
            dict(plan.refused) or "none",
        )

    def _leave_alone(self, key: BurstKey, error: Exception) -> None:
        """Leave the model alone for a while, longer each time it does not answer.

        A spent budget is one server's or one member's: only they rest.
        """
        if isinstance(error, BudgetSpent):
            self._rests.begin(key, SPENT_REST_S)
            return
        _log.warning(
            "extraction pauses for %.0f s; what was said waits: %s",
            self._pause.begin(),
            type(error).__name__,
        )

    def _is_left_alone(self, key: BurstKey) -> bool:
        return self._pause.is_on() or key in self._rests
