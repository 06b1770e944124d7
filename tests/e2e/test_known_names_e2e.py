"""A member named in plain words: their block, as far as this channel may hear it."""

from tests.e2e.den import Den, memory
from tests.fakes.discord import perms
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.models.memory import Member

UNSEEN = perms("view_channel")


async def test_of_a_member_named_in_plain_words_it_knows_what_this_channel_may_hear(
    kith: Den,
) -> None:
    alex = kith.guild.add_member("Alex")
    hidden = kith.guild.add_text_channel("hidden")
    hidden.overwrite(kith.guild.everyone, deny=UNSEEN)
    for reader in (kith.guild.bot_role, alex):
        hidden.overwrite(reader, allow=UNSEEN)
    await kith.teach(alex, "I own a kite")
    await kith.teach(alex, "I love secret crimes", hidden)
    await kith.talk(kith.alice, "what does alex own?")
    words = kith.last_words()
    assert "[What you know about Alex:]" in words
    assert "owns a kite" in words.lower()
    assert "secret" not in words
    await kith.fake.change_member(alex, nick="Captain Blau")
    await kith.talk(alex, "hello")  # a new nickname counts from the next message on
    await kith.talk(kith.alice, "what does Captain Blau own?")
    assert "[What you know about Captain Blau:]" in kith.last_words()


def naming(request: ChatRequest) -> dict[str, object]:
    """Notes of the names and kites that somebody speaks of."""
    said = prompt_of(request)
    notes = [
        memory("goes by Cap", "Everyone calls me Cap", attribute="name"),
        memory("owns a kite", "I own a kite"),
    ]
    return {
        "memories": [note for note in notes if note["quote"] in said],
        "profile_update": None,
    }


async def test_a_member_is_found_by_the_name_that_they_gave_themselves(kith: Den) -> None:
    kith.model.extract_with(naming)
    await kith.teach(kith.bob, "Everyone calls me Cap")
    await kith.teach(kith.bob, "I own a kite")
    answer = await kith.talk(kith.alice, "what does Cap own?")
    words = kith.last_words()
    assert "[What you know about Bob:]" in words
    assert "owns a kite" in words.lower()
    await kith.teach(kith.guild.add_member("Carl"), "Everyone calls me Cap")
    await kith.talk(kith.alice, "what does Cap own?", kith.guild.add_text_channel("other"))
    words = kith.last_words()
    assert "kite" not in words
    assert "(several members go by cap: Bob, Carl; ask which of them is meant)" in words
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.bob.id))
    await kith.fake.wait_until(lambda: answer.deleted, "the answer to go")
    await kith.talk(kith.alice, "what does Cap own?")
    assert "[What you know about Bob:]" not in kith.last_words()


async def test_without_a_model_a_stated_name_is_resolved_and_one_of_two_asked(den: Den) -> None:
    async with den.awake(openai_base_url=None, openai_api_key=None):
        await den.teach(den.bob, "call me Cap")
        await den.teach(den.bob, "I own a red kite")
        assert "red kite" in (await den.talk(den.alice, "what does Cap own?")).content
        await den.teach(den.guild.add_member("Carl"), "nennt mich Cap")
        asked = await den.talk(den.alice, "what does Cap own?")
        assert asked.content == "Several members go by “cap”: Bob, Carl. Whom do you mean?"
