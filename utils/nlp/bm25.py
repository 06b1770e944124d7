"""Okapi BM25 (Robertson & Zaragoza 2009): what a word adds to the score of each text. Pure."""

import math

from utils.nlp.inverted_index import Field, FloatArray, Postings


def gains(field: Field, postings: Postings, k1: float, b: float) -> FloatArray:
    """Return what a word adds to the BM25 of each text that contains it."""
    even, per_stem = k1 * (1.0 - b), k1 * b / field.mean_length
    factor = idf(len(field.lengths), len(postings.indexes)) * (k1 + 1.0)
    added: FloatArray = (
        factor
        * postings.counts
        / (postings.counts + even + per_stem * field.lengths[postings.indexes])
    )
    return added


def idf(total: int, holding: int) -> float:
    """Return how rare a word is that ``holding`` of all texts contain."""
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5))
