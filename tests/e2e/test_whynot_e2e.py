"""Members learn in a sentence why nothing was noted of a message."""

from typing import Any

from tests.e2e.den import Den
from tests.fakes.discord import Message
from utils.models.guild import Purpose
from utils.models.memory import Consent, Member


async def why_not(den: Den, said: Message | str, who: Any = None) -> str:
    """Ask why nothing was noted of a message, by its link."""
    link = said
    if isinstance(said, Message):
        link = f"https://discord.com/channels/{den.guild.id}/{said.channel.id}/{said.id}"
    who = who or den.alice
    used = await den.fake.slash(who, den.general, "memory whynot", {"message": link})
    reply = await used.reply()
    assert reply.ephemeral
    return reply.content


async def read(den: Den, text: str) -> Message:
    """Let Alice say something and have it read; return what she said."""
    answer = await den.talk(den.alice, text)
    await den.app.memory.recorder.settle()
    return answer.reply_to


async def test_what_the_filter_refuses_is_named_without_being_stored(kith: Den) -> None:
    said = await read(kith, "My password is hunter2, and I own it")
    assert "I never note passwords" in await why_not(kith, said)


async def test_what_was_forgotten_is_said_to_its_author_only(kith: Den) -> None:
    said, alice = await read(kith, "I live in Lisbon"), Member(kith.guild.id, kith.alice.id)
    (row,) = (await kith.app.memory.member_data.show(alice)).rows
    await kith.app.memory.editor.forget(alice, row.id)
    assert (await why_not(kith, said)).startswith("You had me forget what that message taught me")
    assert (await why_not(kith, said, kith.bob)).startswith("I don't store that message.")


async def test_consent_and_channels_where_kith_never_answers(kith: Den) -> None:
    member = Member(kith.guild.id, kith.alice.id)
    await kith.app.memory.editor.set_consent(member, Consent.OFF)
    said = await read(kith, "I live in Lisbon")
    assert (await why_not(kith, said)).startswith("I store nothing about you here;")
    await kith.app.guilds.settings.add_channel(kith.guild.id, kith.general.id, Purpose.NEVER)
    assert (await why_not(kith, said)).startswith("The moderators chose that I never answer")
    await kith.app.guilds.settings.remove_channel(kith.guild.id, kith.general.id, Purpose.NEVER)


async def test_what_was_not_said_to_kith_or_by_somebody_else(kith: Den) -> None:
    said = await kith.fake.say(kith.bob, kith.general, "I live in Lisbon")
    await kith.calm()
    assert (await why_not(kith, said)).startswith("I don't store that message.")
    assert (await why_not(kith, said, kith.bob)).startswith("I don't store that message.")
    assert (await why_not(kith, "yesterday")).startswith("Give the link of a message")
    assert (await why_not(kith, "9" * 19)).startswith("Give the link of a message")  # no BIGINT
