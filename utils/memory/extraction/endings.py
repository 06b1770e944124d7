"""Say when a sentence is over: "I fly on Friday" is, the day after. Pure."""

import re
from datetime import date, datetime, timedelta, tzinfo
from itertools import pairwise

from utils.memory.extraction.own_statements import (
    sentences_in,
    statement_language,
    tokens_of,
    words_in,
    words_of,
)
from utils.nlp.dates.upcoming import coming_day
from utils.nlp.languages import NO_WORDS, DateWords, languages

_CLAUSES = re.compile(r"\s*[;()–—]\s*|\s-\s|,\s+|\s+(?:and|but|so|und|aber|denn)\s+", re.I)
# German: participles with "ge" or of "-ieren", and those without at the end of a sentence that has
# a form of "sein" or "haben" ("ist entlaufen"). English: regular past tenses.
_PERFECT = re.compile(
    r"(?:ab|an|auf|aus|durch|ein|fest|heim|her|hin|hoch|los|mit|nach|raus|rein|rum|um|vor|weg|weiter"
    r"|zu|zurück|zusammen)?ge\w{2,}(?:t|en)|\w+iert",
    re.IGNORECASE,
)
_HELPING = re.compile("bin|bist|ist|sind|seid|habe?|hast|hat|haben|habt")
_OF_NOUN = re.compile("zu[mr]?|i[nm]|beim?|mit|nach|für|aus|vo[nm]|de[nmr]|viel|mein.*|unser.*")
_WITHOUT_GE = re.compile(r"(?:be|ver|er|ent|zer|miss)\w{2,}(?<!ung)(?:t|en)")
_SPAN = re.compile(r"\b(?=(\w+)(?:\s+(\w+)\s+|\s?[–—-]\s?)(\w+))")
_REGULAR_PAST = re.compile(r"\w{3,}ed")


def last_day(text: str, said_at: datetime, zone: tzinfo) -> date | None:
    """Return the last day on which a text matters; None if it has no end.

    That is so if every sentence lies on a day or in a week to come, and none of them tells of the
    past, of a birthday, or of what is repeated.
    """
    days = [_day_of(sentence, said_at, zone) for sentence in sentences_in(text)]
    certain = [day for day in days if day is not None]
    return max(certain) if certain and len(certain) == len(days) else None


def coming(text: str, said_at: datetime, zone: tzinfo) -> tuple[date, date] | None:
    """Return the first and the last of the days to come that a sentence names, or None."""
    words = words_in(text)
    code = statement_language(text)
    day = coming_day(text, said_at, zone)
    today, dates = said_at.astimezone(zone).date(), languages()[code].dates
    names_week = not dates.units.get("week", NO_WORDS).isdisjoint(words)
    if names_week and not dates.this.isdisjoint(words):
        return (  # "this week"
            None if _is_past(words, code) else (today, today + timedelta(days=6 - today.weekday()))
        )
    is_tonight = day == today and not words_of(code).evening.isdisjoint(words)
    names_month = not dates.units.get("month", NO_WORDS).isdisjoint(words)
    if (
        (day is None or not (day > today or is_tonight))
        or names_month
        or _is_past(words, code)
        or _names_by_weekday(words, code)
    ):
        return None
    if ends := _span_ends(text, dates):
        return day, day + timedelta(days=(ends[0] - day.weekday()) % 7)
    years = dates.units.get("year", NO_WORDS)
    if day.day == day.month == 1 and not years.isdisjoint(words):
        without_year = " ".join(w for w in text.split() if years.isdisjoint(words_in(w)))
        if coming_day(without_year, said_at, zone) != day:  # not "1 January next year"
            return day, day.replace(month=12, day=31)
    if day.weekday() == 5 and not dates.weekends.isdisjoint(words):
        return day, day + timedelta(days=1)
    return day, day + timedelta(days=6 * (names_week and not day.weekday()))


def _day_of(sentence: str, said_at: datetime, zone: tzinfo) -> date | None:
    days = coming(sentence, said_at, zone)
    words = {word.removesuffix("'s") for word in words_in(sentence) if word != "let's"}
    code = statement_language(sentence)
    if not words_of(code).appointments.isdisjoint(tokens_of(sentence, code)):
        words.discard("got")  # "got an exam on Friday", "I've got"
    dates = languages()[code].dates
    planned = dates.this | dates.next | words_of(code).future  # not "I work Monday to Friday"
    if (
        days is None
        or not words.isdisjoint(words_of(code).lasting | dates.every)
        or (words.isdisjoint(planned) and _span_ends(sentence, dates))
    ):
        return None
    speakers, last = words_of(code).first_person, days[1]
    for clause in _CLAUSES.split(sentence):
        named = coming(clause, said_at, zone)
        last = last if named is None else max(last, named[1])
        if named is None and not speakers.isdisjoint(tokens_of(clause, code)[:2]):
            return None
    return last


def _span_ends(text: str, dates: DateWords) -> list[int]:
    """Return the weekdays on which spans of a sentence end: "Monday to Friday", "Friday–Sunday"."""
    return [
        dates.weekdays.index(names)
        for first, word, last in _SPAN.findall(text.lower())
        for names in dates.weekdays
        if last in names
        and first in NO_WORDS.union(*dates.weekdays)
        and (not word or word in dates.span_to)
    ]


def _names_by_weekday(words: list[str], code: str) -> bool:
    """Whether a weekday is only a name: "the Thursday league", "a dog called Friday"."""
    language = languages()[code]
    days = NO_WORDS.union(*language.dates.weekdays)
    determiners = language.answers.determiners - language.dates.this
    idle = language.words.stop_words | language.dates.time_words
    naming = words_of(code).naming
    return any(before in naming and word in days for before, word in pairwise(words)) or any(
        before in determiners and word in days and after not in idle
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )


def _is_past(words: list[str], code: str) -> bool:
    """Whether a sentence tells of what has been."""
    spoken, language = words_of(code), languages()[code]
    if not spoken.future.isdisjoint(words):
        return False
    pairs = list(pairwise(["", *words]))
    own = language.answers.determiners & spoken.first_person  # "my broken arm"
    if any(word in spoken.past and before not in own for before, word in pairs):
        return True
    days = language.dates.next.union(*language.dates.days_ahead, *language.dates.weekdays)
    months = NO_WORDS.union(*language.dates.months)
    if any(
        word in spoken.moved_to and (after in days or not months.isdisjoint((after, later)))
        for word, after, later in zip(words, words[1:], [*words[2:], ""], strict=False)
    ):
        return False  # "it moved to Friday", "to 3 May"
    if code == "de":
        is_helped = any(map(_HELPING.fullmatch, words))  # "ist entlaufen", not "in den Bergen"
        ends = [word for before, word in pairs[-1:] if not _OF_NOUN.fullmatch(before) and is_helped]
        verbs = [
            *(word for word in words if _PERFECT.fullmatch(word)),
            *(word for word in ends if _WITHOUT_GE.fullmatch(word)),
        ]
        return not spoken.not_past.issuperset(verbs)
    answers = language.answers
    helping = answers.auxiliaries | answers.determiners | spoken.not_past  # "my retired dad"
    pasts = [
        before
        for before, word in pairs
        if _REGULAR_PAST.fullmatch(word) and before not in helping and word not in spoken.not_past
        if not before.endswith(("'m", "'re", "'s"))
    ]
    is_done_for = not spoken.done_for.isdisjoint(words)  # "I need my suit cleaned"
    return not spoken.subjects.isdisjoint(pasts) or (bool(pasts) and not is_done_for)
