"""Recognise wishes to forget, correct, remember, keep off or ask later without a model. Pure.

Each language file has a closed list of patterns. They decide nothing alone: what a wish means is
looked up among the member's own memories, and a doubtful one is asked back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from utils.memory.extraction.own_statements import statement_language
from utils.nlp.languages import Language, languages, shared_tables
from utils.nlp.person_and_negation import has_first_person

MAX_FRAGMENT_WORDS = 8
MAX_WISH_LENGTH = 400


class WishKind(StrEnum):
    """What a wish is for; the value is the key of its patterns in a language file's ``wishes``.

    The first that matches counts. ASK_LATER and REMIND are the names of tools. DOUBTFUL sounds like
    a wish to forget: it is asked back if there is something to forget, and else is no wish.
    """

    ASK_LATER = "ask_later"
    REMIND = "remind"
    EVERYTHING = "everything"
    KEEP_OFF = "keep_off"
    REMEMBER = "remember"
    FORGET = "forget"
    CORRECT = "correct"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish in a message.

    Attributes:
        kind: what it is for.
        what: what it names, in its words; empty if it refers to what was just said.
        new: how it really is, of a correction; empty if it does not say.
        day: when to ask or to remind.
        is_all: everything about what it names is meant.
        is_plain: a correction says that something is wrong.
    """

    kind: WishKind
    what: str = ""
    new: str = ""
    day: str = ""
    is_all: bool = False
    is_plain: bool = False

    @property
    def forgets(self) -> bool:
        """Whether something is to be forgotten."""
        return not (self.is_for_later or self.kind in (WishKind.REMEMBER, WishKind.CORRECT))

    @property
    def is_for_later(self) -> bool:
        """Whether something is to be asked or said later."""
        return self.kind in (WishKind.ASK_LATER, WishKind.REMIND)


def parse_wish(text: str) -> Wish | None:
    """Return the wish that a message, or one of its sentences, expresses; None if there is none."""
    if len(text) > MAX_WISH_LENGTH:
        return None
    lines = [text, *_SENTENCE_END.split(text)]
    parts = [*lines, text.rpartition(",")[2]]
    for kind, pattern in _patterns():
        for line in parts if kind in (WishKind.FORGET, WishKind.DOUBTFUL) else lines:
            match = pattern.fullmatch(line.strip()) if line.strip() else None
            if match is not None and (wish := _wish(kind, match)) is not None:
                return wish
    return None


def answer_to_question(text: str, options: int) -> int | None:
    """Return which of a question's options a message chooses; -1 for none of them.

    It is the option's number, or a yes to the only one; None if the message is no answer.
    """
    words = " ".join(re.findall(r"\w+", text.casefold()))
    if words.isdecimal() and len(words) < 4:
        return int(words) - 1 if 0 < int(words) <= options else -1
    if any(words in language.wishes.no for language in languages().values()):
        return -1
    is_yes = any(words in language.wishes.yes for language in languages().values())
    return options - 1 if is_yes else None


def spliced(sentence: str, new: str, old: str = "", *, of_same_kind: bool = False) -> str | None:
    """Return a member's sentence with ``old`` replaced by ``new``.

    It is empty if the sentence has no place for it, and None if it has several.

    Without ``old``, it is the only number or name that ``new`` may stand for: a place does not
    take the place of a first name. ``of_same_kind``: both must be known places or first names.
    """
    if old:
        at = sentence.casefold().find(old.casefold())
        return "" if at < 0 else sentence[:at] + new + sentence[at + len(old) :]
    if not _is_value(new):
        return ""
    if _is_number(new):
        slots = [word for word in _WORD.finditer(sentence) if _is_number(word[0])]
    else:
        slots = _name_slots(sentence, new, of_same_kind=of_same_kind)
    if len(slots) != 1:
        return None if slots else ""
    return sentence[: slots[0].start()] + new + sentence[slots[0].end() :]


def _name_slots(sentence: str, new: str, *, of_same_kind: bool) -> list[re.Match[str]]:
    """Return the names of a sentence that a new one may replace: of its kind, if any is."""
    language = languages()[statement_language(sentence)]
    idle = language.words.stop_words | language.dates.time_words
    idle |= {word for row in (*language.dates.months, *language.dates.weekdays) for word in row}
    slots = [slot for slot in _NAME.finditer(sentence) if slot[0].casefold() not in idle]
    tables = shared_tables()
    kinds = (tables.places.known, tables.names.given | tables.names.capital)
    kinds_of_new = [kind for kind in kinds if new.casefold() in kind]
    same = [slot for slot in slots if any(slot[0].casefold() in kind for kind in kinds_of_new)]
    if same or of_same_kind:
        return same
    if kinds_of_new:
        slots = [slot for slot in slots if not any(slot[0].casefold() in kind for kind in kinds)]
    if len(slots) > 1:  # German nouns: "ein Hund namens Rex"
        articles = language.answers.determiners
        before = {slot: (_lower_words(sentence[: slot.start()]) or [""])[-1] for slot in slots}
        slots = [slot for slot in slots if before[slot] not in articles]
    return slots


def _lower_words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


_SENTENCE_END = re.compile(r"(?<=[.!?…;\n])\s+|\n| (?:-|–|—) ")
_CLAUSE_END = re.compile(r"[,.;!?]\s")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"\w+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<=\s)(?<![.!?…]\s)[A-ZÄÖÜ]\w+(?:[ -][A-ZÄÖÜ]\w+)*")
_SLOT = re.compile(r"\{(what|new|old)\}")


@cache
def _number_words() -> frozenset[str]:
    return frozenset(
        word for language in languages().values() for row in language.dates.numbers for word in row
    )


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None or word.casefold() in _number_words()


def _is_value(text: str) -> bool:
    """Whether a text is a name or a number: it may take the place of another one.

    "Leipzig" and "Bath Spa" are, a clause such as "Leipzig is right" is not.
    """
    words = text.split()
    return _is_number(text) or (
        bool(words) and text[:1].isupper() and all(map(_is_name_part, words)) and (
            words[-1][:1].isupper() or _is_number(words[-1])
        )
    )  # fmt: skip


def _is_name_part(word: str) -> bool:
    return word[:1].isupper() or _is_number(word) or word.casefold() in _stop_words()


@cache
def _stop_words() -> frozenset[str]:
    return frozenset[str]().union(*(language.words.stop_words for language in languages().values()))


def _wish(kind: WishKind, match: re.Match[str]) -> Wish | None:
    parts = {
        name.rstrip("0123456789"): text.strip(" ,.:;!\"“”„'")
        for name, text in match.groupdict().items()
        if text
    }
    what, new = parts.get("what", ""), parts.get("new", "")
    if kind is WishKind.CORRECT:
        what = parts.get("old", "")
        head = _CLAUSE_END.split(new)[0]
        if head and not has_first_person(head):  # "Wells, I just say Bath"
            new = head
        is_clause = new[:1].isupper() and not (_is_value(new) or has_first_person(new))
        is_value = any(map(parts.get, ("link", "wrong"))) or _is_value(new)
        is_fragment = len(new.split()) <= MAX_FRAGMENT_WORDS and (is_value or bool(what))
        is_whole = not new or (is_fragment and not is_clause) or has_first_person(new)
        return Wish(kind, what, new, is_plain=bool(parts.get("wrong"))) if is_whole else None
    if kind is WishKind.REMEMBER:
        return Wish(kind, what) if not what or has_first_person(what) else None
    return Wish(kind, what, day=parts.get("day", ""), is_all=bool(parts.get("all")))


@cache
def _patterns() -> tuple[tuple[WishKind, re.Pattern[str]], ...]:
    """Return the patterns of all languages, in the order of their kinds."""
    return tuple(
        (kind, re.compile(pattern, re.IGNORECASE))
        for kind in WishKind
        for language in languages().values()
        for pattern in _of_language(kind, language)
    )


def _of_language(kind: WishKind, language: Language) -> Iterator[str]:
    words = language.wishes
    parts = {f"{{{name}}}": f"(?:{part})" for name, part in reversed(list(words.parts.items()))}
    for line in filter(None, map(str.strip, words.patterns.get(kind, "").split("\n"))):
        pattern = line
        for name, part in parts.items():
            pattern = pattern.replace(name, part)
        for number in range(pattern.count("{")):  # a name may occur once in a pattern
            pattern = _SLOT.sub(rf"(?P<\g<1>{number}>.+?)", pattern, count=1)
        yield rf"\W*(?:{words.polite})*{pattern}(?:[,\s]*(?:{words.after}))*\W*"
