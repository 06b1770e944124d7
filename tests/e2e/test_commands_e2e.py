"""Slash commands, their buttons and autocomplete, as people use them."""

import asyncio
import re

import pytest

from tests.e2e.den import DAY_S, Den
from tests.fakes.discord import CannotDo, Channel, Member, Message, perms
from tests.fakes.model_server import prompt_of

PETS = ("dog", "cat", "parrot", "tortoise", "goldfish")


async def reset(kith: Den, who: Member, channel: Channel | None = None) -> Message:
    """Let somebody have a channel's conversation start over, and return what Kith says."""
    channel = channel or kith.general
    used = await kith.fake.slash(who, channel, "reset")
    if not channel.is_dm:
        question = await used.reply()
        await kith.fake.click(who, question, "Start over")
        return await used.followup()
    return await used.reply()


async def use(
    kith: Den, who: Member, command: str, /, place: Channel | None = None, **options: object
) -> Message:
    """Use a slash command and return what the person reads in the end."""
    used = await kith.fake.slash(who, place or kith.general, command, options)
    reply = await used.reply()
    assert not kith.fake.pings(reply)
    return reply


async def choices(kith: Den, who: Member, command: str, option: str, typed: str) -> list[str]:
    offered = await kith.fake.autocomplete(who, kith.general, command, option, typed)
    return [choice["name"] for choice in offered]


async def teach_many(kith: Den, who: Member, count: int) -> None:
    """Let somebody say many different things about themselves, more than a session usually may."""
    lenient = {"writes_per_session": 100}
    await kith.app.guilds.settings.set_policy(kith.guild.id, lenient, actor_id=0, reason="")
    for start in range(0, count, 10):
        numbers = range(start, min(start + 10, count))
        await kith.teach(who, " ".join(f"I own {PETS[n % 5]} number {n}." for n in numbers))
    assert len(await kith.known_of(who)) == count


# --- memory -----------------------------------------------------------------------------------


async def test_memory_show_turns_pages_for_nobody_but_the_asker(kith: Den) -> None:
    await teach_many(kith, kith.alice, 15)
    sent = kith.client.wait_for("message", check=lambda message: message.flags.ephemeral)
    used, seen = await asyncio.gather(
        kith.fake.slash(kith.alice, kith.general, "memory show"), sent
    )
    page = await used.reply()
    assert page.ephemeral
    assert (seen.id, seen.guild) == (page.id, None), "Discord sends it as a direct message"
    assert "**Profile:** Owns " in page.content
    assert page.content.endswith("-# Page 1 of 2")
    assert page.content.count("\n`#") == 10
    assert re.search(r"\*\(fact, <t:\d+:R>, expires <t:\d+:R>\)\*", page.content)
    with pytest.raises(CannotDo, match="disabled"):
        await kith.fake.click(kith.alice, page, "Newer")
    with pytest.raises(CannotDo, match="ephemeral"):
        await kith.fake.click(kith.bob, page, "Older")
    seen = page.content
    page = await (await kith.fake.click(kith.alice, page, "Older")).reply()
    assert page.content.endswith("-# Page 2 of 2")
    seen += page.content
    assert all(f"number {n} *(" in seen for n in range(15))
    with pytest.raises(CannotDo, match="disabled"):
        await kith.fake.click(kith.alice, page, "Older")


async def test_one_memory_is_chosen_from_a_list_and_forgotten(kith: Den) -> None:
    await teach_many(kith, kith.alice, 3)
    await teach_many(kith, kith.bob, 1)
    assert await choices(kith, kith.alice, "memory forget", "memory", "CAT") == [
        "owns cat number 1 (just now)"
    ]
    assert await choices(kith, kith.alice, "memory forget", "memory", "every") == [
        "Everything you know of me"
    ]
    offered = await kith.fake.autocomplete(
        kith.alice, kith.general, "memory forget", "memory", "cat"
    )
    chosen = offered[0]["value"]
    tried = await use(kith, kith.bob, "memory forget", memory=chosen)
    assert tried.content == f"There is no memory #{chosen} of yours here."
    gone = await use(kith, kith.alice, "memory forget", memory=chosen)
    assert gone.ephemeral
    assert gone.content == f"Forgotten: #{chosen}."
    assert await kith.known_of(kith.alice) == ["owns dog number 0", "owns parrot number 2"]
    again = await use(kith, kith.alice, "memory forget", memory=chosen)
    assert again.content == f"There is no memory #{chosen} of yours here."
    await kith.talk(kith.alice, "which cat do I own?")
    assert "cat number" not in str(kith.prompts()[-1]["messages"])


async def test_everything_is_forgotten_only_after_a_yes(kith: Den) -> None:
    await teach_many(kith, kith.alice, 3)
    used = await kith.fake.slash(
        kith.alice, kith.general, "memory forget", {"memory": "everything"}
    )
    question = await used.reply()
    assert question.ephemeral
    assert "This cannot be undone." in question.content
    await kith.fake.click(kith.alice, question, "Keep it")
    assert (await used.edited()).content == "Nothing was forgotten."
    assert question.components == []
    assert len(await kith.known_of(kith.alice)) == 3

    await teach_many(kith, kith.bob, 1)
    used = await kith.fake.slash(kith.alice, kith.general, "memory forget", {"memory": "All"})
    await kith.fake.click(kith.alice, await used.reply(), "Forget everything")
    said = (await used.edited()).content
    assert said == "Forgotten: 3 memories and everything you said to me here."
    assert await kith.known_of(kith.alice) == []
    assert len(await kith.known_of(kith.bob)) == 1
    await kith.talk(kith.alice, "who am I?")
    prompt = str(kith.prompts()[-1]["messages"])
    assert "Alice: I own" not in prompt
    assert "Bob: I own" in prompt


# --- the channel and the server ---------------------------------------------------------------


async def test_reset_asks_first_and_clears_the_channels_working_memory_and_nothing_else(
    kith: Den,
) -> None:
    other = kith.guild.add_text_channel("other")
    await kith.talk(kith.alice, "hello over there", other)
    await kith.teach(kith.alice, "I own a boat")
    question = await (await kith.fake.slash(kith.bob, kith.general, "reset")).reply()
    assert question.ephemeral
    assert question.content.startswith("Shall I start over in this channel, for everybody?")
    await kith.fake.click(kith.bob, question, "Go on")
    await kith.calm()
    assert question.content == "I go on as before."
    await kith.talk(kith.alice, "which boat?")
    assert "Alice: I own a boat" in str(kith.prompts()[-1]["messages"])
    answer = await reset(kith, kith.bob)
    assert answer.content == "I start over in this channel. I keep what I know about people."
    assert not answer.ephemeral, "the others see that it starts over"
    await kith.talk(kith.alice, "hi, which boat?")
    assert len(kith.prompts()[-1]["messages"]) == 2
    assert "Owns a boat" in kith.last_words()
    await kith.talk(kith.alice, "and here?", other)
    assert "hello over there" in str(kith.prompts()[-1]["messages"])


async def _prompt_after(kith: Den, words: str) -> dict:
    await kith.talk(kith.alice, words)
    return kith.prompts()[-1]


async def test_a_channel_gets_a_purpose_and_loses_it_again(kith: Den) -> None:
    command = "config channel game"
    nothing = await use(kith, kith.moderator, command, action="list")
    assert nothing.content == "**Game channels:** none yet."
    added = await use(kith, kith.moderator, command, action="add", topics="gta, heists,, ")
    assert added.content.startswith(f"**Game channels:** <#{kith.general.id}> is added; ")
    listed = await use(kith, kith.moderator, command, action="list")
    assert listed.content.endswith(f"- <#{kith.general.id}> (topics: gta, heists)")
    removed = await use(kith, kith.moderator, command, action="remove")
    assert removed.content == f"**Game channels:** <#{kith.general.id}> is removed."
    again = await use(kith, kith.moderator, command, action="remove")
    assert again.content == f"**Game channels:** <#{kith.general.id}> is not one of them."
    assert again.ephemeral


async def test_the_time_zone_is_found_by_typing_and_told_to_the_model(kith: Den) -> None:
    offered = await choices(kith, kith.moderator, "config timezone", "name", "new york")
    assert offered == ["America/New_York"]
    assert len(await choices(kith, kith.moderator, "config timezone", "name", "")) == 25
    wrong = await use(kith, kith.moderator, "config timezone", name="Mars/Olympus")
    assert wrong.content.startswith("That is no time zone I know;")
    chosen = await use(kith, kith.moderator, "config timezone", name="America/New_York")
    assert chosen.content == "This server's time zone is **America/New_York** now."
    assert "(America/New_York)" in prompt_of((await _prompt_after(kith, "hi")), "system")


async def test_help_and_privacy_are_for_everybody_everywhere(kith: Den) -> None:
    for place in (kith.general, kith.dm(kith.alice)):
        helped = await use(kith, kith.alice, "help", place)
        assert helped.ephemeral
        assert "</memory show:" in helped.embeds[0]["description"]
        private = await use(kith, kith.alice, "privacy", place)
        assert private.ephemeral
        assert "**What I keep.**" in private.content


async def test_commands_are_synchronised_only_when_they_changed(den: Den) -> None:
    async with den.awake():
        assert den.fake.command_syncs == [None]
    async with den.awake():
        await den.talk(den.alice, "hello")
        assert len(den.fake.command_syncs) == 1
        den.client.tree.remove_command("privacy")
        await den.client._synchronise_commands()
        assert len(den.fake.command_syncs) == 2


# --- upkeep -----------------------------------------------------------------------------------


async def test_a_missed_pruning_is_caught_up_and_no_moderator_need_know(den: Den) -> None:
    reports = den.guild.add_text_channel("reports", private=True)
    reports.overwrite(den.guild.bot_role, allow=perms("view_channel"))
    async with den.awake():
        await den.teach(den.alice, "I own a boat")
        await use(den, den.moderator, "config channel log", action="add", channel=reports)
    den.clock.pass_time(31 * DAY_S)
    den.fake.advance(31 * DAY_S)
    async with den.awake():
        await den.caught_up()
        assert await den.known_of(den.alice) == []
        await den.calm()
        assert den.answers(reports) == []


async def test_the_default_of_consent_is_announced_for_all_to_read(kith: Den) -> None:
    lasting = await use(kith, kith.moderator, "config consent", default="lasting")
    assert not lasting.ephemeral
    assert lasting.content.startswith("From now on I remember lastingly")
    shown = await use(kith, kith.alice, "memory consent")
    assert shown.content.startswith("**Now:** I remember you lastingly (the default here).")
    temporary = await use(kith, kith.moderator, "config consent", default="temporary")
    assert temporary.content.startswith("From now on I forget")
    assert "**everyone** can read" in (await use(kith, kith.moderator, "config baserole")).content


async def test_a_longer_default_is_not_announced_where_only_some_can_read(kith: Den) -> None:
    staff = kith.guild.add_text_channel("staff", private=True)
    for role in (kith.guild.bot_role, *kith.moderator.roles):
        staff.overwrite(role, allow=perms("view_channel"))
    await kith.calm()
    refused = await use(kith, kith.moderator, "config consent", place=staff, default="lasting")
    assert refused.ephemeral
    assert "a channel that everyone can read" in refused.content
    page = await use(kith, kith.moderator, "setup", place=staff)
    while "**Memory.**" not in page.content:
        page = await (await kith.fake.click(kith.moderator, page, "Next")).edited()
    chosen = await kith.fake.select(kith.moderator, page, ["lasting"])
    assert "a channel that everyone can read" in (await chosen.followup()).content
    shown = await use(kith, kith.alice, "memory consent")
    assert shown.content.startswith("**Now:** I forget what you say 30 days after")
    shorter = await use(kith, kith.moderator, "config consent", place=staff, default="temporary")
    assert shorter.content.startswith("From now on I forget")


async def test_a_list_that_no_single_message_holds_is_sent_in_several(kith: Den) -> None:
    for day in range(1, 21):
        options = {"when": f"in {day} days", "text": f"task {day} {'x' * 200}"}
        await use(kith, kith.alice, "remind me", **options)
    listed = await kith.fake.slash(kith.alice, kith.general, "remind list")
    first, second = await listed.reply(), await listed.followup()
    assert first.ephemeral
    assert second.ephemeral
    assert "task 1 " in first.content
    assert "task 10 " in second.content
