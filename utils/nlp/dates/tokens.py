"""Split a text into words, numbers and signs for the date parsers. Pure."""

import re
from typing import NamedTuple

from utils.nlp.dates.vocabulary import STARTS

_TOKEN = re.compile(r"[0-9]+(?:[./:,\-][0-9]+)*|[^\W\d_]+|\S")


class Token(NamedTuple):
    """A word, a number or a sign, casefolded."""

    text: str
    is_capital: bool = False
    is_glued: bool = False  # no space before it

    @property
    def number(self) -> int:
        """The value of a number of at most four digits, else -1."""
        return int(self.text) if len(self.text) <= 4 and self.text.isdecimal() else -1

    @property
    def can_begin_date(self) -> bool:
        """Whether a date can begin with this token."""
        return self.text in STARTS or "0" <= self.text[:1] <= "9"


NO_TOKEN = Token("")


def read_tokens(text: str) -> list[Token]:
    """Return the tokens of a text; hyphens and apostrophes inside words only separate."""
    tokens: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        is_glued = match.start() == end and end > 0
        end = match.end()
        if word in "-'’‑" and is_glued and text[end : end + 1].isalnum():
            continue
        tokens.append(Token(word.casefold(), word[0].isupper(), is_glued))
    return tokens
