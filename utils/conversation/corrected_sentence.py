"""Put what a member corrects into the sentence that they said before. Pure."""

import re
from difflib import get_close_matches

from utils.common.text import NOT_AFTER_TITLE
from utils.conversation.memory_matching import shares_words
from utils.nlp.answer_types import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    OTHER_PEOPLE,
    TALK_WORDS,
    is_negated,
    is_number,
    is_place_preposition,
    value_kind,
    value_of,
)
from utils.nlp.dates.vocabulary import CLOCK, DATES
from utils.nlp.languages import shared_tables

ALIKE, VERY_ALIKE = 0.66, 0.75  # of the letters of two words
MIN_ENDING = 5
_PARTS_OF_HOURS = CLOCK.half | CLOCK.quarter | CLOCK.half_before | CLOCK.three_quarters
_BEFORE_TIME = CLOCK.at | CLOCK.before | CLOCK.after | DATES.date_before | {"around", "about"}
_DOTTED_TIME = re.compile(r"(?:[01]?\d|2[0-4])\.[0-5]\d")
_BEFORE_OTHERS = FUNCTION_WORDS - DETERMINERS - AUXILIARIES - OTHER_PEOPLE
_WORD = re.compile(r"\w+(?:[.,:]\d+)*")
_NAME = re.compile(
    r"(?<=\s)(?:(?<![.!?…]\s)|(?!"
    + NOT_AFTER_TITLE.replace(")", r"\s)")
    + r"))(?!(?:[SMD]rs?|Prof)\.)"
    r"[A-ZÄÖÜ]\w+(?:[ -][A-ZÄÖÜ]\w+)*"
)
_LONG_NAME = re.compile(r"(?<=\s)[A-ZÄÖÜ]\w+(?: [A-ZÄÖÜ]\w+)+")


def corrected(text: str, new: str, old: str) -> str:
    """Return a sentence with a new value; empty if it has not one place for it.

    What the new value says again of the sentence around its place is left out: of "he plays the
    tuba, not the horn" it is "the tuba", and of "6 May" after "on 5 May" it is "6".
    """
    if not old and (respelt := respelled(text, new)):
        return respelt
    words = new.split()
    if is_negated(new):  # "nope, not 3"
        return ""
    if not old:
        words = _own_words(words, text)
        lead = _words(new.partition(" ".join(words))[0])
        if lead[1:] and lead[0] in DETERMINERS and lead[1] not in _words(text):
            return ""  # "the film starts at 8" after "my shift starts at 9"
        is_beside = len(lead) == 1 and lead[0] in _BEFORE_OTHERS.difference(_words(text))
        if is_beside and not any(map(any, map(value_kind, words))):
            return ""  # "with Kai" after "I met Tom"
        is_number_in = any(is_number(word.strip(".")) for word in words)
        if is_number_in and len(words) > 1 and not is_place_preposition(words[0]):
            return ""  # "6 June" after "on 5 May"
        return spliced(text, " ".join(words).strip("."))
    is_subject = text.casefold().startswith(old.casefold()) and old[:1].islower()
    is_value = any(word[:1].isupper() or is_number(word) for word in words)
    is_name = any(word[:1].isupper() for word in old.split())
    if (is_name and not is_value) or (is_subject and " " in old):
        return ""  # "in love, not in Rome", "not my birthday but Christmas"
    before = text.casefold().partition(old.casefold())[0].split()
    around = re.sub(re.escape(old), " ", text, flags=re.IGNORECASE)
    repeated = [i for i, word in enumerate(words, start=1) if shares_words(around, word)]
    if not repeated:
        if not AUXILIARIES.isdisjoint(_words(new)):  # "the match is in York, not Leeds"
            return ""
        is_counted = is_number(old) and not text.rstrip(" .!").endswith(old)
        if len(words) > 2 and (is_counted or words[0].casefold() in OTHER_PEOPLE):
            # "4 people came, not 3" after "it has 3 rooms"; "he died in 2018"
            return ""
        content = [word for word in words if word.casefold() not in FUNCTION_WORDS]
        if content and content[0][:1].isupper() and not value_of(new):  # "Jerry wins, not Tom"
            return ""
        # not "at at 11": "at 11 instead of 10:15" after "at 10:15"
        return spliced(text, *_with_determiner(text, " ".join(_unrepeated(words, before)), old))
    words = words[max(repeated) :] or _own_words(words, around)  # "19 uhr" of "um 18 Uhr"
    words = _unrepeated(words, before)
    size, first = len(old.split()), " ".join(words[:1])
    is_verb = first.casefold() in AUXILIARIES or (  # "lernt Bäckerin" of "eine Lehre als Köchin"
        len(words) > size and is_name and first.islower() and first not in FUNCTION_WORDS
    )
    is_fit = (  # only a number in the place of one: not "now" of "4 kids now"
        0 < len(words) <= size + 1
        and not is_verb
        and (not is_number(old) or any(is_number(w) or w[:1].isdigit() for w in words))
    )
    return spliced(text, " ".join(words), old) if is_fit else ""


def _with_determiner(text: str, new: str, old: str) -> tuple[str, str]:
    """Return a new and an old value; the determiner before the old one is part of it if the new
    one has one too: "a dog" after "I have a cat"."""
    found = re.search(rf"(?<!\w)(\w+) {re.escape(old)}(?!\w)", text, re.IGNORECASE)
    first, _, rest = new.partition(" ")
    if found is None or not rest or not {first.casefold(), found[1].casefold()} <= DETERMINERS:
        return new, old
    return new, found[0]


def spliced(sentence: str, new: str, old: str = "") -> str:
    """Return a member's sentence with ``old`` replaced by ``new``; empty if it has no such place.

    Without ``old``, it is the only number, known place, time or other name, as ``new`` is; of "in
    Bath" the one after "in".
    """
    if old:
        place = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", sentence, re.IGNORECASE)
        return "" if place is None else sentence[: place.start()] + new + sentence[place.end() :]
    value = value_of(new).removesuffix("'s")
    if not value:
        return ""
    is_number_wanted, is_place_wanted, *wanted = value_kind(value)
    lead, subject = new.split()[0].casefold(), len(" ".join(sentence.split()[:2]))

    def fits(slot: re.Match[str]) -> bool:
        is_number_there, is_place, *kinds = value_kind(slot[0])
        before = sentence[: slot.start()].casefold().split()[-1:]
        if kinds[-1] and lead == new.casefold() and slot.start() < subject:
            return False  # "no, Mann!" after "mein Bruder heißt Tim"
        is_dotted_time = _DOTTED_TIME.fullmatch(slot[0]) and DATES.on_day.isdisjoint(before)
        following = _words(sentence[slot.end() :].lstrip(". "))[:1]
        # "12.5.", or a month follows
        is_date = ("." in slot[0] and not is_dotted_time) or any(
            value_kind(w)[4] for w in following
        )
        # no "23:58" after "my brother has 3 kids" or "on 3 May", but after "the match is at 3"
        is_alike = _form(value) == _form(slot[0]) or not (
            CLOCK.at if is_date else _BEFORE_TIME
        ).isdisjoint(before)
        is_after = before == [lead] if is_place_preposition(lead) else is_place == is_place_wanted
        return is_after and is_alike and is_number_there == is_number_wanted and kinds == wanted

    slots = [*filter(fits, _NAME.finditer(sentence))]
    if not slots and any(value_kind(value)):
        words = (slot for slot in _WORD.finditer(sentence) if slot[0] not in FUNCTION_WORDS)
        slots = [*filter(fits, words)]
    if len(slots) != 1:
        return ""
    return sentence[: slots[0].start()] + value + sentence[slots[0].end() :]


def respelled(sentence: str, word: str) -> str:
    """Return a sentence with a word in the place of the only one like it, behind its subject;
    empty if there is none: "*sophia" after "my cat is called sofia".

    Talk such as "no, later" and another form of the same word are none.
    """
    words = sentence.split()
    behind = words[2:] if words[:1] and words[0].casefold() in FUNCTION_WORDS else words
    said = {word.strip(".,;:!").casefold(): word for word in behind}
    folded = word.casefold()
    alike = get_close_matches(folded, said.keys() - FUNCTION_WORDS, cutoff=ALIKE)
    if len(alike) != 1 or shares_words(alike[0], folded) or folded in TALK_WORDS:
        return ""
    (old,) = alike
    given = shared_tables().names.given
    are_names = old in given and (word[:1].isupper() or folded in given)
    has_digit = any(map(str.isdigit, folded))  # "ps5"
    is_sure = are_names or has_digit or get_close_matches(folded, alike, cutoff=VERY_ALIKE)
    is_ending = folded[2:].endswith(old) and len(old) >= MIN_ENDING
    is_like = is_ending or (old[0] == folded[0] and is_sure)  # "biochemistry"
    is_kind = are_names or value_kind(old) == value_kind(folded)
    is_name = said[old][:1].isupper() or old in given  # "winner" is none for "Winnie"
    is_spelt = are_names or word[:1].isupper() or not is_name
    return spliced(sentence, word, old) if is_like and is_kind and is_spelt else ""


def may_stand(new: str, old: str, sentence: str) -> bool:
    """Whether a value of a contrast ("leeds not leicester") may replace the old one in a sentence:
    it is of its kind, and says no more than it, as "the match is in York" does."""
    said, olds = _words(sentence), _words(old)
    own = [word for word in _words(new) if word not in FUNCTION_WORDS and word not in said]
    is_more = len(own) > max(1, sum(word not in FUNCTION_WORDS for word in olds))
    is_around = len(olds) < len(_words(new)) and set(olds) <= set(_words(new))
    old_kind, *new_kinds = [  # Leeds is known, Ely is not
        (kind[0], kind[2:-1]) for kind in map(value_kind, (old, new, *new.split()))
    ]
    return bool(own) and not (is_more or is_around) and old_kind in new_kinds


def may_hold(sentence: str, new: str) -> bool:
    """Whether a sentence has something of the kind of a value: a name, or a number."""
    value = value_of(new)
    if is_number(value):
        return any((":" in n) == (":" in value) for n in filter(is_number, _WORD.findall(sentence)))
    return value[:1].isupper() and _NAME.search(sentence) is not None


def _form(value: str) -> tuple[bool, bool]:
    """Return whether a value is a time of day, and whether it is an ordinal number."""
    ending = value.casefold().lstrip("0123456789.,:")
    return ":" in value or ending in ("am", "pm"), ending in ("st", "nd", "rd", "th")


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!").casefold() for word in text.split()]


def _unrepeated(words: list[str], before: list[str]) -> list[str]:
    """Return words without those right before their place: "Bath" of "in Bath" after "lives in"."""
    repeated = (
        n for n in range(len(words), 0, -1) if before[-n:] == [*map(str.casefold, words[:n])]
    )
    return words[next(repeated, 0) :]


def _own_words(words: list[str], text: str) -> list[str]:
    """Return the words of a correction from the first to the last that its sentence has not."""
    name, long_names = value_of(" ".join(words)).split(), _LONG_NAME.findall(text)
    is_like_name = all(word[:1].isupper() for word in name) and any(
        not set(name).isdisjoint(long_name.split()) for long_name in long_names
    )  # "New Orleans" after "I live in New York"
    idle = FUNCTION_WORDS.union(_words(text) if len(words) > 1 and not is_like_name else ())
    own = [i for i, word in enumerate(_words(" ".join(words))) if word not in idle]
    if not own:
        return words
    end = own[-1] + 1
    first = next((i for i in own if value_of(" ".join(words[i:end]))), own[0])
    first = own[0] if words[own[0]].casefold() in _PARTS_OF_HOURS else first  # "half past 5"
    return words[first - (first > 0 and is_place_preposition(words[first - 1])) : end]
