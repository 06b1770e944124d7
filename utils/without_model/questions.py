"""Read what a question is about: its things, its verbs, whom it asks about, and when. Pure.

A sentence answers if it has its things, or what may stand for them, and the kind it expects.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from functools import cache
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
from utils.nlp.answer_types import TIME_WORDS, AnswerType, expected_type, holds
from utils.nlp.dates.parser import mentioned_dates
from utils.nlp.dates.ranges import DateRange
from utils.nlp.languages import languages, shared_tables
from utils.nlp.phrase_matcher import in_usual_words
from utils.nlp.stemming import forms_of, query_stems, stems

CLOSE = 0.5  # of matches: a sentence that is as close to the best answers too
MIN_PART = 4  # letters of a word that may be part of a compound
RELATED = 0.75  # how well another word matches that may stand for it
LEAST = 0.1  # of a match, for a question of a day that names nothing else
NO_STEMS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question.

    ``kin`` may stand for it, such as "landlord" for "live"; two words in a row are joined by "+".
    ``needs_verb``: it names a person, who is no answer without the verb. ``is_kind``: it only says
    of what kind the answer is, as in "which voice".
    """

    text: str
    stems: frozenset[str]
    kin: frozenset[str] = NO_STEMS
    needs_verb: bool = False
    is_kind: bool = False

    def match(self, sentence: "SentenceWords") -> float:
        """Return how well a sentence has the word: 1, less for its kin, 0 if it does not."""
        if not self.stems.isdisjoint(sentence.forms):
            return 1.0
        words = (self.text, *self.kin) if sentence.code == "de" and not self.needs_verb else ()
        parts = tuple(word for word in words if len(word) >= MIN_PART)
        own = parts[:1] if self.text in parts else ()
        is_compound = any(t.endswith(parts) or t.startswith(own) for t in sentence.tokens)
        return RELATED if is_compound or not self.kin.isdisjoint(sentence.forms) else 0.0


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words of a sentence that may answer a question, with the people it begins with.

    ``forms``: those of its words, and its pairs of words, in which numbers are "0".
    """

    text: str
    code: str
    tokens: tuple[str, ...]
    forms: frozenset[str]
    owners: frozenset[str]

    @property
    def refers_back(self) -> bool:
        """Whether it has a pronoun for something said before: "it"."""
        pronouns = words_of(self.code).refers_back - languages()[self.code].answers.determiners
        return not pronouns.isdisjoint(self.tokens)

    @classmethod
    def of(cls, text: str) -> "SentenceWords":
        """Return the words of a sentence."""
        code = statement_language(text)
        usual_text = in_usual_words(text, languages()[code].answers.idioms)
        tokens = tuple(tokens_of(usual_text, code, with_fillers=True))
        pairs = map("+".join, pairwise("0" if token.isdigit() else token for token in tokens))
        forms = frozenset(pairs).union(*(forms_of(token, code) for token in tokens))
        beings = words_of(code).relatives | words_of(code).pets
        first = [token.removesuffix("'s") for token in tokens[:3]]  # "my twin brother"
        holders = beings.difference(tokens).intersection(first)  # "my boss's wife"
        is_subject = first and first[0] in beings | languages()[code].answers.determiners
        is_with = not words_of(code).speakers.isdisjoint(tokens[:5])  # "my sister Eva and I"
        owners = holders or beings.intersection(first if is_subject and not is_with else ())
        return cls(text, code, tokens, forms, owners)


@dataclass(frozen=True, slots=True)
class Question:
    """What a question asks.

    Attributes:
        things: the words that an answer must have; verbs: those that it may have.
        expects: the kind of answer, if the words tell. days: the past days that it names.
        span: the days to come that it asks about. is_own: its author asks about themselves.
        is_of_another: it asks about "her". names: of whom it concerns.
        asks_others: which other members something is true of.
    """

    text: str
    code: str
    things: tuple[Word, ...] = ()
    verbs: tuple[Word, ...] = ()
    expects: AnswerType | None = None
    days: tuple[DateRange, ...] = ()
    day_words: frozenset[str] = NO_STEMS
    span: tuple[date, date] | None = None
    is_of_everything: bool = False
    is_own: bool = False
    is_of_another: bool = False
    names: frozenset[str] = NO_STEMS
    is_to_kith: bool = False
    asks_others: bool = False

    @property
    def topics(self) -> tuple[str, ...]:
        """What it may ask about, from all of its words to those that are names, or its last."""
        words = [word.text for word in (*self.verbs, *self.things)]
        names = [word for word in words if re.search(rf"(?<=\w\s){word.title()}\b", self.text)]
        return (" ".join(words), " ".join(names) or words[-1]) if words else ()

    def match(self, sentence: SentenceWords, *, is_later: bool = False) -> float:
        """Return how well a sentence answers, 0 if it does not.

        ``is_later``: it only has to be about the same, not to hold the kind of answer.
        """
        things = [word.match(sentence) for word in self.things]
        verb = max((word.match(sentence) for word in self.verbs), default=0.0)
        needed = [word.match(sentence) for word in self.things if not word.is_kind]
        has_things = all(needed if needed or verb == 1.0 else things)  # "which voice do I sing?"
        is_named = bool(self.things or self.verbs or self.days or self.day_words)
        lacks_verb = self.verbs and not verb and all(word.needs_verb for word in self.things)
        if not (is_named and has_things) or lacks_verb or self.is_about_another(sentence):
            return 0.0
        is_told = is_later or holds(self.expects, sentence.text, sentence.code)
        return sum(things) + verb + LEAST if is_told else 0.0

    def is_dated(self, sentence: SentenceWords) -> bool:
        """Whether a sentence names a day or time that it names, in full or in short."""
        words = set(sentence.tokens) - languages()[sentence.code].words.stop_words  # "die"
        named = (word[:6] for word in words if len(word) > 2)  # "Freitagabend", not "Freiburg"
        return any(day.startswith(word) for word in named for day in self.day_words)

    def goes_on(self, sentence: SentenceWords, keys: Sequence[Word]) -> bool:
        """Whether a sentence goes on from one that has the words ``keys``, or is about the same."""
        lead = languages()["de"].dates.articles  # before the last part of a compound
        heads = tuple(w for a, w in pairwise(sentence.tokens) if a in lead and len(w) > MIN_PART)
        words = (*(Word(word.text, word.stems) for word in self.things), *keys)
        about = any(word.match(sentence) or word.text.endswith(heads) for word in words)
        start = SentenceWords.of(" ".join(sentence.tokens[:2]))  # "wedding is off" of a marriage
        is_same = self.match(start if self.things else sentence, is_later=True) > LEAST
        pronouns = languages()[sentence.code].answers.others  # "they moved it", "Leo moved out"
        widened = replace(self, names=self.names.union(pronouns, (key.text for key in keys)))
        return (about or is_same) and not widened.is_about_another(sentence)

    def is_about_another(self, sentence: SentenceWords) -> bool:
        """Whether a sentence is about somebody whom the question does not name."""
        own, tokens = words_of(sentence.code).first_person, sentence.tokens
        is_mine = any(f"{my}+{word.text}" in sentence.forms for my in own for word in self.things)
        if any(not word.text for word in self.things):  # of Bob, not "I like Bob", "my dog bit Bob"
            return is_mine or not words_of(sentence.code).speakers.isdisjoint(tokens[:1])
        if is_mine or not self.is_own:  # not "mum moved my curfew"
            return (  # "where does she work?", "I work in a bakery"
                (self.is_of_another and not self.is_own)
                and not (own.isdisjoint(tokens) or sentence.owners)
            )
        words = languages()[sentence.code].answers
        others = (words.others | shared_tables().names.given) - self.names
        is_long = not words.determiners.isdisjoint(tokens[:1])  # "our GM Sven is allergic"
        last = None if is_long or self.things else 3
        is_third = (own | words.objects).isdisjoint(tokens[is_long:last])  # not "Rachel and I"
        is_pet = any(w.needs_verb or w.text in words_of(self.code).pets for w in self.things)
        subject = tokens[: 1 + 2 * is_long] if is_third and not is_pet else ()
        holders = {  # "Ben's wife"
            token[:-2]
            for word in self.things
            for token in tokens
            if word.needs_verb and token.endswith("'s")
            if f"{token}+{word.text}" in sentence.forms
        }
        owners = sentence.owners | holders or others.intersection(subject)
        return bool(owners) and not any(
            not (word.stems | word.kin).isdisjoint(forms_of(being, self.code))
            for word in (*self.things, *self.verbs) for being in owners
        )  # fmt: skip


def parse_question(
    text: str, names: Sequence[str], now: datetime, zone: tzinfo, before: str | None = None
) -> Question | None:
    """Return what a message asks, or None if it asks nothing.

    ``names`` of those whom the answer concerns, the asker first, stand in no answer of theirs.
    ``before``: the language of the talk, for a message that may be in several.
    """
    code = certain_language(text) or before or statement_language(text)
    words, spoken = languages()[code].answers, words_of(code)
    text = in_usual_words(text, words.idioms)
    last_first = re.findall(r"[^.!?\n]+[.!?]*", text)[::-1]
    lines = sorted(last_first, key=lambda line: ("?" not in line, not is_question(line)))
    asking = (line for line in lines if is_question(line) or may_ask(line, code))
    line = next(filter(WORD.search, asking), "")
    folded = f" {' '.join(words_in(line or text))} "
    every, ahead, reason = (
        next((f" {phrase} " for phrase in phrases if f" {phrase} " in folded), "")
        for phrases in (words.asks_all, words.asks_coming, words.asks_why)
    )
    if not line and not (every and folded.split()[0] in spoken.commands):
        return None
    clause = folded.partition(reason or every)[2] if reason or every else line
    clause = folded.replace(ahead, " ") if ahead else clause
    name_words = frozenset(f"{w}{s}" for name in names for w in words_in(name) for s in ("", "s"))
    gap = r"(?: \S+){0,2} "  # at most two others stand between the words of such a phrase
    patterns = {p: rf"(?<!\S){gap.join(p.split())}(?!\S)" for p in words.asks_others}
    others = next((p for p, pattern in patterns.items() if re.search(pattern, folded)), "")
    if others and spoken.first_person.isdisjoint(folded.split()):
        clause = " ".join(word for word in folded.split() if word not in others.split())
    tokens = tokens_of(clause, code, with_fillers=True)
    places = set(_verb_places(tokens, code, name_words, is_clause=bool(every)))
    tokens = [token.removesuffix("'s") for token in tokens]
    things: list[Word] = []
    verbs: list[Word] = []
    query = Query.of(f"{clause}?", (), (), now, zone)
    idle = words.general | spoken.questions | spoken.which | TIME_WORDS | name_words
    for place, token in enumerate(tokens):
        word = _word(token, code) if token not in idle else None
        is_after_kind = bool(things and things[-1].is_kind and things[-1].text == tokens[place - 1])
        is_kind = place and (tokens[place - 1] in spoken.which or is_after_kind)
        if word is not None and is_kind and (is_after_kind or not word.kin):
            word = replace(word, is_kind=True)  # "which football team"
        if word is not None and place in places and code == "de":  # "kocht" of "ich koche"
            word = replace(word, stems=word.stems | forms_of(token.removesuffix("t"), code))
        is_other = not words.alternatives.isdisjoint(tokens[max(place - 2, 0) : place])
        if word is not None and things and is_other:  # "tea or coffee"
            first = things.pop()
            word = replace(first, stems=first.stems | word.stems, kin=first.kin | word.kin)
        if word is not None:
            (verbs if place in places else things).append(word)
    today, line_words = now.astimezone(zone).date(), set(words_in(line))
    today_phrases = next(iter(languages()[code].dates.days_ahead), ())
    is_today = any(set(phrase.split()) <= line_words for phrase in today_phrases)
    span = coming(line, now, zone) or ((today, today) if is_today else None)
    expected = expected_type(clause)  # none of "why do you think …"
    is_day_named = span is not None and expected is not AnswerType.TIME  # "what day is it today?"
    is_coming = not things and (is_day_named or bool(ahead))
    speakers = spoken.first_person.intersection(tokens_of(clause if every else line, code))
    is_own = not speakers <= words.objects
    is_to_kith = not (is_own or is_coming) and _is_to_listener(tokens, code)
    is_unnamed = name_words.isdisjoint(tokens)
    is_choice = any(word.text in words.places for word in things)  # "which city do I live in?"
    if verbs and is_choice and not (spoken.which | spoken.questions).isdisjoint(tokens):
        things = [word for word in things if word.text not in words.places]
        expected = expected or AnswerType.PLACE
    is_open = not (things or verbs or query.days)
    if is_open and (every or not (is_own or expected or is_unnamed or is_coming)):  # "who is Sam?"
        of = languages()[code].words.stop_words - words.listener - words.auxiliaries
        of_me = not is_unnamed and any(b in of and w in words.objects for b, w in pairwise(tokens))
        asker = [Word(w, frozenset([w])) for w in words_in("".join(names[:1]))[:1] if of_me]
        return Question(text, code, (*asker,), is_of_everything=not asker, is_own=is_unnamed)
    if is_open:  # "where am I from?"
        things = [Word(t, frozenset([t]), kin) for t in tokens if (kin := _kin(code).get(t))]
    return Question(
        text,
        code,
        tuple(things),
        tuple(verbs),
        expected,
        () if is_coming else query.days,
        frozenset(
            t for t in tokens if t.removesuffix("s") in TIME_WORDS or mentioned_dates(t, now, zone)
        ),
        span or (today, date.max) if is_coming else None,
        is_own=is_own,
        is_of_another=not words.others.isdisjoint(tokens),
        names=name_words,
        is_to_kith=is_to_kith,
        asks_others=bool(others) and not is_own,
    )


def may_ask(text: str, code: str) -> bool:
    """Whether it begins with a verb and "I": "wohn ich noch hier", "is my arm ok"; not "had my"."""
    spoken, words = words_of(code), languages()[code].answers
    first, second = (*tokens_of(text, code, with_fillers=True), "", "")[:2]
    is_mine = second in spoken.first_person - spoken.speakers and first not in spoken.own_verbs
    is_end = second in spoken.speakers or first.endswith("t")
    is_verb = bool(words.verb_before) and is_end and first not in spoken.leads  # "hallo ich"
    return (is_mine or second in spoken.speakers) and (first in words.auxiliaries or is_verb)


def _is_to_listener(tokens: Sequence[str], code: str) -> bool:
    """Whether words ask about the listener, other than "do you know", "kennst du"."""
    words = languages()[code].answers
    padded, beside = ["", *tokens, ""], -1 if words.verb_before else 1
    return any(
        token in words.listener and padded[i + beside] not in words.general - words.auxiliaries
        for i, token in enumerate(padded)
    )


def _word(token: str, code: str) -> Word | None:
    options = query_stems(token, language=code)
    if not options:
        return None
    related, is_person = related_stems(options[0], code), token in words_of(code).relatives
    kin = related.union(*(_kin(code).get(name, NO_STEMS) for name in (token, options[0][0])))
    own = frozenset((*options[0], *forms_of(token, code), *(related if is_person else ())))
    if token in languages()[code].answers.places:
        kin |= shared_tables().places.known
    return Word(token, own, kin, is_person)


@cache
def idle_words(code: str) -> frozenset[str]:
    """Return the words and stems of a language that no other sentence goes on from."""
    verbs = stems(" ".join(words_of(code).own_verbs), language=code)
    language, past = languages()[code], words_of(code).past
    return language.answers.general | language.words.negations | past | TIME_WORDS | {*verbs}


@cache
def _kin(code: str) -> Mapping[str, frozenset[str]]:
    kin: dict[str, frozenset[str]] = {}
    language = languages()[code]
    for names, words in (*language.search.categories.items(), *language.answers.also.items()):
        single = " ".join(word for word in words.split() if "+" not in word)
        long_stems = (stem for stem in stems(single, language=code) if len(stem) > MIN_PART)
        of_words = frozenset((*words.split(), *long_stems))
        for name in (*names.split(), *stems(names, language=code)):
            kin[name] = kin.get(name, NO_STEMS) | of_words
    return kin


def _verb_places(
    tokens: Sequence[str], code: str, names: frozenset[str], *, is_clause: bool
) -> Iterator[int]:
    """Yield the places of the verbs; in a German clause after "weißt du" the verb comes last."""
    words = languages()[code].answers
    subjects = words.verb_before and words.verb_before | names
    for place, token in enumerate(tokens):
        rest = [i for i in range(place + 1, len(tokens)) if tokens[i] not in words.general]
        if not subjects.isdisjoint(tokens[place + 1 : place + 2]):
            yield place
        elif token in words.verb_after:
            yield from rest[-1:] if code == "de" and is_clause else rest[:1]
        elif token in words.subject_after:  # "does my sister study", "does Tom's wife"
            owners = {other for other in tokens if other.endswith("'s")}
            yield from [i for i in rest if tokens[i] not in words.determiners | owners][1:2]
