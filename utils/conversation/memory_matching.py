"""Match what a member refers to against known memories and open loops. Pure."""

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from utils.nlp.stemming import stems

NAMED_SHARE = 0.6
"""Share of a memory's words that a reference must contain to match it."""


class _Known(Protocol):
    """A memory, or something to ask about."""

    @property
    def id(self) -> int: ...

    @property
    def text(self) -> str: ...


Known = TypeVar("Known", bound=_Known)


def match_references(candidates: Sequence[Known], wanted_text: str, message: str) -> list[Known]:
    """Return the candidates that ``wanted_text`` refers to, by their words or their number.

    The message must refer to them too, so that a model cannot be tricked into another choice.
    """
    number = wanted_text.strip().lstrip("#")
    if number.isdecimal():
        typed = re.findall(r"[0-9]+", message)
        return [
            candidate for candidate in candidates if str(candidate.id) == number and number in typed
        ]
    wanted_stems, message_stems = set(stems(wanted_text)), set(stems(message))
    matches = []
    for candidate in candidates:
        words = set(stems(candidate.text))
        if words & message_stems and len(words & wanted_stems) >= NAMED_SHARE * len(words):
            matches.append(candidate)
    return matches


def is_said(text: str, message: str) -> bool:
    """Whether a text is mostly made of the words of a message."""
    words = set(stems(text))
    return bool(words) and len(words & set(stems(message))) >= NAMED_SHARE * len(words)


def shares_words(text: str, message: str) -> bool:
    """Whether a text and a message have a word in common."""
    return not set(stems(text)).isdisjoint(stems(message))
