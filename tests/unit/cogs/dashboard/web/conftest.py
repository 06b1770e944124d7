"""The dashboard's application over an empty database, and somebody who calls it."""

import httpx2
import pytest

from cogs.dashboard.app import create_app
from tests.fakes.clock import ManualClock
from tests.fakes.dashboard import make_context


@pytest.fixture
async def context(sqlite_url):
    made = make_context(sqlite_url, ManualClock())
    await made.app.database.open()
    yield made
    await made.app.close()


@pytest.fixture
def application(context):
    return create_app(context)


@pytest.fixture
async def client(application):
    transport = httpx2.ASGITransport(application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://kith") as opened:
        yield opened
