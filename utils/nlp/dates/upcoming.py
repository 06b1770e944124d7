"""Parse the future day that a text names: "on Friday", "in zwei Wochen", "demain". Pure.

:mod:`utils.nlp.dates.parser` parses past dates with the same vocabulary. An explicit date
anywhere in the text decides, then a sum ("Friday in two weeks"), then the first word that names a
day.
"""

import re
import unicodedata
from datetime import date, datetime, timedelta, tzinfo

from utils.nlp.dates.days_of_month import day_with_month, day_without_month
from utils.nlp.dates.ranges import later, next_day
from utils.nlp.dates.sums import day_at, next_unit, sum_at, units_at
from utils.nlp.dates.tokens import WordPositions, read_tokens
from utils.nlp.dates.vocabulary import DATES, UNITS, UNSPACED_DAYS_AHEAD, YEARLY

MAX_CHARACTERS = 300
ISO_DATE = re.compile(  # "2026.12.1" is a version
    r"([12][0-9]{3})(?=-[0-9]+-|/[0-9]+/|\.[0-9]{2}\.[0-9]{2})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})"
)
_ISO = re.compile(rf"(?<![\w./]){ISO_DATE.pattern}(?!\d|[/.-]?[^\W\d])")  # no path
_BESIDE = DATES.counted_before | DATES.counted_after
_BEFORE_MONTH = DATES.of | DATES.articles | DATES.season_before | DATES.next | _BESIDE
_DOTTED = re.compile(r"\b([0-9]{1,2})\.([0-9]{1,2})\.([12][0-9]{3})?")


def coming_day(text: str, now: datetime, zone: tzinfo) -> date | None:
    """Return the day that a text names, or None if it names none. Never raises.

    A weekday is the next one after today, and one "after next" is a week later. Next week is its
    Monday. A day without a year is the next
    such day. A complete date (2026-03-12) is returned even if it is past.

    Args:
        text: only the first 300 characters are parsed.
        now: aware.
        zone: the time zone of the returned day.
    """
    plain = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
    try:
        today = now.astimezone(zone).date()
        if match := _ISO.search(plain):
            return date(*map(int, match.groups()))
        if match := _DOTTED.search(plain):
            day, month, year = (int(number or 0) for number in match.groups())
            return date(year, month, day) if year else next_day(today, month, day)
        return _in_words(plain, today)
    except (OverflowError, ValueError):
        return None


def _in_words(text: str, today: date) -> date | None:
    words = WordPositions(read_tokens(text))
    positions = range(len(words))
    for position in positions:
        if (dated := day_with_month(words, position, today)) is not None:
            start = position - (words[position - 1] in DATES.articles)
            # "Two days after 24 December" is not that day.
            return None if words[start - 1] in _BESIDE and words[start - 2] in UNITS else dated[1]
    for position in positions:
        if (day := day_without_month(words, position, today)) is not None:
            return day
    for position in positions:
        if (day_sum := sum_at(words, position, today)) is not None:
            return day_sum.day if day_sum.day >= today else None
    for position in positions:
        if (named := day_at(words, position, today)) is not None:
            month_at = words.after(named.end, _BEFORE_MONTH)
            is_of_month = UNITS.get(words[month_at]) == "month" or (
                month_at > named.end
                and words[month_at - 1] not in DATES.articles  # "On Friday I may", "the march"
                and words.phrase(month_at, YEARLY)[1] != ""
            )
            # "The last Friday of December" and "before Easter" is seldom the next Friday.
            return None if named.is_weekday and is_of_month else named.day
        units = units_at(words, position + 1) if words[position] in DATES.in_before else None
        if units is not None:
            return later(today, *units[1:])
        if (day := next_unit(words, position, today)) is not None:
            return day
    days_ahead = [days for word, days in UNSPACED_DAYS_AHEAD.items() if word in text]
    return today + timedelta(days=max(days_ahead)) if days_ahead else None
