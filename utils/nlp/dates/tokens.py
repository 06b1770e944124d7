"""Split a text into words, numbers and signs for the date parsers. Pure."""

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

_MAX_PHRASE = 4  # words
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


_NO_TOKEN = Token("")


class WordPositions(dict[int, str]):
    """The words of a text by their position; outside of the text they are empty."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._texts = [token.text for token in tokens]
        super().__init__(enumerate(self._texts))
        self.tokens = tokens
        self._phrases: dict[int, list[tuple[int, str]]] = {}  # by where they begin

    def __missing__(self, position: int) -> str:
        return ""

    def at(self, position: int) -> Token:
        """Return the token at a position."""
        return self.tokens[position] if 0 <= position < len(self.tokens) else _NO_TOKEN

    def between(self, start: int, end: int) -> list[str]:
        """Return the words from ``start`` to before ``end``."""
        return self._texts[max(0, start) : end]

    def phrase(self, position: int, phrases: Container[str]) -> tuple[int, str]:
        """Return the position after the longest phrase that begins at a word, and the phrase.

        Without one, it is the position itself and an empty phrase.
        """
        if position not in self._phrases:
            words = self._texts[position : position + _MAX_PHRASE]
            self._phrases[position] = [
                (position + length, " ".join(words[:length])) for length in range(len(words), 0, -1)
            ]
        for end, phrase in self._phrases[position]:
            if phrase in phrases:
                return end, phrase
        return position, ""

    def after(self, position: int, skipped: Container[str], limit: int = 3) -> int:
        """Return the position after at most ``limit`` words that are skipped."""
        end = position
        while end < position + limit and self[end] in skipped:
            end += 1
        return end


def read_tokens(text: str) -> list[Token]:
    """Return the tokens of a text; hyphens and apostrophes inside words only separate."""
    tokens: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        word = match[0]
        is_glued = match.start() == end and end > 0
        end = match.end()
        if is_glued and word in "-'’‑" and text[end : end + 1].isalnum():
            continue
        tokens.append(Token(word.casefold(), word[0].isupper(), is_glued))
    return tokens
