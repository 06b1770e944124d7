"""Attempts to see more than one may: lists left open, rights lost, and other people's tools."""

from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import teach_many, use
from tests.fakes.discord import perms
from utils.models.memory import Member

COUNT = 11


async def open_list(kith: Den, command: str, **options: object):
    used = await kith.fake.slash(kith.moderator, kith.general, command, options)
    return await used.reply()


async def test_a_list_left_open_shows_nothing_forgotten_meanwhile(kith: Den) -> None:
    await use(kith, kith.moderator, "mod policy set", moderators_see_members=True)
    await teach_many(kith, kith.alice, COUNT)
    own = await use(kith, kith.alice, "memory show")
    found = await open_list(kith, "mod search", member=kith.alice, words="number")
    listed = await open_list(kith, "mod memory", member=kith.alice)
    for page in (own, found, listed):
        assert "number 10" in page.content
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.alice.id))
    for who, page in ((kith.alice, own), (kith.moderator, found), (kith.moderator, listed)):
        turned = await kith.fake.click(who, page, "Older")
        assert "number" not in (await turned.reply()).content.replace("“number”", "")


async def test_a_list_left_open_ends_with_the_servers_leave_and_with_the_moderators_rights(
    kith: Den,
) -> None:
    await use(kith, kith.moderator, "mod policy set", moderators_see_members=True)
    await teach_many(kith, kith.alice, COUNT)
    page = await open_list(kith, "mod memory", member=kith.alice)
    await use(kith, kith.moderator, "mod policy set", moderators_see_members=False)
    refused = await kith.fake.click(kith.moderator, page, "Older")
    assert "belongs to them" in (await refused.reply()).content
    assert "Page 1 of 2" in page.content
    await use(kith, kith.moderator, "mod policy set", moderators_see_members=True)
    page = await open_list(kith, "mod memory", member=kith.alice)
    for role in kith.moderator.roles:
        await kith.fake.set_role_permissions(role, perms("view_channel"))
    refused = await kith.fake.click(kith.moderator, page, "Older")
    assert "belongs to them" in (await refused.reply()).content


async def test_a_list_of_what_waits_shows_nothing_forgotten_meanwhile(kith: Den) -> None:
    await use(kith, kith.moderator, "mod policy set", mode="manual")
    await kith.teach(kith.alice, "I own a boat. I own a car. I own a bike. I own a kite.")
    await kith.teach(kith.bob, "I own a drum.")
    page = await open_list(kith, "mod review")
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.bob.id))
    page = await (await kith.fake.click(kith.moderator, page, "Next")).reply()
    assert "drum" not in page.content
    for role in kith.moderator.roles:
        await kith.fake.set_role_permissions(role, perms("view_channel"))
    refused = await kith.fake.click(kith.moderator, page, "Back")
    assert "moderators" in (await refused.reply()).content.lower()


async def test_a_mention_in_a_direct_message_tells_nothing_of_the_mentioned(kith: Den) -> None:
    await kith.teach(kith.alice, "I own a boat", kith.dm(kith.alice))
    await kith.teach(kith.alice, "I own a kite")
    for words in (f"what does <@{kith.alice.id}> own?", "what does Alice own?"):
        await kith.talk(kith.bob, words, kith.dm(kith.bob))
        prompt = str(kith.prompts()[-1]["messages"])
        assert "boat" not in prompt
        assert "kite" not in prompt
