"""Find out what a question asks about. Pure.

It serves answers without a model; question_matching finds what answers it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

from utils.common.text import WORD
from utils.memory.extraction.clauses import is_given_name, words_of
from utils.memory.extraction.facts import Topic, week_of
from utils.memory.extraction.own_statements import CODES, asks_which, statement_language
from utils.memory.recall.query import related_stems
from utils.nlp.answer_types import AnswerType, expected_type
from utils.nlp.languages import languages
from utils.nlp.stemming import STOP_WORDS, query_stems, stems

_ASKS_TIME = re.compile(r" (?:when|how long|since when|wann|wie lange|seit wann) ")
_ASKS_PAST = re.compile(
    r" (?:did i (?:\w+ )?(?:live|work|stay)|was i (?:living|working)|before|previously|used to"
    r"|moved? from|my (?:old|former|previous|last) (?:home|city|job|town)|früher|vorher|davor"
    r"|gewohnt|gelebt|gearbeitet) "
)
WHAT_I_DO = re.compile(r" what (?:do i|did i|does i) do $")
_WHAT_THEY_DO = re.compile(
    r" what(?: does|'s|s) (?:\S+ ){1,3}do(?: for (?:work|a living))? $|"
    r" was (?:macht|arbeitet) (?:\S+ ){1,3}?(?:beruflich |so )?$"
)
_FEELINGS = frozenset((Topic.LIKES, Topic.DISLIKES))
_FAVOURITES = frozenset((Topic.FAVOURITES, Topic.LIKES))
_ELLIPTIC = re.compile(
    r"\W*(?:(?:and|so|und)\W+)?(?:(?:at |on )?(?:what|which) (?:time|day|date)|when|where|why|"
    r"(?:since|till|until) when|how long|with who(?:m)?|who with|wann|wo|wohin|warum|mit wem|"
    r"(?:seit|bis) wann|wie lange|um wie ?viel uhr|an welchem tag)(?: (?:exactly|genau))?\W*",
    re.IGNORECASE,
)
_AND_SUBJECT = re.compile(
    r"\W*(?:and|und|what about|how about|was ist mit)(?: [^\W_]+(?:['’]\w+)?){1,3}\s*\?+\s*",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:she|he|her|his|him|er|sie|ihn|ihm|ihre?|seine?)\b", re.IGNORECASE)
_BROAD_TOPICS = frozenset((Topic.POSSESSIONS, Topic.SKILLS))  # "do I have ...?", "can I ...?"
TOPIC_WORDS = {
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
        named_topics: those of which it names a thing: "cat" is of the pets.
        weak_topics: those that count only for an answer that shares a word with it.
        words: each with the stems by which an answer may share it: its own and related ones.
        things: those that name no topic: "sushi" in "do I like sushi?".
        is_own: it asks about its author.
        is_about_kith: it asks about Kith: "do you like cats?", but not "do you know my cat?".
        asks_past: it asks for what was, such as a former home.
        asks_time: it asks when, or how long.
        asks_whether: it asks for yes or no.
        of_others: the words beside those for somebody's relative or pet, which an answer on them
            must share: "breed" in "what breed is my dog?"; None if it names no relative or pet.
        asks_who: it asks who somebody is.
        asks_deed: it asks what another person does.
        answer_type: the kind of answer that it expects, such as a number.
        days: the first and the last day that it names, for plans.
        is_foreign: it is in a language whose topics are not known.
    """

    language: str
    topics: frozenset[Topic]
    named_topics: frozenset[Topic]
    weak_topics: frozenset[Topic]
    words: tuple[frozenset[str], ...]
    things: tuple[frozenset[str], ...]
    is_own: bool
    is_about_kith: bool
    asks_past: bool
    asks_time: bool = False
    asks_whether: bool = False
    of_others: tuple[frozenset[str], ...] | None = None
    asks_who: bool = False
    asks_deed: bool = False
    answer_type: AnswerType | None = None
    days: tuple[date, date] | None = None
    is_foreign: bool = False

    @property
    def asks_former(self) -> bool:
        """Whether it asks for a home or a job that somebody has no more."""
        return self.asks_past and not self.topics.isdisjoint((Topic.HOME, Topic.WORK))

    @property
    def asks_home(self) -> bool:
        """Whether it asks where its author lives now."""
        return Topic.HOME in self.topics and not self.asks_former


def parse_in_turn(texts: Iterable[str], today: date) -> Question | None:
    """Return what the last of a member's messages asks, as it is meant after those before it."""
    question: Question | None = None
    for text in texts:
        previous, question = question, parse_question(text, today)
        if question is not None and previous is not None:
            question = _in_context(question, text, previous)
    return question


def _in_context(question: Question, text: str, previous: Question) -> Question:
    """Return a question as it is meant after the one before it.

    "When?" asks that of the same thing, "and my brother?" the same of somebody else, and "how old
    is she?" asks of whom the one before it was about.
    """
    if _ELLIPTIC.fullmatch(text):
        kind = question.answer_type
        asks_time = question.asks_time or kind is AnswerType.TIME
        return replace(previous, answer_type=kind, asks_time=asks_time, asks_whether=False)
    if _AND_SUBJECT.fullmatch(text):
        return replace(
            question,
            topics=question.topics | (previous.topics - previous.named_topics),
            answer_type=previous.answer_type,
            asks_time=previous.asks_time,
        )
    if _PRONOUN.search(text) and not (question.is_own or question.is_about_kith):
        return replace(
            question,
            topics=question.topics | previous.named_topics,
            named_topics=question.named_topics | previous.named_topics,
            words=(*question.words, *previous.things),
            things=(*question.things, *previous.things),
            of_others=(*question.things, *(previous.of_others or ())),
            is_own=previous.is_own,
            asks_whether=False,
        )
    return question


def parse_question(text: str, today: date) -> Question | None:
    """Return what a message asks; None if it asks nothing.

    ``today`` is the day in the server's time zone, for "next week".
    """
    words = [word.lower().replace("’", "'") for word in WORD.findall(text)]
    if not words:
        return None
    language = statement_language(text)
    if not is_question(text, language):
        return None
    folded = f" {' '.join(words)} ".replace(" have to ", " must ")
    asked_topics = {
        topic
        for code in ("en", "de")
        for topic, phrases in _topic_phrases(code)
        if any(f" {phrase} " in folded for phrase in phrases)
    }
    things_topics = named_topics(words)
    asks_deed = _WHAT_THEY_DO.search(folded) is not None
    if WHAT_I_DO.search(folded) or (asks_deed and Topic.FAMILY in things_topics):
        asked_topics.add(Topic.WORK)
    if Topic.DISLIKES in asked_topics:
        asked_topics.discard(Topic.LIKES)  # "what don't I like" has "I like"
    topics = asked_topics | things_topics
    if Topic.BIRTHDAY in topics:
        topics.discard(Topic.PLANS)  # "when is my birthday" asks for no plan
    weak_topics = things_topics - asked_topics - {Topic.DIET}  # "vegan" answers "do I eat meat?"
    if topics - _BROAD_TOPICS:
        weak_topics |= _BROAD_TOPICS & topics
    code = "de" if language == "de" else "en"
    options = dict.fromkeys(frozenset(stem_options) for stem_options in query_stems(text))
    common = _general_stems() | STOP_WORDS[code]
    common |= frozenset(_PLAIN_VERBS) if asks_deed else frozenset()
    asked = [option - _general_stems() for option in options if not option <= common]
    beside = _general_stems() | topic_stems()
    asks_whether = _asks_whether(words, language) and words[1] not in _YOU
    if asks_whether and asked_topics & _FEELINGS:
        beside = _general_stems() | topic_stems(_FEELINGS)  # "do I like flying?" names it
    elif Topic.FAVOURITES in asked_topics:
        beside = _general_stems() | topic_stems(_FAVOURITES)  # so does "my favourite animal?"
    things = [option for option in options if beside.isdisjoint(option) and not option <= common]
    if Topic.DIET in asked_topics:
        things = []
    if topics == {Topic.AGE} and not things:
        topics.add(Topic.BIRTHDAY)
    return Question(
        language=code,
        topics=frozenset(topics),
        named_topics=things_topics,
        weak_topics=frozenset(weak_topics),
        words=tuple(option | related_stems(option, code) for option in asked),
        things=tuple(option | related_stems(option, code) for option in things),
        is_own=any(not languages()[code].answers.own.isdisjoint(words) for code in CODES),
        is_about_kith=_is_about_kith(words),
        asks_past=bool(_ASKS_PAST.search(folded)),
        asks_time=bool(_ASKS_TIME.search(folded)),
        asks_whether=asks_whether,
        of_others=_of_others(words, things, code),
        asks_who=re.match(r" (?:and |und )?(?:who|who's|whos|wer) ", folded) is not None,
        asks_deed=asks_deed,
        answer_type=expected_type(text),
        days=_days(folded, today),
        is_foreign=language not in ("en", "de"),
    )


def named_topics(words: Sequence[str]) -> frozenset[Topic]:
    """Return the topics of which words, in lower case, name a thing: "cat" is of the pets."""
    return frozenset(
        topic
        for topic, fields in TOPIC_WORDS.items()
        for code in CODES
        for field in fields
        if not getattr(words_of(code), field).isdisjoint(words)
    )


def said_words(text: str) -> frozenset[str]:
    """Return the stems of a text, and its words that are common words of other languages only.

    Stems lack those, and they may be names: "kim" is Turkish for "who".
    """
    words = frozenset(word.lower() for word in WORD.findall(text))
    return (
        (words & _all_stop_words())
        .difference(STOP_WORDS[statement_language(text)])
        .union(stems(text))
    )


@cache
def _all_stop_words() -> frozenset[str]:
    return frozenset[str]().union(*STOP_WORDS.values())


def asks_to_tell(text: str) -> bool:
    """Whether a text without a question asks to be told something: "tell me about Sam"."""
    return (
        re.match(r"\W*(?:tell (?:me|us)|erzähle? (?:mir|uns))\b", text, re.IGNORECASE) is not None
    )


def asks_all(own_text: str, question: Question) -> bool:
    """Whether a question about a person names nothing: "who am I?", "what do you know of me?"."""
    is_who = re.match(r"\W*(?:who(?:['’]s)?\b|wer\b|was mache ich\W*\Z)", own_text, re.IGNORECASE)
    of_memory = frozenset(stems(" ".join(_OF_MEMORY)))
    is_open = not question.topics and all(thing & of_memory for thing in question.things)
    return is_open or (is_who is not None and question.topics <= {Topic.NAME, Topic.PLANS})


def unknown_name(text: str, known_texts: Iterable[str]) -> str | None:
    """Return a common first name in a text that is in none of the known texts."""
    known = {word.casefold() for known in known_texts for word in WORD.findall(known)}
    words = (word.removesuffix("'s").removesuffix("’s") for word in WORD.findall(text)[1:])
    is_name = (word for word in words if word[:1].isupper() and is_given_name(word))
    return next((name for name in is_name if name.casefold() not in known), None)


def is_question(text: str, language: str) -> bool:
    """Whether a message asks something, with or without a question mark."""
    if re.search(r"[?？؟][\s\"'”»)]*$", text):
        return True
    words = [word.lower() for word in WORD.findall(text)]
    spoken = words_of(language)
    is_exclaimed = words[:1] and words[0] in spoken.exclaimed  # "boah bin ich müde"
    words = words[next((i for i, word in enumerate(words) if word not in spoken.leads), 0) :]
    return bool(words) and (
        words[0] in spoken.questions
        or asks_which(words)
        or (not is_exclaimed and _asks_whether(words, language))
    )


_YOU = frozenset(("you", "du", "ihr", "u"))
_YOURS = _YOU | frozenset(
    ("your", "yours", "yourself", "you're", "youre", "ur", "dein", "deine", "deiner", "deinen")
)
_OF_AUTHOR_TOO = frozenset(("me", "us", "mir", "mich", "uns"))  # "can you help me?"
_PLAIN_VERBS = ("mache", "macht", "machen", "habe", "hat", "haben")
_OF_MEMORY = frozenset(
    (
        *("know", "remember", "recall", "forget", "tell", "told", "note", "noted", "learn"),
        *("weißt", "weisst", "kennst", "erinnerst", "erinnere", "vergessen", "sag", "sagen"),
        *("gesagt", "gemerkt", "merkst"),
    )
)


def names_kith(text: str) -> bool:
    """Whether a text addresses Kith: it has "you", "your" and the like."""
    return not _YOURS.isdisjoint(word.lower().replace("’", "'") for word in WORD.findall(text))


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
    """Return stems that questions share with every answer: "what", "name", "much", "my"."""
    answers = [languages()[code].answers for code in CODES]
    return frozenset().union(*(words.general | words.own for words in answers))


def _of_others(
    words: Sequence[str], things: Sequence[frozenset[str]], code: str
) -> tuple[frozenset[str], ...] | None:
    """Return :attr:`Question.of_others`; "do I still have a dog?" asks for nothing but the dog."""
    fields = (*TOPIC_WORDS[Topic.FAMILY], *TOPIC_WORDS[Topic.PETS])
    names = (getattr(words_of(language), field) for language in ("en", "de") for field in fields)
    relatives = frozenset[str]().union(*names) & {word.removesuffix("'s") for word in words}
    if not relatives:
        return None
    if words[1:2] in (["i"], ["ich"], ["we"], ["wir"]):
        return ()
    beside = frozenset(stems(" ".join((*relatives, *_OF_MEMORY, *_PLAIN_VERBS))))
    return tuple(thing | related_stems(thing, code) for thing in things if beside.isdisjoint(thing))


@cache
def topic_stems(of: frozenset[Topic] = frozenset(Topic)) -> frozenset[str]:
    """Return the stems of the words that name topics: "pet", "married"."""
    topics = (pair for code in ("en", "de") for pair in _topic_phrases(code))
    phrases = (phrases for topic, phrases in topics if topic in of)
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
    """Yield phrases, and those with "ich" at the end also as in "weißt du, wie ich heiße".

    And as they are spoken: "heiß ich" for "heiße ich".
    """
    for phrase in phrases:
        yield phrase
        words = phrase.split()
        if len(words) == 2 and words[1] == "ich":
            yield f"ich {words[0]}"
            if words[0].endswith("e"):
                yield f"{words[0][:-1]} ich"
                yield f"ich {words[0][:-1]}"


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
