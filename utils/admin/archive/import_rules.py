"""Decide which rows of an archive are stored, and give the reason for each that is not.

The importer vouches for the content. These rules make sure that nothing erased comes back, that
consent, expiry, the cap and the safety filter apply, and that nothing is stored twice. They run in
the unit of work that stores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from utils.database.admin import archive_import, history_import
from utils.database.admin.archive_rows import Row
from utils.database.core.engine import Connection
from utils.database.erasure import retention
from utils.database.erasure.inventory import Part
from utils.database.guilds import settings as guilds
from utils.database.messages.events import event_row
from utils.database.privacy import erasure_ledger, tombstones
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import DEFAULT_CATEGORIES, Category
from utils.memory.policy.storable_events import storable
from utils.memory.safety.filter import refusal_reason
from utils.models.memory import Consent, Event, Member, Role
from utils.models.operator import Erasure, ErasureKind
from utils.models.policy import WritePolicy
from utils.nlp.confidential import with_mark

Decision: TypeAlias = tuple[Row, str | None]
"""A row as it is stored, and why it is left out (None: it is stored)."""

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
    newer choice here than the archive's. ``tellers`` are, by message, the gates of those who told a
    server's memories.
    """

    consent: Consent
    reason: str | None
    erased_until: datetime | None
    erased_channels: frozenset[int]
    erased_uids: frozenset[str]
    changed_messages: frozenset[int]
    applies_choices: bool
    tellers: Mapping[int, "ConsentGate"] = field(default_factory=dict)

    def is_erased(self, said_at: datetime, *channel_ids: int) -> bool:
        """Whether a message of that time, in one of these channels, was erased."""
        is_old = self.erased_until is not None and said_at <= self.erased_until
        return is_old or not self.erased_channels.isdisjoint(channel_ids)


def load_gate(
    connection: Connection,
    member: Member,
    archived: Consent | None,
    rules: ImportRules,
    *,
    is_ignored: bool = False,
) -> ConsentGate:
    """Return what may be stored of a member now.

    ``archived`` is their consent in the archive, ``is_ignored`` whether they are ignored there.
    """
    state = archive_import.load_state(connection, member)
    settings = guilds.load(connection, member.guild_id)
    erased = erasure_ledger.entries_of(connection, member.guild_id, member.user_id)
    erased_for_all = erasure_ledger.entries_of(connection, member.guild_id, None)
    applies_choices = not any(
        erasure.kind in CONSENT_REDUCED and erasure.at > rules.made_at for erasure in erased
    )
    chosen = state.Consent if state is not None else None
    chosen = chosen or (archived if applies_choices else None)
    consent = chosen or settings.consent_default
    until = [
        *(erasure.at for erasure in erased if erasure.kind in ALL_OF_A_MEMBER),
        *(erasure.at for erasure in erased_for_all if erasure.kind is ErasureKind.SERVER),
    ]
    until += history_import.erased_until(connection, member.guild_id, [member.user_id]).values()
    reason = None
    if retention.is_removed(connection, member.guild_id):
        reason = "of a server that removed Kith"
    elif settings.frozen:
        reason = "of a frozen server"
    elif is_ignored or (state is not None and state.Ignored):
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
    return frozenset(
        entry.message_id
        for entry in erased
        if entry.kind is kind and entry.at > rules.made_at and entry.message_id
    )


# --- rows that stand for themselves -------------------------------------------------------------


def decide_messages(
    connection: Connection,
    member: Member,
    rows: Sequence[Row],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[Decision]:
    """Decide for each of a member's messages."""
    ids = {row["MessageId"] for row in rows}
    stored_revisions = archive_import.known_revisions(connection, member.guild_id, ids)
    buried = tombstones.revisions(connection, member.guild_id, ids)
    decisions = []
    for row in rows:
        message_id, revision = row["MessageId"], row["Revision"]
        is_deleted = message_id in gate.changed_messages or buried.get(message_id, -1) >= revision
        is_known = stored_revisions.get(message_id, -1) >= revision and not is_deleted
        stored, reason = _decide(row, is_deleted, gate, rules)
        decisions.append((stored, KNOWN if is_known else reason))
        stored_revisions.setdefault(message_id, revision)
    return decisions


def decide_loops(
    connection: Connection,
    member: Member,
    rows: Sequence[Row],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[Decision]:
    """Decide for each of a member's open loops."""
    known = archive_import.known_loops(connection, member)
    buried = tombstones.revisions(connection, member.guild_id, {row["MessageId"] for row in rows})
    erased = erasure_ledger.entries_of(connection, member.guild_id, member.user_id)
    deleted = {*buried, *_erased_messages(erased, ErasureKind.LOOP, rules)}

    def is_known(row: Row) -> bool:
        return any(
            row["MessageId"] == id_
            and (row["Text"] == text or (is_sent and text.endswith(f" {row['Text']}")))
            for id_, text, is_sent in known
        )

    return [
        (row, KNOWN if reason is None and is_known(row) else reason)
        for row, reason in (_decide(row, row["MessageId"] in deleted, gate, rules) for row in rows)
    ]


def decide_tombstones(
    connection: Connection,
    member: Member,
    rows: Sequence[Row],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[Decision]:
    """Decide for each tombstone: only who wants nothing stored needs none, whatever comes later."""
    buried = tombstones.revisions(connection, member.guild_id, {row["MessageId"] for row in rows})
    return [
        (row, KNOWN if buried.get(row["MessageId"], -1) >= row["Revision"] else None)
        if gate.consent is not Consent.OFF
        else (row, gate.reason)
        for row in rows
    ]


def _decide(row: Row, is_deleted: bool, gate: ConsentGate, rules: ImportRules) -> Decision:
    """Decide about words that were said once: they expire with consent, or as the archive says."""
    said_at = row["CreatedAt"]
    if gate.reason or rules.is_future(said_at):
        return row, gate.reason or FROM_THE_FUTURE
    if is_deleted or gate.is_erased(said_at, row["ChannelId"], row["SourceId"]):
        return row, ERASED
    expires_at = min(row["ExpiresAt"], policy.event_end(said_at, gate.consent))
    return {**row, "ExpiresAt": expires_at}, EXPIRED if expires_at <= rules.now else None


def message_row(row: Row) -> Row:
    """Return the row of an accepted message as history is stored, with stems computed here."""
    event = storable(
        Event(
            guild_id=row["GuildId"],
            channel_id=row["ChannelId"],
            source_id=row["SourceId"],
            message_id=row["MessageId"],
            author_id=row["AuthorId"],
            author_name=row["AuthorName"],
            role=Role.MEMBER,
            text=row["Text"],
            created_at=row["CreatedAt"],
            reply_to_id=row["ReplyToId"],
            revision=row["Revision"],
        )
    )
    return event_row(
        replace(event, stems=with_mark(event.stems, row["Stems"])), row["ExpiresAt"], row["State"]
    )


DECIDE = {
    Part.MESSAGES: decide_messages,
    Part.LOOPS: decide_loops,
    Part.TOMBSTONES: decide_tombstones,
}
"""Decides about the rows of each part of an archive whose rows stand for themselves."""
