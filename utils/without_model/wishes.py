"""Recognise wishes to forget, correct, remember, keep off or ask later without a model. Pure.

What a wish means is looked up among the member's own memories; a doubtful one is asked back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from utils.common.text import NOT_AFTER_TITLE, WORD
from utils.nlp.answer_types import is_number, plain_value, value_kind, value_of
from utils.nlp.dates.clock_times import split_at_time, time_before
from utils.nlp.languages import Language, languages
from utils.nlp.normalization import typing_slips
from utils.nlp.person_and_negation import has_first_person

MAX_FRAGMENT_WORDS = 8
MAX_VALUE_WORDS = 3
MAX_WISH_LENGTH = 400


class WishKind(StrEnum):
    """What a wish is for: the key of its patterns in a language file; the first match counts.

    ASK_LATER and REMIND are the names of tools. DOUBTFUL is no wish if there is nothing to forget,
    CONTRAST ("leeds not leicester", "*sophia") none if its author just said nothing like it.
    """

    ASK_LATER = "ask_later"
    REMIND = "remind"
    EVERYTHING = "everything"
    KEEP_OFF = "keep_off"
    REMEMBER = "remember"
    FORGET = "forget"
    CORRECT = "correct"
    DOUBTFUL = "doubtful"
    CONTRAST = "contrast"


CORRECTIONS = (WishKind.CORRECT, WishKind.CONTRAST)


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish in a message.

    Attributes:
        what: what it names, in its words; empty if it refers to what was just said.
        new: how it really is, of a correction; empty if it does not say.
        said: what stands before both in its sentence: "I live", of "I don't live in Leeds, …".
        is_all: all about what it names is meant. is_plain: a correction says it is wrong.
    """

    kind: WishKind
    what: str = ""
    new: str = ""
    said: str = ""
    day: str = ""
    is_all: bool = False
    is_plain: bool = False

    @property
    def forgets(self) -> bool:
        """Whether something is to be forgotten."""
        return not (self.is_for_later or self.kind in (*CORRECTIONS, WishKind.REMEMBER))

    @property
    def keeps_nothing(self) -> bool:
        """Whether nothing about the member is to be kept: "don't store anything about me"."""
        return self.kind is WishKind.KEEP_OFF and any(
            self.what.lower() in language.answers.objects for language in languages().values()
        )

    @property
    def is_for_later(self) -> bool:
        """Whether something is to be asked or said later."""
        return self.kind in (WishKind.ASK_LATER, WishKind.REMIND)


def parse_wish(text: str, *, all_kinds: bool = False) -> Wish | None:
    """Return the wish that a message, or one of its sentences, expresses; None if there is none."""
    if len(text) > MAX_WISH_LENGTH:
        return None
    text = WORD.sub(lambda word: _SLIPS.get(word[0].lower(), word[0]), text)
    text = _LONG_RUN.sub(r"\1", text)  # patterns take quadratic time on "………………"
    parts = [*(lines := [text, *_SENTENCE_END.split(text)]), text.rpartition(",")[2]]
    for kind, pattern in _patterns():
        if kind is WishKind.CONTRAST and not all_kinds:
            break
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
    return options - 1 if any(words in of.wishes.yes for of in languages().values()) else None


_SENTENCE_END = re.compile(rf"(?<=[.!?…;\n]){NOT_AFTER_TITLE}\s+|\n| (?:-|–|—) ")
_LONG_RUN = re.compile(r"(\W{3})\W+")
_CLAUSE_END = re.compile(rf"(?:[,;!?]|(?<!\d)\.{NOT_AFTER_TITLE})\s")
_SLOT = re.compile(r"\{(what|new|old)\}")
_SLIPS = typing_slips(
    word
    for language in languages().values()
    for word in language.wishes.parts.get("gone", "").split("|")
)


def _wish(kind: WishKind, match: re.Match[str]) -> Wish | None:
    parts = {
        name.rstrip("0123456789"): text.strip(" ,.:;!\"“”„'")
        for name, text in match.groupdict().items()
        if text
    }
    what, new, day = (parts.get(name, "") for name in ("what", "new", "day"))
    if kind in CORRECTIONS:
        link = f"{parts.get('link', '')} ".casefold()
        said, what = parts.get("said", ""), parts.get("old", "")
        if what.casefold().startswith(link):  # "in Bath and not in Leeds"
            what = what[len(link) :]
        contrasts = (p.fullmatch(new) for of, p in _patterns() if of is WishKind.CONTRAST)
        if not what and kind is WishKind.CORRECT and (inner := next(filter(None, contrasts), None)):
            contrast = _wish(WishKind.CONTRAST, inner)  # "oops, it's 7 not 6"
            if contrast and (is_number(contrast.what) or value_of(contrast.new)):
                return contrast
        new = new.rpartition(": ")[2]  # "correct please: I live in Bath"
        head = _CLAUSE_END.split(new)[0]
        new = new if has_first_person(head) else head or new  # "Wells, I just say Bath"
        if any(new.casefold() in (*of.wishes.yes, *of.wishes.no) for of in languages().values()):
            return None  # "no, not today, thanks"
        is_short = len(new.split()) <= MAX_VALUE_WORDS
        new = new if has_first_person(new) or not is_short else plain_value(new, match.string)
        is_lower = not new[:1].isupper() or (is_short and bool(what))
        is_linked = any(map(parts.get, ("link", "wrong", "old"))) and is_lower
        is_value = value_of(new) or (is_short and any(map(is_number, new.split())))
        is_fragment = len(new.split()) <= MAX_FRAGMENT_WORDS and bool(is_linked or is_value)
        is_told = is_fragment or has_first_person(new) if new else "wrong" in parts  # not "oops."
        is_whole = is_told and (what or not match[0].endswith("?"))
        return Wish(kind, what, new, said, is_plain="wrong" in parts) if is_whole else None
    if kind is WishKind.REMEMBER:
        return Wish(kind, what) if not what or has_first_person(what) else None
    if kind is WishKind.REMIND and match.start("day") < match.start("what0"):
        linked = match.string[match.end("day") : match.start("what0")].lstrip(" ,")
        words, day = time_before(match["day"], linked + what)
        what = words.removeprefix(linked)
    elif kind is WishKind.REMIND:
        words, when = time_before("", day)
        is_time = not when or any(map(any, map(value_kind, words.split())))  # "at 9 or 10"
        middle = (what, day) if is_time else (f"{what} {words}".strip(), when)  # "um 5 anzurufen"
        what, day = split_at_time(f"{what} {day}") or middle
    kind = WishKind.DOUBTFUL if "loose" in parts else kind  # "Fotos löschen": who shall?
    return Wish(kind, what, day=day, is_all=bool(parts.get("all")))


@cache
def _patterns() -> tuple[tuple[WishKind, re.Pattern[str]], ...]:
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
        yield rf"\W*(?:{words.polite}){{0,6}}{pattern}(?:[,\s]*\b(?:{words.after})\b)*+\W*"
