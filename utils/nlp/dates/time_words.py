"""Whether a text has a word that places something in time, or a number."""

import re
from functools import cache

from utils.nlp.languages import languages
from utils.nlp.stemming import stems

_NUMBER = re.compile(r"(?<!\S)\d")


@cache
def _time_stems() -> frozenset[str]:
    return frozenset(
        stem
        for code, language in languages().items()
        for word in language.dates.time_words
        for stem in stems(word, language=code)
    )


def names_time(stems_of_text: str) -> bool:
    """Return whether stems separated by spaces name a time: a word of time, or a number."""
    return not _time_stems().isdisjoint(stems_of_text.split()) or bool(
        _NUMBER.search(stems_of_text)
    )
