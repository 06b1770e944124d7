"""Whether what is learnt and recalled has become another since recall's policy changed.

A day, distributions of the week before the change and of the days since are compared
(utils/memory/divergence.py). A breach is logged as an error and shown by the metrics, for the
operator. Only where that was chosen when the policy was applied is it rolled back, and only for
what a policy of recall governs, the sizes of recalls: what is learnt does not depend on it.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from utils.clock import Clock
from utils.database import learnings
from utils.database.engine import Database
from utils.errors import BadInput
from utils.memory.divergence import FEWEST, js_distance, threshold
from utils.metrics import Metrics
from utils.model.memory import Kind
from utils.model.operator import Counted
from utils.read_policies import PolicyInForce, ReadPolicies
from utils.tally import Tally

DAYS_BEFORE = 7
WATCHED_DAYS = 14  # after a change; then it is what is usual
MOST_TOPICS = 30
ACTOR = "drift"
RECALL_SIZES = "recall sizes"

_log = logging.getLogger(__name__)

Learnt = list[tuple[datetime, Kind, float, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One distribution before and after a change: how far apart they are, and from where on that
    is drift; ``samples`` are the fewer of both."""

    name: str
    samples: int
    distance: float | None
    threshold: float | None

    @property
    def is_breach(self) -> bool:
        """Whether it is drift; never with too few samples."""
        if self.distance is None or self.threshold is None:
            return False
        return self.distance > self.threshold

    def __str__(self) -> str:
        if self.distance is None:
            return f"{self.name}: too few samples ({self.samples} of {FEWEST})"
        return f"{self.name}: {self.distance:.2f} (drift from {self.threshold:.2f})"


@dataclass(frozen=True, slots=True)
class DriftReport:
    """What a look for drift found; no findings where no policy was applied lately."""

    version: int
    findings: tuple[Finding, ...] = ()
    rolled_back_to: int | None = None

    def __str__(self) -> str:
        if not self.findings:
            return "no change of policy to look at"
        done = "" if self.rolled_back_to is None else f"; rolled back (now {self.rolled_back_to})"
        return f"version {self.version}: {'; '.join(map(str, self.findings))}{done}"


class Drift:
    """Looks for drift; ``breaches`` are what the last look found, by name, for the metrics."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policies: ReadPolicies,
        tally: Tally,
        metrics: Metrics | None = None,
    ) -> None:
        self._metrics = metrics or Metrics(clock)
        self._database = database
        self._clock = clock
        self._policies = policies
        self._tally = tally
        self.breaches: tuple[str, ...] = ()

    async def check(self) -> DriftReport:
        """Compare the days since the last change with the week before. Raises DatabaseError."""
        held, now = await self._policies.active(), self._clock.now()
        if held.since is None or not timedelta() <= now - held.since <= timedelta(WATCHED_DAYS):
            self._breached(())
            return DriftReport(held.version)
        findings = await self._findings(held.since.astimezone(UTC).date())
        breached = [one for one in findings if one.is_breach]
        self._breached(one.name for one in breached)
        if not breached:
            return DriftReport(held.version, findings)
        _log.error(
            "drift since version %d of recall's policy was applied: %s; look at it, and take it "
            "back with `python bot.py policy rollback` if that was not meant",
            held.version,
            "; ".join(map(str, breached)),
        )
        return DriftReport(held.version, findings, await self._roll_back(held))

    def _breached(self, names: Iterable[str]) -> None:
        self.breaches = tuple(names)
        self._metrics.drifted(len(self.breaches))

    async def _roll_back(self, held: PolicyInForce) -> int | None:
        """Take back what holds, if it is to be; None if it was not, or another process has."""
        if not held.rolls_back or RECALL_SIZES not in self.breaches:
            return None
        try:
            version = await self._policies.rollback(
                actor=ACTOR, reason="recall sizes drifted", only=held.version
            )
        except BadInput:
            return None
        _log.error("rolled back: version %d of recall's policy holds now", version)
        return version

    async def _findings(self, day: date) -> tuple[Finding, ...]:
        """Compare what came before that day with what came after; the day itself is both."""
        first = day - timedelta(days=DAYS_BEFORE)
        counted: dict[Counted, tuple[Counter[str], Counter[str]]] = {
            name: (Counter(), Counter()) for name in (Counted.RECALLED, Counted.REFUSED)
        }
        for one in await self._tally.totals(first, list(counted)):
            if one.day != day:
                counted[one.name][one.day > day][one.label] += one.count
        learnt = await self._database.read(learnings.newest)
        begin = datetime.combine(day, time(), UTC)
        before = [one for one in learnt if begin - timedelta(days=DAYS_BEFORE) <= one[0] < begin]
        after = [one for one in learnt if one[0] >= begin + timedelta(days=1)]
        topics = _topics(before), _topics(after)
        most = {name for name, _ in (topics[0] + topics[1]).most_common(MOST_TOPICS)}
        return (
            finding(RECALL_SIZES, *counted[Counted.RECALLED]),
            finding("refusal reasons", *counted[Counted.REFUSED]),
            finding("kinds", *(Counter(str(one[1]) for one in some) for some in (before, after))),
            finding("confidences", *(_confidences(some) for some in (before, after))),
            finding("topics", *(_grouped(some, most) for some in topics)),
        )


def finding(name: str, before: Mapping[str, int], after: Mapping[str, int]) -> Finding:
    """Compare two counts. Pure."""
    samples = min(sum(before.values()), sum(after.values()))
    if samples < FEWEST:
        return Finding(name, samples, None, None)
    return Finding(name, samples, js_distance(before, after), threshold(before, after))


def _confidences(learnt: Learnt) -> Counter[str]:
    """Count confidences by tenths."""
    return Counter(f"{int(confidence * 10) / 10:.1f}" for _, _, confidence, _ in learnt)


def _topics(learnt: Learnt) -> Counter[str]:
    return Counter(topic for *_, topics in learnt for topic in topics)


def _grouped(topics: Counter[str], most: set[str]) -> Counter[str]:
    """Return counts of the commonest topics, all others as one."""
    found: Counter[str] = Counter()
    for topic, count in topics.items():
        found[topic if topic in most else "(others)"] += count
    return found
