"""Recall offers what was talked about: the chapter that goes on, what is open, and past ones."""

import json
from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from sqlalchemy import select

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    audience,
    make_conversation,
    make_event,
    make_reader,
    make_turn,
)
from tests.fakes.scribe import Scribe
from tests.integration.memory.episodes.test_episodes import INTERVIEW, Hall, remark
from utils.database.schema.memory_tables import open_loop
from utils.guilds.account_links import AccountLinkService
from utils.models.guild import GuildSettings
from utils.models.memory import Member
from utils.models.recall import Person

PLAN = "let us plan the LAN party for Saturday"
SETTINGS = GuildSettings(GUILD)


@pytest.fixture
def hall(database, clock):
    return Hall(database, clock, Scribe())


async def recall(reader, text, *sources, by=ADA, channel_id=CHANNEL, people=None):
    name = "Ada" if by == ADA else "Bob"
    return await reader.recall(
        audience(*sources, channel_id=channel_id, guild_id=by.guild_id),
        (Person(by.user_id, name),) if people is None else people,
        text,
        settings=replace(SETTINGS, guild_id=by.guild_id),
    )


async def plan_party(hall, times=1, **given):
    """Let a party be planned, and so much be said afterwards that it is out of sight."""
    for _ in range(times):
        await hall.say(PLAN, "Bob brings the LAN switch", **given)
        await hall.hush()
    await hall.say(*(f"hm {n}" for n in range(10)), **given)


def lines(found, label):
    return [one for one in found.block.splitlines() if one.startswith(f"{label}: ")]


# --- past chapters ------------------------------------------------------------------------------


async def test_a_past_chapter_comes_to_mind_where_the_message_is_about_it(hall, reader, clock):
    await plan_party(hall)
    clock.advance(days=20)
    found = await recall(reader, "who brings what to the LAN party?", by=BOB)
    assert lines(found, "Earlier") == [
        "Earlier: 11 March, let us plan the LAN party for Saturday. Bob brings the LAN switch."
    ]
    assert found.about_ids == (ADA.user_id,)
    assert lines(await recall(reader, "is it raining outside today?", by=BOB), "Earlier") == []
    assert "Earlier" not in (await recall(reader, PLAN, people=())).block


async def test_a_question_about_a_day_tells_every_topic_of_it(hall, reader, clock):
    topics = ("the party", "violins", "gardens")
    for place, topic in enumerate(topics, CHANNEL + 1):
        texts = (f"let us talk about {topic}", f"more about {topic} for everybody")
        await hall.say(*texts, channel_id=place)
    await hall.hush()
    clock.advance(days=1)
    places = [CHANNEL + 1 + place for place in range(len(topics))]
    for question in ("what did we talk about yesterday?", "worüber haben wir gestern geredet?"):
        told = lines(await recall(reader, question, *places, by=BOB), "Earlier")
        assert len(told) == 1
        found = [told[0].index(f"talk about {topic}") for topic in topics]
        assert found == sorted(found)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("switch violin garden", True),
        ("switch violin garden teapot", False),
    ],
)
async def test_a_longer_message_shares_two_words_with_it(hall, reader, text, is_told):
    await plan_party(hall)
    assert bool(lines(await recall(reader, text, by=BOB), "Earlier")) is is_told


@pytest.mark.parametrize("sources", [(), (CHANNEL,)])
async def test_it_is_told_only_where_everybody_could_have_read_it(hall, reader, sources):
    await plan_party(hall)
    found = await recall(reader, "the LAN party plan", *sources, channel_id=CHANNEL + 1)
    assert bool(lines(found, "Earlier")) is bool(sources)


async def test_not_in_another_server_nor_in_direct_messages(hall, reader):
    await plan_party(hall)
    for place in (GUILD + 1, 0):
        found = await recall(reader, "the LAN party plan", by=Member(place, ADA.user_id))
        assert found.block == ""


async def test_direct_messages_have_chapters_of_their_own(hall, reader):
    me, other = Member(0, ADA.user_id), Member(0, BOB.user_id)
    await plan_party(hall, by=me)
    assert lines(await recall(reader, "the LAN party plan", by=me), "Earlier")
    elsewhere = await recall(reader, "the LAN party plan", by=other, channel_id=CHANNEL + 1)
    assert elsewhere.block == ""


async def test_what_is_kept_prepared_follows_what_is_written_and_erased(hall, reader, clock):
    gone = await hall.say("our zanzibar holidays", "on a zanzibar beach")
    await hall.hush()
    await hall.say(*(f"hm {n}" for n in range(10)))
    assert "beach" in lines(await recall(reader, "the zanzibar holidays", by=BOB), "Earlier")[0]
    await hall.hush()
    await plan_party(hall)
    assert lines(await recall(reader, "the LAN party plan", by=BOB), "Earlier")
    await hall.retention.retract(GUILD, [gone.message_id])
    assert (await recall(reader, "the zanzibar holidays", by=BOB)).block == ""
    assert lines(await recall(reader, "the LAN party plan", by=BOB), "Earlier")
    await hall.keeper.forget_all(ADA)
    assert (await recall(reader, "the LAN party plan", by=BOB)).block == ""


async def test_a_chapter_whose_time_is_over_is_told_no_more(hall, reader, clock):
    await plan_party(hall)
    assert lines(await recall(reader, "the LAN party plan", by=BOB), "Earlier")
    clock.advance(days=31)
    assert not lines(await recall(reader, "the LAN party plan", by=BOB), "Earlier")


# --- the chapter that goes on -------------------------------------------------------------------


async def test_what_the_last_turns_do_not_show_is_said_in_short(hall, reader, clock):
    await hall.say(*(f"move {n}" for n in range(12)))
    await hall.chronicler.catch_up()
    found = await recall(reader, "and now?")
    assert found.now.startswith("Now: move 0. move 1.")
    assert ADA.user_id in found.about_ids
    assert (await recall(reader, "and now?", channel_id=CHANNEL + 1)).now == ""
    clock.advance(hours=9)
    assert (await recall(reader, "and now?")).now == ""


async def test_it_stands_in_the_prompt_as_data(hall, reader, clock):
    await hall.say(*(f"move {n}" for n in range(12)))
    await hall.chronicler.catch_up()
    talk = make_conversation(hall.recorder, reader, hall.chronicler._budget, clock, None)
    prepared = await talk.prepare(make_turn(make_event("and now?", created_at=clock.now())))
    assert prepared.messages[-1].text.startswith("<background>\nNow: move 0.")
    assert "move 0" not in prepared.messages[0].text
    assert ADA.user_id in prepared.about_ids


# --- what is open -------------------------------------------------------------------------------


@pytest.fixture
async def promised(hall):
    """Ada has said that she will tell how her interview went."""
    hall.scribe.write = lambda asked: {
        "summary": "Ada will tell how the interview went.",
        "loops": [remark(text="tell how the interview went")],
    }
    event = await hall.say(INTERVIEW)
    await hall.say("good luck with the interview", "and with the rest", by=BOB)
    await hall.hush()
    return event


async def state(hall):
    return await hall.rows(open_loop.c.State)


@pytest.mark.usefixtures("promised")
async def test_what_an_answer_asked_about_is_done(hall, reader, clock):
    clock.advance(days=3)
    found = await recall(reader, "hello again")
    (line,) = lines(found, "Open")
    assert line == "Open: Ada: tell how the interview went (promised, 3 days ago)"
    assert found.about_ids == (ADA.user_id,)
    await reader.note_offers(found.loops, found.loops)
    assert await state(hall) == ["raised"], "also if the process is killed now"
    assert not lines(await recall(reader, "hello again"), "Open")
    assert not lines(await recall(make_reader(hall.database, clock), "hello again"), "Open")


@pytest.mark.usefixtures("promised")
async def test_what_no_answer_asked_about_is_offered_three_times(hall, reader, clock):
    async def offered():
        found = await recall(reader, "what is 2+2?")
        reader.loop_offers.note(found.loops, (), clock.now())
        await reader.write_uses()
        return bool(lines(found, "Open"))

    assert [await offered() for _ in range(3)] == [True, True, False]
    clock.advance(hours=8)  # a later conversation
    assert [await offered() for _ in range(2)] == [True, False]
    clock.advance(days=1)
    assert not await offered()
    assert await state(hall) == ["closed"]


@pytest.mark.usefixtures("promised")
async def test_only_of_people_present_and_where_it_could_have_been_read(hall, reader):
    assert not lines(await recall(reader, "hello again", by=BOB), "Open")
    elsewhere = {"channel_id": CHANNEL + 1}
    assert not lines(await recall(reader, "hello again", **elsewhere), "Open")
    assert lines(await recall(reader, "hello again", CHANNEL, **elsewhere), "Open")


@pytest.mark.usefixtures("promised")
async def test_it_is_brought_up_only_to_whom_it_is_of(hall, reader, clock):
    bob, ada = Person(BOB.user_id, "Bob"), Person(ADA.user_id, "Ada")
    spoken_of = await recall(reader, "have you seen Ada?", people=(bob, ada))
    assert not lines(spoken_of, "Open")
    assert not spoken_of.loops
    assert lines(await recall(reader, "have you seen Bob?", people=(ada, bob)), "Open")
    links = AccountLinkService(hall.database, clock)
    await links.link(ADA, BOB.user_id)
    await links.link(BOB, ADA.user_id)
    for people in ((bob,), (bob, ada)):
        assert lines(await recall(reader, "hello again", people=people), "Open")


async def test_it_goes_with_its_message(hall, reader, promised):
    assert lines(await recall(reader, "hello again"), "Open")
    await hall.retention.retract(GUILD, [promised.message_id])
    assert not lines(await recall(reader, "hello again"), "Open")


async def test_what_has_its_day_waits_for_it(hall, reader, promised):
    await hall.database.write(
        lambda connection: connection.execute(
            open_loop.update().values(DueAt=hall.clock.now() + timedelta(days=2))
        )
    )
    assert not lines(await recall(reader, "hello again"), "Open")
    hall.clock.advance(days=2)
    assert lines(await recall(reader, "hello again"), "Open")
    rows = await hall.database.read(lambda connection: connection.execute(select(open_loop)).all())
    assert rows[0].MessageId == promised.message_id


@pytest.mark.usefixtures("promised")
async def test_it_is_in_the_export_and_shared_summaries_are_only_counted(hall, member_data):
    files = await member_data.export(ADA, UTC)
    payload = json.loads(files.json)["payload"]
    assert [one["text"] for one in payload["open"]] == ["tell how the interview went"]
    assert payload["summaries_of_conversations"] == 1
    assert "tell how the interview went [promise, open, until" in files.text
    assert "Ada will tell" not in files.text
