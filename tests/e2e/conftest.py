"""Fixtures of the end-to-end tests."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.e2e.den import Den, open_den
from tests.e2e.eyes import TOKEN, open_browser

SHARED_JOBS = ("prune", "census", "drift")


@pytest.fixture(scope="session")
def sqlite_template(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of a Kith that ran a moment ago: at the start no job has been missed.

    Once an hour they are due all the same, so a test must not rely on it.
    """
    file = tmp_path_factory.mktemp("template") / "kith.db"
    shutil.copyfile(sqlite_template, file)
    now = datetime.now(UTC).replace(tzinfo=None).isoformat(" ")
    with closing(sqlite3.connect(file)) as raw:
        rows = [(name, now, "") for name in SHARED_JOBS]
        raw.executemany("INSERT INTO JobRun (Name, SucceededAt, Report) VALUES (?, ?, ?)", rows)
        raw.commit()
    return file


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
