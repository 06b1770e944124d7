"""Check answers for what Kith never says: slurs, and sexual content where minors may read. Pure.

The filter knows words, not meaning. It finds whole words in every spelling that folding undoes:
accents, look-alikes, digits for letters, letters spaced out, repeated or starred. The model's
instructions must prevent mockery without such words. The filter reads Latin and Cyrillic script and
a few words of Japanese, Chinese and Korean; text in other scripts passes.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache

from utils.nlp.languages import OutputWords, languages
from utils.nlp.normalization import disguises, fold
from utils.nlp.phrase_matcher import Lexicon, tokens_of


class Fault(StrEnum):
    """Why an answer is not sent."""

    SLUR = "slur"
    SEXUAL = "sexual"


_SLUR, _SEXUAL, _MINORS = (frozenset({rank}) for rank in range(3))
_REPEATED_LETTER = re.compile(r"([^\W\d_])\1{2,}")
_STARRED_WORD = re.compile(r"(?<![^\W_*#])[^\W_]{1,16}(?:[*#]{1,3}[^\W_]{1,16}){1,6}(?![^\W_*#])")
_STAR = re.compile("[*#]")
_WORDS = [language.output_filter for language in languages().values()]
_STARRED_SLURS = frozenset().union(*(words.starred_slurs for words in _WORDS))
_UNSPACED_SLURS = tuple(word for words in _WORDS for word in words.unspaced_slurs)
_UNSPACED_SEXUAL = tuple(word for words in _WORDS for word in words.unspaced_sexual)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def fault(text: str, *, age_restricted: bool) -> Fault | None:
    """Return why a text may not be sent, or None if it may.

    Args:
        text: an answer, or a part of one.
        age_restricted: whether only adults read the channel.
    """
    readings = list(_readings(text))
    if _has_any(readings, _SLUR, _UNSPACED_SLURS) or _has_starred_slur(readings[0]):
        return Fault.SLUR
    if not _has_any(readings, _SEXUAL, _UNSPACED_SEXUAL):
        return None
    is_about_minors = age_restricted and _has_any(readings, _MINORS, ())
    return Fault.SEXUAL if is_about_minors or not age_restricted else None


def has_slur(text: str) -> bool:
    """Whether a text has a slur, in any spelling."""
    return fault(text, age_restricted=True) is Fault.SLUR


@cache
def lexicon() -> Lexicon:
    """Return the phrases of all languages by their fault. Raises LanguageFileError."""
    lexicons: dict[str, Callable[[OutputWords], str]] = {
        "slur": lambda words: words.slurs,
        "sexual": lambda words: words.sexual,
        "minors": lambda words: words.minors,
    }
    return Lexicon(
        {
            name: {code: read(language.output_filter) for code, language in languages().items()}
            for name, read in lexicons.items()
        },
        {code: language.classes for code, language in languages().items()},
    )


def _readings(text: str) -> Iterator[str]:
    """Yield a text in plain spelling, then the other ways to read it."""
    folded = fold(text).casefold()
    yield folded
    yield from disguises(folded, tokens_of(folded), has_digits=any(map(str.isdigit, folded)))
    if _REPEATED_LETTER.search(folded):
        yield _REPEATED_LETTER.sub(r"\1\1", folded)
        yield _REPEATED_LETTER.sub(r"\1", folded)


def _has_any(readings: list[str], ranks: frozenset[int], unspaced: tuple[str, ...]) -> bool:
    if _UNSPACED.search(readings[0]) and any(word in readings[0] for word in unspaced):
        return True
    return any(lexicon().first_rank(tokens_of(reading), ranks) is not None for reading in readings)


def _has_starred_slur(folded: str) -> bool:
    """Whether a text has a slur with stars for some of its letters."""
    if "*" not in folded and "#" not in folded:
        return False
    for match in _STARRED_WORD.finditer(folded):
        pattern = re.compile(_STAR.sub("[a-z]", match[0]))
        if any(map(pattern.fullmatch, _STARRED_SLURS)):
            return True
    return False
