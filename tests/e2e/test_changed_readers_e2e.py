"""Permissions that change between the prompt and the answer: who cannot read its sources hears
nothing of them."""

import asyncio

import pytest

from cogs.chat.reply_sender import MARKER
from tests.e2e.den import PATIENCE_S, Den
from tests.e2e.test_audience_e2e import UNSEEN, private_channel
from tests.e2e.test_streaming_e2e import FlyingClock, ever_said, shown
from tests.fakes.discord import Channel, perms
from tests.fakes.model_server import Answer, ChatRequest, Writing, tools
from utils.common.errors import ReadersChanged

BOAT = "You own a boat."
NOTHING = "I do not know."


class Holding:
    """A model that repeats what its prompt says of a boat; its first answer waits for a test."""

    def __init__(self) -> None:
        self.asked, self.released = asyncio.Event(), asyncio.Event()

    async def __call__(self, request: ChatRequest) -> str:
        is_first = not self.asked.is_set()
        self.asked.set()
        if is_first:
            await self.released.wait()
        return BOAT if "boat" in str(request["messages"]).lower() else NOTHING


async def close(den: Den, place: Channel) -> None:
    await den.fake.set_overwrite(place, den.guild.bot_role, allow=UNSEEN)
    await den.fake.set_overwrite(place, den.guild.everyone, deny=UNSEEN)
    await den.heard()


async def taught_in_club(den: Den) -> Channel:
    club = den.guild.add_text_channel("club")
    await den.teach(den.alice, "I own a boat", club)
    return club


async def begun(den: Den, words: str = "what do I own?") -> Holding:
    """Have Alice ask, and return the model that writes the answer."""
    model = Holding()
    den.model.reply_with(model)
    await den.say(den.alice, words)
    await asyncio.wait_for(model.asked.wait(), PATIENCE_S)
    return model


async def ended(den: Den, model: Holding) -> str:
    model.released.set()
    await den.calm()
    return den.answers()[-1].content


@pytest.mark.parametrize("stream_answers", [True, False])
async def test_a_source_closed_meanwhile_is_in_no_answer(den: Den, stream_answers: bool) -> None:
    async with den.awake(stream_answers=stream_answers):
        club = await taught_in_club(den)
        model = await begun(den)
        assert "boat" in str(den.prompts()[-1]["messages"])
        await close(den, club)
        assert await ended(den, model) == NOTHING
        assert "boat" not in ever_said(den)
        assert "boat" not in str(await den.last_turns())


async def test_a_channel_opened_meanwhile_hears_nothing_that_was_private(kith: Den) -> None:
    staff = private_channel(kith.guild, "staff", kith.alice)
    kith.general = private_channel(kith.guild, "office", kith.alice)
    await kith.teach(kith.alice, "I own a boat", staff)
    model = await begun(kith)
    assert "boat" in str(kith.prompts()[-1]["messages"])
    await kith.fake.set_overwrite(kith.general, kith.guild.everyone, allow=UNSEEN)
    await kith.heard()
    assert await ended(kith, model) == NOTHING


async def test_what_is_shown_already_stops_and_gives_way(den: Den) -> None:
    den.clock = FlyingClock(den.fake)
    async with den.awake():
        club = await taught_in_club(den)
        writing = Writing()
        den.model.script(writing({}))
        await den.say(den.alice, "what do I own?")
        await asyncio.wait_for(writing.begun.wait(), PATIENCE_S)
        writing.write("You own something, ")
        message = await shown(den, "You own")
        await close(den, club)
        writing.write("namely a boat ")
        writing.write("and more of it")
        den.model.reply_with(lambda _: NOTHING)
        writing.end()
        await den.calm()
        assert message.content == NOTHING
        assert MARKER not in message.content
        assert "boat" not in ever_said(den)


async def test_what_tools_did_is_not_done_twice(kith: Den) -> None:
    club = await taught_in_club(kith)
    asked, released = asyncio.Event(), asyncio.Event()

    async def answer(request: ChatRequest) -> Answer | str:
        if any(one["role"] == "tool" for one in request["messages"]):
            asked.set()
            await released.wait()
            return BOAT
        return tools(("remember", {"memory": "likes tea"}))

    kith.model.reply_with(answer)
    await kith.say(kith.alice, "remember that I like tea. And what do I own?")
    await asyncio.wait_for(asked.wait(), PATIENCE_S)
    await close(kith, club)
    released.set()
    await kith.calm()
    assert kith.answers()[-1].content == str(ReadersChanged())
    assert (await kith.known_of(kith.alice)).count("likes tea") == 1


async def test_a_private_answer_says_nothing_that_its_reader_may_not_read_any_more(
    kith: Den,
) -> None:
    club = await taught_in_club(kith)
    model = Holding()
    kith.model.reply_with(model)
    used = await kith.fake.slash(kith.alice, kith.general, "ask", {"question": "what do I own?"})
    await asyncio.wait_for(model.asked.wait(), PATIENCE_S)
    await kith.fake.set_overwrite(club, kith.alice, deny=perms("view_channel"))
    await kith.heard()
    model.released.set()
    assert (await used.reply()).content == NOTHING
    await kith.calm()
