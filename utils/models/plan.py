"""A member's state before consolidation, and the plan of changes that consolidation returns."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from utils.models.memory import (
    Consent,
    Event,
    Evidence,
    Form,
    Importance,
    Kind,
    Member,
    Memory,
    Profile,
    Source,
    Status,
)
from utils.models.policy import NO_WRITES, WritePolicy, Writes


@dataclass(frozen=True, slots=True)
class MemberState:
    """Everything ``plan_changes`` may know about a member, read under the member's lock.

    Attributes:
        rows: the live and proposed memories.
        tombstones: ids of messages whose memories were forgotten; nothing is learnt from them.
        events: the burst's messages that still exist.
        policy: the server's own write policy; None: the operator's applies.
        writes: how many memories were written lately.
        corrected: by waiting memory, the active memory that it corrects.
    """

    member: Member
    now: datetime
    consent: Consent
    frozen: bool
    version: int
    rows: tuple[Memory, ...]
    profile: Profile
    tombstones: frozenset[int]
    events: tuple[Event, ...]
    evidence: Mapping[int, tuple[Evidence, ...]]
    ignored: bool = False
    policy: WritePolicy | None = None
    writes: Writes = NO_WRITES
    corrected: Mapping[int, int] = field(default_factory=dict)

    @property
    def refusal(self) -> str | None:
        """Why nothing may be stored of the member now; None if it may."""
        reasons = {
            "consent": self.consent is Consent.OFF,
            "frozen": self.frozen,
            "ignored": self.ignored,
        }
        return next((reason for reason, applies in reasons.items() if applies), None)


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to insert.

    Attributes:
        supersedes: the id of the memory it replaces at once; ``also_supersedes`` of further ones.
        corrects: the id of the memory it replaces once it is approved or confirmed.
        form: a verified note, or the member's sentence as a quote.
        outlasted_by: the date that it names, if temporary consent ends it before that.
    """

    text: str
    topics: tuple[str, ...]
    importance: Importance
    kind: Kind
    fact_key: str
    source: Source
    status: Status
    confidence: float
    channel_id: int
    stems: str
    expires_at: datetime | None
    evidence: Evidence
    supersedes: int | None = None
    also_supersedes: tuple[int, ...] = ()
    corrects: int | None = None
    form: Form = Form.NOTE
    outlasted_by: date | None = None


@dataclass(frozen=True, slots=True)
class Confirmation:
    """New evidence for an existing memory, which raises its confidence and extends its lifetime.

    ``is_promoted``: its status changes. ``supersedes`` is the memory that it then replaces.
    """

    row_id: int
    confidence: float
    importance: Importance
    expires_at: datetime | None
    status: Status
    evidence: Evidence
    is_promoted: bool = False
    supersedes: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All changes of one consolidation, applied in one unit of work.

    Attributes:
        removals: ids of memories to remove, because they exceed the cap or are obsolete.
        profile: the new profile; None keeps the stored one.
        profile_inserts: indexes into ``inserts`` of the new memories that the profile includes.
        refused: how many candidates were refused, by reason.
        inserted: the ids that ``inserts`` got; empty until the plan is applied.
        server_facts: what the member states for the server; these are memories of the server.
    """

    inserts: tuple[NewMemory, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    removals: tuple[int, ...] = ()
    profile: Profile | None = None
    profile_inserts: tuple[int, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)
    inserted: tuple[int, ...] = ()
    server_facts: tuple[NewMemory, ...] = ()

    @property
    def only_adds(self) -> bool:
        """Whether it adds memories, and leaves the member's others as they are."""
        is_changed = self.confirmations or self.removals
        return not is_changed and all(new.supersedes is None for new in self.inserts)

    @property
    def proposed(self) -> tuple[int, ...]:
        """Ids of the memories that wait for a moderator because of this plan."""
        new = zip(self.inserted, self.inserts, strict=False)
        return (
            *(row_id for row_id, insert in new if insert.status is Status.PROPOSED),
            *(
                confirmation.row_id
                for confirmation in self.confirmations
                if confirmation.is_promoted and confirmation.status is Status.PROPOSED
            ),
        )
