"""The hard checks of a candidate: who said it, where, and may it be kept? Pure.

They run before a verifier is asked and again under the member's lock, because minutes may lie in
between. What a sentence means is not judged here.
"""

import re
from dataclasses import dataclass, replace

from utils.common.text import clean, clip, one_line
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.extraction_context import NO_TEXT, ExtractionContext
from utils.memory.verification.sentences import (
    Passage,
    holds,
    long_quotations,
    named_in,
    normalised,
    own_words,
    passage,
    tidied_passage,
    with_titles,
)
from utils.models.extraction import Candidate
from utils.models.memory import MEMORY_LIMIT, Event, Kind, Role, Source
from utils.models.plan import MemberState
from utils.nlp.person_and_negation import has_first_person, has_second_person, without_address
from utils.nlp.questions import ends_as_question

MIN_QUOTE_LENGTH = 2
FROM_ATTACHMENTS = frozenset({Kind.TASK, Kind.EPISODE})
SECRETS = frozenset({"secret", "contact", "address"})
"""Reasons for which the neighbours of a sentence count too."""
_ANNOUNCES = (":", "?", "=", "-", ",", "is", "ist", "…", "...")
_TO_SOMEBODY = re.compile(r"@(?!everyone\b|here\b)\w|\bkith\b", re.IGNORECASE)
NO_CATEGORIES: frozenset[Category] = frozenset()


class Refused(Exception):
    """A candidate that may not be kept; ``reason`` is one word or two, never its text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Checked:
    """Where a candidate's quote was found.

    Attributes:
        event: the subject's message; if only an attachment says it, the attachment's text is its
            text, and ``attachment_texts`` holds the attachment.
        sentence: the sentence with the quote.
        before: the sentence before it in the message.
        after: the sentence after it in the message.
    """

    event: Event
    sentence: str
    before: str = ""
    after: str = ""

    @property
    def is_attached(self) -> bool:
        """Whether only an attachment says it."""
        return bool(self.event.attachment_texts)


def check(candidate: Candidate, state: MemberState, context: ExtractionContext) -> Checked:
    """Return the subject's message and sentence that hold the quote.

    Raises Refused if there is none, or it may not be kept.
    """
    admit(candidate, state, context)
    event, quoted = _where_said(candidate, state, context)
    if event.message_id in state.tombstones:
        raise Refused("forgotten")
    # What it answers, or what announced it, may name what the message holds.
    earlier = (context.previous.get(event.id, NO_TEXT).text, *context.before.get(event.id, ()))
    announcing = (text for text in earlier if text.rstrip().endswith(_ANNOUNCES))
    answered = filter(None, (context.replied_to.get(event.id), *announcing))
    reason = unsafe(quoted, one_line(clean(" ".join(dict.fromkeys(answered)))), context.forbidden)
    if reason is not None:
        raise Refused(reason)
    if not event.attachment_texts and names_only_others(quoted.sentence, context.names):
        raise Refused("about another")
    if context.noted and (event.message_id, stored_sentence(quoted.sentence)) in context.noted:
        raise Refused("repeated")
    return Checked(event, quoted.sentence, quoted.before, quoted.after)


def stored_sentence(sentence: str) -> str:
    """Return a sentence as evidence and quotes hold it."""
    return clip(one_line(clean(sentence)), MEMORY_LIMIT, at_word=True)


def admit(candidate: Candidate, state: MemberState, context: ExtractionContext) -> None:
    """Raise Refused if the member, the server or the note forbid keeping it."""
    if state.refusal is not None:
        raise Refused(state.refusal)
    if candidate.subject_id != state.member.user_id:
        raise Refused("subject")
    for text in (candidate.text, candidate.attribute, *candidate.topics):
        reason = refusal_reason(text, context.forbidden)
        if reason is not None:
            raise Refused(reason)


def unsafe(found: Passage, answered: str, forbidden: frozenset[Category]) -> str | None:
    """Return why a sentence may not be kept, or None.

    A secret may be named in the sentence before or after, or in the question that it answers.
    The operator's categories count in the sentence only.
    """
    reason = refusal_reason(found.sentence, forbidden)
    if reason is not None:
        return reason
    if not (found.before or found.after or answered):
        return None
    nearby = [text for text in (answered, found.before) if text]
    for text in (*nearby, found.after, " ".join([*nearby, found.sentence])):
        reason = refusal_reason(text, NO_CATEGORIES)
        if reason in SECRETS:
            return reason
    return None


def states_for_server(sentence: str, names: tuple[str, ...]) -> bool:
    """Whether a sentence may state something for everybody in a server.

    It then speaks of nobody and to nobody: no "I", no "you", no mention, none of these names, and
    not to Kith. It asks nothing either.
    """
    return not (
        has_first_person(sentence)
        or has_second_person(sentence)
        or ends_as_question(sentence)
        or _TO_SOMEBODY.search(sentence)
        or named_in(sentence, names)
    )


def names_only_others(sentence: str, names: tuple[str, ...]) -> bool:
    """Whether a sentence is about another person in sight, and not about its author.

    Whom it only speaks to, it is not about. ``names`` are those of other people; Discord writes a
    mention as ``@name``.
    """
    if not names or has_first_person(sentence):
        return False
    return bool(named_in(without_address(sentence), names))


def _where_said(
    candidate: Candidate, state: MemberState, context: ExtractionContext
) -> tuple[Event, Passage]:
    """Return the message in which the subject says the quote themselves, and its sentence.

    A quote that no message holds in these words may be a tidied sentence of the one it names.
    """
    quote = normalised(candidate.quote)
    if not quote or (  # the quote of a wish is its whole message: "*6"
        len(quote) < MIN_QUOTE_LENGTH and candidate.source is not Source.EXPLICIT
    ):
        raise Refused("quote")
    own_messages = [
        event
        for event in sorted(
            state.events, key=lambda event: event.message_id != candidate.message_id
        )
        if event.role is Role.MEMBER and event.author_id == candidate.subject_id
    ]
    for event in own_messages:
        text = _text_with(quote, event.text, context.names)
        if text:
            return event, passage(text, candidate.quote)
    for event in own_messages[:1]:
        if event.message_id == candidate.message_id or len(own_messages) == 1:
            tidied = tidied_passage(own_words(event.text, context.names), candidate.quote)
            if tidied is not None:
                return event, tidied
    return _where_attached(candidate, quote, state, context)


def _text_with(quote: str, text: str, names: tuple[str, ...]) -> str:
    """Return the author's own words of a message if they hold a normalised quote, else "".

    The quote may hold a title in quotation marks, but not be part of one.
    """
    own_text = own_words(text, names)
    if holds(normalised(own_text), quote):
        return own_text
    titled_text = with_titles(text, names)
    is_cited = any(holds(normalised(cited), quote) for cited in long_quotations(text))
    return titled_text if not is_cited and holds(normalised(titled_text), quote) else ""


def _where_attached(
    candidate: Candidate, quote: str, state: MemberState, context: ExtractionContext
) -> tuple[Event, Passage]:
    """Return a message of the subject's whose attachment holds the quote.

    An attachment is not the member's own words. So it teaches tasks and episodes only, and nothing
    where it speaks as "I". Raises Refused otherwise.
    """
    reason = "quote"
    for event in state.events:
        if event.author_id != candidate.subject_id or event.role is not Role.MEMBER:
            continue
        for attachment in context.attached.get(event.id, ()):
            for text in (attachment.caption, *attachment.parts):
                if not holds(normalised(text), quote):
                    continue
                if candidate.kind in FROM_ATTACHMENTS and not has_first_person(text):
                    attached = replace(event, text=text, attachment_texts=(attachment,))
                    return attached, passage(text, candidate.quote)
                reason = "attachment"
    raise Refused(reason)
