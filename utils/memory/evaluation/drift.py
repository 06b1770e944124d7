"""Detects drift: whether learning and recall changed after the recall policy changed.

Once a day it compares distributions of the week before the change with those of the days since
(utils/nlp/divergence.py). It logs a breach as an error and counts it in the metrics. It rolls the
policy back only if that was chosen when the policy was applied, only for the sizes of recalls,
which a recall policy governs, and only if shuffled days do not explain the breach. After a rollback
it compares nothing, because the week before belongs to the bad policy.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.database.core.engine import Database
from utils.database.memories import evaluation_data
from utils.memory.evaluation.policy_versions import ActiveRecallPolicy, RecallPolicyVersions
from utils.models.operator import CounterName, DailyCount
from utils.models.recall_policy import VersionRow
from utils.nlp.divergence import FALSE_ALARM_RATE, MIN_COUNT, js_distance, p_value_by_day, threshold
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics

DAYS_BEFORE = 7
WATCHED_DAYS = 14  # after a change; then the new policy is the norm
MAX_TOPICS = 30
ACTOR = "drift"
RECALL_SIZES = "recall sizes"
COUNTED = (CounterName.RECALLED, CounterName.REFUSED, CounterName.LEARNT)
# Shorter-lived memories are already missing from the week before, but not from the days after.
OUTLIVES = timedelta(days=DAYS_BEFORE + WATCHED_DAYS + 1)

_log = logging.getLogger(__name__)

Days = Mapping[date, Counter[str]]
Learnt = list[tuple[datetime, float, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Finding:
    """The distance of one distribution before and after a change, and the threshold for drift.

    ``samples`` is the smaller of the two sample sizes.
    """

    name: str
    samples: int
    distance: float | None
    threshold: float | None

    @property
    def is_breach(self) -> bool:
        """Whether this is drift; always False with too few samples."""
        if self.distance is None or self.threshold is None:
            return False
        return self.distance > self.threshold

    def __str__(self) -> str:
        if self.distance is None:
            return f"{self.name}: too few samples ({self.samples} of {MIN_COUNT})"
        return f"{self.name}: {self.distance:.2f} (drift from {self.threshold:.2f})"


@dataclass(frozen=True, slots=True)
class DriftReport:
    """The result of a drift check; no findings if no policy was applied recently."""

    version: int
    findings: tuple[Finding, ...] = ()
    rolled_back_to: int | None = None

    def __str__(self) -> str:
        if not self.findings:
            return "no recent policy change"
        rollback = (
            "" if self.rolled_back_to is None else f"; rolled back (now {self.rolled_back_to})"
        )
        return f"version {self.version}: {'; '.join(map(str, self.findings))}{rollback}"


class DriftMonitor:
    """Checks for drift; ``breaches`` are the names of the last check's breaches."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policies: RecallPolicyVersions,
        tally: EventCounters,
        metrics: Metrics,
    ) -> None:
        self._metrics = metrics
        self._database = database
        self._clock = clock
        self._policies = policies
        self._tally = tally
        self.breaches: tuple[str, ...] = ()

    async def check(self) -> DriftReport:
        """Compare the days since the last policy change with the week before it.

        Raises DatabaseError.
        """
        active, now = await self._policies.active(), self._clock.now()
        if active.since is None or not timedelta() <= now - active.since <= timedelta(WATCHED_DAYS):
            self._breached(())
            return DriftReport(active.version)
        versions = await self._policies.versions()
        if is_rollback(active.version, versions):
            self._breached(())
            return DriftReport(active.version)
        changed_on = active.since.astimezone(UTC).date()
        first = first_day(active.version, changed_on, versions)
        counted = await self._tally.totals(first, COUNTED)
        findings = await self._findings(first, changed_on, counted)
        breached = [finding for finding in findings if finding.is_breach]
        self._breached(finding.name for finding in breached)
        if not breached:
            return DriftReport(active.version, findings)
        _log.error(
            "drift since recall policy version %d was applied: %s; check it, and roll it back with "
            "`python bot.py policy rollback` if this was not intended",
            active.version,
            "; ".join(map(str, breached)),
        )
        is_chance = is_explained(by_day(counted, CounterName.RECALLED), changed_on)
        rollback = None if is_chance else await self._roll_back(active)
        return DriftReport(active.version, findings, rollback)

    def _breached(self, names: Iterable[str]) -> None:
        self.breaches = tuple(names)
        self._metrics.set_drift_breaches(len(self.breaches))

    async def _roll_back(self, active: ActiveRecallPolicy) -> int | None:
        """Roll the active policy back if that was chosen.

        Returns the new version, or None if nothing was rolled back or another process did it.
        """
        if not active.rolls_back or RECALL_SIZES not in self.breaches:
            return None
        try:
            new = await self._policies.rollback(
                actor=ACTOR, reason="recall sizes drifted", only=active.version
            )
        except BadInput:
            return None
        _log.error("rolled back: recall policy version %d is active now", new.version)
        return new.version

    async def _findings(
        self, first: date, day: date, counted: Sequence[DailyCount]
    ) -> tuple[Finding, ...]:
        """Return the comparisons of the days before and after ``day``, which belongs to both."""
        sizes, reasons, kinds = (parted(by_day(counted, name), day) for name in COUNTED)
        learnt = await self._database.read(evaluation_data.newest_memories, min_lifetime=OUTLIVES)
        begin = datetime.combine(day, time(), UTC)
        before = [
            memory for memory in learnt if datetime.combine(first, time(), UTC) <= memory[0] < begin
        ]
        after = [memory for memory in learnt if memory[0] >= begin + timedelta(days=1)]
        topics = _topics(before), _topics(after)
        common_topics = {name for name, _ in (topics[0] + topics[1]).most_common(MAX_TOPICS)}
        return (
            finding(RECALL_SIZES, *map(_summed, sizes)),
            finding("refusal reasons", *map(_summed, reasons)),
            finding("kinds", *map(_summed, kinds)),
            finding("confidences", *(_confidences(memories) for memories in (before, after))),
            finding("topics", *(_grouped(memories, common_topics) for memories in topics)),
        )


def is_rollback(version: int, versions: Sequence[VersionRow]) -> bool:
    """Whether the active version is the result of a rollback. Pure.

    An applied version names the one that was active before it; versions between the two were only
    shadows and name none. A rollback names a version further back.
    """
    rows = {row.version: row for row in versions}
    if version not in rows:
        return False
    previous = rows[version].previous
    between = (row for row in versions if previous is not None and previous < row.version < version)
    return previous is None or any(row.previous is not None for row in between)


def first_day(version: int, day: date, versions: Sequence[VersionRow]) -> date:
    """Return the first day to compare: a week earlier, or the day after the last change. Pure."""
    rows = {row.version: row for row in versions}
    week = day - timedelta(days=DAYS_BEFORE)
    before = rows.get(rows[version].previous or 0) if version in rows else None
    if before is None or before.at is None:
        return week
    return max(week, before.at.astimezone(UTC).date() + timedelta(days=1))


def is_explained(days: Days, day: date) -> bool:
    """Whether shuffled days are often as far apart, so that a rollback is not justified. Pure.

    The accepted chance of one false rollback is divided among the checks of all watched days.
    """
    before, after = parted(days, day)
    return p_value_by_day(before, after) > FALSE_ALARM_RATE / WATCHED_DAYS


def by_day(counts: Sequence[DailyCount], name: CounterName) -> Days:
    """Return the counts of one name, by day and label. Pure."""
    days: defaultdict[date, Counter[str]] = defaultdict(Counter)
    for count in counts:
        if count.name is name:
            days[count.day][count.label] += count.count
    return days


def parted(days: Days, day: date) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """Return the days before and after ``day``, without it. Pure."""
    before = [counts for other_day, counts in days.items() if other_day < day]
    return before, [counts for other_day, counts in days.items() if other_day > day]


def finding(name: str, before: Mapping[str, int], after: Mapping[str, int]) -> Finding:
    """Compare two counts. Pure."""
    samples = min(sum(before.values()), sum(after.values()))
    if samples < MIN_COUNT:
        return Finding(name, samples, None, None)
    return Finding(name, samples, js_distance(before, after), threshold(before, after))


def _summed(days: Sequence[Counter[str]]) -> Counter[str]:
    return sum(days, Counter())


def _confidences(learnt: Learnt) -> Counter[str]:
    """Count confidences by tenths."""
    return Counter(f"{int(confidence * 10) / 10:.1f}" for _, confidence, _ in learnt)


def _topics(learnt: Learnt) -> Counter[str]:
    return Counter(topic for *_, topics in learnt for topic in topics)


def _grouped(topics: Counter[str], common_topics: set[str]) -> Counter[str]:
    """Return the counts of the most common topics, with all others as one."""
    grouped: Counter[str] = Counter()
    for topic, count in topics.items():
        grouped[topic if topic in common_topics else "(others)"] += count
    return grouped
