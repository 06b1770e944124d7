"""/setup, /config show, and the channels in which Kith never answers."""

import pytest

from cogs.sentiment.watch_text import NO_LONGER_WATCHED, NOTICE
from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import use
from tests.fakes.discord import CannotDo, Message, perms
from tests.fakes.discord.things import MEDIA
from utils.models.guild import Purpose
from utils.models.memory import Consent
from utils.models.sentiment import PassiveMemory


async def turned_to(kith: Den, page: Message, words: str) -> Message:
    """Press Next until the page with these words is shown."""
    for _ in range(8):
        if words in page.content:
            return page
        page = await (await kith.fake.click(kith.moderator, page, "Next")).edited()
    raise AssertionError(f"no page says {words!r}")


async def chosen(kith: Den, page: Message, which: str, *values: object) -> Message:
    return await (await kith.fake.select(kith.moderator, page, list(values), which)).edited()


async def settings_of(kith: Den):
    kith.clock.pass_time(6)
    return await kith.app.guilds.settings.get(kith.guild.id)


async def test_answering_only_in_some_channels(kith: Den) -> None:
    lounge, corner = kith.guild.add_text_channel("lounge"), kith.guild.add_text_channel("corner")
    thread = corner.add_thread("aside", owner=kith.alice)
    page = await use(kith, kith.moderator, "setup")
    await chosen(kith, page, "Answer only in these (nothing: everywhere)", corner)
    await chosen(kith, page, "Chat channels", lounge)
    await settings_of(kith)
    assert await kith.stays_silent(await kith.say(kith.alice, "hello"))
    for place in (corner, thread, lounge):
        await kith.talk(kith.alice, "hello", place)
    await kith.talk(kith.alice, "hello", kith.dm(kith.alice))
    given = {"action": "remove", "channel": corner}
    assert "is removed" in (await use(kith, kith.moderator, "config channel only", **given)).content
    await settings_of(kith)
    await kith.talk(kith.alice, "hello")


# --- setup ------------------------------------------------------------------------------------


async def test_setup_guides_through_everything_in_one_message(kith: Den) -> None:
    lounge, reports, quiet = (
        kith.guild.add_text_channel(name) for name in ("lounge", "reports", "quiet")
    )
    verified = kith.guild.add_role("Verified", perms("view_channel"))
    page = await use(kith, kith.moderator, "setup")
    assert page.ephemeral and "step 1 of 7" in page.content
    await chosen(kith, page, "Chat channels", lounge)
    await chosen(kith, page, "Log channel", reports)
    page = await chosen(kith, page, "Channels where I never answer", quiet)
    page = await turned_to(kith, page, "**Mode.**")
    page = await chosen(kith, page, "Mode", "dry-wit")
    page = await turned_to(kith, page, "**Time zone.**")
    page = await chosen(kith, page, "Time zone", "Asia/Tokyo")
    assert "**Asia/Tokyo**" in page.content
    page = await turned_to(kith, page, "**Base role.**")
    for roles in [], [verified]:
        page = await chosen(kith, page, "Base role (nothing: everyone)", *roles)
    assert verified.mention in page.content
    used = await kith.fake.click(kith.moderator, page, "Back")
    await kith.fake.delete_role(verified)
    page = await turned_to(kith, await used.edited(), "**Base role.**")
    assert "The base role is gone" in page.content and "everyone**" not in page.content
    page = await turned_to(kith, page, "**Permissions.**")
    assert "step 7 of 7" in page.content
    with pytest.raises(CannotDo):
        await kith.fake.click(kith.moderator, page, "Next")
    page = await (await kith.fake.click(kith.moderator, page, "Done")).edited()
    assert page.content.startswith("That's it.")
    assert page.components == []

    settings = await settings_of(kith)
    places = {p: [c.channel_id for c in settings.channels_for(p)] for p in Purpose}
    assert [places[purpose] for purpose in (Purpose.CHAT, Purpose.LOG, Purpose.NEVER)] == [
        [channel.id] for channel in (lounge, reports, quiet)
    ]
    assert (settings.mode, settings.time_zone, settings.base_role_id) == (
        "dry-wit",
        "Asia/Tokyo",
        verified.id,
    )
    assert kith.answers() == []  # nobody else saw anything


async def test_the_default_of_consent_is_announced_where_everybody_reads_it(kith: Den) -> None:
    page = await turned_to(kith, await use(kith, kith.moderator, "setup"), "**Memory.**")
    page = await chosen(kith, page, "Memory of those who have not chosen", "lastingly")
    told = await kith.fake.wait_message(kith.general)
    assert told.content.startswith("From now on I remember lastingly")
    assert not told.ephemeral
    assert not kith.fake.pings(told)
    assert (await settings_of(kith)).consent_default is Consent.LASTING
    await chosen(kith, page, "Memory of those who have not chosen", "lastingly")
    assert len(kith.answers()) == 1  # nothing changed, nothing is announced
    page = await chosen(
        kith, page, "Memory of those who have not chosen", "for 30 days (temporary)"
    )
    assert "**for 30 days (temporary)**" in page.content
    assert (await settings_of(kith)).consent_default is Consent.TEMPORARY


async def test_the_check_says_what_is_missing_and_what_to_click(kith: Den) -> None:
    hidden = kith.guild.add_text_channel("hidden")
    silent = kith.guild.add_text_channel("silent")
    await kith.fake.set_overwrite(hidden, kith.guild.everyone, deny=perms("view_channel"))
    await kith.fake.set_overwrite(silent, kith.guild.everyone, deny=perms("send_messages"))
    for channel in (hidden, silent):
        await kith.app.guilds.settings.add_channel(kith.guild.id, channel.id, Purpose.CHAT)
    await kith.app.guilds.settings.set_values(kith.guild.id, talk_role_ids=(hidden.id,))
    page = await turned_to(kith, await use(kith, kith.moderator, "setup"), "**Permissions.**")
    role = kith.guild.bot_role
    assert "The roles whose members I answer are gone" in page.content
    assert f"<#{hidden.id}>: *View Channel* is denied." in page.content
    assert (
        f"<#{silent.id}>: *Send Messages* is denied. Click *Edit Channel → Permissions*, choose "
        f"(or add) *{role.name}*, and set it to ✓."
    ) in page.content
    await kith.fake.set_overwrite(hidden, kith.guild.bot_role, allow=perms("view_channel"))
    await kith.fake.set_overwrite(silent, kith.guild.bot_role, allow=perms("send_messages"))
    await kith.app.guilds.settings.set_values(kith.guild.id, talk_role_ids=(hidden.id, role.id))
    await kith.calm()
    page = await (await kith.fake.click(kith.moderator, page, "Check again")).edited()
    assert "✅ I have every permission I need" in page.content


# --- watching ---------------------------------------------------------------------------------

LIST = "Watched channels"


async def watched_in(kith: Den) -> dict[int, PassiveMemory]:
    return {
        one.channel_id: one.memory
        for one in await kith.app.sentiment.channels.channels(kith.guild.id)
    }


async def test_watched_channels_are_chosen_in_a_list_and_say_so(kith: Den) -> None:
    lounge = kith.guild.add_text_channel("lounge")
    await use(kith, kith.moderator, "mod watch add", channel=lounge, memory="opt-out")
    (first,) = kith.answers(lounge)
    gallery = kith.guild.add_channel("gallery", MEDIA)
    await kith.app.sentiment.channels.add(kith.guild.id, gallery.id, PassiveMemory.OPT_IN)
    page = await turned_to(kith, await use(kith, kith.moderator, "setup"), "**Watching.**")
    assert str(gallery.id) in str(page.components)  # or the next choice would unwatch it unseen
    page = await chosen(kith, page, LIST, lounge, kith.general)
    (notice,) = kith.answers()
    assert notice.content == NOTICE[PassiveMemory.OPT_IN]
    assert await watched_in(kith) == {
        lounge.id: PassiveMemory.OPT_OUT,  # it stays as it was
        kith.general.id: PassiveMemory.OPT_IN,
    }
    assert kith.answers(lounge) == [first]
    page = await chosen(kith, page, LIST, kith.general)
    assert first.content == NO_LONGER_WATCHED
    assert set(await watched_in(kith)) == {kith.general.id}
    await chosen(kith, page, LIST)
    assert notice.content == NO_LONGER_WATCHED
    assert await watched_in(kith) == {}


async def test_where_no_notice_can_be_posted_nothing_of_the_choice_is_carried_out(
    kith: Den,
) -> None:
    lounge, quiet = (kith.guild.add_text_channel(name) for name in ("lounge", "quiet"))
    quiet.overwrite(kith.guild.me, deny=perms("send_messages"))
    page = await turned_to(kith, await use(kith, kith.moderator, "setup"), "**Watching.**")
    page = await chosen(kith, page, LIST, kith.general)
    used = await kith.fake.select(kith.moderator, page, [lounge, quiet], LIST)
    told = await used.followup()
    assert told.ephemeral
    assert told.content.startswith(f"I can't watch <#{quiet.id}>: give me *View Channel*")
    assert set(await watched_in(kith)) == {kith.general.id}
    assert kith.answers(lounge) == []


# --- config show ------------------------------------------------------------------------------


async def test_channels_without_recall_are_named_with_the_reason(kith: Den) -> None:
    guest = kith.guild.add_role("Guest")
    reception = kith.guild.add_text_channel("reception")
    kith.general.overwrite(guest, deny=perms("view_channel"))
    reception.overwrite(kith.guild.bot_role, allow=perms("read_message_history"))
    reception.overwrite(kith.guild.everyone, deny=perms("read_message_history"))
    await kith.calm()
    shown = (await use(kith, kith.moderator, "config show")).content
    for line in (
        "**Where I recall**",
        f"- In {reception.mention} I only follow the running conversation and use nothing said "
        "before: *Read Message History* is missing there for members without a role.",
        f"- What was said in {kith.general.mention} I use only where everyone can read it: *View "
        f"Channel* is missing there for members with {guest.mention}.",
    ):
        assert line in shown


# --- channels where Kith never answers --------------------------------------------------------


async def test_in_such_a_channel_nobody_is_answered_and_nothing_is_kept(kith: Den) -> None:
    first = await kith.talk(kith.alice, "hello")
    thread = kith.general.add_thread("later", owner=kith.alice)
    await use(kith, kith.moderator, "config channel chat", action="add")
    await use(kith, kith.moderator, "config channel never", action="add")
    for asked in (
        await kith.say(kith.alice, "and now?"),
        await kith.fake.say(kith.alice, kith.general, "a reply", reply_to=first),
        await kith.fake.say(kith.alice, kith.general, "just talking"),
    ):
        assert await kith.stays_silent(asked)
    assert await kith.stays_silent(await kith.say(kith.alice, "in a thread", thread))
    assert len(kith.prompts()) == 1
    kept = await kith.last_turns()
    assert [event.text for event in kept][1:] == ["Hello from the fake model."]
    assert (await kith.talk(kith.alice, "psst", kith.dm(kith.alice))).content
    await use(kith, kith.moderator, "config channel never", action="remove")
    await kith.talk(kith.alice, "and now?")


async def test_commands_still_work_there_but_none_speaks_to_the_channel(kith: Den) -> None:
    await use(kith, kith.moderator, "config channel never", action="add")
    assert (await use(kith, kith.alice, "memory show")).ephemeral
    for who, command, options in (
        (kith.alice, "reset", {}),
        (kith.moderator, "config consent", {"default": "lasting"}),
    ):
        refused = await use(kith, who, command, **options)
        assert refused.ephemeral
        assert refused.content.startswith("Moderators chose that I answer nobody in this channel")
    page = await turned_to(kith, await use(kith, kith.moderator, "setup"), "**Memory.**")
    used = await kith.fake.select(
        kith.moderator, page, ["lastingly"], "Memory of those who have not chosen"
    )
    told = await used.followup()
    assert told.ephemeral
    assert told.content.startswith("Moderators chose")
    assert (await settings_of(kith)).consent_default is Consent.TEMPORARY
    assert kith.answers() == []
