"""Fixtures of the end-to-end tests."""

from collections.abc import AsyncIterator

import pytest

from tests.e2e.den import Den, open_den


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
