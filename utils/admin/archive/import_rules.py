"""Decide which records of an archive are stored, and give the reason for each that is not.

The importer vouches for the content. These rules make sure that nothing erased comes back, that
consent, expiry, the cap and the safety filter apply, and that nothing is stored twice. They run in
the unit of work that stores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeAlias, TypeVar

from utils.database.admin import archive_import, history_import
from utils.database.admin.archive_records import (
    LoopRecord,
    MessageRecord,
)
from utils.database.core.engine import Connection
from utils.database.erasure import retention
from utils.database.guilds import settings as guilds
from utils.database.privacy import erasure_ledger, tombstones
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.policy.storable_events import storable
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Consent, Event, Member, Role
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy
from utils.nlp.confidential import MARK, with_mark

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
    event = storable(
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
    return replace(event, stems=with_mark(event.stems, MARK)) if record.confidential else event


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
