"""Why nothing was noted of a message: the same reasons that the metrics count. Pure."""

from collections.abc import Sequence

from utils.memory.policy.categories import Category
from utils.memory.safety.filter import REASONS, refusal_reason
from utils.models.memory import Event
from utils.models.plan import Plan

NO_STATEMENT, SAFETY = "no statement", "safety"


def receipts_of(
    plan: Plan, events: Sequence[Event], forbidden: frozenset[Category]
) -> dict[int, str]:
    """Return by event id why a plan notes nothing of some events of its burst.

    Which category of words the safety filter refuses is left out: it is told of the text itself.
    """
    noted = {new.evidence.message_id for new in plan.inserts}
    noted |= {confirmation.evidence.message_id for confirmation in plan.confirmations}
    common = [reason for reason, _ in plan.refused.most_common() if reason not in REASONS]
    receipts: dict[int, str] = {}
    for event in events:
        if event.message_id not in noted:
            is_unsafe = refusal_reason(event.text, forbidden) is not None
            receipts[event.id] = SAFETY if is_unsafe else next(iter(common), NO_STATEMENT)
    return receipts
