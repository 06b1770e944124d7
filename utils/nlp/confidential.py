"""Recognise messages that ask to be kept secret. A safety floor, not a reading.

What it recognises is recalled only for its author. It knows phrases, not meaning: what a
message is about, and who may hear it after all, is not decided here.
"""

from functools import cache

from utils.nlp.languages import languages
from utils.nlp.normalization import fold
from utils.nlp.phrase_matcher import Lexicon, tokens_of

MARK = "+confidential"
"""Stands among a memory's stems if its message has such words: no stem has a plus."""

_REASON = frozenset({0})


@cache
def confidential_lexicon() -> Lexicon:
    """Return the phrases of all languages. Raises LanguageFileError."""
    tables = {code: language.confidential.phrases for code, language in languages().items()}
    classes = {code: language.classes for code, language in languages().items()}
    return Lexicon({"confidential": tables}, classes)


def is_confidential(text: str) -> bool:
    """Return whether a text asks to be kept secret."""
    tokens = tokens_of(fold(text).casefold())
    return confidential_lexicon().first_rank(tokens, _REASON) is not None


def with_mark(stems: str, *texts: str) -> str:
    """Return a memory's stems, marked if one of these texts asks to be kept secret.

    The mark outlives the memory's message, and recall needs no query for it.

    Args:
        stems: the three lines of a memory's stems.
        texts: its text, its message's, or the marked stems of the memory that it replaces.
    """
    if MARK in stems or not any(MARK in text or is_confidential(text) for text in texts):
        return stems
    text, _, others = stems.partition("\n")
    source, separator, previous = others.partition("\n")
    return f"{text}\n{f'{MARK} {source}'.rstrip()}{separator}{previous}"
