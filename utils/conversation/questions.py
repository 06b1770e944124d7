"""Find out what a question asks about, and which memories and sentences answer it. Pure.

It serves answers without a model: a question word picks the topic, then the words in common decide.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import pairwise

from utils.memory.extraction.clauses import is_given_name, words_of
from utils.memory.extraction.facts import Topic, is_one_of, week_of
from utils.memory.extraction.own_statements import (
    CODES,
    Statement,
    own_statements,
    statement_language,
)
from utils.memory.extraction.rule_extractor import statement_facts
from utils.models.memory import Form, Kind, Memory
from utils.nlp.languages import languages, shared_tables
from utils.nlp.stemming import query_stems, stems

MAX_ROWS = 500
TOPIC_WEIGHT = 1.5
CUE_WEIGHT = 1.0
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)*")
_ASKS_TIME = re.compile(r" (?:when|how long|since when|wann|wie lange|seit wann) ")
_ASKS_PAST = re.compile(
    r" (?:did i (?:\w+ )?(?:live|work|stay)|was i (?:living|working)|before|previously|used to"
    r"|moved? from|my (?:old|former|previous|last) (?:home|city|job|town)|früher|vorher|davor"
    r"|gewohnt|gelebt|gearbeitet) "
)
_TELLS_PAST = re.compile(
    r" (?:used to|lived|worked|was an?|moved from|left|before|previously|former\w*|früher|vorher"
    r"|damals|gewohnt|gelebt|gearbeitet|(?:weg)?gezogen|ehemalige\w*) "
)
_OF_OTHERS = frozenset((Topic.FAMILY, Topic.PETS))
_OF_AUTHOR = frozenset((Topic.HOME, Topic.ORIGIN, Topic.WORK, Topic.AGE, Topic.NAME))
_WITH_PAST = frozenset((Topic.HOME, Topic.WORK))
_IS_FROM = re.compile(r"(?:is from|kommt aus) ")
_TOPIC_WORDS = {
    Topic.WORK: ("occupations",),
    Topic.PETS: ("pets",),
    Topic.FAMILY: ("relatives", "relatives_plural"),
    Topic.POSSESSIONS: ("possessions",),
    Topic.SKILLS: ("instruments", "sports"),
    Topic.LANGUAGES: ("languages",),
    Topic.DIET: ("eaten",),
}


@dataclass(frozen=True, slots=True)
class Question:
    """What a message asks about its author.

    Attributes:
        language: ISO code of the answer: "en" or "de".
        topics: what it asks about.
        words: the stems that an answer may share with it.
        things: those that name no topic: "sushi" in "do I like sushi?".
        is_own: it asks about its author.
        is_about_kith: it asks about Kith: "do you like cats?", but not "do you know my cat?".
        asks_past: it asks for what was, such as a former home.
        asks_time: it asks when, or how long.
        asks_whether: it asks for yes or no.
        days: the first and the last day that it names, for plans.
    """

    language: str
    topics: frozenset[Topic]
    words: frozenset[str]
    things: frozenset[str]
    is_own: bool
    is_about_kith: bool = False
    asks_past: bool = False
    asks_time: bool = False
    asks_whether: bool = False
    days: tuple[date, date] | None = None


def parse_question(text: str, today: date) -> Question | None:
    """Return what a message asks; None if it asks nothing.

    ``today`` is the day in the server's time zone, for "next week".
    """
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not words:
        return None
    language = statement_language(text)
    if not is_question(text, language):
        return None
    folded = f" {' '.join(words)} ".replace(" have to ", " must ")
    topics = {
        topic
        for code in ("en", "de")
        for topic, phrases in _topic_phrases(code)
        if any(f" {phrase} " in folded for phrase in phrases)
    }
    is_on_diet = Topic.DIET in topics  # "vegan" answers "do I eat meat?"
    topics |= {
        topic
        for topic, fields in _TOPIC_WORDS.items()
        for code in ("en", "de")
        for field in fields
        if not getattr(words_of(code), field).isdisjoint(words)
    }
    if Topic.BIRTHDAY in topics:
        topics.discard(Topic.PLANS)  # "when is my birthday" asks for no plan
    asked = query_stems(text)
    found = frozenset(stem for alternatives in asked for stem in alternatives)
    named = _general_stems() | _topic_stems()
    things = [stem for options in asked if named.isdisjoint(options) for stem in options]
    return Question(
        language="de" if language == "de" else "en",
        topics=frozenset(topics),
        words=found - _general_stems(),
        things=frozenset(() if is_on_diet else things),
        is_own=any(not languages()[code].answers.own.isdisjoint(words) for code in CODES),
        is_about_kith=_is_about_kith(words),
        asks_past=bool(_ASKS_PAST.search(folded)),
        asks_time=bool(_ASKS_TIME.search(folded)),
        asks_whether=_asks_whether(words, language) and words[1] not in _YOU,
        days=_days(folded, today),
    )


def asks_to_tell(text: str) -> bool:
    """Whether a text without a question asks to be told something: "tell me about Sam"."""
    return (
        re.match(r"\W*(?:tell (?:me|us)|erzähle? (?:mir|uns))\b", text, re.IGNORECASE) is not None
    )


def asks_all(own_text: str, question: Question) -> bool:
    """Whether a question about a person names nothing: "who am I?", "what do you know of me?"."""
    is_who = re.match(r"\W*(?:who(?:['’]s)?\b|wer\b|was mache ich\W*\Z)", own_text, re.IGNORECASE)
    is_open = not (question.topics or question.things - frozenset(stems(" ".join(_OF_MEMORY))))
    return is_open or (is_who is not None and question.topics <= {Topic.NAME, Topic.PLANS})


def unknown_name(text: str, known_texts: Iterable[str]) -> str | None:
    """Return a common first name in a text that is in none of the known texts."""
    known = {word.casefold() for known in known_texts for word in _WORD.findall(known)}
    words = (word.removesuffix("'s").removesuffix("’s") for word in _WORD.findall(text)[1:])
    is_name = (word for word in words if word[:1].isupper() and is_given_name(word))
    return next((name for name in is_name if name.casefold() not in known), None)


def is_question(text: str, language: str) -> bool:
    """Whether a message asks something, with or without a question mark."""
    if re.search(r"[?？؟][\s\"'”»)]*$", text):
        return True
    words = [word.lower() for word in _WORD.findall(text)]
    spoken = words_of(language)
    words = words[next((i for i, word in enumerate(words) if word not in spoken.leads), 0) :]
    return bool(words) and (words[0] in spoken.questions or _asks_whether(words, language))


_YOU = frozenset(("you", "du", "ihr", "u"))
_YOURS = _YOU | frozenset(
    ("your", "yours", "yourself", "you're", "youre", "ur", "dein", "deine", "deiner", "deinen")
)
_OF_AUTHOR_TOO = frozenset(("me", "us", "mir", "mich", "uns"))  # "can you help me?"
_OF_MEMORY = frozenset(
    (
        *("know", "remember", "recall", "forget", "tell", "told", "note", "noted", "learn"),
        *("weißt", "weisst", "kennst", "erinnerst", "erinnere", "vergessen", "sag", "sagen"),
        *("gesagt", "gemerkt", "merkst"),
    )
)


def _is_about_kith(words: Sequence[str]) -> bool:
    """Whether a question asks about Kith itself, not about its author or what Kith knows."""
    asked_words = frozenset(words)
    own_words = frozenset[str]().union(*(languages()[code].answers.own for code in CODES))
    is_of_author = not asked_words.isdisjoint(own_words - _OF_AUTHOR_TOO)
    is_yours = not asked_words.isdisjoint(_YOURS)
    return is_yours and not is_of_author and asked_words.isdisjoint(_OF_MEMORY)


def _asks_whether(words: Sequence[str], language: str) -> bool:
    """Whether words ask for yes or no: a verb, then its subject."""
    spoken = words_of(language)
    subjects = spoken.first_person | _YOU
    verbs = spoken.inverted | spoken.own_verbs if language == "de" else spoken.inverted
    return words[0] in verbs and not subjects.isdisjoint(words[1:2])


@cache
def _general_stems() -> frozenset[str]:
    """Return stems that questions share with every answer: "what", "name", "much"."""
    return frozenset(stem for code in CODES for stem in languages()[code].answers.general)


@cache
def _topic_stems() -> frozenset[str]:
    """Return the stems of the words that name topics: "pet", "married"."""
    phrases = (phrases for code in ("en", "de") for _, phrases in _topic_phrases(code))
    return frozenset(stem for listed in phrases for phrase in listed for stem in stems(phrase))


@cache
def _topic_phrases(code: str) -> tuple[tuple[Topic, tuple[str, ...]], ...]:
    table = languages()[code].answers.topics
    split = {
        name: [" ".join(phrase.split()) for phrase in phrases.split(",")]
        for name, phrases in table.items()
    }
    return tuple((Topic(name), tuple(_both_orders(phrases))) for name, phrases in split.items())


def _both_orders(phrases: Iterable[str]) -> Iterator[str]:
    """Yield phrases, and those with "ich" at the end also as in "weißt du, wie ich heiße"."""
    for phrase in phrases:
        yield phrase
        words = phrase.split()
        if len(words) == 2 and words[1] == "ich":
            yield f"ich {words[0]}"


def _days(folded: str, today: date) -> tuple[date, date] | None:
    monday = week_of(today)
    tomorrow = today + timedelta(days=1)
    spans = {
        " next week ": (monday + timedelta(days=7), monday + timedelta(days=13)),
        " nächste woche ": (monday + timedelta(days=7), monday + timedelta(days=13)),
        " this week ": (today, monday + timedelta(days=6)),
        " diese woche ": (today, monday + timedelta(days=6)),
        " tomorrow ": (tomorrow, tomorrow),
        " morgen ": (tomorrow, tomorrow),
        " today ": (today, today),
        " heute ": (today, today),
    }
    return next((span for phrase, span in spans.items() if phrase in folded), None)


def matching_notes(question: Question, rows: Sequence[Memory]) -> list[Memory]:
    """Return the notes that answer a question, the best first; the newest of equals first.

    Args:
        question: what was asked.
        rows: what is known, newest first; quotes among them are left out.
    """
    scored = []
    for index, row in enumerate(rows[:MAX_ROWS]):
        is_past = bool(_TELLS_PAST.search(f" {row.text} "))
        if row.form is Form.NOTE and (is_past or not _asks_former(question)):
            score = _score(question, row)
            if score > 0:
                scored.append((-score, index, row))
    scored.sort(key=lambda item: item[:2])
    best = scored[0][0] if scored else 0.0
    chosen = [row for score, _, row in scored if score == best]
    if question.days is None:
        return chosen
    planned = [row for row in chosen if _is_within(row, question.days)]
    return planned or [row for row in chosen if row.kind is not Kind.TASK]


def _score(question: Question, row: Memory) -> float:
    said = set(stems(row.text))
    if not _names_subject(question, said):
        return 0.0  # "what is Tom allergic to?" does not ask for what the author is allergic to
    if question.topics <= _OF_OTHERS and question.things and question.things.isdisjoint(said):
        return 0.0  # a question about one person or pet is not about all of them
    shared = len(question.words & said)
    is_meant = not question.topics.isdisjoint(row.topics)
    if question.asks_whether and question.things:
        return len(question.things & said)  # pizza is no answer to "... sushi?"
    if question.topics and not is_meant and shared < 2 and row.topics and row.topics[0] in _TOPICS:
        return 0.0  # a note on something else, which has one word in common
    return shared + TOPIC_WEIGHT * is_meant


def _names_subject(question: Question, said: AbstractSet[str]) -> bool:
    """Whether words may answer a question: one that is not on its author names somebody else."""
    return question.is_own or not (question.words - _topic_stems()).isdisjoint(said)


_TOPICS = frozenset(str(topic) for topic in Topic)


def _is_within(row: Memory, days: tuple[date, date]) -> bool:
    """Whether a plan ends in the days that were asked for, as far as its end tells."""
    if row.kind is not Kind.TASK or row.expires_at is None:
        return False
    last = row.expires_at.date() - timedelta(days=1)
    return days[0] <= last <= days[1] + timedelta(days=1)


def asks_home(question: Question) -> bool:
    """Whether a question asks where its author lives now."""
    return Topic.HOME in question.topics and not _asks_former(question)


def origins(rows: Sequence[Memory]) -> list[Memory]:
    """Return the notes that say where somebody is from."""
    return [row for row in rows if row.form is Form.NOTE and _IS_FROM.match(row.text)]


def _asks_former(question: Question) -> bool:
    """Whether a question asks for a home or a job that somebody has no more."""
    return question.asks_past and not question.topics.isdisjoint(_WITH_PAST)


def best_sentence(
    question: Question, said: Sequence[tuple[str, date]], today: date, rows: Sequence[Memory] = ()
) -> tuple[int, str] | None:
    """Return the statement that shares most with a question, and the index of its message.

    The first message wins among equals. None if no statement shares a word or a topic.

    Args:
        question: what was asked.
        said: messages, each with the day on which it was said; plans that are over are left out.
        today: the day on which it is asked.
        rows: what is known; it tells a former home from the present one.
    """
    known = frozenset(row.text.casefold() for row in rows)
    best: tuple[float, int, str] | None = None
    for index, (text, day) in enumerate(said):
        for statement in own_statements(text):
            score = _sentence_score(question, statement, day)
            if score <= (best[0] if best else 0) or _is_over(statement, day, today):
                continue
            if not _asks_former(question) or _tells_former(question, statement, day, known):
                best = (score, index, statement.sentence)
    return None if best is None else best[1:]


def _sentence_score(question: Question, statement: Statement, said_on: date) -> float:
    said = set(stems(statement.sentence))
    if not _names_subject(question, said):
        return 0.0
    shared = len(question.words & said)
    if question.asks_whether and question.things:
        return shared
    facts = {fact.topic for fact in statement_facts(statement, said_on)}
    is_on_others = bool(facts) and facts <= _OF_OTHERS
    if is_on_others and shared < 2 and question.topics and question.topics <= _OF_AUTHOR:
        return 0.0  # "my sister lives in Cork" is no answer to "where do I live?"
    if not question.topics.isdisjoint(_topics_of(statement, said_on)):
        return shared + TOPIC_WEIGHT
    return shared + CUE_WEIGHT * (not question.topics.isdisjoint(_cued_topics(statement)))


def _tells_former(
    question: Question, statement: Statement, said_on: date, known: frozenset[str]
) -> bool:
    """Whether a sentence tells what was, or a home or job that is no longer known."""
    folded = f" {' '.join(word.lower() for word in _WORD.findall(statement.sentence))} "
    return bool(_TELLS_PAST.search(folded)) or any(
        fact.topic in question.topics and fact.text.casefold() not in known
        for fact in statement_facts(statement, said_on)
    )


def _cued_topics(statement: Statement) -> set[Topic]:
    """Return what the words of a sentence hint at, such as "moved" at a home."""
    words = [word.lower() for word in _WORD.findall(statement.sentence)]
    cued = {
        Topic(name)
        for code in ("en", "de")
        for name, cues in languages()[code].answers.cues.items()
        if not set(cues.split()).isdisjoint(words)
    }
    places = [word for before, word in pairwise(words) if before in ("from", "aus")]
    is_origin = any(is_one_of(place, shared_tables().places.known) for place in places)
    return cued | {Topic.ORIGIN} if is_origin else cued


def _is_over(statement: Statement, said_on: date, today: date) -> bool:
    """Whether a sentence tells a plan whose last day has passed."""
    facts = statement_facts(statement, said_on) if said_on < today else []
    return any(fact.until is not None and fact.until < today for fact in facts)


def _topics_of(statement: Statement, said_on: date) -> set[Topic]:
    """Return what a sentence is about, by its words and by the facts in it."""
    words = {word.lower() for word in _WORD.findall(statement.sentence)}
    facts = statement_facts(statement, said_on)
    return {fact.topic for fact in facts} | {
        topic
        for topic, fields in _TOPIC_WORDS.items()
        for code in CODES
        for field in fields
        if not getattr(words_of(code), field).isdisjoint(words)
    }
