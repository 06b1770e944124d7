"""What several of these tests live in."""

from contextlib import AsyncExitStack

import pytest

from tests.fakes.builders import (
    ADA,
    FakeExtractor,
    make_memory_service,
    make_reader,
    make_recorder,
)
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer
from tests.integration.residue import Household
from tests.integration.small_units import open_later
from utils.database.core import drivers
from utils.memory.member_data.view import MemberData
from utils.models.memory import Consent


@pytest.fixture
async def other(database_url):
    """The same database, open in another process."""
    opened = open_later(database_url, pool_size=2)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite_database(sqlite_url):
    """A database in a file that is compacted and scrubbed as the program does."""
    opened = open_later(sqlite_url)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
async def until_end():
    """A function that closes what it is given at the end of the test, and returns it."""
    async with AsyncExitStack() as stack:

        def keep(thing):
            stack.push_async_callback(thing.close)
            return thing

        yield keep


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def extractor():
    return FakeExtractor()


@pytest.fixture
async def recorder(database, clock, extractor):
    made = make_recorder(database, clock, extractor)
    await made.start()
    yield made
    await made.close()


@pytest.fixture
async def keeper(database, clock):
    """What carries out the wishes of Ada, who wants to be remembered."""
    made = make_memory_service(database, clock)
    await made.set_consent(ADA, Consent.LASTING)
    return made


@pytest.fixture
def reader(database, clock):
    return make_reader(database, clock)


@pytest.fixture
def quick_client(monkeypatch, tmp_path):
    """Let clients of language models be made quickly, and try again at once."""
    monkeypatch.setattr("utils.llm.client.FIRST_RETRY_S", 0.001)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)  # reading it takes 60 ms a client
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))


@pytest.fixture
async def server():
    """A language model's server."""
    async with FakeModelServer() as running:
        yield running


@pytest.fixture
async def home(database, database_url, clock):
    """Members with everything that is kept of them, and the doors of memory."""
    household = Household(database, database_url, clock)
    await household.move_in()
    yield household
    await household.recorder.close()


@pytest.fixture
def member_data(database, clock):
    return MemberData(database, clock)


@pytest.fixture
def connection(database_url):
    """A transaction for single units of work; nothing of it is committed."""
    engine = drivers.make_engine(drivers.parse_url(database_url), 1, 1.0)
    with engine.connect() as opened:
        if opened.dialect.name == "sqlite":
            opened.exec_driver_sql("BEGIN IMMEDIATE")
        yield opened
        opened.rollback()
    engine.dispose()
