"""Score texts by the words that they share with a query: Okapi BM25 (Robertson & Zaragoza 2009)."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from utils.nlp.inverted_index import Field, FloatArray, IntArray, Postings


class Gains(NamedTuple):
    """What words add to the scores of texts: one entry for each word in each text.

    ``words`` are the numbers of the words, ascending, ``indexes`` those of the texts.
    """

    words: IntArray
    indexes: IntArray
    values: FloatArray

    def by_text(self, total: int) -> FloatArray:
        """Return the sum of each of ``total`` texts."""
        return np.bincount(self.indexes, self.values, total).astype(np.float64, copy=False)

    def of_words(self, numbers: Sequence[int]) -> "Gains":
        """Return only what some of the words add."""
        is_wanted = np.isin(self.words, numbers)
        return Gains(self.words[is_wanted], self.indexes[is_wanted], self.values[is_wanted])


def gains(field: Field, postings: Sequence[Postings], k1: float, b: float) -> Gains:
    """Return what each word adds to the score of each text that contains it, by its postings."""
    sizes = [len(of_word.indexes) for of_word in postings]
    indexes = np.concatenate([of_word.indexes for of_word in postings])
    counts = np.concatenate([of_word.counts for of_word in postings])
    even, per_stem = k1 * (1.0 - b), k1 * b / field.mean_length
    factors = [idf(len(field.lengths), size) * (k1 + 1.0) for size in sizes]
    added: FloatArray = (
        np.repeat(factors, sizes) * counts / (counts + even + per_stem * field.lengths[indexes])
    )
    return Gains(np.repeat(np.arange(len(sizes)), sizes), indexes, added)


def idf(total: int, holding: int) -> float:
    """Return the inverse document frequency of a word in ``holding`` of ``total`` texts."""
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
