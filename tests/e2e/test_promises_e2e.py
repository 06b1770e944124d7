"""Promises of docs/privacy.md that no other test holds."""

from datetime import UTC

from sqlalchemy import Table, func, select

from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_watching_e2e import read, watch, watchful
from utils.database.schema.memory_tables import memory_event, message_score, waiting_message
from utils.models.memory import Member

REASON = "insults p1"


async def rows(den: Den, table: Table) -> int:
    """How many rows of a table belong to the server."""
    count = select(func.count()).select_from(table).where(table.c.GuildId == den.guild.id)
    return await den.app.database.read(lambda connection: connection.scalar(count))


async def test_without_a_model_words_go_nowhere_but_to_discord(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        await den.teach(den.alice, "I have a dog named Rex")
        await den.talk(den.alice, "what dog do I have?")
        await den.fake.say(den.bob, den.general, "somebody else's words")
        await den.calm()
    assert den.model.chats == []


async def test_scores_are_in_no_answer_no_list_and_no_export(kith: Den) -> None:
    kith.model.extract_with(watchful)
    await watch(kith)
    await kith.fake.say(kith.alice, kith.general, "you are all idiots, you idiot")
    await read(kith)
    assert await rows(kith, message_score) == 1
    assert REASON not in (await use(kith, kith.alice, "memory show")).content
    alice = Member(kith.guild.id, kith.alice.id)
    files = await kith.app.memory.member_data.export(alice, UTC)
    assert REASON not in files.text
    assert REASON.encode() not in files.json
    await kith.talk(kith.alice, "what do you know of me?")
    assert REASON not in str(kith.prompts()[-1]["messages"])


async def test_a_summary_for_a_moderator_leaves_no_words_behind(kith: Den) -> None:
    await kith.fake.say(kith.alice, kith.general, "shall we play at eight?")
    kith.model.reply_with("They want to play at eight.")
    shown = await use(kith, kith.moderator, "mod summary", channel=kith.general, hours=2)
    assert "play at eight" in shown.content
    for table in (memory_event, waiting_message):
        assert await rows(kith, table) == 0


async def test_when_a_channel_is_watched_no_more_what_waits_is_deleted(kith: Den) -> None:
    await watch(kith)
    await kith.fake.say(kith.alice, kith.general, "a message that waits for the model")
    await kith.calm()
    await kith.app.sentiment.watcher._buffer.flush()
    assert await rows(kith, waiting_message) == 1
    await use(kith, kith.moderator, "mod watch remove")
    assert await rows(kith, waiting_message) == 0
