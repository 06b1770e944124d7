"""Voice and stage chats, forums and their posts: Kith answers there, and recalls by their rules."""

from tests.e2e.den import Den
from tests.e2e.test_audience_e2e import comes_to_mind
from tests.fakes.discord import Channel, perms
from tests.fakes.discord.things import FORUM, STAGE, VOICE

VIEW, CONNECT = perms("view_channel"), perms("connect")


async def close(kith: Den, channel: Channel, permission: int) -> None:
    """Take a permission from everybody but Kith and Alice."""
    for reader in (kith.guild.bot_role, kith.alice):
        await kith.fake.set_overwrite(channel, reader, allow=permission)
    await kith.fake.set_overwrite(channel, kith.guild.everyone, deny=permission)
    await kith.calm()


async def test_kith_answers_in_voice_and_stage_chats_and_keeps_what_few_may_join(kith: Den) -> None:
    chats = [kith.guild.add_channel(name, kind) for name, kind in (("a", VOICE), ("b", STAGE))]
    await kith.teach(kith.alice, "I own a boat", chats[0])
    for place in (*chats, kith.general):
        assert await comes_to_mind(kith, place)
    for chat in chats:  # everybody sees that it is there, and cannot join
        await close(kith, chat, CONNECT)
    assert await comes_to_mind(kith, chats[0])
    assert await comes_to_mind(kith, chats[1])  # the same people may join
    assert not await comes_to_mind(kith, kith.general)
    await kith.fake.set_overwrite(chats[1], kith.bob, allow=CONNECT)
    await kith.calm()
    assert not await comes_to_mind(kith, chats[1])


async def test_kith_answers_in_forum_posts_and_what_they_say_belongs_to_the_forum(
    kith: Den,
) -> None:
    forum = kith.guild.add_channel("questions", FORUM)
    post, asked = await kith.fake.open_post(kith.alice, forum, "Boats", "<@bot> I own a boat")
    await kith.answer_to(asked)
    await kith.app.memory.recorder.settle()
    another, asked = await kith.fake.open_post(kith.alice, forum, "More", "<@bot> hello there")
    await kith.answer_to(asked)
    assert await comes_to_mind(kith, another)
    assert await comes_to_mind(kith, kith.general)
    await close(kith, forum, VIEW)
    assert await comes_to_mind(kith, post)
    assert await comes_to_mind(kith, another)
    assert not await comes_to_mind(kith, kith.general)
