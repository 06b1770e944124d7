"""Answer what a member asks about other people, from what those told Kith. Pure."""

from datetime import datetime

from utils.common.text import clip, one_line
from utils.conversation.without_model import question_matching, questions
from utils.conversation.without_model.quotable_messages import messages_to_quote
from utils.conversation.without_model.second_person import (
    MAX_SHOWN,
    as_own,
    names_person,
    notes_of_person,
)
from utils.conversation.without_model.texts import MAX_NAME, MAX_SENTENCES, texts_of
from utils.memory.policy.categories import Category
from utils.models.conversation import PreparedPrompt, Turn
from utils.models.recall import Person


def about_others(
    turn: Turn, prepared: PreparedPrompt, now: datetime, forbidden: frozenset[Category]
) -> str:
    """Return what other people told that answers a question; empty if nobody is named or told it.

    It says of whom the question names that they told nothing. If it names nobody, all who told an
    answer are quoted. Only what the turn recalled is used. Messages about a ``forbidden`` category
    are quoted to nobody but their author.
    """
    text, others = turn.event.text, turn.people[1:]
    named = [person for person in others if names_person(text, person.name)]
    replies = (_about_person(person, turn, prepared, now, forbidden) for person in named or others)
    texts = texts_of(turn, prepared)
    return "\n".join(
        reply or texts.not_told_by.format(name=_shown_name(person))
        for person, reply in zip(named or others, replies, strict=True)
        if reply or named
    )


def _about_person(
    person: Person,
    turn: Turn,
    prepared: PreparedPrompt,
    now: datetime,
    forbidden: frozenset[Category],
) -> str:
    """Return what a person told that answers a question; empty if they did not tell it."""
    texts, text = texts_of(turn, prepared), turn.event.text
    zone = turn.settings.zone
    today = now.astimezone(zone).date()
    rows = prepared.recall.rows_by_user.get(person.user_id, ())
    own_text = as_own(text, [other.name for other in turn.people[1:]], texts.language)
    question = questions.parse_question(own_text, today)
    if question is None:
        return notes_of_person(rows, _shown_name(person), texts) if own_text != text else ""
    asks_all = own_text != text and questions.asks_all(own_text, question)
    notes = rows if asks_all else question_matching.matching_notes(question, rows)[:MAX_SENTENCES]
    told = notes_of_person(notes, _shown_name(person), texts)
    messages = [
        message
        for message in messages_to_quote(prepared, person.user_id, forbidden)
        if not message.is_confidential
    ]
    dated = [(item.text, item.said_at.astimezone(zone).date()) for item in messages]
    best = None if notes else question_matching.best_sentence(question, dated, today, rows)
    found = best or question_matching.later_sentence(question, messages, notes)
    if found is None or not turn.settings.recall:
        return told
    index, sentence = found
    when = texts.when(messages[index].said_at, now, zone)
    said = clip(sentence, MAX_SHOWN, at_word=True)
    return f"{told} {texts.person_said(_shown_name(person), said, when)}".strip()


def _shown_name(person: Person) -> str:
    return clip(one_line(person.name), MAX_NAME)
