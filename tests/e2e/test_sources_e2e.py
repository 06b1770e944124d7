"""People see where an answer comes from, as far as they may read that."""

from tests.e2e.den import Den
from tests.fakes.discord import Channel, Message, perms

ANSWER = "Alice has a parrot named Kiwi."


def link_to(den: Den, said: Message) -> str:
    return f"https://discord.com/channels/{den.guild.id}/{said.channel.id}/{said.id}"


async def where_from(den: Den, who: object, answer: Message) -> str:
    used = await den.fake.context_menu(who, den.general, "Where does this come from?", answer)
    reply = await used.reply()
    assert reply.ephemeral
    assert not den.fake.pings(reply).users
    return reply.content


async def told(den: Den, channel: Channel | None = None) -> tuple[Message, Message]:
    """Let Alice say something and Bob ask about it; return what she said, and the answer."""
    asked = await den.teach(den.alice, "I have a parrot named Kiwi", channel)
    den.model.reply_with(ANSWER)
    answer = await den.talk(den.bob, f"what parrot does <@{den.alice.id}> have?")
    return asked, answer


async def test_a_menu_links_to_what_an_answer_comes_from(kith: Den) -> None:
    said, answer = await told(kith)
    text = await where_from(kith, kith.bob, answer)
    assert f"- <@{kith.alice.id}> said it on <t:" in text
    assert text.count(link_to(kith, said)) == 1
    assert text.count("https://") == 1  # neither the question nor the note besides its message


async def test_who_cannot_read_the_source_any_more_is_not_told_of_it(kith: Den) -> None:
    games = kith.guild.add_text_channel("games")
    await kith.calm()
    said, answer = await told(kith, channel=games)
    assert link_to(kith, said) in await where_from(kith, kith.bob, answer)
    await kith.fake.set_overwrite(games, kith.bob, deny=perms("view_channel"))
    await kith.calm()
    assert link_to(kith, said) not in await where_from(kith, kith.bob, answer)
    assert link_to(kith, said) in await where_from(kith, kith.alice, answer)


async def test_what_was_said_in_confidence_only_its_author_sees(kith: Den) -> None:
    said, answer = await told(kith)
    await kith.talk(kith.alice, "Please don't tell anybody about that.")
    assert link_to(kith, said) not in await where_from(kith, kith.bob, answer)


async def test_an_answer_that_says_something_else_comes_from_nowhere(kith: Den) -> None:
    await told(kith)
    kith.model.reply_with("I am fine.")
    answer = await kith.talk(kith.bob, "how are you?")
    assert (await where_from(kith, kith.bob, answer)).startswith("I can't say:")
    assert await where_from(kith, kith.bob, answer.reply_to) == "Choose an answer of mine."


async def test_moderators_have_a_line_say_it_that_is_no_part_of_the_answer(kith: Den) -> None:
    used = await kith.fake.slash(kith.moderator, kith.general, "config sources", {"state": "on"})
    assert (await used.reply()).content.startswith("A small line")
    said, answer = await told(kith)
    line = answer.content.removeprefix(f"{ANSWER}\n")
    assert line.startswith(f"-# ↳ {link_to(kith, said)} <t:")
    assert [turn.text for turn in await kith.last_turns()][-1] == ANSWER
    await kith.fake.say(kith.bob, kith.general, "<@bot> really?", reply_to=answer)
    await kith.calm()
    assert "↳" not in str(kith.prompts()[-1])
