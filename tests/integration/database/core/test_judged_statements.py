"""What tests run is judged as SQL Server would judge it, each time that it is run."""

from datetime import timedelta

import pytest
from sqlalchemy import bindparam, func, select, update

from tests import judged_statements
from tests.fakes.builders import ADA, BOB, NOON, make_event
from tests.integration.small_units import add_hash
from utils.database.core.queries import Selection, run
from utils.database.memories import members
from utils.database.memories.members import update_last_seen
from utils.database.messages import events
from utils.database.schema.memory_tables import command_sync, memory_event, user_state

UNFIT = select(func.length(memory_event.c.Text))
FIT = select(memory_event.c.Text)
CHOICES = select(user_state.c.Consent)
LATER = NOON + timedelta(days=1)


@pytest.fixture
def database_url(sqlite_url):
    """On a server nothing is judged: it says itself what it refuses."""
    return sqlite_url


async def complaints(database, unit):
    with judged_statements.complaints() as found:
        await database.write(unit)
    return found


async def test_what_has_no_t_sql_is_found_each_time_and_what_has_it_never(database):
    for _ in range(2):
        assert await complaints(database, lambda connection: connection.execute(FIT).all()) == []
        (complaint,) = await complaints(
            database, lambda connection: connection.execute(UNFIT).all()
        )
        assert "SQLite's own" in complaint


async def test_too_many_parameters_are_found_though_the_statement_is_known(database):
    def ask(connection, ids):
        connection.execute(FIT.where(memory_event.c.Id.in_(ids))).all()

    assert await complaints(database, lambda connection: ask(connection, range(2_000))) == []
    (complaint,) = await complaints(database, lambda connection: ask(connection, range(2_001)))
    assert "2001 parameters" in complaint


async def test_words_stored_after_a_choice_was_read_are_found_unless_the_member_is_locked(
    database,
):
    def store(connection, *, is_locked, message_id):
        if is_locked:
            members.lock(connection, ADA)
        connection.execute(CHOICES).all()
        events.insert(connection, make_event("hello", message_id=message_id), LATER)

    for number in range(2):
        locked = {"is_locked": True, "message_id": 2 * number}
        unlocked = {"is_locked": False, "message_id": 2 * number + 1}
        assert await complaints(database, lambda c, given=locked: store(c, **given)) == []
        (complaint,) = await complaints(database, lambda c, given=unlocked: store(c, **given))
        assert "without a lock" in complaint


async def test_a_comparison_with_nothing_is_found_among_the_values_that_a_statement_is_run_with(
    database,
):
    def ask(connection, text):
        connection.execute(FIT.where(memory_event.c.Stems == text)).all()

    for text, number in (("a", 0), ("", 1), ("a", 0), ("", 1)):
        found = await complaints(database, lambda connection, given=text: ask(connection, given))
        assert len(found) == number


async def test_a_select_that_the_driver_gets_as_text_is_judged_too(database):
    def select_with(statement):
        query = Selection(statement, {}, list)
        return lambda connection: run(connection, query)

    assert await complaints(database, select_with(FIT)) == []
    (complaint,) = await complaints(database, select_with(UNFIT))
    assert "SQLite's own" in complaint


async def test_changes_for_many_values_are_found_if_their_rows_are_locked_in_any_order(database):
    def see(connection, *members):
        update_last_seen(connection, dict.fromkeys(members, NOON))

    def forget(connection, *user_ids):
        rows = [{"user_id": user_id, "LastSeenAt": None} for user_id in user_ids]
        change = update(user_state).where(user_state.c.UserId == bindparam("user_id"))
        connection.execute(change, rows)

    assert await complaints(database, lambda connection: see(connection, BOB, ADA)) == []
    for user_ids, number in (((1, 2), 0), ((2, 1), 1), ((1, 2), 0), ((2, 1), 1)):
        found = await complaints(database, lambda c, given=user_ids: forget(c, *given))
        assert len(found) == number


async def test_rows_that_no_statement_orders_come_in_another_order_than_sqlites(database):
    for number in (1, 2, 3):
        await database.write(add_hash, number)
    ids = select(command_sync.c.ApplicationId)
    assert await database.read(lambda connection: connection.scalars(ids).all()) == [3, 2, 1]
