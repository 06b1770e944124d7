"""Fixtures of the end-to-end tests."""

import asyncio
import os
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from cogs.sentiment import tension_picture
from cogs.sentiment.tension_chart import Chart
from tests import leftover_copies, own_database
from tests.conftest import Server, forget_scrubbing
from tests.e2e.den import Den, open_den
from tests.e2e.eyes import TOKEN, open_browser
from tests.fakes import preloaded
from utils.files import sandbox

SHARED_JOBS = ("prune", "census", "drift")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that share a Kith in its event loop."""
    for item in items:
        if "running_den" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)


@pytest.fixture(scope="session", autouse=True)
def a_model_is_asked_again_at_once() -> Iterator[None]:
    """Let the model's client not pause before it tries again: no test here is about its pauses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_chart_is_drawn() -> Iterator[None]:
    """Attach the same picture to every alert: drawing takes 60 ms, a third of a test of alerts."""
    with pytest.MonkeyPatch.context() as patch:
        draw: Callable[[Chart], bytes] = tension_picture.draw
        first: dict[str, bytes] = {}

        def draw_once(chart: Chart) -> bytes:
            if not first:
                first["picture"] = draw(chart)
            return first["picture"]

        patch.setattr(tension_picture, "draw", draw_once)
        yield


@pytest.fixture(scope="module")
def files_are_read_by_forks() -> Iterator[None]:
    """Fork the process that reads a file or a page, for a module whose tests read many: its imports
    take half a second. The tests of utils/files start it as Kith does."""
    with Path(os.devnull).open("wb") as nothing, pytest.MonkeyPatch.context() as patch:

        async def start(arguments: tuple[str, ...]) -> asyncio.subprocess.Process:
            return await preloaded.start(
                *(sys.executable, "-c", sandbox.MAIN_CODE, *arguments),
                cwd=sandbox.ROOT.anchor,
                env={"PATH": os.environ["PATH"]},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=nothing.fileno(),
            )

        patch.setattr(sandbox, "_start", start)
        yield


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
async def own_kith(den: Den) -> AsyncIterator[Den]:
    """The same, with Kith awake."""
    async with den.awake():
        yield den
        for core in den.cores:
            forget_scrubbing(core.database)


@pytest.fixture(scope="module")
def shared_database_url(
    sqlite_template: Path, sql_server: Server | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The URL of a fresh migrated database of a module's own, beside those of its tests."""
    given = os.environ.get(own_database.ENVIRONMENT_NAME)
    if given is None or sql_server is None:
        file = tmp_path_factory.mktemp("shared") / "kith.db"
        shutil.copyfile(sqlite_template, file)
        yield f"sqlite:///{file}"
        assert not leftover_copies.of_file(file)
        return
    with own_database.own_database(given, "_shared") as url:
        asyncio.run(own_database.migrate(url))
        own_database.raise_ids(url)
        yield url


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_den(
    request: pytest.FixtureRequest, shared_database_url: str
) -> AsyncIterator[Den]:
    """Kith awake while the tests of a module run, with a server for each of them.

    ``SHARED_KITH`` of the module are settings that its Kith has.
    """
    sharing = [
        item
        for item in request.session.items
        if item.path == request.path and "running_den" in getattr(item, "fixturenames", ())
    ]
    async with open_den(shared_database_url) as opened:
        opened.add_spare_places(len(sharing))
        async with opened.awake(**getattr(request.module, "SHARED_KITH", {})):
            yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def shared_kith(running_den: Den) -> AsyncIterator[Den]:
    """Kith awake as ``kith`` is, but started once in a module: each test has its own server.

    The database, the settings, the metrics and the clocks are shared. A test that moves a clock or
    leaves Kith in another state takes ``own_kith``.
    """
    running_den.begin_afresh()
    yield running_den
    await running_den.end_here()


@pytest.fixture
def kith(shared_kith: Den) -> Den:
    """Kith awake. A module of tests that need a Kith of their own returns ``own_kith``."""
    return shared_kith


@pytest_asyncio.fixture(loop_scope="module")
async def hasty_kith(running_den: Den) -> AsyncIterator[Den]:
    """The same in a module whose tests move its clocks ahead, which disturbs none of the others.

    What is erased here seems said before, since Kith's clock runs ahead of Discord's.
    """
    running_den.begin_afresh()
    yield running_den
    await running_den.calm()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """A browser that a module's tests share; it keeps nothing from one to the next."""
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
