"""Choose the messages and memories of a member that an answer may quote. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

from utils.common.text import one_line
from utils.conversation.without_model.questions import is_question
from utils.conversation.without_model.requests import parse_remark
from utils.memory.extraction.own_statements import (
    MAX_SENTENCE,
    MIN_WORDS,
    corrects,
    own_statements,
    statement_language,
    told_sentences,
)
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.models.conversation import PreparedPrompt
from utils.models.memory import Event, Form, Memory, Role
from utils.nlp.confidential import is_confidential

MAX_ROWS = 500
MAX_ADDITION = 4  # words
MAX_CORRECTION = 15  # words
ADDED_WITHIN = timedelta(minutes=5)
NO_CATEGORIES: frozenset[Category] = frozenset()  # what its author just said may be quoted to them
_SAYS_OF_ANOTHER = re.compile(  # a correction has no subject of its own, or "it" and the like
    r"\b(?!(?:it|that|this|they|these|those|there|es|das|dies|sie|the|a|an|no|and|nein|und)\b)"
    r"[^\W\d_]+ (?:is|are|was|were|ist|sind|war|waren)\b",
    re.IGNORECASE,
)

_REFERS_BACK = re.compile(
    r"\b(?:it|its|he|his|him|she|her|they|their|them|there|"
    r"er|ihn|ihm|es|sie|ihr|sein|da|dort|(?<!\w )(?:der|die|das))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuotableMessage:
    """A message of the member that an answer may quote.

    ``addition``: the few words that they said next, which may correct it: "no, Wednesday".
    ``row``: the memory that is quoted, if it is one.
    ``thread``: what they said next about the same person or thing: "it's called Gustav".
    """

    text: str
    said_at: datetime
    addition: str = ""
    row: Memory | None = None
    thread: tuple[str, ...] = ()

    @property
    def is_confidential(self) -> bool:
        """Whether it, or what goes on from it, asks to be kept secret."""
        return any(map(is_confidential, (self.text, self.addition, *self.thread)))


def memories_to_quote(
    rows: Sequence[Memory], messages: Sequence[QuotableMessage]
) -> list[QuotableMessage]:
    """Return the quotes among memories, except those that stand in one of the messages."""
    texts = [one_line(item.text) for item in messages]
    return [
        QuotableMessage(row.text, row.last_confirmed_at, row=row)
        for row in rows[:MAX_ROWS]
        if row.form is Form.QUOTE and not any(one_line(row.text) in text for text in texts)
    ]


def messages_to_quote(
    prepared: PreparedPrompt, user_id: int, forbidden: frozenset[Category] = NO_CATEGORIES
) -> list[QuotableMessage]:
    """Return a member's messages that may be quoted: the last turns, then what recall matched."""
    recall = prepared.recall
    own = [
        earlier
        for earlier in prepared.turns
        if earlier.author_id == user_id and earlier.role is Role.MEMBER
    ]
    turns = [
        QuotableMessage(
            earlier.text,
            earlier.created_at,
            _addition(earlier, following),
            thread=() if _asks(earlier.text) else tuple(_thread(earlier, own[place + 1 :])),
        )
        for place, (earlier, following) in enumerate(zip_longest(own, own[1:]))
    ][::-1]
    quoted = {quote.event_id for quote in recall.quotes}
    matches = recall.matches_by_user.get(user_id)
    said = [match.row for match in matches.messages] if matches is not None else []
    shown = [item for item in said if item.event_id in quoted]
    messages = [*turns, *(QuotableMessage(item.text, item.said_at) for item in shown)]
    return [
        item
        for item in messages
        if refusal_reason(" ".join((item.text, item.addition, *item.thread)), forbidden) is None
    ]


def _asks(text: str) -> bool:
    return is_question(text, statement_language(text))


def _thread(message: Event, following: Sequence[Event]) -> Iterator[str]:
    """Yield what goes on from a message, up to the first message that does not.

    Questions stand between without ending it.
    """
    for event in following:
        text = one_line(event.text)
        if _asks(text):
            continue
        if event.created_at - message.created_at > ADDED_WITHIN or len(text) > MAX_SENTENCE:
            return
        if not (_REFERS_BACK.search(text) or corrects(text)):
            return
        yield text


def _addition(said: Event, following: Event | None) -> str:
    """Return the words that a member added to a message; empty if the next is one of its own."""
    if following is None or following.created_at - said.created_at > ADDED_WITHIN:
        return ""
    text = one_line(following.text)
    is_asked = _asks(text)
    if corrects(text) and len(text.split()) <= MAX_CORRECTION and not is_asked:
        return text
    is_its_own = (
        len(text.split()) > MAX_ADDITION
        or parse_remark(text) is not None
        or is_asked
        or any(own_statements(text))
        or _SAYS_OF_ANOTHER.search(text) is not None
        or (len(text.split()) >= MIN_WORDS and not any(told_sentences(text)))
    )
    return "" if is_its_own else text


def may_correct(addition: str) -> bool:
    """Whether words said next look like a correction of a note: "no, Leeds", "*Leeds", "at 8"."""
    is_value = any(character in ",*" or character.isdigit() for character in addition)
    return is_value or corrects(addition)


def corrected_message(
    notes: Sequence[Memory], messages: Sequence[QuotableMessage]
) -> tuple[int, str] | None:
    """Return the message that a note is from, and its index, if its author corrected it at once."""
    told_at = {note.last_confirmed_at for note in notes}
    return next(
        (
            (index, one_line(message.text))
            for index, message in enumerate(messages)
            if message.said_at in told_at and may_correct(message.addition)
        ),
        None,
    )
