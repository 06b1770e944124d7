"""/mod: policy, freezing, ignoring, looking at a member, and the review queue."""

import asyncio
import re

import pytest

from cogs.moderation.review import Reviews
from cogs.moderation.review_posts import ReviewPosts
from cogs.moderation.review_texts import HEADING
from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import reset
from tests.fakes.discord import Channel, Member, Message, perms
from utils.models.memory import Member as Known
from utils.models.operator import OPERATOR


async def use(
    kith: Den, who: Member, command: str, /, place: Channel | None = None, **options: object
) -> str:
    """Use a slash command and return what the person reads in the end, and nobody else."""
    used = await kith.fake.slash(who, place or kith.general, command, options)
    reply = await used.reply()
    assert reply.ephemeral
    assert not kith.fake.pings(reply)
    return reply.content


def reports_channel(den: Den) -> Channel:
    """A channel that only moderators and Kith can read."""
    reports = den.guild.add_text_channel("reports", private=True)
    moderators = [role for role in den.guild.roles.values() if role.name == "Moderator"]
    for role in (den.guild.bot_role, *moderators):
        reports.overwrite(role, allow=perms("view_channel"))
    return reports


async def supervised(kith: Den, **policy: object) -> Channel:
    """Let moderators decide on everything, and show it to them in the channel returned."""
    reports = reports_channel(kith)
    await use(kith, kith.moderator, "config channel log", action="add", channel=reports)
    await use(kith, kith.moderator, "mod policy set", **(policy or {"mode": "manual"}))
    return reports


def reviews_of(kith: Den) -> Reviews:
    reviews = kith.client.get_cog("Reviews")
    assert isinstance(reviews, Reviews)
    return reviews


async def posted(kith: Den, reports: Channel) -> Message:
    """Return the post of a waiting memory, once it is known where it stands."""
    post = await kith.fake.wait_message(reports)
    await reviews_of(kith)._unposted.join()
    return post


async def last_prompt(kith: Den, who: Member, text: str) -> str:
    await kith.talk(who, text)
    return str(kith.prompts()[-1]["messages"])


# --- policy -------------------------------------------------------------------------------------


async def test_every_policy_is_listed_and_an_earlier_one_can_hold_again(kith: Den) -> None:
    async def mod(name: str, **options: object) -> str:
        return await use(kith, kith.moderator, f"mod policy {name}", **options)

    assert "never changed" in await mod("history")
    await mod("set", active_from=0.9, reason="careful")
    await mod("set", active_from=0.95)
    listed = await mod("history")
    assert listed.index("**2**") < listed.index("**1**")
    assert f"<@{kith.moderator.id}> · careful" in listed
    assert "- active from: 0.95 → **0.9**" in await mod("rollback", version=1, reason="too strict")
    assert "(version 3)" in await mod("show")
    assert "- active from: 0.9 → **0.8**" in await mod("rollback", version=0)
    await kith.app.guilds.settings.restore_policy(kith.guild.id, 1, OPERATOR, "from the dashboard")
    assert "my operator · from the dashboard" in await mod("history")


# --- freezing and ignoring ----------------------------------------------------------------------


async def test_a_frozen_server_learns_nothing_and_forgets_all_the_same(kith: Den) -> None:
    await kith.teach(kith.alice, "I own a boat")
    await kith.say(kith.alice, "I love tea")
    await kith.calm()
    assert (await use(kith, kith.moderator, "mod freeze", state="on")).startswith("**Frozen:**")
    await kith.teach(kith.alice, "I have a dog")
    assert await kith.known_of(kith.alice) == ["owns a boat"]
    offered = await kith.fake.autocomplete(
        kith.alice, kith.general, "memory forget", "memory", "boat"
    )
    await use(kith, kith.alice, "memory forget", memory=offered[0]["value"])
    assert await kith.known_of(kith.alice) == []
    await use(kith, kith.moderator, "mod freeze", state="off")
    await kith.teach(kith.alice, "I have a cat")
    assert await kith.known_of(kith.alice) == ["has a cat"]


async def test_an_ignored_member_is_answered_and_nothing_of_them_is_kept(kith: Den) -> None:
    await kith.teach(kith.alice, "I own a boat")
    said = await use(kith, kith.moderator, "mod ignore add", member=kith.alice)
    assert said.startswith(f"From now on I note nothing about <@{kith.alice.id}>.")
    assert f"- <@{kith.alice.id}>" in await use(kith, kith.moderator, "mod ignore list")
    answer = await kith.talk(kith.alice, "I have a dog")
    await kith.app.memory.recorder.settle()
    assert answer.content
    assert await kith.known_of(kith.alice) == ["owns a boat"]
    await kith.teach(kith.bob, "I have a dog")
    assert await kith.known_of(kith.bob) == ["has a dog"]
    await use(kith, kith.moderator, "mod ignore remove", member=kith.alice)
    assert await use(kith, kith.moderator, "mod ignore list") == "Nobody is ignored."
    await kith.teach(kith.alice, "I love tea")
    assert await kith.known_of(kith.alice) == ["owns a boat", "loves tea"]


# --- a member's memory --------------------------------------------------------------------------


async def test_moderators_look_only_where_the_server_lets_them_and_the_member_sees_it(
    kith: Den,
) -> None:
    hidden = kith.guild.add_text_channel("hidden", private=True)
    hidden.overwrite(kith.guild.bot_role, allow=perms("view_channel"))
    hidden.overwrite(kith.alice, allow=perms("view_channel"))
    await kith.teach(kith.alice, "I own a boat")
    await kith.teach(kith.alice, "I love opera", hidden)
    refused = await use(kith, kith.moderator, "mod memory", member=kith.alice)
    assert refused.startswith("This server does not let moderators see")
    allowed = await use(kith, kith.moderator, "mod policy set", moderators_see_members=True)
    assert allowed == "Changed:\n- moderators see members: **yes**"
    seen = await use(kith, kith.moderator, "mod memory", member=kith.alice)
    assert "owns a boat" in seen
    assert "opera" not in seen
    assert f"<@{kith.moderator.id}>" in await use(kith, kith.alice, "memory show")


# --- the review queue ---------------------------------------------------------------------------


async def test_what_waits_is_posted_and_held_back_until_it_is_approved(kith: Den) -> None:
    reports = await supervised(kith)
    await kith.teach(kith.alice, "I own a boat")
    post = await posted(kith, reports)
    assert re.sub("#[0-9]+`", "#1`", post.content) == (
        f"A memory waits for approval:\n`#1` <@{kith.alice.id}>: owns a boat *(fact, 90% sure)*"
    )
    assert not kith.fake.pings(post)
    assert "I own a boat" not in post.content
    said = await (await kith.fake.click(kith.moderator, post, "Sentence")).reply()
    assert said.ephemeral and "owns a boat" in said.content and "> I own a boat" in said.content
    assert f"/channels/{kith.guild.id}/{kith.general.id}/" in said.content
    await reset(kith, kith.alice)
    assert "boat" not in await last_prompt(kith, kith.alice, "what do I own?")
    await kith.fake.click(kith.moderator, post, "Approve")
    await kith.fake.wait_edit(post, contains=f"approved by <@{kith.moderator.id}>")
    assert "boat" not in post.content
    assert post.components == []
    assert "Profile: Owns a boat" in await last_prompt(kith, kith.alice, "and what now?")


async def test_the_buttons_are_for_moderators(kith: Den) -> None:
    reports = await supervised(kith)
    reports.overwrite(kith.bob, allow=perms("view_channel"))
    await kith.teach(kith.alice, "I own a boat")
    post = await posted(kith, reports)
    tried = await (await kith.fake.click(kith.bob, post, "Approve")).reply()
    assert tried.reply_to is post
    assert tried.content == (
        "These buttons are for moderators: they need Manage Server or Manage Messages."
    )
    curious = await kith.fake.click(kith.bob, post, "Sentence")
    assert (await curious.reply()).content.startswith("These buttons are for moderators")
    await kith.fake.click(kith.moderator, post, "Approve")
    await kith.fake.wait_edit(post, contains="approved by")
    assert "Owns a boat" in await last_prompt(kith, kith.alice, "what do I own?")


async def test_a_text_said_in_private_is_not_posted_where_others_could_read_it(kith: Den) -> None:
    reports = await supervised(kith)
    hidden = kith.guild.add_text_channel("hidden", private=True)
    hidden.overwrite(kith.guild.bot_role, allow=perms("view_channel"))
    hidden.overwrite(kith.alice, allow=perms("view_channel"))
    await kith.teach(kith.alice, "I own a boat", hidden)
    post = await posted(kith, reports)
    assert post.content.startswith(f"A memory of <@{kith.alice.id}> waits for approval")
    assert "boat" not in post.content
    said = await (await kith.fake.click(kith.moderator, post, "Sentence")).reply()
    assert said.ephemeral and "boat" not in said.content
    assert said.content.startswith("You can't read the channel")
    listed = await use(kith, kith.moderator, "mod review")
    assert "boat" not in listed
    assert "(said where you can't read, or in an age-restricted channel)" in listed


async def test_the_posted_text_goes_when_the_memory_is_forgotten(kith: Den) -> None:
    reports = await supervised(kith)
    await kith.teach(kith.alice, "I own a boat")
    post = await posted(kith, reports)
    assert "boat" in post.content
    await kith.app.memory.editor.forget_all(Known(kith.guild.id, kith.alice.id))
    await reviews_of(kith).posts.clean_up()
    assert "boat" not in post.content
    assert post.content.endswith("is gone: it was forgotten, or its time was over.")
    assert post.components == []
    edits = len(post.edits)
    await reviews_of(kith).posts.clean_up()
    assert len(post.edits) == edits


async def test_a_post_that_was_sent_and_not_recorded_is_found_and_goes_too(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        raise asyncio.CancelledError

    async with den.awake():
        reports = await supervised(den)
        with monkeypatch.context() as patched:
            patched.setattr(ReviewPosts, "_settle_planned", killed)
            await den.teach(den.alice, "I own a boat")
            post = await den.fake.wait_message(reports)
    async with den.awake():
        await reviews_of(den).posts.clean_up()
        assert "boat" in post.content, "it still waits"
        await den.app.memory.editor.forget_all(Known(den.guild.id, den.alice.id))
        await reviews_of(den).posts.clean_up()
        assert "boat" not in post.content
        posts = await den.app.memory.reviews.open_posts([den.guild.id])
        assert all(post.message_id for post in posts)


async def test_a_post_that_cannot_be_edited_now_holds_up_no_other(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with den.awake():
        reports = await supervised(den)
        await den.teach(den.alice, "I own a boat")
        first = await posted(den, reports)
        further = den.guild.add_text_channel("further reports")
        await use(den, den.moderator, "config channel log", action="add", channel=further)
        await den.teach(den.alice, "I own a kite")
        second = await posted(den, further)
        await den.app.memory.editor.forget_all(Known(den.guild.id, den.alice.id))
        den.fake.advance(7200)
        den.fake.buckets.old_edits[reports.id] = [den.fake.clock.now_s()] * 30
        with monkeypatch.context() as patch:  # the other post's edit may take some time
            patch.setattr("cogs.bot.interactions.EDIT_TIMEOUT_S", 2.0)
            await reviews_of(den).posts.clean_up()
        assert ["boat" in first.content, "boat" in second.content] == [True, False]
        den.fake.advance(3601)
        await reviews_of(den).posts.clean_up()
        assert "boat" not in first.content


async def test_one_post_shows_what_waits_and_is_kept_up_to_date(kith: Den) -> None:
    async def shown() -> Message:
        await reviews_of(kith)._unposted.join()
        (post,) = kith.fake.messages(reports, author=kith.fake.bot_user)
        return post

    reports = await supervised(kith)
    await kith.teach(kith.alice, "I own a boat. I own a car. I own a bike. I own a kite.")
    first = await shown()
    await kith.teach(kith.bob, "I own a drum.")
    post = await shown()
    assert post is first and post.content.split("\n")[0] == HEADING
    assert post.content.endswith("… and 1 more in `/mod review`.")
    for decision in (*["Approve #"] * 3, "Reject #", "Approve"):  # a number where several wait
        label = next(label for label in labels(post) if label.startswith(decision))
        await kith.fake.click(kith.moderator, post, label)
        done = "rejected by" if decision == "Reject #" else "approved by"
        await kith.fake.wait_edit(post, contains=done)
        await kith.calm()
    assert "wait" not in post.content
    assert labels(post) == [] and await kith.known_of(kith.bob) == ["owns a drum"]
    assert await kith.known_of(kith.alice) == [], "a message goes with all its notes"


async def test_an_update_under_way_does_not_bring_back_what_was_rejected(kith: Den) -> None:
    reports = await supervised(kith)
    await kith.teach(kith.alice, "I own a boat.")
    post = await posted(kith, reports)
    update = kith.fake.hold("PATCH", f"/channels/{reports.id}/messages/{post.id}")
    await kith.teach(kith.bob, "I own a drum.")
    await update.reached.wait()
    await kith.fake.click(kith.moderator, post, "Reject")
    lock = reviews_of(kith).posts._lock
    await kith.fake.wait_until(lambda: lock._waiters or "boat" not in post.content)
    update.release()
    await reviews_of(kith)._unposted.join()
    await kith.calm()
    assert "boat" not in post.content and "drum" in post.content


async def test_the_list_turns_pages_and_decides_and_the_post_follows(kith: Den) -> None:
    reports = await supervised(kith)
    assert await use(kith, kith.moderator, "mod review") == "No memory waits for approval."
    await kith.teach(kith.alice, "I own a boat. I own a car. I own a bike. I own a kite.")
    await kith.teach(kith.bob, "I own a drum.")
    used = await kith.fake.slash(kith.moderator, kith.general, "mod review")
    page = await used.reply()
    assert page.content.endswith("-# Page 1 of 2")
    page = await (await kith.fake.click(kith.moderator, page, "Next")).reply()
    assert f"<@{kith.bob.id}>: owns a drum" in page.content
    (approve,) = [label for label in labels(page) if label.startswith("Approve #")]
    page = await (await kith.fake.click(kith.moderator, page, approve)).reply()
    assert f"approved by <@{kith.moderator.id}>" in page.content
    assert "drum" not in page.content and "Sentence" not in labels(page)
    await kith.calm()
    await reviews_of(kith)._unposted.join()
    (post,) = kith.answers(reports)
    assert "drum" not in post.content
    button = re.findall("kith:review:sentence:[0-9]+", str(post.components))[0]
    said = await (await kith.fake.click(kith.moderator, post, button)).reply()
    assert "> I own a boat." in said.content  # the list that closed a sentence closed no other
    assert "Owns a drum" in await last_prompt(kith, kith.bob, "what is mine?")


def labels(message: Message) -> list[str]:
    return [
        item.get("label", "") for row in message.components for item in row.get("components", [])
    ]
