"""The database goes away while people talk, and comes back: nothing is lost, nothing is doubled."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from sqlalchemy import select

from cogs.bot.texts import AWAY
from tests.e2e.den import PATIENCE_S, Den, chat_of
from tests.e2e.test_cascade_e2e import stored
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_consent_e2e import meet
from tests.fakes.discord import Message
from tests.fakes.faulty import Away, away
from utils.common.errors import DatabaseUnavailable, MessagesLost
from utils.database.core import outages
from utils.database.schema.memory_tables import memory_event
from utils.memory.ingestion import offline_writer
from utils.models.memory import Role


@pytest.fixture(autouse=True)
def all_is_tried_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "PROBE_EVERY_S", 0.02)
    monkeypatch.setattr(offline_writer, "RETRY_S", 0.02)
    monkeypatch.setattr(offline_writer, "CLOSE_CHECK_S", 0.2)


@pytest_asyncio.fixture(loop_scope="module")
async def kith(shared_kith: Den) -> AsyncIterator[Den]:
    yield shared_kith
    await written(shared_kith)


def told(kith: Den, channel: object = None) -> list[Message]:
    """What Kith said of being without its memory."""
    return [message for message in kith.answers(channel) if message.content == AWAY]


async def written(kith: Den) -> None:
    """Return when nothing waits any more, and the database is back for everything."""
    backlog = kith.app.memory.recorder.offline_writer
    await backlog._task
    database = kith.app.database
    await database.finish_scrubbing()
    for one in (database._reading, database._writing):
        if one._probing is not None:
            await one._probing


async def heard(kith: Den, role: Role = Role.MEMBER) -> list[str]:
    """What is stored of what was said, in the order in which it was stored."""
    texts = select(memory_event.c.Text).where(
        memory_event.c.GuildId == kith.guild.id, memory_event.c.Role == role
    )
    return await kith.app.database.read(
        lambda connection: connection.scalars(texts.order_by(memory_event.c.Id)).all()
    )


async def test_people_are_answered_told_once_and_remembered_when_it_is_back(kith: Den) -> None:
    games = kith.guild.add_text_channel("games")
    await kith.talk(kith.alice, "I have a dog named Rex")
    with away(kith.app.database) as database:
        for who, text in (
            (kith.alice, "I live in Oslo"),
            (kith.bob, "I own a blue boat"),
            (kith.alice, "bye"),
        ):
            assert (await kith.talk(who, text)).content != AWAY
        await kith.talk(kith.bob, "I play the oboe", games)
        await kith.calm()
        assert len(told(kith)) == len(told(kith, games)) == 1
        prompt = kith.prompts()[-2]["messages"]
        assert "your memory cannot be reached" in prompt[0]["content"]
        assert any("I live in Oslo" in one["content"] for one in prompt[1:-1])
        assert not any("boat" in one["content"] for one in prompt)  # bob may want that kept private
        assert not any("Oslo" in one["content"] for one in kith.prompts()[-1]["messages"])
        assert not kith.prompts()[-1].get("tools")
        database.back()
        await written(kith)
    await kith.app.memory.recorder.settle()
    assert await heard(kith) == [
        "I have a dog named Rex",
        "I live in Oslo",
        "I own a blue boat",
        "bye",
        "I play the oboe",
    ]
    assert len(await heard(kith, Role.KITH)) == 5
    assert await kith.known_of(kith.alice) == ["has a dog named Rex", "lives in Oslo"]
    assert await kith.known_of(kith.bob) == ["owns a blue boat", "plays the oboe"]
    await kith.talk(kith.alice, "Where do I live?")
    assert "Oslo" in kith.last_words()
    await kith.calm()
    told_in = chat_of(kith.client)._outage_notices
    assert {games.id, kith.general.id} & told_in == {games.id}  # nobody knows how games is doing
    with away(kith.app.database):  # another outage is told of anew
        await kith.talk(kith.bob, "hello again")
        await kith.calm()
        assert len(told(kith)) == 2


async def test_what_was_deleted_or_edited_meanwhile_is_written_as_it_stands_on_discord(
    kith: Den,
) -> None:
    before = await kith.teach(kith.alice, "I have a dog named Zanzibar")
    corrected = await kith.teach(kith.alice, "I own a harpsichord")
    with away(kith.app.database) as database:
        regretted = await kith.say(kith.bob, "I love Quetzalcoatl")
        answer = await kith.answer_to(regretted)
        reworded = await kith.say(kith.bob, "I live in Timbuktu")
        await kith.answer_to(reworded)
        await kith.fake.delete(before)
        await kith.fake.delete(regretted)
        await kith.fake.edit(reworded, "<@bot> I live in Oslo")
        await kith.fake.edit(corrected, "<@bot> I own a viola")
        await kith.calm()
        database.back()
        await written(kith)
    await kith.fake.wait_deleted(answer)  # it was never stored
    assert await kith.learnt_of(kith.alice) == ["owns a viola"]
    assert await kith.known_of(kith.bob) == ["lives in Oslo"]
    ids = await kith.app.database.read(
        lambda connection: connection.scalars(select(memory_event.c.MessageId)).all()
    )
    assert regretted.id not in ids
    assert reworded.id in ids
    for word in ("Zanzibar", "Quetzalcoatl", "Timbuktu", "harpsichord"):
        assert not await stored(kith, word)


async def test_an_edit_is_taken_back_where_settings_cannot_be_looked_up(kith: Den) -> None:
    said = await kith.teach(kith.alice, "I own a harpsichord")
    with away(kith.app.database) as database:
        kith.app.guilds.settings._cache.clear()
        await kith.fake.edit(said, "<@bot> I own a viola")
        await kith.calm()
        database.back()
        await written(kith)
    assert await kith.learnt_of(kith.alice) == ["owns a viola"]
    assert not await stored(kith, "harpsichord")


async def test_whoever_wants_to_be_forgotten_meanwhile_is_not_written_down_later(
    kith: Den,
) -> None:
    notice = await meet(kith, kith.alice, "hello")
    with away(kith.app.database) as database:
        await kith.talk(kith.alice, "I have a dog named Zanzibar")
        await kith.talk(kith.bob, "I live in Oslo")
        pressed = await kith.fake.click(kith.alice, notice, "Don't remember me")
        assert "try again soon" in (await pressed.reply()).content
        database.back()
        await written(kith)
    assert await heard(kith) == ["hello", "I live in Oslo"]
    assert not await stored(kith, "Zanzibar")


async def test_where_kith_never_answers_it_stays_silent_without_its_database_too(
    kith: Den,
) -> None:
    quiet = kith.guild.add_text_channel("quiet")
    await use(kith, kith.moderator, "config channel never", action="add", channel=quiet)
    stranger = kith.fake.add_guild("Elsewhere")
    there = stranger.add_text_channel("general")
    carol = stranger.add_member("Carol")
    with away(kith.app.database):
        assert await kith.stays_silent(await kith.say(kith.alice, "hello", quiet))
        assert await kith.stays_silent(await kith.say(carol, "hello", there))
        assert (await kith.talk(kith.alice, "hello", kith.dm(kith.alice))).content


async def test_a_stop_meanwhile_says_how_many_messages_are_lost(
    den: Den, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(MessagesLost, match="lost: 4"):
        async with den.awake():
            await den.talk(den.alice, "I live in Oslo")
            await den.calm()
            Away(den.app.database)
            await den.talk(den.alice, "I have a dog named Rex")
            await den.talk(den.bob, "I play the oboe")
            await den.calm()
    assert "4 messages that waited for the database are lost, sent since 20" in caplog.text
    assert "Rex" not in caplog.text


async def test_a_message_that_is_still_being_recorded_at_a_stop_is_counted_as_lost(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MessagesLost, match="lost: 1"):
        async with den.awake():
            recorder, release, begun = den.app.memory.recorder, asyncio.Event(), asyncio.Event()

            async def slow(*_: object, **__: object) -> bool:
                begun.set()
                await release.wait()
                raise DatabaseUnavailable

            monkeypatch.setattr(recorder, "_store", slow)
            monkeypatch.setattr(recorder.offline_writer, "_store", slow)
            await den.say(den.alice, "I have a dog named Rex")
            await begun.wait()
            draining = asyncio.create_task(chat_of(den.client).drain(0.01))
            await asyncio.wait([draining], timeout=0.1)
            assert not draining.done()
            release.set()
            await draining
            assert recorder.offline_writer.lost == 1


async def test_what_waits_at_a_stop_is_written_if_the_database_is_back_in_time(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline_writer, "CLOSE_CHECK_S", PATIENCE_S)
    async with den.awake():
        await den.talk(den.alice, "hello")
        with away(den.app.database):
            await den.talk(den.alice, "I have a dog named Rex")
    async with den.awake():
        assert "I have a dog named Rex" in await heard(den)
        assert await den.learnt_of(den.alice) == ["has a dog named Rex"]
