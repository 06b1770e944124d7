"""Whether what is learnt and recalled has become another since recall's policy changed.

A day, distributions of the week before the change and of the days since are compared
(utils/memory/divergence.py). A breach is logged as an error and shown by the metrics, for the
operator. Only where that was chosen when the policy was applied is it rolled back, only for what a
policy of recall governs, the sizes of recalls, and only if shuffling whole days does not explain
it. After a rollback there is nothing to look at: the week before was the bad policy's.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from utils.clock import Clock
from utils.database import learnings
from utils.database.engine import Database
from utils.errors import BadInput
from utils.memory.divergence import CHANCE, FEWEST, chance_by_day, js_distance, threshold
from utils.metrics import Metrics
from utils.model.operator import Counted, DayCount
from utils.model.read_policy import VersionRow
from utils.read_policies import PolicyInForce, ReadPolicies
from utils.tally import Tally

DAYS_BEFORE = 7
WATCHED_DAYS = 14  # after a change; then it is what is usual
MOST_TOPICS = 30
ACTOR = "drift"
RECALL_SIZES = "recall sizes"
COUNTED = (Counted.RECALLED, Counted.REFUSED, Counted.LEARNT)
# What is learnt for less is gone from the week before when that is looked at, and not from after.
OUTLIVES = timedelta(days=DAYS_BEFORE + WATCHED_DAYS + 1)

_log = logging.getLogger(__name__)

Days = Mapping[date, Counter[str]]
Learnt = list[tuple[datetime, float, tuple[str, ...]]]


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
        versions = await self._policies.versions()
        if is_rollback(held.version, versions):
            self._breached(())
            return DriftReport(held.version)
        day = held.since.astimezone(UTC).date()
        first = first_day(held.version, day, versions)
        counted = await self._tally.totals(first, COUNTED)
        findings = await self._findings(first, day, counted)
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
        is_chance = is_explained(by_day(counted, Counted.RECALLED), day)
        done = None if is_chance else await self._roll_back(held)
        return DriftReport(held.version, findings, done)

    def _breached(self, names: Iterable[str]) -> None:
        self.breaches = tuple(names)
        self._metrics.drifted(len(self.breaches))

    async def _roll_back(self, held: PolicyInForce) -> int | None:
        """Take back what holds, if it is to be; None if it was not, or another process has."""
        if not held.rolls_back or RECALL_SIZES not in self.breaches:
            return None
        try:
            back = await self._policies.rollback(
                actor=ACTOR, reason="recall sizes drifted", only=held.version
            )
        except BadInput:
            return None
        _log.error("rolled back: version %d of recall's policy holds now", back.version)
        return back.version

    async def _findings(
        self, first: date, day: date, counted: Sequence[DayCount]
    ) -> tuple[Finding, ...]:
        """Compare what came before that day with what came after; the day itself is both."""
        sizes, reasons, kinds = (parted(by_day(counted, name), day) for name in COUNTED)
        learnt = await self._database.read(partial(learnings.newest, lived=OUTLIVES))
        begin = datetime.combine(day, time(), UTC)
        before = [one for one in learnt if datetime.combine(first, time(), UTC) <= one[0] < begin]
        after = [one for one in learnt if one[0] >= begin + timedelta(days=1)]
        topics = _topics(before), _topics(after)
        most = {name for name, _ in (topics[0] + topics[1]).most_common(MOST_TOPICS)}
        return (
            finding(RECALL_SIZES, *map(_summed, sizes)),
            finding("refusal reasons", *map(_summed, reasons)),
            finding("kinds", *map(_summed, kinds)),
            finding("confidences", *(_confidences(some) for some in (before, after))),
            finding("topics", *(_grouped(some, most) for some in topics)),
        )


def is_rollback(version: int, versions: Sequence[VersionRow]) -> bool:
    """Whether a version that holds took another back. Pure.

    One that was applied names the version that held before it, and those between were only in the
    shadow, which name none; one that took another back names what is further back.
    """
    rows = {one.version: one for one in versions}
    if version not in rows:
        return False
    previous = rows[version].previous
    between = (one for one in versions if previous is not None and previous < one.version < version)
    return previous is None or any(one.previous is not None for one in between)


def first_day(version: int, day: date, versions: Sequence[VersionRow]) -> date:
    """Return the first day to compare with: a week before, or after the change before. Pure."""
    rows = {one.version: one for one in versions}
    week = day - timedelta(days=DAYS_BEFORE)
    before = rows.get(rows[version].previous or 0) if version in rows else None
    if before is None or before.at is None:
        return week
    return max(week, before.at.astimezone(UTC).date() + timedelta(days=1))


def is_explained(days: Days, day: date) -> bool:
    """Whether shuffled days are as far apart too often for a policy to be taken back for it: the
    chance of one error is spent on the looks of all the days that are watched. Pure."""
    before, after = parted(days, day)
    return chance_by_day(before, after) > CHANCE / WATCHED_DAYS


def by_day(counted: Sequence[DayCount], name: Counted) -> Days:
    """Return what was counted under a name, by day and label. Pure."""
    days: defaultdict[date, Counter[str]] = defaultdict(Counter)
    for one in counted:
        if one.name is name:
            days[one.day][one.label] += one.count
    return days


def parted(days: Days, day: date) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """Return the days before one, and those after it; it is itself neither. Pure."""
    before = [counts for one, counts in days.items() if one < day]
    return before, [counts for one, counts in days.items() if one > day]


def finding(name: str, before: Mapping[str, int], after: Mapping[str, int]) -> Finding:
    """Compare two counts. Pure."""
    samples = min(sum(before.values()), sum(after.values()))
    if samples < FEWEST:
        return Finding(name, samples, None, None)
    return Finding(name, samples, js_distance(before, after), threshold(before, after))


def _summed(days: Sequence[Counter[str]]) -> Counter[str]:
    return sum(days, Counter())


def _confidences(learnt: Learnt) -> Counter[str]:
    """Count confidences by tenths."""
    return Counter(f"{int(confidence * 10) / 10:.1f}" for _, confidence, _ in learnt)


def _topics(learnt: Learnt) -> Counter[str]:
    return Counter(topic for *_, topics in learnt for topic in topics)


def _grouped(topics: Counter[str], most: set[str]) -> Counter[str]:
    """Return counts of the commonest topics, all others as one."""
    found: Counter[str] = Counter()
    for topic, count in topics.items():
        found[topic if topic in most else "(others)"] += count
    return found
