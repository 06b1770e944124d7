"""A policy of recall as JSON: written, read, checked and compared. Pure.

A policy is also a flat mapping of paths (``asking.text``, ``most_of_kind.fact``, ``block_tokens``)
to numbers: that is what is checked, compared, and tuned.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from utils.errors import BadInput
from utils.memory.policy import RankingWeights, ReadPolicy
from utils.model.memory import Kind
from utils.model.read_policy import FieldChange

MOST_CHARACTERS = 20_000
USEFUL_TOKENS = (300, 600)  # design.md, "The read path"
WEIGHT = (-10.0, 10.0)


class Limits(NamedTuple):
    """What a field may be, both ends included."""

    least: float
    most: float
    is_whole: bool = False


LIMITS: dict[str, Limits] = {
    **{
        f"{side}.{one.name}": Limits(*WEIGHT)
        for side in ("asking", "telling")
        for one in fields(RankingWeights)
    },
    "continuity_decay": Limits(0.01, 1.0),
    "recency_half_life_days": Limits(0.1, 3650.0),
    "relevance_floor": Limits(0.0, 1.0),
    "bm25_k1": Limits(0.0, 10.0),
    "bm25_b": Limits(0.0, 1.0),
    "block_tokens": Limits(100, 2000, is_whole=True),
    "said_share": Limits(0.0, 1.0),
    "excerpt_characters": Limits(40, 2000, is_whole=True),
    "same_words": Limits(0.1, 1.0),
    "most_items": Limits(1, 100, is_whole=True),
    "most_recent": Limits(0, 50, is_whole=True),
    "most_lore": Limits(0, 20, is_whole=True),
    "most_open": Limits(0, 20, is_whole=True),
    "talk_share": Limits(0.0, 1.0),
    "now_tokens": Limits(0, 1000, is_whole=True),
    **{f"most_of_kind.{kind}": Limits(0, 30, is_whole=True) for kind in Kind},
}

NO_JSON = "That is no JSON: {why}."
NO_OBJECT = 'A policy is a JSON object of the fields to change, such as {"block_tokens": 450}.'
NO_FIELD = (
    "There is no field {name} in a policy of recall; `policy show --json` prints all there are."
)
NOT_GIVEN_ONCE = "The field {name} is given twice."
NO_NUMBER = "{name} must be a number."
NO_WHOLE_NUMBER = "{name} must be a whole number."
OUT_OF_RANGE = "{name} must lie between {least:g} and {most:g}."
TOO_LONG = "A policy has at most {most:,} characters; this is something else."
NOTHING_GIVEN = "No field is given that could be changed."


def flat(policy: ReadPolicy) -> dict[str, float]:
    """Return every field of a policy by its path."""
    return {name: _field(policy, name) for name in LIMITS}


def from_flat(given: Mapping[str, float], base: ReadPolicy | None = None) -> ReadPolicy:
    """Return a policy with these fields, by their paths, and the others of ``base``."""
    values = flat(base or ReadPolicy()) | dict(given)

    def under(prefix: str) -> dict[str, Any]:
        return {
            name.removeprefix(prefix): value
            for name, value in values.items()
            if name.startswith(prefix)
        }

    return ReadPolicy(
        asking=RankingWeights(**under("asking.")),
        telling=RankingWeights(**under("telling.")),
        most_of_kind={Kind(name): int(most) for name, most in under("most_of_kind.").items()},
        **{
            name: int(value) if LIMITS[name].is_whole else value
            for name, value in values.items()
            if "." not in name
        },  # type: ignore[arg-type]  # the names and their types are LIMITS'
    )


def to_json(policy: ReadPolicy) -> str:
    """Write a whole policy as indented JSON, so that equal policies look equal."""
    nested: dict[str, Any] = {}
    for name, value in flat(policy).items():
        *above, last = name.split(".")
        inner = nested.setdefault(above[0], {}) if above else nested
        inner[last] = value
    return json.dumps(nested, indent=2)


def fields_from_json(text: str) -> dict[str, Any]:
    """Return the fields, by their paths, that a person's JSON names, nested or written as paths.

    Their values are not looked at yet. Raises BadInput with one sentence for what names none.
    """
    if len(text) > MOST_CHARACTERS:
        raise BadInput(TOO_LONG, most=MOST_CHARACTERS)
    try:
        given = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BadInput(NO_JSON, why=str(error) or "too deeply nested") from None
    if not isinstance(given, dict):
        raise BadInput(NO_OBJECT)
    named = _by_path(given)
    if not named:
        raise BadInput(NOTHING_GIVEN)
    return named


def with_fields(given: Mapping[str, Any], base: ReadPolicy | None = None) -> ReadPolicy:
    """Return ``base`` (else the standard policy) with these fields, by their paths.

    Raises BadInput with one sentence for the first that is none, no finite number, or out of its
    range.
    """
    for name, value in given.items():
        if (fault := _fault(name, value)) is not None:
            raise fault
    return from_flat(given, base)


def stored_policy(text: str, base: ReadPolicy) -> ReadPolicy:
    """Read a stored policy; what it does not name is as in ``base``, and what this program does not
    know is passed over. Raises BadInput where a value makes no sense to this program."""
    given = json.loads(text)
    if not isinstance(given, dict):
        raise BadInput(NO_OBJECT)
    named = {name: value for name, value in _by_path(given).items() if name in LIMITS}
    return with_fields(named, base)


def checked(policy: ReadPolicy) -> ReadPolicy:
    """Return the policy itself. Raises BadInput with one sentence for the first wrong field."""
    with_fields(flat(policy))
    return policy


def policy_diff(before: ReadPolicy, after: ReadPolicy) -> list[FieldChange]:
    """Return the fields in which two policies differ, in the order of a policy's fields."""
    old, new = flat(before), flat(after)
    return [FieldChange(name, old[name], new[name]) for name in old if old[name] != new[name]]


def cautions(policy: ReadPolicy) -> list[str]:
    """Return a sentence for each choice that is allowed and yet seldom meant."""
    least, most = USEFUL_TOKENS
    found = []
    if not least <= policy.block_tokens <= most:
        found.append(
            f"Blocks of {policy.block_tokens} tokens lie outside of the useful range, "
            f"{least} to {most}."
        )
    if not policy.relevance_floor:
        found.append("Without a relevance floor, blocks are padded with what hardly fits.")
    return found


def _field(policy: ReadPolicy, name: str) -> float:
    above, _, last = name.rpartition(".")
    if above == "most_of_kind":
        return policy.most_of_kind[Kind(last)]
    value: float = getattr(getattr(policy, above) if above else policy, last)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(NOT_GIVEN_ONCE, name=_named(twice))
    return found


def _by_path(given: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in given.items():
        inner = value.items() if isinstance(value, dict) else ()
        paths = {f"{name}.{last}": one for last, one in inner} if inner else {name: value}
        if not found.keys().isdisjoint(paths):
            raise BadInput(NOT_GIVEN_ONCE, name=_named(name))
        found |= paths
    return found


def _fault(name: str, value: object) -> BadInput | None:
    limits = LIMITS.get(name)
    if limits is None:
        return BadInput(NO_FIELD, name=_named(name))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return BadInput(NO_NUMBER, name=name)
    if not limits.least <= value <= limits.most:  # what is not a number does not
        return BadInput(OUT_OF_RANGE, name=name, least=limits.least, most=limits.most)
    if limits.is_whole and value != int(value):
        return BadInput(NO_WHOLE_NUMBER, name=name)
    return None


def _named(name: str) -> str:
    """Return what somebody called a field, fit for a sentence."""
    return repr(name[:60])
