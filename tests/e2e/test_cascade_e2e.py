"""What goes on Discord goes from memory: over the wire, with the unmodified client."""

from itertools import pairwise

import pytest
from sqlalchemy import update

import bot
from cogs.bot import client
from tests.e2e.den import DAY_S, Den, Held, chat_of
from tests.fakes.discord import perms
from tests.fakes.discord.rest import Request
from utils.database.schema.memory_tables import memory_event
from utils.models.memory import Consent, Member


async def back(den: Den) -> None:
    """Return when everything missed was looked at."""
    deletions = den.client.get_cog("DeletionHandler")
    await den.fake.wait_until(lambda: deletions._catching_up is not None, "catching up")
    await deletions._catching_up


def looks(den: Den) -> list[Request]:
    """The requests for the history of the general channel."""
    found = den.fake.requests_to("GET", "/channels/{channel_id}/messages")
    return [one for one in found if str(den.general.id) in one.path]


async def stored(den: Den, word: str) -> bool:
    """Whether a word is anywhere in the database's files."""
    await den.app.database.finish_scrubbing()
    while not await den.app.database.scrub():  # a reader is in the way of the compaction
        pass
    file = den.app.database._url.database
    found = False
    for suffix in ("", "-wal"):
        try:
            with open(f"{file}{suffix}", "rb") as opened:  # noqa: ASYNC230, PTH123
                found = found or word.lower().encode() in opened.read().lower()
        except FileNotFoundError:
            pass
    return found


# --- edits --------------------------------------------------------------------------------------


async def test_an_edited_message_is_read_again_and_not_answered_again(kith: Den) -> None:
    asked = await kith.teach(kith.alice, "I have a dog named Zanzibar")
    assert await kith.known_of(kith.alice) == ["has a dog named Zanzibar"]
    answers = len(kith.answers())
    await kith.fake.edit(asked, "<@bot> I have a cat named Tom")
    await kith.calm()
    assert await kith.learnt_of(kith.alice) == ["has a cat named Tom"]
    assert len(kith.answers()) == answers
    assert not await stored(kith, "zanzibar")


async def test_an_edit_that_is_found_while_kith_is_answering_waits_for_the_answer(
    own_kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    await own_kith.teach(own_kith.alice, "I play the oboe")
    held = Held("You have a dog named Zanzibar!")
    own_kith.model.reply_with(held)
    asked = await own_kith.say(own_kith.alice, "I have a dog named Zanzibar")
    await held.asked.wait()
    deletions = own_kith.client.get_cog("DeletionHandler")
    chat, waiting = chat_of(own_kith.client), []
    wait_for_reply = chat.wait_for_reply

    async def wait(message_id: int) -> None:
        waiting.append(message_id)
        await wait_for_reply(message_id)

    monkeypatch.setattr(chat, "wait_for_reply", wait)
    await own_kith.fake.edit(asked, "<@bot> I have a cat named Tom")
    await own_kith.fake.wait_until(lambda: len(waiting) == 1, "the event waits")
    await deletions.catch_up()
    await own_kith.fake.wait_until(
        lambda: len(waiting) == 2 or deletions._catching_up.done(), "the comparison waits"
    )
    held.release()
    await own_kith.answer_to(asked)
    await own_kith.looked()
    assert await own_kith.learnt_of(own_kith.alice) == ["plays the oboe", "has a cat named Tom"]
    assert not await stored(own_kith, "zanzibar")


# --- what was missed ----------------------------------------------------------------------------


async def test_all_that_is_stored_is_compared_however_old_it_is_though_discord_fails_at_first(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.chat.deletions.RETRY_PAUSES_S", (0.0, 0.0, 0.0))
    monkeypatch.setattr("cogs.chat.deletions.HISTORY_LIMIT", 3)
    monkeypatch.setattr("cogs.chat.deletions.HISTORY_PAUSE_S", 0.0)
    closed = den.guild.add_text_channel("closed")
    async with den.awake():
        await den.teach(den.moderator, "I play the lute", closed)
        gone = await den.teach(den.alice, "I have a dog named Zanzibar")
        changed = await den.teach(den.bob, "I have a cat named Timbuktu")
        for number in range(8):
            await den.fake.say(den.bob, den.general, f"something else, number {number}")
        for instrument in ("oboe", "harp"):
            await den.teach(den.alice, f"I play the {instrument}")
    await den.fake.delete(gone)
    await den.fake.edit(changed, "<@bot> I have a cat named Tom")
    # A history that may not be read is not taken for an empty one.
    closed.overwrite(den.guild.everyone, deny=perms("read_message_history"))
    den.fake.fail("GET", f"/channels/{den.general.id}/messages", times=2, status=503)
    den.fake.fail("GET", f"/channels/{den.general.id}/messages", status=403)  # by Cloudflare
    async with den.awake():
        await back(den)
        assert await den.learnt_of(den.alice) == ["plays the oboe", "plays the harp"]
        assert await den.known_of(den.bob) == ["has a cat named Tom"]
        assert await den.known_of(den.moderator) == ["plays the lute"]
        assert not await stored(den, "zanzibar")
        assert not await stored(den, "timbuktu")


async def test_a_channel_deleted_while_kith_slept_takes_memories_whether_or_not_messages_ended(
    den: Den,
) -> None:
    async with den.awake():
        side = den.guild.add_text_channel("side")
        await den.calm()
        for who in (den.alice, den.bob):
            await den.app.memory.editor.set_consent(Member(den.guild.id, who.id), Consent.LASTING)
        await den.teach(den.alice, "I have a dog named Zanzibar", side)
        await den.teach(den.alice, "I play the oboe")
        options = {"question": "I have a boat named Zulu"}
        await (await den.fake.slash(den.bob, den.general, "ask", options)).reply()
        await den.calm()
        await den.app.memory.recorder.settle()
        is_over = update(memory_event).values(ExpiresAt=den.clock.now())
        await den.app.database.write(lambda connection: connection.execute(is_over))
        await den.app.admin.job_runs.prune()
        assert await den.known_of(den.alice) == ["has a dog named Zanzibar", "plays the oboe"]
        lounge = den.guild.add_text_channel("lounge")
        await den.calm()
        await den.teach(den.alice, "I have a cat named Timbuktu", lounge)
    await den.fake.delete_channel(side)
    await den.fake.delete_channel(lounge)
    async with den.awake():
        await back(den)
        assert await den.known_of(den.alice) == ["plays the oboe"]
        assert await den.known_of(den.bob) == ["has a boat named Zulu"]
        assert not await stored(den, "zanzibar")
        assert not await stored(den, "timbuktu")


# --- places, members, servers ---------------------------------------------------------------------


async def test_deleted_channels_and_threads_take_along_what_was_said_there_in_archived_threads_too(
    den: Den,
) -> None:
    async with den.awake():
        side = den.guild.add_text_channel("side")
        public = side.add_thread("open", owner=den.alice)
        private = side.add_thread("whisper", owner=den.alice, private=True)
        elsewhere = den.general.add_thread("elsewhere", owner=den.alice)
        await den.fake.add_to_thread(private, den.fake.bot_user)
        await den.calm()
        await den.app.memory.editor.set_consent(Member(den.guild.id, den.alice.id), Consent.LASTING)
        await den.teach(den.alice, "I have a dog named Zanzibar", public)
        await den.teach(den.alice, "I have a cat named Timbuktu", private)
        await den.teach(den.alice, "I play the oboe", elsewhere)
        for thread in (public, private, elsewhere):
            await den.fake.archive_thread(thread)
        is_over = update(memory_event).values(ExpiresAt=den.clock.now())
        await den.app.database.write(lambda connection: connection.execute(is_over))
        await den.app.admin.job_runs.prune()
        thread = den.general.add_thread("thread", owner=den.alice)
        await den.calm()
        await den.teach(den.alice, "I have a boat named Zulu", side)
        await den.teach(den.alice, "I own a kazoo", thread)
        assert len(await den.known_of(den.alice)) == 5
        await den.fake.delete_channel(thread)
        await den.calm()
        assert not await stored(den, "kazoo")  # a deleted channel has all threads looked up
        await den.fake.delete_channel(side)
        await den.calm()
        assert await den.known_of(den.alice) == ["plays the oboe"]
        for word in ("zanzibar", "timbuktu", "zulu"):
            assert not await stored(den, word)


async def test_who_left_is_erased_a_month_later_where_leaves_are_seen(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for = client.gateway_intents

    def with_members(*, message_content: bool):
        wanted = asked_for(message_content=message_content)
        wanted.members = True
        return wanted

    monkeypatch.setattr(client, "gateway_intents", with_members)
    async with den.awake():
        await den.caught_up()
        alice = Member(den.guild.id, den.alice.id)
        await den.app.memory.editor.set_consent(alice, Consent.LASTING)
        await den.teach(den.alice, "I have a dog named Zanzibar")
        await den.fake.leave(den.alice)
        await den.calm()
        den.clock.pass_time(31 * DAY_S)
        report = await den.app.admin.job_runs.prune()
        assert report is not None
        assert report.by_reason["members"] == {den.guild.id: 1}
        assert not await stored(den, "zanzibar")


async def test_without_the_members_intent_who_left_is_noticed_though_discord_fails_once(
    own_kith: Den,
) -> None:
    """Alice leaves for good; Bob comes back in silence."""
    await own_kith.caught_up()
    for who in (own_kith.alice, own_kith.bob):
        await own_kith.app.memory.editor.set_consent(
            Member(own_kith.guild.id, who.id), Consent.LASTING
        )
        await own_kith.teach(who, "I have a dog named Zanzibar")
    await own_kith.app.memory.recorder._write_last_seen()
    await own_kith.fake.leave(own_kith.alice)
    await own_kith.fake.leave(own_kith.bob)
    failure = own_kith.fake.fail("GET", "/guilds/*/members/*", times=2, status=503)
    maintenance = own_kith.client.get_cog("Maintenance")
    days = [*range(3, 12), *range(29, 33)]  # a week has each member looked up, day 30 is due
    for before, day in pairwise([0, *days]):
        own_kith.clock.pass_time((day - before) * DAY_S)
        await maintenance.prune()
        if day == 11:  # the weekly look has noticed by then, and nobody is erased yet
            assert await own_kith.known_of(own_kith.alice) == ["has a dog named Zanzibar"]
            own_kith.guild.add_member(own_kith.bob)
            await own_kith.calm()
    assert failure.left == 0
    assert await own_kith.known_of(own_kith.alice) == []
    assert await own_kith.known_of(own_kith.bob) == ["has a dog named Zanzibar"]


async def test_a_server_that_removed_kith_is_erased_a_week_later_and_an_outage_is_no_removal(
    own_kith: Den,
) -> None:
    await own_kith.caught_up()
    await own_kith.teach(own_kith.alice, "I have a dog named Zanzibar")
    await own_kith.fake.outage(own_kith.guild)
    await own_kith.calm()
    await own_kith.client.get_cog("DeletionHandler").reconcile()
    own_kith.clock.pass_time(8 * DAY_S)
    await own_kith.app.admin.job_runs.prune()
    await own_kith.fake.outage_over(own_kith.guild)
    await own_kith.fake.remove_bot(own_kith.guild)
    await own_kith.calm()
    own_kith.clock.pass_time(6 * DAY_S)
    await own_kith.app.admin.job_runs.prune()
    assert await own_kith.known_of(own_kith.alice) == ["has a dog named Zanzibar"]
    own_kith.clock.pass_time(2 * DAY_S)
    await own_kith.app.admin.job_runs.prune()
    assert not await stored(own_kith, "zanzibar")


# --- erasing from the command line ----------------------------------------------------------------


async def test_erase_asks_first_and_says_what_went(den: Den) -> None:
    async with den.awake():
        await den.teach(den.alice, "I have a dog named Zanzibar")
        ended = await den.command("erase", "--member", str(den.alice.id))
        assert ended.status == 1
        assert "add --yes" in ended.err
        assert await den.known_of(den.alice) == ["has a dog named Zanzibar"]
        async with den.process("erase", "--member", str(den.alice.id), "--yes") as process:
            assert await process.ends() == 0, process.err
        assert process.out.startswith("Erased: 1 memories, 1 messages and ")
        assert await den.known_of(den.alice) == []
        assert not await stored(den, "zanzibar")


def test_erase_refuses_what_is_no_id(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        bot.main(["erase", "--member=alice", "--yes", "--database", sqlite_url])
    assert ended.value.code == 2
    assert "Developer Mode" in capsys.readouterr().err
