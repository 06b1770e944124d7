"""The attributes of memories: their names, and those with one value at a time. Pure."""

import re
from collections.abc import Iterable
from dataclasses import replace

from utils.common.text import clean, clip
from utils.models.extraction import Candidate
from utils.models.memory import Memory, VerifiedBy

SINGLE_VALUED = frozenset(("name", "home", "age", "birthday", "diet", "time_zone"))
_PREFIXES = ("favourite_", "feels_about_")


def fact_key(attribute: str) -> str:
    """Return an attribute in snake_case, at most 100 UTF-16 units; empty if it has no word."""
    words = re.findall(r"[^\W_]+", clean(attribute).casefold())
    return clip("_".join(words), 100, ellipsis="")


def replacing(candidate: Candidate, notes: Iterable[Memory]) -> Candidate:
    """Return a built-in rule's candidate with the stored note whose value it replaces.

    It is chosen under the member's lock: another burst may have changed the value since this one
    was read. The candidate is unchanged if a model made it, if there is no such note, and if the
    attribute may have several values.
    """
    key, text = fact_key(candidate.attribute), candidate.text.casefold()
    has_single_value = key in SINGLE_VALUED or key.startswith(_PREFIXES)
    if candidate.verdict.by is VerifiedBy.RULE and has_single_value:
        for note in notes:
            if note.id > 0 and note.fact_key == key and note.text.casefold() != text:
                return replace(candidate, replaces=note.id)
    return candidate
