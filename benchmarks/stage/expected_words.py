"""Counts how many words of what a question expects are in a block."""

from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean

from benchmarks.datasets.dialogues import DialogueFact, DialogueQuestion
from utils.nlp.stemming import query_stems

MAX_WORDS = 2_000


def words_in(expected: str, question: DialogueQuestion, block: str) -> float | None:
    """Return the share of an expected text's content words that are in the block, as stems.

    Words of the question do not count. None if the text has no others.
    """
    asked, known = _stems_of(question.text), _stems_of(block)
    words = [
        options
        for options in query_stems(expected, limit=MAX_WORDS)
        if not asked.intersection(options)
    ]
    if not words:
        return None
    return sum(not known.isdisjoint(options) for options in words) / len(words)


def memory_words(
    question: DialogueQuestion, facts: Sequence[DialogueFact], block: str
) -> float | None:
    """Return the mean of :func:`words_in` for the expected ones of these memories; None: none."""
    texts = [fact.text for fact in facts[: question.after] if fact.evidence in question.gold]
    shares = [words_in(text, question, block) for text in texts]
    known = [share for share in shares if share is not None]
    return fmean(known) if known else None


@lru_cache(16)
def _stems_of(text: str) -> frozenset[str]:
    words = query_stems(text, limit=MAX_WORDS)
    return frozenset(stem for options in words for stem in options)
