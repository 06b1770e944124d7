"""The words that name dates and times, of all languages together, as tables.

All are lower case. Every word is listed with and without its accents.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from utils.nlp.dates.ranges import Yearly, holiday, months_of_year
from utils.nlp.languages import DateWords, Phrases, languages
from utils.nlp.stemming import stems

_Value = TypeVar("_Value")


def _without_accents(word: str) -> str:
    """Return a word with plain Latin letters; other scripts keep their marks."""
    if word.isascii() or word > "\u0370":
        return word
    parts = unicodedata.normalize("NFD", word)
    return "".join(character for character in parts if not unicodedata.combining(character))


def _spellings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(spelling for word in words for spelling in (word, _without_accents(word)))


_DATES = {code: language.dates for code, language in languages().items()}


def _together(sections: Sequence[Any]) -> Any:
    """Return the words and phrases of sections of one kind in one such section."""
    merged = {}
    for field in fields(sections[0]):
        values = [getattr(section, field.name) for section in sections]
        if is_dataclass(values[0]):
            merged[field.name] = _together(values)
        elif isinstance(values[0], frozenset) or field.type == Phrases:
            merged[field.name] = _spellings(word for words in values for word in words)
    return type(sections[0])(**merged)


DATES: DateWords = _together(list(_DATES.values()))
"""The words and phrases of all languages; what stands in rows and tables follows below."""
CLOCK = DATES.clock


def _meanings(
    read: Callable[[DateWords], Iterable[tuple[_Value, Iterable[str]]]],
) -> dict[str, _Value]:
    """Return word or phrase -> its value, from the values and their words in each language."""
    return {
        spelling: value
        for dates in _DATES.values()
        for value, words in read(dates)
        for spelling in _spellings(words)
    }


MONTHS = _meanings(lambda dates: enumerate(dates.months, 1))
"""Month names, declined and abbreviated."""
del MONTHS["marco"]  # março without its accent is a name

WEEKDAYS = _meanings(lambda dates: enumerate(dates.weekdays))
WEEKDAYS_BEFORE_FEIRA = _meanings(lambda dates: enumerate(dates.weekdays_before_feira))
"""Portuguese weekdays, which are ordinal numbers unless "feira" or "passada" follows."""

DAYS_BACK = _meanings(lambda dates: dates.days_back.items())
"""Phrases -> how many days ago they begin and end."""
DAYS_AHEAD = _meanings(lambda dates: enumerate(dates.days_ahead))
"""Phrases -> how many days ahead they mean."""
UNSPACED_DAYS_AHEAD = _meanings(lambda dates: enumerate(dates.unspaced.days_ahead))
"""The same in scripts without spaces."""

FRENCH_WORDS = _spellings(_DATES["fr"].common_words)
GERMAN_WORDS = _spellings(_DATES["de"].common_words)

UNITS: Mapping[str, str] = _meanings(lambda dates: dates.units.items())
NUMBERS = _meanings(lambda dates: enumerate(dates.numbers, 1))
VAGUE_NUMBERS = _meanings(lambda dates: dates.vague_numbers.items())
STEPS = _meanings(
    lambda dates: (
        (-1, dates.last_before),
        (0, dates.this),
        (1, dates.next),
        (2, dates.after_next_before),
    )
)
"""Words before a unit or a weekday -> how many of them ahead it is."""

_FIRST_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
SEASONS = _meanings(lambda dates: dates.seasons.items())
YEARLY: Mapping[str, Yearly] = {
    **{word: months_of_year(month, 1) for word, month in MONTHS.items()},
    **{word: months_of_year(_FIRST_MONTHS[season], 3) for word, season in SEASONS.items()},
    **{
        phrase: holiday(name)
        for phrase, name in _meanings(lambda dates: dates.holidays.items()).items()
    },
}
"""Months, seasons of the northern hemisphere, and holidays."""
PAST_NAMES: Mapping[str, tuple[int, int] | Yearly] = {**DAYS_BACK, **YEARLY}


def _ambiguous() -> Mapping[str, frozenset[str]]:
    words_before: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for dates in _DATES.values():
        for names, before in dates.ambiguous.items():
            for name in _spellings(names.split()):
                words_before[name] |= _spellings(before.split())
    for season in SEASONS:
        is_word = season in DATES.ambiguous_seasons
        words_before[season] = DATES.this if is_word else DATES.this | DATES.season_before
    return dict(words_before)


AMBIGUOUS = _ambiguous()
"""What is also another word or name -> the words before it that make it a date."""

STARTS = frozenset(
    [
        "hier",
        *WEEKDAYS,
        *WEEKDAYS_BEFORE_FEIRA,
        *DATES.weekends,
        *UNITS,
        *NUMBERS,
        *VAGUE_NUMBERS,
        *DATES.rolling,
        *(phrase.split()[0] for phrase in (*PAST_NAMES, *DATES.ago_before)),
    ]
)
"""Words that a past date can begin with; numbers can too."""


def _joint_numbers(dates: DateWords) -> Iterable[tuple[int, Iterable[str]]]:
    """Yield the numbers from twenty that a language writes as one word: fünfundvierzig."""
    if joint := dates.clock.tens_joint:
        for tens, words in enumerate(dates.clock.tens, 2):
            for number, ones in enumerate(dates.numbers[:9], 1):
                yield 10 * tens + number, [f"{one}{joint}{word}" for one in ones for word in words]


TENS = _meanings(lambda dates: ((10 * tens, w) for tens, w in enumerate(dates.clock.tens, 2)))
CLOCK_NUMBERS: Mapping[str, float] = {
    **{word: n for dates in _DATES.values() for word, n in dates.clock.amounts.items()},
    **TENS,
    **_meanings(_joint_numbers),
    **NUMBERS,
}
TIME_UNITS: Mapping[str, str] = {**UNITS, **_meanings(lambda dates: dates.clock.units.items())}
SPANS: Mapping[str, tuple[int, str]] = {
    **{unit: (1, name) for unit, name in TIME_UNITS.items()},
    **{word: span for dates in _DATES.values() for word, span in dates.clock.spans.items()},
}
"""Words for an amount of time, such as "hours" and "fortnight" -> how many of which unit."""
GLUED_UNITS: Mapping[str, str] = _meanings(lambda dates: dates.clock.glued_units.items())
"""Abbreviations that are units only right behind a number: 3d."""
_HOURS = {"morning": 9, "afternoon": 15, "evening": 19}
PARTS_OF_DAY = {
    word: _HOURS[part]
    for word, part in _meanings(lambda dates: dates.clock.parts_of_day.items()).items()
}
"""Parts of the day -> the hour that is meant where no other is named."""
SHORT_WEEKDAYS = _meanings(lambda dates: enumerate(dates.clock.short_weekdays))
EACH_WEEKDAY = _meanings(lambda dates: enumerate(dates.clock.each_weekday))
REPEATS: Mapping[str, str] = _meanings(lambda dates: dates.clock.repeats.items())

_NUMBER = re.compile(r"(?<!\S)\d")


_TIME_STEMS = frozenset(
    stem
    for code, language in languages().items()
    for word in language.dates.time_words
    for stem in stems(word, language=code)
)


def names_time(stems_of_text: str) -> bool:
    """Return whether stems separated by spaces name a time: a word of time, or a number."""
    return not _TIME_STEMS.isdisjoint(stems_of_text.split()) or bool(_NUMBER.search(stems_of_text))
