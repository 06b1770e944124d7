"""Decide which records of an archive are stored, and give the reason for each that is not.

The importer vouches for the content. These rules make sure that nothing erased comes back, that
consent, expiry, the cap and the safety filter apply, and that nothing is stored twice. They run in
the unit of work that stores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias, TypeVar

from utils.database.admin import archive_import, history_import
from utils.database.admin.archive_records import (
    EvidenceRecord,
    LoopRecord,
    MemoryRecord,
    MessageRecord,
    ProposedRecord,
)
from utils.database.core.engine import Connection
from utils.database.erasure import retention
from utils.database.guilds import settings as guilds
from utils.database.memories import memories, proposed_notes, write_policies
from utils.database.messages import events
from utils.database.privacy import erasure_ledger, tombstones
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.policy.normalize import storable
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Consent, Event, Form, Member, Role, Status
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy

R = TypeVar("R")
Decision: TypeAlias = tuple[R, str | None, datetime]
"""A record, why it is left out (None: it is stored), and when it expires."""

CLOCK_TOLERANCE = timedelta(days=1)  # clocks differ, but not by more
ALL_OF_A_MEMBER = (ErasureKind.SAID, ErasureKind.MEMBER, ErasureKind.OFF)
CONSENT_REDUCED = (ErasureKind.MEMBER, ErasureKind.OFF, ErasureKind.SHORTER)
KNOWN = "already here"
ERASED = "erased here since"
EXPIRED = "expired"
FROM_THE_FUTURE = "from the future"
OVER_CAP = "over the member's limit"
NO_EVIDENCE = "without evidence"
NO_SUCCESSOR = "superseded by a memory that is not imported"
OF_ANOTHER_MEMBER = "stored for another member here"


@dataclass(frozen=True, slots=True)
class ImportRules:
    """What applies to an import: the time, when the archive was made, and what is never kept.

    ``refusals`` caches the safety filter, which takes a millisecond per text; the importer clears
    it after each member.
    """

    now: datetime
    made_at: datetime
    write_policy: WritePolicy = field(default_factory=WritePolicy)
    forbidden: frozenset[Category] = DEFAULT_CATEGORIES
    refusals: dict[str, str | None] = field(default_factory=dict)

    def is_future(self, *times: datetime) -> bool:
        """Whether any of these times is later than differing clocks explain."""
        return max(times) > self.now + CLOCK_TOLERANCE

    def refusal(self, text: str) -> str | None:
        """Return why the safety filter refuses a text, or None."""
        if text not in self.refusals:
            self.refusals[text] = refusal_reason(text, self.forbidden)
        return self.refusals[text]


@dataclass(frozen=True, slots=True)
class ConsentGate:
    """What may be stored of a member: their consent, and what was erased.

    ``reason`` says why nothing may be stored (None: something may). ``changed_messages`` were
    deleted or edited after the archive was made. ``applies_choices`` is False if the member made a
    newer choice here than the archive's.
    """

    consent: Consent
    reason: str | None
    erased_until: datetime | None
    erased_channels: frozenset[int]
    erased_uids: frozenset[str]
    changed_messages: frozenset[int]
    applies_choices: bool

    def is_erased(self, said_at: datetime, *channel_ids: int) -> bool:
        """Whether a message of that time, in one of these channels, was erased."""
        is_old = self.erased_until is not None and said_at <= self.erased_until
        return is_old or not self.erased_channels.isdisjoint(channel_ids)


@dataclass(frozen=True, slots=True)
class MemoryDecision:
    """What is done with a memory: why it is left out (None: it is stored), the evidence that still
    exists, when it expires, and the id of a stored memory with the same text."""

    record: MemoryRecord
    reason: str | None
    evidence: tuple[EvidenceRecord, ...] = ()
    expires_at: datetime | None = None
    same_as: int | None = None


def load_gate(
    connection: Connection, member: Member, archived: Consent | None, rules: ImportRules
) -> ConsentGate:
    """Return what may be stored of a member now; ``archived`` is their consent in the archive."""
    state = archive_import.load_state(connection, member)
    settings = guilds.load(connection, member.guild_id)
    erased = erasure_ledger.entries_of_member(connection, member)
    erased_for_all = erasure_ledger.entries_of_server(connection, member.guild_id)
    applies_choices = not any(
        erasure.kind in CONSENT_REDUCED and erasure.at > rules.made_at for erasure in erased
    )
    chosen = state.Consent if state is not None else None
    chosen = chosen or (archived if applies_choices else None)
    consent = chosen or settings.consent_default
    until = [erasure.at for erasure in erased if erasure.kind in ALL_OF_A_MEMBER]
    until += [erasure.at for erasure in erased_for_all if erasure.kind is ErasureKind.SERVER]
    until += history_import.erased_until(connection, member.guild_id, [member.user_id]).values()
    reason = None
    if retention.is_removed(connection, member.guild_id):
        reason = "of a server that removed Kith"
    elif settings.frozen:
        reason = "of a frozen server"
    elif state is not None and state.Ignored:
        reason = "of members whom moderators had ignored"
    elif consent is Consent.OFF:
        reason = "of members who want nothing stored"
    return ConsentGate(
        consent,
        reason,
        max(until, default=None),
        frozenset(
            erasure.channel_id or 0
            for erasure in erased_for_all
            if erasure.kind is ErasureKind.CHANNEL
        ),
        frozenset(
            erasure.uid for erasure in erased if erasure.kind is ErasureKind.MEMORY and erasure.uid
        ),
        _erased_messages(erased, ErasureKind.MESSAGE, rules),
        applies_choices,
    )


def _erased_messages(
    erased: Iterable[Erasure], kind: ErasureKind, rules: ImportRules
) -> frozenset[int]:
    """Return the messages of erasures of a kind that are newer than the archive."""
    newer = (entry for entry in erased if entry.kind is kind and entry.at > rules.made_at)
    return frozenset(entry.message_id for entry in newer if entry.message_id)


# --- messages -----------------------------------------------------------------------------------


def decide_messages(
    connection: Connection,
    member: Member,
    records: Sequence[MessageRecord],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[Decision[MessageRecord]]:
    """Decide for each of a member's messages."""
    ids = {record.message for record in records}
    revisions = archive_import.known_revisions(connection, member.guild_id, ids)
    buried = tombstones.revisions(connection, member.guild_id, ids)
    decisions = []
    for record in records:
        expires_at = record.at
        if not gate.reason and not rules.is_future(record.at):
            expires_at = policy.event_end(record.at, gate.consent)
        reason = _message_reason(record, gate, rules, revisions, buried, expires_at)
        decisions.append((record, reason, expires_at))
        revisions.setdefault(record.message, record.revision)
    return decisions


def _message_reason(
    record: MessageRecord,
    gate: ConsentGate,
    rules: ImportRules,
    revisions: Mapping[int, int],
    buried: Mapping[int, int],
    expires_at: datetime,
) -> str | None:
    if revisions.get(record.message, -1) >= record.revision:
        return KNOWN
    if gate.reason:
        return gate.reason
    is_deleted = buried.get(record.message, -1) >= record.revision
    is_deleted = is_deleted or record.message in gate.changed_messages
    if is_deleted or gate.is_erased(record.at, record.channel, record.source):
        return ERASED
    if rules.is_future(record.at):
        return FROM_THE_FUTURE
    return EXPIRED if expires_at <= rules.now else None


def event_of(record: MessageRecord) -> Event:
    """Return a message as an event that can be stored."""
    return storable(
        Event(
            guild_id=record.server,
            channel_id=record.channel,
            source_id=record.source,
            message_id=record.message,
            author_id=record.member,
            author_name=record.name,
            role=Role.MEMBER,
            text=record.text,
            created_at=record.at,
            reply_to_id=record.reply_to,
            revision=record.revision,
        )
    )


def decide_loops(
    connection: Connection,
    member: Member,
    records: Sequence[LoopRecord],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[Decision[LoopRecord]]:
    """Decide for each of a member's open loops."""
    buried = tombstones.revisions(
        connection, member.guild_id, {record.message for record in records}
    )
    erased = erasure_ledger.entries_of_member(connection, member)
    dropped = _erased_messages(erased, ErasureKind.LOOP, rules)
    decisions = []
    for record in records:
        reason, expires_at = gate.reason, record.ends_at
        if reason is None and rules.is_future(record.at):
            reason = FROM_THE_FUTURE
        elif reason is None:
            expires_at = min(expires_at, policy.event_end(record.at, gate.consent))
            is_deleted = record.message in buried or record.message in dropped
            if is_deleted or gate.is_erased(record.at, record.channel, record.source):
                reason = ERASED
            elif expires_at <= rules.now:
                reason = EXPIRED
        decisions.append((record, reason, expires_at))
    return decisions


# --- memories -----------------------------------------------------------------------------------


def decide_memories(
    connection: Connection,
    member: Member,
    records: Sequence[MemoryRecord],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[MemoryDecision]:
    """Decide for each of a member's memories; ``records`` are all that the archive has."""
    own_policy = policy.in_force(
        write_policies.load(connection, member.guild_id), rules.write_policy
    )
    owners = archive_import.owners(connection, {record.uid for record in records})
    current = memories.load_current(connection, member, rules.now)
    ids_by_text = {(row.text, row.kind, row.channel_id): row.id for row in current}
    messages = {entry.message for record in records for entry in record.evidence}
    messages |= {ref.message for record in records for ref in record.context if ref.message}
    deleted = tombstones.permanent(connection, member.guild_id, messages) | gate.changed_messages
    remaining = own_policy.cap - len(current)
    decisions: dict[str, MemoryDecision] = {}
    for record in records:
        uid, is_current = record.uid, record.status is not Status.SUPERSEDED
        if uid in owners or uid in decisions:
            is_own = uid in decisions or owners[uid][1] == member
            reason = KNOWN if is_own else OF_ANOTHER_MEMBER
            decisions.setdefault(uid, MemoryDecision(record, reason))
            continue
        decision = _decide_memory(record, gate, rules, own_policy, deleted)
        same_as = ids_by_text.get((record.text, record.kind, record.channel))
        if decision.reason is None and is_current and same_as is not None:
            decision = MemoryDecision(
                record, KNOWN, decision.evidence, decision.expires_at, same_as
            )
        elif decision.reason is None and is_current:
            remaining -= 1
            decision = decision if remaining >= 0 else MemoryDecision(record, OVER_CAP)
        decisions[uid] = decision
    return [_with_successor(decision, decisions) for decision in decisions.values()]


def _decide_memory(
    record: MemoryRecord,
    gate: ConsentGate,
    rules: ImportRules,
    own_policy: WritePolicy,
    deleted: frozenset[int],
) -> MemoryDecision:
    if gate.reason:
        return MemoryDecision(record, gate.reason)
    context = {ref.message for ref in record.context}
    rests_on = {record.uid, *(ref.memory for ref in record.context)}
    if not gate.erased_uids.isdisjoint(rests_on) or not deleted.isdisjoint(context):
        return MemoryDecision(record, ERASED)
    evidence = tuple(
        entry
        for entry in record.evidence
        if entry.message not in deleted
        and not gate.is_erased(entry.said_at, entry.channel, record.channel)
    )
    if not evidence:
        return MemoryDecision(record, ERASED if record.evidence else NO_EVIDENCE)
    said_at, confirmed_at = max(entry.said_at for entry in evidence), record.confirmed_at
    if len(evidence) < len(record.evidence):
        confirmed_at = min(confirmed_at, said_at)
    if rules.is_future(record.said_at, said_at, confirmed_at):
        return MemoryDecision(record, FROM_THE_FUTURE)
    latest = policy.memory_end(
        record.kind, None, confirmed_at, gate.consent, own_policy.longest_days
    )
    expires_at = min((at for at in (record.ends_at, latest) if at is not None), default=None)
    if expires_at is not None and expires_at <= rules.now:
        return MemoryDecision(record, EXPIRED)
    refusal = rules.refusal(record.text)
    reason = f"never kept ({refusal})" if refusal else None
    return MemoryDecision(record, reason, evidence, expires_at)


def _with_successor(
    decision: MemoryDecision, decisions: Mapping[str, MemoryDecision]
) -> MemoryDecision:
    """Leave a superseded memory out if the one that superseded it is not here."""
    visited: set[str] = set()
    successor: MemoryDecision | None = decision
    while successor is not None and successor.record.status is Status.SUPERSEDED:
        uid = successor.record.superseded_by
        if uid is None or uid in visited:
            successor = None
        else:
            visited.add(uid)
            successor = decisions.get(uid)
        if successor is not None and successor.reason not in (None, KNOWN):
            successor = None
    is_settled = successor is not None or decision.reason is not None
    return decision if is_settled else MemoryDecision(decision.record, NO_SUCCESSOR)


def import_memories(
    connection: Connection,
    member: Member,
    records: Sequence[MemoryRecord],
    gate: ConsentGate,
    rules: ImportRules,
    limit: int,
) -> tuple[list[MemoryDecision], int]:
    """Store up to ``limit`` of a member's memories; returns all decisions and how many were stored.

    The caller holds the member's lock.
    """
    decisions = decide_memories(connection, member, records, gate, rules)
    owners = archive_import.owners(connection, [decision.record.uid for decision in decisions])
    ids = {uid: row_id for uid, (row_id, owner) in owners.items() if owner == member}
    stored = 0
    for decision in decisions:
        uid = decision.record.uid
        if decision.same_as is not None:
            archive_import.add_evidence(connection, member, decision.same_as, decision.evidence)
            ids[uid] = decision.same_as
        elif decision.reason is None and stored < limit:
            ids[uid] = archive_import.add_memory(
                connection,
                decision.record,
                evidence=decision.evidence,
                proposed=_waiting_notes(decision, rules),
                expires_at=decision.expires_at,
                stems=_stems(connection, decision, rules),
                ids=ids,
                now=rules.now,
            )
            stored += 1
    for decision in decisions:
        uid, successor = decision.record.uid, decision.record.superseded_by
        is_past = decision.record.status is Status.SUPERSEDED and uid in ids
        if is_past and successor in ids and ids[uid] != ids[successor]:
            archive_import.link(connection, ids[uid], ids[successor])
    return decisions, stored


def _waiting_notes(decision: MemoryDecision, rules: ImportRules) -> list[ProposedRecord]:
    """Return the notes that may wait for a verdict beside an imported quote."""
    if decision.record.form is not Form.QUOTE:
        return []
    messages = {entry.message for entry in decision.evidence}
    return [
        note
        for note in decision.record.proposed
        if note.message in messages
        and rules.now < note.ends_at <= rules.now + timedelta(days=proposed_notes.PROPOSED_DAYS)
        and not rules.is_future(note.at)
        and not any(map(rules.refusal, (note.text, note.attribute, note.topics)))
    ]


def _stems(connection: Connection, decision: MemoryDecision, rules: ImportRules) -> str:
    """Return the search stems of a memory, its message and the message before, if they are here."""
    first = decision.evidence[0]
    event = events.load_latest(connection, decision.record.server, first.message)
    before = history_import.before(connection, event, 1) if event is not None else []
    message = event.text if event is not None else first.quote
    context = (message, before[-1].text if before else "")
    allowed = ["" if rules.refusal(text) else text for text in context]
    return search_stems(decision.record.text, *allowed)
