"""What a unit of work leaves unread is found as SQL Server's driver would find it."""

import pytest
from sqlalchemy import insert, select

from tests import judged_statements
from tests.fakes.builders import NOON
from tests.rows import each_row
from utils.database.core.compiled_statements import fetch
from utils.database.core.queries import Selection, run
from utils.database.schema.memory_tables import job_run

JOBS = select(job_run.c.Name)
ADDED = insert(job_run).values(Name="third", SucceededAt=NOON, Report="").returning(job_run.c.Name)


@pytest.fixture
def database_url(sqlite_url):
    """A server's driver says itself that its connection is busy."""
    return sqlite_url


@pytest.fixture
async def filled(database):
    """A database with two jobs."""
    rows = [{"Name": name, "SucceededAt": NOON, "Report": ""} for name in ("first", "second")]
    await database.write(lambda connection: connection.execute(insert(job_run), rows))
    return database


def two_at_once(connection):
    for _ in connection.execute(JOBS):
        connection.execute(JOBS).all()


def in_a_generator(connection):
    next(row for row in connection.execute(JOBS))
    connection.execute(JOBS).all()


def in_parts(connection):
    streamed = connection.execution_options(yield_per=1).execute(JOBS)
    next(streamed.partitions())
    connection.execute(JOBS).all()


def added_unread(connection):
    connection.execute(ADDED)
    connection.execute(JOBS).all()


def of_the_driver(connection):
    connection.connection.dbapi_connection.execute("SELECT 1").fetchone()
    fetch(connection, "SELECT 2", ())


def left_when_committed(connection):
    connection.execute(JOBS)


@each_row(
    "unit",
    [two_at_once, in_a_generator, in_parts, added_unread, of_the_driver, left_when_committed],
)
async def test_a_result_that_is_open_when_the_connection_is_used_again_is_found(filled, unit):
    with judged_statements.complaints() as found:
        await filled.write(unit)
    assert found
    assert "is open" in found[0]


async def test_a_result_that_is_open_when_a_reading_unit_returns_is_found(filled):
    with judged_statements.complaints() as found:
        await filled.read(lambda connection: connection.execute(JOBS).fetchmany(1))
        await filled.read(lambda connection: connection.execute(JOBS).fetchmany(3))
    assert [complaint.split(" while")[0] for complaint in found] == ["a unit of work returns"]


async def test_results_that_are_read_or_closed_are_in_nobodys_way(filled):
    def unit(connection):
        connection.execute(JOBS).first()
        connection.execute(JOBS).scalar()
        connection.execute(JOBS).close()
        for _ in connection.execute(JOBS):
            pass
        for part in connection.execution_options(yield_per=1).execute(JOBS).partitions():
            assert len(part) == 1
        connection.execute(ADDED).one()
        assert len(run(connection, Selection(JOBS, {}, list))) == 3
        return list(connection.connection.dbapi_connection.execute("SELECT 1"))

    with judged_statements.complaints() as found:
        assert await filled.write(unit) == [(1,)]
    assert found == []
