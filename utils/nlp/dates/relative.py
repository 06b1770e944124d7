"""Put dates behind the relative days of a short text: "moves tomorrow (25 November 2026)". Pure.

A note is read weeks later, when "this week" is another one. The same vocabulary as that of the
other date parsers is looked up word by word, so it takes time linear in the length of the text.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from utils.nlp.dates import vocabulary
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.dates.ranges import Calendar, DateRange, later, next_weekday
from utils.nlp.dates.sums import sum_at, units_at
from utils.nlp.dates.tokens import Token, WordPositions
from utils.nlp.dates.vocabulary import DATES
from utils.nlp.stemming import language_of

MAX_CHARACTERS = 1_000
MIN_WEEKDAY_LENGTH = 5
"""Shorter weekdays are other words in other languages: "sat", "mar"."""
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
_ISO_DATE = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])", re.ASCII)
_SENTENCE_END = re.compile(r"((?<![0-9])\.|[;!?:\n])")
_NOT_TOMORROW_AFTER = frozenset(["la", "esta", "jeden", "am", "guten", "diesen"])
"""Words before "mañana" and "Morgen" that make them mornings."""


class _Span(NamedTuple):
    """Days that words name: up to the position ``end``, for one ``unit``."""

    end: int
    days: DateRange
    unit: str = "day"


class _Unresolved(Exception):
    """Words name a time that depends on when they are said, and that is not a day."""


@dataclass(frozen=True, slots=True)
class DatedText:
    """A text with dates behind its relative days; ``last_day`` is the last one to come."""

    text: str
    last_day: date | None


def with_dates(
    text: str, said_at: datetime, zone: tzinfo, *, weekdays_ahead: bool | None = None
) -> DatedText | None:
    """Return a text with dates in brackets behind its relative days; None if one has no date.

    Its own words stay: "moves tomorrow (25 November 2026)". Dates such as 2026-03-13, which models
    write, are put in the same words as these.

    Args:
        text: a short text; only the first 1,000 characters are looked at.
        said_at: when it was said; aware.
        zone: the time zone in which days are counted.
        weekdays_ahead: whether a weekday alone is the next (True) or the last one (False); None
            leaves it as it is, because it may be a habit.
    """
    plain = unicodedata.normalize("NFKC", text)
    today, language = said_at.astimezone(zone).date(), language_of(plain)
    days: list[DateRange] = []
    dated = ""
    for sentence in _SENTENCE_END.split(plain[:MAX_CHARACTERS]):
        matches = list(_WORD.finditer(sentence))
        try:
            spans = list(_spans(sentence, matches, today, weekdays_ahead))
        except (_Unresolved, OverflowError, ValueError):
            return None
        copied = 0
        for span in spans:
            end = matches[span.end - 1].end()
            if not sentence[end:].lstrip().startswith("("):  # the date stands there already
                dated += f"{sentence[copied:end]} ({_in_words(span.days, span.unit, language)})"
                copied = end
        dated += sentence[copied:]
        days += [span.days for span in spans]
    dated += plain[MAX_CHARACTERS:]
    days += mentioned_dates(text, said_at, zone)
    to_come = [named.last for named in days if named.first > today]
    dated = _ISO_DATE.sub(
        lambda match: _day_in_words(match[0], language), text if dated == plain else dated
    )
    return DatedText(dated, max(to_come, default=None))


def _day_in_words(iso_date: str, language: str) -> str:
    """Return a day as it stands in texts of a language; what is no date stays as it is."""
    try:
        return _in_words(_one_day(date.fromisoformat(iso_date)), "day", language)
    except ValueError:
        return iso_date


def _spans(
    sentence: str, matches: Sequence[re.Match[str]], today: date, weekdays_ahead: bool | None
) -> Iterator[_Span]:
    """Yield the days that the words of a sentence name, in order.

    Raises ValueError or _Unresolved if they may mean several days.
    """
    words = WordPositions([Token(match[0].casefold()) for match in matches])
    position = 0
    while position < len(words):
        day_sum = sum_at(words, position, today)
        if day_sum is None or day_sum.is_beside or _is_habit(words, position):
            span = _span_at(words, position, today, weekdays_ahead)
        else:
            between = sentence[matches[position].end() : matches[day_sum.end - 1].start()]
            if "," in between or not DATES.weekends.isdisjoint(
                words.between(position, day_sum.end)
            ):
                raise _Unresolved
            span = _Span(day_sum.end, _one_day(day_sum.day))
        is_morning = words[position] in ("morgen", "mañana") and (
            words[position - 1] in _NOT_TOMORROW_AFTER
            or (position > 0 and matches[position][0] == "Morgen")
        )
        if span is None or is_morning:
            position += 1
        else:
            yield span
            position = span.end


def _is_habit(words: WordPositions, position: int) -> bool:
    return words[position] in DATES.every or words[position - 1] in DATES.every


def _span_at(
    words: WordPositions, position: int, today: date, weekdays_ahead: bool | None
) -> _Span | None:
    """Return the days that the words at a position name; None if they name none."""
    if words[position] in DATES.every:
        return None
    end, phrase = words.phrase(position, vocabulary.DAYS_AHEAD)
    if phrase:
        return _Span(end, _one_day(today + timedelta(days=vocabulary.DAYS_AHEAD[phrase])))
    end, phrase = words.phrase(position, vocabulary.DAYS_BACK)
    if phrase:
        first, last = vocabulary.DAYS_BACK[phrase]
        if first - last > 1:  # the other day
            raise _Unresolved
        return _Span(end, _one_day(today - timedelta(days=first)))
    span = _unit_around(words, position, today) or _counted(words, position, today)
    if span or weekdays_ahead is None or _is_habit(words, position):
        return span
    day = _weekday(words, position)
    if day is None:
        return None
    days = _one_day(next_weekday(today, day)) if weekdays_ahead else Calendar(today).weekday(day)
    return _Span(position + 1, days)


def _weekday(words: WordPositions, position: int, before: int = 1) -> int | None:
    """Return a weekday beside which no date stands: not Friday the 11th, Freitag, dem 11.

    ``before``: how many words before it a date could stand.
    """
    after = position + 1
    after += words[after] in DATES.articles | DATES.ordinal_before
    beside = (words[position - before], words[after])
    is_dated = any(word.isdecimal() or word in vocabulary.MONTHS for word in beside)
    is_short = len(words[position]) < MIN_WEEKDAY_LENGTH
    return None if is_dated or is_short else vocabulary.WEEKDAYS.get(words[position])


def _unit_around(words: WordPositions, position: int, today: date) -> _Span | None:
    """Parse this, next and last week, weekend, month, year and weekday; la semaine prochaine.

    Raises _Unresolved for seasons.
    """
    word, following, end = words[position], words[position + 1], position + 2
    if word in vocabulary.STEPS:
        step, noun = vocabulary.STEPS[word], following
    elif following in DATES.next | DATES.last_after:
        step, noun = 1 if following in DATES.next else -1, word
    else:
        return None
    calendar = Calendar(today)
    if noun in DATES.weekends:
        saturday = calendar.unit_ago("week", -step).first + timedelta(days=5)
        return _Span(end, DateRange(saturday, saturday + timedelta(days=1)), "weekend")
    unit = vocabulary.UNITS.get(noun, "day")
    if unit != "day":
        return _Span(end, calendar.unit_ago(unit, -step), unit)
    if noun == word:
        return None
    if noun in vocabulary.SEASONS and noun not in DATES.ambiguous_seasons:
        raise _Unresolved
    day = _weekday(words, position + 1, before=2)
    if day is None:
        return None
    days = calendar.weekday(day, is_over=True) if step < 0 else _one_day(next_weekday(today, day))
    return _Span(end, days)


def _counted(words: WordPositions, position: int, today: date) -> _Span | None:
    """Parse in three days, in zwei Wochen, two weeks ago, vor drei Tagen; days and weeks only."""
    is_ahead, is_back = words[position] in DATES.in_before, words[position] == "vor"
    start = position + (is_ahead or is_back)
    end, count, unit = units_at(words, start) or (start, 0, "")
    is_ago = start == position and words[end] in DATES.ago_after
    if end != start + 2 or unit not in ("day", "week") or not (is_ahead or is_back or is_ago):
        return None
    return _Span(end + is_ago, _one_day(later(today, count if is_ahead else -count, unit)))


def _one_day(day: date) -> DateRange:
    return DateRange(day, day)


_FORMS = {
    "en": {
        "day": "{0.day} {0:%B %Y}",
        "week": "the week of {0.day} {0:%B %Y}",
        "weekend": "the weekend of {0.day} {0:%B %Y}",
        "month": "{0:%B %Y}",
    },
    "de": {
        "day": "{0.day}.{0.month}.{0.year}",
        "week": "Woche ab {0.day}.{0.month}.{0.year}",
        "weekend": "Wochenende ab {0.day}.{0.month}.{0.year}",
        "month": "{0:%m/%Y}",
    },
}
_OTHER_FORMS = {"day": "{0}", "week": "{0} – {1}", "weekend": "{0} – {1}", "month": "{0:%Y-%m}"}


def _in_words(days: DateRange, unit: str, language: str) -> str:
    """Return days as words of a language."""
    form = _FORMS.get(language, _OTHER_FORMS).get(unit, "{0.year}")
    return form.format(days.first, days.last)
