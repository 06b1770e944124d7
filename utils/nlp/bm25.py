"""Score texts by the words that they share with a query: Okapi BM25 (Robertson & Zaragoza 2009)."""

import math
from typing import NamedTuple

import numpy as np

from utils.nlp.stem_text import FloatArray, IntArray


class WordCounts(NamedTuple):
    """How often texts have words: the numbers of a word and of a text, and how often.

    A word may have several counts in a text, one for each of its forms: the highest one applies.
    """

    words: IntArray
    texts: IntArray
    times: IntArray


def gains(
    counts: WordCounts,
    holding: IntArray,
    lengths: FloatArray,
    mean_length: float,
    k1: float,
    b: float,
) -> FloatArray:
    """Return what each word adds to the score of each text: a row for each word.

    Args:
        counts: how often texts have words.
        holding: how many texts have each word.
        lengths: how many words each text has.
        mean_length: the mean of the lengths.
    """
    total = len(lengths)
    factors = np.array([idf(total, size) * (k1 + 1.0) for size in holding.tolist()])
    norms = k1 * (1.0 - b) + k1 * b / mean_length * lengths[counts.texts]
    gained = factors[counts.words] * (counts.times / (counts.times + norms))
    added: FloatArray = np.zeros((len(holding), total))
    np.maximum.at(added, (counts.words, counts.texts), gained)
    return added


def idf(total: int, holding: int) -> float:
    """Return the inverse document frequency of a word in ``holding`` of ``total`` texts."""
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
