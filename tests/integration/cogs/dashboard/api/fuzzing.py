"""Calls an API with whatever its own document allows, and with what it forbids."""

from contextlib import suppress

import httpx2
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.fakes.dashboard import BEARER

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
schemathesis.serializer.alias("application/zip", "application/octet-stream")


def fuzz(address: str, examples: int) -> int:
    """Call everything so often, well-formed and not; returns how many calls that made."""
    described = httpx2.get(f"{address}/api/openapi.json", headers=BEARER, timeout=20).json()
    del described["security"]  # each call brings the token; the gate has tests of its own
    schema = schemathesis.openapi.from_dict(described)
    operations = [result.ok() for result in schema.get_all_operations()]
    return sum(
        fuzz_one(address, operation, mode, examples)
        for operation in operations
        for mode in GenerationMode
    )


def fuzz_one(address, operation, mode, examples):
    checks, made = [*CHECKS], 0
    if mode.is_negative:
        checks.append(negative_data_rejection)

    @seed(8)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def call(case):
        nonlocal made
        made += 1
        case.call_and_validate(base_url=address, headers=BEARER, checks=checks, timeout=20)

    with suppress(Unsatisfiable):  # what takes nothing can be given nothing wrong
        call()
    return made
