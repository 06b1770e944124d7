"""The words that give away what no memory may hold, from utils.nlp.languages."""

import re
from collections.abc import Mapping
from functools import cache

from utils.common.errors import LanguageFileError
from utils.memory.policy.categories import Category
from utils.nlp.languages import languages, shared_tables
from utils.nlp.phrase_matcher import Lexicon, UnspacedWords

ALWAYS_REFUSED = ("secret", "contact", "address", "order")
"""The reasons that no setting switches off."""

REASONS = (*ALWAYS_REFUSED, *(category.value for category in Category))
"""Every reason that words can give, the first that applies wins."""


def load() -> None:
    """Build the tables now: the first text would wait some 60 ms for them."""
    memory_lexicon()
    unspaced_words()
    glued_patterns()


@cache
def memory_lexicon() -> Lexicon:
    """Return the phrases of all languages by reason. Raises LanguageFileError."""
    tables = {code: language.memory_filter for code, language in languages().items()}
    return Lexicon(
        _by_reason(tables), {code: language.classes for code, language in languages().items()}
    )


@cache
def unspaced_words() -> Mapping[str, UnspacedWords]:
    """Return reason -> words of scripts without spaces. Raises LanguageFileError."""
    tables = {code: language.memory_filter_unspaced for code, language in languages().items()}
    return {
        reason: UnspacedWords(by_language.values())
        for reason, by_language in _by_reason(tables).items()
        if by_language
    }


@cache
def glued_patterns() -> Mapping[str, re.Pattern[str]]:
    """Return reason -> what secrets and orders look like without their spaces."""
    return {
        reason: re.compile("|".join(line.removeprefix("| ") for line in table.split("\n") if line))
        for reason, table in shared_tables().glued.items()
    }


def _by_reason(tables: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Turn language -> reason -> phrases into reason -> language -> phrases."""
    for code, table in tables.items():
        for reason in table.keys() - set(REASONS):
            raise LanguageFileError(file=f"{code}.toml", problem=f"unknown reason {reason}")
    return {
        reason: {code: table[reason] for code, table in tables.items() if reason in table}
        for reason in REASONS
    }
