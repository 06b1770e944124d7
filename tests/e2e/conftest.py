"""Fixtures of the end-to-end tests."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.e2e.den import Den, open_den
from tests.e2e.eyes import TOKEN, open_browser


@pytest.fixture
async def den(database_url: str) -> AsyncIterator[Den]:
    """A server with people in it; Kith sleeps until ``den.awake()``."""
    async with open_den(database_url) as opened:
        yield opened


@pytest.fixture
async def kith(den: Den) -> AsyncIterator[Den]:
    """The same, with Kith awake."""
    async with den.awake():
        yield den


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A browser that a module's tests share; each has a profile of its own in it."""
    async with open_browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def house(database_url: str) -> AsyncIterator[Den]:
    """A server with Kith awake and its dashboard open, in the loop of the module's browser."""
    async with (
        open_den(database_url) as opened,
        opened.awake(
            dashboard_token=TOKEN, dashboard_port=0, dashboard_public_url="http://localhost"
        ),
    ):
        yield opened
