"""Confidence intervals of a mean: percentile bootstrap over whole conversations or members. Pure.

Values of one conversation resemble each other, so whole conversations are resampled with
replacement (Field & Welsh 2007, "Bootstrapping clustered data"; percentiles: Efron & Tibshirani
1993, "An Introduction to the Bootstrap", chapter 13). With fewer than about ten conversations such
intervals are too narrow (Cameron, Gelbach & Miller 2008): read them as a lower bound of the doubt.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from utils.models.recall_policy import Interval

RESAMPLES = 2_000
SEED = 20261121
LEVEL = 0.95


def interval(values: Mapping[str, Sequence[float]], seed: int = SEED) -> Interval:
    """Return the mean of all values with its confidence interval.

    The mean is NaN if there are no values. The ends are NaN if there are values of one conversation
    only. Values that are NaN do not count.

    Args:
        values: the values of each conversation or member.
        seed: of the resampling.
    """
    numbers = [[number for number in row if not math.isnan(number)] for row in values.values()]
    sums = np.array([sum(row) for row in numbers if row], np.float64)
    counts = np.array([len(row) for row in numbers if row], np.float64)
    if not len(sums):
        return Interval(math.nan, math.nan, math.nan)
    mean = float(sums.sum() / counts.sum())
    if len(sums) == 1:
        return Interval(mean, math.nan, math.nan)
    resampled = np.random.default_rng(seed).integers(0, len(sums), (RESAMPLES, len(sums)))
    means = sums[resampled].sum(axis=1) / counts[resampled].sum(axis=1)
    low, high = np.quantile(means, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0])
    return Interval(mean, float(low), float(high))


def difference(
    before: Mapping[str, Sequence[float]], after: Mapping[str, Sequence[float]]
) -> Interval:
    """Return the mean of ``after - before``, paired value by value, with its interval."""
    paired = {
        name: [new - old for old, new in zip(before[name], after[name], strict=True)]
        for name in before
    }
    return interval(paired)
