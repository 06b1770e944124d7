"""Words that announce another topic, and words that have none. Pure.

A marker stands at the beginning of a message or a clause and mostly is the whole clause ("anyway,
different topic: …"). "Anyway" or "by the way" alone announce nothing: most often the talk goes on.
Languages: English, German, French, Spanish, Portuguese, Russian; no other is guessed at.
"""

import re
from collections.abc import Iterator
from functools import cache

from utils.nlp.languages import languages
from utils.nlp.normalization import fold
from utils.nlp.phrase_matcher import Lexicon, tokens_of
from utils.nlp.stemming import stems

_MAX_READ = 600  # characters of a message in which a marker is looked for
_PAUSES = re.compile(r"[,，、()\[\]…]|\s[-–—]+\s|—")  # what parts clauses, besides . ! ? ; :
_SIGNS = frozenset(".!?;:\n")
_TOPIC = frozenset([0])


@cache
def _lexicon() -> Lexicon:
    """Return the markers of all languages, each from where a clause begins."""
    return Lexicon(
        {
            "topic": {
                code: "|".join(f"^ {marker}" for marker in language.topics.markers.split("|"))
                for code, language in languages().items()
                if language.topics.markers
            }
        }
    )


@cache
def _openers() -> frozenset[str]:
    """Return what may stand before a marker: it is skipped where a clause begins."""
    return frozenset(word for language in languages().values() for word in language.topics.openers)


def announces_a_change(text: str) -> bool:
    """Whether a message says, in its first 600 characters, that it is about something else now."""
    clauses = _PAUSES.sub(" ; ", fold(text[:_MAX_READ]).casefold())
    return _lexicon().first_rank(list(_without_soft_words(tokens_of(clauses))), _TOPIC) is not None


def _without_soft_words(tokens: list[str]) -> Iterator[str]:
    begins, openers = True, _openers()
    for token in tokens:
        begins = token in _SIGNS or (begins and token in openers)
        if not begins or token in _SIGNS:
            yield token


@cache
def empty_stems() -> frozenset[str]:
    """Return stems of greetings, thanks, yes and no, laughter: they say nothing about a topic."""
    return frozenset(
        stem
        for code, language in languages().items()
        for stem in stems(language.topics.empty, language=code)
    )
