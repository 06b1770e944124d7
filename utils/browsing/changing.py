"""What the operator may change of a memory, and what a change of it says in the audit. Pure."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from utils.errors import BadInput, Conflict
from utils.memory import policy
from utils.model.browsing import Item, ItemChange
from utils.model.memory import Consent, Status
from utils.model.policy import WritePolicy

CHANGEABLE = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
GONE = {
    Status.FORGOTTEN: "Memory #{id} was forgotten; nothing of it is left to change.",
    Status.SUPERSEDED: "Memory #{id} was replaced by #{by}; change that one.",
}
OVER = "The time of memory #{id} is over; the next pruning removes it."
NO_STATUS = "A memory can be made active, proposed or shadow; to let it go, forget it."
NO_ZONE = "Give the end with its time zone, such as 2026-12-24T18:00:00Z."
TWO_ENDS = "A memory ends at a time or never; choose one of the two."
PAST = "That end is in the past; to let a memory go, forget it."
TOO_LATE = (
    "By its kind and its member's consent, a {kind} that was last said then lives until {end} "
    "at most."
)


def check_changeable(item: Item, now: datetime) -> None:
    """Raise Conflict for what is gone, replaced, or over."""
    if item.status in GONE:
        raise Conflict(GONE[item.status], id=item.id, by=item.superseded_by)
    if item.is_over(now):
        raise Conflict(OVER, id=item.id)


def changed(
    item: Item, change: ItemChange, consent: Consent, rules: WritePolicy, now: datetime
) -> dict[str, Any]:
    """Return the values that are new, by Item's names; empty: nothing changes.

    No memory gets a longer life than its member's consent, its kind and the server's own rules
    give it. Raises BadInput for what no memory may be, Conflict for one that cannot be changed.
    """
    check_changeable(item, now)
    values: dict[str, Any] = {}
    if change.status is not None:
        if change.status not in CHANGEABLE:
            raise BadInput(NO_STATUS)
        values["status"] = change.status
    if change.importance is not None:
        values["importance"] = change.importance
    if change.expires_at is not None or change.is_permanent:
        values["expires_at"] = _end(item, change, consent, rules, now)
    return {name: value for name, value in values.items() if value != getattr(item, name)}


def _end(
    item: Item, change: ItemChange, consent: Consent, rules: WritePolicy, now: datetime
) -> datetime | None:
    end = change.expires_at
    if end is not None and change.is_permanent:
        raise BadInput(TWO_ENDS)
    if end is not None and end.tzinfo is None:
        raise BadInput(NO_ZONE)
    if end is not None and end <= now:
        raise BadInput(PAST)
    last = policy.memory_end(item.kind, None, item.last_confirmed_at, consent, rules.longest_days)
    if last is not None and (end is None or end > last):
        raise BadInput(TOO_LATE, kind=item.kind, end=f"{last:%Y-%m-%d %H:%M} UTC")
    return end


def in_words(item: Item, values: Mapping[str, Any], reason: str) -> tuple[str, str]:
    """Return what the audit says of a change, before and after, as JSON; none of the memory's
    words are in it."""
    before = {name: _plain(getattr(item, name)) for name in values}
    after = {name: _plain(value) for name, value in values.items()}
    if reason:
        after["reason"] = reason
    return json.dumps(before), json.dumps(after, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value.name.lower() if hasattr(value, "name") else value
