"""Which changes the operator may make to a memory, and their audit texts. Pure."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from utils.common.errors import BadInput, Conflict
from utils.common.text import clean, one_line, utf16_length
from utils.memory.member_data.edit_rules import refusal
from utils.memory.policy import write_policy
from utils.memory.policy.categories import Category
from utils.memory.safety.filter import refusal_reason
from utils.models.admin import MemoryEdit
from utils.models.memory import MEMORY_LIMIT, Consent, Form, Kind, Memory, Status
from utils.models.policy import WritePolicy

CHANGEABLE = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
GONE = {
    Status.FORGOTTEN: "Memory #{id} was forgotten; nothing of it is left to change.",
    Status.SUPERSEDED: "Memory #{id} was replaced by #{by}; change that one.",
}
EXPIRED = "Memory #{id} has expired; the next pruning removes it."
NO_STATUS = "A memory's status can be active, proposed or shadow. To delete it, forget it."
NO_SHADOW = (
    "A habit in shadow is one that has yet to show, and its message may be quoted. To take it out "
    "of use, set it to proposed, or forget it."
)
NO_TEXT_OF_A_QUOTE = (
    "These are the member's own words, which nobody else can change. Approve or forget them."
)
NO_TEXT = "Write the text in 1 to {limit} characters."
NO_ZONE = "Give the expiry with its time zone, such as 2026-12-24T18:00:00Z."
TWO_ENDS = "A memory either expires at a time or is permanent; choose one."
PAST = "That expiry is in the past. To delete a memory, forget it."
TOO_LATE = "By its kind and the member's consent, this {kind} can last until {end} at most."


def check_changeable(item: Memory, now: datetime) -> None:
    """Raise Conflict if a memory is forgotten, superseded or expired."""
    if item.status in GONE:
        raise Conflict(GONE[item.status], id=item.id, by=item.superseded_by)
    if item.is_over(now):
        raise Conflict(EXPIRED, id=item.id)


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
    check_changeable(item, now)
    values: dict[str, Any] = {}
    if change.status is not None:
        if change.status not in CHANGEABLE:
            raise BadInput(NO_STATUS)
        if change.status not in choosable(item):
            raise BadInput(NO_SHADOW)
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
        raise BadInput(NO_TEXT_OF_A_QUOTE)
    if not any(map(str.isalnum, line)) or utf16_length(line) > MEMORY_LIMIT:
        raise BadInput(NO_TEXT, limit=MEMORY_LIMIT)
    reason = refusal_reason(line, forbidden)
    if reason is not None:
        raise refusal(reason)
    return line


def _end(
    item: Memory, change: MemoryEdit, consent: Consent, rules: WritePolicy, now: datetime
) -> datetime | None:
    end = change.expires_at
    if end is not None and change.is_permanent:
        raise BadInput(TWO_ENDS)
    if end is not None and end.tzinfo is None:
        raise BadInput(NO_ZONE)
    if end is not None and end <= now:
        raise BadInput(PAST)
    last = write_policy.memory_end(
        item.kind, None, item.last_confirmed_at, consent, rules.longest_days
    )
    if last is not None and (end is None or end > last):
        raise BadInput(TOO_LATE, kind=item.kind, end=f"{last:%Y-%m-%d %H:%M} UTC")
    return end


def in_words(item: Memory, values: Mapping[str, Any], reason: str) -> tuple[str, str]:
    """Return the audit's JSON of a change, before and after; it never has the memory's text."""
    before = {name: _plain(getattr(item, name)) for name in values}
    after = {name: _plain(value) for name, value in values.items()}
    if reason:
        after["reason"] = reason
    return json.dumps(before), json.dumps(after, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.name.lower() if hasattr(value, "name") else value
