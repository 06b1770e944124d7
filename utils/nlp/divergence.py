"""Measure how far two distributions are apart, and how far chance alone puts them. Pure.

The distance is the Jensen-Shannon distance with logarithms to base 2, the square root of the
divergence. It is a metric between 0 (equal) and 1 (nothing in common) (Lin 1991; Endres &
Schindelin 2003). Two small samples of one distribution differ too, the more the more values there
are. A fixed threshold would therefore give false alarms for small samples. The threshold here comes
from a parametric bootstrap of the null hypothesis: it resamples both samples, at their sizes, from
the distribution of the two together.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from utils.nlp.stem_text import FloatArray

MIN_DISTANCE = 0.15
"""A smaller distance does not matter, however significant it is. With five equally frequent values,
a tenth of the counts that moves from one of them to another makes 0.14."""

FALSE_ALARM_RATE = 0.01  # of each comparison
RESAMPLES = 1_000
SHUFFLES = 9_999
MIN_COUNT = 100  # in each sample; fewer are not compared
SEED = 20261121


def js_distance(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the Jensen-Shannon distance of two counts, base 2; NaN if one of them is empty."""
    names = sorted({*before, *after})
    first = np.array([[before.get(name, 0.0) for name in names]], np.float64)
    second = np.array([[after.get(name, 0.0) for name in names]], np.float64)
    if not first.sum() or not second.sum():
        return math.nan
    return float(_distances(first, second)[0])


def chance_distance(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the distance that samples of these sizes from one distribution rarely exceed.

    They exceed it with a probability of FALSE_ALARM_RATE.
    """
    names = sorted({*before, *after})
    pooled = np.array([before.get(name, 0.0) + after.get(name, 0.0) for name in names], np.float64)
    generator, shares = np.random.default_rng(SEED), pooled / pooled.sum()
    first = generator.multinomial(int(sum(before.values())), shares, RESAMPLES).astype(np.float64)
    second = generator.multinomial(int(sum(after.values())), shares, RESAMPLES).astype(np.float64)
    return float(np.quantile(_distances(first, second), 1.0 - FALSE_ALARM_RATE))


def threshold(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the distance that counts as drift: more than chance, and enough to matter."""
    return max(MIN_DISTANCE, chance_distance(before, after))


def p_value_by_day(
    before: Sequence[Mapping[str, float]], after: Sequence[Mapping[str, float]]
) -> float:
    """Return the probability that such days are this far apart by chance.

    This is a permutation test that shuffles whole days (Good 2005, "Permutation, Parametric and
    Bootstrap Tests of Hypotheses"; the added 1 as in Phipson & Smyth 2010). The values of one day
    stay together because few people produce them. The result is at least 1 in the number of ways to
    choose the days: with 7 before, some 6 to 8 after are needed for 1 in 1,400.
    """
    names = sorted({name for day in (*before, *after) for name in day})
    days = np.array([[day.get(name, 0.0) for name in names] for day in (*before, *after)])
    if not before or not after:
        return 1.0
    is_before = np.zeros((SHUFFLES + 1, len(days)), np.float64)
    is_before[:, : len(before)] = 1.0
    np.random.default_rng(SEED).permuted(is_before[1:], axis=1, out=is_before[1:])
    distances = _distances(is_before @ days, (1.0 - is_before) @ days)
    return float((distances >= distances[0] - 1e-9).mean())


def _distances(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the distance of each row of ``first`` from the same row of ``second``."""
    p = first / first.sum(axis=1, keepdims=True)
    q = second / second.sum(axis=1, keepdims=True)
    middle = (p + q) / 2.0
    divergence = (_kl_divergence(p, middle) + _kl_divergence(q, middle)) / 2.0
    distances: FloatArray = np.sqrt(np.clip(divergence, 0.0, 1.0))
    return distances


def _kl_divergence(p: FloatArray, middle: FloatArray) -> FloatArray:
    """Return the Kullback-Leibler divergence of each row, in bits."""
    ratio = np.divide(p, middle, out=np.ones_like(p), where=p > 0)
    total: FloatArray = (p * np.log2(ratio)).sum(axis=1)
    return total
