"""Match what a member refers to against known memories and open loops. Pure.

A known number decides first. Else items are ranked by the words they share with the reference.
Words are compared as search compares them: by their stems in several languages, because a short
note does not reveal its language.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from utils.common.text import one_line
from utils.memory.member_data.search import MAX_ENDING, MIN_BEGINNING
from utils.models.episode import OpenLoop
from utils.models.memory import Memory
from utils.models.recall import MemberMessage
from utils.nlp.answer_types import NEGATIONS
from utils.nlp.stemming import LANGUAGES, query_stems

NAMED_SHARE = 0.6
"""Share of an item's words that a reference must contain to match it."""
_NUMBER = re.compile(r"#?([0-9]{1,18})")

Words = Sequence[frozenset[str]]


Known = TypeVar("Known", bound=Memory | OpenLoop | MemberMessage)


def match_references(candidates: Sequence[Known], wanted_text: str) -> list[Known]:
    """Return the candidates that ``wanted_text`` refers to, by number or words, best first.

    An item that shares all words with the reference wins over those that share some.
    """
    if number := _NUMBER.fullmatch(wanted_text.strip()):
        return [candidate for candidate in candidates if candidate.id == int(number[1])]
    wanted = words_of(wanted_text)
    scores: list[tuple[float, float, Known]] = []
    for candidate in candidates:
        words = words_of(candidate.text)
        named, covered = _share(words, wanted), _share(wanted, words)
        if named >= NAMED_SHARE or covered == 1.0:
            scores.append((named, covered, candidate))
    exact = [item for named, covered, item in scores if named == covered == 1.0]
    if len(exact) == 1:
        return exact
    scores.sort(key=lambda score: score[0] + score[1], reverse=True)
    return [item for _, _, item in scores]


def nearest(candidates: Sequence[Known], wanted_text: str) -> list[Known]:
    """Return the candidates with most words of a reference that nothing matches, in their order.

    A reference that is a number has no words.
    """
    wanted = words_of_request(wanted_text)
    shares = [_share(wanted, words_of(candidate.text)) for candidate in candidates]
    best = max(shares, default=0.0)
    return [item for item, share in zip(candidates, shares, strict=True) if share == best > 0]


def is_said(text: str, message: str) -> bool:
    """Whether a text stands in a message, or is mostly made of its words."""
    if one_line(text).casefold() in one_line(message).casefold():
        return True
    return _share(words_of(text), words_of(message)) >= NAMED_SHARE


def shares_words(text: str, message: str) -> bool:
    """Whether a text and a message have a word in common, other than "not"."""
    words = [forms for forms in words_of(text) if NEGATIONS.isdisjoint(forms)]
    return _share(words, words_of(message)) > 0


def words_of_request(text: str) -> Words:
    """Return the words of a reference by which messages may be searched; none for a number."""
    return [] if _NUMBER.fullmatch(text.strip()) else words_of(text)


def words_of(text: str) -> Words:
    """Return the content words of a text, each as the stems that it may be stored under."""
    return [frozenset(options) for options in query_stems(text, also=LANGUAGES)]


def _share(words: Words, others: Words) -> float:
    """Return the share of words that are among the others, in any of their forms; 0 if none."""
    other_stems = frozenset().union(*others)
    return sum(_is_among(word, other_stems) for word in words) / len(words) if words else 0.0


def _is_among(word: frozenset[str], known: frozenset[str]) -> bool:
    """Whether a word is known by a stem, or by a stem with another ending: "spiel", "spielt"."""
    return not known.isdisjoint(word) or any(
        abs(len(stem) - len(known_stem)) <= MAX_ENDING
        and min(len(stem), len(known_stem)) >= MIN_BEGINNING
        and (stem.startswith(known_stem) or known_stem.startswith(stem))
        for stem in word
        for known_stem in known
    )
