"""Who else plays chess? The tool `who`, as people meet it on Discord."""

from tests.e2e.den import Den
from tests.e2e.test_chat_tools_e2e import calling
from utils.models.memory import Member
from utils.without_model.texts import texts_in


async def test_who_else_is_answered_with_a_name_a_note_and_a_day(kith: Den) -> None:
    await kith.teach(kith.bob, "I play the oboe")
    kith.model.reply_with(calling("who", {"topic": "oboe"}))
    today = f"{kith.clock.now():%d %B %Y}"
    answer = await kith.talk(kith.alice, "who else here plays the oboe?")
    assert answer.content == f"So: Bob: plays the oboe ({today})"
    assert not kith.fake.pings(answer).users
    assert "Bob" not in (await kith.talk(kith.bob, "who else here plays the oboe?")).content
    await kith.calm()
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.bob.id))
    await kith.fake.wait_until(lambda: answer.deleted, "the answer to go")


async def test_without_a_model_the_notes_there_are_answer(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None) as kith:
        await kith.talk(kith.bob, "merk dir, dass ich Schach spiele")
        await kith.calm()
        answer = (await kith.talk(kith.alice, "wer spielt noch Schach?")).content
        assert "Bob" in answer
        assert "Schach" in answer
        again = await kith.talk(kith.alice, "wer spielt noch Go?")
        assert again.content == texts_in("de").nobody_else
