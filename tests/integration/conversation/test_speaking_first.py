"""Speaking first: which subjects there are, what the model is shown, and what is never said."""

from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

import pytest_asyncio

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    FakeExtractor,
    audience,
    last_turns,
    make_budget,
    make_event,
    make_infrastructure,
    make_memory_service,
    make_reader,
    make_recorder,
    make_rules,
)
from utils.conversation.speaking_first import FirstRemark, Occasion, SpeakingFirst
from utils.database.memories import members
from utils.guilds.known_members import KnownMembers
from utils.guilds.speaking_places import SpeakingPlaces
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.policy.categories import Category
from utils.models.guild import GuildSettings, SpeakingPlace
from utils.models.llm import Completion, ToolResult, Usage
from utils.models.memory import Consent, Event, RecordOutcome, Role

USAGE = Usage(100, 10)


class FakeModel:
    """Chooses ``subject``, and says ``words``."""

    def __init__(self) -> None:
        self.subject: Any = 1
        self.words = "How did it go? [asked 1]"
        self.judged: list[str] = []
        self.prompts: list[list[str]] = []

    async def call_tool(self, messages, tool, *, max_tokens):
        self.judged.append(messages[-1].text)
        return ToolResult({"subject": self.subject}, USAGE, "small")

    async def reply(self, messages, *, max_tokens, prefer=()):
        self.prompts.append([message.text for message in messages])
        return Completion(self.words, USAGE, truncated=False)


class Room:
    """A channel in which Ada left something open yesterday."""

    def __init__(self, database, clock) -> None:
        self.database, self.clock, self.model = database, clock, FakeModel()
        self.places = SpeakingPlaces(database, clock)
        self.recorder = make_recorder(database, clock, FakeExtractor())
        self.names = KnownMembers(database, clock)
        self.settings = GuildSettings(GUILD)
        self.speaking = self.service()

    def service(self, tokens: int = 500_000, **rules: Any) -> SpeakingFirst:
        return SpeakingFirst(
            make_infrastructure(self.database, self.clock),
            make_rules(**rules),
            make_reader(self.database, self.clock),
            self.model,
            make_budget(self.database, self.clock, tokens),
            self.names,
        )

    async def says(self, text: str, **given: Any) -> Event:
        event = make_event(text, created_at=self.clock.now(), **given)
        assert await self.recorder.record(event, audience())
        return event

    async def leaves_open(self, what: str, message_id: int, **given: Any) -> None:
        event = await self.says(f"ask me tomorrow {what}", message_id=message_id, **given)
        loops = OpenLoops(self.database, self.clock, make_rules(forbidden=frozenset()))
        day = (self.clock.now() + timedelta(days=1)).date()
        await loops.ask_later(event, what, day, UTC)

    async def occasion(self) -> Occasion:
        (place,) = await self.places.load(GUILD)
        claimed = await self.places.claim(place)
        assert claimed is not None
        loops = await self.speaking.open_loops(audience())
        named = tuple((loop, "Ada") for loop in loops)
        return Occasion(claimed, audience(), self.settings, named)

    async def remark(self) -> FirstRemark | None:
        return await self.speaking.compose(await self.occasion())


@pytest_asyncio.fixture
async def room(database, clock) -> Room:
    room = Room(database, clock)
    await room.places.choose(SpeakingPlace(GUILD, CHANNEL))
    await room.leaves_open("how the exam went", 801)
    clock.advance(hours=30)
    return room


async def test_the_model_chooses_among_what_is_open_and_what_was_said(room: Room) -> None:
    remark = await room.remark()
    assert remark is not None
    assert remark.loop is not None
    assert (remark.text, remark.loop.text) == ("How did it go?", "how the exam went")
    assert ADA.user_id in remark.about_ids
    assert (remark.loop.id, 801) in remark.provenance.loops
    (shown,) = room.model.judged
    assert "1. Ada: how the exam went (wants to be asked, yesterday)\n2. Take up what was" in shown
    subject = shown.partition("1. ")[2].partition("\n")[0]
    assert room.model.prompts[0][-1].endswith(f"Bring up: {subject})")
    room.model.subject = "[2]"
    other = await room.remark()
    assert other is not None
    assert other.loop is None
    for silence in (0, 3, -1, None, True, "one"):
        room.model.subject = silence
        assert await room.remark() is None


async def test_whoever_does_not_want_it_is_neither_asked_nor_taken_up(room: Room) -> None:
    occasion = await room.occasion()
    remark = await room.speaking.compose(occasion)
    assert remark is not None
    await room.database.write(members.choose, ADA, never_first=True)
    assert not await room.speaking.begin(occasion, remark)
    assert await room.remark() is None
    assert len(room.model.judged) == 1  # there is no subject left to judge
    await room.database.write(members.choose, ADA, never_first=False)
    assert await room.speaking.begin(occasion, remark)


async def test_it_is_silent_once_consent_is_off_or_the_channel_is_muted(room: Room) -> None:
    occasion = await room.occasion()
    remark = await room.speaking.compose(occasion)
    assert remark is not None
    await room.places.remove(GUILD, CHANNEL)
    assert not await room.speaking.begin(occasion, remark)
    await room.places.choose(SpeakingPlace(GUILD, CHANNEL))
    occasion = await room.occasion()
    await make_memory_service(room.database, room.clock).set_consent(BOB, Consent.OFF)
    assert not await room.speaking.begin(occasion, replace(remark, named_ids={BOB.user_id}))
    assert not await room.speaking.begin(occasion, replace(remark, about_ids=(BOB.user_id,)))
    await make_memory_service(room.database, room.clock).set_consent(ADA, Consent.OFF)
    assert await room.remark() is None


async def test_nothing_of_other_channels_of_the_future_or_forbidden_is_a_subject(
    room: Room,
) -> None:
    await room.leaves_open("how the move went", 802)
    await room.leaves_open("about the flat", 803, channel_id=CHANNEL + 1, source_id=CHANNEL + 1)
    assert [loop.message_id for loop in await room.speaking.open_loops(audience())] == [801]
    room.clock.advance(hours=30)
    loops = await room.speaking.open_loops(audience())
    assert [loop.message_id for loop in loops] == [801, 802]
    assert await room.speaking.open_loops(replace(audience(), sources=frozenset())) == []
    room.settings = GuildSettings(GUILD, recall=False)
    await room.remark()
    assert "exam" not in room.model.judged[-1].partition("SUBJECTS")[2]
    assert not room.service(read_only=True).can_speak
    lenient = room.service(forbidden=frozenset())
    strict = room.service(forbidden=frozenset({Category.HEALTH}))
    await room.leaves_open("how my chemotherapy went", 804)
    room.clock.advance(hours=30)
    assert 804 in [loop.message_id for loop in await lenient.open_loops(audience())]
    assert 804 not in [loop.message_id for loop in await strict.open_loops(audience())]


async def test_what_it_said_goes_with_what_it_rests_on(room: Room) -> None:
    remark = await room.remark()
    assert remark is not None
    answer = Event(
        GUILD, CHANNEL, CHANNEL, 900, 1, "Kith", Role.KITH, remark.text, room.clock.now(), None
    )
    answer = replace(answer, about_ids=remark.about_ids, provenance=remark.provenance)
    assert await room.recorder.record(answer, audience()) is RecordOutcome.STORED
    await make_memory_service(room.database, room.clock).retention.retract(GUILD, [801])
    assert await last_turns(room.database, room.clock, GUILD, CHANNEL) == []
