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
    norms = k1 * (1.0 - b) + k1 * b / mean_length * lengths
    shares = np.zeros(counts.shape)
    np.divide(counts, counts + norms, out=shares, where=counts > 0)
    added: FloatArray = factors[:, np.newaxis] * shares
    return added


def idf(total: int, holding: int) -> float:
    """Return the inverse document frequency of a word in ``holding`` of ``total`` texts."""
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
