"""Whether all is well, and if not, why: asked by orchestrators, the dashboard and Prometheus.

Every threshold has a name and a reason. A check reads a little and writes nothing; the model is
asked for no word. Reasons name no person, no server and no address.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from utils.budget import EXTRACTION, TokenBudget
from utils.clock import Clock
from utils.database import vital_signs
from utils.database.engine import Database
from utils.errors import DatabaseError, ModelError, ModelRefused, log_unforeseen
from utils.inquiry import Inquiry
from utils.llm_client import LanguageModel
from utils.memory.backlog_writer import BacklogWriter
from utils.metrics import Metrics
from utils.model.operator import Waiting
from utils.stalls import StallWatch

FRESH_S = 5.0  # who asks more often is given the same report
DATABASE_LIMIT_S = 2.0  # a read takes milliseconds, and a reply waits for three of them
DATABASE_PATIENCE_S = 4.0  # whoever asks how all is wants to hear that before long
GATEWAY_LIMIT_S = 10.0  # from when on discord.py itself warns that it cannot keep up
STALL_LIMIT_S = 1.0  # commands have to be answered within three seconds
# Extraction pauses for five minutes at most after a fault, and what it was refused rests for ten.
QUEUE_LIMIT_S = 1200.0
MOST_COUNTED = 10_000
FAILURES = 3  # in a row: one or two may be chance
FAILURES_HOLD_S = 600.0  # twice the longest pause from the model: somebody asks it again by then
ANSWERED_S = 60.0  # a model that answered that lately is not probed
PROBE_EVERY_S = 60.0
PROBE_LIMIT_S = 5.0
PROBES = 2  # failed in a row: one may be chance

DATABASE_AWAY = "the database does not answer"
DATABASE_SLOW = f"a small read of the database takes more than {DATABASE_LIMIT_S:.0f} s"
MODEL_AWAY = "the language model cannot be reached"
MODEL_REFUSES = "the language model refuses what it is asked: `python bot.py doctor` says why"
UNFORESEEN = "a part of this check failed unforeseen; the log says how"
GATEWAY_AWAY = "Discord is not connected"
GATEWAY_SLOW = f"Discord's gateway takes more than {GATEWAY_LIMIT_S:.0f} s to answer"

T = TypeVar("T")
GatewayLatency = Callable[[], float | None]
LateJobs = Callable[[], Awaitable[Sequence[str]]]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """What a check found; ``figures`` are seconds and counts, None where they are not known."""

    is_well: bool
    reasons: tuple[str, ...] = ()
    figures: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Findings:
    """A report in the making."""

    reasons: set[str] = field(default_factory=set)
    figures: dict[str, float | None] = field(default_factory=dict)
    hangs: bool = False  # the database neither answers nor fails


class Health:
    """Examines a process; calls at the same time share one check, which holds for 5 seconds."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        metrics: Metrics,
        budget: TokenBudget,
        backlog: BacklogWriter,
        model: LanguageModel | None,
        *,
        read_only: bool = False,
    ) -> None:
        """``read_only`` (MEMORY_READ_ONLY): nothing is read for memories, so nothing is late."""
        self._read_only = read_only
        self._database = database
        self._clock = clock
        self._metrics = metrics
        self._budget = budget
        self._backlog = backlog
        self._model = model
        self._gateway: GatewayLatency | None = None
        self._late_jobs: Inquiry[Sequence[str]] | None = None
        self._stalls = StallWatch(metrics.stalled)
        self._checking: asyncio.Task[HealthReport] | None = None
        self._checked_at = float("-inf")
        unit = partial(vital_signs.waiting, limit=MOST_COUNTED)
        self._waiting = Inquiry(clock, lambda: database.read(unit))
        self._probed_at = float("-inf")
        self._probed = ""
        self._probes_failed = 0

    def watch(self, *, gateway: GatewayLatency, late_jobs: LateJobs) -> None:
        """Look at Discord and the jobs as well; neither is there in the console."""
        self._gateway, self._late_jobs = gateway, Inquiry(self._clock, late_jobs)

    def start(self) -> None:
        """Begin to measure how late the event loop is, unless that has begun."""
        self._stalls.start()

    async def close(self) -> None:
        """Stop; a check under way is broken off."""
        self._stalls.close()
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)
        await self._waiting.close()
        if self._late_jobs is not None:
            await self._late_jobs.close()

    async def check(self) -> HealthReport:
        """Return what was found within the last 5 seconds, or is found now; never raises."""
        is_stale = self._clock.monotonic() - self._checked_at >= FRESH_S
        if self._checking is None or (is_stale and self._checking.done()):
            self._checking = asyncio.create_task(self._examine(), name="health")
            self._checked_at = self._clock.monotonic()
        return await asyncio.shield(self._checking)

    async def _examine(self) -> HealthReport:
        found = _Findings()
        looks = (
            self._look_at_database(found),
            self._look_at_jobs(found),
            self._look_at_model(found),
            self._look_at_the_process(found),
        )
        for error in await asyncio.gather(*looks, return_exceptions=True):
            if isinstance(error, Exception):
                log_unforeseen(error)
                found.reasons.add(UNFORESEEN)
        reasons = tuple(sorted(found.reasons))
        found.figures["healthy"] = float(not reasons)
        away = self._database.away
        self._metrics.set_figures(found.figures, away | {"reading": away["reading"] or found.hangs})
        return HealthReport(not reasons, reasons, found.figures)

    # --- the database, and what waits in it ----------------------------------------------------

    async def _look_at_database(self, found: _Findings) -> None:
        backlog = found.figures["backlog"] = float(self._backlog.lost)
        if backlog:
            found.reasons.add(f"{backlog:.0f} messages wait in process memory for the database")
        if any(self._database.away.values()):
            found.reasons.add(DATABASE_AWAY)
        answer = await self._asked(self._waiting, found)
        if answer is None:
            return
        waiting, took_s = answer
        found.figures["database_s"] = took_s
        if took_s > DATABASE_LIMIT_S:
            found.reasons.add(DATABASE_SLOW)
        if self._read_only:  # nothing is read for memories
            found.figures |= {"queue": None, "queue_s": None}
        else:
            self._look_at_queue(found, waiting)

    async def _asked(self, inquiry: Inquiry[T], found: _Findings) -> tuple[T, float] | None:
        """Return what the database answers; None where it fails, or does not in time."""
        try:
            return await inquiry.answer(DATABASE_PATIENCE_S)
        except TimeoutError:
            found.hangs = True
        except DatabaseError as error:
            _log.debug("health cannot look into the database: %s", type(error).__name__)
        found.reasons.add(DATABASE_AWAY)
        return None

    def _look_at_queue(self, found: _Findings, waiting: Sequence[Waiting]) -> None:
        """Blame what has waited for too long, but for what the model refused and those whose day's
        tokens are spent."""
        now = self._clock.now()
        ages = [
            (now - one.since).total_seconds()
            for one in waiting
            if not one.rests and not self._budget.is_spent(one.member, EXTRACTION)
        ]
        oldest_s = max(0.0, *ages, 0.0)
        found.figures |= {"queue": sum(one.messages for one in waiting), "queue_s": oldest_s}
        if oldest_s > QUEUE_LIMIT_S:
            found.reasons.add(f"messages have waited for {oldest_s / 60:.0f} minutes to be read")

    async def _look_at_jobs(self, found: _Findings) -> None:
        if self._late_jobs is None:
            return
        answer = await self._asked(self._late_jobs, found)
        if answer is None:
            return
        late, _took_s = answer
        found.figures["late_jobs"] = len(late)
        found.reasons |= {f"the job {name} is overdue" for name in late}

    # --- the model and Discord -----------------------------------------------------------------

    async def _look_at_model(self, found: _Findings) -> None:
        if self._model is None:
            return
        reason = self._of_last_calls() or await self._probe(self._model)
        found.figures["model"] = float(not reason)
        if reason:
            found.reasons.add(reason)

    def _of_last_calls(self) -> str:
        """Return why the model is no good, by what its last calls came to; "" if they tell not."""
        last, now = self._metrics.last_calls, self._clock.monotonic()
        if last.failed < FAILURES or now - last.at > FAILURES_HOLD_S:
            return ""
        return MODEL_REFUSES if last.error == ModelRefused.__name__ else MODEL_AWAY

    async def _probe(self, model: LanguageModel) -> str:
        """Return why the model is no good, by knocking at its door once a minute; no token is spent
        on that. One that answered somebody within the last minute is left alone."""
        now, last = self._clock.monotonic(), self._metrics.last_calls
        if not last.error and now - last.at < ANSWERED_S:
            self._probes_failed, self._probed = 0, ""
            return ""
        if now - self._probed_at >= PROBE_EVERY_S:
            self._probed_at = now
            try:
                await model.probe(PROBE_LIMIT_S)
            except ModelError as error:
                self._probes_failed += 1
                refused = isinstance(error, ModelRefused)
                if self._probes_failed >= PROBES:
                    self._probed = MODEL_REFUSES if refused else MODEL_AWAY
            else:
                self._probes_failed, self._probed = 0, ""
        return self._probed

    async def _look_at_the_process(self, found: _Findings) -> None:
        stall_s = found.figures["stall_s"] = self._stalls.worst_s
        if stall_s is not None and stall_s > STALL_LIMIT_S:
            found.reasons.add(
                f"the event loop stood still for {stall_s:.1f} s within the last minute"
            )
        self._look_at_gateway(found)

    def _look_at_gateway(self, found: _Findings) -> None:
        if self._gateway is None:
            return
        latency_s = found.figures["gateway_s"] = self._gateway()
        if latency_s is None:
            found.reasons.add(GATEWAY_AWAY)
        elif latency_s > GATEWAY_LIMIT_S:
            found.reasons.add(GATEWAY_SLOW)
