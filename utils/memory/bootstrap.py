"""How sure a mean is: percentile bootstrap over whole conversations or members. Pure.

Values of one conversation resemble each other, and so whole conversations are drawn, with
replacement (Field & Welsh 2007, "Bootstrapping clustered data"; percentiles: Efron & Tibshirani
1993, "An Introduction to the Bootstrap", chapter 13). With fewer than about ten conversations such
intervals are too narrow (Cameron, Gelbach & Miller 2008): read them as the least doubt there is.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from utils.model.read_policy import Interval

RESAMPLES = 2_000
SEED = 20261121
LEVEL = 0.95


def interval(values: Mapping[str, Sequence[float]], seed: int = SEED) -> Interval:
    """Return the mean of all values, by conversation or member, with its interval.

    NaN where there are no values, and for the ends where there is only one conversation. A value
    that is NaN does not count.
    """
    known = [[one for one in some if not math.isnan(one)] for some in values.values()]
    sums = np.array([sum(some) for some in known if some], np.float64)
    counts = np.array([len(some) for some in known if some], np.float64)
    if not len(sums):
        return Interval(math.nan, math.nan, math.nan)
    mean = float(sums.sum() / counts.sum())
    if len(sums) == 1:
        return Interval(mean, math.nan, math.nan)
    drawn = np.random.default_rng(seed).integers(0, len(sums), (RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0])
    return Interval(mean, float(low), float(high))


def difference(
    before: Mapping[str, Sequence[float]],
    after: Mapping[str, Sequence[float]],
    seed: int = SEED,
) -> Interval:
    """Return the mean of ``after - before``, paired value by value, with its interval."""
    paired = {
        name: [new - old for old, new in zip(before[name], after[name], strict=True)]
        for name in before
    }
    return interval(paired, seed)
