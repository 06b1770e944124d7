"""A moderator's choice of policy: what was typed, checked, and laid over what holds. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from utils.errors import BadInput
from utils.memory.policy import LONGEST_DAYS, status_for
from utils.model.memory import Kind
from utils.model.policy import MOST_WRITES_PER_HOUR, Effect, WriteMode, WritePolicy

NONE = "none"
NOT_KEPT = "not kept"
KINDS = ", ".join(Kind)
LONGEST_LIFE_DAYS = 3650
RANGES: dict[str, tuple[int, int]] = {
    "pattern_days": (1, 30),
    "writes_per_session": (1, 100),
    "writes_per_hour": (1, MOST_WRITES_PER_HOUR),
}
THRESHOLDS = ("active_from", "proposed_from", "passing_from")
_LIFE = re.compile(r"([a-z]+)\s*[=: ]\s*(\d{1,9}|none)")


def choose(policy: WritePolicy, chosen: Mapping[str, Any], most_rows: int) -> WritePolicy:
    """Return the policy with the chosen fields changed, the others as they were.

    Lists are typed as text: kinds "fact, pattern", lifetimes "task 7, episode 90", or "none".
    ``most_rows`` is the operator's cap. Raises BadInput with one sentence for the first wrong one.
    """
    fields = dict(chosen)
    if "mode" in fields:
        fields["mode"] = _mode(fields["mode"])
    if "approve_kinds" in fields:
        fields["approve_kinds"] = _kinds(fields["approve_kinds"])
    if "longest_days" in fields:
        fields["longest_days"] = _lives(policy.longest_days, fields["longest_days"])
    for name, (least, most) in {**RANGES, "cap": (1, most_rows)}.items():
        if name in fields and not least <= fields[name] <= most:
            raise BadInput(
                "{name} must lie between {least} and {most}.", name=name, least=least, most=most
            )
    for name in THRESHOLDS:
        if name in fields and not 0.0 <= fields[name] <= 1.0:  # what is not a number does not
            raise BadInput("{name} must lie between 0 and 1.", name=name)
    changed = replace(policy, **fields)
    if changed.proposed_from > changed.active_from:
        raise BadInput(
            "proposed_from ({proposed:g}) must not be above active_from ({active:g}).",
            proposed=changed.proposed_from,
            active=changed.active_from,
        )
    return changed


def effects(
    before: WritePolicy, after: WritePolicy, learnt: Iterable[tuple[Kind, float, int]]
) -> list[Effect]:
    """Return how many memories, given by kind, confidence and days, would have another status,
    most first."""
    found: Counter[tuple[str, str, str]] = Counter()
    for kind, confidence, days in learnt:
        old, new = (status_for(kind, confidence, days, policy) for policy in (before, after))
        if old is not new:
            found[kind, old or NOT_KEPT, new or NOT_KEPT] += 1
    return [Effect(*key, count) for key, count in found.most_common()]


def _mode(typed: str) -> WriteMode:
    try:
        return WriteMode(typed.strip().lower())
    except ValueError:
        modes = ", ".join(WriteMode)
        raise BadInput("There is no such mode; choose {modes}.", modes=modes) from None


def _kinds(typed: str) -> frozenset[Kind]:
    if typed.strip().lower() == NONE:
        return frozenset()
    return frozenset(_kind(word) for word in typed.lower().replace(",", " ").split())


def _kind(word: str) -> Kind:
    try:
        return Kind(word)
    except ValueError:
        raise BadInput(
            "There is no such kind of memory; choose from {kinds}, or none.", kinds=KINDS
        ) from None


def _lives(lives: Mapping[Kind, int], typed: str) -> dict[Kind, int]:
    """Return the lifetimes with those typed changed; "none" takes one away, or all of them."""
    if typed.strip().lower() == NONE:
        return {}
    changed = dict(lives)
    for part in typed.lower().split(","):
        found = _LIFE.fullmatch(part.strip())
        if found is None:
            raise BadInput("Write lifetimes as a kind and its days: task 7, episode 90, or none.")
        kind, days = _kind(found[1]), found[2]
        changed.pop(kind, None)
        if days != NONE:
            most = LONGEST_DAYS[kind] or LONGEST_LIFE_DAYS
            if not 1 <= int(days) <= most:
                raise BadInput("A {kind} can live between 1 and {most} days.", kind=kind, most=most)
            changed[kind] = int(days)
    return changed
