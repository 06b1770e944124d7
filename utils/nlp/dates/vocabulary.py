"""The words that name dates and times, of all languages together, as tables.

All are lower case. Every word is listed with and without its accents.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache

from utils.nlp.languages import ClockWords, DateWords, Phrases, WordRows, Words, languages
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


_CLOCKS = [dates.clock for dates in _DATES.values()]


def _clock_words(read: Callable[[ClockWords], Words]) -> frozenset[str]:
    return _spellings(word for clock in _CLOCKS for word in read(clock))


def _clock_phrases(read: Callable[[ClockWords], Phrases]) -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(spelling.split()) for clock in _CLOCKS for spelling in _spellings(read(clock))
    )


def _clock_rows(read: Callable[[ClockWords], WordRows], first: int) -> Mapping[str, int]:
    return _numbered(lambda dates: read(dates.clock), first)


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


TENS = _clock_rows(lambda clock: clock.tens, 2)
CLOCK_NUMBERS: Mapping[str, int] = {**dict(_big_numbers()), **NUMBERS}
AMOUNTS = {word: float(n) for clock in _CLOCKS for word, n in clock.amounts.items()}
SPANS: Mapping[str, tuple[int, str]] = {
    word: (int(span.split()[0]), span.split()[1])
    for clock in _CLOCKS
    for word, span in clock.spans.items()
}
"""Single words for an amount of time -> how many of which unit they are."""
TIME_UNITS: Mapping[str, str] = {
    **UNITS,
    **{
        word: unit
        for unit in ("second", "minute", "hour")
        for clock in _CLOCKS
        for word in _spellings(getattr(clock, unit))
    },
}
GLUED_UNITS: Mapping[str, str] = {
    word: unit for unit in ("day", "week") for clock in _CLOCKS for word in getattr(clock, unit)
}
"""Abbreviations that are units only right behind a number: 3d."""
HALF = _clock_words(lambda clock: clock.half)
QUARTER = _clock_words(lambda clock: clock.quarter)
JOINED_BY = _clock_words(lambda clock: clock.joined_by)
BEFORE_CLOCK = _clock_words(lambda clock: clock.before)
AFTER_CLOCK = _clock_words(lambda clock: clock.after)
HALF_BEFORE = _clock_words(lambda clock: clock.half_before)
THREE_QUARTERS = _clock_words(lambda clock: clock.three_quarters)
AT_CLOCK = _clock_words(lambda clock: clock.at)
OCLOCK = _clock_words(lambda clock: clock.oclock)
OCLOCK_OF_TWELVE = _clock_phrases(lambda clock: clock.oclock_of_twelve)
MIDNIGHT = _clock_words(lambda clock: clock.midnight)
NOON = _clock_words(lambda clock: clock.noon)
MORNING_AFTER_DAY = _clock_words(lambda clock: clock.morning_after_day)
PARTS_OF_DAY: Mapping[str, int] = {
    word: hour
    for words, hour in (
        (_clock_words(lambda clock: clock.morning), 9),
        (_clock_words(lambda clock: clock.afternoon), 15),
        (_clock_words(lambda clock: clock.evening), 19),
    )
    for word in words
}
"""Parts of the day -> the hour that is meant where no other is named."""
SHORT_WEEKDAYS = _clock_rows(lambda clock: clock.short_weekdays, 0)
EACH_WEEKDAY = _clock_rows(lambda clock: clock.each_weekday, 0)
REPEATS: Mapping[str, str] = {
    word: unit
    for words, unit in (
        (_clock_words(lambda clock: clock.daily), "day"),
        (_clock_words(lambda clock: clock.weekly), "week"),
        (_clock_words(lambda clock: clock.monthly), "month"),
    )
    for word in words
}
WORKING_DAYS = _clock_words(lambda clock: clock.working_days)
EVERY_N = _clock_words(lambda clock: clock.every_n)
EVERY_OTHER = _clock_words(lambda clock: clock.every_other)
MONTH_END = _clock_phrases(lambda clock: clock.month_end)
FROM_NOW = _clock_phrases(lambda clock: clock.from_now)
ZONE_TIME = _clock_words(lambda clock: clock.zone_time)
TIME_FILLERS = _clock_words(lambda clock: clock.fillers)

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
