"""Decide which memories of an archive are stored, with which evidence, and store them.

This runs in the unit of work that holds the member's lock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from utils.admin.archive.import_rules import (
    ERASED,
    EXPIRED,
    FROM_THE_FUTURE,
    KNOWN,
    ConsentGate,
    ImportRules,
)
from utils.database.admin import archive_import, history_import
from utils.database.admin.archive_import import AcceptedMemory
from utils.database.admin.archive_records import EvidenceRecord, MemoryRecord
from utils.database.core.engine import Connection
from utils.database.memories import memories, write_policies
from utils.database.privacy import tombstones
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy import write_policy as policy
from utils.models.memory import Member, Status
from utils.models.policy import WritePolicy
from utils.nlp.confidential import MARK, is_confidential, with_mark

OVER_CAP = "over the member's limit"
NO_EVIDENCE = "without evidence"
NO_SUCCESSOR = "superseded by a memory that is not imported"
OF_ANOTHER_MEMBER = "stored for another member here"


@dataclass(frozen=True, slots=True)
class MemoryDecision:
    """What is done with a memory: why it is left out (None: it is stored), the evidence that still
    exists, when it expires, and the id of a stored memory with the same text."""

    record: MemoryRecord
    reason: str | None
    evidence: tuple[EvidenceRecord, ...] = ()
    expires_at: datetime | None = None
    same_as: int | None = None


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
    for decision in decisions:
        if decision.same_as is not None:
            archive_import.add_evidence(connection, member, decision.same_as, decision.evidence)
            ids[decision.record.uid] = decision.same_as
    new = [decision for decision in decisions if decision.reason is None][:limit]
    stems = _stems(connection, member, new, rules)
    accepted = [
        AcceptedMemory(
            decision.record,
            decision.evidence,
            decision.expires_at,
            stems[decision.record.uid],
        )
        for decision in new
    ]
    ids |= archive_import.add_memories(connection, member, accepted, ids, rules.now)
    for decision in decisions:
        uid, successor = decision.record.uid, decision.record.superseded_by
        is_past = decision.record.status is Status.SUPERSEDED and uid in ids
        if is_past and successor in ids and ids[uid] != ids[successor]:
            archive_import.link(connection, ids[uid], ids[successor])
    return decisions, len(accepted)


def _stems(
    connection: Connection, member: Member, decisions: Sequence[MemoryDecision], rules: ImportRules
) -> dict[str, str]:
    """Return by uid the search stems of each memory, its message and the message before, if they
    are here."""
    first = {decision.record.uid: decision.evidence[0] for decision in decisions}
    message_ids = {entry.message for entry in first.values()}
    latest = history_import.load_latest(connection, member.guild_id, message_ids)
    stems = {}
    for decision in decisions:
        entry = first[decision.record.uid]
        event = latest.get(entry.message)
        before = history_import.before(connection, event, 1) if event is not None else []
        message = event.text if event is not None else entry.quote
        context = (message, before[-1].text if before else "")
        allowed = ["" if rules.refusal(text) else text for text in context]
        own_stems = search_stems(decision.record.text, *allowed)
        is_secret = decision.record.confidential or is_confidential(message)
        stems[decision.record.uid] = with_mark(own_stems, MARK) if is_secret else own_stems
    return stems
