"""What was made unusable stands in no prompt afterwards, asked by anybody; test_erasure_walk.py
looks for what was erased."""

import asyncio
from array import array
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    FakeExtractor,
    audience,
    free_slot,
    make_answer,
    make_budget,
    make_candidate,
    make_conversation,
    make_episode_summarizer,
    make_event,
    make_extraction,
    make_guild_settings,
    make_infrastructure,
    make_memory_service,
    make_reader,
    make_recorder,
    make_rules,
    make_turn,
)
from tests.fakes.scribe import Scribe
from utils.admin.archive.archive import Archive
from utils.admin.browser import Browser
from utils.conversation.tools import ChatTools
from utils.guilds.known_members import KnownMembers
from utils.memory.member_data.open_loops import OpenLoops
from utils.memory.member_data.reminders import Reminders
from utils.memory.member_data.review import ReviewQueue
from utils.memory.member_data.search import MemorySearch
from utils.memory.member_data.view import MemberData
from utils.memory.recall.embedding_worker import EmbeddingWorker
from utils.models.admin import MemoryEdit
from utils.models.llm import Completion, Embedded, ToolCall, Usage
from utils.models.memory import Consent, Kind, Status
from utils.models.recall import Person
from utils.runtime.signals import MemorySignals

WORD = "zanzibar"
SENTENCE = f"I have a parrot called {WORD}"
NAMES = {ADA.user_id: "Ada", BOB.user_id: "Bob"}
BY_WORDS, BY_MEANING = "what about the parrot?", "any bird at home?"
ELSEWHERE = CHANNEL + 1


class Repeater:
    """Answers with the word if members say it or Kith knows it, and keeps every prompt."""

    slot = staticmethod(free_slot)

    def __init__(self):
        self.prompts = []

    async def reply(self, messages, *, tools=(), max_tokens=1024, stream=None, prefer=()):
        self.prompts.append("\n".join(message.text for message in messages))
        told = "\n".join(message.text for message in messages if message.role == "user")
        text = f"Ah, {WORD}!" if WORD in told else "I see."
        return Completion(text, Usage(9, 9), False)


class Meanings:
    """An embedder to which a parrot is a bird."""

    async def identity(self):
        return "meanings"

    async def embed(self, texts, *, timeout_s, is_query=False):
        is_bird = [any(word in text.lower() for word in ("parrot", "bird")) for text in texts]
        vectors = (array("f", [1.0, 0.1] if bird else [0.1, 1.0]) for bird in is_bird)
        return Embedded(tuple(vectors), Usage())

    async def close(self):
        pass


class House:
    """Ada and Bob talk to Kith in one channel; every prompt is kept."""

    def __init__(self, database, clock):
        self.database, self.clock, self.model = database, clock, Repeater()
        signals = MemorySignals()
        self.extractor = FakeExtractor(
            lambda reading: make_extraction(
                *(
                    make_candidate(event.text, subject_id=event.author_id)
                    for event in reading.burst.events
                    if event.text.startswith("I have a")
                )
            )
        )
        self.recorder = make_recorder(database, clock, self.extractor, signals=signals)
        self.keeper = make_memory_service(database, clock, signals=signals)
        self.embedding = EmbeddingWorker(
            make_infrastructure(database, clock), Meanings(), None, signals
        )
        self.reader = make_reader(database, clock, similar=self.embedding.index)
        self.data, self.settings = MemberData(database, clock), make_guild_settings(database, clock)
        self.tools = ChatTools(
            self.keeper,
            self.data,
            OpenLoops(database, clock, make_rules()),
            MemorySearch(database, clock),
            clock,
            self.reader,
            Reminders(database, clock, make_rules()),
        )
        self.talk = make_conversation(
            self.recorder, self.reader, make_budget(database, clock, 10**9), clock, self.model
        )
        self.scribe = Scribe()
        self.chapters = make_episode_summarizer(database, clock, self.scribe)

    async def turn(self, text, member=ADA, about=(), channel_id=CHANNEL):
        event = make_event(
            text,
            author_id=member.user_id,
            author_name=NAMES[member.user_id],
            channel_id=channel_id,
            created_at=self.clock.now(),
        )
        people = [Person(one.user_id, NAMES[one.user_id]) for one in (member, *about)]
        made = make_turn(event, people=tuple(people), settings=await self.settings.latest(GUILD))
        return replace(made, audience=audience(CHANNEL, ELSEWHERE, channel_id=channel_id))

    async def say(self, text, member=ADA, about=(), channel_id=CHANNEL, *, is_read=True):
        """Write to Kith and be answered; returns the message, read by default."""
        turn = await self.turn(text, member, about, channel_id)
        answer = await self.talk.answer(turn)
        if answer is not None:
            sent = make_answer(turn.event, answer.text, created_at=self.clock.now())
            sent = replace(sent, about_ids=answer.about_ids, provenance=answer.provenance)
            await self.recorder.record(sent, turn.audience)
        if is_read:
            await self.recorder.settle()
        self.clock.advance(seconds=30)
        return turn.event

    async def pass_on(self):
        """Let the conversation go on about other things, and end."""
        await self.say("the weather is fine", BOB)
        self.clock.advance(hours=9)
        await self.chapters.catch_up()
        await self.embedding.catch_up()

    async def go_on(self, *, is_read=True):
        """Talk about other things until the episode so far is summarised.

        Only the first answer is made of a prompt, in which the word stands.
        """
        await self.say("the weather is fine", BOB, is_read=is_read)
        for number in range(11):
            turn = await self.turn(f"the weather is number {number}", BOB)
            await self.recorder.record(turn.event, turn.audience)
            answer = make_answer(turn.event, "I see.", created_at=self.clock.now())
            await self.recorder.record(answer, turn.audience)
            self.clock.advance(seconds=30)
        if is_read:
            await self.recorder.settle()
        await self.chapters.catch_up()

    async def prompts_here(self):
        """Have Ada and Bob ask while the conversation goes on; returns what the model was given."""
        before = len(self.model.prompts)
        for member, about in ((ADA, ()), (BOB, (ADA,))):
            await self.say(BY_WORDS, member, about)
        return self.model.prompts[before:]

    async def later_prompts(self):
        """Have Ada and Bob ask, by words and by meaning; returns what the model was given."""
        before = len(self.model.prompts)
        for question in (BY_WORDS, BY_MEANING):
            for member, about in ((ADA, ()), (BOB, (ADA,))):
                await self.say(question, member, about, ELSEWHERE)
        calls = ToolCall("1", "list_memories", {}), ToolCall("1", "recall", {"query": WORD})
        asking = await self.turn("what do you know of me?")
        told = [await self.tools.of(asking).run(call) for call in calls]
        return [*self.model.prompts[before:], *told]


@pytest.fixture
async def house(database, clock):
    made = House(database, clock)
    for member in (ADA, BOB):
        await made.keeper.set_consent(member, Consent.LASTING)
    await made.recorder.start()
    yield made
    await made.recorder.close()


async def policy(house, **chosen):
    await house.settings.set_policy(GUILD, chosen, actor_id=900, reason="")


async def reject(house, _event):
    (waiting,) = await ReviewQueue(house.database, house.clock).waiting(GUILD)
    assert (await house.keeper.review(GUILD, waiting.id, approve=False, moderator_id=900)).is_new


async def reject_and_import(house, event):
    archive = Archive(house.database, house.clock, make_rules(), None)
    with TemporaryDirectory() as folder:
        await archive.export(Path(folder) / "before")
        house.clock.advance(seconds=30)
        await reject(house, event)
        await archive.import_(Path(folder) / "before")


async def set_shadow(house, _event):
    browser = Browser(
        house.database,
        house.clock,
        make_rules(),
        house.keeper,
        KnownMembers(house.database, house.clock),
    )
    (row,) = (await house.data.show(ADA)).rows
    await browser.change(row.id, MemoryEdit(status=Status.SHADOW))


async def nothing(house, _event):
    pass


async def manual(house):
    await policy(house, mode="manual")


async def freeze(house):
    await house.settings.set_values(GUILD, frozen=True)


async def ignore(house):
    await house.settings.ignore(ADA, ignored=True)


async def as_usual(_house):
    pass


WAYS = {
    "moderators rejected it after an archive was made": (manual, reject_and_import),
    "the dashboard moved it into the shadow": (as_usual, set_shadow),
    "it waits for moderators": (manual, nothing),
    "memory was frozen": (freeze, nothing),
    "the member was ignored": (ignore, nothing),
}


@pytest.mark.parametrize("way", WAYS)
async def test_no_word_of_what_was_made_unusable_is_in_a_prompt(house, way):
    prepare, make_unusable = WAYS[way]
    await prepare(house)
    event = await house.say(SENTENCE)
    await house.embedding.catch_up()
    await make_unusable(house, event)
    await house.pass_on()
    prompts = await house.later_prompts()
    assert len(prompts) == 6
    assert [prompt for prompt in prompts if WORD in prompt.lower()] == []


@pytest.mark.parametrize(
    "way", ["the dashboard moved it into the shadow", "it waits for moderators"]
)
async def test_no_word_of_it_is_in_a_prompt_while_the_conversation_goes_on(house, way):
    prepare, make_unusable = WAYS[way]
    await prepare(house)
    event = await house.say(SENTENCE)
    await house.go_on()
    await make_unusable(house, event)
    prompts = await house.prompts_here()
    assert len(prompts) == 2
    assert [prompt for prompt in prompts if WORD in prompt.lower()] == []


async def test_a_summary_from_before_the_note_waits_goes(house):
    await manual(house)
    house.extractor.gate = asyncio.Event()
    await house.say(SENTENCE, is_read=False)
    await house.go_on(is_read=False)
    assert any(WORD in line for said in house.scribe.said for line in said)
    house.extractor.gate.set()
    await house.recorder.settle()
    await policy(house, mode="auto", approve_kinds=[Kind.FACT.value])
    for prompts in (await house.prompts_here(), await house.later_prompts()):
        assert [prompt for prompt in prompts if WORD in prompt.lower()] == []


async def test_what_was_said_stands_in_the_summary_of_a_conversation_that_goes_on(house):
    await house.say(SENTENCE)
    await house.go_on()
    assert "Now: " in (await house.prompts_here())[0]


async def test_what_moderators_approved_is_in_the_prompts(house):
    await manual(house)
    await house.say(SENTENCE)
    (waiting,) = await ReviewQueue(house.database, house.clock).waiting(GUILD)
    await house.keeper.review(
        GUILD, waiting.id, approve=True, moderator_id=900, open_sources={CHANNEL}
    )
    await house.pass_on()
    prompts = await house.later_prompts()
    assert len([prompt for prompt in prompts if WORD in prompt.lower()]) == 6
