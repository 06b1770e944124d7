"""The day's tokens: a server's two parts, a member's fifth of each, and never overdrawn."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from tests.fakes.builders import ADA, GUILD, make_budget
from utils.build import build
from utils.common.config import Settings
from utils.common.errors import BudgetSpent, ModelMalformed
from utils.database.admin import token_usage
from utils.database.core.engine import Database
from utils.database.schema.memory_tables import token_use
from utils.llm.token_budget import READ_AFTER_S, WRITE_AFTER_S
from utils.models.llm import Usage
from utils.models.memory import Member

DAY = 1000
ANSWERS, READING = 600, 400  # of these
MINE = 120  # a fifth of the first
OTHERS = Member(GUILD, 1)
MIDNIGHT = datetime(2026, 3, 12, tzinfo=UTC)


@pytest.fixture
def budget(database, clock):
    return make_budget(database, clock, DAY)


@pytest.fixture
async def shared(budget):
    """A budget of which another member has spent half, so that shares bind."""
    await spend(budget, OTHERS, 300)
    await spend(budget, OTHERS, 200, purpose="extraction")
    return budget


async def spend(budget, member, tokens, used=None, purpose="chat"):
    async with budget.hold(member, purpose, tokens, 0) as hold:
        hold.usage = Usage(tokens if used is None else used, 0)


async def decided(calls, inside):
    """Return when each call was refused or is inside; a server answers them one after the other."""
    while sum(call.done() for call in calls) + len(inside) < len(calls):  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_a_member_alone_may_spend_half_of_the_servers_day_and_then_a_share_binds(budget):
    for _ in range(5):
        await spend(budget, ADA, 99)
    await spend(budget, ADA, 60)  # at 495 of 1,000: nobody is held to a share yet
    with pytest.raises(BudgetSpent, match="Your share") as refused:
        await spend(budget, ADA, 1)
    assert (refused.value.is_share, refused.value.until) == (True, MIDNIGHT)
    await spend(budget, Member(GUILD, 77), 45)


async def test_once_half_is_spent_a_member_has_a_fifth_and_no_more(shared):
    await spend(shared, ADA, 100)
    await spend(shared, ADA, 20)
    with pytest.raises(BudgetSpent, match="Your share"):
        await spend(shared, ADA, 1)


# --- reading for memory ---------------------------------------------------------------------------


@pytest.mark.parametrize("purpose", ["extraction", "verification", "episode"])
async def test_answers_leave_reading_its_tokens_and_reading_leaves_answers_theirs(budget, purpose):
    for n in range(1, 6):
        await spend(budget, Member(GUILD, n), ANSWERS // 5)
        await spend(budget, Member(GUILD, n), READING // 5, purpose=purpose)
    for other in ("chat", purpose):
        with pytest.raises(BudgetSpent, match="Today's budget"):
            await spend(budget, ADA, 1, purpose=other)


async def test_a_member_whose_share_of_answers_is_spent_is_still_read_and_the_other_way(shared):
    await spend(shared, ADA, MINE)
    await spend(shared, ADA, 80, purpose="extraction")
    for purpose in ("chat", "verification"):
        with pytest.raises(BudgetSpent, match="Your share"):
            await spend(shared, ADA, 1, purpose=purpose)


# --- what is counted ------------------------------------------------------------------------------


async def test_what_a_call_really_took_is_counted_not_what_was_held(database, budget):
    await spend(budget, ADA, 600, used=10)
    await spend(budget, ADA, 590, used=10)
    await budget.close()
    rows = await database.read(
        lambda s: s.execute(
            select(token_use.c.Calls, token_use.c.PromptTokens, token_use.c.Purpose)
        ).all()
    )
    assert [tuple(row) for row in rows] == [(2, 20, "chat")]


async def test_of_many_at_once_as_many_go_ahead_as_fit_and_not_one_more(budget):
    gate = asyncio.Event()
    inside = []

    async def call(n):
        async with budget.hold(Member(GUILD, n + 1), "chat", 70, 50) as hold:
            inside.append(n)
            await gate.wait()
            hold.usage = Usage(120, 0)

    calls = [asyncio.create_task(call(n)) for n in range(12)]
    await decided(calls, inside)
    assert len(inside) == 5
    gate.set()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(result, BudgetSpent) for result in results) == 7
    assert sum(result is None for result in results) == 5


async def test_the_day_begins_anew_at_midnight_utc(shared, clock):
    await spend(shared, ADA, MINE)
    clock.advance(hours=12, seconds=-1)
    with pytest.raises(BudgetSpent):
        await spend(shared, ADA, 1)
    clock.advance(1)
    await spend(shared, ADA, 600)


async def test_a_failed_call_counts_what_it_cost_and_gives_the_rest_back(shared):
    failure = ModelMalformed()
    failure.usage = Usage(40, 10)
    with pytest.raises(ModelMalformed):
        async with shared.hold(ADA, "chat", 70, 50):
            raise failure
    await spend(shared, ADA, 70)
    with pytest.raises(BudgetSpent):
        await spend(shared, ADA, 1)


async def test_all_processes_share_one_budget_a_second_later(other, shared, clock):
    others = make_budget(other, clock, DAY)
    await shared.close()
    await spend(others, ADA, MINE)
    await others.close()
    clock.advance(READ_AFTER_S)
    with pytest.raises(BudgetSpent):
        await spend(shared, ADA, 1)


async def test_near_a_limit_what_others_spend_is_known_at_once(other, shared, clock):
    others = make_budget(other, clock, DAY)
    await spend(shared, ADA, 91)  # of a share of 120
    await shared.close()
    await spend(others, ADA, 29)
    await others.close()
    with pytest.raises(BudgetSpent):
        await spend(shared, ADA, 1)


async def test_what_calls_cost_is_stored_together_a_second_later(database, budget, clock):
    written = asyncio.Queue()

    async def write(unit, *, uses):
        await Database.write(database, unit, uses=uses)
        written.put_nowait(len(uses))

    database.write = write
    for n in range(3):
        await spend(budget, Member(GUILD, n + 1), 10)
    await clock.until_asleep(WRITE_AFTER_S)
    assert written.empty()
    clock.advance(WRITE_AFTER_S)
    assert await written.get() == 3


async def test_what_ends_while_others_cost_is_written_is_written_a_second_after(
    database, budget, clock
):
    written = asyncio.Queue()

    async def write(unit, *, uses):
        if all(use.member == ADA for use in uses):
            await spend(budget, OTHERS, 7)
        written.put_nowait(sum(usage.total for _, usage in uses.values()))

    database.write = write
    await spend(budget, ADA, 10)
    async with asyncio.timeout(5):
        for cost in (10, 7):
            await clock.until_asleep(WRITE_AFTER_S)
            clock.advance(WRITE_AFTER_S)
            assert await written.get() == cost


async def test_what_is_written_while_it_is_read_is_known(database, budget):
    other = Member(GUILD, 77)
    await spend(budget, other, 1)  # what is stored is looked up again a second later only
    await spend(budget, OTHERS, ANSWERS - 100)

    async def read(unit, **parameters):
        stored = await Database.read(database, unit, **parameters)
        await budget.write()
        return stored

    database.read = read
    await spend(budget, ADA, 9)
    with pytest.raises(BudgetSpent, match="answers"):
        await spend(budget, other, 100)


async def test_what_is_written_while_it_is_read_counts_once(database, budget):
    other = Member(GUILD, 77)
    await spend(budget, other, 1)
    await spend(budget, OTHERS, ANSWERS // 2)

    async def read(unit, **parameters):
        await budget.write()
        return await Database.read(database, unit, **parameters)

    database.read = read
    await spend(budget, ADA, 9)
    await spend(budget, other, ANSWERS // 3)


async def test_rows_are_locked_in_one_order_by_all_processes(budget, monkeypatch):
    rows = []

    def add_use(connection, guild_id, day, user_id, purpose, *rest):
        rows.append((guild_id, user_id, purpose))

    monkeypatch.setattr(token_usage, "add_use", add_use)
    for member in (ADA, OTHERS, Member(0, 50)):
        for purpose in ("extraction", "chat"):
            await spend(budget, member, 1, purpose=purpose)
    await budget.close()
    assert len(rows) == 6
    assert rows == sorted(rows)


async def test_what_is_spent_until_readers_of_attachments_have_stopped_is_stored(
    database_url, monkeypatch, clock
):
    app = build(Settings(_env_file=None, database_url=database_url), clock)
    await app.database.open()
    stop = app.memory.attachments.close

    async def stop_amid_a_call():
        await spend(app.conversation._budget, ADA, 10)
        await stop()

    monkeypatch.setattr(app.memory.attachments, "close", stop_amid_a_call)
    await app.close()
    database = Database(database_url, pool_size=1, clock=clock)
    await database.open()
    spent = await database.read(lambda s: s.scalar(select(token_use.c.PromptTokens)))
    await database.close()
    assert spent == 10
