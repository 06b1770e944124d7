"""The API is called with whatever its own document allows, and with what it forbids.

Nothing may fail on Kith's side, and every answer must be one that the document names, in its form.
"""

import asyncio
import socket

import pytest
import uvicorn

from cogs.dashboard.app import create_app
from tests.fakes.builders import BOB
from tests.fakes.dashboard import open_house

EXAMPLES = 15  # of each call and way


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


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_no_call_that_the_document_describes_or_forbids_breaks_anything(address):
    from tests.integration.cogs.dashboard.api.fuzzing import fuzz  # takes a second to import

    assert await asyncio.to_thread(fuzz, address, EXAMPLES) > 200
