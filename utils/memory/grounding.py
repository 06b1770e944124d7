"""Was it really said, by the right person, in earnest, and may it be kept? Pure.

Prompt wording does not stop a poisoned model; these checks run on whatever it answers.
"""

import unicodedata

from utils.memory.safety import refusal_reason
from utils.model.memory import Candidate, Consent, Event, MemberState, Modality, Role

SHORTEST_QUOTE = 2


class Refused(Exception):
    """A candidate that may not be kept; ``reason`` is one word or two, never its text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def ground(candidate: Candidate, state: MemberState) -> Event:
    """Return the message in which the subject said it. Raises Refused otherwise."""
    if state.consent is Consent.OFF:
        raise Refused("consent")
    if state.frozen:
        raise Refused("frozen")
    if candidate.subject_id != state.member.user_id:
        raise Refused("subject")
    if candidate.modality is not Modality.EARNEST:
        raise Refused("modality")
    if not normalised(candidate.text):
        raise Refused("empty")
    reason = refusal_reason(candidate.text) or refusal_reason(candidate.quote)
    if reason is not None:
        raise Refused(reason)
    event = _where_said(candidate, state)
    if event.message_id in state.tombstones:
        raise Refused("forgotten")
    return event


def normalised(text: str) -> str:
    """Return the text without case, punctuation and runs of space, for comparing quotes."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if _is_word(c) else " " for c in folded).split())


def _where_said(candidate: Candidate, state: MemberState) -> Event:
    quote = normalised(candidate.quote)
    if len(quote) < SHORTEST_QUOTE:
        raise Refused("quote")
    for event in state.events:
        own = event.role is Role.MEMBER and event.author_id == candidate.subject_id
        if own and f" {quote} " in f" {normalised(event.text)} ":
            return event
    raise Refused("quote")


def _is_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
