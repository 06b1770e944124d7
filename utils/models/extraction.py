"""What an extractor gets and proposes, and what a verifier says of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from utils.models.memory import (
    Event,
    Importance,
    Kind,
    Member,
    Memory,
    Method,
    Source,
    VerifiedBy,
)


@dataclass(frozen=True, slots=True)
class Burst:
    """Messages of one member in one channel within a few seconds; they share one extraction."""

    member: Member
    channel_id: int
    events: tuple[Event, ...]

    @property
    def text(self) -> str:
        """The texts of all messages, one per line."""
        return "\n".join(event.text for event in self.events)

    @property
    def event_ids(self) -> list[int]:
        """The database ids of the messages."""
        return [event.id for event in self.events]


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """What an extractor gets: a burst, the turns before it, and what is known about the member.

    ``replied_to`` is the text that a message replies to or answers, by event id.
    """

    burst: Burst
    time_zone: str
    previous: tuple[Event, ...] = ()
    rows: tuple[Memory, ...] = ()
    replied_to: Mapping[int, str] = field(default_factory=dict)


class Judgement(StrEnum):
    """What a verifier says of a candidate.

    UNSUPPORTED: the note does not follow from the sentence, which may be kept as a quote.
    OTHER: the sentence is not about its author, or not in earnest; nothing of it is kept.
    FAILED: there is no verdict, because the verifier is away, malformed or out of budget.
    """

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    OTHER = "other"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verifier's answer about one candidate, and what gave it.

    Attributes:
        repeats: the sentence says again what the memory that the candidate ``confirms`` says.
        ends: the sentence makes the memory that the candidate ``replaces`` untrue.
        prompt_hash: the hash of the verification prompt; empty if no model was asked.
    """

    judgement: Judgement
    by: VerifiedBy = VerifiedBy.NONE
    repeats: bool = False
    ends: bool = False
    model: str = ""
    prompt_hash: str = ""


NO_VERDICT = Verdict(Judgement.FAILED)
BY_RULE = Verdict(Judgement.SUPPORTED, VerifiedBy.RULE, repeats=True, ends=True)
"""The verdict of a built-in rule about the note that it made itself."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor proposes about ``subject_id``: a note about a sentence, or only a sentence.

    Attributes:
        text: the note; empty: nothing but the sentence is proposed, to be kept as a quote.
        quote: words of the subject's message that show it.
        lifetime_days: how long it stays true; None is permanent, unless ``until`` is set.
        until: the last day on which it matters.
        confirms: the id of a known memory that the sentence says again.
        replaces: the id of a known memory that the sentence makes untrue.
        message_id: the message that the quote is said to be from; it is searched for the quote
            before the burst's other messages. 0: none is named.
        verdict: what a verifier said; a built-in rule sets BY_RULE, a model's candidate has none
            until it was verified.
    """

    subject_id: int
    text: str
    quote: str
    kind: Kind
    importance: Importance
    lifetime_days: int | None
    attribute: str = ""
    topics: tuple[str, ...] = ()
    confirms: int | None = None
    replaces: int | None = None
    source: Source = Source.CHAT
    until: date | None = None
    message_id: int = 0
    verdict: Verdict = NO_VERDICT


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of one extraction; ``model`` and ``prompt_hash`` are stored with the evidence.

    Attributes:
        profile_update: the profile paragraph that the extractor proposes.
        confidential: the ids of the member's messages that they ask to be kept secret.
        wishes: the ids of those that ask Kith to forget something.
        is_profile_supported: a verifier found that it follows from ``profile_facts``.
    """

    candidates: tuple[Candidate, ...]
    method: Method
    profile_update: str | None = None
    model: str = ""
    prompt_hash: str = ""
    refused: Counter[str] = field(default_factory=Counter)
    is_profile_supported: bool = False
    profile_facts: tuple[str, ...] = ()
    confidential: tuple[int, ...] = ()
    wishes: tuple[int, ...] = ()

    @property
    def lacks_a_verdict(self) -> bool:
        """Whether the verifier gave no verdict on a note."""
        return any(
            candidate.text and candidate.verdict.judgement is Judgement.FAILED
            for candidate in self.candidates
        )
