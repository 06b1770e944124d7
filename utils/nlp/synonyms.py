"""Other words by which a question may find a text: irregular forms and everyday synonyms."""

from collections.abc import Iterable, Mapping
from functools import cache

from utils.nlp.languages import languages
from utils.nlp.stemming import stems

NO_STEMS: frozenset[str] = frozenset()


@cache
def _rows_of(language: str) -> Mapping[str, frozenset[str]]:
    """Return each stem of a language's rows with the stems of all its rows."""
    by_stem: dict[str, frozenset[str]] = {}
    if language not in languages():
        return by_stem
    words = languages()[language].search
    for row in (*words.irregular, *words.synonyms):
        row_stems = frozenset(stem for word in row for stem in stems(word, language=language))
        for stem in row_stems:
            by_stem[stem] = by_stem.get(stem, NO_STEMS) | row_stems
    return by_stem


def related_stems(word_stems: Iterable[str], language: str) -> frozenset[str]:
    """Return the stems of the words that stand in a row with one of these stems."""
    rows = _rows_of(language)
    return NO_STEMS.union(*(rows.get(stem, NO_STEMS) for stem in word_stems))
