"""The dashboard's application over an empty database, and somebody who calls it."""

import pytest

from cogs.dashboard.app import create_app
from tests.fakes.clock import ManualClock
from tests.fakes.dashboard import make_context, visit


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
    async with visit(application) as opened:
        yield opened
