"""Statements that the driver executes do and return what SQLAlchemy's own execution does."""

from dataclasses import replace

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    FakeExtractor,
    audience,
    make_event,
    make_recorder,
)
from tests.fakes.clock import NOON, ManualClock
from tests.integration.memory.member_data.test_search import remember
from utils.database.core.compiled_statements import compiled_select
from utils.database.core.queries import (
    IDS,
    change_rows,
    fetch_rows,
    insert_new,
    insert_returning,
    rows_for,
    run,
    upsert,
)
from utils.database.memories import members, memory_rows
from utils.database.messages import events, said
from utils.database.schema.memory_tables import lease, memory_event, token_use
from utils.models.memory import EventState

QUERIES = [
    members.header(ADA),
    memory_rows.for_recall(ADA, NOON),
    events.last_turns(GUILD, CHANNEL, 10, NOON),
    said.since(ADA, after=0, now=NOON, gap_s=1.0),
    said.last_event_id(ADA),
]


@pytest.mark.parametrize("query", QUERIES)
async def test_rows_are_those_of_sqlalchemy(database, query):
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    await recorder.record(make_event("I have a dog named Rex"), audience())
    await remember(database, "has a dog named Rex")

    def unit(connection):
        of_driver = compiled_select(query.statement, connection.dialect)
        assert of_driver is compiled_select(query.statement, connection.dialect)
        expected = connection.execute(query.statement, query.parameters).all()
        assert expected
        rows = []
        run(connection, type(query)(query.statement, query.parameters, rows.extend))
        assert [tuple(row) for row in rows] == [tuple(row) for row in expected]
        for row, mapping in zip(rows, (row._mapping for row in expected), strict=True):
            named = {name: value for name, value in row._asdict().items() if name[0] != "_"}
            assert named.items() <= mapping.items()

    await database.read(unit)


async def test_columns_hold_every_row_in_order(database, monkeypatch):
    monkeypatch.setattr("utils.database.core.compiled_statements.ROWS_AT_ONCE", 2)

    def read(connection):
        query = memory_rows.for_recall(ADA, NOON)
        rows = connection.execute(query.statement, query.parameters).all()
        columns = run(connection, replace(query, read=list))
        assert [*zip(*columns, strict=True)] == [tuple(row) for row in rows]
        return columns

    assert await database.read(read) == []
    for name in ("Rex", "Max", "Tom"):
        await remember(database, f"has a dog named {name}")
    assert len((await database.read(read))[0]) == 3


@pytest.mark.parametrize("count", [0, 1, 3, 8, 501])
async def test_a_list_of_any_length_finds_what_sqlalchemy_finds(database, count):
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    for message_id in range(1, 11):
        await recorder.record(make_event("I have a dog", message_id=message_id), audience())
    columns = memory_event.c
    query = select(columns.MessageId, columns.Role).where(
        columns.GuildId == bindparam("guild_id"), columns.MessageId.in_(IDS)
    )

    def unit(connection):
        ids = {*range(1, 2 * count, 2)}
        rows = fetch_rows(connection, query, ids, guild_id=GUILD)
        assert len(rows) == min(count, 5)
        assert rows == rows_for(connection, query, ids, guild_id=GUILD)

    await database.read(unit)


CHANGE = update(memory_event).where(memory_event.c.MessageId.in_(IDS))


@pytest.mark.parametrize("count", [0, 1, 3, 8, 501])
async def test_a_change_of_any_number_of_rows_changes_what_sqlalchemy_changes(database, count):
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    for message_id in range(1, 11):
        await recorder.record(make_event("I have a dog", message_id=message_id), audience())
    states = select(memory_event.c.MessageId, memory_event.c.State)

    def unit(connection):
        ids = [*range(1, 2 * count, 2)]
        changed = change_rows(connection, CHANGE, {"ids": ids, "State": EventState.DONE})
        assert changed == min(count, 5)
        by_driver = connection.execute(states).all()
        connection.execute(update(memory_event).values(State=EventState.PENDING))
        connection.execute(CHANGE, {"ids": ids, "State": EventState.DONE})
        assert connection.execute(states).all() == by_driver

    await database.write(unit)


async def test_rows_are_inserted_with_converted_values_and_a_second_time_refused(database):
    rows = [{"Name": name, "Owner": "purple-otter", "Fence": 1, "Until": NOON} for name in "ab"]

    def unit(connection):
        assert change_rows(connection, insert(lease), *rows) == 2
        stored = connection.execute(select(lease).order_by(lease.c.Name)).mappings().all()
        assert [dict(row) for row in stored] == rows
        assert insert_new(connection, lease, [rows[0], {**rows[0], "Name": "c"}]) == [
            {**rows[0], "Name": "c"}
        ]
        with pytest.raises(IntegrityError) as refused:
            change_rows(connection, insert(lease), rows[0])
        assert "purple-otter" not in str(refused.value)

    await database.write(unit)


async def test_an_inserted_row_returns_its_id(database):
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    await recorder.record(make_event("I have a dog"), audience())
    returning = insert(memory_event).returning(memory_event.c.Id)

    def unit(connection):
        first = dict(connection.execute(select(memory_event)).mappings().one())
        row = {**first, "MessageId": 77}
        del row["Id"]
        row_id = insert_returning(connection, returning, row)
        found = select(memory_event).where(memory_event.c.Id == row_id)
        assert dict(connection.execute(found).mappings().one()) == {**row, "Id": row_id}

    await database.write(unit)


async def test_numbers_are_added_to_those_of_a_row_that_exists(database):
    keys = {"GuildId": 1, "Day": "2026-11-29", "UserId": 2, "Purpose": "chat", "Model": ""}
    values = {"Calls": 1, "PromptTokens": 10, "CompletionTokens": 3}

    def unit(connection):
        for _ in range(2):
            upsert(connection, token_use, keys, values, adds=True)
        stored = connection.execute(select(token_use)).mappings().one()
        assert {name: stored[name] for name in values} == {
            name: 2 * value for name, value in values.items()
        }

    await database.write(unit)
