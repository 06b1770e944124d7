"""What may not be stored lives in process memory: in prompts for a while, and nowhere else."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    make_answer,
    make_conversation,
    make_event,
    make_guild_settings,
    make_memory_service,
    make_reader,
    make_turn,
)
from tests.fakes.scribe import Scribe
from tests.integration.memory.episodes.test_episodes import HERE, Hall
from utils.database.schema.memory_tables import answer_removal, memory_event
from utils.memory.ingestion.ephemeral_turns import MAX_TURNS, EphemeralTurns
from utils.models.memory import Consent, Member, RecordOutcome
from utils.models.provenance import Provenance
from utils.nlp.confidential import owners_of
from utils.runtime.signals import MemorySignals

SECRET = "I am off to Zanzibar"
CAROL = Member(GUILD, 30)


@pytest.fixture
async def hall(database, clock):
    """A channel where Bob wants nothing kept of what he says."""
    made = Hall(database, clock, Scribe())
    signals = MemorySignals()
    signals.erasures.connect(made.recorder.offline_writer.erase)
    made.keeper = make_memory_service(
        database,
        clock,
        signals=signals,
        ephemeral_turns=made.recorder.ephemeral_turns,
    )
    await made.keeper.set_consent(BOB, Consent.OFF)
    return made


async def shown(hall, by=ADA, **given):
    """The turns that stand before a message in its prompt, and whom an answer would be about."""
    reader = make_reader(hall.database, hall.clock)
    talk = make_conversation(hall.recorder, reader, hall.chronicler._budget, hall.clock, None)
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
    assert {ADA.user_id, BOB.user_id} <= set(about_ids)
    said = await hall.database.read(
        lambda s: s.scalars(select(memory_event.c.Text).order_by(memory_event.c.Id)).all()
    )
    assert said == ["where to?", "how nice"]
    assert (await shown(hall, channel_id=CHANNEL + 1))[0] == []


@pytest.mark.parametrize(
    "erase",
    [
        lambda hall, bobs: hall.recorder.retract(GUILD, [bobs.message_id]),
        lambda hall, bobs: hall.recorder.revise(replace(bobs, text="I am off", revision=2), HERE),
        lambda hall, _: hall.keeper.forget_all(BOB),
    ],
)
async def test_the_answers_that_repeat_it_go_on_discord_with_it_and_no_others(hall, erase):
    bobs = await talk_of_zanzibar(hall)
    asked = await hall.say("what did Bob say?")
    told = make_answer(asked, "Off to zanzibar.", about_ids=(BOB.user_id,))
    other = make_answer(asked, "Fine, thanks!", about_ids=(BOB.user_id,))
    for answer in (told, other):
        await hall.recorder.record(answer, HERE)
    await hall.recorder.revise(replace(bobs, revision=1), HERE)  # Discord added a preview
    await erase(hall, bobs)
    queued = await hall.database.read(
        lambda connection: connection.scalars(select(answer_removal.c.MessageId)).all()
    )
    assert [len(queued), *(answer.message_id in queued for answer in (told, other))] == [
        2,
        True,
        False,
    ]


async def test_it_enters_no_summary(hall):
    await talk_of_zanzibar(hall)
    await hall.hush()
    assert hall.scribe.said == [["where to?", "how nice"]]


async def test_an_answer_with_such_an_answer_in_mind_is_not_stored_either(hall):
    await talk_of_zanzibar(hall)
    await hall.recorder.retract(GUILD, [1])  # Kith's words may tell of anything: they go
    assert (await shown(hall))[0] == ["where to?", SECRET, "how nice"]
    asked = await hall.say("so?")
    told = make_answer(asked, "Bob goes to Zanzibar", about_ids=(ADA.user_id, BOB.user_id))
    await hall.recorder.record(told, HERE)
    turns, about_ids = await shown(hall)
    assert (turns[-1], BOB.user_id in about_ids) == ("Bob goes to Zanzibar", True)


async def test_nor_is_an_answer_stored_that_repeats_it_when_it_may_be_stored_again(hall):
    await hall.keeper.set_consent(BOB, Consent.LASTING)
    settings = make_guild_settings(hall.database, hall.clock)
    await settings.ignore(BOB, ignored=True)
    await talk_of_zanzibar(hall)
    await settings.ignore(BOB, ignored=False)
    asked = await hall.say("so, where?")
    for text in ("It was about zanzibars.", "Zanzibar, as I said.", "I have no idea."):
        await hall.recorder.record(make_answer(asked, text, about_ids=(ADA.user_id,)), HERE)
    columns = memory_event.c
    rows = await hall.database.read(
        lambda connection: connection.execute(select(columns.Text, columns.Stems)).all()
    )
    stored = str(rows).lower()
    assert ("zanzibar" in stored, "no idea" in stored) == (False, True)


async def test_an_answer_about_an_ignored_member_is_not_stored(hall):
    await make_guild_settings(hall.database, hall.clock).ignore(ADA, ignored=True)
    asked = await hall.say("who is Ada?", by=CAROL)
    told = make_answer(asked, "Ada likes tea.", about_ids=(ADA.user_id, CAROL.user_id))
    assert await hall.recorder.record(told, HERE) is RecordOutcome.UNSTORED


def test_a_common_word_keeps_answers_from_being_stored_only_as_long_as_it_is_there(clock):
    turns = EphemeralTurns(clock)
    turns.add(make_event("I like zanzibar", created_at=clock.now()))
    for _ in range(6):
        answer = make_answer(make_event("and?"), "I like tea", created_at=clock.now())
        assert turns.repeated_by(answer)
        turns.add(answer)
        clock.advance(hours=1)
    later = make_answer(make_event("and?"), "I like tea")
    assert (turns.repeated_by(later), turns.turns(GUILD, CHANNEL)) == ([], [])


def test_what_kith_itself_answers_to_such_a_turn_is_not_repeated_either(clock):
    turns = EphemeralTurns(clock)
    asked = make_event("where to?", created_at=clock.now())
    turns.add(asked)
    turns.add(make_answer(asked, "To zanzibar!", created_at=clock.now()))
    assert turns.repeated_by(make_answer(make_event("and?"), "Zanzibars are far"))
    assert not turns.repeated_by(
        make_answer(make_event("and?", channel_id=CHANNEL + 1), "Zanzibars are far")
    )


@pytest.mark.parametrize(
    ("said", "answer", "is_repeated"),
    [
        ("Mein Lieblingstier ist das Okapi", "Das Okapigehege öffnet um neun.", True),
        ("Ich stehe vor dem Okapigehege", "Ein Okapi ist scheu.", True),
        ("I was in the car", "A cartoon is on.", False),
    ],
)
def test_a_word_is_repeated_in_a_compound_too(clock, said, answer, is_repeated):
    turns = EphemeralTurns(clock)
    turns.add(make_event(said, created_at=clock.now()))
    told = make_answer(make_event("and?"), answer, created_at=clock.now())
    assert bool(turns.repeated_by(told)) is is_repeated
    turns.add(told)
    assert bool(turns.repeated_by(make_answer(make_event("so?"), answer))) is is_repeated


def test_an_answer_stays_marked_after_the_confidence_that_it_rests_on_is_edited_and_gone(clock):
    turns, asked = EphemeralTurns(clock), make_event("I ski, tell nobody", created_at=clock.now())
    answer = make_answer(
        make_event("so?", created_at=clock.now()),
        "You ski!",
        provenance=Provenance(answer_ids=(asked.message_id,)),
    )
    later = (make_event(f"{number}", created_at=clock.now()) for number in range(MAX_TURNS - 1))
    for change, turn in (
        (turns.add, asked),
        (turns.edit, replace(asked, text="I ski", revision=1)),
        *((turns.add, turn) for turn in (answer, *later)),
    ):
        change(turn)
    assert [(turn.text, owners_of(turn.stems)) for turn in turns.turns(GUILD, CHANNEL)[:1]] == [
        ("You ski!", {asked.author_id})
    ]


async def gone_by_deletion(hall, bobs):
    await hall.recorder.retract(GUILD, [bobs.message_id])


async def gone_by_choice(hall, bobs):
    await hall.keeper.set_consent(BOB, Consent.TEMPORARY)


async def gone_by_reset(hall, bobs):
    await hall.keeper.reset(GUILD, CHANNEL)


async def gone_with_the_channel(hall, bobs):
    await hall.recorder.erase_channels(GUILD, [CHANNEL])


async def gone_in_time(hall, bobs):
    hall.clock.advance(hours=6, minutes=5)


@pytest.mark.parametrize(
    "let_go",
    [
        gone_by_deletion,
        gone_by_choice,
        gone_by_reset,
        gone_with_the_channel,
        gone_in_time,
    ],
)
async def test_it_goes_like_everything_else(hall, let_go):
    bobs = await talk_of_zanzibar(hall)
    await let_go(hall, bobs)
    assert "anzibar" not in str((await shown(hall))[0])


async def test_an_edit_changes_it(hall):
    bobs = await talk_of_zanzibar(hall)
    edited = replace(bobs, text="I am off to bed", revision=7)
    await hall.recorder.revise(edited, HERE)
    assert (await shown(hall))[0] == ["where to?", "I am off to bed", "how nice"]


async def test_in_a_frozen_server_the_conversation_can_be_followed(hall):
    await make_guild_settings(hall.database, hall.clock).set_values(GUILD, frozen=True)
    await hall.say("where to?")
    assert (await shown(hall))[0] == ["where to?"]


def test_it_is_bounded(clock, monkeypatch):
    monkeypatch.setattr("utils.memory.ingestion.ephemeral_turns.MAX_CHANNELS", 3)
    room = EphemeralTurns(clock)
    for number in range(MAX_TURNS + 5):
        room.add(make_event(f"{number}", created_at=clock.now()))
    assert [one.text for one in room.turns(GUILD, CHANNEL)] == [f"{n}" for n in range(5, 15)]
    for channel_id in range(3):
        room.add(make_event("x", channel_id=1000 + channel_id, created_at=clock.now()))
    assert room.turns(GUILD, CHANNEL) == []
