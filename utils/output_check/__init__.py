"""What Kith never says, whatever its manner: slurs, and sexual content where minors may read. Pure.

Knows words, not meaning: tables in the notation of utils.memory.phrases, looked for as whole words
(never inside others), in every spelling that folding undoes: accents, look-alikes, digits for
letters, letters spaced out, repeated or starred. Mockery without such a word is for the model's
instructions to prevent. Reads Latin and Cyrillic script and a few words of Japanese, Chinese and
Korean; other scripts pass.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from utils.memory.folding import disguises, fold
from utils.memory.phrases import Lexicon, tokens_of
from utils.output_check.sexual import MINORS, SEXUAL, SEXUAL_UNSPACED
from utils.output_check.slurs import SLURS, SLURS_UNSPACED, STARRED


class Fault(StrEnum):
    """Why an answer is not given."""

    SLUR = "slur"
    SEXUAL = "sexual"


_LEXICON = Lexicon({"slur": SLURS, "sexual": SEXUAL, "minors": MINORS}, {})
_SLUR, _SEXUAL, _MINORS = (frozenset({rank}) for rank in range(3))
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
_STARRED_WORD = re.compile(r"(?<![^\W_*#])[^\W_]{1,16}(?:[*#]{1,3}[^\W_]{1,16}){1,6}(?![^\W_*#])")
_STAR = re.compile("[*#]")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def fault(text: str, *, age_restricted: bool) -> Fault | None:
    """Return why a text may not be sent to a channel; None when it may."""
    readings = list(_readings(text))
    if _is_any(readings, _SLUR, SLURS_UNSPACED) or _is_starred(readings[0]):
        return Fault.SLUR
    if not _is_any(readings, _SEXUAL, SEXUAL_UNSPACED):
        return None
    is_about_minors = age_restricted and _is_any(readings, _MINORS, ())
    return Fault.SEXUAL if is_about_minors or not age_restricted else None


def holds_slur(text: str) -> bool:
    """Whether a text holds a slur, in whatever spelling."""
    return fault(text, age_restricted=True) is Fault.SLUR


def _readings(text: str) -> Iterator[str]:
    """Yield a text in plain spelling, then what else it may be meant to be read as."""
    folded = fold(text).casefold()
    yield folded
    has_digits = any(map(str.isdigit, folded))
    yield from disguises(folded, tokens_of(folded), has_digits=has_digits)
    if _DRAWN_OUT.search(folded):
        yield _DRAWN_OUT.sub(r"\1\1", folded)
        yield _DRAWN_OUT.sub(r"\1", folded)


def _is_any(readings: list[str], ranks: frozenset[int], unspaced: tuple[str, ...]) -> bool:
    if _UNSPACED.search(readings[0]) and any(word in readings[0] for word in unspaced):
        return True
    return any(_LEXICON.first(tokens_of(one), ranks) is not None for one in readings)


def _is_starred(folded: str) -> bool:
    """Whether a slur stands there with stars for some of its letters."""
    if "*" not in folded and "#" not in folded:
        return False
    for match in _STARRED_WORD.finditer(folded):
        pattern = re.compile(_STAR.sub("[a-z]", match[0]))
        if any(map(pattern.fullmatch, STARRED)):
            return True
    return False
