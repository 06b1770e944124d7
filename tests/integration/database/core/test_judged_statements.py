"""What tests run is judged as SQL Server would judge it, each time that it is run."""

from datetime import timedelta

from sqlalchemy import select

from tests import judged_statements
from tests.fakes.builders import ADA, NOON, make_event
from utils.database.memories import members
from utils.database.messages import events
from utils.database.schema.memory_tables import user_state

CHOICES = select(user_state.c.Consent)
LATER = NOON + timedelta(days=1)


async def complaints(database, unit):
    with judged_statements.complaints() as found:
        await database.write(unit)
    return found


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
