"""Put dates behind the relative days of a short text: "moves tomorrow (25 November 2026)". Pure.

A note is read weeks later, when "this week" is another one. The same vocabulary as that of the
other date parsers is looked up word by word, so it takes time linear in the length of the text.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from utils.nlp.dates import vocabulary
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.dates.sums import next_weekday, sum_at
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


@dataclass(frozen=True, slots=True)
class _Span:
    """Days that words name: ``length`` words, from ``first`` on, for one ``unit``."""

    length: int
    first: date
    unit: str = "day"

    @property
    def last(self) -> date:
        """The last of the days."""
        if self.unit == "year":
            return date(self.first.year, 12, 31)
        if self.unit == "month":
            return self.first.replace(day=monthrange(self.first.year, self.first.month)[1])
        return self.first + timedelta(days={"week": 6, "weekend": 1}.get(self.unit, 0))


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
    days: list[tuple[date, date]] = []
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
        days.append((span.first, span.last))
        if not plain[end:].lstrip().startswith("("):  # the date stands there already
            pieces += [plain[copied:end], f" ({_in_words(span, language)})"]
            copied = end
    dated = "".join([*pieces, plain[copied:]]) if pieces else text
    days += [(named.first, named.last) for named in mentioned_dates(text, said_at, zone)]
    to_come = [last for first, last in days if first > today]
    dated = _ISO_DATE.sub(lambda match: _day_in_words(match[0], language), dated)
    return DatedText(dated, max(to_come, default=None))


def _day_in_words(iso_date: str, language: str) -> str:
    """Return a day as it stands in texts of a language; what is no date stays as it is."""
    try:
        return _in_words(_Span(1, date.fromisoformat(iso_date)), language)
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
    return _Span(last + 1 - position, day_sum.day)


def _span_at(
    words: Sequence[str], position: int, today: date, weekdays_ahead: bool | None
) -> _Span | None:
    """Return the days that the words from a position on name; None if they name none."""
    if words[position] in DATES.every:
        return None
    for rule in (_day_ahead, _day_back, _unit_around, _counted):
        if (span := rule(words, position, today)) is not None:
            return span
    is_habit = position > 0 and words[position - 1] in DATES.every
    if weekdays_ahead is None or is_habit or len(words[position]) < MIN_WEEKDAY_LENGTH:
        return None
    day = vocabulary.WEEKDAYS.get(words[position])
    if day is None or _is_dated(words, position, 1):
        return None
    back = today - timedelta(days=(today.weekday() - day) % 7)
    return _Span(1, next_weekday(today, day) if weekdays_ahead else back)


def _is_dated(words: Sequence[str], position: int, length: int) -> bool:
    """Whether a date stands beside a weekday: Friday the 11th, Freitag, dem 11. Dezember."""
    after = words[position + length : position + length + 2]
    if after and after[0] in DATES.articles | DATES.ordinal_before:
        after = after[1:]
    beside = [*words[max(0, position - 1) : position], *after[:1]]
    return any(word.isdecimal() or word in vocabulary.MONTHS for word in beside)


def _day_ahead(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse today, tonight, tomorrow and the day after."""
    end, phrase = phrase_at(words, position, vocabulary.DAYS_AHEAD)
    if not phrase:
        return None
    return _Span(end - position, today + timedelta(days=vocabulary.DAYS_AHEAD[phrase]))


def _day_back(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse yesterday, last night, the day before. Raises _Unresolved for "the other day"."""
    end, phrase = phrase_at(words, position, vocabulary.DAY_PHRASES)
    if phrase:
        first, last = vocabulary.DAY_PHRASES[phrase]
        if first - last > 1:
            raise _Unresolved
        return _Span(end - position, today - timedelta(days=first))
    if words[position] in DATES.yesterday:
        return _Span(1, today - timedelta(days=1))
    return None


def _unit_around(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse this, next and last week, weekend, month, year and weekday. Raises _Unresolved for
    seasons."""
    steps = {
        DATES.this: 0,
        DATES.next: 1,
        DATES.after_next_before: 2,
        DATES.last_before: -1,
    }
    word, after = words[position], words[position + 1 : position + 2]
    for known, step in steps.items():
        if word in known and after:
            span = _stepped(after[0], step, today)
            is_dated = span is not None and span.unit == "day" and _is_dated(words, position, 2)
            return None if is_dated else span
    is_unit = word in vocabulary.UNITS or word in DATES.weekends
    for known, step in ((DATES.next, 1), (DATES.last_after, -1)):
        if is_unit and after and after[0] in known:  # la semaine prochaine
            return _stepped(word, step, today)
    return None


def _stepped(word: str, step: int, today: date) -> _Span | None:
    unit = vocabulary.UNITS.get(word)
    monday = today - timedelta(days=today.weekday())
    if word in vocabulary.SEASONS and word not in DATES.ambiguous_seasons:
        raise _Unresolved
    if word in DATES.weekends:
        return _Span(2, monday + timedelta(days=5 + 7 * step), "weekend")
    if unit == "week":
        return _Span(2, monday + timedelta(days=7 * step), "week")
    if unit == "month":
        months = today.year * 12 + today.month - 1 + step
        return _Span(2, date(months // 12, months % 12 + 1, 1), "month")
    if unit == "year":
        return _Span(2, date(today.year + step, 1, 1), "year")
    day = vocabulary.WEEKDAYS.get(word) if len(word) >= MIN_WEEKDAY_LENGTH else None
    if day is None:
        return None
    ahead, back = (day - today.weekday() - 1) % 7 + 1, (today.weekday() - day - 1) % 7 + 1
    return _Span(2, today + timedelta(days=ahead if step >= 0 else -back))


def _counted(words: Sequence[str], position: int, today: date) -> _Span | None:
    """Parse in three days, in zwei Wochen, two weeks ago, vor drei Tagen; days and weeks only."""
    for offset, known in ((1, DATES.in_before), (1, frozenset(["vor"])), (0, None)):
        number, unit, *_ = [*words[position + offset : position + offset + 2], "", ""]
        count = int(number) if number.isdecimal() and len(number) < 4 else 0
        count = count or vocabulary.NUMBERS.get(number, 0)
        days = {"day": 1, "week": 7}.get(vocabulary.UNITS.get(unit, ""), 0) * count
        after = words[position + 2 : position + 3]
        if days and known is not None and words[position] in known:
            return _Span(3, today + timedelta(days=days if "vor" not in known else -days))
        if days and known is None and after and after[0] in DATES.ago_after:
            return _Span(3, today - timedelta(days=days))
    return None


def _is_morning(words: Sequence[re.Match[str]], position: int) -> bool:
    """Whether "Morgen" or "mañana" means a morning here."""
    word, before = words[position][0], words[position - 1][0].casefold() if position else ""
    if word.casefold() not in ("morgen", "mañana"):
        return False
    return before in _NOT_TOMORROW_AFTER or (position > 0 and word == "Morgen")


def _in_words(span: _Span, language: str) -> str:
    """Return days as words of a language."""
    first = span.first
    if language == "en":
        day = f"{first.day} {first:%B %Y}"
        return {
            "day": day,
            "week": f"the week of {day}",
            "weekend": f"the weekend of {day}",
            "month": f"{first:%B %Y}",
            "year": str(first.year),
        }[span.unit]
    day = f"{first.day}.{first.month}.{first.year}" if language == "de" else first.isoformat()
    if language == "de":
        return {
            "day": day,
            "week": f"Woche ab {day}",
            "weekend": f"Wochenende ab {day}",
            "month": f"{first:%m/%Y}",
            "year": str(first.year),
        }[span.unit]
    if span.unit in ("week", "weekend"):
        return f"{day} – {span.last.isoformat()}"
    return {"day": day, "month": f"{first:%Y-%m}", "year": str(first.year)}[span.unit]
