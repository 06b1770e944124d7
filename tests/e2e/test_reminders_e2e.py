"""Reminders: asked for in chat or with a command, delivered once, late after downtime."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from cogs.reminders.delivery import ReminderDelivery
from tests.e2e.den import Den
from tests.e2e.test_chat_tools_e2e import calling
from tests.e2e.test_commands_e2e import choices, use
from tests.fakes.discord import Channel, Member, Message, perms
from tests.fakes.discord.mentions import Pings
from utils.database.schema.memory_tables import memory_event
from utils.memory.member_data.reminders import HELD_FOR, MAX_LATE, Reminders
from utils.models.episode import OpenLoop
from utils.models.guild import Purpose
from utils.models.memory import Consent
from utils.models.memory import Member as Known
from utils.nlp.dates.clock_times import read_time

CALL = {"what": "call mum", "when": "in 20 minutes"}


@pytest.fixture
def kith(hasty_kith: Den) -> Den:
    return hasty_kith


async def delivered(den: Den, client: int = -1) -> None:
    """Return when what is due was delivered."""
    cog = den.clients[client].get_cog("ReminderDelivery")
    assert isinstance(cog, ReminderDelivery)
    await cog.deliver_due()
    await den.calm()


def reminders(den: Den, channel: Channel) -> list[Message]:
    said = den.fake.messages(channel, author=den.fake.bot_user)
    return [message for message in said if message.content.startswith("⏰")]


def in_minutes(den: Den, minutes: int) -> datetime:
    """Return the whole minute that begins so many minutes later."""
    return den.clock.now().replace(second=0, microsecond=0) + timedelta(minutes=minutes)


def known(den: Den, who: Member) -> Known:
    return Known(den.guild.id, who.id)


async def test_a_reminder_of_the_chat_comes_once_where_it_was_asked_for_and_pings_only_its_member(
    kith: Den, tmp_path: Path
) -> None:
    words = f"call mum <@{kith.bob.id}> @everyone"
    kith.model.reply_with(calling("remind", CALL | {"what": words}))
    answer = await kith.talk(kith.alice, f"remind me in 20 minutes to {words}")
    assert answer.content.startswith("So: Noted: I remind them here on ")
    await delivered(kith)
    assert reminders(kith, kith.general) == []
    assert "I remind you of this" in (await use(kith, kith.alice, "memory show")).content
    await kith.app.admin.archive.export(tmp_path / "made.zip", guild_id=kith.guild.id)
    kith.clock.pass_time(20 * 60)
    await delivered(kith)
    await kith.app.admin.archive.import_(tmp_path / "made.zip")
    await delivered(kith)
    (sent,) = reminders(kith, kith.general)
    assert sent.content.startswith(f"⏰ <@{kith.alice.id}> call mum")
    assert "late" not in sent.content
    assert kith.fake.pings(sent) == Pings(users=frozenset({kith.alice.id}))
    assert "nothing to remind" in (await use(kith, kith.alice, "remind list")).content
    kith.model.reply_with(calling("remind", CALL | {"when": "in 2 hours"}))
    assert "An earlier reminder" in (await kith.talk(kith.alice, "do that in 2 hours")).content


async def test_members_list_and_cancel_only_their_own_and_days_are_in_their_zone(kith: Den) -> None:
    assert await choices(kith, kith.alice, "kith timezone", "name", "tokyo") == ["Asia/Tokyo"]
    wrong = await use(kith, kith.alice, "kith timezone", name="Mars")
    assert "no time zone I know" in wrong.content
    await use(kith, kith.alice, "kith timezone", name="Asia/Tokyo")
    asked = await use(kith, kith.alice, "remind me", when="tomorrow at 6 am", text="feed the *cat*")
    assert "by direct message" in asked.content
    assert "Asia/Tokyo" in asked.content
    (reminder,) = await kith.app.memory.reminders.of_member(known(kith, kith.alice))
    assert reminder.due_at is not None
    assert reminder.due_at.hour == 21  # 6 o'clock in Tokyo
    export = await kith.app.memory.member_data.export(
        known(kith, kith.alice),
        await kith.app.memory.reminders.zone(known(kith, kith.alice), "UTC"),
    )
    assert "feed the *cat*" in export.text
    assert "Asia/Tokyo" in export.text
    number = str(reminder.id)
    assert "no reminder" in (await use(kith, kith.bob, "remind cancel", reminder=number)).content
    assert await choices(kith, kith.alice, "remind cancel", "reminder", "CAT") == ["feed the *cat*"]
    assert r"feed the \*cat\*" in (await use(kith, kith.alice, "remind list")).content
    assert "Cancelled" in (await use(kith, kith.alice, "remind cancel", reminder=number)).content


async def test_a_missed_one_is_late_and_says_so_and_none_comes_twice_after_a_kill(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    due_at = in_minutes(den, 20)
    async with den.awake():
        when = f"every day at {due_at:%H:%M}"
        await use(den, den.alice, "remind me", when=when, text="tea", where="here")
    den.clock.pass_time(3 * 3600)
    den.fake.world.clock.advance(3 * 3600)
    finish, killed = Reminders.finish, []

    async def kill(self: Reminders, reminder: object, *, is_delivered: bool) -> None:
        killed.append(reminder)

    async def claim_late(self: Reminders, reminder: OpenLoop) -> bool:
        late.append(reminder)
        await den.fake.wait_until(lambda: len(late) > 1, "another process is held up as well")
        return await claim(self, reminder) or True

    claim, late = Reminders.claim, list[OpenLoop]()
    monkeypatch.setattr(Reminders, "claim", claim_late)
    monkeypatch.setattr(Reminders, "finish", kill)
    async with den.awake(clients=2):
        await asyncio.gather(delivered(den, 0), delivered(den, 1))
        await den.fake.wait_until(lambda: len(killed) > 1, "it is sent, and not yet noted as sent")
        (sent,) = reminders(den, den.general)
        assert "I was away, so this is late" in sent.content
    monkeypatch.setattr(Reminders, "claim", claim)
    monkeypatch.setattr(Reminders, "finish", finish)
    den.clock.pass_time(HELD_FOR / timedelta(seconds=1) + 1)
    async with den.awake():
        await delivered(den)
        assert reminders(den, den.general) == [sent]
        left = await den.app.memory.reminders.of_member(known(den, den.alice))
        assert [reminder.due_at for reminder in left] == [due_at + timedelta(days=1)]


async def test_a_repeated_reminder_comes_at_each_of_its_times_is_skipped_and_ended(
    kith: Den,
) -> None:
    due_at = in_minutes(kith, 21 * 60)
    chosen = {"when": f"every day at {due_at:%H:%M}", "text": "take the pill", "where": "here"}
    asked = await use(kith, kith.alice, "remind me", **chosen)
    first, second, third = (int((due_at + timedelta(days=days)).timestamp()) for days in range(3))
    assert f"<t:{first}:F> (<t:{first}:R>) 🔁 <t:{second}:f> · <t:{third}:f> … until <t:" in (
        asked.content
    )
    (reminder,) = await kith.app.memory.reminders.of_member(known(kith, kith.alice))
    number = str(reminder.id)
    kith.clock.pass_time(21 * 3600)
    kith.fake.world.clock.advance(21 * 3600)
    await delivered(kith)
    await delivered(kith)
    assert len(reminders(kith, kith.general)) == 1
    assert f"<t:{second}:F>" in (await use(kith, kith.alice, "remind list")).content
    skipped = (await use(kith, kith.alice, "remind skip", reminder=number)).content
    assert f"Skipped. The next time is <t:{third}:F>" in skipped
    kith.clock.pass_time(24 * 3600)
    kith.fake.world.clock.advance(24 * 3600)
    await delivered(kith)
    assert len(reminders(kith, kith.general)) == 1
    kith.clock.pass_time(24 * 3600)
    kith.fake.world.clock.advance(24 * 3600)
    await delivered(kith)
    assert len(reminders(kith, kith.general)) == 2
    assert "late" not in reminders(kith, kith.general)[-1].content
    assert "Cancelled" in (await use(kith, kith.alice, "remind cancel", reminder=number)).content


async def test_the_models_time_and_the_members_words_must_agree(kith: Den) -> None:
    def set_for(at: str, when: str = "tomorrow at 6 pm EST") -> object:
        return calling("remind", {"what": "call mum", "when": when, "at": at})

    said = "tomorrow at 6 pm EST"
    told_at = read_time(said, kith.clock.now(), UTC).at
    assert told_at is not None
    told, read_at = int(told_at.timestamp()), told_at - timedelta(hours=6)
    kith.model.reply_with(set_for(read_at.isoformat()))
    asked = await kith.talk(kith.alice, f"remind me to call mum {said}")
    other = int(read_at.timestamp())
    assert f"-# Not done: That could be <t:{told}:F> or <t:{other}:F>." in asked.content
    kith.model.reply_with(set_for(told_at.isoformat(), "demnächst"))
    asked = await kith.talk(kith.alice, "remind me to call mum demnächst")
    assert f"I would read that as <t:{told}:F>, but I am not sure" in asked.content
    assert await kith.app.memory.reminders.of_member(known(kith, kith.alice)) == []
    # the answer to the question need not repeat what it is about
    exact = f"{told_at:%Y-%m-%d %H:%M} UTC"
    kith.model.reply_with(set_for(told_at.isoformat(), exact))
    noted = await kith.talk(kith.alice, f"{exact} please")
    zone = "(Time zone: UTC; `/kith timezone` changes it.)"
    assert f"-# ⏰ <t:{told}:F> (<t:{told}:R>) {zone}" in noted.content
    assert len(await kith.app.memory.reminders.of_member(known(kith, kith.alice))) == 1


async def test_without_the_channel_it_comes_directly_and_to_nobody_who_left_or_opted_out(
    kith: Den,
) -> None:
    room = kith.guild.add_text_channel("room")
    for who in (kith.alice, kith.bob, kith.moderator):
        await use(kith, who, "remind me", place=room, when="in 1 hour", text="tea", where="here")
    await use(kith, kith.alice, "remind me", when="in 1 hour", text="quiet", where="here")
    await kith.app.guilds.settings.add_channel(kith.guild.id, kith.general.id, Purpose.NEVER)
    await kith.app.memory.editor.forget_all(known(kith, kith.moderator))
    await kith.fake.leave(kith.bob)
    await kith.fake.delete_channel(room)
    await kith.calm()
    kith.clock.pass_time(3601)
    kith.fake.fail("POST", "/channels/*/messages", times=2, status=403)  # by Cloudflare
    await delivered(kith)
    kith.clock.pass_time(121)
    await delivered(kith)
    texts = [message.content for message in reminders(kith, kith.dm(kith.alice))]
    assert texts == [f"⏰ <@{kith.alice.id}> {text}" for text in ("tea", "quiet")]
    assert reminders(kith, kith.general) == []
    assert reminders(kith, kith.dm(kith.bob)) == reminders(kith, kith.dm(kith.moderator)) == []


async def test_kith_posts_for_nobody_what_they_may_not_post_there_themselves(kith: Den) -> None:
    news, room = kith.guild.add_text_channel("news"), kith.guild.add_text_channel("room")
    chosen = {"when": "in 1 hour", "where": "here"}
    await use(kith, kith.alice, "remind me", place=news, text="read this", **chosen)
    await use(kith, kith.bob, "remind me", place=room, text="and this", **chosen)
    news.overwrite(kith.guild.everyone, deny=perms("send_messages"))
    news.overwrite(kith.guild.bot_role, allow=perms("send_messages"))
    await kith.calm()
    for place, text in ((news, "tea"), (kith.general, "tell the faggots")):
        refused = await use(kith, kith.alice, "remind me", place=place, text=text, **chosen)
        assert "can't post that here for you" in refused.content
    kith.bob.timed_out_until = kith.fake.world.clock.now() + timedelta(days=1)
    kith.clock.pass_time(3601)
    await delivered(kith)
    assert [reminders(kith, place) for place in (news, room, kith.general)] == [[], [], []]
    texts = [message.content for message in reminders(kith, kith.dm(kith.alice))]
    assert [text.partition("> ")[2].split("\n")[0] for text in texts] == ["read this"]
    assert len(reminders(kith, kith.dm(kith.bob))) == 1


async def test_what_was_sent_goes_with_the_words_that_it_repeats(kith: Den) -> None:
    kith.model.reply_with(calling("remind", CALL))
    await kith.talk(kith.alice, "remind me in 20 minutes to call mum")
    asked = kith.fake.messages(kith.general, author=kith.alice)[-1]
    for where in ("here", "direct"):
        await use(kith, kith.bob, "remind me", when="in 20 minutes", text="see Rex", where=where)
    kith.clock.pass_time(20 * 60)
    await delivered(kith)
    places = (kith.general, kith.dm(kith.bob))
    assert [len(reminders(kith, place)) for place in places] == [2, 1]
    await kith.fake.delete(asked)
    await kith.fake.wait_until(
        lambda: (
            [message.content for message in reminders(kith, kith.general)]
            == [f"⏰ <@{kith.bob.id}> see Rex"]
        ),
        "what repeats a deleted message is deleted too",
    )
    await kith.app.memory.editor.forget_all(known(kith, kith.bob))
    await kith.fake.wait_until(
        lambda: not any(reminders(kith, place) for place in places),
        "what repeats forgotten words is deleted too",
    )


async def test_what_was_sent_is_stored_no_longer_than_the_reminder(kith: Den) -> None:
    await kith.app.guilds.settings.set_values(kith.guild.id, consent_default=Consent.LASTING)
    await kith.app.memory.editor.set_consent(known(kith, kith.bob), Consent.TEMPORARY)
    await use(kith, kith.bob, "remind me", when="in 20 minutes", text="see Rex", where="here")
    kith.clock.pass_time(20 * 60)
    await delivered(kith)
    assert reminders(kith, kith.general)
    ends = await kith.app.database.read(
        lambda connection: connection.scalars(
            select(memory_event.c.ExpiresAt).where(memory_event.c.Text.contains("see Rex"))
        ).all()
    )
    assert [end <= kith.clock.now() + MAX_LATE for end in ends] == [True]


async def test_what_is_erased_while_it_is_sent_is_taken_back(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    await use(kith, kith.bob, "remind me", when="in 20 minutes", text="see Rex", where="here")
    kith.clock.pass_time(20 * 60)
    claim = Reminders.claim

    async def claim_and_forget(self: Reminders, reminder: OpenLoop) -> bool:
        is_claimed = await claim(self, reminder)
        await kith.app.memory.editor.forget_all(known(kith, kith.bob))
        return is_claimed

    monkeypatch.setattr(Reminders, "claim", claim_and_forget)
    await delivered(kith)
    await kith.fake.wait_until(
        lambda: reminders(kith, kith.general) == [], "its words were erased before it stood there"
    )


async def test_a_reminder_asked_for_in_an_age_restricted_channel_comes_to_its_member_alone(
    kith: Den,
) -> None:
    adults = kith.guild.add_text_channel("adults")
    adults.nsfw = True
    await use(kith, kith.alice, "remind me", adults, when="in 20 minutes", text="the okapi party")
    kith.clock.pass_time(20 * 60)
    await delivered(kith)
    (sent,) = reminders(kith, kith.dm(kith.alice))
    assert "the okapi party" in sent.content
    for place in (kith.general, adults, kith.dm(kith.bob)):
        assert reminders(kith, place) == []
    await kith.talk(kith.alice, "what did I want with the okapi?")
    assert "party" not in str(kith.prompts()[-1]["messages"])
