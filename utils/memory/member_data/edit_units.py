"""Units of work that store what a member asks to remember, to correct or to undo.

Each raises BadInput with a sentence if it is refused.
"""

from datetime import datetime
from functools import partial

from utils.common.errors import BadInput
from utils.database.core.engine import Connection
from utils.database.guilds import settings
from utils.database.memories import (
    audit,
    members,
    memories,
    memory_changes,
    memory_history,
    write_policies,
)
from utils.database.messages import events
from utils.memory.consolidation import profile
from utils.memory.consolidation.planner import plan_changes
from utils.memory.member_data import edit_rules
from utils.memory.policy import write_policy as policy
from utils.memory.policy.write_policy import WriteRules
from utils.memory.verification.extraction_context import ExtractionContext
from utils.models.extraction import Extraction, Verdict
from utils.models.memory import Consent, Event, EventState, Member, Memory, Status
from utils.models.plan import Plan
from utils.models.policy import WritePolicy
from utils.models.transfer import Statement

MAX_PAST = 500
UNKNOWN = "There is no memory #{number} of yours here."
REPLACED = "Memory #{number} has been replaced by #{by}; name that one."
REPLACED_NOTHING = "Memory #{number} replaced nothing that I still have."


def remember(
    connection: Connection,
    member: Member,
    event: Event,
    extraction: Extraction,
    context: ExtractionContext,
    write_policy: WritePolicy,
    *,
    was_stored: bool,
    now: datetime,
) -> tuple[Memory, Plan]:
    """Store a judged request to remember; returns the memory, and the plan that was carried out.

    Args:
        event: the message that asks; it is stored if it is unknown.
        was_stored: whether it was known before the request was judged.
    """
    members.lock(connection, member)
    consent = members.consent(connection, member)
    if consent is Consent.OFF:
        raise edit_rules.refusal("consent")
    if was_stored and not events.is_stored(connection, event):  # all was forgotten since
        raise edit_rules.refusal("forgotten")
    is_new = events.insert(connection, event, policy.event_end(event.created_at, consent))
    has_note = any(candidate.text for candidate in extraction.candidates)
    if is_new and has_note:  # without one the message is still extracted, for a note about it
        events.finish(connection, _event_ids(connection, event), EventState.DONE)
    plan = memory_changes.change(
        connection,
        member,
        partial(
            plan_changes,
            extraction=extraction,
            write_policy=write_policy,
            context=context,
        ),
        now=now,
        event_ids=_event_ids(connection, event),
        actor_id=member.user_id,
    )
    for reason in plan.refused:
        raise edit_rules.refusal(reason)
    row_ids = (*plan.inserted, *(change.row_id for change in plan.confirmations))
    return _row(connection, member, row_ids[0], now), plan


def correct(
    connection: Connection,
    member: Member,
    memory_id: int,
    statement: Statement,
    verdict: Verdict,
    rules: WriteRules,
    now: datetime,
) -> tuple[Memory, Plan]:
    """Replace a memory by a verified statement; returns the new memory, and the plan."""
    members.lock(connection, member)
    _check_current(connection, member, memory_id, now)
    message = statement.message
    plan = memory_changes.change(
        connection,
        member,
        partial(
            edit_rules.plan_correction,
            memory_id=memory_id,
            statement=statement,
            verdict=verdict,
            write_policy=rules.policy,
            forbidden=rules.forbidden,
            zone=settings.load(connection, member.guild_id).zone,
        ),
        now=now,
        event_ids=[] if message is None else _event_ids(connection, message),
        actor_id=member.user_id,
        counts_writes=True,
    )
    # Repeated corrections must not fill the database.
    oldest = [row.id for row, _ in memories.load_past(connection, member, now)][:-MAX_PAST]
    memories.remove(connection, member, oldest, "removed", now=now, actor_id=0)
    return _row(connection, member, plan.inserted[0], now), plan


def undo(
    connection: Connection, member: Member, memory_id: int, write_policy: WritePolicy, now: datetime
) -> list[Memory]:
    """Restore the memories that one replaced; returns them.

    The number of a replaced memory means the one that replaced it.
    """
    members.lock(connection, member)
    replaced_by = {row.id: by for row, by in memories.load_past(connection, member, now)}
    memory_id = replaced_by.get(memory_id, memory_id)
    _check_current(connection, member, memory_id, now)
    if settings.load(connection, member.guild_id).frozen:
        raise edit_rules.refusal("frozen")
    swapped = memory_history.swap_superseded(
        connection, member, memory_id, now=now, actor_id=member.user_id
    )
    if swapped is None:
        raise BadInput(REPLACED_NOTHING, number=memory_id)
    _exchange_in_profile(connection, member, memory_id, swapped, now)
    active_policy = policy.in_force(write_policies.load(connection, member.guild_id), write_policy)
    rows = [_row(connection, member, row_id, now) for row_id in swapped.restored]
    approved_ids = audit.approved_ids(connection, member)
    waiting_ids = [
        row.id for row in rows if row.id not in approved_ids and _needs_approval(row, active_policy)
    ]
    if waiting_ids:
        memory_history.mark_proposed(connection, waiting_ids)
        sources = memories.load_evidence(connection, member)
        behind = {ref.message_id for row_id in waiting_ids for ref in sources[row_id]}
        memory_changes.withhold(connection, member.guild_id, behind)
        memory_changes.refresh_profile(connection, member, profile.remaining, now)
    return [_row(connection, member, row_id, now) for row_id in swapped.restored]


def _check_current(connection: Connection, member: Member, memory_id: int, now: datetime) -> None:
    """Raise BadInput unless it is a current memory of this member."""
    for row, by in memories.load_past(connection, member, now):
        if row.id == memory_id:
            raise BadInput(REPLACED, number=memory_id, by=by)
    _row(connection, member, memory_id, now)


def _needs_approval(row: Memory, rules: WritePolicy) -> bool:
    """Whether a restored memory needs a moderator's approval."""
    status = policy.status_for(row.kind, row.confidence, rules.pattern_days, rules)
    return row.status is Status.ACTIVE and status is Status.PROPOSED


def _row(connection: Connection, member: Member, memory_id: int, now: datetime) -> Memory:
    """Return a current memory of a member. Raises BadInput if there is none with that number."""
    for row in memories.load_current(connection, member, now):
        if row.id == memory_id:
            return row
    raise BadInput(UNKNOWN, number=memory_id)


def _event_ids(connection: Connection, event: Event) -> list[int]:
    """Return the database id of a message; empty if it is not stored."""
    event_id = events.id_of(connection, event)
    return [] if event_id is None else [event_id]


def _exchange_in_profile(
    connection: Connection,
    member: Member,
    memory_id: int,
    swapped: memory_history.SwapResult,
    now: datetime,
) -> None:
    """Put restored memories into the profile in place of the undone one, or beside it."""
    stored = members.load_header(connection, member).profile
    rows = memories.load_current(connection, member, now)
    out = {memory_id, *swapped.superseded}
    into = {*swapped.restored, *(out - {*swapped.superseded})}
    paragraph = edit_rules.replaced_in_profile(stored, out, into, rows)
    if paragraph is not None:
        members.save_profile(connection, member, paragraph)
