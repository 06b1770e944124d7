"""Members who write through a proxy such as PluralKit are answered, without memory."""

import pytest

from cogs.chat import proxied_members
from tests.e2e.den import Den, Held, chat_of
from utils.database.schema.memory_tables import memory_event
from utils.models.memory import DIRECT_MESSAGES

pytestmark = pytest.mark.usefixtures("kith")


async def stored_texts(kith: Den) -> list[str]:
    """Return every text that is stored of the test's server."""

    def unit(connection):
        rows = connection.execute(memory_event.select())
        return [row.Text for row in rows if row.GuildId in (kith.guild.id, DIRECT_MESSAGES)]

    return await kith.app.database.read(unit)


@pytest.mark.parametrize("is_deleted_first", [True, False])
async def test_a_copy_of_a_deleted_question_is_answered_without_memory(
    kith: Den, is_deleted_first: bool
) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    kith.model.reply_with(held := Held("Whose?"))
    asked = await kith.fake.say(kith.alice, kith.general, "<@bot> L: I own a boat, my dog?")
    await kith.wait_prompts(len(kith.prompts()) + 1)
    if is_deleted_first:
        await kith.fake.delete(asked)
        await kith.calm()
    kith.model.reply_with("Ask me with /ask.")
    copy = await kith.fake.post_by_webhook("Luna", kith.general, "<@bot> I own a boat, my dog?")
    if not is_deleted_first:
        await kith.fake.delete(asked)
    held.release()
    assert (await kith.answer_to(copy)).content == "Ask me with /ask."
    request = kith.prompts()[-1]
    kith.model.reply_with("Hello.")
    assert kith.last_words().endswith("Luna: I own a boat, my dog?")
    assert "Rex" not in str(request)
    assert "tools" not in request
    await kith.talk(kith.alice, "hello again")
    assert "/ask" not in str(kith.prompts()[-1])
    await kith.app.memory.recorder.settle()
    texts = await stored_texts(kith)
    assert not any("boat" in text or "/ask" in text for text in texts)
    assert not any("boat" in note for note in await kith.known_of(kith.alice))


async def test_what_a_webhook_says_of_itself_is_not_answered(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = await kith.fake.post_by_webhook("News", kith.general, "<@bot> read all about it")
    assert await kith.stays_silent(said)
    assert await kith.talk(kith.alice, "hello there") is not None
    other = await kith.fake.post_by_webhook("News", kith.general, "<@bot> hello there")
    assert await kith.stays_silent(other)  # nothing was deleted
    assert not any("read all about it" in text for text in await stored_texts(kith))
    monkeypatch.setattr(proxied_members, "WITHIN_S", 0.0)  # so that it does not take ten seconds
    await kith.talk(kith.alice, "tell me more")
    assert chat_of(kith.client).proxies._asked == []  # though nothing more is written
