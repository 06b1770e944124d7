"""Measures how often drift is reported and a policy rolled back, with and without a real change.

    python -m benchmarks.drift_alarms [--json] [--trials 1000] [--seed 1]

Each trial has a week before the change and 14 daily checks, with 16 recalls a day of five sizes.
Recalls are drawn independently, or by 12 members who differ, four recalls each. A change empties
half of all recalls.
"""

import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.stage.program import program
from utils.memory.evaluation.drift import DAYS_BEFORE, WATCHED_DAYS, finding, is_explained

SIZES = ("0", "1-3", "4-8", "9-15", "16+")
SHARES = np.array([0.15, 0.25, 0.3, 0.2, 0.1])
MEMBERS, TURNS, RECALLS = 12, 4, 4  # members, members who talk a day, recalls of each
LIKENESS = 4.0  # of members to each other: the concentration of a Dirichlet distribution
CHANGED = date(2026, 1, 8)


def measure(_folder: Path, trials: int = 1000, seed: int = 1) -> dict[str, Any]:
    """Simulate, and return shares of the trials."""
    chance, report = np.random.default_rng(seed), {}
    for emptied in (0.0, 0.5):
        for is_clustered in (False, True):
            looks = [_trial(chance, emptied, is_clustered) for _ in range(trials)]
            alarms = sum(alarm for alarm, _ in looks) / trials
            backs = sum(back for _, back in looks) / trials
            who = "12 members" if is_clustered else "independent"
            report[f"emptied {emptied:.0%}, {who}"] = f"alarm {alarms:.1%}, taken back {backs:.1%}"
    return report


def _trial(chance: np.random.Generator, emptied: float, is_clustered: bool) -> tuple[bool, bool]:
    """Return whether a check reported drift, and whether one rolled the policy back."""
    members = chance.dirichlet(SHARES * LIKENESS, MEMBERS)

    def day(emptied: float) -> Counter[str]:
        if is_clustered:
            there = chance.integers(MEMBERS, size=TURNS)
            counts = sum(chance.multinomial(RECALLS, members[member]) for member in there)
        else:
            counts = chance.multinomial(TURNS * RECALLS, SHARES)
        emptied_counts = chance.binomial(counts, emptied)
        counts = counts - emptied_counts
        counts[0] += emptied_counts.sum()
        return Counter({size: int(n) for size, n in zip(SIZES, counts, strict=True) if n})

    days = {CHANGED - timedelta(days=n): day(0.0) for n in range(1, DAYS_BEFORE + 1)}
    before, after, is_alarm = sum(days.values(), Counter()), Counter[str](), False
    for n in range(1, WATCHED_DAYS + 1):
        days[CHANGED + timedelta(days=n)] = latest = day(emptied)
        after += latest
        if finding("recall sizes", before, after).is_breach:
            is_alarm = True
            if not is_explained(days, CHANGED):
                return True, True
    return is_alarm, False


main = program("drift_alarms", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
