"""Score texts by the words that they share with a query: Okapi BM25 (Robertson & Zaragoza 2009)."""

import math

import numpy as np

from utils.nlp.stem_text import FloatArray, IntArray


def gains(
    counts: IntArray, lengths: FloatArray, mean_length: float, k1: float, b: float
) -> FloatArray:
    """Return what each word adds to the score of each text.

    Args:
        counts: how often each text has each word: a row for each word.
        lengths: how many words each text has.
        mean_length: the mean of the lengths.
    """
    total, holding = len(lengths), np.count_nonzero(counts, axis=1)
    factors = np.array([idf(total, size) * (k1 + 1.0) for size in holding.tolist()])
    words, texts = np.nonzero(counts)
    times = counts[words, texts]
    norms = k1 * (1.0 - b) + k1 * b / mean_length * lengths[texts]
    added: FloatArray = np.zeros(counts.shape)
    added[words, texts] = factors[words] * (times / (times + norms))
    return added


def idf(total: int, holding: int) -> float:
    """Return the inverse document frequency of a word in ``holding`` of ``total`` texts."""
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
