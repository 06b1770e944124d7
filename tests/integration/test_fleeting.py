"""What may not be stored lives in process memory: in prompts for a while, and nowhere else."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from tests.fakes.builders import ADA, BOB, CHANNEL, GUILD, make_answer, make_event, make_turn
from tests.fakes.clock import ManualClock
from tests.fakes.scribe import Scribe
from tests.integration.test_episodes import HERE, Hall
from utils.conversation import Conversation
from utils.database.tables import memory_event
from utils.guild_book import GuildBook
from utils.memory.fleeting import LONGEST, MOST_CHANNELS, MOST_TURNS, FleetingRoom
from utils.memory.keeper import Keeper
from utils.memory.reader import Reader
from utils.model.memory import Consent

SECRET = "I am off to Zanzibar"


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
async def hall(database, clock):
    """A channel where Bob wants nothing kept of what he says."""
    made = Hall(database, clock, Scribe())
    made.keeper = Keeper(
        database,
        clock,
        on_erasing=made.recorder.backlog.let_go,
        fleeting=made.recorder.fleeting,
    )
    await made.keeper.set_consent(BOB, Consent.OFF)
    return made


async def shown(hall, by=ADA, **given):
    """The turns that stand before a message in its prompt, and whom an answer would be about."""
    reader = Reader(hall.database, hall.clock)
    talk = Conversation(hall.recorder, reader, hall.chronicler._budget, hall.clock, None)
    asked = make_event("and?", author_id=by.user_id, created_at=hall.clock.now(), **given)
    prepared = await talk.prepare(make_turn(asked))
    turns = [message.text.partition(": ")[2] or message.text for message in prepared.messages]
    return turns[1:-1], prepared.about_ids


async def talk_of_zanzibar(hall):
    """Ada, Bob and Kith talk; returns Bob's message."""
    await hall.say("where to?")
    bobs = await hall.say(SECRET, by=BOB)
    answer = make_answer(bobs, "Zanzibar is far!", about_ids=(BOB.user_id,))
    await hall.recorder.record(answer, HERE)
    await hall.say("how nice")
    return bobs


async def test_it_stands_in_prompts_in_its_place_and_nowhere_in_the_database(hall):
    await talk_of_zanzibar(hall)
    turns, about_ids = await shown(hall)
    assert turns == ["where to?", SECRET, "Zanzibar is far!", "how nice"]
    assert set(about_ids) >= {ADA.user_id, BOB.user_id}
    said = await hall.database.read(lambda session: session.scalars(select(memory_event.c.Text)))
    assert list(said) == ["where to?", "how nice"]
    assert (await shown(hall, channel_id=CHANNEL + 1))[0] == []


async def test_it_enters_no_summary(hall):
    await talk_of_zanzibar(hall)
    await hall.hush()
    assert hall.scribe.said == [["where to?", "how nice"]]


async def test_an_answer_with_such_an_answer_in_mind_is_not_stored_either(hall):
    await talk_of_zanzibar(hall)
    await hall.recorder.backlog.retract(GUILD, [1])  # Kith's words may tell of anything: they go
    assert (await shown(hall))[0] == ["where to?", SECRET, "how nice"]
    asked = await hall.say("so?")
    told = make_answer(asked, "Bob goes to Zanzibar", about_ids=(ADA.user_id, BOB.user_id))
    await hall.recorder.record(told, HERE)
    turns, about_ids = await shown(hall)
    assert turns[-1] == "Bob goes to Zanzibar"
    assert BOB.user_id in about_ids


async def gone_by_deletion(hall, bobs):
    await hall.recorder.backlog.retract(GUILD, [bobs.message_id])


async def gone_by_forgetting(hall, bobs):
    await hall.keeper.forget_all(BOB)


async def gone_by_choice(hall, bobs):
    await hall.keeper.set_consent(BOB, Consent.TEMPORARY)


async def gone_by_reset(hall, bobs):
    await hall.keeper.reset(GUILD, CHANNEL)


async def gone_with_the_channel(hall, bobs):
    await hall.recorder.backlog.erase_places(GUILD, [CHANNEL])


async def gone_in_time(hall, bobs):
    hall.clock.advance(LONGEST.total_seconds() + 300)


@pytest.mark.parametrize(
    "let_go",
    [
        gone_by_deletion,
        gone_by_forgetting,
        gone_by_choice,
        gone_by_reset,
        gone_with_the_channel,
        gone_in_time,
    ],
)
async def test_it_goes_like_everything_else(hall, let_go):
    bobs = await talk_of_zanzibar(hall)
    await let_go(hall, bobs)
    turns, _ = await shown(hall)
    assert not [one for one in turns if "anzibar" in one]


async def test_an_edit_changes_it(hall):
    bobs = await talk_of_zanzibar(hall)
    edited = replace(bobs, text="I am off to bed", revision=7)
    await hall.recorder.backlog.revise(edited, HERE)
    assert (await shown(hall))[0] == ["where to?", "I am off to bed", "how nice"]


async def test_in_a_frozen_server_the_conversation_can_be_followed(hall):
    await GuildBook(hall.database, hall.clock).freeze(GUILD, frozen=True)
    await hall.say("where to?")
    assert (await shown(hall))[0] == ["where to?"]


def test_it_is_bounded(clock):
    room = FleetingRoom(clock)
    for number in range(MOST_TURNS + 5):
        room.hear(make_event(f"{number}", created_at=clock.now()))
    assert [one.text for one in room.turns(GUILD, CHANNEL)] == [f"{n}" for n in range(5, 15)]
    for channel_id in range(MOST_CHANNELS):
        room.hear(make_event("x", channel_id=1000 + channel_id, created_at=clock.now()))
    assert room.turns(GUILD, CHANNEL) == []
