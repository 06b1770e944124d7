"""What the chat model's tools tell it: nothing that may not be recalled now."""

from dataclasses import replace

import pytest

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    FakeExtractor,
    audience,
    make_event,
    make_recorder,
    make_turn,
)
from tests.fakes.clock import ManualClock
from utils.chat_tools import KEPT_UNUSED, RECALL_IS_OFF, SEVERAL, ChatTools
from utils.database.tables import user_memory
from utils.memory.keeper import Keeper
from utils.memory.reader import Reader
from utils.model.guild import GuildSettings
from utils.model.llm import ToolCall
from utils.model.memory import Status

OFF = GuildSettings(GUILD, recall=False)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def reader(database, clock):
    return Reader(database, clock)


@pytest.fixture
def tools(database, clock, reader):
    return ChatTools(Keeper(database, clock), reader, clock)


async def known(reader):
    return sorted(row.text for row in (await reader.show(ADA)).rows)


async def keep(database, *texts, **given):
    """Have Ada say these in the channel, and change what is stored of them."""
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    await recorder.start()
    for text in texts:
        await recorder.record(make_event(text), audience())
        await recorder.settle()
    await recorder.close()
    which = user_memory.c.Memory.in_(texts)
    if given:
        await database.write(lambda s: s.execute(user_memory.update().where(which).values(**given)))


def turn(text, settings=None):
    return make_turn(make_event(text), settings=settings or GuildSettings(GUILD))


def forget(what):
    return ToolCall("1", "forget", {"what": what})


LIST = ToolCall("1", "list_memories", {})


@pytest.mark.parametrize("status", [Status.PROPOSED, Status.SHADOW])
async def test_what_waits_or_is_kept_unused_is_not_listed(database, tools, status):
    await keep(database, "likes green tea")
    await keep(database, "likes zanzibar", Status=status)
    listed = await tools.run(LIST, turn("what do you know of me?"))
    assert "likes green tea" in listed
    assert "zanzibar" not in listed


async def test_nothing_but_what_waits_is_as_good_as_nothing(database, tools):
    await keep(database, "likes zanzibar", Status=Status.PROPOSED)
    listed = await tools.run(LIST, turn("what do you know of me?"))
    assert listed == "Nothing is remembered here yet."


async def test_what_waits_can_be_forgotten_and_is_not_told(database, tools, reader):
    await keep(database, "likes zanzibar", Status=Status.PROPOSED)
    said = await tools.run(forget("likes zanzibar"), turn("forget that I like zanzibar"))
    assert said == "Forgotten, for good."
    assert await known(reader) == []


async def test_of_several_that_are_meant_only_what_may_be_recalled_is_told(database, tools, reader):
    await keep(database, "likes tea")
    await keep(database, "likes black tea", Status=Status.PROPOSED)
    said = await tools.run(forget("likes black tea"), turn("forget that I like black tea"))
    assert said.startswith(SEVERAL)
    assert "likes tea" in said
    assert "black" not in said
    assert len(await known(reader)) == 2


async def test_where_recall_is_off_nothing_is_listed_and_forgetting_works(database, tools, reader):
    await keep(database, "likes tea", "likes black tea", "owns a boat")
    assert await tools.run(LIST, turn("what do you know of me?", OFF)) == RECALL_IS_OFF
    said = await tools.run(forget("likes black tea"), turn("forget that I like black tea", OFF))
    assert said == SEVERAL
    assert len(await known(reader)) == 3
    said = await tools.run(forget("owns a boat"), turn("forget that I own a boat", OFF))
    assert said == "Forgotten, for good."
    assert await known(reader) == ["likes black tea", "likes tea"]


async def test_what_was_said_elsewhere_is_neither_listed_nor_forgotten(database, tools, reader):
    await keep(database, "likes tea")
    here = turn("forget that I like tea")
    here = replace(here, audience=replace(here.audience, sources=frozenset({CHANNEL + 1})))
    assert "tea" not in await tools.run(LIST, here)
    assert "nothing was forgotten" in await tools.run(forget("likes tea"), here)
    assert await known(reader) == ["likes tea"]


async def test_a_number_is_meant_only_as_a_whole(database, tools, reader):
    await keep(database, "likes tea")
    (row,) = (await reader.show(ADA)).rows
    said = await tools.run(forget(f"#{row.id}"), turn(f"forget what I said {row.id}0 days ago"))
    assert "nothing was forgotten" in said
    assert await tools.run(forget(f"#{row.id}"), turn(f"forget #{row.id}")) == (
        "Forgotten, for good."
    )


async def test_remembering_does_not_say_again_what_may_not_be_recalled(database, tools):
    remember = ToolCall("1", "remember", {"memory": "likes green tea"})
    said = await tools.run(remember, turn("remember that I like green tea"))
    assert said == "Remembered: likes green tea"
    said = await tools.run(remember, turn("remember that I like green tea", OFF))
    assert said == KEPT_UNUSED
