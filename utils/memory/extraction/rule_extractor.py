"""Extract what members plainly say about themselves with a few precise rules, without a model.

Each rule is one English sentence pattern. The rules prefer missing a fact to inventing one:
questions, conditions, quotations and vague objects ("I love it") are ignored.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from utils.common.text import one_line
from utils.memory.consolidation.planner import fact_key
from utils.models.memory import (
    Candidate,
    Event,
    Extraction,
    ExtractionInput,
    Importance,
    Kind,
    Memory,
    Method,
    Source,
)

SURE = 0.95
MAX_WORDS = 14

_SENTENCE = re.compile(r"(?:[^.!?\n;]|\.(?=\w)|(?<=\b[SMD][tr])\.)+[.!?;]*")
_CLAUSE = re.compile(
    r",?\s+(?:and|but|so)\s+(?=(?:I|I['’]m|I['’]ve|my)\b)|,\s+(?=(?:I|my)\b)", re.I
)
_UNSURE = re.compile(
    r"^\W*(?:if|when|whenever|imagine|suppose|pretend|say|let['’]s say|maybe|perhaps|once)\b"
    r"|\b(?:I wish|I['’]d|would|might|kidding|jk|lol|joking|not really)\b|[\"“”„«»>]",
    re.I,
)
_VAGUE = re.compile(
    r"(?:it|that|this|these|those|you|u|him|her|them|how|when|what|to|one|some|being|"
    r"everything|everyone|nothing|myself|your|his|the moment|fear|hope|denial|a dream)\b",
    re.I,
)
_TAIL = re.compile(
    r"\s*(?:,|\b(?:but|because|since|which|though|btw|thanks|please|right now|these days|now|"
    r"too|as well|so much|a lot|very much|and (?:it|he|she|they|we|then|you|that))\b).*$",
    re.I | re.S,
)
_LEAD = (
    r"^(?:(?:hi|hey|hello|well|so|and|also|oh|ok|okay|yes|yeah|no|btw|fyi|actually|anyway|kith|"
    r"there|everyone|by the way)\b[\s,!:-]*)*"
)
_HOW = r"(?:(?:really|absolutely|just|still|totally|also|currently|always)\s+)*"
_AM = r"I(?:['’]m|\s+am)\s+" + _HOW

_THIRD_PERSON = (
    (re.compile(r"\bI['’]m\b|\bI am\b", re.I), "they are"),
    (re.compile(r"\bI was\b", re.I), "they were"),
    (re.compile(r"\bI['’]ve\b|\bI have\b", re.I), "they have"),
    (re.compile(r"\bI\b"), "they"),
    (re.compile(r"\bmyself\b", re.I), "themselves"),
    (re.compile(r"\bmine\b", re.I), "theirs"),
    (re.compile(r"\bmy\b", re.I), "their"),
    (re.compile(r"\bme\b", re.I), "them"),
)
_LIKES = {
    "love": "loves",
    "adore": "loves",
    "like": "likes",
    "enjoy": "enjoys",
    "hate": "hates",
    "dislike": "dislikes",
    "detest": "hates",
    "can't stand": "can't stand",
    "can’t stand": "can't stand",
    "prefer": "prefers",
}
_WHEN = (
    r"today|tonight|tomorrow|this week|this weekend|next week|this month|"
    r"(?:until|till)\s+[\w ]{2,30}"
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class RuleExtractor:
    """The extractor for installations without a model: applies the rules to each message."""

    async def extract(self, reading: ExtractionInput) -> Extraction:
        """Return the candidates that the rules find, without duplicates."""
        zone = ZoneInfo(reading.time_zone)
        by_text: dict[str, Candidate] = {}
        for event in reading.burst.events:
            for candidate in candidates(event, zone):
                by_text[candidate.text] = _replacing(candidate, reading.rows)
        return Extraction(tuple(by_text.values()), Method.RULE)


def candidates(event: Event, zone: ZoneInfo) -> Iterator[Candidate]:
    """Yield the candidates of a message; relative dates become dates in the server's time zone."""
    today = event.created_at.astimezone(zone).date()
    for sentence in map(one_line, _SENTENCE.findall(event.text)):
        if sentence.endswith("?"):
            continue
        remembered = _REMEMBER.match(sentence)
        if remembered:
            yield from _explicit(remembered["what"].strip(" .!;,"), event.author_id, today)
        elif not _UNSURE.search(sentence):
            for clause in _CLAUSE.split(sentence):
                yield from _by_rules(clause, event.author_id, today)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern, and a function that turns its match into a memory (None: too vague)."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], date], "_Fact | None"]


@dataclass(frozen=True, slots=True)
class _Fact:
    text: str
    attribute: str
    kind: Kind = Kind.FACT
    importance: Importance = Importance.MEDIUM
    topics: tuple[str, ...] = ()
    lifetime_days: int | None = None


def _by_rules(clause: str, author_id: int, today: date) -> Iterator[Candidate]:
    for rule in _RULES:
        for match in rule.pattern.finditer(clause):
            fact = rule.read(match, today)
            if fact is not None:
                yield Candidate(
                    subject_id=author_id,
                    text=fact.text,
                    quote=clause,
                    kind=fact.kind,
                    importance=fact.importance,
                    confidence=SURE,
                    lifetime_days=fact.lifetime_days,
                    attribute=fact.attribute,
                    topics=fact.topics,
                )


def _explicit(request: str, author_id: int, today: date) -> Iterator[Candidate]:
    """Yield what a member asked Kith to remember; in a rule's words if a rule matches."""
    by_rules = [
        candidate
        for clause in _CLAUSE.split(request)
        for candidate in _by_rules(clause, author_id, today)
    ]
    if by_rules:
        for candidate in by_rules:
            yield replace(candidate, source=Source.EXPLICIT, importance=Importance.HIGH)
    elif len(request) > 2:
        yield Candidate(
            subject_id=author_id,
            text=_in_third_person(request),
            quote=request,
            kind=Kind.FACT,
            importance=Importance.HIGH,
            confidence=1.0,
            lifetime_days=None,
            source=Source.EXPLICIT,
        )


def _replacing(candidate: Candidate, rows: Sequence[Memory]) -> Candidate:
    """Set ``replaces`` to the known memory that has another value of the same attribute."""
    key = fact_key(candidate.attribute)
    for row in rows:
        if key and row.fact_key == key and row.text.casefold() != candidate.text.casefold():
            return replace(candidate, replaces=row.id)
    return candidate


def _in_third_person(text: str) -> str:
    for pattern, replacement in _THIRD_PERSON:
        text = pattern.sub(replacement, text)
    return text


def _object(text: str) -> str | None:
    """Return the object of a sentence without its tail; None if it is vague or too long."""
    text = _in_third_person(_TAIL.sub("", text).strip(" .!,;:)("))
    if not text or _VAGUE.match(text) or len(text.split()) > MAX_WORDS:
        return None
    return text


def _name(match: re.Match[str], today: date) -> _Fact | None:
    name = match["name"].strip(" .!,")
    if _VAGUE.match(name) or name.split()[0].casefold() in _NOT_NAMES:
        return None
    return _Fact(f"name is {name}", "name", importance=Importance.HIGH, topics=("name",))


def _plain(
    verb: str, attribute: str, topic: str, importance: Importance = Importance.MEDIUM
) -> Callable[[re.Match[str], date], _Fact | None]:
    def read(match: re.Match[str], today: date) -> _Fact | None:
        object_ = _object(match["what"])
        if object_ is None:
            return None
        return _Fact(f"{verb} {object_}", attribute, importance=importance, topics=(topic,))

    return read


def _has_named(match: re.Match[str], today: date) -> _Fact:
    noun, count = match["noun"].strip().lower(), match["count"].lower()
    names = match["name"] + (match["more"] or "")
    return _Fact(f"has {count} {noun} named {names}", f"{noun} {names}", topics=(noun,))


def _possession_named(match: re.Match[str], today: date) -> _Fact:
    noun = match["noun"].strip().lower()
    article = "an" if noun[0] in "aeiou" else "a"
    return _Fact(
        f"has {article} {noun} named {match['name']}", f"{noun} {match['name']}", topics=(noun,)
    )


def _favourite(match: re.Match[str], today: date) -> _Fact | None:
    subject, favourite = match["what"].strip().lower(), _object(match["value"])
    if favourite is None:
        return None
    return _Fact(
        f"favourite {subject} {match['verb'].lower()} {favourite}",
        f"favourite_{subject}",
        Kind.PREFERENCE,
        topics=(subject,),
    )


def _likes(match: re.Match[str], today: date) -> _Fact | None:
    object_ = _object(match["what"])
    if object_ is None:
        return None
    verb = _LIKES[match["verb"].lower()]
    return _Fact(f"{verb} {object_}", f"feels about {object_}", Kind.PREFERENCE)


def _task(match: re.Match[str], today: date) -> _Fact | None:
    doing = match["doing"].strip(" ,")
    if len(doing.split()) > MAX_WORDS:
        return None
    when, days = _dated(match["when"], today)
    text = f"is {_in_third_person(doing)} {when}"
    return _Fact(text, "", Kind.TASK, topics=("plans",), lifetime_days=days)


def _dated(when: str, today: date) -> tuple[str, int]:
    """Return a relative time as a date, and how many days it matters (1, 3, 7 or 30)."""
    when = " ".join(when.lower().split())
    monday = today - timedelta(days=today.weekday())
    fixed = {
        "today": (f"on {_written(today)}", 1),
        "tonight": (f"on the evening of {_written(today)}", 1),
        "tomorrow": (f"on {_written(today + timedelta(days=1))}", 3),
        "this week": (f"in the week of {_written(monday)}", 7),
        "this weekend": (f"on the weekend of {_written(monday + timedelta(days=5))}", 7),
        "next week": (f"in the week of {_written(monday + timedelta(days=7))}", 30),
        "this month": (f"in {today:%B %Y}", 30),
    }
    if when in fixed:
        return fixed[when]
    until = when.split(" ", 1)[1]
    if until in _DAYS:
        ahead = (_DAYS.index(until) - today.weekday()) % 7 or 7
        return f"until {_written(today + timedelta(days=ahead))}", 7
    if until == "tomorrow":
        return f"until {_written(today + timedelta(days=1))}", 3
    return f"until {until}", 30


def _written(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


_NOT_NAMES = frozenset(
    """later back tomorrow tonight today again crazy maybe old lazy now soon anytime whatever when
    if a an the not on in at stupid weird""".split()  # noqa: SIM905 - a list of words
)
_PROPER = r"(?P<name>[^\W\d_][\w'’-]*(?:\s+[A-Z][\w'’-]*){0,2})"
_NOUN = r"(?P<noun>[^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*)?)"
_NAMED = r"(?:named|called|whose name is)"


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(_LEAD + body, re.I)


_REMEMBER = _pattern(
    r"(?:please\s+)?(?:remember|don['’]t forget|keep in mind|note)\s*(?:please\s+)?"
    r"(?:that\s+|:\s*)(?P<what>.+)"
)
# (?-i:…) keeps the further words of a name to capitalised ones.
_NAME = _PROPER.replace("[A-Z]", "(?-i:[A-Z])")
_RULES = (
    _Rule(_pattern(rf"my (?:real |full |first )?name(?:['’]s|\s+is)\s+{_NAME}"), _name),
    _Rule(_pattern(rf"(?:please\s+|you can\s+|just\s+)*call me\s+{_NAME}\s*[.!;]*\s*$"), _name),
    _Rule(
        _pattern(rf"I\s+{_HOW}live in\s+(?P<what>.+)"),
        _plain("lives in", "home", "home", Importance.HIGH),
    ),
    _Rule(
        _pattern(rf"I\s*(?:['’]ve|have)?\s+{_HOW}moved to\s+(?P<what>.+)"),
        _plain("lives in", "home", "home", Importance.HIGH),
    ),
    _Rule(
        _pattern(rf"I\s+{_HOW}work as\s+(?P<what>(?:an?|the|head|chief)\s.+)"),
        _plain("works as", "job", "work"),
    ),
    _Rule(
        _pattern(rf"I\s+{_HOW}work (?:at|for)\s+(?P<what>.+)"),
        _plain("works at", "workplace", "work"),
    ),
    _Rule(
        re.compile(
            rf"(?:{_LEAD}I(?:['’]ve got|\s+{_HOW}have|\s+own)|(?<=\w) and)\s+"
            rf"(?P<count>an?|two|three|another)\s+{_NOUN}\s+{_NAMED}\s+{_NAME}"
            r"(?P<more>(?:,\s+(?-i:[A-Z])[\w'’-]*)*\s+and\s+(?-i:[A-Z])[\w'’-]*)?",
            re.I,
        ),
        _has_named,
    ),
    _Rule(
        _pattern(rf"my {_NOUN}(?:['’]s name is|\s+is (?:named|called))\s+{_NAME}"),
        _possession_named,
    ),
    _Rule(
        _pattern(
            rf"I\s+{_HOW}(?P<verb>love|adore|like|enjoy|hate|dislike|detest|can['’]t stand|prefer)"
            r"\s+(?P<what>.+)"
        ),
        _likes,
    ),
    _Rule(
        _pattern(
            r"my (?:all-time )?favou?rite (?P<what>\w+(?:\s+\w+)?)\s+(?P<verb>is|are)\s+"
            r"(?P<value>.+)"
        ),
        _favourite,
    ),
    _Rule(
        _pattern(rf"{_AM}(?P<doing>\w+ing\b.*?)\s+(?P<when>{_WHEN})\s*[.!;]*\s*$"),
        _task,
    ),
)
