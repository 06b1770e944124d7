"""Alerts with the real client: one for each incident, every button, permissions, restarts."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
import pytest_asyncio
from sqlalchemy import select

from cogs.sentiment import moderator_actions, reports
from cogs.sentiment.alerts import Alerts
from tests.e2e.den import Den
from tests.e2e.test_watching_e2e import watchful
from tests.fakes.discord import Channel, Member, Message, perms
from utils.common.errors import DatabaseUnavailable
from utils.common.prices import parse_prices
from utils.database.schema.memory_tables import alert, alert_message, moderator_action
from utils.database.sentiment import tension
from utils.models.memory import Consent, Event, Role
from utils.models.memory import Member as Known
from utils.models.sentiment import Score, ScoredBatch, ScoredMessage
from utils.sentiment.alert_service import POST_RETRY_AFTER

BAD = Score(-0.9, 0.92, 0.9, "insults p2 after being corrected")
MAY_DO = perms("moderate_members", "manage_channels")
STEERS = perms("manage_guild", "manage_messages", "manage_channels", "moderate_members")


@pytest.fixture
async def den(den: Den) -> Den:
    """A server with a log channel, where Kith and the moderators may do everything needed."""
    den.guild.bot_role.permissions |= MAY_DO
    (steers,) = [role for role in den.guild.roles.values() if role.name == "Moderator"]
    steers.permissions = STEERS
    return den


@pytest_asyncio.fixture(loop_scope="module")
async def kith(shared_kith: Den) -> Den:
    """Kith, started once for this module; each test has a server of its own, with a log channel."""
    await shared_kith.fake.set_role_permissions(
        shared_kith.guild.bot_role, shared_kith.guild.bot_role.permissions | MAY_DO
    )
    (steers,) = [r for r in shared_kith.guild.roles.values() if r.name == "Moderator"]
    await shared_kith.fake.set_role_permissions(steers, STEERS)
    await log_channel(shared_kith)
    return shared_kith


async def log_channel(kith: Den) -> Channel:
    reports = kith.guild.add_text_channel("reports")
    await use(kith, kith.moderator, "config channel log", action="add", channel=reports)
    return reports


def reports_of(kith: Den) -> Channel:
    return next(one for one in kith.guild.channels.values() if one.name == "reports")


async def use(kith: Den, who: Member, command: str, /, **options: Any) -> str:
    """Use a slash command and return what the person reads, and nobody else."""
    return (await used(kith, who, command, **options)).content


async def used(kith: Den, who: Member, command: str, /, **options: Any) -> Message:
    reply = await (await kith.fake.slash(who, kith.general, command, options)).reply()
    assert reply.ephemeral
    assert not kith.fake.pings(reply)
    return reply


async def press(kith: Den, who: Member, post: Message, which: str) -> str:
    """Press a button under an alert and return what whoever pressed is told."""
    reply = await (await kith.fake.click(who, post, which)).reply()
    assert reply.ephemeral
    return reply.content


async def scored(kith: Den, *said: tuple[Message, Score]) -> None:
    """Let the bot's watcher hand on a batch, stored as it is stored there."""
    app, now = kith.app, kith.app.clock.now()
    guild_id = said[0][0].channel.guild.id
    settings = await app.sentiment.channels.settings(guild_id)
    messages = tuple(
        ScoredMessage(
            Event(
                guild_id,
                one.channel.id,
                (one.channel.parent or one.channel).id,
                one.id,
                one.author.id,
                one.author.name,
                Role.MEMBER,
                one.content,
                one.created_at,
            ),
            score,
        )
        for one, score in said
    )

    def unit(connection):
        tension.save_scores(connection, messages)
        return app.sentiment.tension.store(connection, messages, settings)

    crossings = await app.database.write(unit)
    place = messages[0].message.source_id
    batch = ScoredBatch(guild_id, place, now, messages, crossings, settings)
    await alerts_of(kith).on_scored(batch)


def alerts_of(kith: Den) -> Alerts:
    cog = kith.client.get_cog("Alerts")
    assert isinstance(cog, Alerts)
    return cog


async def insult(kith: Den, who: Member | None = None, channel: Channel | None = None) -> Message:
    said = await kith.fake.say(who or kith.alice, channel or kith.general, "you absolute walnut")
    await scored(kith, (said, BAD))
    return said


async def raised(kith: Den, who: Member | None = None) -> Message:
    """Have one alert raised, and return its post."""
    await insult(kith, who)
    return await kith.fake.wait_message(reports_of(kith))


def posts(kith: Den) -> list[Message]:
    return kith.fake.messages(reports_of(kith), author=kith.fake.bot_user)


async def audit(kith: Den) -> list[tuple[Any, ...]]:
    columns = moderator_action.c

    def unit(connection):
        rows = connection.execute(
            select(
                columns.Act, columns.UserId, columns.ActorId, columns.Amount, columns.Done
            ).where(columns.GuildId == kith.guild.id)
        )
        return [tuple(row) for row in rows]

    return await kith.app.database.read(unit)


async def only_id(kith: Den) -> int:
    """The number of the only alert there is in the server."""
    number = select(alert.c.Id).where(alert.c.GuildId == kith.guild.id)
    return await kith.app.database.read(lambda connection: connection.scalars(number).one())


def is_out(member: Member) -> bool:
    return member.is_timed_out()


# --- one alert ----------------------------------------------------------------------------------


async def test_an_alert_is_calm_and_says_what_a_moderator_needs(kith: Den) -> None:
    calm = await kith.fake.say(kith.bob, kith.general, "lovely weather")
    await scored(kith, (calm, Score(0.1, 0.0, 0.1)))
    said = await insult(kith)
    post = await kith.fake.wait_message(reports_of(kith))
    assert "**Hurtful messages in " + kith.general.mention in post.content
    assert "Reached **0.92** (alerts from 0.80)" in post.content
    assert re.search(r"\) at <t:\d+:t>\.", post.content)  # one minute is named once
    absent = (kith.bob.mention, "would have", "walnut")  # nothing happens by itself
    assert [words for words in absent if words in post.content] == [] and not is_out(kith.alice)
    assert said.jump_url in post.content
    assert "insults somebody after being corrected" in post.content
    assert not kith.fake.pings(post)
    assert len(post.embeds) == 1
    (chart,) = post.attachments
    for words in ("Tension over the last 12 hours", "Alerts from toxicity 0.80."):
        assert words in chart["description"]  # the threshold that fired
    assert [one["label"] for row in post.components for one in row["components"]] == [
        *("Time out 10 min", "Time out 1 h", "Warn", "Slow mode 10 min", "Slow mode 1 h"),
        *("Show the lines", "Open case", "Dismiss", "False alarm"),
    ]


async def test_reasons_stay_where_everyone_reads_who_reads_the_alert(kith: Den) -> None:
    office = kith.guild.add_text_channel("office", private=True)
    for reader in (kith.guild.bot_role, kith.alice):
        office.overwrite(reader, allow=perms("view_channel"))
    said = await insult(kith, channel=office)
    post = await kith.fake.wait_message(reports_of(kith))
    assert said.jump_url in post.content
    assert "insults somebody" not in post.content


async def test_what_is_said_in_a_watched_channel_raises_an_alert(kith: Den) -> None:
    kith.model.extract_with(watchful)
    await use(kith, kith.moderator, "mod watch add")
    said = await kith.fake.say(kith.alice, kith.general, "you are such an idiot, Bob")
    await kith.calm()
    await kith.app.sentiment.watcher.settle()
    post = await kith.fake.wait_message(reports_of(kith))
    assert said.jump_url in post.content and "insults" in post.content
    assert "idiot" not in post.content
    await kith.fake.edit(said, "what a lovely day it is, Bob")
    await kith.calm()
    await kith.app.sentiment.watcher.settle()
    await alerts_of(kith).sweep()
    assert "insults" not in post.content  # a word on what nobody reads there any more


async def test_a_role_is_pinged_only_if_the_server_asks_for_it(kith: Den) -> None:
    (steers,) = [role for role in kith.guild.roles.values() if role.name == "Moderator"]
    steers.mentionable = True
    assert f"ping: **{steers.mention}**" in (
        await use(kith, kith.moderator, "mod tension settings", ping_role=steers)
    )
    assert kith.fake.pings(await raised(kith)).roles == frozenset({steers.id})
    assert "ping: **nobody**" in (
        await use(kith, kith.moderator, "mod tension settings", ping="nobody")
    )


@pytest.mark.parametrize("with_channel", [False, True])
async def test_a_deleted_message_leaves_the_alert_in_the_log_channel(
    kith: Den, with_channel: bool
) -> None:
    room = kith.guild.add_text_channel("room")
    said = await insult(kith, channel=room)
    post = await kith.fake.wait_message(reports_of(kith))
    await use(kith, kith.moderator, "mod watch add", channel=room)
    await scored(kith, (said, BAD))  # not shown yet
    await (kith.fake.delete_channel(room) if with_channel else kith.fake.delete(said))
    await kith.calm()
    kith.fake.fail("PATCH", f"/channels/{reports_of(kith).id}/messages/*", status=409)
    for _ in range(2):  # the first one in vain
        await alerts_of(kith).sweep()
    assert [words for words in (said.jump_url, "insults") if words in post.content] == []
    assert "can't tell whom it was about" in (await press(kith, kith.moderator, post, "Warn"))
    assert "were deleted" in await press(kith, kith.moderator, post, "Show the lines")


async def test_a_member_who_wants_nothing_stored_leaves_alerts_and_the_record(kith: Den) -> None:
    post = await raised(kith)
    await press(kith, kith.moderator, post, "Warn")
    assert len(await audit(kith)) == 1
    await kith.app.memory.editor.set_consent(Known(kith.guild.id, kith.alice.id), Consent.OFF)
    assert await audit(kith) == []
    messages = select(alert_message).where(alert_message.c.GuildId == kith.guild.id)
    assert await kith.app.database.read(lambda one: one.execute(messages).all()) == []
    await alerts_of(kith).sweep()
    assert kith.alice.mention not in post.content


# --- no log channel -----------------------------------------------------------------------------


async def test_an_alert_waits_for_a_log_channel(den: Den, caplog) -> None:
    async with den.awake():
        await insult(den)
        await insult(den, channel=(room := den.guild.add_text_channel("room")))
        await den.fake.delete_channel(room)
        await alerts_of(den).sweep()
        await alerts_of(den).sweep()
        assert caplog.text.count("alerts of server") == 1
        assert "There is no log channel" in await use(den, den.moderator, "mod tension settings")
        reports = await log_channel(den)
        await alerts_of(den).sweep()
        assert [den.general.mention in post.content for post in posts(den)] == [True]
        await den.fake.delete_channel(reports)
        await den.calm()
        assert "There is no log channel" in await use(den, den.moderator, "mod tension settings")


async def test_an_alert_that_discord_refuses_twice_is_tried_again_by_the_next_sweep(
    kith: Den,
) -> None:
    path = f"/channels/{reports_of(kith).id}/messages"
    refused = kith.fake.fail("POST", path, status=403, code=50013, times=2)
    await insult(kith)
    await kith.fake.wait_until(lambda: refused.met == 2, "two tries")
    await asyncio.gather(*alerts_of(kith)._showing)
    assert posts(kith) == []
    await alerts_of(kith).sweep()
    (post,) = posts(kith)
    assert len(post.attachments) == 1


async def test_an_alert_whose_answer_is_lost_is_there_once(kith: Den) -> None:
    path = f"/channels/{reports_of(kith).id}/messages"
    kith.fake.fail("POST", path, status=400, after=True)
    post = await raised(kith)
    await asyncio.gather(*alerts_of(kith)._showing)
    await alerts_of(kith).sweep()
    assert posts(kith) == [post]


# --- buttons ------------------------------------------------------------------------------------


async def test_a_time_out_is_given_once_in_the_moderators_name(kith: Den) -> None:
    post = await raised(kith)
    assert await press(kith, kith.moderator, post, "Time out 1 h") == (
        f"{kith.alice.mention} is timed out for 60 minutes."
    )
    left = kith.alice.timed_out_until - kith.app.clock.now()
    assert timedelta(minutes=59) < left <= timedelta(minutes=60)
    assert f"{kith.moderator.mention} timed out {kith.alice.mention} for 60 " in post.content
    assert await audit(kith) == [("time out", kith.alice.id, kith.moderator.id, 60, True)]
    assert await press(kith, kith.moderator, post, "Time out 1 h") == (
        f"<@{kith.moderator.id}> has already done that."
    )
    assert len(await audit(kith)) == 1


async def test_of_several_members_the_moderator_chooses_while_they_have_the_rights(
    kith: Den,
) -> None:
    await scored(
        kith,
        (await kith.fake.say(kith.alice, kith.general, "you walnut"), BAD),
        (await kith.fake.say(kith.bob, kith.general, "you coconut"), BAD),
    )
    post = await kith.fake.wait_message(reports_of(kith))
    asked = await (await kith.fake.click(kith.moderator, post, "Time out 10 min")).reply()
    assert asked.content == "Which member is it for?"
    chosen = await kith.fake.select(kith.moderator, asked, [str(kith.bob.id)])
    assert "is timed out for 10 minutes" in (await chosen.edited()).content
    assert is_out(kith.bob)
    assert not is_out(kith.alice)
    asked = await (await kith.fake.click(kith.moderator, post, "Warn")).reply()
    await kith.fake.change_member(kith.moderator, roles=[])
    chosen = await kith.fake.select(kith.moderator, asked, [str(kith.bob.id)])
    assert "You can't do that" in (await chosen.followup()).content
    assert not kith.fake.messages(kith.general, author=kith.fake.bot_user)


async def test_a_warning_reaches_the_member_where_they_wrote(kith: Den) -> None:
    thread = kith.general.add_thread("quarrel")
    await kith.calm()
    await insult(kith, channel=thread)
    post = await kith.fake.wait_message(reports_of(kith))
    for is_locked in (True, False):
        await kith.fake.archive_thread(thread, archived=False, locked=is_locked)
        await kith.calm()
        told = await press(kith, kith.moderator, post, "Warn")
        lacking = f"I can't do that: I need the permission Manage Threads in {thread.mention}."
        assert (told == lacking) is is_locked
    (warning,) = kith.fake.messages(thread, author=kith.fake.bot_user)
    assert kith.fake.pings(warning).users == frozenset({kith.alice.id})
    assert warning.content.startswith(f"{kith.alice.mention}, the moderators ask you")
    assert warning.jump_url in told


async def test_buttons_work_and_slow_mode_goes_back_after_a_restart_too(den: Den) -> None:
    den.guild.bot_role.permissions |= perms("manage_threads")
    thread = den.general.add_thread("quarrel", owner=den.alice)
    thread.slowmode_s = 5
    async with den.awake():
        reports = await log_channel(den)
        await insult(den, channel=thread)
        post = await den.fake.wait_message(reports)
        with patch.object(  # its end cannot be stored
            alerts_of(den)._alerts, "claim", side_effect=[True, DatabaseUnavailable("away")]
        ):
            await press(den, den.guild.owner, post, "Slow mode 1 h")
        assert thread.slowmode_s == 5
        den.fake.fail("PATCH", f"/channels/{thread.id}", status=503)  # it may have begun
        await press(den, den.guild.owner, post, "Slow mode 1 h")
        assert ("end slow mode", thread.id) in [row[:2] for row in await audit(den)]
        pressed_at, (until,) = (
            den.app.clock.now(),
            re.findall(
                r"until <t:(\d+):t>", await press(den, den.guild.owner, post, "Slow mode 1 h")
            ),
        )
        taken = datetime.fromtimestamp(int(until), UTC) - timedelta(hours=1)
        assert pressed_at.replace(microsecond=0) <= taken <= den.app.clock.now()
        den.clock.pass_time(59 * 60)
        await alerts_of(den).sweep()
        assert thread.slowmode_s == moderator_actions.SLOW_MODE_S
        await den.fake.archive_thread(thread)
    async with den.awake():
        assert "has already done that" in await press(den, den.moderator, post, "Slow mode 1 h")
        assert "is timed out" in await press(den, den.moderator, post, "Time out 10 min")
        den.clock.pass_time(2 * 60)
        den.fake.rate_limit("PATCH", f"/channels/{thread.id}", via=False)
        await alerts_of(den).sweep()
        assert thread.slowmode_s == moderator_actions.SLOW_MODE_S
        await alerts_of(den).sweep()
        assert (thread.slowmode_s, thread.archived) == (5, True)
        assert "I ended slow mode" in post.content


async def test_the_lines_are_shown_to_a_moderator_who_may_read_them_and_stand_in_no_post(
    kith: Den,
) -> None:
    secret = kith.guild.add_text_channel("secret")
    thread = secret.add_thread("quarrel", owner=kith.alice)
    message = await kith.fake.say(kith.alice, thread, "you absolute *nut*")
    await scored(kith, (message, BAD))
    post = await kith.fake.wait_message(reports_of(kith))
    await kith.fake.archive_thread(thread)
    assert (await press(kith, kith.moderator, post, "Show the lines")).endswith(
        f"{kith.alice.mention}: you absolute \\*nut\\*"
    )
    assert "absolute" not in post.content
    steers = next(role for role in kith.guild.roles.values() if role.name == "Moderator")
    await kith.fake.set_overwrite(secret, steers, deny=perms("view_channel"))
    assert "You can't read the channels" in await press(
        kith, kith.moderator, post, "Show the lines"
    )


async def test_a_decision_takes_the_buttons_away(kith: Den) -> None:
    post = await raised(kith)
    stale = [dict(row) for row in post.components]
    await press(kith, kith.moderator, post, "False alarm")
    assert f"**False alarm**, marked by {kith.moderator.mention}" in post.content
    assert post.components == []
    post.components = stale  # as a client shows it that has not heard yet
    assert f"<@{kith.moderator.id}> has already decided on this alert." == await press(
        kith, kith.moderator, post, "Time out 10 min"
    )
    assert not is_out(kith.alice)


async def test_an_incident_is_one_post_and_only_what_is_said_after_its_dismissal_another(
    own_kith: Den,
) -> None:
    await log_channel(own_kith)
    earlier = await own_kith.fake.say(own_kith.bob, own_kith.general, "said before")
    post = await raised(own_kith)
    again = await insult(own_kith, own_kith.bob)
    await alerts_of(own_kith).sweep()
    assert posts(own_kith) == [post]
    assert again.jump_url in post.content
    own_kith.clock.pass_time(5)
    await press(own_kith, own_kith.moderator, post, "Dismiss")
    await scored(own_kith, (earlier, BAD))
    await alerts_of(own_kith).sweep()
    assert posts(own_kith) == [post]
    later = await own_kith.fake.say(
        own_kith.bob,
        own_kith.general,
        "said after",
        at=own_kith.app.clock.now() + timedelta(seconds=1),
    )
    await scored(own_kith, (later, BAD))
    await own_kith.fake.wait_message(reports_of(own_kith), after=post)


async def test_a_case_shows_its_members_until_it_is_closed(kith: Den) -> None:
    await use(kith, kith.moderator, "mod watch add")
    assert "is in no open case" in await use(
        kith, kith.moderator, "mod tension show", member=kith.alice
    )
    post = await raised(kith)
    assert "The case is open" in await press(kith, kith.moderator, post, "Open case")
    assert "Open case**" in post.content
    assert kith.alice.mention in await use(kith, kith.moderator, "mod tension cases")
    await kith.fake.set_overwrite(kith.general, kith.moderator, deny=perms("read_message_history"))
    hidden = await use(kith, kith.moderator, "mod tension cases")
    assert kith.alice.mention not in hidden and "In channels that you can't read: 1" in hidden
    for options, refusal in (
        ({"member": kith.alice}, "is in no open case"),
        ({}, "can't read any"),
    ):
        assert refusal in await use(kith, kith.moderator, "mod tension show", **options)
    await kith.fake.set_overwrite(kith.general, kith.moderator)
    shown = await used(kith, kith.moderator, "mod tension show", member=kith.alice)
    assert shown.content.startswith(f"**{kith.alice.mention}**, in all watched channels.")
    assert shown.attachments[0]["description"] in shown.content
    assert await press(kith, kith.moderator, post, "Close case") == "The case is closed."
    assert "is in no open case" in await use(
        kith, kith.moderator, "mod tension show", member=kith.alice
    )
    assert "No case is open" in await use(kith, kith.moderator, "mod tension cases")


async def test_a_post_that_the_database_was_away_for_is_noted_later_and_not_posted_again(
    own_kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    await log_channel(own_kith)
    book, shown = own_kith.app.sentiment.alerts, alerts_of(own_kith)

    async def away(*_: object) -> None:
        raise DatabaseUnavailable

    with monkeypatch.context() as outage:
        outage.setattr(book, "save_post", away)
        post = await raised(own_kith)
        await shown.sweep()
    own_kith.clock.pass_time(POST_RETRY_AFTER.total_seconds() + 1)
    await shown.sweep()
    assert posts(own_kith) == [post]
    noted = await book.get(own_kith.guild.id, await only_id(own_kith))
    assert noted is not None
    assert noted.post_id == post.id
    assert not shown._posts._unsaved_posts


async def test_a_deleted_alert_counts_as_dismissed(kith: Den) -> None:
    post = await raised(kith)
    await kith.fake.delete(post)
    await insult(kith, kith.bob)
    await alerts_of(kith).sweep()
    await alerts_of(kith).sweep()
    assert await kith.app.sentiment.alerts.unposted([kith.guild.id]) == []
    ended = await kith.app.sentiment.alerts.get(kith.guild.id, await only_id(kith))
    assert ended is not None
    assert not ended.is_undecided


async def test_an_old_alert_loses_its_details_as_soon_as_discord_lets_it_be_edited(
    own_kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    await log_channel(own_kith)
    await own_kith.caught_up()  # or the daily pruning could be first
    post = await raised(own_kith)
    number = await only_id(own_kith)
    own_kith.clock.pass_time(31 * 86_400)
    own_kith.fake.advance(31 * 86_400)
    own_kith.fake.buckets.old_edits[post.channel.id] = [own_kith.fake.clock.now_s()] * 30
    with monkeypatch.context() as patch:  # the next edit may take its time
        patch.setattr("cogs.bot.interactions.EDIT_TIMEOUT_S", 0.3)
        await alerts_of(own_kith).sweep()
    assert "its details are erased" not in post.content
    own_kith.fake.advance(3601)
    await alerts_of(own_kith).sweep()
    assert post.content == f"-# Alert #{number} is over 30 days old; its details are erased."
    assert (post.components, post.attachments) == ([], [])
    assert await own_kith.app.sentiment.alerts.get(own_kith.guild.id, number) is None
    assert await own_kith.app.sentiment.alerts.expired() == []


# --- permissions --------------------------------------------------------------------------------


async def test_members_may_not_press_and_which_permission_a_moderator_or_kith_lacks_is_said(
    kith: Den,
) -> None:
    post = await raised(kith)
    for granted, label, lacking in (
        ("manage_messages", "Time out 10 min", "Time out members"),
        ("manage_messages", "Slow mode 10 min", "Manage Channels"),
        ("moderate_members", "Warn", "Manage Server or Manage Messages"),
        ("moderate_members", "Open case", "Manage Server or Manage Messages"),
        ("manage_channels", "Dismiss", "Manage Server or Manage Messages"),
        ("manage_channels", "False alarm", "Manage Server or Manage Messages"),
    ):
        helper = kith.guild.add_member("Hal", roles=[kith.guild.add_role("Helper", perms(granted))])
        told = await press(kith, helper, post, label)
        assert told == f"You can't do that: you need the permission {lacking}."
        told = await press(kith, kith.bob, post, label)
        assert told.startswith("These buttons are for moderators")
        assert await audit(kith) == []
        assert not is_out(kith.alice)
    without = kith.guild.bot_role.permissions & ~perms("moderate_members")
    await kith.fake.set_role_permissions(kith.guild.bot_role, without)
    await kith.calm()
    told = await press(kith, kith.moderator, post, "Time out 1 h")
    assert told.startswith("I can't do that: I need the permission Time out members")
    assert await audit(kith) == []  # it can be tried again


@pytest.mark.parametrize("who", ["owner", "administrator", "above kith", "above the moderator"])
async def test_nobody_is_timed_out_who_must_not_be(kith: Den, who: str) -> None:
    guild = kith.guild
    moderator, target = kith.moderator, kith.alice
    if who == "owner":
        target, words = guild.owner, "owns the server"
    elif who == "administrator":
        boss = guild.add_role("Boss", perms("administrator"), position=0)
        target, words = guild.add_member("Boss", roles=[boss]), "is an administrator"
    elif who == "above kith":
        words = "has a role as high as mine"
        moderator = guild.owner
        target = guild.add_member("Vip", roles=[guild.add_role("VIP")])
    else:
        words = "has a role as high as yours"
        target = guild.add_member("Vip", roles=[guild.add_role("VIP")])
    await kith.calm()
    assert words in (await press(kith, moderator, await raised(kith, target), "Time out 10 min"))
    assert not is_out(target)
    assert await audit(kith) == []


# --- automatic action ---------------------------------------------------------------------------


async def automatic(kith: Den, *choices: str) -> str:
    said = ""
    for choice in choices:
        said = await use(kith, kith.moderator, "mod tension settings", automatic=choice)
    return said


async def test_automatic_action_runs_dry_first(kith: Den) -> None:
    assert "Start with a dry run" in await automatic(kith, "on")
    assert "automatic: **dry run**" in await automatic(kith, "dry-run")
    await use(kith, kith.moderator, "mod tension settings", auto_toxicity=0.9, auto_minutes=5)
    post = await raised(kith)
    assert f"I would have timed out {kith.alice.mention} for 5 minutes" in post.content
    assert not is_out(kith.alice)
    assert await audit(kith) == [("dry run", kith.alice.id, 0, 5, True)]


async def test_automatic_action_times_out_once_and_never_moderators(kith: Den) -> None:
    assert "automatic: **on**" in await automatic(kith, "dry-run", "on")
    await use(kith, kith.moderator, "mod tension settings", auto_toxicity=0.9)
    assert f"I timed out {kith.alice.mention} for 10 minutes" in (await raised(kith)).content
    assert is_out(kith.alice)
    for who in (kith.moderator, kith.guild.owner):
        await insult(kith, who)
        assert not is_out(who)
    assert await audit(kith) == [("automatic", kith.alice.id, 0, 10, True)]
    assert "automatic: **off**" in await automatic(kith, "off")


# --- settings and reports -----------------------------------------------------------------------


async def test_tension_is_shown_as_a_picture_and_in_words(kith: Den) -> None:
    assert "No channel is watched" in await use(kith, kith.moderator, "mod tension show")
    await use(kith, kith.moderator, "mod watch add")
    await raised(kith)
    shown = await used(kith, kith.moderator, "mod tension show", hours=48)
    assert shown.content.startswith(f"**{kith.general.mention}** Tension over the last 48 hours")
    assert "Messages scored: 1." in shown.content
    (chart,) = shown.attachments
    assert chart["description"] in shown.content
    assert "is not watched" in await use(
        kith, kith.moderator, "mod tension show", channel=reports_of(kith)
    )


async def test_a_summary_has_five_lines_and_leaves_out_who_wants_nothing_kept(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MAX_MESSAGES", 3)
    await kith.app.memory.editor.set_consent(Known(kith.guild.id, kith.bob.id), Consent.OFF)
    await use(kith, kith.moderator, "mod ignore add", member=kith.guild.owner)
    await kith.fake.say(kith.alice, kith.general, "shall we play at eight?")
    await kith.fake.say(kith.bob, kith.general, "my secret plan")
    await kith.fake.say(kith.guild.owner, kith.general, "another secret plan")
    for answer in "- \n*", "- One <@1>\n- Two\n\nThree\nFour\nFive\nSix":
        kith.model.reply_with(answer)
        shown = await use(kith, kith.moderator, "mod summary", channel=kith.general, hours=2)
        assert ("gave no usable answer" in shown) is (answer == "- \n*")
    assert shown.splitlines()[0].endswith("the last 2 h** (messages: 1)")
    for part in "- Five", "Left out: 2 messages", "I read the newest 3 messages only.":
        assert part in shown and not re.search("Six|<@1>", shown)
    prompt = str(kith.prompts()[-1]["messages"])
    assert "shall we play at eight?" in prompt and "secret plan" not in prompt
    kith.app.settings.model_prices = parse_prices(f"{kith.app.settings.chat_model}=1/1")
    used_up = await use(kith, kith.moderator, "mod usage")
    model = kith.app.settings.chat_model
    assert [
        part
        for part in ("calls: 2", "today's prices: $0.0", f"- `{model}`: calls: 2, ", "(summaries ")
        if part not in used_up
    ] == []


async def test_a_summary_tells_a_moderator_nothing_they_could_not_read(kith: Den) -> None:
    secret = kith.guild.add_text_channel("secret", private=True)
    secret.overwrite(kith.guild.bot_role, allow=perms("view_channel"))
    unseen = kith.guild.add_text_channel("unseen")
    unseen.overwrite(kith.guild.bot_role, deny=perms("read_message_history"))
    await kith.fake.archive_thread(old := kith.general.add_thread("old"))
    await kith.calm()
    for channel, said in (secret, "You can't read"), (unseen, "I can't read"), (old, "archived"):
        assert said in await use(kith, kith.moderator, "mod summary", channel=channel)
    assert not kith.prompts()
