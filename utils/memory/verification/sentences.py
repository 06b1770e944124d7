"""Split a message into sentences, and find the one that holds a quote. Pure."""

import re
import unicodedata
from dataclasses import dataclass

from utils.common.text import clip, one_line
from utils.models.memory import MEMORY_LIMIT

# Thai to Khmer, kana, Han: scripts without spaces, where a quote may begin and end anywhere.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|[。！？]+|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|\s)(?:[^\W\d_]|\d{1,2}|st|dr|mr|mrs|ms|vs|etc|bzw|ca|nr)\.$", re.I
)


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentence of a message that holds a quote, and the sentences next to it."""

    sentence: str
    before: str = ""
    after: str = ""


def normalised(text: str) -> str:
    """Return the text without case, punctuation and runs of space, for comparing quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if _is_word(c) else " " for c in folded).split())


def holds(text: str, quote: str) -> bool:
    """Whether whole words of a text, both normalised, are the quote."""
    start = text.find(quote)
    while start >= 0:
        if _is_border(text, start) and _is_border(text, start + len(quote)):
            return True
        start = text.find(quote, start + 1)
    return False


def split(text: str) -> list[str]:
    """Return the sentences of a text, each on one line."""
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if "\n" not in end[0] and _ABBREVIATION.search(text[start : end.start()]):
            continue
        sentences.append(one_line(text[start : end.end()]))
        start = end.end()
    sentences.append(one_line(text[start:]))
    return [sentence for sentence in sentences if sentence]


def passage(text: str, quote: str) -> Passage:
    """Return the sentence of a text that holds a quote, with its neighbours.

    A quote over several sentences gives all of them. The sentence has at most 500 UTF-16 units
    around the quote. Without a match the whole text counts as one sentence.
    """
    wanted = normalised(quote)
    sentences = split(text)
    for length in range(1, len(sentences) + 1):
        for first in range(len(sentences) - length + 1):
            joined = " ".join(sentences[first : first + length])
            if holds(normalised(joined), wanted):
                return Passage(
                    _around(joined, quote),
                    sentences[first - 1] if first else "",
                    sentences[first + length] if first + length < len(sentences) else "",
                )
        if length == 4:
            break
    return Passage(_around(one_line(text), quote))


def _around(sentence: str, quote: str) -> str:
    """Return at most 500 units of a sentence, with the quote in them if it occurs literally."""
    at = max(0, sentence.casefold().find(one_line(quote).casefold()[:100]))
    start = max(0, min(at - MEMORY_LIMIT // 4, len(sentence) - MEMORY_LIMIT))
    start = sentence.find(" ", start) + 1 if start else 0
    return clip(sentence[start:], MEMORY_LIMIT, at_word=True)


def _is_border(text: str, index: int) -> bool:
    around = text[max(0, index - 1) : index + 1]
    return len(around) < 2 or " " in around or _UNSPACED.search(around) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
