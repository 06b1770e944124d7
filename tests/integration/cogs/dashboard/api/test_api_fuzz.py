"""The API is called with whatever its own document allows, and with what it forbids.

Nothing may fail on Kith's side, and every answer must be one that the document names, in its form.
"""

import asyncio
import socket
from contextlib import suppress

import httpx2
import pytest
import schemathesis
import uvicorn
from fastapi import FastAPI
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

from cogs.dashboard import api
from cogs.dashboard.api.docs import document
from cogs.dashboard.app import create_app
from tests.fakes.builders import BOB
from tests.fakes.dashboard import BEARER, open_house

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
QUICK, LONG = 3, 100
schemathesis.serializer.alias("application/zip", "application/octet-stream")


@pytest.fixture
async def address(home):
    """The address of an API that serves a household in which a little was said."""
    for text in ("home: lives in Rome", "home: lives in Oslo", "likes tea"):
        await home.tell(text)
    await home.tell("likes rum", BOB)
    async with open_house(home.url, home.clock) as context:
        await context.app.admin.statistics.refresh()
        listening = socket.create_server(("127.0.0.1", 0))
        chosen = uvicorn.Config(create_app(context), log_level="warning", lifespan="off", ws="none")
        server = uvicorn.Server(chosen)
        serving = asyncio.create_task(server.serve([listening]))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        await serving


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


async def test_no_call_that_the_document_describes_or_forbids_breaks_anything(address):
    assert await asyncio.to_thread(fuzz, address, QUICK) > 50


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_nor_do_many_calls(address):
    assert await asyncio.to_thread(fuzz, address, LONG) > 1_000


def test_the_document_is_the_same_each_time():
    one, other = FastAPI(), FastAPI()
    one.include_router(api.router)
    other.include_router(api.router)
    assert document(one.routes) == document(other.routes)
