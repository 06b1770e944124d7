"""Recall policies as JSON and as flat fields: reading, checking, writing, comparing. Pure.

A field's path is its name, after the name of its group if it has one: ``block_tokens``,
``asking.text``, ``most_of_kind.fact``. Forms, the API, files and tuning name fields by path.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from utils.common.errors import BadInput
from utils.memory.policy.recall_policy import NOT_A_NUMBER, RecallPolicy
from utils.models.memory import Kind
from utils.models.recall_policy import FieldChange

MAX_CHARACTERS = 20_000
USEFUL_TOKENS = (300, 600)  # the default block has 400

NOT_AN_OBJECT = 'A policy is a JSON object of the fields to change, such as {"block_tokens": 450}.'
DUPLICATE_FIELD = "The field {name} is given twice."
OUT_OF_RANGE = "{name} must lie between {least:g} and {most:g}."
TOO_LONG = "A policy has at most {most:,} characters; this is something else."

_ADAPTER = TypeAdapter(RecallPolicy)


@cache
def field_schemas() -> Mapping[str, Mapping[str, Any]]:
    """Return the JSON schema of every field by its path: type, minimum and maximum."""
    schema = _ADAPTER.json_schema()
    weights = schema["$defs"]["RankingWeights"]["properties"]
    per_kind = schema["properties"]["most_of_kind"]["additionalProperties"]
    groups = {
        "asking": weights,
        "telling": weights,
        "most_of_kind": {kind.value: per_kind for kind in Kind},
    }
    fields: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        inner = groups.get(name)
        fields |= {name: field} if inner is None else {f"{name}.{n}": inner[n] for n in inner}
    return {
        path: {key: field[key] for key in ("type", "minimum", "maximum")}
        for path, field in fields.items()
    }


def flat(policy: RecallPolicy) -> dict[str, float]:
    """Return every field of a policy by its path."""
    by_path = _by_path(_ADAPTER.dump_python(policy, mode="json"))
    return {path: by_path[path] for path in field_schemas()}


def to_json(policy: RecallPolicy) -> str:
    """Return a whole policy as indented JSON; equal policies give equal text."""
    return json.dumps(_nested(flat(policy)), indent=2)


def fields_from_json(text: str) -> dict[str, Any]:
    """Return the fields of a JSON object by path; the object may nest them or name them by path.

    The values are not checked. Raises BadInput with one sentence if there are no fields.
    """
    if len(text) > MAX_CHARACTERS:
        raise BadInput(TOO_LONG, most=MAX_CHARACTERS)
    try:
        parsed = json.loads(text, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise BadInput("That is no JSON: {why}.", why=str(error) or "too deeply nested") from None
    if not isinstance(parsed, dict):
        raise BadInput(NOT_AN_OBJECT)
    by_path = _by_path(parsed)
    if not by_path:
        raise BadInput("No field is given that could be changed.")
    return by_path


def with_fields(changes: Mapping[str, Any], base: RecallPolicy | None = None) -> RecallPolicy:
    """Return ``base`` (the standard policy if None) with these fields, by path, changed.

    Raises BadInput with one sentence for a field that is unknown, not a number, or out of range.
    """
    for path in changes:
        if path not in field_schemas():
            raise BadInput(
                "There is no field {name} in a policy of recall; `policy show --json` prints "
                "all there are.",
                name=_quoted(path),
            )
    try:
        return _ADAPTER.validate_python(_nested(flat(base or RecallPolicy()) | dict(changes)))
    except ValidationError as error:
        raise _refusal(error) from None


def stored_policy(text: str, base: RecallPolicy) -> RecallPolicy:
    """Return a stored policy; ``base`` gives the fields that it does not name.

    Raises BadInput for unknown fields and bad values, and ValueError for what is no JSON.
    """
    stored = json.loads(text)
    if not isinstance(stored, dict):
        raise BadInput(NOT_AN_OBJECT)
    return with_fields(_by_path(stored), base)


def checked(policy: RecallPolicy) -> RecallPolicy:
    """Return the policy itself. Raises BadInput with one sentence for the first wrong field."""
    with_fields(flat(policy))
    return policy


def policy_diff(before: RecallPolicy, after: RecallPolicy) -> list[FieldChange]:
    """Return the fields in which two policies differ, in the order of a policy's fields."""
    old, new = flat(before), flat(after)
    return [FieldChange(path, old[path], new[path]) for path in old if old[path] != new[path]]


def cautions(policy: RecallPolicy) -> list[str]:
    """Return a sentence for each choice that is allowed but rarely intended."""
    minimum, maximum = USEFUL_TOKENS
    sentences = []
    if not minimum <= policy.block_tokens <= maximum:
        sentences.append(
            f"Blocks of {policy.block_tokens} tokens are outside the useful range, "
            f"{minimum} to {maximum}."
        )
    return sentences


def _refusal(error: ValidationError) -> BadInput:
    """Return the sentence for the first invalid field."""
    first = error.errors(include_url=False)[0]
    path = ".".join(str(part) for part in first["loc"][:2])
    schema = field_schemas()[path]
    if first["type"] == NOT_A_NUMBER:
        return BadInput("{name} must be a number.", name=path)
    if first["type"] == "int_from_float":
        return BadInput("{name} must be a whole number.", name=path)
    return BadInput(OUT_OF_RANGE, name=path, least=schema["minimum"], most=schema["maximum"])


def _nested(by_path: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for path, value in by_path.items():
        group, _, name = path.rpartition(".")
        (nested.setdefault(group, {}) if group else nested)[name] = value
    return nested


def _by_path(nested: Mapping[str, Any]) -> dict[str, Any]:
    by_path: dict[str, Any] = {}
    for name, value in nested.items():
        inner = value if isinstance(value, dict) else {}
        paths = {f"{name}.{last}": inner[last] for last in inner} or {name: value}
        if not by_path.keys().isdisjoint(paths):
            raise BadInput(DUPLICATE_FIELD, name=_quoted(name))
        by_path |= paths
    return by_path


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise BadInput(DUPLICATE_FIELD, name=_quoted(duplicate))
    return fields


def _quoted(name: str) -> str:
    """Return a name that a person typed, shortened for a sentence."""
    return repr(name[:60])
