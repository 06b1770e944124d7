"""The unit of work in which an operator or a moderator changes a memory.

Raises NotFound, BadInput, Conflict.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from utils.admin import memory_edits
from utils.common.errors import Conflict, NotFound
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
from utils.memory.policy.write_policy import WriteRules
from utils.models.admin import MemoryEdit
from utils.models.memory import Member, Memory, Profile, Status, VerifiedBy
from utils.models.plan import MemberState, NewMemory, Plan
from utils.nlp.confidential import with_mark

NO_MEMORY = "There is no memory #{id}."
NO_EVIDENCE = "Memory #{id} has no evidence left, so its text cannot be changed; forget it."
FROZEN = (
    "This server's moderators have frozen its memory. Until they unfreeze it, memories can only be "
    "forgotten."
)


def change(
    connection: Connection,
    memory_id: int,
    edit: MemoryEdit,
    reason: str,
    rules: WriteRules,
    now: datetime,
    actor_id: int,
) -> Memory:
    """Carry out a change; returns the memory, which is a new one if its text changed."""
    memory = memory_items.item(connection, memory_id)
    if memory is not None:
        members.lock(connection, Member(memory.guild_id, memory.user_id))
        memory = memory_items.item(connection, memory_id)
    if memory is None:
        raise NotFound(NO_MEMORY, id=memory_id)
    member = Member(memory.guild_id, memory.user_id)
    active_policy = policy.in_force(write_policies.load(connection, member.guild_id), rules.policy)
    consent = members.consent(connection, member)
    values = memory_edits.changed(memory, edit, consent, active_policy, now)
    text = None
    if edit.text is not None:
        text = memory_edits.rewritten(memory, edit.text, rules.forbidden)
    if not values and text is None:
        return memory
    if guilds.load(connection, member.guild_id).frozen:
        raise Conflict(FROZEN)
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
    member = Member(old.guild_id, old.user_id)
    evidence = memory_history.load_evidence(connection, [old.id]).get(old.id, ())
    if not evidence:
        raise Conflict(NO_EVIDENCE, id=old.id)
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
        stems=with_mark(search_stems(text, "", ""), old.stems),
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
    """Store new values of a memory, and what follows from a new status."""
    member = Member(memory.guild_id, memory.user_id)
    before, after = memory_edits.in_words(memory, values, reason)
    proposed = review_queue.find_waiting(connection, member.guild_id, memory.id, now)
    if proposed is not None and values.get("status") is Status.ACTIVE:
        review_queue.approve(connection, proposed, now=now, moderator_id=actor_id)
    texts = {"before": before, "after": after}
    memory_items.change(connection, memory, values, **texts, now=now, actor_id=actor_id)
    if "status" in values:
        memory_changes.refresh_profile(connection, member, _remaining_profile, now)
        if values["status"] is not Status.ACTIVE:
            sources = memories.load_evidence(connection, member).get(memory.id, ())
            behind = {ref.message_id for ref in sources}
            memory_changes.withhold(connection, member.guild_id, behind)


def _remaining_profile(stored: Profile, rows: list[Memory]) -> Profile:
    """Return the profile that its remaining active memories give."""
    return profile.remaining(stored, [row for row in rows if row.status is Status.ACTIVE])
