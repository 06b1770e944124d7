"""How far two distributions are apart, and how far chance alone puts them. Pure.

The distance is Jensen-Shannon's with logarithms to base 2, the square root of the divergence: a
metric between 0 (the same) and 1 (nothing in common) (Lin 1991; Endres & Schindelin 2003). Small
samples of one distribution are some way apart too, the further the more values there are, and so a
fixed threshold would cry wolf over few samples. What chance alone does is found by drawing: both
samples anew from what they have in common, at their own sizes (a parametric bootstrap of the null).
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from utils.memory.postings import Real

LEAST_DISTANCE = 0.15
"""Below it nobody need be called, however sure it is: of five values alike, a tenth of what is
counted that moves from one of them to another makes 0.14."""

CHANCE = 0.01  # how often a breach may be chance alone, in each look
DRAWS = 1_000
SHUFFLES = 9_999
FEWEST = 100  # on either side; with fewer nothing is said
SEED = 20261121


def js_distance(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the Jensen-Shannon distance of two counts, base 2; NaN where one of them is empty."""
    names = sorted({*before, *after})
    first = np.array([[before.get(name, 0.0) for name in names]], np.float64)
    second = np.array([[after.get(name, 0.0) for name in names]], np.float64)
    if not first.sum() or not second.sum():
        return math.nan
    return float(_distances(first, second)[0])


def chance_distance(
    before: Mapping[str, float], after: Mapping[str, float], seed: int = SEED
) -> float:
    """Return the distance that samples of these sizes from one distribution exceed with a
    probability of CHANCE."""
    names = sorted({*before, *after})
    pooled = np.array([before.get(name, 0.0) + after.get(name, 0.0) for name in names], np.float64)
    chance, shares = np.random.default_rng(seed), pooled / pooled.sum()
    first = chance.multinomial(int(sum(before.values())), shares, DRAWS).astype(np.float64)
    second = chance.multinomial(int(sum(after.values())), shares, DRAWS).astype(np.float64)
    return float(np.quantile(_distances(first, second), 1.0 - CHANCE))


def threshold(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """Return the distance from which on there is drift: more than chance does, and than matters."""
    return max(LEAST_DISTANCE, chance_distance(before, after))


def chance_by_day(
    before: Sequence[Mapping[str, float]], after: Sequence[Mapping[str, float]], seed: int = SEED
) -> float:
    """Return how probable it is that days like these are as far apart by chance.

    A permutation test that shuffles whole days (Good 2005, "Permutation, Parametric and Bootstrap
    Tests of Hypotheses"; the 1 added as by Phipson & Smyth 2010): what is alike within a day, since
    it is a few people's, is left together. It can be no smaller than one in the ways to choose the
    days: with 7 before, some 6 to 8 after are needed for one in 1,400.
    """
    names = sorted({name for day in (*before, *after) for name in day})
    days = np.array([[day.get(name, 0.0) for name in names] for day in (*before, *after)])
    if not before or not after:
        return 1.0
    is_before = np.zeros((SHUFFLES + 1, len(days)), np.float64)
    is_before[:, : len(before)] = 1.0
    np.random.default_rng(seed).permuted(is_before[1:], axis=1, out=is_before[1:])
    distances = _distances(is_before @ days, (1.0 - is_before) @ days)
    return float((distances >= distances[0] - 1e-9).mean())


def _distances(first: Real, second: Real) -> Real:
    """Return the distance of each row of counts from the same row of the other."""
    p = first / first.sum(axis=1, keepdims=True)
    q = second / second.sum(axis=1, keepdims=True)
    middle = (p + q) / 2.0
    divergence = (_relative(p, middle) + _relative(q, middle)) / 2.0
    distances: Real = np.sqrt(np.clip(divergence, 0.0, 1.0))
    return distances


def _relative(p: Real, middle: Real) -> Real:
    """Return the Kullback-Leibler divergence of each row, in bits."""
    ratio = np.divide(p, middle, out=np.ones_like(p), where=p > 0)
    total: Real = (p * np.log2(ratio)).sum(axis=1)
    return total
