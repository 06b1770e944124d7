"""The words that name dates and times, of all languages together, as tables.

All are lower case. Every word is listed with and without its accents.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from utils.nlp.languages import DateWords, Phrases, WordRows, languages
from utils.nlp.stemming import stems

_MAX_PHRASE = 4  # words


def without_accents(word: str) -> str:
    """Return a word with plain Latin letters; other scripts keep their marks."""
    if word.isascii() or word > "\u0370":
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(character for character in parts if not unicodedata.combining(character))


def phrase_at(words: Sequence[str], position: int, phrases: Container[str]) -> tuple[int, str]:
    """Return the position after the longest phrase that begins at a word, and the phrase.

    Without one, it is the position itself and an empty phrase.
    """
    for end in range(min(position + _MAX_PHRASE, len(words)), position, -1):
        if (phrase := " ".join(words[position:end])) in phrases:
            return end, phrase
    return position, ""


def _spellings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(spelling for word in words for spelling in (word, without_accents(word)))


_DATES = {code: language.dates for code, language in languages().items()}


def _together(sections: Sequence[Any]) -> Any:
    """Return the words and phrases of sections of one kind in one such section."""
    merged = {}
    for field in fields(sections[0]):
        values = [getattr(section, field.name) for section in sections]
        if is_dataclass(values[0]):
            merged[field.name] = _together(values)
        elif isinstance(values[0], frozenset):
            merged[field.name] = _spellings(word for words in values for word in words)
        elif field.type == Phrases:
            merged[field.name] = tuple(_spellings(phrase for value in values for phrase in value))
    return type(sections[0])(**merged)


DATES: DateWords = _together(list(_DATES.values()))
"""The words and phrases of all languages; what stands in rows and tables follows below."""
CLOCK = DATES.clock


def _numbered(read: Callable[[DateWords], WordRows], first: int) -> Mapping[str, int]:
    return {
        word: number
        for dates in _DATES.values()
        for number, words in enumerate(read(dates), first)
        for word in _spellings(words)
    }


def _by_word(values: Iterable[tuple[Iterable[str], Any]]) -> dict[str, Any]:
    """Return word or phrase -> the value behind those it stands among."""
    return {word: value for words, value in values for word in words}


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

DAY_PHRASES: Mapping[str, tuple[int, int]] = _by_word(
    (
        (DATES.two_days_ago, (2, 2)),
        (DATES.three_days_ago, (3, 3)),
        (DATES.last_night, (1, 0)),
        (DATES.last_evening, (1, 1)),
        (DATES.the_other_day, (10, 1)),
    )
)
"""Phrases -> how many days ago they begin and end."""
DAYS_AHEAD: Mapping[str, int] = _by_word(
    (phrases, days)
    for dates in _DATES.values()
    for days, phrases in enumerate(
        (dates.today, dates.tomorrow, dates.day_after_tomorrow, dates.in_three_days)
    )
)
"""Phrases -> how many days ahead they mean."""
UNSPACED_DAYS_AHEAD: Mapping[str, int] = _by_word(
    ((DATES.unspaced.day_after_tomorrow, 2), (DATES.unspaced.tomorrow, 1))
)
"""The same in scripts without spaces; longer words, which contain shorter ones, come first."""

FRENCH_WORDS = _spellings(_DATES["fr"].common_words)
GERMAN_WORDS = _spellings(_DATES["de"].common_words)

UNITS: Mapping[str, str] = _by_word(
    (getattr(DATES.units, unit), unit) for unit in ("day", "week", "month", "year")
)
NUMBERS = _numbered(lambda dates: dates.numbers, 1)
VAGUE_NUMBERS: Mapping[str, tuple[int, int]] = _by_word(
    ((DATES.couple, (2, 4)), (DATES.few, (2, 6)), (DATES.several, (3, 8)))
)
STEPS: Mapping[str, int] = _by_word(
    (
        (DATES.last_before, -1),
        (DATES.this, 0),
        (DATES.next, 1),
        (DATES.after_next_before, 2),
    )
)
"""Words before a unit or a weekday -> how many of them ahead it is."""
SEASONS: Mapping[str, int] = _by_word(
    (getattr(DATES.seasons, season), month)
    for season, month in (("spring", 3), ("summer", 6), ("autumn", 9), ("winter", 12))
)
"""Seasons of the northern hemisphere -> the month that begins them."""

HOLIDAYS: Mapping[str, tuple[str, bool]] = _by_word(
    (getattr(holidays, holiday.name), (holiday.name, is_sure))
    for holidays, is_sure in ((DATES.holidays, True), (DATES.ambiguous_holidays, False))
    for holiday in fields(holidays)
)
"""Phrases -> the holiday they name, and whether they never mean anything else."""

PHRASE_STARTS = frozenset(phrase.split()[0] for phrase in (*DAY_PHRASES, *HOLIDAYS))
STARTS = frozenset(
    [
        "hier",
        *PHRASE_STARTS,
        *DATES.yesterday,
        *MONTHS,
        *WEEKDAYS,
        *WEEKDAYS_BEFORE_FEIRA,
        *DATES.weekends,
        *UNITS,
        *NUMBERS,
        *VAGUE_NUMBERS,
        *DATES.rolling,
        *SEASONS,
        *(phrase.split()[0] for phrase in DATES.ago_before),
    ]
)
"""Words that a date can begin with; numbers can too."""


def _big_numbers() -> Iterator[tuple[str, int]]:
    """Yield the tens from twenty, and what a language writes as one word: fünfundvierzig."""
    for dates in _DATES.values():
        for tens, words in enumerate(dates.clock.tens, 2):
            for word in _spellings(words):
                yield word, tens * 10
                if dates.clock.tens_joint:
                    for number, ones in enumerate(dates.numbers[:9], 1):
                        for one in _spellings(ones):
                            yield f"{one}{dates.clock.tens_joint}{word}", tens * 10 + number


TENS = _numbered(lambda dates: dates.clock.tens, 2)
CLOCK_NUMBERS: Mapping[str, int] = {**dict(_big_numbers()), **NUMBERS}
AMOUNTS = {word: float(n) for dates in _DATES.values() for word, n in dates.clock.amounts.items()}
SPANS: Mapping[str, tuple[int, str]] = {
    word: (int(span.split()[0]), span.split()[1])
    for dates in _DATES.values()
    for word, span in dates.clock.spans.items()
}
"""Single words for an amount of time -> how many of which unit they are."""
TIME_UNITS: Mapping[str, str] = {
    **UNITS,
    **_by_word((getattr(CLOCK, unit), unit) for unit in ("second", "minute", "hour")),
}
GLUED_UNITS: Mapping[str, str] = _by_word(((CLOCK.day, "day"), (CLOCK.week, "week")))
"""Abbreviations that are units only right behind a number: 3d."""
PARTS_OF_DAY: Mapping[str, int] = _by_word(
    ((CLOCK.morning, 9), (CLOCK.afternoon, 15), (CLOCK.evening, 19))
)
"""Parts of the day -> the hour that is meant where no other is named."""
SHORT_WEEKDAYS = _numbered(lambda dates: dates.clock.short_weekdays, 0)
EACH_WEEKDAY = _numbered(lambda dates: dates.clock.each_weekday, 0)
REPEATS: Mapping[str, str] = _by_word(
    ((CLOCK.daily, "day"), (CLOCK.weekly, "week"), (CLOCK.monthly, "month"))
)

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
