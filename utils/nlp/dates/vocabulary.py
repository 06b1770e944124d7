"""The words that name dates and times, of all languages together, as tables.

All are lower case. Every word is listed with and without its accents.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache

from utils.nlp.languages import DateWords, Phrases, WordRows, Words, languages
from utils.nlp.stemming import stems


def without_accents(word: str) -> str:
    """Return a word with plain Latin letters; other scripts keep their marks."""
    if word.isascii() or word > "\u0370":
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(character for character in parts if not unicodedata.combining(character))


def _spellings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(spelling for word in words for spelling in (word, without_accents(word)))


_DATES = {code: language.dates for code, language in languages().items()}


def _merged(read: Callable[[DateWords], Words]) -> frozenset[str]:
    return _spellings(word for dates in _DATES.values() for word in read(dates))


def _numbered(read: Callable[[DateWords], WordRows], first: int) -> Mapping[str, int]:
    return {
        word: number
        for dates in _DATES.values()
        for number, words in enumerate(read(dates), first)
        for word in _spellings(words)
    }


def _phrases(read: Callable[[DateWords], Phrases]) -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(spelling.split()) for dates in _DATES.values() for spelling in _spellings(read(dates))
    )


def _ambiguous_months() -> Mapping[str, frozenset[str]]:
    words_before: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for dates in _DATES.values():
        for months, before in dates.ambiguous_months.items():
            for month in _spellings(months.split()):
                words_before[month] |= _spellings(before.split())
    return dict(words_before)


MONTHS = {
    word: number
    for word, number in _numbered(lambda dates: dates.months, 1).items()
    if word != "marco"  # março without its accent is a name
}
"""Month names, declined and abbreviated."""

AMBIGUOUS_MONTHS: Mapping[str, frozenset[str]] = _ambiguous_months()
"""Months that are other words or names too -> the words before them that make them months."""

WEEKDAYS = _numbered(lambda dates: dates.weekdays, 0)
WEEKDAYS_BEFORE_FEIRA = _numbered(lambda dates: dates.weekdays_before_feira, 0)
"""Portuguese weekdays, which are ordinal numbers unless "feira" or "passada" follows."""
WEEKENDS = _merged(lambda dates: dates.weekends)
WEEKEND_BEFORE = _merged(lambda dates: dates.weekend_before)

YESTERDAY = _merged(lambda dates: dates.yesterday)
DAY_PHRASES: Mapping[tuple[str, ...], tuple[int, int]] = {
    phrase: days
    for phrases, days in (
        (_phrases(lambda dates: dates.two_days_ago), (2, 2)),
        (_phrases(lambda dates: dates.three_days_ago), (3, 3)),
        (_phrases(lambda dates: dates.last_night), (1, 0)),
        (_phrases(lambda dates: dates.last_evening), (1, 1)),
        (_phrases(lambda dates: dates.the_other_day), (10, 1)),
    )
    for phrase in phrases
}
"""Phrases -> how many days ago they begin and end."""
DAYS_AHEAD: Mapping[tuple[str, ...], int] = {
    tuple(phrase.split()): days
    for dates in _DATES.values()
    for days, phrases in enumerate(
        (dates.today, dates.tomorrow, dates.day_after_tomorrow, dates.in_three_days)
    )
    for phrase in phrases
}
"""Phrases -> how many days ahead they mean."""
UNSPACED_DAYS_AHEAD: Mapping[str, int] = {
    word: days
    for days in (2, 1)
    for dates in _DATES.values()
    for word in (dates.unspaced.tomorrow, dates.unspaced.day_after_tomorrow)[days - 1]
}
"""The same in scripts without spaces; longer words, which contain shorter ones, come first."""

FRENCH_WORDS = _spellings(_DATES["fr"].common_words)
GERMAN_WORDS = _spellings(_DATES["de"].common_words)

UNITS = {
    word: unit.name
    for dates in _DATES.values()
    for unit in fields(dates.units)
    for word in _spellings(getattr(dates.units, unit.name))
}
ONE_WITHOUT_NUMBER = _merged(lambda dates: dates.one_without_number)
"""Units that mean one of them right before "ago"."""

NUMBERS = _numbered(lambda dates: dates.numbers, 1)
VAGUE_NUMBERS: Mapping[str, tuple[int, int]] = {
    word: span
    for words, span in (
        (_merged(lambda dates: dates.couple), (2, 4)),
        (_merged(lambda dates: dates.few), (2, 6)),
        (_merged(lambda dates: dates.several), (3, 8)),
    )
    for word in words
}
AGO_BEFORE = _phrases(lambda dates: dates.ago_before)
AGO_AFTER = _merged(lambda dates: dates.ago_after)
IN_BEFORE = _merged(lambda dates: dates.in_before)

LAST_BEFORE = _merged(lambda dates: dates.last_before)
LAST_AFTER = _merged(lambda dates: dates.last_after)
ROLLING = _merged(lambda dates: dates.rolling)
"""Words that make "the last month" end today, where a number or an article says so."""
ALWAYS_ROLLING = _merged(lambda dates: dates.always_rolling)
THIS = _merged(lambda dates: dates.this)
NEXT = _merged(lambda dates: dates.next)
AFTER_NEXT_BEFORE = _merged(lambda dates: dates.after_next_before)
AFTER_NEXT_AFTER = _phrases(lambda dates: dates.after_next_after)
EVERY = _merged(lambda dates: dates.every)

WEEK_AFTER_DAY = _merged(lambda dates: dates.week_after_day)
COUNTED_FROM = _merged(lambda dates: dates.counted_from)
NOT_COUNTED_AFTER = _merged(lambda dates: dates.not_counted_after)
WEEKS_ON = _merged(lambda dates: dates.weeks_on)
ON_DAY = _merged(lambda dates: dates.on_day)
DAY_PARTS = _merged(lambda dates: dates.day_parts)
ORDINAL_SUFFIXES = _merged(lambda dates: dates.ordinal_suffixes)
ORDINAL_BEFORE = _merged(lambda dates: dates.ordinal_before)

YEAR_BEFORE = _merged(lambda dates: dates.year_before)
COUNTED_NOUNS = _merged(lambda dates: dates.counted_nouns)
DATE_BEFORE = _merged(lambda dates: dates.date_before)
OF = _merged(lambda dates: dates.of)
ARTICLES = _merged(lambda dates: dates.articles)

_FIRST_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
SEASONS = {
    word: month
    for dates in _DATES.values()
    for season, month in _FIRST_MONTHS.items()
    for word in _spellings(getattr(dates.seasons, season))
}
"""Seasons of the northern hemisphere -> the month that begins them."""
SEASON_BEFORE = _merged(lambda dates: dates.season_before)
AMBIGUOUS_SEASONS = _merged(lambda dates: dates.ambiguous_seasons)
"""Seasons that are other words too: a preposition alone does not make them seasons."""

HOLIDAYS: Mapping[tuple[str, ...], tuple[str, bool]] = {
    tuple(spelling.split()): (holiday.name, is_sure)
    for dates in _DATES.values()
    for holidays, is_sure in ((dates.holidays, True), (dates.ambiguous_holidays, False))
    for holiday in fields(holidays)
    for spelling in _spellings(getattr(holidays, holiday.name))
}
"""Phrases -> the holiday they name, and whether they never mean anything else."""

PHRASE_STARTS = frozenset(phrase[0] for phrase in (*DAY_PHRASES, *HOLIDAYS))
STARTS = frozenset(
    [
        "hier",
        *PHRASE_STARTS,
        *YESTERDAY,
        *MONTHS,
        *WEEKDAYS,
        *WEEKDAYS_BEFORE_FEIRA,
        *WEEKENDS,
        *UNITS,
        *NUMBERS,
        *VAGUE_NUMBERS,
        *ROLLING,
        *SEASONS,
        *(phrase[0] for phrase in AGO_BEFORE),
    ]
)
"""Words that a date can begin with; numbers can too."""


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
