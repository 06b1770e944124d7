"""Detects drift: whether recall changed after the recall policy changed.

Once a day it compares how much was recalled in the week before the change and in the days since.
It logs drift as an error and counts it in the metrics. It rolls the policy back only if that was
chosen when the policy was applied. After a rollback it compares nothing, because the week before
belongs to the bad policy.
"""

import logging
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.memory.evaluation.policy_versions import ActiveRecallPolicy, RecallPolicyVersions
from utils.models.operator import CounterName
from utils.models.recall_policy import VersionRow
from utils.runtime.counters import EventCounters
from utils.runtime.metrics import Metrics

DAYS_BEFORE = 7
WATCHED_DAYS = 14  # after a change; then the new policy is the norm
MIN_RECALLS = 100  # before and after; fewer are not compared
MIN_COSINE = 0.8  # docs/internals/policy.md says how often chance alone goes below
ACTOR = "drift"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DriftReport:
    """The result of a drift check.

    ``cosine`` is None if no policy was applied recently, or after too few recalls.
    """

    version: int
    cosine: float | None = None
    rolled_back_to: int | None = None

    @property
    def is_drift(self) -> bool:
        """Whether recall differs too much."""
        return self.cosine is not None and self.cosine < MIN_COSINE

    def __str__(self) -> str:
        if self.cosine is None:
            return "nothing to compare"
        now = "" if self.rolled_back_to is None else f"; rolled back (now {self.rolled_back_to})"
        return f"version {self.version}: {self.cosine:.2f} (drift below {MIN_COSINE:.2f}){now}"


@dataclass(eq=False, repr=False)
class DriftMonitor:
    """Checks for drift."""

    _clock: Clock
    _policies: RecallPolicyVersions
    _counters: EventCounters
    _metrics: Metrics

    async def check(self) -> DriftReport:
        """Compare the days since the last policy change with the week before it.

        Raises DatabaseError.
        """
        active = await self._policies.active()
        report = DriftReport(active.version, await self._cosine(active))
        self._metrics.drift_breaches.set(int(report.is_drift))
        if not report.is_drift:
            return report
        _log.error(
            "recall drifted since recall policy version %d was applied: cosine %.2f; check it, and "
            "roll it back with `python bot.py policy rollback` if this was not intended",
            active.version,
            report.cosine,
        )
        if not active.rolls_back:
            return report
        try:
            new = await self._policies.rollback(
                actor=ACTOR, reason="recall drifted", only=active.version
            )
        except BadInput:  # another process did it
            return report
        _log.error("rolled back: recall policy version %d is active now", new.version)
        return DriftReport(active.version, report.cosine, new.version)

    async def _cosine(self, active: ActiveRecallPolicy) -> float | None:
        """Return the cosine of what was recalled before and after the last change.

        The day of the change belongs to both, and counts for neither.
        """
        since, now = active.since, self._clock.now()
        if since is None or not timedelta() <= now - since <= timedelta(WATCHED_DAYS):
            return None
        versions, day = await self._policies.versions(), since.astimezone(UTC).date()
        # An applied version names the one that was active before it; those between the two were
        # only shadows and name none. A rollback names a version further back.
        previous = next((row.previous for row in versions if row.version == active.version), 0)
        between = (
            row
            for row in versions
            if previous is not None and previous < row.version < active.version
        )
        if previous is None or any(row.previous is not None for row in between):
            return None
        before, after = Counter[str](), Counter[str]()
        first = first_day(active.version, day, versions)
        for count in await self._counters.since(first, [CounterName.RECALLED]):
            if count.day != day:
                (before if count.day < day else after)[count.label] += count.count
        is_enough = min(before.total(), after.total()) >= MIN_RECALLS
        return cosine(before, after) if is_enough else None


def cosine(before: Mapping[str, int], after: Mapping[str, int]) -> float:
    """Return the cosine of two counts by label: 1 for equal shares, 0 for no common label. Pure."""
    product = sum(count * after.get(label, 0) for label, count in before.items())
    return product / (math.hypot(*before.values()) * math.hypot(*after.values()))


def first_day(version: int, day: date, versions: Sequence[VersionRow]) -> date:
    """Return the first day to compare: a week earlier, or the day after the last change. Pure."""
    rows = {row.version: row for row in versions}
    week = day - timedelta(days=DAYS_BEFORE)
    before = rows.get(rows[version].previous or 0) if version in rows else None
    if before is None or before.at is None:
        return week
    return max(week, before.at.astimezone(UTC).date() + timedelta(days=1))
