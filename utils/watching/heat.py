"""A lexical look at messages: is one trivial, does one look heated, does a batch deserve a call?

Pure, cheap, and honest about what it is: a table of words in ten languages, shouting, and people
answering each other at speed. It misses irony, exclusion, quiet cruelty, coded words and every
language that is not in the table, and it takes much that is said in jest for trouble. So it never
scores anything: it only decides what the model looks at first, or, where a server chose so, at all.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from utils.model.watch import WatchedMessage
from utils.watching.heat_words import HEAT_WORDS

FEWEST_WORDS = 3
SHOUTED_LETTERS = 10
SHOUTED_SHARE = 0.7
DENSE_RUN = 6  # messages by two people in turn …
DENSE_GAP_S = 20.0  # … none of them later than this after the one before

_CODE = re.compile(r"<(?:a?:\w+:|[@#][!&]?|t:)\d+(?::\w)?>|https?://\S+")
_COMMAND = re.compile(r"^\s*[!/?.$%&;+~=-]{1,2}[a-z]\w*(?:\s|$)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BORDER = re.compile(r"[\s,.;:\"()\[\]{}<>*_~|/\\?]+")
_RUN = re.compile(r"(.)\1{2,}")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_LEET = str.maketrans("013457@$!", "oieastasi")


def is_trivial(text: str) -> bool:
    """Whether a message is not worth a look: a command, only emoji, or under three words.

    What looks heated never is: "shut up" has two words.
    """
    words = _words_in(text)
    if words >= FEWEST_WORDS and not _COMMAND.match(text):
        return False
    return not looks_heated(text)


def looks_heated(text: str) -> bool:
    """Whether a message holds a word of the table, or is shouted."""
    bare = _CODE.sub(" ", text)
    return _is_shouted(bare) or _holds_heat(_folded(bare))


def deserves_call(messages: Sequence[WatchedMessage]) -> bool:
    """Whether a batch, oldest message first, looks like trouble anywhere."""
    return any(looks_heated(one.text) for one in messages) or _is_dense(messages)


def _words_in(text: str) -> int:
    """Count words; two characters of a script without spaces make one."""
    bare = _CODE.sub(" ", text)
    unspaced = len(_UNSPACED.findall(bare))
    return len(_WORD.findall(_UNSPACED.sub(" ", bare))) + (unspaced + 1) // 2


def _is_shouted(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    shouted = sum(map(str.isupper, letters))
    is_long = len(letters) >= SHOUTED_LETTERS and " " in text.strip()
    return is_long and shouted >= SHOUTED_SHARE * len(letters)


def _is_dense(messages: Sequence[WatchedMessage]) -> bool:
    """Whether two people answer each other at speed, several times in a row."""
    run = 1
    for index in range(1, len(messages)):
        before, one = messages[index - 1], messages[index]
        is_quick = (one.created_at - before.created_at).total_seconds() <= DENSE_GAP_S
        in_turn = one.author_id != before.author_id and (
            run == 1 or one.author_id == messages[index - 2].author_id
        )
        if is_quick and in_turn:
            run += 1
        else:
            run = 2 if is_quick and one.author_id != before.author_id else 1
        if run >= DENSE_RUN:
            return True
    return False


def _folded(text: str) -> list[str]:
    """Return a text's words without case, accents, digits for letters, and stretched letters."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return [found for word in _BORDER.split(plain) if (found := _unmasked(word))]


def _unmasked(word: str) -> str:
    """Return a word with its digits read as letters, if it has letters too."""
    word = word.strip("!'’-")
    if any(map(str.isalpha, word)):
        word = word.translate(_LEET)
    return _RUN.sub(r"\1", word)


@dataclass(frozen=True, slots=True)
class _Table:
    """The words of the table, ready for looking up: no text is compared with every entry."""

    words: frozenset[str]
    stems: frozenset[str]
    phrases: Mapping[str, tuple[tuple[str, ...], ...]]

    def holds(self, word: str) -> bool:
        """Whether a word is in the table, or begins with a stem that is."""
        return word in self.words or any(word[:end] in self.stems for end in _STEM_LENGTHS)


_STEM_LENGTHS = range(2, 14)


@cache
def _table() -> _Table:
    """Build the table once."""
    entries = {entry for entries in HEAT_WORDS.values() for entry in entries}
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for entry in entries:
        first, *others = entry.split()
        if others:
            phrases.setdefault(first, []).append(tuple(others))
    single = {entry for entry in entries if " " not in entry}
    return _Table(
        words=frozenset(entry for entry in single if not entry.endswith("*")),
        stems=frozenset(entry[:-1] for entry in single if entry.endswith("*")),
        phrases={first: tuple(rest) for first, rest in phrases.items()},
    )


def _is_said(phrase: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words begin with the rest of a phrase."""
    return len(words) >= len(phrase) and all(
        word.startswith(part[:-1]) if part.endswith("*") else word == part
        for part, word in zip(phrase, words, strict=False)
    )


def _holds_heat(words: Sequence[str]) -> bool:
    table = _table()
    return any(
        table.holds(word)
        or any(_is_said(phrase, words[at + 1 :]) for phrase in table.phrases.get(word, ()))
        for at, word in enumerate(words)
    )
