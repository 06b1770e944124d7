"""What the chat model's tools tell it: nothing that may not be recalled now."""

import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    FakeExtractor,
    FakeVerifier,
    audience,
    make_chat_tools,
    make_event,
    make_guild_settings,
    make_memory_service,
    make_recorder,
    make_turn,
)
from tests.fakes.clock import ManualClock
from utils.conversation.tool_definitions import memory_tool
from utils.conversation.tools import (
    ASKED,
    KEPT_UNUSED,
    NO_SUCH_TOOL,
    NOTHING_CHANGED,
    NOTHING_FITS,
    RECALL_IS_OFF,
    TOO_MANY,
)
from utils.database.schema.memory_tables import memory_audit, open_loop, user_memory, user_state
from utils.llm.json_repair import parse_call
from utils.models.extraction import Judgement
from utils.models.guild import GuildSettings
from utils.models.llm import ToolCall
from utils.models.memory import Consent, Status
from utils.models.transfer import jump_link

OFF = GuildSettings(GUILD, recall=False)


@pytest.fixture
def tools(database, clock, reader):
    return make_chat_tools(database, clock, reader)


async def run(tools, call, turn):
    """Carry out the first call in the answer to a message."""
    return await tools.of(turn).run(call)


async def known(member_data):
    return sorted(row.text for row in (await member_data.show(ADA)).rows)


async def keep(database, *texts, **given):
    """Have Ada say these in the open channel, and change what is stored of them."""
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    await recorder.start()
    for text in texts:
        await recorder.record(make_event(text), replace(audience(), is_open=True))
        await recorder.settle()
    await recorder.close()
    which = user_memory.c.Memory.in_(texts)
    if given:
        await database.write(lambda s: s.execute(user_memory.update().where(which).values(**given)))


def turn(text, settings=None):
    return make_turn(make_event(text), settings=settings or GuildSettings(GUILD))


def is_forgotten(result):
    return result.startswith("Forgotten, for good: ")


def forget(what):
    return ToolCall("1", "forget", {"what": what})


LIST = ToolCall("1", "list_memories", {})


@pytest.mark.parametrize("status", [Status.PROPOSED, Status.SHADOW])
async def test_what_waits_or_is_kept_unused_is_not_listed(database, tools, status):
    await keep(database, "likes green tea")
    await keep(database, "likes zanzibar", Status=status)
    listed = await run(tools, LIST, turn("what do you know of me?"))
    assert "likes green tea" in listed
    assert "zanzibar" not in listed


async def test_what_waits_can_be_forgotten_and_is_not_told(database, tools, member_data):
    await keep(database, "likes zanzibar", Status=Status.PROPOSED)
    (row,) = (await member_data.show(ADA)).rows
    said = await run(tools, forget("likes zanzibar"), turn("forget that I like zanzibar"))
    assert said == f"Forgotten, for good: #{row.id}."
    assert await known(member_data) == []


async def test_what_the_message_does_not_name_is_asked_first(database, tools, member_data):
    await keep(database, "I go climbing on Tuesdays")
    asked = turn("hello there")
    said = await run(tools, forget("go climbing on Tuesdays"), asked)
    assert said == ASKED.format(what="“I go climbing on Tuesdays”")
    assert len(await known(member_data)) == 1


async def test_of_several_that_are_meant_only_what_may_be_recalled_is_told(
    database, tools, member_data
):
    await keep(database, "likes tea")
    await keep(database, "likes black tea", Status=Status.PROPOSED)
    said = await run(tools, forget("tea"), turn("forget what I said about tea"))
    assert "“likes tea”" in said
    assert "black" not in said
    assert "Not done yet" in said
    assert len(await known(member_data)) == 2


async def test_where_recall_is_off_nothing_is_listed_and_forgetting_works(
    database, tools, member_data
):
    await keep(database, "likes tea", "likes black tea", "owns a boat")
    assert await run(tools, LIST, turn("what do you know of me?", OFF)) == RECALL_IS_OFF
    said = await run(tools, forget("tea"), turn("forget what I said about tea", OFF))
    assert "tea" not in said and "Not done yet" in said
    assert len(await known(member_data)) == 3
    said = await run(tools, forget("owns a boat"), turn("forget that I own a boat", OFF))
    assert is_forgotten(said)
    assert await known(member_data) == ["likes black tea", "likes tea"]


async def test_what_was_said_elsewhere_is_neither_listed_nor_forgotten(
    database, tools, member_data
):
    await keep(database, "likes tea")
    here = turn("forget that I like tea")
    here = replace(here, audience=replace(here.audience, sources=frozenset({CHANNEL + 1})))
    assert "tea" not in await run(tools, LIST, here)
    assert "nothing was forgotten" in await run(tools, forget("likes tea"), here)
    assert await known(member_data) == ["likes tea"]


@pytest.mark.parametrize(
    ("memory", "message", "what"),
    [
        ("spielt Klavier", "vergiss bitte, dass ich Klavier spiele", "Klavier spielen"),
        ("wohnt in Köln", "Kannst du vergessen, wo ich wohne?", "wohnt in Köln"),
        ("boss is called Will", "please forget Will", "Will"),
        ("hat eine Katze namens Mia", "vergiss Mia", "mia"),
    ],
)
async def test_notes_and_requests_are_compared_in_several_languages(
    database, tools, member_data, memory, message, what
):
    await keep(database, memory, "owns a boat")
    assert is_forgotten(await run(tools, forget(what), turn(message)))
    assert await known(member_data) == ["owns a boat"]


async def test_a_number_that_the_message_does_not_name_is_asked_about(database, tools, member_data):
    await keep(database, "likes tea", "owns a boat")
    (boat,) = [row for row in (await member_data.show(ADA)).rows if "boat" in row.text]
    about_pets = turn("forget what I told you about my pets")
    assert await run(tools, forget(str(boat.id)), about_pets) == ASKED.format(what="“owns a boat”")
    assert len(await known(member_data)) == 2
    assert is_forgotten(await run(tools, forget(f"#{boat.id}"), turn("forget my boat")))
    assert await known(member_data) == ["likes tea"]


async def test_a_message_of_which_nothing_was_noted_is_forgotten_too(database, tools, member_data):
    await said(database, "blue cheese is what I adore")
    request = await said(database, "forget that I adore blue cheese")
    assert is_forgotten(await run(tools, forget("adores blue cheese"), request))
    assert await member_data.messages(ADA) == []


async def test_more_than_one_memory_is_asked_and_named_first(database, tools, member_data):
    await keep(database, "I have a cat named Tofu")
    await said(database, "Tofu is my cat, you know")
    await said(database, "Tofu tastes of nothing")
    request = await said(database, "forget my cat Tofu")
    told = await run(tools, forget("cat Tofu"), request)
    assert told == ASKED.format(what="“I have a cat named Tofu”, “Tofu is my cat, you know”")
    assert len(await member_data.messages(ADA)) == 4


async def test_remembering_does_not_say_again_what_may_not_be_recalled(database, tools):
    remember = ToolCall("1", "remember", {"memory": "likes green tea"})
    said = await run(tools, remember, turn("remember that I like green tea"))
    assert said == "Remembered: likes green tea"
    said = await run(tools, remember, turn("remember that I like green tea", OFF))
    assert said == KEPT_UNUSED


# --- recalling, correcting, and being asked later -------------------------------------------------


def call(name, **arguments):
    return ToolCall("1", name, arguments)


async def said(database, text, **given):
    """Have Ada say something, stored but not read, and return the turn that answers it."""
    event = make_event(text, **given)
    recorder = make_recorder(database, ManualClock(), FakeExtractor())
    await recorder.record(event, audience())
    return make_turn(event, settings=GuildSettings(GUILD))


async def audited(database):
    columns = memory_audit.c
    query = select(columns.Action, columns.Before, columns.After).order_by(columns.Id)
    rows = await database.read(lambda s: s.execute(query).all())
    return [row.Action for row in rows if row.Action.startswith("tool ") and not (row[1] or row[2])]


async def loops_of(database, now=None):
    columns = open_loop.c
    return await database.read(
        lambda s: s.execute(select(columns.Text, columns.DueAt, columns.ExpiresAt)).all()
    )


EXAM = "ask me on Friday how the exam went"
ASK = call("ask_later", what="how the exam went", day="on Friday")


async def test_recall_finds_what_fits_of_the_speaker_where_its_readers_may_hear_it(database, tools):
    await keep(database, "plays the oboe", "likes green tea")
    asking = turn("do you know which instrument I play?")
    assert "Plays the oboe" in await run(tools, call("recall", query="instrument oboe"), asking)
    elsewhere = replace(asking.audience, sources=frozenset({CHANNEL + 1}))
    found = await run(
        tools, call("recall", query="instrument oboe"), replace(asking, audience=elsewhere)
    )
    assert found == NOTHING_FITS
    assert await run(tools, call("recall", query="oboe"), turn("oboe?", OFF)) == RECALL_IS_OFF


async def test_the_memory_tool_carries_out_each_action(database, tools, member_data):
    def memory(**given):
        return ToolCall("1", "memory", parse_call(json.dumps(given), memory_tool().parameters))

    asked = turn("remember that I have a dog named Rex, no, named Max")
    assert "Rex" in await run(tools, memory(action="remember", what="has a dog named Rex"), asked)
    changed = memory(action="correct", what="has a dog named Rex", detail="has a dog named Max")
    assert await run(tools, changed, asked) == "Corrected: has a dog named Max"
    listed = await run(tools, memory(action="list_memories"), asked)
    number = int(re.search(r"#(\d+) has a dog named Max", listed)[1])
    assert is_forgotten(await run(tools, memory(action=" Forget", what=number), asked))
    assert await known(member_data) == []
    for refused in (
        {"action": "fly"},
        {"action": "remind", "what": "dog", "detail": "6", "at": 18},
    ):
        assert (await run(tools, memory(**refused), asked)).startswith(NO_SUCH_TOOL)


async def test_the_tools_of_two_messages_begin_with_the_same_bytes(tools):
    first, second = (tools.of(turn(text)).definitions for text in ("hi", "remind me at 6"))
    assert json.dumps(first[0].parameters) == json.dumps(second[0].parameters)
    assert first == second


async def test_recall_tells_of_nobody_else(database, tools):
    await keep(database, "plays the oboe")
    bob = make_event("what does Ada play?", author_id=BOB.user_id, author_name="Bob")
    found = await run(tools, call("recall", query="Ada plays the oboe"), make_turn(bob))
    assert found == NOTHING_FITS


async def test_those_of_whom_recall_told_are_known(database, tools):
    await keep(database, "plays the oboe")
    session = tools.of(turn("which instrument do I play?"))
    await session.run(call("recall", query="oboe"))
    assert ADA.user_id in session.memories.about_ids


async def test_a_memory_is_corrected_in_the_words_of_the_message(database, tools, member_data):
    await keep(database, "lives in Porto")
    now = await said(database, "actually I live in Lisbon now", message_id=77)
    told = await run(tools, call("correct", what="lives in Porto", memory="lives in Lisbon"), now)
    assert told == "Corrected: lives in Lisbon"
    assert await known(member_data) == ["lives in Lisbon"]
    (row,) = (await member_data.show(ADA)).rows
    why = await member_data.why(ADA, row.id)
    assert why.evidence[0].message_id == 77
    assert jump_link(GUILD, why.evidence[0]).endswith("/77")
    assert [one.text for one in why.past] == ["lives in Porto"]


@pytest.mark.parametrize(
    ("judgement", "why"),
    [
        (Judgement.UNSUPPORTED, "own words"),
        (Judgement.FAILED, "own words"),
        (Judgement.OTHER, "earnest"),
    ],
)
async def test_a_correction_must_follow_from_the_message(
    database, clock, tools, member_data, judgement, why
):
    await keep(database, "lives in Porto")
    keeper = make_memory_service(database, clock, verifier=FakeVerifier(lambda claim: judgement))
    answer = await run(
        replace(tools, editor=keeper),
        call("correct", what="lives in Porto", memory="sells pizza"),
        await said(database, "actually I live in Lisbon now"),
    )
    assert why in answer
    assert await known(member_data) == ["lives in Porto"]


@pytest.mark.parametrize(
    ("message", "memory", "why"),
    [
        ("actually I live in Lisbon now", "stole a car", "about crime"),
        (
            "actually I live in Lisbon now",
            "lives in Lisbon, call +49 170 1234567",
            "contact details",
        ),
        ("actually I own a boat", "owns a boat", "Not done yet"),
    ],
)
async def test_the_model_cannot_correct_what_was_not_said(
    database, tools, member_data, message, memory, why
):
    await keep(database, "lives in Porto")
    told = await run(
        tools, call("correct", what="lives in Porto", memory=memory), await said(database, message)
    )
    assert why in told
    assert "lives in Porto" in await known(member_data)


async def profile(database):
    notes = select(user_state.c.UserNotes).where(user_state.c.UserId == ADA.user_id)
    return await database.read(lambda s: s.scalar(notes))


SECRET = CHANNEL + 5
LISBON = call("correct", what="lives in Porto", memory="lives in Lisbon")


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_correction_is_told_where_it_was_said_and_is_no_surer(
    database, tools, member_data, is_open
):
    await keep(database, "lives in Porto")
    await database.write(lambda s: s.execute(user_memory.update().values(Confidence=0.85)))
    assert await profile(database) == "Lives in Porto."
    now = await said(database, "actually I live in Lisbon now", channel_id=SECRET)
    readers = replace(audience(CHANNEL, channel_id=SECRET), is_open=is_open)
    now = replace(now, audience=readers)
    assert await run(tools, LISBON, now) == "Corrected: lives in Lisbon"
    (row,) = (await member_data.show(ADA)).rows
    assert (row.channel_id, row.confidence) == (SECRET, 0.85)
    assert await profile(database) == ("Lives in Lisbon." if is_open else "")
    asking = "where do I live?"
    there = await run(tools, call("recall", query=asking), make_turn(make_event(asking), SECRET))
    assert "Lisbon" in there
    elsewhere = await run(tools, call("recall", query=asking), make_turn(make_event(asking)))
    assert "Lisbon" not in elsewhere


async def test_nothing_is_corrected_by_a_message_that_is_gone(database, tools, member_data, clock):
    await keep(database, "lives in Porto")
    now = await said(database, "actually I live in Lisbon now")
    await make_memory_service(database, clock).retention.retract(GUILD, [now.event.message_id])
    assert "Not done: You had me forget" in await run(tools, LISBON, now)
    assert await known(member_data) == ["lives in Porto"]


FORGET_AND_REMEMBER = "forget that I live in Porto, and remember that I like tea"
REMEMBER = call("remember", memory="likes tea")


@pytest.mark.parametrize("forgets_first", [True, False])
async def test_what_is_forgotten_takes_its_message_along_and_that_is_said(
    database, tools, member_data, forgets_first
):
    await keep(database, "lives in Porto")
    session = tools.of(await said(database, FORGET_AND_REMEMBER))
    calls = [forget("lives in Porto"), REMEMBER]
    in_order = calls if forgets_first else calls[::-1]
    told = [(await session.run(one)).partition(":")[0] for one in in_order]
    assert told == (
        ["Forgotten, for good", NOTHING_CHANGED]
        if forgets_first
        else ["Remembered", "Forgotten, for good"]
    )
    assert ["say it anew" in str(why) for why in session.refusals] == [True]
    assert await known(member_data) == []
    again = await said(database, "remember that I like tea")
    assert await run(tools, REMEMBER, again) == "Remembered: likes tea"


async def test_it_is_listed_and_forgotten(database, tools):
    await run(tools, ASK, await said(database, EXAM))
    listed = await run(tools, LIST, turn("what do you know of me?"))
    assert listed == "to ask about (13 March 2026): how the exam went"
    elsewhere = turn("what do you know of me?")
    away = replace(elsewhere.audience, sources=frozenset({CHANNEL + 1}))
    assert "exam" not in await run(tools, LIST, replace(elsewhere, audience=away))
    told = await run(tools, forget("how the exam went"), turn("forget asking me about the exam"))
    assert is_forgotten(told)
    assert await loops_of(database) == []


async def test_it_goes_with_its_message(database, tools, clock):
    now = await said(database, EXAM)
    await run(tools, ASK, now)
    await make_memory_service(database, clock).retention.retract(GUILD, [now.event.message_id])
    assert await loops_of(database) == []


@pytest.mark.parametrize(
    ("message", "what", "day", "why"),
    [
        (EXAM, "whether she robbed the bank", "on Friday", "what I should ask about"),
        (EXAM, "how the exam went", "2026-04-20", "30 days"),
    ],
)
async def test_what_cannot_be_asked_later_is_said_in_a_sentence(
    database, tools, message, what, day, why
):
    told = await run(tools, call("ask_later", what=what, day=day), await said(database, message))
    assert why in told
    assert await loops_of(database) == []


async def test_with_lasting_consent_it_may_be_later_but_not_for_ever(database, tools, clock):
    await make_memory_service(database, clock).set_consent(ADA, Consent.LASTING)
    now = await said(database, EXAM)
    for day, why in (("2026-08-01", "01 August 2026"), ("2027-08-01", "a year at most")):
        assert why in await run(tools, call("ask_later", what="the exam went", day=day), now)
    ((_, due, ends),) = await loops_of(database)
    assert ends == due + timedelta(days=30)


async def test_of_whom_nothing_is_stored_nothing_is_to_be_asked_and_no_call_noted(
    database, tools, clock
):
    now = await said(database, EXAM)
    await make_memory_service(database, clock).set_consent(ADA, Consent.OFF)
    before = await audited(database)
    assert "I store nothing about you here" in await run(tools, ASK, now)
    await make_guild_settings(database, clock).set_values(GUILD, frozen=True)
    assert "Not done" in await run(tools, ASK, now)
    assert await loops_of(database) == []
    assert await audited(database) == before == []


async def test_where_nothing_may_be_written_nothing_is(database, reader, clock):
    tools = make_chat_tools(database, clock, reader, read_only=True)
    assert "write nothing down" in await run(tools, ASK, await said(database, EXAM))
    assert await audited(database) == []
    assert await loops_of(database) == []


async def test_a_message_that_is_gone_meanwhile_leaves_nothing(database, tools, clock):
    now = await said(database, EXAM)
    await make_memory_service(database, clock).retention.retract(GUILD, [now.event.message_id])
    assert "Not done" in await run(tools, ASK, now)
    assert await loops_of(database) == []


async def test_the_same_is_noted_once_and_twenty_are_the_most(database, tools):
    now = await said(database, "ask me tomorrow about " + " ".join(f"thing{n}" for n in range(25)))
    for number in range(25):
        await run(tools, call("ask_later", what=f"thing{number}", day="tomorrow"), now)
    assert "already" in await run(tools, call("ask_later", what="thing24", day="tomorrow"), now)
    listed = await run(tools, LIST, now)
    assert listed.count("to ask about") == 20
    assert "thing24" in listed
    assert "thing4" not in listed.replace("thing24", "")


async def test_each_call_is_in_the_audit_without_a_word_of_it(database, tools):
    now = await said(database, "remember that I like tea, and ask me on Friday how the exam went")
    session = tools.of(now)
    await session.run(call("remember", memory="likes tea"))
    await session.run(call("recall", query="tea"))
    await session.run(LIST)
    await session.run(ASK)
    assert await session.run(LIST) == TOO_MANY
    assert (await run(tools, call("launch", what="rockets"), now)).startswith(NO_SUCH_TOOL)
    assert await run(tools, ToolCall("1", "recall", {}, malformed=True), now)
    assert await audited(database) == [
        "tool remember",
        "tool recall",
        "tool list_memories",
        "tool ask_later",
    ]
