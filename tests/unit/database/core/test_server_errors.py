"""SQL Server's error numbers, one by one: what the program makes of each is what its page says."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from docs import server_errors_page
from tests.fakes.clock import ManualClock
from tests.fakes.faulty import server_fault
from tests.fakes.odbc import fault
from tests.integration.small_units import back
from tests.rows import each_row
from utils.common.errors import (
    DatabaseError,
    DatabaseUnavailable,
    DatabaseUnusable,
    MissingRight,
)
from utils.database.core import engine, error_codes, outages, server_errors
from utils.database.core.engine import Database
from utils.database.core.error_codes import ErrorClass
from utils.database.core.server_errors import TABLE, ErrorKind

URL = "mssql+pyodbc://kith:s3cret@db.example:1433/kith"
MISSING_RIGHTS = (229, 230, 262, 916, 15247)
SENTENCES = {
    ErrorKind.UNDONE: (DatabaseUnavailable, error_codes.LOCKED),
    ErrorKind.OVERTAKEN: (DatabaseError, DatabaseError.sentence),
    ErrorKind.PASSES: (DatabaseUnavailable, error_codes.AWAY),
    ErrorKind.LOST: (DatabaseUnavailable, error_codes.AWAY),
    ErrorKind.NO_DATABASE: (DatabaseUnavailable, error_codes.LOGIN),
    ErrorKind.READ_ONLY: (DatabaseUnavailable, error_codes.READ_ONLY),
    ErrorKind.FULL: (DatabaseUnavailable, error_codes.FULL),
    ErrorKind.SLOW: (DatabaseUnavailable, error_codes.SLOW),
    ErrorKind.LOGIN: (DatabaseUnusable, error_codes.LOGIN),
    ErrorKind.RIGHT: (MissingRight, MissingRight.sentence),
}
NUMBERED = each_row("one", TABLE)


def denied(number: int, words: str, statement: str | None = None) -> DBAPIError:
    return DBAPIError(statement, None, Exception("42000", f"[42000] {words} ({number}) (SQL)"))


@NUMBERED
def test_each_number_is_treated_as_its_page_says(one):
    if one.kind is ErrorKind.MASKED:
        return
    error = server_fault(one.number)
    kind, sentence = SENTENCES[one.kind]
    translated = error_codes.translate(error)
    assert (type(translated), str(translated)) == (kind, sentence)
    is_passing = one.kind in (
        *(ErrorKind.UNDONE, ErrorKind.OVERTAKEN, ErrorKind.PASSES, ErrorKind.LOST),
        *(ErrorKind.NO_DATABASE, ErrorKind.READ_ONLY),
    )
    assert (error_codes.classify_error(error) in error_codes.TRIED_AGAIN) == is_passing


@NUMBERED
def test_each_number_has_a_source_and_stands_once_in_order(one):
    assert one.source in server_errors.SOURCES
    assert [each.number for each in TABLE].count(one.number) == 1
    assert sorted(TABLE) == list(TABLE)


def test_the_page_shows_the_table():
    page = server_errors_page.PAGE.read_text(encoding="utf-8")
    assert page == server_errors_page.page_with_table(page), (
        "run `python -m docs.server_errors_page`"
    )
    for one in TABLE:
        assert f"| {one.number} | {one.meaning} |" in page


# --- rights -------------------------------------------------------------------------------------


@each_row("number", MISSING_RIGHTS)
def test_a_missing_right_is_named_with_what_to_run(number):
    error = error_codes.translate(denied(number, "no", "UPDATE [UserMemory] SET ..."), "kith")
    assert isinstance(error, MissingRight)
    assert str(number) in error.for_operator
    assert "sql/create_login.sql" in error.for_operator or "ADD MEMBER [kith]" in error.for_operator
    assert "ADD MEMBER" not in str(error)  # what members read


def test_a_refused_right_says_nothing_of_what_was_written():
    error = denied(229, "denied 'my diary'", "INSERT INTO x VALUES ('my diary')")
    translated = error_codes.translate(error)
    assert "diary" not in f"{translated!r} {translated.for_operator}"
    assert "diary" not in error_codes.reason(error)


# --- a database on a server that answers by rule --------------------------------------------------


class PassingClock(ManualClock):
    """Sleeping takes exactly as long as it says; nothing takes long enough for a notice."""

    async def sleep(self, seconds):
        if seconds == engine.START_NOTICE_S:
            await asyncio.Event().wait()
        self.advance(seconds)


@pytest.fixture
async def database(server):
    made = Database(URL, pool_size=2, clock=ManualClock())
    await made.open(upgrade=False)
    await made.read(ask)  # connects
    yield made
    await made.close()


def ask(connection):
    return connection.execute(text("SELECT 1 FROM Anything")).all()


# --- the start ------------------------------------------------------------------------------------


async def test_a_start_without_a_server_says_why_at_once_and_how_long_it_waits(server, caplog):
    server.refuses_login = lambda: fault(10061, "08001", "SQLDriverConnect")
    clock = PassingClock()
    began = clock.monotonic()
    with pytest.raises(DatabaseUnavailable, match=r"db\.example does not answer; check the addr"):
        await Database(URL, pool_size=1, clock=clock).open()
    assert "db.example is not ready: SQLSTATE 08001, error 10061" in caplog.text
    assert "trying again for up to 10 s" in caplog.text
    assert 9 < clock.monotonic() - began <= 10
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(
    "number",
    [
        922,
        40613,
    ],
)
async def test_a_start_waits_a_minute_for_a_server_that_is_not_ready_yet(server, caplog, number):
    clock = PassingClock()
    began = clock.monotonic()
    server.refuses_login = lambda: (
        fault(number, call="SQLDriverConnect") if clock.monotonic() - began < 40 else None
    )
    database = Database(URL, pool_size=1, clock=clock)
    await database.open(upgrade=False)
    assert 40 <= clock.monotonic() - began <= engine.START_PATIENCE_S
    assert f"(error {number}); trying again for up to 60 s" in caplog.text
    await database.close()


@each_row("state", ["IMC01", "IMC02", "IMC03", "IMC04", "IMC05", "IMC06"])
def test_a_connection_that_the_driver_could_not_mend_is_lost_and_no_missing_driver(state):
    error = server_fault(0, state)
    assert error_codes.classify_error(error) is ErrorClass.LOST
    assert str(error_codes.translate(error)) == error_codes.AWAY
    assert error_codes.ends_connection(error)


@pytest.mark.parametrize("number", [596, 976, 3906, 10054])
async def test_a_connection_that_ended_or_whose_server_changed_is_not_lent_again(
    server, database, number
):
    database._clock = PassingClock()
    server.answers.append(("Anything", fault(number)))
    with pytest.raises(DatabaseUnavailable):
        await database.read(ask)
    assert len(server.connections) > 3
    server.answers.pop()
    await back(database)
    assert await database.read(ask) == [(1,)]


@pytest.mark.parametrize("number", [547, 2601, 2627])
async def test_what_another_transaction_overtook_runs_again_and_other_broken_rules_do_not(
    server, database, caplog, number
):
    """On SQLite, nothing comes between what a unit of work reads and what it writes."""
    database._clock = PassingClock()
    tries = []

    def unit(connection):
        tries.append(number)
        if len(tries) == 2:
            server.answers.pop()
        return ask(connection)

    server.answers.append(("Anything", fault(number, "23000")))
    assert await database.write(unit) == [(1,)]
    server.answers.append(("Anything", fault(number, "23000")))
    with pytest.raises(DatabaseError) as raised:
        await database.write(ask)
    assert type(raised.value) is DatabaseError
    assert f"(error {number})" in caplog.text
    server.answers.append(("Anything", fault(515, "23000")))
    tries.clear()
    with pytest.raises(IntegrityError):
        await database.write(lambda connection: (tries.append(515), ask(connection)))
    assert tries == [515]


async def test_a_login_takes_no_longer_than_the_patience_that_is_left(server):
    clock = PassingClock()

    def silent():
        clock.advance(server.logins[-1]["timeout"])
        return fault(0, "HYT00", "SQLDriverConnect")

    server.refuses_login = silent
    for patience_s in (10.0, 4.0):
        server.logins.clear()
        began = clock.monotonic()
        database = Database(URL, pool_size=1, clock=clock, patience_s=patience_s)
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            await database.open()
        assert clock.monotonic() - began <= patience_s + 1  # the driver counts whole seconds
        assert server.logins[0]["timeout"] == min(int(patience_s), outages.LOGIN_TIMEOUT_S)


async def test_the_first_statement_ends_with_the_patience_and_later_ones_may_take_longer(
    server, database
):
    server.timeouts.clear()
    await database.read(lambda connection: (ask(connection), ask(connection), ask(connection)))
    first, *others = server.timeouts
    assert first == database._patience_s - outages.SILENCE_S
    assert others == [outages.QUERY_TIMEOUT_S] * 2
