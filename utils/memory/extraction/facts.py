"""What the rules of facts of all languages share: the fact, word lists as patterns, plans. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from zoneinfo import ZoneInfo

from utils.models.memory import Importance, Kind
from utils.nlp.languages import Words

MAX_WORDS = 12


class Topic(StrEnum):
    """What a note by rule is about; it is the note's first topic, and questions ask for it."""

    NAME = "name"
    HOME = "home"
    ORIGIN = "origin"
    WORK = "work"
    STUDIES = "studies"
    AGE = "age"
    BIRTHDAY = "birthday"
    FAMILY = "family"
    PETS = "pets"
    LIKES = "likes"
    DISLIKES = "dislikes"
    FAVOURITES = "favourites"
    DIET = "diet"
    SKILLS = "skills"
    LANGUAGES = "languages"
    POSSESSIONS = "possessions"
    PLANS = "plans"
    TIME_ZONE = "time zone"
    HOBBIES = "hobbies"


@dataclass(frozen=True, slots=True)
class Fact:
    """A note made by a rule, in the third person without a subject: "lives in Rome".

    ``lifetime_days`` None means permanent.
    """

    text: str
    attribute: str
    topic: Topic
    kind: Kind = Kind.FACT
    importance: Importance = Importance.MEDIUM
    lifetime_days: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of a whole clause, and a function that turns its match into a fact, or None."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], "Fact | None"]


def apply_rules(rules: Sequence[Rule], clause: str) -> Iterator[Fact]:
    """Yield the facts that the first matching rule of a clause reads."""
    for rule in rules:
        match = rule.pattern.match(clause)
        if match is not None:
            fact = rule.read(match)
            if fact is not None:
                yield fact
                return


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern of one of the words; "+" in a word stands for a space."""
    spelled = (re.escape(word.replace("+", " ")) for word in words)
    return "(?:" + "|".join(sorted(spelled, key=len, reverse=True)) + ")"


@cache
def _pattern_of(words: Words) -> re.Pattern[str]:
    return re.compile(rf"{alternatives(words)}\Z", re.IGNORECASE)


def is_one_of(text: str, words: Words) -> bool:
    """Whether a text is one of the words, whatever its case."""
    return _pattern_of(words).match(text) is not None


def days_until(day: date, today: date) -> int:
    """Return for how many days a plan matters: until the day after it, at least one."""
    return max(1, (day - today).days + 1)


def noon(day: date, zone: ZoneInfo) -> datetime:
    """Return the middle of a day, for parsers that take a time."""
    return datetime.combine(day, time(12), zone)


def week_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())
