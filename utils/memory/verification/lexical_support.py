"""Do its subject's words support a memory? Pure: words only, no model.

A quote proves that a person said something, not that the memory says the same: a poisoned model can
quote "I love pizza" and note "is a thief". So the memory's own words must come from the subject,
from the question they answered, or from the plain words that notes are made of.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import pairwise

from utils.memory.verification.note_words import (
    CHARGED,
    ENDINGS,
    IRREGULAR,
    MONTHS,
    NOTE_STEMS,
    NUMBERS,
    PAST,
    SAME,
    TIMES,
    TIMES_FROM_NOW,
    WEEKDAY,
    WORD,
)
from utils.memory.verification.person_words import ARTICLES, FIRST_OBJECT, FIRST_PERSON, MINE
from utils.memory.verification.polarity import SEGMENT, is_turn, keeps_sense, negates
from utils.nlp.stemming import language_of, stems

__all__ = ["is_supported", "negates", "same_word", "unsupported_words"]

MAX_UNKNOWN = 1 / 2
"""Share of the words of each part of a memory that may be paraphrase, if they are neither names,
numbers, charges nor borrowed."""

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_LATIN = re.compile("[a-z]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_HIRAGANA = re.compile("[\u3040-\u309f]+")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*")
_PRONOUNS = re.compile(r"\b(?:he|she|they|it|xe|ze)/[^\W\d_]+", re.IGNORECASE)
_ROLE = re.compile(
    r"^(?:is|as|was made|works as|has become)(?: an?| the)? (?:mod|moderator|admin|owner|staff)\b|"
    r"^(?:owns|runs|leads|moderates) (?:the|this) (?:server|guild|channel|mod)\b",
    re.IGNORECASE,
)
"""A standing on the server, which must be said in so many words."""

_OWN_ROLE = re.compile(
    r"\b(?:i['’]?m|i am|as|became|made me|being|own|run|lead|moderate)\b(?: \w+)? "
    r"(?:the |this |an? )?(?:mod|moderator|admin|owner|staff|server|guild|channel)\b",
    re.IGNORECASE,
)
_EVERY = re.compile(r"\b(?:every|each|daily|weekly|monthly)\b", re.IGNORECASE)
_OFTEN = re.compile(
    r"\b(?:every|everyday|each|daily|weekly|monthly|always|never|usually|often)\b|"
    r"\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|"
    r"\b(?:once|twice|times) (?:a|per)\b|\ball the time\b|\ba lot\b|\btend",
    re.IGNORECASE,
)
_PART = re.compile(r"\d+|[^\W\d_]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_DAY = re.compile(r"(?:[0-2]?\d|3[01])(?:st|nd|rd|th)?")


def same_word(one: str, other: str) -> bool:
    """Whether two casefolded words are forms of one word, as far as endings tell."""
    if one == other or SAME.get(one, one) == SAME.get(other, other):
        return True
    if _HANGUL.match(one) and _HANGUL.match(other):  # particles and endings are glued on
        return one[:2] == other[:2] and min(len(one), len(other)) >= 2
    first, second = (_plainly_spelt(IRREGULAR.get(word, word)) for word in (one, other))
    if first == second:
        return True
    if min(len(first), len(second)) == 2 and first.rstrip("s") == second.rstrip("s"):
        return True  # "DMs"
    if len(first) < 3 or len(second) < 3 or first[:2] != second[:2]:
        return False
    length = 2
    while length < min(len(first), len(second)) and first[length] == second[length]:
        length += 1
    rests = first[length:], second[length:]
    if length >= 3 and rests[0] in ENDINGS and rests[1] in ENDINGS:
        return True
    return _is_typo(first, second, length)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that a memory may be made of."""

    words: frozenset[str]
    stems: frozenset[str]
    languages: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Vocabulary":
        """Collect the words of texts."""
        all_texts = list(texts)
        runs = [_words(text) for text in all_texts]
        words = {part for run in runs for word in run for part in (word, *_parts(word))}
        words |= {_plainly_spelt(word) for run in runs for word in run}
        words |= {
            first + second for run in runs for first, second in pairwise(run) if len(second) > 2
        }
        return cls(
            frozenset(words),
            frozenset(stem for text in all_texts for stem in stems(text)),
            frozenset(map(language_of, all_texts)),
        )

    def has(self, word: str) -> bool:
        """Whether a word, or a form of it, is among them."""
        if word in self.words or _plainly_spelt(word) in self.words:
            return True
        word_stems = stems(word)
        if word_stems and all(stem in self.stems for stem in word_stems):
            return True
        if _UNSPACED.search(word):
            return _is_known_run(word, self.stems)
        return any(same_word(word, known_word) for known_word in self.words)

    def has_short_form(self, name: str) -> bool:
        """Whether a longer name begins with one of them: "MongoDB" with "mongo"."""
        return any(len(word) > 3 and name.casefold().startswith(word) for word in self.words)

    def has_name_in(self, text: str) -> bool:
        """Whether a capitalised word of a text is among them, though it means nothing: "EST"."""
        return any(word[:1].isupper() and word.casefold() in self.words for word in text.split())


def unknown_words(memory: str, own: Vocabulary) -> list[str]:
    """Return the words of a memory that neither its subject's words nor plain ones explain."""
    memory = unicodedata.normalize("NFKC", memory)
    languages = (language_of(memory), *own.languages)
    unknown = []
    for match in WORD.finditer(memory):
        word = match[0].replace("’", "'").casefold()
        if _is_plain(word, languages) or own.has(word):
            continue
        parts = _parts(word)
        if parts and all(_is_plain(part, languages) or own.has(part) for part in parts):
            continue
        unknown.append(match[0])
    return unknown


def is_supported(
    memory: str, own: Sequence[str], others: Sequence[str], said_at: datetime | None = None
) -> bool:
    """Whether a memory may rest on ``own``: what its subject said, and what they answered.

    ``others`` is what other people said around it: not one word may be borrowed from there. Dates
    may be worked out where something tells the time, or if they are the day it was said.
    """
    vocabulary, borrowed = Vocabulary.of(own), Vocabulary.of(others)
    own_text = " ".join(own).casefold()
    is_named = any(vocabulary.has(word) for word in _words(memory) if stems(word))
    if not (is_named or _PRONOUNS.search(memory) or vocabulary.has_name_in(memory)):
        return False
    if _EVERY.search(memory) and not _OFTEN.search(own_text):
        return False
    if _ROLE.search(memory) and not _OWN_ROLE.search(own_text):
        return False
    languages = (language_of(memory), *vocabulary.languages)
    is_accused = any(map(CHARGED.search, borrowed.words))
    strange = 0
    for part in SEGMENT.split(memory):
        content = [word for word in _words(part) if stems(word)]
        unknown = [
            word
            for word in unknown_words(part, vocabulary)
            if not _is_date(word, memory, own_text, said_at)
        ]
        strange += len(unknown)
        if not all(
            _is_paraphrase(word, vocabulary, borrowed, opens=memory.startswith(word))
            for word in unknown
        ):
            return False
        telling = [word for word in content if not _is_plain(word, languages)]
        known_count = sum(map(vocabulary.has, telling))
        if unknown and (not known_count or known_count < 2 <= len(unknown)):
            return False
        if _is_verb_of_its_own(part, telling, unknown) and (
            is_accused or (known_count < 2 and not _stands_for(telling, own, languages))
        ):
            return False
    return strange <= MAX_UNKNOWN * sum(1 for word in _words(memory) if stems(word))


def leads(memory: str, own: Sequence[str], aside: Sequence[str]) -> bool:
    """Whether the author's own words open each part of a memory, or are most of it.

    ``aside`` is what they said of something else in the same breath: a memory may end in it, as in
    "has a cat that eats everything", unless it is a charge.
    """
    vocabulary, borrowed = Vocabulary.of(own), Vocabulary.of(aside)
    languages = (language_of(memory), *vocabulary.languages)
    for part in SEGMENT.split(memory):
        content = [word for word in _words(part) if not _is_plain(word, languages)]
        spoken = [word for word in content if vocabulary.has(word) or borrowed.has(word)]
        known_flags = [vocabulary.has(word) for word in spoken]
        if known_flags and not known_flags[0] and sum(known_flags) * 2 <= len(known_flags):
            return False
        if any(CHARGED.search(word) and borrowed.has(word) for word in content):
            return False
    return True


def _is_verb_of_its_own(part: str, telling: Sequence[str], unknown: Iterable[str]) -> bool:
    """Whether a part of a memory begins with a verb that its subject did not use."""
    if not telling or telling[0] not in map(str.casefold, unknown):
        return False
    words = _words(part)
    return words[max(0, words.index(telling[0]) - 1)] not in ARTICLES


def _stands_for(telling: Sequence[str], own: Iterable[str], languages: Sequence[str]) -> bool:
    """Whether a memory's first word, which its subject did not use, replaces one of their words.

    "Met Lena" stands for "I ran into Lena", but "sells pizza" for nothing in "I love pizza".
    """
    vocabulary = Vocabulary.of([" ".join(telling[1:])])
    for text in own:
        words = [word for word in _words(text) if not _is_plain(word, languages)]
        if not _tells_of_doing(_words(text)):
            continue
        if next((index for index, word in enumerate(words) if vocabulary.has(word)), 0) > 0:
            return True
    return False


def _tells_of_doing(words: Sequence[str]) -> bool:
    """Whether a clause is about "me", or begins with what I did: not "cool bot"."""
    verb_like = words[:1] and (words[0] in PAST or words[0].endswith(("ed", "ing", "s")))
    return bool(verb_like or not (FIRST_PERSON | MINE | FIRST_OBJECT).isdisjoint(words))


def _is_paraphrase(word: str, own: Vocabulary, borrowed: Vocabulary, *, opens: bool) -> bool:
    """Whether an unknown word may be the model's own: no name, number, charge, or loan."""
    return not (
        (word[:1].isupper() and not opens and not own.has_short_form(word))
        or any(map(str.isdigit, word))
        or word.casefold() in NUMBERS
        or _UNSPACED.search(word)
        or borrowed.has(word.casefold())
        or CHARGED.search(word)
    )


def unsupported_words(
    text: str, rows: Iterable[str], names: Iterable[str] = (), *, dates: bool = True
) -> set[str]:
    """Return the words of a text that no row explains; names and plain note words are free.

    Each statement in it must rest on one row: "has a dog named Lena" is not told by a dog and a
    Lena in two. All its words are returned if it turns the sense of the rows around. ``dates``
    lets the names of months and days pass.
    """
    texts = list(rows)
    unsupported: set[str] = set()
    for sentence in _SENTENCE_END.split(text):
        if not keeps_sense(sentence, texts, same_word):
            unsupported.update(_words(sentence))
        for part in SEGMENT.split(sentence):
            unknown = [set(unknown_words(part, Vocabulary.of([row, *names]))) for row in texts]
            unsupported |= min(unknown, key=len, default=set(_words(part)))
    return {word for word in unsupported if word.casefold() not in MONTHS} if dates else unsupported


@lru_cache(10_000)
def _plainly_spelt(word: str) -> str:
    """Return a word as hasty people write it: without accents and hyphens."""
    word = word.replace("-", "")
    if word.isascii() or not _LATIN.search(word):
        return word
    bare = unicodedata.normalize("NFD", word.replace("ł", "l").replace("ı", "i"))
    return "".join(character for character in bare if not unicodedata.combining(character))


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    return WORD.findall(plain)


def _parts(word: str) -> list[str]:
    """Return the parts of "64-bit", "10pm" or "it's"; none of a simple word."""
    parts = [part for part in _PART.findall(word) if len(part) > 1 or part.isdigit()]
    return parts if parts != [word] else []


def _is_plain(word: str, languages: Iterable[str]) -> bool:
    """Whether a word says nothing by itself: a function word, a negation, a note's plain verb."""
    return is_turn(word) or any(
        all(stem in NOTE_STEMS for stem in stems(word, language=language))
        for language in {"en", *languages}
    )


def _is_known_run(word: str, known: frozenset[str]) -> bool:
    """Whether a run without spaces is made of known pieces; hiragana only inflects."""
    pieces = [stem for stem in stems(word) if not _HIRAGANA.fullmatch(stem)]
    return bool(pieces) and all(piece in known for piece in pieces)


def _is_typo(one: str, other: str, shared: int) -> bool:
    """Whether two long words differ by one letter, left out, put in or swapped."""
    if min(len(one), len(other)) < 5 or abs(len(one) - len(other)) > 1:
        return False
    suffix, rest_of_other = one[shared:], other[shared:]
    if len(one) == len(other):
        return suffix[1:2] == rest_of_other[:1] and suffix[2:] == rest_of_other[2:]
    longer, shorter = sorted((suffix, rest_of_other), key=len, reverse=True)
    return longer[1:] == shorter and len(shorter) > 0


def _is_date(word: str, memory: str, own: str, said_at: datetime | None) -> bool:
    """Whether a word of a memory is part of a date that can have been worked out."""
    bare = word.casefold()
    is_month = bare in MONTHS
    if not (is_month or _YEAR.fullmatch(bare) or _DAY.fullmatch(bare)):
        return False
    if _DAY.fullmatch(bare) and not any(MONTHS.get(token) for token in _words(memory)):
        return False
    if not _may_be_that_day(bare, own):
        return False
    if said_at is None:
        return TIMES.search(own) is not None
    if TIMES.search(own):
        return not _YEAR.fullmatch(bare) or _is_near(bare, own, said_at)
    today = {str(said_at.day), str(said_at.year), f"{said_at:%B}".casefold()}
    return bare in today or MONTHS.get(bare) == said_at.month


def _may_be_that_day(word: str, own: str) -> bool:
    """Whether a day may be meant where others are named: not Monday if it was to be Friday."""
    named = {weekday[:3] for weekday in WEEKDAY.findall(own)}
    if named and WEEKDAY.fullmatch(word):
        return word[:3] in named
    numbered = _ORDINAL.findall(own)
    is_day = _DAY.fullmatch(word) is not None and not TIMES_FROM_NOW.search(own)
    return not (numbered and is_day) or word.rstrip("stndrh") in numbered


def _is_near(year: str, own: str, said_at: datetime) -> bool:
    return (
        abs(int(year) - said_at.year) <= 1
        or re.search(r"year|jahr|\ban|año|лет|год", own) is not None
    )
