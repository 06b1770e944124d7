"""What the rules of German facts share: objects of clauses, names, pets and relatives. Pure."""

import re
from collections.abc import Callable
from functools import partial

from utils.memory.extraction.clauses import words_of
from utils.memory.extraction.facts import (
    MONTHS,
    Fact,
    Reader,
    Topic,
    alternatives,
    is_one_of,
    reader,
    written_name,
)
from utils.models.memory import Importance, Kind

MAX_OBJECT_WORDS = 8
MIN_SUFFIX = 5
WORDS = words_of("de")
DATE = (
    r"(?P<day>\d{1,2})\. ?(?:(?P<month>" + "|".join(MONTHS["de"]) + r")|(?P<number>\d{1,2})\.?)"
    r"(?: ?(?P<year>(?:19|20)\d\d))?"
)
_TAIL = re.compile(
    r"[, ]+(?:seit\b|weil\b|aber\b|obwohl\b|deswegen\b|deshalb\b|denn\b|wenn\b|und (?:es|er|sie|"
    r"das|die|der|bin|habe|"
    r"war|hatte|finde|kann|will|muss|freue|bald|dann|mein\w*|zwar|immer|nie)\b|welche\w*\b|"
    r"letzte\w* (?:jahr|woche|monat|sommer|winter)\b|vor \w+ (?:jahr|monat|woche|tag)\w*\b|"
    r"gestern\b|"
    r"heute\b|mehr\b|bitte\b|danke\b|nicht\b|wie ihr\b|als kind\b|dass\b|wo\b|so sehr\b|über "
    r"alles\b|"
    r"im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|"
    r"sommer|winter)\b).*\Z",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    r"\b(?:heute|morgen|gestern|übermorgen|nächste\w*|letzte\w*|diese\w*|bald|hier|dort|da|du|"
    r"dein\w*|"
    r"ihn|ihm|sie|ihr|euch|dich|dir|mich|mir|nicht|kein\w*|nie|nichts|wenn|falls|vielleicht|ich|"
    r"später|früher|damals|wir|uns)\b|[?!:;]",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?:wenn|heute|gestern|morgen|diese\w*|letzte\w*|nächste\w*|nur|außer|manchmal|bis|dass|wo|"
    r"die|der|als|"
    r"welche\w*|(?:im|am) (?:winter|sommer|herbst|frühling|wochenende|januar|februar|märz|april|"
    r"mai|"
    r"juni|juli|august|september|oktober|november|dezember))\b",
    re.IGNORECASE,
)
KIN = alternatives(WORDS.relatives)
KINS = alternatives(WORDS.relatives_plural)
PET = alternatives(WORDS.pets)
COUNT = r"(?P<count>eine?[nm]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|\d{1,2})"
NAME = r"(?P<name>[^\W\d_][\w-]+)"
LISTED = r"(?P<names>[^\W\d_][\w-]+(?:, [^\W\d_][\w-]+)* und [^\W\d_][\w-]+)"
REST = r"(?:[, ].*)?"


def object_of(text: str, limit: int = MAX_OBJECT_WORDS, *, always: bool = False) -> str | None:
    """Return the object of a clause without its tail; None if it is vague, relative or too long.

    ``always``: also None if the clause holds only at a time or under a condition.
    """
    if always and _LIMITED.search(text):
        return None
    text = _TAIL.sub("", f" {text} ").strip(" .,'-/!")
    text = re.split(r", ", text)[0].strip(" .,'")
    tokens = text.lower().split()
    if not tokens or len(tokens) > limit or tokens[0] in WORDS.vague or RELATIVE.search(text):
        return None
    return None if re.search(r"\b(?:mein|unser)\w*\b", text, re.IGNORECASE) else text


def names_language(text: str) -> bool:
    """Whether a text has the name of a language."""
    return any(is_one_of(word.strip(","), WORDS.languages) for word in text.split())


def is_name(name: str) -> bool:
    """Whether a word may be a name."""
    folded = name.lower()
    is_known = folded in WORDS.not_names or folded in WORDS.vague or folded.endswith("ste")
    return len(name) > 1 and not is_known


def noun_of(noun: str) -> str:
    """Return a noun with its capital."""
    return noun[:1].upper() + noun[1:]


def topic_of(noun: str) -> Topic:
    """Return the topic of a pet or a relative."""
    return Topic.PETS if is_one_of(noun, WORDS.pets) else Topic.FAMILY


def has_named(count: str, noun: str, name: str) -> Fact:
    """Return the fact that somebody has a pet or relative with a name."""
    text = f"hat {count.lower()} {noun_of(noun)} namens {written_name(name)}"
    return Fact(text, f"{noun.lower()} {name}", topic_of(noun))


def plain(
    verb: str, attribute: str, topic: Topic, importance: Importance = Importance.MEDIUM,
    kind: Kind = Kind.FACT, limit: int = MAX_OBJECT_WORDS, always: bool = False,
    is_known: Callable[[str], bool] = bool, after: str = "",
) -> Reader:  # fmt: skip
    """Return a reader that puts a verb before the object; see :func:`reader`."""
    object_in = partial(object_of, limit=limit, always=always)
    return reader(object_in, verb, attribute, topic, importance, kind, is_known, after)
