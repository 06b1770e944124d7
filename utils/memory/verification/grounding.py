"""Did the right person say it, in earnest, and may it be kept? Pure.

Prompt wording does not stop a poisoned model; these checks run on all its answers.
"""

import re
import unicodedata
from dataclasses import replace

from utils.memory.safety.filter import refusal_reason
from utils.memory.verification.attachment_claims import is_claimed, is_speech
from utils.memory.verification.context import ExtractionContext
from utils.memory.verification.entailment import objection
from utils.memory.verification.quotations import own_words
from utils.models.memory import Candidate, Consent, Event, Kind, Modality, Role
from utils.models.plan import MemberState

MIN_QUOTE_LENGTH = 2
FROM_ATTACHMENTS = frozenset({Kind.TASK, Kind.EPISODE})
# Thai to Khmer, kana, Han: scripts without spaces, where a quote may begin and end anywhere.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


class Refused(Exception):
    """A candidate that may not be kept; ``reason`` is one word or two, never its text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def ground(candidate: Candidate, state: MemberState, heard: ExtractionContext) -> Event:
    """Return the message in which the subject said it. Raises Refused otherwise.

    What stands only in something that they posted is of use for what they do and what happened to
    them, and only where they call it theirs: the message then has that for its text, and the
    surrogates that hold it.
    """
    event = quoted(candidate, state, heard)
    read = replace(state, events=(event,)) if event.attachment_texts else state
    reason = objection(candidate, event, read, heard)
    if reason is not None:
        raise Refused(reason)
    return event


def quoted(candidate: Candidate, state: MemberState, heard: ExtractionContext) -> Event:
    """Return the subject's message that contains the quote, without judging the memory's text.

    Raises Refused where there is none, or it may not be kept.
    """
    admit(candidate, state, heard)
    reason = refusal_reason(candidate.quote, heard.forbidden)
    if reason is not None:
        raise Refused(reason)
    event = _where_said(candidate, state, heard)
    if event.message_id in state.tombstones:
        raise Refused("forgotten")
    return event


def admit(candidate: Candidate, state: MemberState, heard: ExtractionContext) -> None:
    """Raise Refused if the member, the server or the contents forbid keeping it."""
    if state.consent is Consent.OFF:
        raise Refused("consent")
    if state.frozen:
        raise Refused("frozen")
    if state.ignored:
        raise Refused("ignored")
    if candidate.subject_id != state.member.user_id:
        raise Refused("subject")
    if candidate.modality is not Modality.EARNEST:
        raise Refused("modality")
    if not normalised(candidate.text):
        raise Refused("empty")
    for text in (candidate.text, candidate.attribute, *candidate.topics):
        reason = refusal_reason(text, heard.forbidden)
        if reason is not None:
            raise Refused(reason)


def normalised(text: str) -> str:
    """Return the text without case, punctuation and runs of space, for comparing quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if _is_word(c) else " " for c in folded).split())


def _where_said(candidate: Candidate, state: MemberState, heard: ExtractionContext) -> Event:
    quote = normalised(candidate.quote)
    if len(quote) < MIN_QUOTE_LENGTH:
        raise Refused("quote")
    for event in state.events:
        is_own = event.role is Role.MEMBER and event.author_id == candidate.subject_id
        if is_own and _holds(normalised(own_words(event.text, heard.names)), quote):
            return event
    return _where_attached(candidate, quote, state, heard)


def _where_attached(
    candidate: Candidate, quote: str, state: MemberState, heard: ExtractionContext
) -> Event:
    """Return a message of the subject's with something attached that says it, which is its text.

    Raises Refused where there is none, and where they do not call it theirs.
    """
    reason = "quote"
    for event in state.events:
        if event.author_id != candidate.subject_id:
            continue
        for attachment in heard.attached.get(event.id, ()):
            for text in (attachment.caption, *attachment.parts):
                if not _holds(normalised(text), quote):
                    continue
                things = (candidate.quote, candidate.text)
                is_theirs = is_claimed(event.text, things, heard.names)
                is_apt = candidate.kind in FROM_ATTACHMENTS and not is_speech(text)
                if is_apt and is_theirs:
                    return replace(event, text=text, attachment_texts=(attachment,))
                reason = "attachment"
    raise Refused(reason)


def _holds(text: str, quote: str) -> bool:
    """Whether whole words of a text, both normalised, are the quote."""
    start = text.find(quote)
    while start >= 0:
        if _is_border(text, start) and _is_border(text, start + len(quote)):
            return True
        start = text.find(quote, start + 1)
    return False


def _is_border(text: str, index: int) -> bool:
    around = text[max(0, index - 1) : index + 1]
    return len(around) < 2 or " " in around or _UNSPACED.search(around) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
