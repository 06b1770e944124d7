"""Markers in a model's answer that say which open loops it asked about: ``[asked 1]``. Pure.

The number is the item's place in the prompt's ``Open`` line. People never see a marker.
"""

import re
from collections.abc import Sequence

from utils.models.episode import OpenLoop

_MARKER = re.compile(r"[ \t]*\[asked[ \t:]*((?:#?[0-9]{1,3}[ \t,]*){1,8})\]", re.IGNORECASE)
_UNFINISHED = re.compile(
    r"[ \t]*\[(?:a(?:s(?:k(?:e(?:d[ \t:0-9#,]{0,40})?)?)?)?)?\Z", re.IGNORECASE
)
_NUMBER = re.compile(r"[0-9]+")


def without_markers(text: str) -> str:
    """Return an answer's text without markers."""
    return _MARKER.sub("", text).rstrip() if "[" in text else text


def without_unfinished_marker(text: str) -> str:
    """Return the text of an answer so far without markers, or the beginning of one at its end."""
    return _UNFINISHED.sub("", _MARKER.sub("", text)) if "[" in text else text


def asked_loops(text: str, offered: Sequence[OpenLoop]) -> tuple[OpenLoop, ...]:
    """Return those of the loops in a prompt, in their order there, that the answer asked about."""
    numbers = {
        int(number) for match in _MARKER.finditer(text) for number in _NUMBER.findall(match[1])
    }
    return tuple(loop for place, loop in enumerate(offered, 1) if place in numbers)
