"""Score texts by the words that they share with a query: Okapi BM25 (Robertson & Zaragoza 2009)."""

import numpy as np

from utils.nlp.stem_text import FloatArray, IntArray


def saturation(times: IntArray, lengths: FloatArray, k1: float, b: float) -> FloatArray:
    """Return how much a word counts that a text has so many times, before its rarity.

    Args:
        times: how often the text has the word.
        lengths: how many words the text has, divided by the mean of all texts.
    """
    norms = k1 * (1.0 - b) + k1 * b * lengths
    return (k1 + 1.0) * times / (times + norms)


def idf(total: int, holding: IntArray) -> FloatArray:
    """Return the inverse document frequency of words in ``holding`` of ``total`` texts."""
    rarity: FloatArray = np.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
    return rarity
