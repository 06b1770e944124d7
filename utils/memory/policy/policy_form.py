"""Changing a server's write policy: reading typed fields, checking them, previewing. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from utils.common.errors import BadInput
from utils.memory.policy.write_policy import MAX_DAYS_KEPT, status_for
from utils.models.memory import Kind
from utils.models.policy import MAX_LIFE_DAYS, PolicyEffect, WriteMode, WritePolicy

NONE = "none"
NOT_KEPT = "not kept"
KINDS = ", ".join(Kind)
UNKNOWN_KIND = "There is no such kind of memory; choose from `{kinds}`, or `none`."
BAD_LIFETIME = "A {kind} can live between 1 and {most} days."
OUT_OF_RANGE = "{option} must lie between {least} and {most}."
_LIFETIME = re.compile(r"([a-z]+)\s*[=: ]\s*(\d{1,9}|none)")
_ADAPTER = TypeAdapter(WritePolicy)


@cache
def field_schemas() -> Mapping[str, Mapping[str, Any]]:
    """Return the JSON schema of every field: its type, and its limits if it is a number."""
    schemas: Mapping[str, Mapping[str, Any]] = _ADAPTER.json_schema()["properties"]
    return schemas


def choose(policy: WritePolicy, changes: Mapping[str, Any], max_cap: int) -> WritePolicy:
    """Return the policy with these fields changed.

    Args:
        changes: new values by field name. Kinds may be typed as "fact, pattern" and lifetimes
            as "task 7, episode 90"; "none" empties both. Typed lifetimes change only the kinds
            that they name.
        max_cap: the operator's limit for ``cap``.

    Raises BadInput with one sentence for the first wrong field.
    """
    fields = dict(changes)
    if isinstance(fields.get("mode"), str):
        fields["mode"] = fields["mode"].strip().lower()
    for name in ("approve_kinds", "refused_kinds"):
        if isinstance(fields.get(name), str):
            words = fields[name].lower().replace(",", " ").split()
            fields[name] = [] if words == [NONE] else words
    if isinstance(fields.get("longest_days"), str):
        fields["longest_days"] = _parse_lifetimes(policy.longest_days, fields["longest_days"])
    try:
        changed = _ADAPTER.validate_python(_ADAPTER.dump_python(policy) | fields)
    except ValidationError as error:
        raise _refusal(error, max_cap) from None
    if "cap" in fields and changed.cap > max_cap:
        raise BadInput(OUT_OF_RANGE, option="cap", least=1, most=max_cap)
    if "longest_days" in fields:
        for kind, days in changed.longest_days.items():
            limit = MAX_DAYS_KEPT[kind] or MAX_LIFE_DAYS
            if days > limit:
                raise BadInput(BAD_LIFETIME, kind=kind, most=limit)
    if changed.proposed_from > changed.active_from:
        raise BadInput(
            "proposed_from ({proposed:g}) must not be above active_from ({active:g}).",
            proposed=changed.proposed_from,
            active=changed.active_from,
        )
    return changed


def effects(
    before: WritePolicy, after: WritePolicy, learnt: Iterable[tuple[Kind, float, int]]
) -> list[PolicyEffect]:
    """Return how many memories would get another status, the most frequent change first.

    Args:
        learnt: each memory's kind, confidence, and number of days on which it was seen.
    """
    changes: Counter[tuple[str, str, str]] = Counter()
    for kind, confidence, days in learnt:
        old, new = (status_for(kind, confidence, days, policy) for policy in (before, after))
        if old is not new:
            changes[kind, old or NOT_KEPT, new or NOT_KEPT] += 1
    return [PolicyEffect(*key, count) for key, count in changes.most_common()]


def _parse_lifetimes(lifetimes: Mapping[Kind, int], typed: str) -> dict[str, int]:
    """Return the lifetimes with the typed ones changed; "none" removes one, or all of them."""
    if typed.strip().lower() == NONE:
        return {}
    changed = {kind.value: days for kind, days in lifetimes.items()}
    for part in typed.lower().split(","):
        match = _LIFETIME.fullmatch(part.strip())
        if match is None:
            raise BadInput(
                "Write lifetimes as a kind and its days: `task 7, episode 90`, or `none`."
            )
        kind, days = match.groups()
        if days != NONE:
            changed[kind] = int(days)
        elif kind in list(Kind):
            changed.pop(kind, None)
        else:
            raise BadInput(UNKNOWN_KIND, kinds=KINDS)
    return changed


def _refusal(error: ValidationError, max_cap: int) -> BadInput:
    """Return the sentence for the first invalid field."""
    first = error.errors(include_url=False)[0]
    name, *path = first["loc"]
    if name == "mode":
        return BadInput("There is no such mode; choose {modes}.", modes=", ".join(WriteMode))
    if first["type"] == "enum":
        return BadInput(UNKNOWN_KIND, kinds=KINDS)
    if name == "longest_days" and path:
        kind = Kind(str(path[0]))
        return BadInput(BAD_LIFETIME, kind=kind, most=MAX_DAYS_KEPT[kind] or MAX_LIFE_DAYS)
    schema = field_schemas()[str(name)]
    return BadInput(
        OUT_OF_RANGE,
        option=name,
        least=schema.get("minimum"),
        most=max_cap if name == "cap" else schema.get("maximum"),
    )
