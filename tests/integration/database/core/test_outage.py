"""Away and back: who waits, who does not, and what is written afterwards."""

import asyncio
import re
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    GUILD,
    FakeExtractor,
    audience,
    make_answer,
    make_event,
    make_memory_service,
    make_recorder,
)
from tests.fakes.faulty import away, faulty, server_fault
from tests.fakes.statements import watched_statements
from tests.integration.small_units import back, hashes
from tests.integration.stored_rows import in_order
from utils.common.errors import DatabaseError, DatabaseUnavailable
from utils.database.core import outages
from utils.database.schema.memory_tables import memory_event
from utils.memory.ingestion import offline_writer
from utils.models.memory import Consent, Member
from utils.runtime.signals import MemorySignals

HERE = audience()


@pytest.fixture(autouse=True)
def all_is_tried_again_soon(monkeypatch):
    monkeypatch.setattr(outages, "PROBE_EVERY_S", 0.01)


@pytest.fixture
def recorder(database, clock):
    return make_recorder(database, clock, FakeExtractor())


def erasing(recorder):
    signals = MemorySignals()
    signals.erasures.connect(recorder.offline_writer.erase)
    return signals


async def written(recorder, clock):
    """Let everything that waits be written."""
    while not recorder.offline_writer._task.done():
        clock.advance(offline_writer.RETRY_S)
        await asyncio.wait([recorder.offline_writer._task], timeout=0.05)


async def comes_back(gone, database, clock):
    """Let the database be back, once what waits was refused and rests until its next try."""
    await clock.until_asleep()
    gone.back()
    await back(database)


# --- knowing that it is away --------------------------------------------------------------------


async def test_once_it_is_known_to_be_away_nobody_waits_and_one_prober_looks(database):
    with away(database) as gone:
        with pytest.raises(DatabaseUnavailable):
            await database.read(hashes)
        await database._reading.close()  # as if the next probe were far away
        asked, database._patience_s = gone.asked, 60.0
        for _ in range(100):
            with pytest.raises(DatabaseUnavailable, match="does not answer"):
                await database.read(hashes)
        assert gone.asked == asked
        probing = asyncio.create_task(database._reading._probe_until_back())
        while gone.asked < asked + 3:  # noqa: ASYNC110 - threads count it
            await asyncio.sleep(0)
        gone.back()
        await probing
    assert await database.read(hashes) == []


# --- what is heard ------------------------------------------------------------------------------


async def test_what_waits_is_written_in_order_and_once(database, recorder, clock):
    events = [make_event(f"message {n}") for n in range(300)]
    with away(database) as gone:
        for one in events:
            assert await recorder.record(one, HERE)
            assert not await recorder.record(one, HERE)  # told of twice: answered once
        await comes_back(gone, database, clock)
        assert await recorder.record(make_event("late"), HERE)  # and so it waits behind them
        assert await recorder.record(make_event("elsewhere", channel_id=9), HERE)
        assert await database.read(in_order, memory_event.c.Text) == ["elsewhere"]
        await written(recorder, clock)
    assert await database.read(in_order, memory_event.c.Text) == [
        "elsewhere",
        *(one.text for one in events),
        "late",
    ]
    assert not await recorder.record(events[0], HERE)


async def test_consent_is_looked_at_when_it_is_written(database, recorder, clock):
    keeper = make_memory_service(database, clock)
    with away(database) as gone:
        await recorder.record(make_event("Zanzibar"), HERE)
        await recorder.record(make_event("hello", author_id=BOB.user_id), HERE)
        await comes_back(gone, database, clock)
        await keeper.set_consent(ADA, Consent.OFF)  # by another process, say
        await written(recorder, clock)
    assert await database.read(in_order, memory_event.c.Text) == ["hello"]


async def test_an_edit_of_words_that_may_have_been_stored_takes_them_back(
    database, recorder, clock
):
    """The commit went through, though its answer was lost."""
    said = make_event("I have a dog")
    with faulty(database) as made:
        made.begin((0, "commit"), [server_fault(10054)], commits_first=True)
        assert await recorder.record(said, HERE)
    await recorder.revise(replace(said, text="I have a cat", revision=5), HERE)
    await written(recorder, clock)
    assert await database.read(in_order, memory_event.c.Text) == ["", "I have a cat"]
    assert await database.read(in_order, memory_event.c.Stems) == ["", "cat"]


async def test_what_kith_said_meanwhile_with_a_member_in_mind_is_not_written_once_they_forget(
    database, recorder, clock
):
    keeper = make_memory_service(database, clock, signals=erasing(recorder))
    his = make_event("hello", author_id=BOB.user_id)
    for forget in (lambda: keeper.forget(ADA, 1), lambda: keeper.forget_all(ADA)):
        with away(database) as gone:
            await recorder.record(his, HERE)
            told = make_answer(his, "Ada likes Zanzibar", about_ids=(BOB.user_id, ADA.user_id))
            await recorder.record(told, HERE)
            await comes_back(gone, database, clock)
            await forget()
            await written(recorder, clock)
        assert await database.read(in_order, memory_event.c.Text) == ["hello"]


# --- who may store what -------------------------------------------------------------------------


async def test_a_members_row_is_held_before_their_consent_is_read(database, recorder):
    """On SQL Server only that keeps a choice of "off" from slipping in before the insert."""
    for is_stranger in (True, False):
        with statements(database) as said:
            await recorder.record(make_event(), HERE)
        kinds = [kind for kind, table in said if table == "UserState"]
        assert kinds[0] == "UPDATE"
        assert ("INSERT" in kinds) == is_stranger
        assert kinds[-1] == "SELECT"  # read once more after a stranger's row was made
        assert said[-1] == ("INSERT", "MemoryEvent")


@contextmanager
def statements(database):
    """What is executed, as pairs of a verb and the first table it names."""
    found = []

    def note(_connection, statement, _values):
        table = re.search(r'(?:FROM|INTO|UPDATE) ["[](\w+)["\]]', statement)
        if table:
            found.append((statement.split()[0], table[1]))

    with watched_statements([database._engine], note):
        yield found


async def test_choosing_off_while_messages_are_being_recorded_leaves_none(database, recorder):
    keeper = make_memory_service(database, recorder._clock)
    for round_ in range(5):
        member = Member(GUILD, 100 + round_)
        said = [make_event(author_id=member.user_id) for _ in range(8)]
        await asyncio.gather(
            *(recorder.record(one, HERE) for one in said[:4]),
            keeper.set_consent(member, Consent.OFF),
            *(recorder.record(one, HERE) for one in said[4:]),
        )
    assert await database.read(in_order, memory_event.c.Text) == []


async def test_what_is_refused_for_good_holds_up_nobody_for_ever(
    database, recorder, clock, monkeypatch, caplog
):
    store = recorder.offline_writer._store

    async def picky(said, audience):
        if said.text == "Zanzibar":
            raise DatabaseError
        return await store(said, audience)

    monkeypatch.setattr(recorder.offline_writer, "_store", picky)
    with away(database) as gone:
        await recorder.record(make_event("Zanzibar"), HERE)
        await recorder.record(make_event("hello"), HERE)
        gone.back()
        await written(recorder, clock)
    assert await database.read(in_order, memory_event.c.Text) == ["hello"]
    assert "1 were dropped" in caplog.text
    assert "Zanzibar" not in caplog.text


async def test_what_comes_too_late_to_wait_is_counted_as_lost(database, recorder, caplog):
    await recorder.offline_writer.close()
    assert recorder.offline_writer.lost == 0
    with away(database):
        await recorder.record(make_event("Zanzibar"), HERE)
    assert recorder.offline_writer.lost == 1
    assert recorder.offline_writer._task is None
    assert "after the writer was closed" in caplog.text
    assert "Zanzibar" not in caplog.text
