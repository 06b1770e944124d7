"""Finds English in texts that should be German; shares nothing with the catalogue of texts."""

import re
from collections.abc import Iterator
from typing import Any

# Common English words that are not German words as well.
WORDS = """
    the you your yours is are of and this that these those what which with from to for by it its my
    have has had can cannot could would should shall been being there where who whom whose how when
    why nothing nobody none yes no until ago or if only more most than then they them their we our
    us me do does did done not never ever here now again anything something everything everyone
    everybody somebody someone before after since said say says know knows known keep kept forget
    forgotten remember remembered message messages channel channels memory memories member members
    settings page pages choose chosen change changed changes delete deleted erase erased use used
    uses show shows shown days hours minutes hour today yesterday tomorrow sure fact task words word
    question answer answers missing needs need give gives wait waits waiting approved rejected noted
    notes stored stores watched alert alerts heated case cases next back newer older
"""
ENGLISH = frozenset(WORDS.split())
CONTRACTION = re.compile(r"['’](t|m|ll|ve)$")
NOT_WORDS = re.compile(
    r"```.*?```|`[^`]*`|<[^>\s]*>|</[^>]*>|https?://\S+|\S+\.(?:json|txt|png)\b"
    r"|\*Message Content\*",
    re.DOTALL,
)
WORD = re.compile(r"[A-Za-zÄÖÜäöüß]+(?:['’][a-z]+)?")
SHOWN = ("content", "title", "description", "label", "placeholder", "name", "text", "value")


def english_in(text: str) -> list[str]:
    """Return the English words of a text, without commands, code, mentions and links."""
    words = WORD.findall(NOT_WORDS.sub(" ", text))
    return [word for word in words if word.lower() in ENGLISH or CONTRACTION.search(word)]


def shown_in(payload: Any, key: str = "") -> Iterator[str]:
    """Yield every text that a person sees of what a bot sends to Discord."""
    if isinstance(payload, dict):
        for name, value in payload.items():
            # What an option or choice stands for is no text, but the value of an embed's field is.
            if not (name == "value" and ("label" in payload or key in ("choices", "components"))):
                yield from shown_in(value, name)
    elif isinstance(payload, list):
        for value in payload:
            yield from shown_in(value, key)
    elif isinstance(payload, str) and key in SHOWN:
        yield payload
