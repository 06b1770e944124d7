"""A correction that waits for approval replaces nothing until it is approved or confirmed."""

from itertools import pairwise

import pytest

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    NOON,
    FakeExtractor,
    audience,
    make_candidate,
    make_event,
    make_extraction,
    make_guild_settings,
    make_memory_service,
    make_recorder,
)
from tests.fakes.clock import ManualClock
from tests.integration.stored_rows import add, of
from utils.database.memories import memories, review_queue
from utils.database.schema.memory_tables import user_memory
from utils.memory.member_data.view import MemberData
from utils.models.memory import Member, Memory, Status
from utils.models.transfer import Statement

MIA = 77
OPEN = frozenset({CHANNEL})
BERLIN, HAMBURG, KIEL = "lives in Berlin", "lives in Hamburg", "lives in Kiel"


class Home:
    """A server in which Ada said where she lives."""

    def __init__(self, database) -> None:
        self.database, self.clock = database, ManualClock()
        self.extractor = FakeExtractor()
        self.book = make_guild_settings(database, self.clock)
        self.keeper = make_memory_service(database, self.clock)
        self.recorder = make_recorder(database, self.clock, self.extractor)

    async def say(self, text: str, *replaces: int, attribute: str = "home") -> None:
        self.clock.advance(minutes=1)
        read = [make_candidate(text, attribute=attribute, replaces=id) for id in replaces or [None]]
        self.extractor.read = lambda reading: make_extraction(*read)
        await self.recorder.record(make_event(text, created_at=self.clock.now()), audience())
        await self.recorder.settle()

    async def correct(self, memory_id: int, text: str) -> Memory:
        self.clock.advance(minutes=1)
        number = 4_000 + int(self.clock.monotonic())
        return await self.keeper.correct(ADA, memory_id, Statement(text, number, CHANNEL))

    async def decide(self, memory_id: int, *, approve: bool) -> None:
        assert (await self.keeper.review(GUILD, memory_id, approve, MIA, OPEN)).is_new

    async def choose(self, **chosen) -> None:
        await self.book.set_policy(GUILD, chosen, actor_id=MIA, reason="because")

    async def rows(self) -> list[Memory]:
        now = self.clock.now()
        return await self.database.read(memories.load_current, ADA, now)

    async def active(self) -> list[str]:
        return [row.text for row in await self.rows() if row.status is Status.ACTIVE]

    async def profile(self) -> str:
        return (await MemberData(self.database, self.clock).show(ADA)).profile


@pytest.fixture
async def home(database):
    made = Home(database)
    await made.recorder.start()
    await made.say(BERLIN)
    yield made
    await made.recorder.close()


async def test_a_rejected_correction_leaves_the_old_text_in_force(home: Home) -> None:
    (old,) = await home.rows()
    await home.choose(mode="manual")
    new = await home.correct(old.id, HAMBURG)
    assert new.status is Status.PROPOSED
    assert await home.active() == [BERLIN], "what waits replaces nothing"
    await home.decide(new.id, approve=False)
    assert [(row.text, row.status) for row in await home.rows()] == [(BERLIN, Status.ACTIVE)]


async def test_an_approved_correction_by_command_replaces_the_old_text(home: Home) -> None:
    (old,) = await home.rows()
    await home.choose(mode="manual")
    new = await home.correct(old.id, HAMBURG)
    await home.decide(new.id, approve=True)
    assert [row.text for row in await home.rows()] == [HAMBURG]
    assert BERLIN.title() not in (await home.profile()).title()
    (restored,) = await home.keeper.undo(ADA, new.id)
    assert restored.text == BERLIN


@pytest.mark.parametrize("order", [(2, 1, 0), (1, 0, 2), (0, 2, 1)])
async def test_corrections_approved_out_of_order_leave_the_newest_in_force(
    home: Home, order: tuple[int, ...]
) -> None:
    (old,) = await home.rows()
    await home.choose(mode="manual")
    waiting = [await home.correct(old.id, text) for text in (HAMBURG, KIEL, "lives in Jena")]
    for place in order:
        await home.decide(waiting[place].id, approve=True)
    assert [(row.text, row.status) for row in await home.rows()] == [
        ("lives in Jena", Status.ACTIVE)
    ]
    assert await home.profile() == "Lives in Jena."
    ids = [old.id, *(row.id for row in waiting)]
    now = home.clock.now()
    past = await home.database.read(memories.load_past, ADA, now)
    assert {row.id: row.superseded_by for row in past} == dict(pairwise(ids))
    (restored,) = await home.keeper.undo(ADA, waiting[2].id)
    assert await home.active() == [restored.text] == [KIEL]


async def test_what_waited_and_is_said_again_replaces_what_it_corrects(home: Home) -> None:
    (old,) = await home.rows()
    await home.choose(mode="manual")
    await home.say(HAMBURG, old.id)
    assert await home.active() == [BERLIN]
    await home.choose(mode="auto")
    await home.say(HAMBURG)
    assert await home.active() == [HAMBURG]
    waiting = {row.text: row for row in await home.rows()}
    (restored,) = await home.keeper.undo(ADA, waiting[HAMBURG].id)
    assert restored.text == BERLIN


async def test_what_waits_in_many_servers_is_listed_oldest_first(database):
    """A statement takes the ids of 500 servers at a time."""
    servers = range(GUILD, GUILD + 2_001)

    def unit(connection):
        for guild_id in (servers[-1], servers[0]):
            member = of(Member(guild_id, ADA.user_id))
            add(connection, user_memory, **member, Status=Status.PROPOSED)
        return [review_queue.list_waiting(connection, servers, NOON, limit) for limit in (1, 2)]

    first, both = await database.write(unit)
    assert [memory.guild_id for memory in both] == [servers[-1], servers[0]]
    assert first == both[:1]


async def test_what_one_sentence_replaced_comes_back_and_goes_again_together(home: Home) -> None:
    await home.say("has a flat in Berlin", attribute="flat")
    ids = [row.id for row in await home.rows()]
    await home.say(HAMBURG, *ids)
    for texts in ([BERLIN, "has a flat in Berlin"], [HAMBURG]) * 2:
        await home.keeper.undo(ADA, ids[1])
        assert await home.active() == texts
