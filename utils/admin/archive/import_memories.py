"""Decide which memories of an archive are stored, with which evidence, and store them.

This runs in the unit of work that holds the member's lock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from utils.admin.archive.import_rules import (
    ERASED,
    EXPIRED,
    FROM_THE_FUTURE,
    KNOWN,
    ConsentGate,
    ImportRules,
)
from utils.common.visible_text import written_words
from utils.database.admin import archive_import, history_import
from utils.database.admin.archive_import import ArchivedMemory
from utils.database.core.engine import Connection
from utils.database.memories import members, memories, write_policies
from utils.database.privacy import tombstones
from utils.memory.consolidation.wording import search_stems
from utils.memory.policy import write_policy as policy
from utils.models.memory import Consent, Form, Member, Status
from utils.models.policy import WritePolicy
from utils.nlp.confidential import with_mark

OVER_CAP = "over the member's limit"
EVIDENCE, CONTEXT = "MemoryEvidence", "MemoryContext"


@dataclass(frozen=True, slots=True)
class MemoryDecision:
    """A memory as it is stored: with its expiry and the rows beside it that still exist.

    ``reason``: why it is left out (None: it is stored). ``same_as``: the id of a stored memory with
    the same text, which gets its evidence.
    """

    memory: ArchivedMemory
    reason: str | None
    same_as: int | None = None


def decide_memories(
    connection: Connection,
    member: Member,
    archived: Sequence[ArchivedMemory],
    gate: ConsentGate,
    rules: ImportRules,
) -> list[MemoryDecision]:
    """Decide for each of a member's memories; ``archived`` are all that the archive has."""
    own_policy = policy.in_force(
        write_policies.load(connection, member.guild_id), rules.write_policy
    )
    owners = archive_import.owners(connection, {memory.uid for memory in archived})
    current = memories.load_current(connection, member, rules.now)
    ids_by_text = {(row.text, row.kind, row.channel_id): row.id for row in current}
    messages = {row["MessageId"] for memory in archived for row in memory.parts[EVIDENCE]}
    said = {
        row["ContextMessageId"]: (row["AuthorId"], memory.row["CreatedAt"])
        for memory in archived
        for row in memory.parts[CONTEXT]
    }
    writers = {writer for writer, _ in said.values()}
    consents = members.effective_consents(connection, member.guild_id, writers)
    erased_until = history_import.erased_until(connection, member.guild_id, writers)
    deleted = frozenset(
        {
            message  # deleted, forgotten, or edited after the archive was made
            for message, revision in tombstones.revisions(
                connection, member.guild_id, messages | said.keys()
            ).items()
            if revision > rules.made_at.timestamp() * 1000
        }
        | gate.changed_messages
        | {
            message
            for message, (writer, noted_at) in said.items()
            if consents[writer] is Consent.OFF
            or (writer in erased_until and noted_at <= erased_until[writer])
        }
    )
    remaining = own_policy.cap - len(current)
    decisions: dict[str, MemoryDecision] = {}
    for memory in archived:
        uid, row = memory.uid, memory.row
        if uid in owners or uid in decisions:
            is_own = uid in decisions or owners[uid][1] == member
            decisions.setdefault(
                uid, MemoryDecision(memory, KNOWN if is_own else "stored for another member here")
            )
            continue
        decision = _decide_memory(memory, gate, rules, own_policy, deleted)
        if decision.reason is None and row["Status"] is not Status.SUPERSEDED:
            same_as = ids_by_text.get((row["Memory"], row["Kind"], row["ChannelId"]))
            remaining -= same_as is None
            if same_as is not None:
                decision = replace(decision, reason=KNOWN, same_as=same_as)
            elif remaining < 0:
                decision = replace(decision, reason=OVER_CAP)
        decisions[uid] = decision
    return [_with_successor(decision, decisions) for decision in decisions.values()]


def _decide_memory(
    memory: ArchivedMemory,
    gate: ConsentGate,
    rules: ImportRules,
    own_policy: WritePolicy,
    deleted: frozenset[int],
) -> MemoryDecision:
    if gate.reason:
        return MemoryDecision(memory, gate.reason)
    row, archived, context = memory.row, memory.parts[EVIDENCE], memory.parts[CONTEXT]
    rests_on = {memory.uid, *(ref["ContextMemoryId"] for ref in context)}
    is_erased = not deleted.isdisjoint(ref["ContextMessageId"] for ref in context)
    if is_erased or not gate.erased_uids.isdisjoint(rests_on):
        return MemoryDecision(memory, ERASED)
    tellers = [gate.tellers.get(entry["MessageId"], gate) for entry in archived]
    evidence = [
        entry
        for entry, teller in zip(archived, tellers, strict=True)
        if entry["MessageId"] not in deleted
        and not teller.reason
        and not teller.is_erased(entry["SaidAt"], entry["ChannelId"], row["ChannelId"])
    ]
    # A server's memories go with any message that told them.
    if not evidence or (gate.tellers and len(evidence) < len(archived)):
        return MemoryDecision(memory, ERASED if archived else "without evidence")
    said_at, confirmed_at = max(entry["SaidAt"] for entry in evidence), row["LastConfirmedAt"]
    if len(evidence) < len(archived):
        confirmed_at = min(confirmed_at, said_at)
    if rules.is_future(row["CreatedAt"], said_at, confirmed_at):
        return MemoryDecision(memory, FROM_THE_FUTURE)
    latest = policy.memory_end(
        row["Kind"],
        None,
        confirmed_at,
        min((teller.consent for teller in tellers), key=[*Consent].index),
        own_policy.longest_days,
        until=row["ExpiresAt"],  # of a task, mostly the date that it names
    )
    expires_at = min((at for at in (row["ExpiresAt"], latest) if at is not None), default=None)
    if expires_at is not None and expires_at <= rules.now:
        return MemoryDecision(memory, EXPIRED)
    by_message = {entry["MessageId"]: entry for entry in evidence}
    parts = {**memory.parts, EVIDENCE: list(by_message.values())}
    highest = policy.highest_confidence([entry["VerifiedBy"] for entry in parts[EVIDENCE]])
    changed = {"ExpiresAt": expires_at, "Confidence": min(row["Confidence"], highest)}
    is_verified = row["Form"] is Form.QUOTE or highest > policy.UNVERIFIED_CONFIDENCE
    if row["Status"] is Status.ACTIVE and not is_verified:
        changed["Status"] = Status.PROPOSED
    refusal = rules.refusal(row["Memory"])
    return MemoryDecision(
        ArchivedMemory({**row, **changed}, parts),
        f"never kept ({refusal})" if refusal else None,
    )


def _with_successor(
    decision: MemoryDecision, decisions: Mapping[str, MemoryDecision]
) -> MemoryDecision:
    """Leave a superseded memory out if the one that superseded it is not here."""
    visited: set[str | None] = set()
    successor: MemoryDecision | None = decision
    while successor is not None and successor.memory.row["Status"] is Status.SUPERSEDED:
        uid = successor.memory.row["SupersededById"]
        successor = None if uid in visited else decisions.get(uid)
        visited.add(uid)
        if successor is not None and successor.reason not in (None, KNOWN):
            successor = None
    if successor is not None or decision.reason is not None:
        return decision
    return replace(decision, reason="superseded by a memory that is not imported")


def import_memories(
    connection: Connection,
    member: Member,
    decisions: Sequence[MemoryDecision],
    rules: ImportRules,
    limit: int,
) -> None:
    """Store up to ``limit`` of the memories that are decided to be stored.

    The caller holds the member's lock.
    """
    owners = archive_import.owners(connection, [decision.memory.uid for decision in decisions])
    ids = {uid: row_id for uid, (row_id, owner) in owners.items() if owner == member}
    for decision in decisions:
        if decision.same_as is not None:
            evidence = decision.memory.parts[EVIDENCE]
            archive_import.add_evidence(connection, decision.same_as, evidence)
            ids[decision.memory.uid] = decision.same_as
    new = [decision.memory for decision in decisions if decision.reason is None][:limit]
    stored = _with_stems(connection, member, new, rules)
    ids |= archive_import.add_memories(connection, member, stored, ids, rules.now)
    for decision in decisions:
        uid, successor = decision.memory.uid, decision.memory.row["SupersededById"]
        is_past = decision.memory.row["Status"] is Status.SUPERSEDED and uid in ids
        if is_past and successor in ids and ids[uid] != ids[successor]:
            archive_import.link(connection, ids[uid], ids[successor])


def _with_stems(
    connection: Connection, member: Member, archived: Sequence[ArchivedMemory], rules: ImportRules
) -> list[ArchivedMemory]:
    """Return memories with the search stems of their text, and of their message if it is here."""
    first = [memory.parts[EVIDENCE][0] for memory in archived]
    latest = history_import.load_latest(
        connection, member.guild_id, {entry["MessageId"] for entry in first}
    )
    with_stems = []
    for memory, entry in zip(archived, first, strict=True):
        event = latest.get(entry["MessageId"])
        message = event.text if event is not None else entry["Quote"]
        source = "" if rules.refusal(message) else written_words(message)
        stems = with_mark(
            search_stems(memory.row["Memory"], source), message, memory.row["SearchStems"]
        )
        with_stems.append(replace(memory, row=memory.row | {"SearchStems": stems}))
    return with_stems
