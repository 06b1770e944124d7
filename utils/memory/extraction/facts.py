"""What the rules of facts of all languages share: the fact, word lists as patterns, plans. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import TypeAlias

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


Reader: TypeAlias = Callable[[re.Match[str]], Fact | None]
"""Turns the match of a rule into a fact, or None."""


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
    read: Reader


def apply_rules(rules: Sequence[Rule], clause: str) -> Iterator[Fact]:
    """Yield the fact that the first rule with a fact reads in a clause, whatever its case."""
    for rule in rules:
        match = _compiled(rule.pattern).match(clause)
        if match is not None:
            fact = rule.read(match)
            if fact is not None:
                yield fact
                return


def reader(
    object_in: Callable[[str], str | None], verb: str, attribute: str, topic: Topic,
    importance: Importance, kind: Kind, is_known: Callable[[str], bool], after: str,
) -> Reader:  # fmt: skip
    """Return a reader that puts a verb before the object of a clause, and ``after`` behind it.

    "{}" in the attribute is the object, a name in braces is a group of the pattern in lower case.

    Args:
        object_in: returns the object in the group "what", or None.
        is_known: whether a rule may note this object.
    """

    def read(match: re.Match[str]) -> Fact | None:
        phrase = object_in(match["what"])
        if phrase is None or not is_known(phrase):
            return None
        groups = {name: (text or "").lower() for name, text in match.groupdict().items()}
        text = f"{verb.format_map(groups)} {phrase}{after.format_map(groups)}"
        return Fact(text, attribute.format(phrase, **groups), topic, kind, importance)

    return read


def lists_only(words: Words, joints: str, tail: str = r"\Z") -> Callable[[str], bool]:
    """Return whether an object lists nothing but these words.

    ``joints`` is a pattern of what stands between them, ``tail`` of where the list is over.
    """
    return lambda phrase: all(
        is_one_of(part, words) for part in re.split(joints, re.split(tail, phrase)[0])
    )


def written_name(name: str) -> str:
    """Return a name with its capital, if it is written without any."""
    return name if any(letter.isupper() for letter in name) else name.title()


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
