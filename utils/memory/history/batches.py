"""Store and extract exported messages, as the consent of their authors allows. Units of work.

No one waits for an answer, so one member's messages of two minutes share a burst. Who could read
the channel at that time is unknown: as after a crash, the memories are used only for readers of
that very channel, and enter no profile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from utils.database.admin import history_import
from utils.database.core.engine import Connection
from utils.database.messages.events import BURST_CHARACTERS, BURST_LIMIT
from utils.memory.extraction import bursts
from utils.memory.extraction.bursts import ExtractionJob
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.policy.storable_events import storable, storable_text
from utils.memory.privacy.retraction import retract_messages
from utils.models.extraction import Extraction, Judgement
from utils.models.history import ImportConsent, SkipReason, StoredMessage
from utils.models.memory import Consent, Event, Member, Method, Source
from utils.models.plan import Plan
from utils.models.policy import WritePolicy

MAX_GAP = timedelta(seconds=120)
KEEP_UNREAD = timedelta(days=7)
"""How long a message that is past its end waits to be extracted."""
KEEP_ID = timedelta(days=365)
"""How long the id of an extracted message is kept, without its text."""


@dataclass(eq=False, repr=False)
class BurstBuilder:
    """Collects one member's messages into a burst until the next one does not belong to it."""

    events: list[Event] = field(default_factory=list, init=False)
    _characters: int = field(default=0, init=False)

    def add(self, event: Event) -> bool:
        """Add a message; False if it starts another burst."""
        if self.events:
            gap = abs(event.created_at - self.events[-1].created_at)
            is_full = len(self.events) == BURST_LIMIT
            if is_full or gap > MAX_GAP or self._characters + len(event.text) > BURST_CHARACTERS:
                return False
        self.events.append(event)
        self._characters += len(event.text)
        return True


@dataclass(frozen=True, slots=True)
class ScreenedBatch:
    """A batch of messages, each with the reason to skip it (None: import it).

    ``stored`` are those that are stored already, by message id; ``consents`` are by author id.
    """

    verdicts: list[tuple[Event, SkipReason | None]]
    stored: Mapping[int, StoredMessage]
    consents: Mapping[int, ImportConsent]

    @property
    def last_id(self) -> int:
        """The id of the last message that is not skipped; 0 if all are."""
        accepted = (event.message_id for event, reason in reversed(self.verdicts) if reason is None)
        return next(accepted, 0)


def screen(connection: Connection, events: Sequence[Event], now: datetime) -> ScreenedBatch:
    """Decide which messages of one server to skip, and why."""
    if not events:
        return ScreenedBatch([], {}, {})
    guild_id = events[0].guild_id
    consents = history_import.import_consents(
        connection, guild_id, {event.author_id for event in events}
    )
    stored = history_import.load_stored(
        connection, guild_id, {event.message_id for event in events}
    )
    checked_ids: set[int] = set()
    verdicts: list[tuple[Event, SkipReason | None]] = []
    for event in events:
        reason = skip_reason(
            event, consents.get(event.author_id), stored.get(event.message_id), now
        )
        if reason is None and event.message_id in checked_ids:
            reason = SkipReason.ALREADY_STORED
        checked_ids.add(event.message_id)
        verdicts.append((event, reason))
    return ScreenedBatch(verdicts, stored, consents)


def skip_reason(
    event: Event, consent: ImportConsent | None, stored: StoredMessage | None, now: datetime
) -> SkipReason | None:
    """Return why a message is not stored; None if it is, or if it waits for extraction already."""
    if consent is None or (consent.since is not None and event.created_at < consent.since):
        return SkipReason.NO_CONSENT
    if event.created_at > now:
        return SkipReason.FUTURE
    if stored is not None and stored.is_waiting and stored.revision >= event.revision:
        return None
    # An edit that changed nothing is no news; a message whose text was erased stays erased.
    unchanged = ("", storable_text(event.text))
    if stored is not None and (stored.revision >= event.revision or stored.text in unchanged):
        return SkipReason.ALREADY_STORED
    is_over = policy.event_end(event.created_at, consent.consent) <= now
    return SkipReason.TOO_OLD if is_over and consent.consent is not Consent.LASTING else None


def store(connection: Connection, batch: ScreenedBatch, now: datetime) -> int:
    """Store the messages that are not skipped, and replace earlier revisions.

    Returns how many were new. The caller holds the locks of the authors.
    """
    rows = []
    for event, reason in batch.verdicts:
        stored = batch.stored.get(event.message_id)
        if reason is not None or (stored is not None and stored.revision >= event.revision):
            continue
        if stored is not None:
            retract_messages(
                connection, event.guild_id, [event.message_id], now, until=event.revision - 1
            )
        # A message whose time is over stays until it is extracted.
        end = policy.event_end(event.created_at, batch.consents[event.author_id].consent)
        rows.append((storable(event), end if end > now else now + KEEP_UNREAD))
    return history_import.store(connection, rows)


def next_job(
    connection: Connection,
    member: Member,
    channel_id: int,
    after_id: int,
    forbidden: frozenset[Category],
    now: datetime,
) -> ExtractionJob | None:
    """Load a member's next imported burst of a channel.

    None if no message waits, or the member no longer consents.
    """
    if member.user_id not in history_import.import_consents(
        connection, member.guild_id, [member.user_id]
    ):
        return None
    waiting = history_import.pending(connection, member, channel_id, after_id, BURST_LIMIT)
    if not waiting:
        return None
    burst = BurstBuilder()
    for event in waiting:
        if not burst.add(event):
            break
    return bursts.load_job(
        connection,
        burst.events,
        history_import.before(connection, waiting[0]),
        forbidden,
        now,
        is_more=True,
    )


def apply_extraction(
    connection: Connection,
    job: ExtractionJob,
    extraction: Extraction,
    write_policy: WritePolicy,
    now: datetime,
) -> Plan:
    """Apply an extraction to a member's memories, and mark its messages as extracted.

    Without a model, an import keeps no quotes, only the notes that a rule verified. Messages that
    are past the end of lasting consent are blanked.
    """
    has_model = extraction.method is Method.MODEL
    candidates = tuple(
        replace(candidate, source=Source.IMPORT)
        for candidate in extraction.candidates
        if has_model or candidate.verdict.judgement is Judgement.SUPPORTED
    )
    # With chat confidence, and exempt from write limits.
    extraction = replace(extraction, candidates=candidates, method=Method.IMPORT)
    notes = bursts.with_erased(connection, job.notes_of(extraction))
    plan = bursts.apply(connection, notes, write_policy, now)
    history_import.finish(connection, job.event_ids)
    over_ids = [
        event.id
        for event in job.inputs.burst.events
        if policy.event_end(event.created_at, Consent.LASTING) <= now
    ]
    history_import.blank(connection, over_ids, now + KEEP_ID)
    return plan
