"""A house whose dashboard is open, and the operator who looks at it."""

import pytest

from cogs.dashboard.app import create_app
from tests.conftest import forget_scrubbing
from tests.fakes.dashboard import BEARER, open_house, visit


@pytest.fixture
async def context(home):
    async with open_house(home.url, home.clock) as opened:
        yield opened
        forget_scrubbing(opened.app.database)


@pytest.fixture
async def client(context):
    async with visit(create_app(context), **BEARER) as opened:
        yield opened
