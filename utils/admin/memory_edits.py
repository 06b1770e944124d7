"""How an operator or a moderator changes a memory: what they may change, and the unit of work."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from utils.common.errors import BadInput, Conflict, NotFound
from utils.common.text import clean, one_line, utf16_length
from utils.database.admin import memory_items
from utils.database.core.engine import Connection
from utils.database.guilds import settings as guilds
from utils.database.memories import (
    contexts,
    members,
    memories,
    memory_changes,
    memory_history,
    review_queue,
    write_policies,
)
from utils.memory.consolidation import profile
from utils.memory.consolidation.wording import search_stems
from utils.memory.member_data import edit_rules
from utils.memory.policy import write_policy as policy
from utils.memory.policy.categories import Category
from utils.memory.policy.write_policy import WriteRules
from utils.memory.safety.filter import refusal_reason
from utils.models.admin import MemoryEdit
from utils.models.memory import (
    MEMORY_LIMIT,
    Consent,
    Form,
    Kind,
    Memory,
    Status,
    VerifiedBy,
)
from utils.models.plan import MemberState, NewMemory, Plan
from utils.models.policy import WritePolicy
from utils.nlp.confidential import with_mark

CHANGEABLE = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
GONE = {
    Status.FORGOTTEN: "Memory #{id} was forgotten; nothing of it is left to change.",
    Status.SUPERSEDED: "Memory #{id} was replaced by #{by}; change that one.",
}
NO_MEMORY = "There is no memory #{id}."


def choosable(item: Memory) -> tuple[Status, ...]:
    """Return the statuses that a memory may have."""
    is_used_habit = item.kind is Kind.PATTERN and item.status is not Status.SHADOW
    return tuple(s for s in CHANGEABLE if not (is_used_habit and s is Status.SHADOW))


def changed(
    item: Memory, change: MemoryEdit, consent: Consent, rules: WritePolicy, now: datetime
) -> dict[str, Any]:
    """Return the new values by field of Memory; empty if nothing changes.

    The expiry is bounded by the member's consent, the kind and the server's policy. Raises BadInput
    for an invalid value, Conflict if the memory cannot be changed.
    """
    if item.status in GONE:
        raise Conflict(GONE[item.status], id=item.id, by=item.superseded_by)
    if item.is_over(now):
        raise Conflict("Memory #{id} has expired; the next pruning removes it.", id=item.id)
    values: dict[str, Any] = {}
    if change.status is not None:
        if change.status not in CHANGEABLE:
            raise BadInput(
                "A memory's status can be active, proposed or shadow. To delete it, forget it."
            )
        if change.status not in choosable(item):
            raise BadInput(
                "A habit in shadow is one that has yet to show, and its message may be quoted. To "
                "take it out of use, set it to proposed, or forget it."
            )
        values["status"] = change.status
    if change.importance is not None:
        values["importance"] = change.importance
    if change.expires_at is not None or change.is_permanent:
        values["expires_at"] = _end(item, change, consent, rules, now)
    return {name: value for name, value in values.items() if value != getattr(item, name)}


def rewritten(item: Memory, text: str, forbidden: frozenset[Category]) -> str | None:
    """Return the new text of a memory as it is stored; None if it is the same.

    Raises BadInput if it is empty or too long, if the safety filter refuses it, or for a quote.
    """
    line = one_line(clean(text))
    if line == item.text:
        return None
    if item.form is Form.QUOTE:
        raise BadInput(
            "These are the member's own words, which nobody else can change. Approve or forget "
            "them."
        )
    if not any(map(str.isalnum, line)) or utf16_length(line) > MEMORY_LIMIT:
        raise BadInput("Write the text in 1 to {limit} characters.", limit=MEMORY_LIMIT)
    reason = refusal_reason(line, forbidden)
    if reason is not None:
        raise edit_rules.refusal(reason)
    return line


def _end(
    item: Memory, change: MemoryEdit, consent: Consent, rules: WritePolicy, now: datetime
) -> datetime | None:
    end = change.expires_at
    if end is not None and end <= now:
        raise BadInput("That expiry is in the past. To delete a memory, forget it.")
    last = policy.memory_end(item.kind, None, item.last_confirmed_at, consent, rules.longest_days)
    if last is not None and (end is None or end > last):
        raise BadInput(
            "By its kind and the member's consent, this {kind} can last until {end} at most.",
            kind=item.kind,
            end=f"{last:%Y-%m-%d %H:%M} UTC",
        )
    return end


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.name.lower() if hasattr(value, "name") else value


def change(
    connection: Connection,
    memory_id: int,
    edit: MemoryEdit,
    reason: str,
    rules: WriteRules,
    now: datetime,
    actor_id: int,
) -> Memory:
    """Carry out a change; returns the memory, which is a new one if its text changed.

    Raises NotFound, BadInput, Conflict.
    """
    memory = memory_items.item(connection, memory_id)
    if memory is not None:
        members.lock(connection, memory.member)
        memory = memory_items.item(connection, memory_id)
    if memory is None:
        raise NotFound(NO_MEMORY, id=memory_id)
    member = memory.member
    active_policy = policy.in_force(write_policies.load(connection, member.guild_id), rules.policy)
    values = changed(memory, edit, members.consent(connection, member), active_policy, now)
    text = None if edit.text is None else rewritten(memory, edit.text, rules.forbidden)
    if not values and text is None:
        return memory
    if guilds.load(connection, member.guild_id).frozen:
        raise Conflict(
            "This server's moderators have frozen its memory. Until they unfreeze it, memories "
            "can only be forgotten."
        )
    if text is not None:
        memory = _rewrite(connection, memory, text, now, actor_id)
    if values or reason:
        _set(connection, memory, values, reason, now, actor_id)
    return replace(memory, **values)


def _rewrite(
    connection: Connection, old: Memory, text: str, now: datetime, actor_id: int
) -> Memory:
    """Replace a memory by a new text; returns the new memory.

    It rests on the same messages, ends when the old one would, and goes with them.
    """
    member = old.member
    evidence = memory_history.load_evidence(connection, [old.id]).get(old.id, ())
    if not evidence:
        raise Conflict(
            "Memory #{id} has no evidence left, so its text cannot be changed; forget it.",
            id=old.id,
        )
    context = contexts.load_context(connection, [old.id]).get(old.id, ())
    verified = [
        replace(entry, verified_by=VerifiedBy.MODERATOR, verifier_model="", verifier_hash="")
        for entry in evidence
    ]
    new = NewMemory(
        text=text,
        topics=old.topics,
        importance=old.importance,
        kind=old.kind,
        fact_key=old.fact_key,
        source=old.source,
        status=old.status,
        confidence=policy.VERIFIED_CONFIDENCE[VerifiedBy.MODERATOR],
        channel_id=old.channel_id,
        stems=with_mark(search_stems(text, ""), old.stems),
        expires_at=old.expires_at,
        evidence=replace(verified[-1], context=context),
        supersedes=old.id,
    )

    def decide(state: MemberState) -> Plan:
        (row,) = (row for row in state.rows if row.id == old.id)
        corrected = replace(new, corrects=state.corrected.get(old.id))
        return edit_rules.plan_replacement(row, corrected, state, may_enter=True)

    plan = memory_changes.change(
        connection, member, decide, now=now, actor_id=actor_id, counts_writes=True
    )
    (new_id,) = plan.inserted
    memories.add_evidence(connection, member, new_id, verified[:-1])
    item = memory_items.item(connection, new_id)
    if item is None:
        raise NotFound(NO_MEMORY, id=new_id)
    return item


def _set(
    connection: Connection,
    memory: Memory,
    values: dict[str, Any],
    reason: str,
    now: datetime,
    actor_id: int,
) -> None:
    """Store new values of a memory, and what follows from a new status.

    The audit's JSON never has the memory's text.
    """
    member = memory.member
    before = {name: _plain(getattr(memory, name)) for name in values}
    after = {name: _plain(value) for name, value in values.items()}
    if reason:
        after["reason"] = reason
    proposed = review_queue.find_waiting(connection, member.guild_id, memory.id, now)
    if proposed is not None and values.get("status") is Status.ACTIVE:
        review_queue.approve(connection, proposed, now=now, moderator_id=actor_id)
    memory_items.change(
        connection,
        memory,
        values,
        before=json.dumps(before),
        after=json.dumps(after, ensure_ascii=False),
        now=now,
        actor_id=actor_id,
    )
    if "status" in values:
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
        if values["status"] is not Status.ACTIVE:
            sources = memories.load_evidence(connection, member).get(memory.id, ())
            behind = {ref.message_id for ref in sources}
            memory_changes.withhold(connection, member.guild_id, behind)
