"""What the rules of English facts share: objects of clauses, names, and kinds of readers. Pure."""

import re
from collections.abc import Callable
from enum import IntEnum
from functools import partial

from utils.memory.extraction.clauses import words_of
from utils.memory.extraction.facts import (
    MONTHS,
    Fact,
    Reader,
    Topic,
    is_one_of,
    reader,
    written_name,
)
from utils.models.memory import Importance, Kind
from utils.nlp.languages import shared_tables

MAX_OBJECT_WORDS = 9
NO_COMMA_LIMIT = 99  # with it, an object is not cut at its first comma
WORDS = words_of("en")
REST = (
    r"(?:,.*| (?:and|but|so|because|since|though|although|with|btw|as well|too|already|lol|idk)\b.*"
    r"| for (?:\w+ ){1,3}(?:now|years?|months?|weeks?|decades?)\b.*)?"
)
_REASONS = re.compile(
    r"[, ]+(?:since\b|for (?:about |over |almost |like |around |nearly )?(?:\w+ ){1,2}"
    r"(?:now|years?|months?|weeks?|days?|decades?)\b|"
    r"for (?:a while|ages|fun|my birthday|christmas|xmas)\b|because\b|but\b|"
    r"though\b|although\b|so\b|a lot\b|very much\b|these days\b|again\b|"
    r"way too \w+\b|too much\b|all week\b|every single\b|do not (?:me|at|judge|come)\b|"
    r"anymore\b|any more\b|not\b|instead\b|and (?:it|he|she|they|we|then|you|that|am|honestly|its|"
    r"his|have|has|had|been|was|were|will|never|always|now|there|more|everything|stuff|such|so)\b|"
    r"please\b|thanks\b|thx\b|idk\b|no (?:matter|regrets|contest|joke|cap)\b|tbf\b|imo\b|badly\b|"
    r"everyone\b|everyday\b|every (?:day|week|year|month|morning|night|summer|winter)\b|"
    r"all (?:day|the time|my life)\b|rn\b|wish me\b|send help\b|sorry\b|fight me\b|yes\b|lol\b|"
    r"help\b|best(?=[\s.!]*\Z|,)).*\Z",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[, ]+(?:which|where|that|who (?!fan|fans)\w+)\b.*\Z", re.IGNORECASE)
_TIMES = re.compile(
    r"[, ]+(?:(?:(?:about|over|like|almost|around|some|many|an?|few|couple|of|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|\w+teen|twenty|\d+) )+(?:years?|months?|weeks?|days?|decades?) "
    r"(?:ago|back)\b|last \w+\b|yesterday\b|today\b|(?:in|this) (?:19|20)\d\d\b|in (?:"
    + "|".join(MONTHS["en"])
    + r")\b|this (?:year|month|week|spring|summer|autumn|fall|winter|morning|weekend)\b|"
    r"for (?:(?:my|his|her) \w+|work|school|uni|college|university|love|an? (?:new )?job)\b|"
    r"the other day\b|on (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|when\b|back (?:in|when)\b|"
    r"ever\b).*\Z",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r"\b(?:when|whenever|while|if|than|except|unless|only|besides|apart|until|till|which|who|"
    r"where|that|"
    r"during|sometimes|usually|rarely|once|in (?:" + "|".join(MONTHS["en"]) + r")|(?:19|20)\d\d|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|on weekdays|at least)\b",
    re.IGNORECASE,
)


class Cut(IntEnum):
    """What may be left out of an object without changing what it says.

    REASONS: reasons and remarks. CLAUSES: also what describes a thing that exists ("a firm that
    sells shoes"). TIMES: also when it happened, of what is over and stays true.
    """

    REASONS = 1
    CLAUSES = 2
    TIMES = 3


RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|ago|now|soon|later|next|last|this|these|those|"
    r"currently|"
    r"better|yourself|myself|each other|here|there|you|your|it|him|her|them|em|me|i|im|not|never|"
    r"no|nothing|if|maybe|would|could|might)\b|[?!:;]",
    re.IGNORECASE,
)
_DANGLING = frozenset(("to", "of", "in", "on", "at", "for", "with", "and", "or", "the", "a", "an",
                       "my", "their", "from", "by", "as", "is", "are"))  # fmt: skip
_THIRD = ((r"\bmyself\b", "themselves"), (r"\bmine\b", "theirs"), (r"\bmy\b", "their"),
          (r"\bour\b", "their"))  # fmt: skip


def object_of(text: str, limit: int = MAX_OBJECT_WORDS, cut: Cut = Cut.REASONS) -> str | None:
    """Return the object of a clause without its tail.

    None if it is vague, relative, too long, or holds only under a condition that may not be cut.
    """
    text = _REASONS.sub("", f" {text} ")
    if cut >= Cut.CLAUSES:
        text = _CLAUSES.sub("", text)
    if cut >= Cut.TIMES:
        text = _TIMES.sub("", text)
    text = text.strip(" .,'-/!")
    text = re.sub(r",? (?:too|as well|btw|right now|now)\Z", "", text, flags=re.IGNORECASE)
    text = re.split(r", (?!and\b)", text)[0].strip(" .,'") if limit < NO_COMMA_LIMIT else text
    for pattern, word in _THIRD:
        text = re.sub(pattern, word, text, flags=re.IGNORECASE)
    tokens = text.casefold().split()
    if not tokens or len(tokens) > limit or tokens[0] in WORDS.vague or tokens[-1] in _DANGLING:
        return None
    return None if RELATIVE.search(text) or _LIMITED.search(text) else text


def proper_name(name: str) -> str | None:
    """Return a name with its capital; None if it is no name."""
    name = name.strip(" .,!'")
    if len(name) < 2 or name.casefold() in WORDS.not_names or name.casefold() in WORDS.vague:
        return None
    return written_name(name)


def plain(
    verb: str, attribute: str, topic: Topic, importance: Importance = Importance.MEDIUM,
    kind: Kind = Kind.FACT, limit: int = MAX_OBJECT_WORDS, cut: Cut = Cut.REASONS,
    is_known: Callable[[str], bool] = bool, after: str = "",
) -> Reader:  # fmt: skip
    """Return a reader that puts a verb before the object; see :func:`reader`."""
    object_in = partial(object_of, limit=limit, cut=cut)
    return reader(object_in, verb, attribute, topic, importance, kind, is_known, after)


def fixed(text: str, attribute: str, topic: Topic) -> Reader:
    """Return a reader of clauses that always make the same fact."""
    return lambda match: Fact(text, attribute, topic)


def home_in(place: str) -> Fact:
    """Return the fact that somebody lives in a place."""
    text = f"lives in {written_name(place)}"
    return Fact(text, "home", Topic.HOME, importance=Importance.HIGH)


def is_place(text: str) -> bool:
    """Whether a text is a known city, region or country."""
    return is_one_of(text.removeprefix("the "), shared_tables().places.known)


_TENS = dict(zip(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
                 range(20, 100, 10), strict=True))  # fmt: skip
_NUMBERS = dict(zip(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
                     "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
                     "eighteen", "nineteen"), range(1, 20), strict=True)) | _TENS  # fmt: skip
AGE = (
    r"(?P<age>\d{1,3}|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    rf"(?:{'|'.join(_TENS)})(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)"
)


def number_in(text: str) -> int:
    """Return a number in digits or in words, up to ninety-nine."""
    if text.isdecimal():
        return int(text)
    return sum(_NUMBERS[word] for word in re.split(r"[- ]", text.casefold()))
