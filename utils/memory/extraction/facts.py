"""What the rules of facts of all languages share: the fact, word lists as patterns, plans. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache

from utils.models.memory import Importance, Kind
from utils.nlp.languages import Words

MONTHS = {
    "en": (
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December"),
    ),
    "de": (
        *("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August"),
        *("September", "Oktober", "November", "Dezember"),
    ),
}


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

    ``until`` is the last day on which it matters; None means that it stays true.
    """

    text: str
    attribute: str
    topic: Topic
    kind: Kind = Kind.FACT
    importance: Importance = Importance.MEDIUM
    until: date | None = None


def own_name_in(note: str) -> str | None:
    """Return the name at the end of a note of it, such as "name is Sam" or "heißt Anna Lena"."""
    name: list[str] = []
    for word in reversed(note.rstrip(".").split()):
        if word[:1].islower():
            break
        name.insert(0, word)
    return " ".join(name) or None


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern of a whole clause, and a function that turns its match into a fact, or None."""

    pattern: str
    read: Callable[[re.Match[str]], "Fact | None"]


def apply_rules(rules: Sequence[Rule], clause: str) -> Iterator[Fact]:
    """Yield the fact that the first rule with a fact reads in a clause, whatever its case."""
    for rule in rules:
        match = _compiled(rule.pattern).match(clause)
        if match is not None:
            fact = rule.read(match)
            if fact is not None:
                yield fact
                return


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a rule's pattern, compiled at its first use: all of them take 0.1 s."""
    return re.compile(rf"{pattern}\Z", re.IGNORECASE)


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


def week_of(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())
