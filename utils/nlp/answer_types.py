"""What kind of answer a question expects, and whether a text holds such an answer. Pure.

"How old is Noah?" expects a number, so "my wife Hannah" does not answer it.
"""

import re
from collections.abc import Callable, Iterable
from enum import Enum
from itertools import chain, pairwise

from utils.common.text import WORD
from utils.nlp.languages import Language, languages, shared_tables

_CODES = ("en", "de")


class AnswerType(Enum):
    """A kind of answer; the value is a pattern of the questions that expect it."""

    TIME = (
        r"^ (?!(?:what|how|who|where|which|did|was|were) )(?:[\w']+ ){0,3}when(?:'?s)? "
        r"| (?:what time|(?:which|what) (?:day|month|date|year)|wann|"
        r"um wie ?viel uhr|welche[mnrs]? (?:tag|monat|datum|jahr)) "
    )
    REASON = r"^ (?:and |und )?(?:why|warum|wieso|weshalb) (?:not |nicht )?$"
    AGE = r" (?:how old|wie alt) "
    NUMBER = (
        r" (?:what(?:'?s| is| was) my .*number|how (?:many|much|tall|big|heavy|far)|"
        r"wie ?viele?|wie (?:groß|schwer)) "
    )
    PLACE = r" (?:where(?:'?s)?|wo|wohin|woher) "
    NAME = (
        r" (?:what(?:'?s| is| are| was| were) .*(?:name|names|called|named)|name of|"
        r"wie (?:heißt|heißen|heisst|heissen|hieß|hießen)(?! das)) "
    )


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*(?:[ap]m|st|nd|rd|th)?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_OWN_NAME = re.compile(
    r" (?:my|your|mein|meine|dein) (?:full |real )?(?:name|nickname) | heißt du "
)
_TIMED = re.compile(r"\d|\b(?:nights?|evenings?|afternoons?|nachts|abends|mittags)\b", re.I)
_MOVES = re.compile(r" (?:go|going|move|moving|fly|flying|travel\w*|drive|driving|run|headed) ")
_PLACED = re.compile(
    r"\b(?:in|at|from|to|near|into|around|opposite|im|aus|bei|beim|nach|auf|zur|zum|ins)\b"
    r"|\b(?:work\w* for|liv\w+ with (?:my|our|(?-i:[A-Z][a-z]))|arbeit\w* für)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(?:at|by|past|until|till|half|um|gegen|bis|ab|halb|nach|vor) (?=([^\W\d]+))", re.I
)
_ON = re.compile(r"\bon (?:(?:the|a|an|my|our) )?([^\W\d]+)", re.IGNORECASE)
_GERMAN_PLACED = re.compile(r"\b(?:am|an|von|vom|neben|gegenüber)\b(?! \d)", re.IGNORECASE)
_REASONED = re.compile(
    r"\b(?:because|cause|cuz|bc|so|since|for|to|due|weil|da|denn|wegen|um|damit|deswegen)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:names?|called|named|calls?|heiß\w*|heiss\w*|hieß\w*|namens)\b|:"
    r"|\b(?:are|were|sind|waren|is|ist|with|mit) [^\W\d_]+(?:, [^\W\d_]+)*,? (?:and|und|n|&) ",
    re.IGNORECASE,
)
_WORD_AFTER = re.compile(  # but hours: "at 6 am"
    r"(?<!\d[.,:])\b(?!(?<=\bat )(?:\d|1[0-2])\b)([^\W_]+)\b(?![.,:]\d)(?=(\W*)(\w*))"
)
_NAMED_TOGETHER = re.compile(
    r", [^\W\d_]+,? (?:and|und|&) [^\W\d_]+|, (?!lol\b)[^\W\d_]+\W*$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\d|\b(?:\w+(?:teen|zehn|zig)|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|no|none|both|dozen|hundred|thousand|eine?[nrm]?|keine?[nr]?"
    r"|beide|dutzend|hundert|tausend|elf|zwölf)\b",
    re.IGNORECASE,
)


def _of_both(words_of: Callable[[Language], Iterable[str]]) -> frozenset[str]:
    return frozenset(word for code in _CODES for word in words_of(languages()[code]))


FUNCTION_WORDS = _of_both(lambda language: language.words.stop_words)
"""The words of both languages that name nothing: "the", "in", "ist"."""
NEGATIONS = _of_both(lambda language: language.words.negations)
"""Those that say what is not so."""
DETERMINERS = _of_both(lambda language: language.answers.determiners)
"""Those that begin a longer subject: "the", "meine"."""
AUXILIARIES = _of_both(lambda language: language.answers.auxiliaries)
"""The verbs that tell nothing alone: "is", "habe"."""
OTHER_PEOPLE = _of_both(lambda language: language.answers.others)
"""Those for another person, as a subject: "he", "sie"."""
TALK_WORDS = _of_both(
    lambda language: chain(
        *(language.statements.talk, language.statements.commands, language.statements.fleeting),
        *(language.statements.leads, language.statements.own_verbs),
    )
)
"""Those that comment or order, and say nothing lasting."""
_WEEKDAYS = _of_both(lambda language: chain(*language.dates.weekdays))
_MONTHS = _of_both(lambda language: chain(*language.dates.months))
TIME_WORDS = (_WEEKDAYS | _MONTHS).union(
    _of_both(lambda language: chain(*language.dates.units.values())),
    _of_both(lambda language: language.dates.time_words),
)
"""Those that place a text in time."""
_TIMES = TIME_WORDS | _of_both(lambda language: chain(*language.dates.holidays.values()))
_NUMBER_WORDS = _of_both(lambda language: chain(*language.dates.numbers)) - {"a", "an"}
_GERMAN_BEINGS = languages()["de"].statements.relatives | languages()["de"].statements.pets
_BEINGS = _of_both(lambda of: of.statements.relatives | of.statements.pets) - _of_both(
    lambda language: language.answers.general  # "kind of"
)
_FILLERS = TALK_WORDS | _of_both(
    lambda language: (*language.statements.fillers, *language.statements.corrections)
)


def expected_type(text: str) -> AnswerType | None:
    """Return the kind of answer that a question expects, as far as its words tell."""
    folded = f" {' '.join(WORD.findall(text.lower().replace('’', chr(39))))} "
    if _OWN_NAME.search(folded):
        return None
    kind = next((kind for kind in AnswerType if re.search(kind.value, folded)), None)
    return None if kind is AnswerType.PLACE and _MOVES.search(folded) else kind


def holds(kind: AnswerType | None, text: str, language: str) -> bool:
    """Whether a text holds an answer of a kind; any text does if no kind is expected (None).

    ``language`` is that of the text: German writes all nouns with a capital.
    """
    words = [word.lower() for word in WORD.findall(text)]
    match kind:
        case AnswerType.TIME:
            hours = (word.lower() for word in _CLOCK.findall(text))
            has_number = _TIMED.search(text) or not _NUMBER_WORDS.isdisjoint(hours)
            return bool(has_number) or any(word.removesuffix("s") in _TIMES for word in words)
        case AnswerType.NUMBER:
            return _COUNTED.search(text) is not None or not _NUMBER_WORDS.isdisjoint(words)
        case AnswerType.AGE:
            after_age = frozenset({"now", "already", "geworden"}).union(
                languages()[language].words.stop_words, TIME_WORDS
            )
            return any(
                after.lower() in after_age
                or ((gap.strip(" -") or not after) and not word[3:].isdigit())  # no coordinate
                for word, gap, after in _WORD_AFTER.findall(text)
                if word.isdigit() or word.lower() in _NUMBER_WORDS
            )
        case AnswerType.PLACE:
            is_german = language == "de" and _GERMAN_PLACED.search(text) is not None
            places = (word.lower().removesuffix("s") for word in _ON.findall(text))
            is_on = not TIME_WORDS.issuperset(places)
            is_known = not shared_tables().places.known.isdisjoint(words)
            return is_german or is_on or is_known or _PLACED.search(text) is not None
        case AnswerType.REASON:
            return _REASONED.search(text) is not None
        case AnswerType.NAME:
            is_list = _NAMED_TOGETHER.search(text) is not None
            return is_list or _NAMED.search(text) is not None or _has_name(text, language)
    return True


def _has_name(text: str, language: str) -> bool:
    """Whether a text has a common first name, or a capital that only a name has there."""
    words = WORD.findall(text)
    if not shared_tables().names.given.isdisjoint(word.lower() for word in words):
        return True
    return any(
        word[:1].isupper()
        and word[1:2].islower()
        and word.lower() not in TIME_WORDS
        and before.lower() not in ("in", "at", "from")
        and (language != "de" or before.lower() in _GERMAN_BEINGS)
        for before, word in pairwise(words)
    )


def is_number(word: str) -> bool:
    """Whether a word is a number, in digits or written out."""
    return _NUMBER.fullmatch(word) is not None or word.casefold() in _NUMBER_WORDS


def value_kind(value: str) -> tuple[bool, ...]:
    """Return whether a value is a number, a known place, a year, a weekday, a month, another word
    of time, and a person or pet.

    Values of different kinds never stand for each other, also not "Schwester" and "Sophia".
    """
    word = value.casefold()
    return (
        is_number(word),
        word in shared_tables().places.known,
        _YEAR.fullmatch(word) is not None,
        word in _WEEKDAYS,
        word in _MONTHS,
        word in TIME_WORDS,
        word in _BEINGS,
    )


def is_place_preposition(word: str) -> bool:
    """Whether a word says where something is: "in", "aus"."""
    return _PLACED.fullmatch(word) is not None


def plain_value(value: str, message: str) -> str:
    """Return a value in lower case if its capital letter says nothing, and it is known as none:
    after the end of a sentence or a star, in a message of capitals, or as a word that fills."""
    words = value.casefold().split()
    given = shared_tables().names.given
    if not value or value.casefold() in _FILLERS:
        return value.casefold()
    before = message.partition(value)[0].rstrip()
    is_begin = before.endswith((".", "!", "?", "…", "*")) or message.isupper()
    is_known = any(value_kind(value)) or not given.isdisjoint(words) or any(map(is_number, words))
    return value.casefold() if is_begin and not is_known else value


def is_negated(text: str) -> bool:
    """Whether a text says what is not so."""
    return not NEGATIONS.isdisjoint(text.casefold().split())


def value_of(text: str) -> str:
    """Return the name, number, place or time of a fragment without the function words around it;
    empty if it has something else, or says what is not so."""
    words = text.split()
    content = [i for i, word in enumerate(words) if word not in FUNCTION_WORDS]
    if content and not AUXILIARIES.isdisjoint(words[content[0] + 1 :]):
        return ""  # "Spotify is down"
    words = words[content[0] : content[-1] + 1] if content else []
    is_name = bool(words) and all(
        word[:1].isupper() or is_number(word.rstrip(".")) or word in FUNCTION_WORDS
        for word in words
    )
    value = " ".join(words)
    return value if (is_name or any(value_kind(value))) and not is_negated(text) else ""
