"""What was read before an erasure is not written after it: each writer looks again as it writes."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.fakes.builders import (
    GUILD,
    FakeVerifier,
    at,
    days,
    make_answer,
    make_candidate,
    make_event,
    make_extraction,
    make_memory_service,
    make_turn,
)
from tests.integration.residue import ADA, BOB, HERE
from utils.common.errors import BadInput
from utils.database.messages import changes, open_loops
from utils.memory.privacy.answer_removals import AnswerRemovals
from utils.memory.privacy.consent_gate import LATE
from utils.memory.privacy.pruning import prune
from utils.models.episode import LoopKind, OpenLoop
from utils.models.memory import RecordOutcome
from utils.models.policy import WritePolicy
from utils.models.provenance import MAX_INHERITED, Provenance, SourceKind, SourceRef
from utils.models.recall import QuotedMessage


async def say(home, text, member=ADA):
    """Let a member say something that is stored and not read yet."""
    event = make_event(text, author_id=member.user_id, created_at=home.clock.now())
    await home.recorder.record(event, HERE)
    return event


@asynccontextmanager
async def reading(home):
    """Have what waits read; the model answers at the end of the block."""
    while not home.extractor.begun.empty():
        home.extractor.begun.get_nowait()
    home.extractor.gate = asyncio.Event()
    settling = asyncio.create_task(home.recorder.settle())
    await home.extractor.begun.get()
    yield
    home.extractor.gate.set()
    await settling


def note(text, quote, **given):
    """Let the model note this text about a sentence."""

    def read(reading):
        said = [event for event in reading.burst.events if quote in event.text]
        return make_extraction(
            *(
                make_candidate(text, quote=quote, subject_id=event.author_id, **given)
                for event in said
            )
        )

    return read


# --- what is learnt -----------------------------------------------------------------------------


async def test_the_stems_of_a_turn_before_that_was_deleted_are_not_stored(home):
    before = await home.tell("likes zanzibar")
    await say(home, "plays the oboe")
    async with reading(home):
        await home.keeper.retention.retract(GUILD, [before.message_id])
    assert await home.known() == ["plays the oboe"]
    assert await home.residue() == []


async def test_a_note_with_words_of_an_erased_message_of_somebody_else_is_not_stored(home):
    asked = await say(home, "is zanzibar not wonderful?", BOB)
    await home.recorder.settle()
    home.extractor.read = note("would live in zanzibar", "live there")
    await say(home, "I would live there")
    async with reading(home):
        await home.keeper.retention.retract(GUILD, [asked.message_id])
    assert await home.known() == ["I would live there"]
    assert await home.residue() == []


async def test_a_note_with_words_of_a_memory_that_was_forgotten_is_not_stored(home):
    await home.tell("has a parrot called zanzibar")
    (row,) = (await home.member_data.show(ADA)).rows
    home.extractor.read = note("zanzibar sings at night", "sings at night")
    await say(home, "My bird sings at night")
    async with reading(home):
        await home.keeper.forget(ADA, row.id)
    assert await home.known() == ["My bird sings at night"]
    assert await home.residue() == []


async def test_a_note_goes_with_words_that_expired_before_their_author_had_all_forgotten(home):
    await say(home, "is zanzibar not wonderful?", BOB)
    await home.recorder.settle()
    home.extractor.read = note("would live in zanzibar", "live there")
    await say(home, "I would live there")
    await home.recorder.settle()
    home.clock.advance(days(370).total_seconds())
    await prune(home.database, home.clock, WritePolicy())
    assert await home.known() == ["would live in zanzibar"]
    await home.keeper.forget_all(BOB)
    assert await home.known() == ["I would live there"]
    assert await home.residue() == []


async def test_what_is_to_be_remembered_is_not_stored_anew_once_everything_was_forgotten(home):
    said = await home.tell("likes zanzibar")

    class Slow(FakeVerifier):
        async def verify(self, reading):
            await home.keeper.forget_all(ADA)
            return await super().verify(reading)

    service = make_memory_service(home.database, home.clock, verifier=Slow())
    with pytest.raises(BadInput):
        await service.remember(ADA, said, "is fond of zanzibar")
    assert await home.residue() == []


@pytest.mark.parametrize(
    ("said_at", "edited_at", "ahead_s", "outcome"),
    [
        (at(), at(days=-9), 0, RecordOutcome.KNOWN),
        (at(days=-1), at(), 0, RecordOutcome.KNOWN),
        (at(seconds=1), at(days=-9), 0, RecordOutcome.STORED),
        (at(days=-1), at(seconds=1), 0, RecordOutcome.STORED),
        (at(), at(days=-9), 3600, RecordOutcome.STORED),  # the clock was set back since
    ],
)
async def test_what_another_process_stores_late_is_not_learnt_after_everything_was_forgotten(
    home, said_at, edited_at, ahead_s, outcome
):
    revision = int(edited_at.timestamp() * 1000)
    said = make_event("likes zanzibar", created_at=said_at, revision=revision)
    home.clock.advance(ahead_s)
    await home.keeper.forget_all(ADA)
    home.clock.advance(1 + LATE.total_seconds() - ahead_s)
    assert await home.recorder.record(said, HERE) is outcome


# --- answers ------------------------------------------------------------------------------------


async def recorded(home, answer, provenance):
    """Record an answer with this provenance; returns the outcome, and if it is deleted."""
    outcome = await home.recorder.record(replace(answer, provenance=provenance), HERE)
    due = await AnswerRemovals(home.database, home.clock).due(lambda _: True, 10)
    return outcome, answer.message_id in {removal.message_id for removal in due}


async def test_an_answer_to_what_another_process_read_again_is_not_stored(home):
    asked = await say(home, "I have a dog named zanzibar")
    prepared = await home.talk.prepare(make_turn(asked))
    await home.edit(asked, "I have a cat named Tom")
    answer = make_answer(asked, "A dog named zanzibar!")
    assert await recorded(home, answer, prepared.provenance) == (RecordOutcome.RETRACTED, True)
    assert await home.residue() == []


async def test_an_answer_goes_with_what_its_prompt_held_beside_long_profiles(home):
    def each_sentence(reading):
        (event,) = reading.burst.events
        return make_extraction(
            *(
                make_candidate(f"eats {said[6:]}", quote=said, subject_id=event.author_id)
                for said in event.text.split(". ")
            )
        )

    home.extractor.read = each_sentence
    for member in (ADA, BOB):
        for first in (0, 25):
            dishes = range(first, first + 25)
            await say(home, ". ".join(f"I eat {member.user_id}v{dish}" for dish in dishes), member)
            await home.recorder.settle()
        assert (await home.profile(member)).count("Eats") > MAX_INHERITED / 2
    home.extractor.read = lambda _: make_extraction()
    said = await say(home, "it is in zanzibar")
    await home.retold(ADA, "Somewhere in zanzibar!")
    await home.keeper.retention.retract(GUILD, [said.message_id])
    assert await home.residue() == []


async def test_an_answer_to_the_newest_text_is_stored(home):
    asked = await say(home, "I have a dog named Rex")
    await home.edit(asked, "I have a cat named Tom")
    prepared = await home.talk.prepare(make_turn(replace(asked, revision=7)))
    outcome = await recorded(home, make_answer(asked, "A cat!"), prepared.provenance)
    assert outcome == (RecordOutcome.STORED, False)


@pytest.mark.parametrize("quoted_id", [None, 77])
async def test_an_answer_to_a_reply_to_words_that_were_erased_meanwhile_is_not_stored(
    home, quoted_id
):
    said = await say(home, "my zanzibar plan")
    asked = await say(home, "what do you think?", BOB)
    quoted = QuotedMessage(
        "Ada", said.text, quoted_id or said.message_id, ADA.user_id, home.clock.now()
    )
    turn = make_turn(asked, quoted=quoted)
    prepared = await home.talk.prepare(replace(turn, audience=replace(HERE, channel_id=99)))
    assert "zanzibar" in prepared.messages[-1].text
    if quoted_id is None:
        await home.keeper.retention.retract(GUILD, [said.message_id])
    else:  # it was never stored, and another process erases all of its author
        await home.keeper.forget_all(ADA)
    outcome = await recorded(home, make_answer(asked, "A zanzibar plan!"), prepared.provenance)
    assert outcome == (RecordOutcome.RETRACTED, True)
    assert await home.residue() == []


async def test_an_answer_after_one_that_was_erased_and_deleted_meanwhile_is_not_stored(home):
    said = await home.tell("likes zanzibar")
    asked = await say(home, "and where?", BOB)
    prompt = (await home.talk.prepare(make_turn(asked))).provenance
    (answer_id,) = prompt.answer_ids
    of_answer = replace(prompt, sources=(), event_ids=prompt.event_ids[1:2])
    await home.keeper.retention.retract(GUILD, [said.message_id])
    removals = AnswerRemovals(home.database, home.clock)
    await removals.finish((await removals.due(lambda _: True, 10))[0])
    await home.keeper.retention.retract(GUILD, [answer_id])  # as Discord reports it
    outcome = await recorded(home, make_answer(asked, "In zanzibar."), of_answer)
    assert outcome == (RecordOutcome.RETRACTED, True)


async def test_an_answer_from_a_summary_that_was_erased_meanwhile_is_not_stored(home):
    asked = await say(home, "what was it about?")
    lost = Provenance((SourceRef(SourceKind.EPISODE, 4711),))
    outcome = await recorded(home, make_answer(asked, "About zanzibar."), lost)
    assert outcome == (RecordOutcome.RETRACTED, True)
    assert await home.residue() == []


@pytest.mark.parametrize("way", ["delete", "drop"])
async def test_an_answer_with_an_open_loop_goes_with_its_message_and_outlives_its_end(home, way):
    said = await say(home, "I fly to zanzibar")
    loop = OpenLoop(
        member=ADA,
        channel_id=said.channel_id,
        source_id=said.source_id,
        message_id=said.message_id,
        kind=LoopKind.ASK,
        text="the flight to zanzibar",
        created_at=said.created_at,
        expires_at=said.created_at.replace(year=2030),
    )
    await home.database.write(open_loops.add, loop)
    (stored,) = await home.database.read(open_loops.load_all, ADA, home.clock.now())
    asked = await say(home, "hello")
    if way == "delete":
        await home.keeper.retention.retract(GUILD, [said.message_id])
    else:
        await home.database.write(open_loops.delete, ADA, stored.id, home.clock.now())
    provenance = Provenance(loops=((stored.id, said.message_id),))
    outcome = await recorded(home, make_answer(asked, "How was zanzibar?"), provenance)
    assert outcome[0] is (RecordOutcome.RETRACTED if way == "delete" else RecordOutcome.STORED)


async def test_what_an_import_blanks_once_it_is_read_is_not_erased(home):
    said = await home.tell("likes figs")

    def unit(connection):
        return changes.erased_since(connection, GUILD, {said.message_id: said.text, 4711: "gone"})

    assert await home.database.read(unit) == {4711}
    await home.edit(said, "likes tea")
    assert await home.database.read(unit) == {said.message_id, 4711}
