"""A text as words, numbers and signs, for :mod:`utils.memory.dates`. Pure."""

import re
from typing import NamedTuple

from utils.memory.date_words import STARTS

_TOKEN = re.compile(r"[0-9]+(?:[./:,\-][0-9]+)*|[^\W\d_]+|\S")


class Token(NamedTuple):
    """A word, a number or a sign, in lower case, and how it was written."""

    text: str
    is_capital: bool = False
    is_glued: bool = False  # to what stands before it

    @property
    def number(self) -> int:
        """Its value if it is a number of at most four digits, else -1."""
        return int(self.text) if len(self.text) <= 4 and self.text.isdecimal() else -1

    @property
    def can_begin(self) -> bool:
        """Whether a date can begin with it."""
        return self.text in STARTS or "0" <= self.text[:1] <= "9"


NOTHING = Token("")


def read_tokens(text: str) -> list[Token]:
    """Cut a text into tokens; hyphens and apostrophes inside of words only separate."""
    found: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        raw = match[0]
        is_glued = match.start() == end and end > 0
        end = match.end()
        if raw in "-'’‑" and is_glued and text[end : end + 1].isalnum():
            continue
        found.append(Token(raw.casefold(), raw[0].isupper(), is_glued))
    return found
