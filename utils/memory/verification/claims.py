"""What a verifier is asked about a burst's candidates, what it answers, and its interface."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from utils.models.extraction import Candidate, Verdict
from utils.models.memory import Event, Member, Memory


@dataclass(frozen=True, slots=True)
class Claim:
    """One candidate with what a verifier needs to judge it.

    Attributes:
        event: the message in which the subject said the sentence; its text may be an attachment's.
        sentence: the sentence with the quote.
        known: the memory that the candidate says it repeats or makes untrue.
        before: what the subject said just before the sentence, in this message or this burst.
        message_text: if the sentence is an attachment's, the message that it came with.
    """

    candidate: Candidate
    event: Event
    sentence: str
    known: Memory | None = None
    before: str = ""
    message_text: str = ""


@dataclass(frozen=True, slots=True)
class VerificationInput:
    """Everything that one verification call is about.

    Attributes:
        claims: the candidates that passed the checks.
        previous: the turns before the burst, oldest first.
        replied_to: what a message replies to, by event id.
        profile_update: the profile that the extractor proposes; "": none.
        facts: the open facts that it may be made of.
    """

    member: Member
    claims: tuple[Claim, ...]
    previous: tuple[Event, ...]
    now: datetime
    time_zone: str
    replied_to: Mapping[int, str] = field(default_factory=dict)
    profile_update: str = ""
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """The verdicts, one for each claim in their order, and whether the profile follows."""

    verdicts: tuple[Verdict, ...]
    is_profile_supported: bool = False


class Verifier(Protocol):
    """Judges candidates that passed the hard checks: a language model, or a test's file."""

    async def verify(self, request: VerificationInput) -> Verification:
        """Return one verdict for each claim, in their order.

        Raises ModelError or BudgetSpent if there is no answer; the sentences are then quotes.
        """
