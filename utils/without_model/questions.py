"""Read what a question is about: its things, its verbs, whom it asks about, and when. Pure.

What a question names must stand in the sentence that answers it, except its verb. Where the verb
stands follows from a few words of the language (`[answers]` in its file), not from a list of verbs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import date, datetime, tzinfo
from enum import Enum, auto
from functools import cache, lru_cache
from itertools import pairwise

from utils.memory.extraction.endings import coming
from utils.memory.extraction.own_statements import (
    WORD,
    certain_language,
    is_question,
    statement_language,
    tokens_of,
    words_in,
    words_of,
)
from utils.memory.recall.query import Query, related_stems
from utils.nlp.answer_types import AnswerType, expected_type, holds
from utils.nlp.dates.parser import DateRange
from utils.nlp.languages import languages, shared_tables
from utils.nlp.stemming import query_stems, stems

CLOSE = 0.5  # of matches: a sentence that is as close to the best answers too
MAX_FORMS = 20_000
MAX_KINDS = 4  # words
MIN_PART = 4  # letters of a word that may be part of a compound
RELATED = 0.75  # how well a synonym matches
MEMBER = 0.7  # how well a member of a category does, which anything may name
NO_STEMS: frozenset[str] = frozenset()


class QuestionKind(Enum):
    """What a question asks for: everything, what is to come, or what was said about something."""

    ALL = auto()
    COMING = auto()
    ABOUT = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: the stems that may stand for it, and what belongs to its category.

    Attributes:
        is_kind: it says which kind of thing is asked for, as in "what games do I play?".
        is_listed: its category has all things of this kind.
        related: stems of near synonyms. also: words that may stand for it, as they are spelt.
    """

    text: str
    stems: frozenset[str]
    members: frozenset[str] = NO_STEMS
    is_being: bool = False
    is_kind: bool = False
    is_listed: bool = False
    related: frozenset[str] = NO_STEMS
    also: frozenset[str] = NO_STEMS

    def matches(self, sentence: "SentenceWords") -> dict[int, float]:
        """Return the places in a sentence of what stands for the word: 1 for the word itself, less
        for what belongs to it and for German compounds."""
        places: dict[int, float] = {}
        heads = tuple(member for member in self.members if len(member) >= MIN_PART)
        for place, (token, forms) in enumerate(zip(sentence.tokens, sentence.forms, strict=True)):
            if not self.stems.isdisjoint(forms):
                places[place] = 1.0
                continue
            is_plural = token[-1:] in "ns" and len(token) > MIN_PART
            spellings = (token, token[:-1] if is_plural else token)
            is_compound = (
                not self.is_being and len(self.text) >= MIN_PART and token.endswith(self.text)
            )
            if not (self.related.isdisjoint(forms) and self.also.isdisjoint(spellings)) or (
                sentence.code == "de" and is_compound
            ):
                places[place] = RELATED
            elif not self.members.isdisjoint(spellings) or (
                sentence.code == "de" and token.endswith(heads)
            ):
                places[place] = MEMBER
        return places

    def match(self, sentence: "SentenceWords") -> float:
        """Return how well a sentence has the word, 0 if it does not."""
        return max(self.matches(sentence).values(), default=0.0)


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words of a sentence that may answer a question, with the people it begins with.

    ``forms``: of each word the forms under which a question may have it.
    """

    text: str
    code: str
    tokens: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    owners: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "SentenceWords":
        """Return the words of a sentence."""
        code = statement_language(text)
        tokens = tuple(tokens_of(text, code, with_fillers=True))
        kin = _beings(code)
        subject = [token.removesuffix("'s") for token in tokens[:3]]  # "my twin brother"
        is_subject = tokens and subject[0] in kin | languages()[code].answers.determiners
        holders = [t for token, t in zip(tokens, subject, strict=False) if token != t and t in kin]
        joined = languages()[code].dates.clock.joined_by
        is_joint = any(  # "my girlfriend Lisa and I"
            first in joined and second in words_of(code).speakers
            for first, second in pairwise(tokens[:5])
        )
        # "my boss's wife" is about the boss first
        owners = kin.intersection(holders or subject if is_subject and not is_joint else ())
        return cls(text, code, tokens, tuple(_forms(token, code) for token in tokens), owners)

    def has_only(self, place: int) -> bool:
        """Whether nothing beside a word can say which one it is: "on a tent", "my car died"."""
        words, spoken = languages()[self.code].answers, languages()[self.code].words
        before, after = self.tokens[max(0, place - 1) : place], self.tokens[place + 1 : place + 2]
        idle = words.general | words.determiners | spoken.stop_words
        rest = re.split(rf"(?i)\b{re.escape(self.tokens[place])}", self.text, maxsplit=1)[-1]
        is_named = holds(AnswerType.NAME, rest, self.code)  # "a dog named Rex"
        return not (is_named or spoken.stop_words.intersection(after)) and idle.issuperset(before)

    def has_name_after(self, place: int) -> bool:
        """Whether a name follows a word: "I play Catan". German writes all nouns so."""
        after = rf"(?i:\b{re.escape(self.tokens[place])}) (?:(?:the|an?|my|our) )?([A-Z]\w+)"
        names = map(str.casefold, re.findall(after, self.text))
        days = date_words(self.code)
        return self.code != "de" and any(days.isdisjoint((n, n.removesuffix("s"))) for n in names)


@dataclass(frozen=True, slots=True)
class Question:
    """What a question asks.

    Attributes:
        things: the words that an answer must have; verbs: those that it may have.
        expects: the kind of answer, if the words tell.
        days: the past days that it names. span: the days to come that it asks about.
        is_own: its author asks about themselves.
        is_to_kith: it speaks to Kith, and wants something else.
        asks_others: it asks which other members something is true of.
    """

    text: str
    kind: QuestionKind
    code: str
    things: tuple[Word, ...] = ()
    verbs: tuple[Word, ...] = ()
    expects: AnswerType | None = None
    days: tuple[DateRange, ...] = ()
    day_words: frozenset[str] = NO_STEMS
    span: tuple[date, date] | None = None
    is_own: bool = False
    is_to_kith: bool = False
    asks_age: bool = False
    asks_others: bool = False

    @property
    def topics(self) -> tuple[str, ...]:
        """What it may ask about, from all of its words to those that are names, or its last."""
        words = [word.text for word in (*self.verbs, *self.things)]
        names = [word for word in words if re.search(rf"(?<=\w\s){word.title()}\b", self.text)]
        topics = (" ".join(words), " ".join(names) or words[-1]) if words else ()
        return tuple(dict.fromkeys(topics))

    def match(self, sentence: SentenceWords, *, is_later: bool = False) -> float:
        """Return how well a sentence answers, 0 if it does not.

        ``is_later``: it only has to be about the same, not to hold the kind of answer.
        """
        if self.is_about_another(sentence):
            return 0.0
        verbs = [found for word in self.verbs for found in word.matches(sentence).items()]
        sure = {place for place, value in verbs if value == 1.0}  # "I read to her": no book
        has_name = any(sentence.has_name_after(place) for place in sure)

        def tells_which(place: int, value: float) -> bool:
            is_alone = value == 1.0 and not verbs and sentence.has_only(place)
            return place not in sure and not is_alone

        score, is_kind = float(bool(verbs)), False
        for word in self.things:
            places = list(word.matches(sentence).items())
            is_open = word.is_kind and not word.is_listed
            if is_open and not verbs and (self.verbs or is_later):
                places = [found for found in places if found[1] != MEMBER]  # no other city
            values = (value for k, value in places if not word.is_kind or tells_which(k, value))
            match = max(values, default=0.0)
            is_told = has_name or (verbs and len(self.things) > 1)
            if not match and not (is_open and is_told):
                return 0.0
            score += match
            is_kind |= bool(is_open and match and verbs)  # "I love Italy" tells which country
        told = f"{sentence.text} {' '.join(sentence.tokens)}"
        is_kind |= holds(self.expects, told, sentence.code)
        is_of_being = all(word.is_being for word in self.things)  # also without things
        is_typed = self.expects is not None and is_kind and self.things
        days = self.day_words & _day_names(self.code)
        is_dated = not days.isdisjoint(token[:3] for token in sentence.tokens)
        has_verb = not self.verbs or verbs or is_typed or not is_of_being or is_dated
        if not (self.things or self.verbs or self.days) or not has_verb:
            return 0.0
        return max(score, 0.1) if is_kind or is_later else 0.0

    def is_about_another(self, sentence: SentenceWords) -> bool:
        """Whether a question of its author's own matters is not about whom a sentence is about."""
        return self.is_own and bool(sentence.owners) and not any(map(self._names, sentence.owners))

    def _names(self, being: str) -> bool:
        """Whether the question names a person or an animal, or the kind that they belong to."""
        words = SentenceWords(being, self.code, (being,), (_forms(being, self.code),), NO_STEMS)
        return any(word.match(words) for word in (*self.things, *self.verbs))


def parse_question(
    text: str, names: Iterable[str], now: datetime, zone: tzinfo, before: str | None = None
) -> Question | None:
    """Return what a message asks, or None if it asks nothing.

    ``names`` of the people whom the answer concerns stand in no answer of theirs. ``before``: the
    language of the talk, for a message that may be in several.
    """
    code = certain_language(text) or before or statement_language(text)
    words, spoken = languages()[code].answers, words_of(code)
    for phrase, usual in words.idioms.items():
        text = re.sub(rf"\b{phrase}\b", usual, text, flags=re.IGNORECASE)
    lines = reversed(re.findall(r"[^.!?\n]+[.!?]*", text))
    line = next((line for line in lines if WORD.search(line) and is_question(line)), "")
    folded = f" {' '.join(words_in(line or text))} "
    every, ahead, reason = (
        next((f" {phrase} " for phrase in phrases if f" {phrase} " in folded), "")
        for phrases in (words.asks_all, words.asks_coming, words.asks_why)
    )
    if not line and not (every and folded.split()[0] in spoken.commands):
        return None
    clause = folded.partition(reason or every)[2] if reason or every else line
    clause = folded.replace(ahead, " ") if ahead else clause
    name_words = {word for name in names for word in words_in(name)}
    others = next((phrase for phrase in words.asks_others if has_in_order(phrase, folded)), "")
    if others and spoken.first_person.isdisjoint(folded.split()):
        clause = " ".join(word for word in folded.split() if word not in others.split())
    tokens = [token.removesuffix("'s") for token in tokens_of(clause, code, with_fillers=True)]
    kinds = list(_kind_places(tokens, code))
    verbs = set(_verb_places(tokens, code, kinds[-1:]))
    things: list[Word] = []
    optional: list[Word] = []
    query = Query.of(f"{clause}?", (), (), now, zone)
    idle = words.general | spoken.questions | spoken.which | date_words(code) | name_words
    for place, token in enumerate(tokens):
        word = _word(token, code, is_kind=place in kinds) if token not in idle else None
        if word is not None:
            (optional if place in verbs else things).append(word)
    span = _span(line, code, now, zone)
    expected = expected_type(clause)  # none of "why do you think …"
    if any(word.is_kind and word.members >= shared_tables().places.known for word in things):
        expected = expected or AnswerType.PLACE
    is_day_named = span is not None and expected is not AnswerType.TIME  # "what day is it today?"
    is_coming = not things and (is_day_named or bool(ahead))
    asks_age = not things and not words.asks_age.isdisjoint(tokens)
    own_part = clause if every else line
    is_own = not spoken.first_person.intersection(tokens_of(own_part, code)) <= words.objects
    is_to_kith = not (is_own or languages()[code].words.second_person.isdisjoint(words_in(text)))
    is_unnamed = name_words.isdisjoint(tokens)
    is_open = not (things or optional or query.days or asks_age)
    if is_open and (every or not (is_own or expected or is_unnamed)):  # "who is Sam?"
        return Question(text, QuestionKind.ALL, code, is_own=is_unnamed)
    if is_open:  # "where am I from?"
        idle, members = spoken.questions | spoken.speakers | words.auxiliaries, _members(code)
        content = [token for token in tokens if token not in idle | words.determiners]
        things = [
            Word(t, frozenset([t]), members.get(t, NO_STEMS), also=_also(code).get(t, NO_STEMS))
            for t in content
        ]
    return Question(
        text,
        QuestionKind.COMING if is_coming else QuestionKind.ABOUT,
        code,
        tuple(things),
        tuple(optional),
        expected,
        () if is_coming else query.days,
        frozenset(token[:3] for token in tokens if token in date_words(code)),
        span or (now.astimezone(zone).date(), date.max) if is_coming else None,
        is_own,
        is_to_kith,
        asks_age,
        bool(others) and not is_own,
    )


def has_in_order(phrase: str, text: str) -> bool:
    """Whether a text has the words of a phrase in their order, with at most two others between."""
    gap = r"(?: \S+){0,2} "
    return re.search(rf"(?<!\S){gap.join(map(re.escape, phrase.split()))}(?!\S)", text) is not None


def _word(token: str, code: str, *, is_kind: bool) -> Word | None:
    """Return a word of a question with its near synonyms; None if it has no content."""
    options = query_stems(token, language=code)
    if not options:
        return None
    spoken = words_of(code)
    singular = token.removesuffix("s")  # "Hobbys": the German stemmer keeps this ending
    names = {options[0][0], token, singular}
    members = frozenset[str]().union(*(_members(code).get(name, NO_STEMS) for name in names))
    if len(members & spoken.pets) > 2 and token not in spoken.pets:
        members |= spoken.pets  # "pet", "Haustier"
    if len(members & shared_tables().places.known) > 2:
        members |= shared_tables().places.known  # "city", "Land"
    is_being = token in spoken.relatives or token in shared_tables().names.given
    own = frozenset((*options[0], *_forms(token, code)))
    is_listed = singular in languages()[code].answers.listed
    also = frozenset[str]().union(*(_also(code).get(name, NO_STEMS) for name in names))
    related = related_stems(options[0], code)
    return Word(token, own, members, is_being, is_kind, is_listed, related, also)


@cache
def _beings(code: str) -> frozenset[str]:
    """Return the words for relatives, friends and pets."""
    return words_of(code).relatives | words_of(code).pets


@lru_cache(maxsize=MAX_FORMS)
def _forms(token: str, code: str) -> frozenset[str]:
    """Return the forms under which a word is found."""
    return frozenset((token, token.removesuffix("s"), *stems(token, language=code)))


@cache
def _members(code: str) -> Mapping[str, frozenset[str]]:
    """Return the words that belong to each category, and that may stand for other words."""
    members: dict[str, frozenset[str]] = {}
    language = languages()[code]
    for names, words in language.search.categories.items():
        for name in (*names.split(), *stems(names, language=code)):
            members[name] = members.get(name, NO_STEMS) | frozenset(words.split())
    return members


@cache
def _also(code: str) -> Mapping[str, frozenset[str]]:
    """Return the words that may stand for other words, with what belongs to these."""
    also: dict[str, frozenset[str]] = {}
    for names, words in languages()[code].answers.also.items():
        of_named = (_members(code).get(word, NO_STEMS) for word in words.split())
        every = frozenset(words.split()).union(*of_named)
        for name in names.split():
            also[name] = also.get(name, NO_STEMS) | every
    return also


@cache
def _day_names(code: str) -> frozenset[str]:
    """Return the first three letters of the months and the days of the week."""
    dates = languages()[code].dates
    return frozenset(word[:3] for row in (*dates.months, *dates.weekdays) for word in row)


@cache
def date_words(code: str) -> frozenset[str]:
    """Return the words of a language that place a text in time."""
    dates = languages()[code].dates
    rows = (word for row in (*dates.months, *dates.weekdays) for word in row)
    units = frozenset[str]().union(*astuple(dates.units))
    return dates.time_words | dates.weekends | dates.next | dates.this | units | frozenset(rows)


def _kind_places(tokens: Sequence[str], code: str) -> Iterator[int]:
    """Yield the places of the words that say which kind of thing a question asks for.

    They stand between "which" or "what" and an auxiliary verb; it is one word before others.
    """
    spoken, words = words_of(code), languages()[code].answers
    first = next((i + 1 for i, token in enumerate(tokens) if token in words.kind_after), 0)
    auxiliaries = spoken.inverted | words.auxiliaries
    articles = words.determiners - spoken.first_person
    first += not articles.isdisjoint(tokens[first : first + 1])  # "was für ein Auto"
    ends = (i for i in range(first, len(tokens))[:MAX_KINDS] if tokens[i] in auxiliaries)
    is_kind = first and spoken.first_person.isdisjoint(tokens[first : first + 1])
    yield from range(first, next(ends, first + 1)) if is_kind else ()


def _verb_places(tokens: Sequence[str], code: str, kinds: Sequence[int]) -> Iterator[int]:
    """Yield the places of the verbs of a question, as far as the words before them tell.

    ``kinds``: the place of the last word that says which kind of thing it asks for, if any does.
    """
    words, stop_words = languages()[code].answers, languages()[code].words.stop_words
    for place, token in enumerate(tokens):
        following = tokens[place + 1 : place + 2]
        is_before_subject = token in words.subject_after and words.verb_after.isdisjoint(following)
        if token in words.verb_after or place in kinds or is_before_subject:
            idle = words.general | (words.determiners if is_before_subject else NO_STEMS)
            places = [i for i in range(place + 1, len(tokens)) if tokens[i] not in idle]
            for verb in places[is_before_subject:][:1]:  # "does my sister study"
                if tokens[verb] not in stop_words:
                    yield verb


def _span(text: str, code: str, now: datetime, zone: tzinfo) -> tuple[date, date] | None:
    """Return the days to come that a question asks about, or None if it names none."""
    today, tokens = now.astimezone(zone).date(), set(words_in(text))
    is_today = any(set(phrase.split()) <= tokens for phrase in languages()[code].dates.today)
    return coming(text, now, zone) or ((today, today) if is_today else None)
