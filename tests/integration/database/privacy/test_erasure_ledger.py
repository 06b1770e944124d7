"""The erasure ledger: what it holds of whom, in which order it is read, and expiry times."""

from datetime import timedelta

from tests.fakes.builders import ADA, BOB, GUILD, NOON
from tests.integration.stored_rows import ELSEWHERE, add, by, stored
from utils.database.erasure.deletion import delete_expired
from utils.database.privacy import erasure_ledger, expiry
from utils.database.schema.memory_tables import memory_event
from utils.models.operator import Erasure, ErasureKind

HOUR = timedelta(hours=1)
OF_ADA = Erasure(NOON, ErasureKind.MESSAGE, GUILD, 10, 100, 7, 3, "a" * 32)
EARLIER = Erasure(NOON - HOUR, ErasureKind.SAID, GUILD, 10)
OF_BOB = Erasure(NOON, ErasureKind.SAID, GUILD, 20)
OF_SERVER = Erasure(NOON, ErasureKind.CHANNEL, GUILD, None, 100)
BEFORE_IT = Erasure(NOON - HOUR, ErasureKind.SHORTER, GUILD)
ELSEWHERE_OF_ADA = Erasure(NOON, ErasureKind.SAID, 9, 10)
OF_OTHER_SERVER = Erasure(NOON, ErasureKind.SERVER, 9)
ALL = (OF_ADA, EARLIER, OF_BOB, OF_SERVER, BEFORE_IT, ELSEWHERE_OF_ADA, OF_OTHER_SERVER)


def test_entries_are_read_by_their_order_their_member_and_their_server(connection):
    erasure_ledger.record(connection)
    assert erasure_ledger.entries_after(connection, 0, 9) == []
    erasure_ledger.record(connection, *ALL)
    entries = erasure_ledger.entries_after(connection, 0, 9)
    assert [entry for _, entry in entries] == [*ALL]
    second, fourth = entries[1][0], entries[3][0]
    assert erasure_ledger.entries_after(connection, second, 2) == entries[2:4]
    assert erasure_ledger.entries_before(connection, fourth, 2) == [entries[2], entries[1]]
    assert erasure_ledger.entries_of(connection, ADA.guild_id, ADA.user_id) == [EARLIER, OF_ADA]
    assert erasure_ledger.entries_of(connection, BOB.guild_id, BOB.user_id) == [OF_BOB]
    assert erasure_ledger.entries_of(connection, 9, 10) == [ELSEWHERE_OF_ADA]
    assert erasure_ledger.entries_of(connection, GUILD, None) == [BEFORE_IT, OF_SERVER]


def test_an_entry_is_recorded_if_all_of_it_is(connection):
    erasure_ledger.record(connection, *ALL)
    assert all(erasure_ledger.is_recorded(connection, entry) for entry in ALL)
    for other in (
        Erasure(NOON, ErasureKind.MESSAGE, GUILD, 10, 100, 7, 3),
        Erasure(NOON, ErasureKind.MESSAGE, GUILD, 10, 100, 7, 4, "a" * 32),
        Erasure(NOON + HOUR, ErasureKind.MESSAGE, GUILD, 10, 100, 7, 3, "a" * 32),
        Erasure(NOON, ErasureKind.SAID, GUILD),
        Erasure(NOON, ErasureKind.SAID, GUILD, 10),
        Erasure(NOON, ErasureKind.CHANNEL, GUILD, 10, 100),
    ):
        assert not erasure_ledger.is_recorded(connection, other)


def test_what_would_outlive_its_age_ends_with_it():
    rows = [(1, NOON, None), (2, NOON, NOON + HOUR), (3, NOON, NOON + 2 * HOUR)]
    rows += [(4, NOON - HOUR, NOON + HOUR), (5, NOON, NOON)]
    assert expiry.capped_expiries(rows, HOUR) == {1: NOON + HOUR, 3: NOON + HOUR, 4: NOON}


def test_expired_rows_are_deleted_the_oldest_first_and_others_stay(connection):
    times = {}
    for hours, member in ((1, ADA), (-1, ADA), (0, ELSEWHERE), (-2, BOB), (-1, ELSEWHERE)):
        row_id = add(connection, memory_event, **by(member))
        times[row_id] = NOON + hours * HOUR
    untouched = add(connection, memory_event, **by(ADA), ExpiresAt=NOON + 9 * HOUR)
    expiry.set_expiries(connection, memory_event, {})
    expiry.set_expiries(connection, memory_event, times)
    columns = memory_event.c
    kept = {**times, untouched: NOON + 9 * HOUR}
    assert dict(stored(connection, columns.Id, columns.ExpiresAt)) == kept
    first = delete_expired(connection, "MemoryEvent", NOON, 1)
    assert first.total() == 1
    if connection.dialect.name == "sqlite":  # SQL Server's DELETE TOP takes any of them
        assert BOB.user_id not in stored(connection, columns.AuthorId)
    assert first + delete_expired(connection, "MemoryEvent", NOON, 9) == {GUILD: 2, 9: 2}
    assert stored(connection, columns.ExpiresAt) == [NOON + HOUR, NOON + 9 * HOUR]
