"""Which of the things that are known somebody means. Pure."""

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

from utils.memory.stems import stems

NAMED_SHARE = 0.6
"""Share of the words of something known that must be named for it to be meant."""


class _Known(Protocol):
    """A memory, or something to ask about."""

    @property
    def id(self) -> int: ...

    @property
    def text(self) -> str: ...


Known = TypeVar("Known", bound=_Known)


def meant(known: Sequence[Known], what: str, message: str) -> list[Known]:
    """Return what ``what`` names, or whose number it gives; the message must name them too, so
    that a model cannot be talked into anything else."""
    number = what.strip().lstrip("#")
    if number.isdecimal():
        typed = re.findall(r"[0-9]+", message)
        return [one for one in known if str(one.id) == number and number in typed]
    asked, said = set(stems(what)), set(stems(message))
    found = []
    for one in known:
        words = set(stems(one.text))
        if words & said and len(words & asked) >= NAMED_SHARE * len(words):
            found.append(one)
    return found


def is_said(text: str, message: str) -> bool:
    """Whether a text is mostly made of the words of a message."""
    words = set(stems(text))
    return bool(words) and len(words & set(stems(message))) >= NAMED_SHARE * len(words)


def shares_words(text: str, message: str) -> bool:
    """Whether a text and a message have a word in common."""
    return not set(stems(text)).isdisjoint(stems(message))
