"""Put dates behind the relative days of a short text: "moves tomorrow (25 November 2026)". Pure.

A note is read weeks later, when "this week" is another one. The same vocabulary as that of the
other date parsers is looked up word by word, so it takes time linear in the length of the text.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from utils.nlp.dates import vocabulary
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.dates.ranges import Calendar, DateRange
from utils.nlp.dates.sums import later, next_weekday, sum_at, units_at
from utils.nlp.dates.vocabulary import DATES, phrase_at
from utils.nlp.stemming import language_of

__all__ = ["DatedText", "with_dates"]

MAX_CHARACTERS = 1_000
MIN_WEEKDAY_LENGTH = 5
"""Shorter weekdays are other words in other languages: "sat", "mar"."""
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
_ISO_DATE = re.compile(r"(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])", re.ASCII)
_SENTENCE_END = re.compile(r"[.;!?:\n]")
_MAX_SUM_WORDS = 10
_NOT_TOMORROW_AFTER = frozenset(["la", "esta", "jeden", "am", "guten", "diesen"])
"""Words before "mañana" and "Morgen" that make them mornings."""


class _Span(NamedTuple):
    """Days that words name: ``length`` words, for one ``unit``."""

    length: int
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
    words = list(_WORD.finditer(plain[:MAX_CHARACTERS]))
    folded = [word[0].casefold() for word in words]
    today = said_at.astimezone(zone).date()
    language = language_of(plain)
    days: list[DateRange] = []
    pieces, copied, position = [], 0, 0
    while position < len(words):
        try:
            span = _sum_at(plain, words, folded, position, today) or _span_at(
                folded, position, today, weekdays_ahead
            )
        except (_Unresolved, OverflowError, ValueError):
            return None
        if span is None or _is_morning(words, position):
            position += 1
            continue
        position += span.length
        end = words[position - 1].end()
        days.append(span.days)
        if not plain[end:].lstrip().startswith("("):  # the date stands there already
            pieces += [plain[copied:end], f" ({_in_words(span.days, span.unit, language)})"]
            copied = end
    dated = "".join([*pieces, plain[copied:]]) if pieces else text
    days += mentioned_dates(text, said_at, zone)
    to_come = [named.last for named in days if named.first > today]
    dated = _ISO_DATE.sub(lambda match: _day_in_words(match[0], language), dated)
    return DatedText(dated, max(to_come, default=None))


def _day_in_words(iso_date: str, language: str) -> str:
    """Return a day as it stands in texts of a language; what is no date stays as it is."""
    try:
        return _in_words(_one_day(date.fromisoformat(iso_date)), "day", language)
    except ValueError:
        return iso_date


def _sum_at(
    text: str,
    matches: Sequence[re.Match[str]],
    words: Sequence[str],
    position: int,
    today: date,
) -> _Span | None:
    """Return the day that several expressions of a sentence name together.

    Raises ValueError or _Unresolved if they may mean several days.
    """
    end_of_sentence = next(
        (
            index + 1
            for index in range(position, min(position + _MAX_SUM_WORDS, len(words) - 1))
            if _SENTENCE_END.search(text, matches[index].end(), matches[index + 1].start())
        ),
        position + _MAX_SUM_WORDS,
    )
    is_habit = words[position] in DATES.every or (
        position > 0 and words[position - 1] in DATES.every
    )
    start = max(0, position - 1)
    day_sum = sum_at(words[start:end_of_sentence], position - start, today)
    if day_sum is None or is_habit:
        return None
    last = start + day_sum.end - 1
    has_comma = "," in text[matches[position].end() : matches[last].start()]
    if has_comma or not DATES.weekends.isdisjoint(words[position : last + 1]):
        raise _Unresolved
    return _Span(last + 1 - position, _one_day(day_sum.day))


def _span_at(
    words: Sequence[str], position: int, today: date, weekdays_ahead: bool | None
) -> _Span | None:
    """Return the days that the words from a position on name; None if they name none."""
    if words[position] in DATES.every:
        return None
    end, phrase = phrase_at(words, position, vocabulary.DAYS_AHEAD)
    if phrase:
        ahead = timedelta(days=vocabulary.DAYS_AHEAD[phrase])
        return _Span(end - position, _one_day(today + ahead))
    for rule in (_day_back, _unit_around, _counted):
        if (span := rule(words, position, today)) is not None:
            return span
    is_habit = position > 0 and words[position - 1] in DATES.every
    if weekdays_ahead is None or is_habit or len(words[position]) < MIN_WEEKDAY_LENGTH:
        return None
    day = vocabulary.WEEKDAYS.get(words[position])
    if day is None or _is_dated(words, position, 1):
        return None
    if weekdays_ahead:
        return _Span(1, _one_day(next_weekday(today, day)))
    return _Span(1, Calendar(today).weekday(day))


def _is_dated(words: Sequence[str], position: int, length: int) -> bool:
    """Whether a date stands beside a weekday: Friday the 11th, Freitag, dem 11. Dezember."""
    after = words[position + length : position + length + 2]
    if after and after[0] in DATES.articles | DATES.ordinal_before:
        after = after[1:]
    beside = [*words[max(0, position - 1) : position], *after[:1]]
    return any(word.isdecimal() or word in vocabulary.MONTHS for word in beside)


def _day_back(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse yesterday, last night, the day before. Raises _Unresolved for "the other day"."""
    end, phrase = phrase_at(words, position, vocabulary.DAY_PHRASES)
    if phrase:
        first, last = vocabulary.DAY_PHRASES[phrase]
        if first - last > 1:
            raise _Unresolved
        return _Span(end - position, _one_day(today - timedelta(days=first)))
    is_yesterday = words[position] in DATES.yesterday
    return _Span(1, _one_day(today - timedelta(days=1))) if is_yesterday else None


def _unit_around(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse this, next and last week, weekend, month, year and weekday. Raises _Unresolved for
    seasons."""
    word, after = words[position], "".join(words[position + 1 : position + 2])
    if word in vocabulary.STEPS and after:
        span = _stepped(after, vocabulary.STEPS[word], today)
        is_dated = span is not None and span.unit == "day" and _is_dated(words, position, 2)
        return None if is_dated else span
    is_unit = word in vocabulary.UNITS or word in DATES.weekends
    for known, step in ((DATES.next, 1), (DATES.last_after, -1)):
        if is_unit and after in known:  # la semaine prochaine
            return _stepped(word, step, today)
    return None


def _stepped(word: str, step: int, today: date) -> _Span | None:
    if word in vocabulary.SEASONS and word not in DATES.ambiguous_seasons:
        raise _Unresolved
    calendar, unit = Calendar(today), vocabulary.UNITS.get(word, "day")
    if word in DATES.weekends:
        saturday = calendar.unit_ago("week", -step).first + timedelta(days=5)
        return _Span(2, DateRange(saturday, saturday + timedelta(days=1)), "weekend")
    if unit != "day":
        return _Span(2, calendar.unit_ago(unit, -step), unit)
    day = vocabulary.WEEKDAYS.get(word) if len(word) >= MIN_WEEKDAY_LENGTH else None
    if day is None:
        return None
    return _Span(
        2,
        calendar.weekday(day, is_over=True) if step < 0 else _one_day(next_weekday(today, day)),
    )


def _counted(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse in three days, in zwei Wochen, two weeks ago, vor drei Tagen; days and weeks only."""
    is_ahead, is_back = words[position] in DATES.in_before, words[position] == "vor"
    start = position + (is_ahead or is_back)
    end, count, unit = units_at(words, start) or (start, 0, "")
    is_ago = start == position and not DATES.ago_after.isdisjoint(words[end : end + 1])
    if end != start + 2 or unit not in ("day", "week") or not (is_ahead or is_back or is_ago):
        return None
    day = later(today, count if is_ahead else -count, unit)
    return _Span(end + is_ago - position, _one_day(day))


def _one_day(day: date) -> DateRange:
    return DateRange(day, day)


def _is_morning(words: Sequence[re.Match[str]], position: int) -> bool:
    """Whether "Morgen" or "mañana" means a morning here."""
    word, before = words[position][0], words[position - 1][0].casefold() if position else ""
    if word.casefold() not in ("morgen", "mañana"):
        return False
    return before in _NOT_TOMORROW_AFTER or (position > 0 and word == "Morgen")


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
