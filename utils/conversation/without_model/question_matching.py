"""Find the memories and sentences that answer a question. Pure.

The topic of the question decides, then the words in common.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, timedelta
from itertools import pairwise

from utils.common.text import WORD
from utils.conversation.without_model.questions import (
    Question,
    named_topics,
    said_words,
    topic_stems,
)
from utils.conversation.without_model.quotable_messages import MAX_ROWS, QuotableMessage
from utils.memory.extraction.clauses import is_of_relative
from utils.memory.extraction.facts import Topic, is_one_of
from utils.memory.extraction.own_statements import (
    Statement,
    corrects,
    own_statements,
    statement_language,
    told_sentences,
)
from utils.memory.extraction.rule_extractor import statement_facts
from utils.models.memory import Form, Kind, Memory
from utils.nlp.answer_types import AnswerType, holds
from utils.nlp.languages import languages, shared_tables
from utils.nlp.person_and_negation import denies, has_first_person, negated_stems
from utils.nlp.stemming import stems

TOPIC_WEIGHT = 1.5
CUE_WEIGHT = 1.0
MAX_GOING_ON = 3
_TELLS_PAST = re.compile(
    r" (?:used to|lived|worked|was an?|moved from|left|before|previously|former\w*|früher|vorher"
    r"|damals|gewohnt|gelebt|gearbeitet|(?:weg)?gezogen|ehemalige\w*) "
)
_OF_OTHERS = frozenset((Topic.FAMILY, Topic.PETS))
_THINGS_DIFFER = _OF_OTHERS | {Topic.FAVOURITES}
_OF_AUTHOR = frozenset((Topic.HOME, Topic.ORIGIN, Topic.WORK, Topic.AGE, Topic.NAME))
_ALLERGIC = ("is allergic", "ist allergisch", "hat eine")
_NAMES = re.compile(r"(?:has|hat) \S+ \S+ (?:named|namens) |\S+ heißt ")
_NAMED_BY = _OF_OTHERS | {Topic.NAME, Topic.POSSESSIONS}
_IS_FROM = re.compile(r"(?:is from|kommt aus) ")


def matching_notes(question: Question, rows: Sequence[Memory]) -> list[Memory]:
    """Return the notes that answer a question, the best first; the newest of equals first.

    Args:
        question: what was asked.
        rows: what is known, newest first; quotes among them are left out.
    """
    scored = []
    for index, row in enumerate(rows[:MAX_ROWS]):
        is_past = bool(_TELLS_PAST.search(f" {row.text} "))
        if row.form is Form.NOTE and (is_past or not question.asks_former):
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
    said = said_words(row.text)
    if not _names_subject(question, said):
        return 0.0  # "what is Tom allergic to?" does not ask for what the author is allergic to
    if question.answer_type is not AnswerType.PLACE and not _holds_answer(question, row.text):
        return 0.0
    if question.of_others is not None and set(row.topics[:1]) & _OF_AUTHOR:
        return 0.0  # nor is "how old is my son?" answered by their own age
    if question.of_others and not _shared(question.of_others, said):
        return 0.0  # the dog's name is no answer to "what breed is my dog?"
    asked = question.topics - question.named_topics - _NAMED_BY
    if _NAMES.match(row.text) and (asked or question.answer_type is AnswerType.PLACE):
        return 0.0  # nor is the sister's name one to "what does my sister do for work?"
    things = _shared(question.things, said)
    if question.topics <= _THINGS_DIFFER and question.things and not things:
        return 0.0  # a question about one person, pet or favourite is not about all of them
    shared = _shared(question.words, said)
    weak = frozenset[Topic]() if shared else question.weak_topics
    is_meant = not (question.topics - weak).isdisjoint(row.topics)
    if question.asks_whether and question.things:
        return things  # pizza is no answer to "... sushi?"
    if not shared and (_asks_for_thing(question) or _is_other_diet(question, row.text)):
        return 0.0  # a laptop is no answer to "do I have a car?"
    if question.topics and not is_meant and shared < 2 and row.topics and row.topics[0] in _TOPICS:
        return 0.0  # a note on something else, which has one word in common
    return shared + TOPIC_WEIGHT * is_meant


def _is_other_diet(question: Question, note: str) -> bool:
    """Whether a note of an allergy would answer "am I vegan?"."""
    is_asked = question.asks_whether and Topic.DIET in question.topics
    return is_asked and note.startswith(_ALLERGIC)


def _holds_answer(question: Question, text: str) -> bool:
    return holds(question.answer_type, text, statement_language(text))


def _asks_for_thing(question: Question) -> bool:
    """Whether a question asks for yes or no about a thing; any diet answers "do I eat fish?"."""
    is_on_diet = Topic.DIET in question.topics
    return question.asks_whether and bool(question.named_topics) and not is_on_diet


def _shared(words: Iterable[frozenset[str]], said: AbstractSet[str]) -> int:
    """Return how many words of a question are among the stems of a text."""
    return sum(not word.isdisjoint(said) for word in words)


def _names_subject(question: Question, said: AbstractSet[str]) -> bool:
    """Whether words may answer a question: one that is on somebody else names them."""
    if question.asks_who and question.of_others is not None:
        return bool(_shared(question.words, said))  # a brother is no answer to "my partner?"
    return question.is_own or any(word - topic_stems() & said for word in question.words)


def tells_name(note: Memory) -> bool:
    """Whether a note tells of a pet or relative nothing but a name."""
    return _NAMES.match(note.text) is not None


_TOPICS = frozenset(str(topic) for topic in Topic)


def _is_within(row: Memory, days: tuple[date, date]) -> bool:
    """Whether a plan ends in the days that were asked for, as far as its end tells."""
    if row.kind is not Kind.TASK or row.expires_at is None:
        return False
    last = row.expires_at.date() - timedelta(days=1)
    return days[0] <= last <= days[1] + timedelta(days=1)


def origins(rows: Sequence[Memory]) -> list[Memory]:
    """Return the notes that say where somebody is from."""
    return [row for row in rows if row.form is Form.NOTE and _IS_FROM.match(row.text)]


def is_closer(question: Question, sentence: str, notes: Iterable[Memory]) -> bool:
    """Whether a sentence has more of the things that a question names than each of the notes."""
    shared = _shared(question.things, said_words(sentence))
    return all(shared > _shared(question.things, said_words(note.text)) for note in notes)


def related_sentence(question: Question, said: Sequence[str]) -> tuple[int, str] | None:
    """Return the sentence with most of what a question names, and the index of its message.

    It need not be about its author: "Biscuit is 4" answers "how old is Biscuit?". The first message
    wins among equals. None if a sentence has less than half of it, or, if the question is not about
    its author, less than all. Of a question that is, what its author says about themselves is left
    to :func:`best_sentence`.
    """
    named = question.things or (question.words if question.named_topics else ())
    best: tuple[int, int, str] | None = None
    for index, text in enumerate(said):
        own = {statement.sentence for statement in own_statements(text)}
        for sentence in told_sentences(text):
            shared = _shared(named, said_words(sentence))
            is_enough = 2 * shared >= len(named) if question.is_own else shared == len(named)
            is_judged = question.is_own and sentence in own
            if not _holds_answer(question, sentence):
                continue
            if is_enough and not is_judged and shared > (best[0] if best else 0):
                best = (shared, index, sentence)
    return None if best is None else best[1:]


def later_sentence(
    question: Question, said: Sequence[QuotableMessage], notes: Sequence[Memory]
) -> tuple[int, str] | None:
    """Return a sentence said after the notes that has as many of the things asked for.

    It may say that a note is true no more: "my dog died" after "has a dog named Rex". Only a
    question for yes or no, or about somebody else, needs it; any other one only what revises a note
    (:func:`_revises`), or begins as a correction. The index is that of its message.
    """
    if not notes:
        return None
    is_open = question.asks_whether or not question.is_own
    since = max(note.last_confirmed_at for note in notes)
    named = question.things or question.words
    needed = max(1, *(_shared(named, said_words(note.text)) for note in notes))
    noted = [frozenset((stem,)) for stem in stems(" ".join(note.text for note in notes))]
    return next(
        (
            (index, sentence)
            for index, text, sentence in _sentences_after(since, said)
            if any(_revises(question, sentence, note.text) for note in notes)
            or (corrects(text) and _is_on_topic(question, sentence))
            or (
                (is_open or corrects(text))
                and _holds_answer(question, sentence)
                and (
                    _shared(named, said_words(sentence)) >= needed
                    if is_open
                    else _shared((*named, *noted), said_words(sentence))
                )
            )
        ),
        None,
    )


def continued_message(
    question: Question, messages: Sequence[QuotableMessage]
) -> tuple[int, list[str]] | None:
    """Return the index of a message, and what went on from it, that together answer a question.

    "I have a cat" and "he's 4" answer "how old is my cat?". The first message wins. None if there
    are none.
    """
    kind = question.answer_type
    for index, message in enumerate(messages):
        message_stems = said_words(message.text)
        missing = [word for word in question.words if word.isdisjoint(message_stems)]
        is_begun = len(missing) < len(question.words)
        thread_stems = frozenset[str]().union(*map(said_words, message.thread))
        if not is_begun or (kind is None and _shared(missing, thread_stems) < len(missing)):
            continue
        answers = [
            text
            for text in message.thread
            if corrects(text)
            or question.asks_deed
            or (_holds_answer(question, text) if kind else _shared(missing, said_words(text)))
        ]
        if not all(map(corrects, answers)):
            return index, answers[:MAX_GOING_ON]
    return None


def revising_sentence(
    question: Question, messages: Sequence[QuotableMessage], quoted: tuple[int, str]
) -> tuple[int, str] | None:
    """Return a sentence that revises a quoted one and was said after it (:func:`_revises`).

    The indexes are those of the messages.
    """
    place, text = quoted
    return next(
        (
            (index, sentence)
            for index, _, sentence in _sentences_after(messages[place].said_at, messages)
            if _revises(question, sentence, text)
        ),
        None,
    )


def _sentences_after(
    since: datetime, messages: Sequence[QuotableMessage]
) -> Iterator[tuple[int, str, str]]:
    """Yield what was said later: the index and the text of a message, and each of its sentences."""
    for index, message in enumerate(messages):
        if message.said_at > since:
            for sentence in told_sentences(message.text):
                yield index, message.text, sentence


def _revises(question: Question, sentence: str, text: str) -> bool:
    """Whether a sentence denies a text ("I don't live in Rome"), or a word of it ("not York").

    To a question for yes or no, it may also tell of a person in the text: "my wife and I split up".
    """
    noted = said_words(text)
    if denies(sentence, text):
        return True
    if not has_first_person(sentence) and not noted.isdisjoint(negated_stems(sentence)):
        return True
    people = (word for word in WORD.findall(sentence.lower()) if named_topics([word]) & _OF_OTHERS)
    return question.asks_whether and not noted.isdisjoint(stems(" ".join(people)))


def _is_on_topic(question: Question, sentence: str) -> bool:
    """Whether a sentence names a thing of a question's topic ("a teacher" of work), or a place."""
    words = WORD.findall(sentence.lower())
    if question.answer_type is AnswerType.PLACE:
        return any(is_one_of(word, shared_tables().places.known) for word in words)
    return not named_topics(words).isdisjoint(question.topics)


def best_sentence(
    question: Question, said: Sequence[tuple[str, date]], today: date, rows: Sequence[Memory]
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
            if not question.asks_former or _tells_former(question, statement, day, known):
                best = (score, index, statement.sentence)
    return None if best is None else best[1:]


def _sentence_score(question: Question, statement: Statement, said_on: date) -> float:
    said = said_words(statement.sentence)
    if not _names_subject(question, said) or not _holds_answer(question, statement.sentence):
        return 0.0
    if question.of_others and not _shared(question.of_others, said):
        return 0.0
    shared = _shared(question.words, said)
    is_of_author = question.of_others is None and question.topics.isdisjoint(_OF_OTHERS)
    if (
        is_of_author
        and not question.asks_whether
        and shared < 2
        and is_of_relative(statement.sentence, statement.language)
    ):
        return 0.0  # "my sister is at college" is no answer to "what do I study?"
    if question.asks_whether and question.things:
        return shared
    if _asks_for_thing(question) and not shared:
        return 0.0
    things_differ = question.topics and question.topics <= _THINGS_DIFFER
    if things_differ and question.things and not _shared(question.things, said):
        return 0.0
    notes = statement_facts(statement, said_on)
    if not shared and any(_is_other_diet(question, fact.text) for fact in notes):
        return 0.0
    facts = {fact.topic for fact in notes}
    is_on_others = bool(facts) and facts <= _OF_OTHERS
    if question.of_others is not None and not shared and facts and facts <= _OF_AUTHOR:
        return 0.0  # nor is "I'm Steffi, 38" one to "how old is my son?"
    if is_on_others and shared < 2 and question.topics and question.topics <= _OF_AUTHOR:
        return 0.0  # "my sister lives in Cork" is no answer to "where do I live?"
    topics = question.topics if shared else question.topics - question.weak_topics
    own_topics = named_topics(_words(statement)) - (
        frozenset() if shared else question.named_topics
    )
    if not topics.isdisjoint(facts | own_topics):
        return shared + TOPIC_WEIGHT
    return shared + CUE_WEIGHT * (not topics.isdisjoint(_cued_topics(statement)))


def _tells_former(
    question: Question, statement: Statement, said_on: date, known: frozenset[str]
) -> bool:
    """Whether a sentence tells what was, or a home or job that is no longer known."""
    folded = f" {' '.join(word.lower() for word in WORD.findall(statement.sentence))} "
    return bool(_TELLS_PAST.search(folded)) or any(
        fact.topic in question.topics and fact.text.casefold() not in known
        for fact in statement_facts(statement, said_on)
    )


def _words(statement: Statement) -> list[str]:
    return [word.lower() for word in WORD.findall(statement.sentence)]


def _cued_topics(statement: Statement) -> set[Topic]:
    """Return what the words of a sentence hint at, such as "moved" at a home."""
    words = _words(statement)
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
