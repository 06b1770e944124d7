"""Lexical prefilter: is a message trivial or heated, and is a batch worth a model call? Pure.

It is cheap and rough: a table of words in ten languages, shouting, and rapid replies. It misses
irony, exclusion, quiet cruelty, coded words and every language that is not in the table, and it
takes many jokes for trouble. So it never scores anything. It only decides what the model reads
first, or, with the server's setting HEATED, at all.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from utils.common.grouping import grouped
from utils.common.text import UNSPACED
from utils.models.memory import Event
from utils.nlp.languages import languages

MIN_WORDS = 3
SHOUTED_LETTERS = 10
SHOUTED_SHARE = 0.7
RAPID_REPLIES = 6  # messages that two people send in turn …
RAPID_GAP_S = 20.0  # … with at most this time between two of them

_CODE = re.compile(r"<(?:a?:\w+:|[@#][!&]?|t:)\d+(?::\w)?>|https?://\S+")
_COMMAND = re.compile(r"^\s*[!/?.$%&;+~=-]{1,2}[a-z]\w*(?:\s|$)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SEPARATORS = re.compile(r"[\s,.;:\"()\[\]{}<>*_~|/\\?]+")
_RUN = re.compile(r"(.)\1{2,}")
_LEET = str.maketrans("013457@$!", "oieastasi")


def is_trivial(text: str) -> bool:
    """Whether a message is not worth scoring: a command, only emoji, or under three words.

    A message that looks heated is never trivial: "shut up" has only two words.
    """
    bare = _CODE.sub(" ", text)
    unspaced = len(UNSPACED.findall(bare))
    # Two characters of a script without spaces make one word.
    words = len(_WORD.findall(UNSPACED.sub(" ", bare))) + (unspaced + 1) // 2
    if words >= MIN_WORDS and not _COMMAND.match(text):
        return False
    return not looks_heated(text)


def looks_heated(text: str) -> bool:
    """Whether a message contains a word of the table or is shouted."""
    bare = _CODE.sub(" ", text)
    letters = [character for character in bare if character.isalpha()]
    shouted = sum(map(str.isupper, letters))
    is_long = len(letters) >= SHOUTED_LETTERS and " " in bare.strip()
    if is_long and shouted >= SHOUTED_SHARE * len(letters):
        return True
    words = _normalised_words(bare)
    return any(
        _starts_with(following, words[index + 1 :])
        for index, word in enumerate(words)
        for key in (word, *(f"{word[:end]}*" for end in _STEM_LENGTHS))  # * is any ending
        for following in _HEAT_ENTRIES.get(key, ())
    )


def deserves_call(messages: Sequence[Event]) -> bool:
    """Whether a batch, oldest message first, looks like trouble anywhere."""
    if any(looks_heated(message.text) for message in messages):
        return True
    run = 1  # replies in a row of two people who answer each other quickly
    for index in range(1, len(messages)):
        previous, message = messages[index - 1], messages[index]
        is_quick = (message.created_at - previous.created_at).total_seconds() <= RAPID_GAP_S
        is_in_turn = message.author_id != previous.author_id and (
            run == 1 or message.author_id == messages[index - 2].author_id
        )
        if is_quick and is_in_turn:
            run += 1
        else:
            run = 2 if is_quick and message.author_id != previous.author_id else 1
        if run >= RAPID_REPLIES:
            return True
    return False


def _normalised_words(text: str) -> list[str]:
    """Return a text's words normalised: lower case, no accents, leetspeak or repeated letters."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    words = []
    for masked in _SEPARATORS.split(plain):
        word = masked.strip("!'’-")
        if any(map(str.isalpha, word)):  # digits of a number stand for no letters
            word = word.translate(_LEET)
        words.append(_RUN.sub(r"\1", word))
    return [word for word in words if word]


_STEM_LENGTHS = range(2, 14)


_HEAT_ENTRIES: Mapping[str, Sequence[Sequence[str]]] = grouped(
    (first, following)
    for language in languages().values()
    for first, *following in map(str.split, language.sentiment.heat)
)
"""The words that follow the first one of each entry, by that, such as "shut": ["up"]: so a text is
not compared with every entry."""


def _starts_with(phrase: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words begin with the words of a phrase."""
    return len(words) >= len(phrase) and all(
        word.startswith(part[:-1]) if part.endswith("*") else word == part
        for part, word in zip(phrase, words, strict=False)
    )
