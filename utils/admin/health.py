"""Health checks for orchestrators, the dashboard and Prometheus.

A check does a few small reads, writes nothing and spends no tokens. Its reasons never contain the
name of a person, a server or an address.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from utils.common.errors import DatabaseError, ModelError, ModelRefused, log_unexpected
from utils.database.admin import health
from utils.llm.client import LanguageModel
from utils.llm.token_budget import EXTRACTION, TokenBudget
from utils.memory.ingestion.offline_writer import OfflineWriter
from utils.runtime.loop_lag import LoopLagMonitor
from utils.runtime.single_flight import SingleFlight
from utils.runtime.stopping import cancel
from utils.runtime.worker import Infrastructure, InfrastructureService

CACHE_S = 5.0
DATABASE_LIMIT_S = 2.0  # a read takes milliseconds, and a reply waits for three of them
DATABASE_TIMEOUT_S = 4.0  # callers such as Prometheus wait at most ten seconds
GATEWAY_LIMIT_S = 10.0  # discord.py itself warns from here
STALL_LIMIT_S = 1.0  # a command must be answered within three seconds
# Extraction pauses up to five minutes after an error, and ten after the model refused a burst.
QUEUE_LIMIT_S = 1200.0
MAX_COUNTED = 10_000
FAILURES = 3  # in a row
FAILURES_VALID_S = 600.0  # twice the longest pause between calls
SKIP_PROBE_S = 60.0  # after an answer
PROBE_EVERY_S = 60.0
PROBE_LIMIT_S = 5.0
FAILED_PROBES = 2  # in a row

DATABASE_AWAY = "the database does not answer"
MODEL_AWAY = "the language model cannot be reached"
MODEL_REFUSES = "the language model refuses requests: `python bot.py doctor` says why"
CHECK_FAILED = "a part of this check failed unexpectedly; see the log"
GATEWAY_AWAY = "Discord is not connected"
GATEWAY_SLOW = f"Discord's gateway takes more than {GATEWAY_LIMIT_S:.0f} s to answer"

T = TypeVar("T")
GatewayLatency = Callable[[], float | None]
LateJobs = Callable[[], Awaitable[Sequence[str]]]

_log = logging.getLogger(__name__)


class Reason(str):
    """A reason with what fills it; ``template`` and ``values`` are for translation."""

    template: str
    values: Mapping[str, str]

    def __new__(cls, template: str, **values: str) -> "Reason":
        """Return the filled template."""
        reason = super().__new__(cls, template.format(**values))
        reason.template, reason.values = template, values
        return reason


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The result of a check; ``figures`` are seconds and counts, None if unknown."""

    is_well: bool
    reasons: tuple[str, ...]
    figures: Mapping[str, float | None]


@dataclass(slots=True)
class _HealthFindings:
    """The results of the checks so far."""

    reasons: set[str] = field(default_factory=set)
    figures: dict[str, float | None] = field(default_factory=dict)
    hangs: bool = False  # the database neither answers nor fails in time


class Health(InfrastructureService):
    """Checks a process. Concurrent callers share one check, which is cached for 5 seconds."""

    def __init__(
        self,
        infrastructure: Infrastructure,
        budget: TokenBudget,
        backlog: OfflineWriter,
        model: LanguageModel | None,
        *,
        read_only: bool,
    ) -> None:
        """``read_only`` (MEMORY_READ_ONLY): nothing is extracted, so no message is overdue."""
        super().__init__(infrastructure)
        self._read_only = read_only
        self._budget = budget
        self._backlog = backlog
        self._model = model
        self._gateway: GatewayLatency | None = None
        self._late_jobs: SingleFlight[Sequence[str]] | None = None
        self._stalls = LoopLagMonitor(self._metrics.stalls.observe)
        self._checking: asyncio.Task[HealthReport] | None = None
        self._checked_at = float("-inf")
        unit = partial(health.pending_messages, limit=MAX_COUNTED)
        self._pending = SingleFlight(self._clock, lambda: self._database.read(unit))
        self._probe_at = float("-inf")
        self._probe_result = ""
        self._probes_failed = 0

    def watch(self, *, gateway: GatewayLatency, late_jobs: LateJobs) -> None:
        """Check Discord and the jobs too; the console has neither."""
        self._gateway, self._late_jobs = gateway, SingleFlight(self._clock, late_jobs)

    def start(self) -> None:
        """Start measuring event-loop lag."""
        self._stalls.start()

    async def close(self) -> None:
        """Stop and cancel a running check."""
        self._stalls.close()
        await cancel(self._checking)
        await self._pending.close()
        if self._late_jobs is not None:
            await self._late_jobs.close()

    async def check(self) -> HealthReport:
        """Return the report of the last 5 seconds, or a new one; never raises."""
        is_stale = self._clock.monotonic() - self._checked_at >= CACHE_S
        if self._checking is None or (is_stale and self._checking.done()):
            self._checking = asyncio.create_task(self._examine(), name="health")
            self._checked_at = self._clock.monotonic()
        return await asyncio.shield(self._checking)

    async def _examine(self) -> HealthReport:
        findings = _HealthFindings()
        checks = (
            self._check_database(findings),
            self._check_jobs(findings),
            self._check_model(findings),
            self._check_process(findings),
        )
        for error in await asyncio.gather(*checks, return_exceptions=True):
            if isinstance(error, Exception):
                log_unexpected(error)
                findings.reasons.add(CHECK_FAILED)
        reasons = tuple(sorted(findings.reasons))
        findings.figures["healthy"] = float(not reasons)
        away = self._database.away
        self._metrics.set_health_figures(
            findings.figures, away | {"reading": away["reading"] or findings.hangs}
        )
        return HealthReport(not reasons, reasons, findings.figures)

    # --- database and queue --------------------------------------------------------------------

    async def _check_database(self, findings: _HealthFindings) -> None:
        backlog = findings.figures["backlog"] = float(self._backlog.lost)
        if backlog:
            findings.reasons.add(
                Reason(
                    "{count} messages wait in process memory for the database",
                    count=f"{backlog:.0f}",
                )
            )
        if any(self._database.away.values()):
            findings.reasons.add(DATABASE_AWAY)
        answer = await self._answer(self._pending, findings)
        if answer is None:
            return
        bursts, took_s = answer
        findings.figures["database_s"] = took_s
        if took_s > DATABASE_LIMIT_S:
            findings.reasons.add(
                f"a small read of the database takes more than {DATABASE_LIMIT_S:.0f} s"
            )
        if self._read_only:  # nothing is read for memories
            findings.figures |= {"queue": None, "queue_s": None}
        else:
            now = self._clock.now()
            # Overdue is neither what the model refused nor what waits for tomorrow's tokens.
            ages = [
                (now - burst.since).total_seconds()
                for burst in bursts
                if not burst.is_resting and not self._budget.is_spent(burst.member, EXTRACTION)
            ]
            oldest_s = max([0.0, *ages])
            findings.figures |= {
                "queue": sum(burst.messages for burst in bursts),
                "queue_s": oldest_s,
            }
            if oldest_s > QUEUE_LIMIT_S:
                findings.reasons.add(
                    Reason(
                        "messages have been waiting for {minutes} minutes to be read",
                        minutes=f"{oldest_s / 60:.0f}",
                    )
                )

    async def _answer(
        self, inquiry: SingleFlight[T], findings: _HealthFindings
    ) -> tuple[T, float] | None:
        """Return the answer and its duration in seconds; None if the database fails or is late."""
        try:
            return await inquiry.run(DATABASE_TIMEOUT_S)
        except TimeoutError:
            findings.hangs = True
        except DatabaseError as error:
            _log.debug("health cannot look into the database: %s", type(error).__name__)
        findings.reasons.add(DATABASE_AWAY)
        return None

    async def _check_jobs(self, findings: _HealthFindings) -> None:
        if self._late_jobs is None:
            return
        answer = await self._answer(self._late_jobs, findings)
        if answer is None:
            return
        late, _took_s = answer
        findings.figures["late_jobs"] = len(late)
        findings.reasons |= {Reason("the job {name} is overdue", name=name) for name in late}

    # --- the model and Discord -----------------------------------------------------------------

    async def _check_model(self, findings: _HealthFindings) -> None:
        if self._model is None:
            return
        last, now = self._metrics.last_calls, self._clock.monotonic()
        reason = MODEL_REFUSES if last.error == ModelRefused.__name__ else MODEL_AWAY
        if last.failed < FAILURES or now - last.at > FAILURES_VALID_S:
            reason = await self._probe(self._model)
        findings.figures["model"] = float(not reason)
        if reason:
            findings.reasons.add(reason)

    async def _probe(self, model: LanguageModel) -> str:
        """Return what is wrong with the model, by probing it once a minute without spending tokens.

        Skips the probe if the model answered within the last minute.
        """
        now, last = self._clock.monotonic(), self._metrics.last_calls
        if not last.error and now - last.at < SKIP_PROBE_S:
            self._probes_failed, self._probe_result = 0, ""
            return ""
        if now - self._probe_at >= PROBE_EVERY_S:
            self._probe_at = now
            try:
                await model.probe(PROBE_LIMIT_S)
            except ModelError as error:
                self._probes_failed += 1
                refused = isinstance(error, ModelRefused)
                if self._probes_failed >= FAILED_PROBES:
                    self._probe_result = MODEL_REFUSES if refused else MODEL_AWAY
            else:
                self._probes_failed, self._probe_result = 0, ""
        return self._probe_result

    async def _check_process(self, findings: _HealthFindings) -> None:
        stall_s = findings.figures["stall_s"] = self._stalls.worst_s
        if stall_s is not None and stall_s > STALL_LIMIT_S:
            findings.reasons.add(
                Reason(
                    "the event loop was blocked for {seconds} s within the last minute",
                    seconds=f"{stall_s:.1f}",
                )
            )
        if self._gateway is None:
            return
        latency_s = findings.figures["gateway_s"] = self._gateway()
        if latency_s is None:
            findings.reasons.add(GATEWAY_AWAY)
        elif latency_s > GATEWAY_LIMIT_S:
            findings.reasons.add(GATEWAY_SLOW)
