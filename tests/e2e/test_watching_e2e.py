"""Watching with the real client: /mod watch, the notice, scores, notes, and what is left alone."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select

from cogs.sentiment.watch import MAX_MISSED, NOTICE_PAUSE_S
from cogs.sentiment.watch_text import NO_LONGER_WATCHED, NO_MESSAGE_CONTENT, NOTICE
from tests.e2e.den import PATIENCE_S, Den, open_den
from tests.fakes.discord import perms
from tests.fakes.discord.things import FORUM
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.database.schema.memory_tables import memory_event, message_score, waiting_message
from utils.models.memory import Audience, Consent, Event, Member, Role
from utils.models.sentiment import PassiveMemory, ScoredBatch, TensionSubject

CALM = {"sentiment": 0.0, "toxicity": 0.0, "tension": 0.1, "reason": "", "note_update": None}


def is_watching(request: ChatRequest) -> bool:
    return "MESSAGES" in prompt_of(request, "user").split("\n")


def said_in(request: ChatRequest) -> list[str]:
    """The lines of a batch, as the model sees them."""
    return prompt_of(request, "user").split("MESSAGES\n")[1].split("\n")


def watchful(request: ChatRequest):
    """Score a batch as a model would: rude where somebody says idiot; a note of every cat."""
    from tests.e2e.den import attentive

    if not is_watching(request):
        return attentive(request)
    found = []
    for line in said_in(request):
        number, _, said = line.partition("] ")
        item = {"id": int(number[1:]), **CALM}
        if "idiot" in line:
            item |= {"sentiment": -0.9, "toxicity": 0.9, "tension": 0.9, "reason": "insults p1"}
        if "I have a cat" in said:
            note = {"note": "has a cat", "durable": True, "quote": "I have a cat"}
            item["note_update"] = note
        found.append(item)
    return {"messages": found}


@pytest.fixture
def watched(shared_kith: Den) -> Den:
    """Kith, started once for this module; each test has a server of its own."""
    shared_kith.model.extract_with(watchful)
    return shared_kith


async def use(den: Den, command: str, options: dict | None = None, who=None) -> str:
    used = await den.fake.slash(who or den.moderator, den.general, command, options or {})
    return (await used.reply()).content


async def watch(den: Den, **options) -> str:
    return await use(den, "mod watch add", options)


async def read(den: Den) -> None:
    """Have everything that was said so far analysed."""
    await den.calm()
    await den.app.sentiment.watcher.settle()


def rows_of(den: Den, table, *columns):
    """The rows of a table that belong to the server of a test."""

    def unit(connection):
        query = select(*(columns or (table,))).where(table.c.GuildId == den.guild.id)
        return [tuple(row) for row in connection.execute(query)]

    return den.app.database.read(unit)


def batches(den: Den) -> list[ChatRequest]:
    return [request for request in den.model.chats if is_watching(request)]


async def test_nothing_is_watched_before_somebody_says_so(watched):
    await watched.fake.say(watched.alice, watched.general, "you are such an idiot, Bob")
    await read(watched)
    assert not batches(watched)
    assert await rows_of(watched, waiting_message) == []


async def test_a_watched_channel_says_so_and_its_messages_are_scored_in_one_call(watched):
    assert "are now watched" in await watch(watched)
    (notice,) = watched.answers()
    assert notice.content == NOTICE[PassiveMemory.OPT_IN]
    told: list[ScoredBatch] = []

    async def listen(batch: ScoredBatch) -> None:
        told.append(batch)

    watched.app.sentiment.watcher.add_listener(listen)
    insult = await watched.fake.say(watched.alice, watched.general, "you are such an idiot, Bob")
    calm = await watched.fake.say(watched.bob, watched.general, "what a lovely day it is")
    for trivial in ("ok", "🙂 🙂", "!play some music", "<:cat:123456789012345678>"):
        await watched.fake.say(watched.bob, watched.general, trivial)
    await read(watched)
    (request,) = batches(watched)
    assert len(said_in(request)) == 2
    assert {row[1] for row in await rows_of(watched, message_score)} == {insult.id, calm.id}
    assert await rows_of(watched, waiting_message) == []
    (batch,) = told
    assert [one.trigger for one in batch.crossings] == ["toxicity"]
    settings = await watched.app.sentiment.channels.settings(watched.guild.id)
    subject = TensionSubject.channel(watched.guild.id, watched.general.id)
    now, levels = watched.app.clock.now(), watched.app.sentiment.tension
    assert await levels.tensest(watched.guild.id, settings, now) == [subject]


async def _note(done: asyncio.Event) -> None:
    done.set()


async def test_full_batches_are_read_by_themselves(watched):
    await watch(watched)
    done = asyncio.Event()
    watched.app.sentiment.watcher.add_listener(lambda batch: _note(done))
    for number in range(45):
        await watched.fake.say(watched.alice, watched.general, f"this is message number {number}")
    await asyncio.wait_for(done.wait(), PATIENCE_S)
    await read(watched)
    assert len(await rows_of(watched, message_score)) == 45
    assert len(batches(watched)) <= 3


async def test_where_the_notice_says_so_everybody_is_noted_who_did_not_turn_it_off(watched):
    await watch(watched, memory="opt-out")
    (notice,) = watched.answers()
    assert notice.content == NOTICE[PassiveMemory.OPT_OUT]
    editor, guild_id = watched.app.memory.editor, watched.guild.id
    await editor.set_consent(Member(guild_id, watched.bob.id), passive=False)
    await editor.set_consent(Member(guild_id, watched.moderator.id), Consent.OFF)
    for who in (watched.alice, watched.bob):
        await watched.fake.say(who, watched.general, "I have a cat and it sleeps all day")
    await watched.fake.say(watched.moderator, watched.general, "I have a cat, you idiot")
    await read(watched)
    assert await watched.known_of(watched.alice) == ["has a cat"]
    assert await watched.known_of(watched.bob) == []
    (request,) = batches(watched)  # who wants nothing stored is neither stored nor scored
    assert "idiot" not in prompt_of(request, "user")
    authors = {row[4] for row in await rows_of(watched, message_score)}
    assert authors == {watched.alice.id, watched.bob.id}


async def test_consent_off_erases_what_waits_and_what_was_scored(watched):
    await watch(watched)
    await watched.fake.say(watched.alice, watched.general, "you are such an idiot, Bob")
    await read(watched)
    await watched.fake.say(watched.alice, watched.general, "and another thing, you idiot")
    await watched.calm()
    await watched.app.sentiment.watcher._buffer.flush()
    alice = Member(watched.guild.id, watched.alice.id)
    await watched.app.memory.editor.set_consent(alice, Consent.OFF)
    assert await rows_of(watched, message_score) == []
    assert await rows_of(watched, waiting_message) == []


async def test_a_deleted_message_takes_its_score_and_its_note_with_it(watched):
    await watch(watched, memory="opt-out")
    said = await watched.fake.say(watched.alice, watched.general, "I have a cat, you idiot")
    await read(watched)
    assert await watched.known_of(watched.alice) == ["has a cat"]
    await use(watched, "mod watch remove")  # it goes also when nothing is watched any more
    assert len(await rows_of(watched, message_score)) == 1
    await watched.fake.delete(said)
    await watched.calm()
    assert await watched.known_of(watched.alice) == []
    assert await rows_of(watched, message_score) == []


async def test_an_edit_that_leaves_no_text_takes_what_waits_and_the_score_until_there_is_text(
    watched,
):
    await watch(watched)
    scored = await watched.fake.say(watched.alice, watched.general, "you are such an idiot, Bob")
    await read(watched)
    waiting = await watched.fake.say(watched.bob, watched.general, "I will never forgive you that")
    for said in (scored, waiting):
        await watched.fake.edit(said, "")
    await read(watched)
    assert await rows_of(watched, waiting_message) == []
    assert await rows_of(watched, message_score) == []
    assert len(batches(watched)) == 1
    await watched.fake.edit(waiting, "all is well between us two")
    await read(watched)
    assert [row[1] for row in await rows_of(watched, message_score)] == [waiting.id]


async def test_an_edit_takes_the_note_back_and_is_read_anew_as_overheard(watched):
    await watch(watched, memory="opt-out")
    said = await watched.fake.say(watched.alice, watched.general, "I have a cat at home now")
    await read(watched)
    await watched.fake.edit(said, "I was only joking about that")
    await read(watched)
    assert await watched.known_of(watched.alice) == []
    assert len(batches(watched)) == 2
    await watched.app.memory.recorder.settle()
    states = {row[0] for row in await rows_of(watched, memory_event, memory_event.c.State)}
    assert states <= {"overheard"}


async def test_threads_are_watched_with_their_channel_but_not_private_ones(watched):
    await watch(watched)
    public = watched.general.add_thread("open", owner=watched.alice)
    private = watched.general.add_thread(
        "closed", owner=watched.alice, private=True, members=[watched.guild.me]
    )
    for thread in (public, private):
        await watched.fake.say(watched.alice, thread, "you are such an idiot, Bob")
    await read(watched)
    rows = await rows_of(watched, message_score, message_score.c.ChannelId, message_score.c.PlaceId)
    assert rows == [(public.id, watched.general.id)]


async def test_the_notice_comes_back_changes_and_ends(watched):
    await watch(watched)
    (notice,) = watched.answers()
    await watched.fake.delete(notice)
    again = await watched.fake.wait_message(watched.general, after=notice)
    assert again.content == NOTICE[PassiveMemory.OPT_IN]
    assert f"<#{watched.general.id}>" in await use(watched, "mod watch list")  # it is noted by now
    await watch(watched, memory="opt-out")
    assert again.content == NOTICE[PassiveMemory.OPT_OUT]
    assert f"<#{watched.general.id}>" in await use(watched, "mod watch list")
    assert "no longer watched" in await use(watched, "mod watch remove")
    assert again.content == NO_LONGER_WATCHED
    assert "No channel is watched here" in await use(watched, "mod watch list")


async def test_nothing_is_read_where_the_notice_was_deleted_and_cannot_be_posted(own_kith):
    own_kith.model.extract_with(watchful)
    await watch(own_kith)
    (notice,) = own_kith.answers()
    own_kith.general.overwrite(own_kith.guild.me, deny=perms("send_messages"))
    await own_kith.fake.delete(notice)
    await own_kith.calm()
    await own_kith.fake.say(own_kith.alice, own_kith.general, "you are such an idiot, Bob")
    await read(own_kith)
    assert batches(own_kith) == []
    assert await rows_of(own_kith, waiting_message) == []
    own_kith.general.overwrite(own_kith.guild.me, allow=perms("send_messages"))
    own_kith.clock.pass_time(NOTICE_PAUSE_S + 1)
    for text in ("still such an idiot, Bob", "what an idiot you are, Bob"):
        await own_kith.fake.say(own_kith.alice, own_kith.general, text)
        await own_kith.calm()
    await read(own_kith)
    assert [message.content for message in own_kith.answers()] == [notice.content]
    (line,) = said_in(batches(own_kith)[0])
    assert "what an idiot you are" in line


async def test_a_notice_that_was_deleted_while_kith_slept_is_posted_anew(den):
    den.model.extract_with(watchful)
    async with den.awake():
        await watch(den)
    (notice,) = den.answers()
    await den.fake.delete(notice)
    async with den.awake():
        again = await den.fake.wait_message(den.general, after=notice)
        assert again.content == NOTICE[PassiveMemory.OPT_IN]


async def test_what_was_said_while_kith_was_not_running_is_scored_after_the_start_up_to_a_limit(
    den, monkeypatch
):
    den.model.extract_with(watchful)
    monkeypatch.setattr("cogs.sentiment.watch.MAX_MISSED", MAX_MISSED - 98)  # of 100
    await (fake := den.fake).say(den.alice, den.general, "this was said before the notice")
    async with den.awake():
        await watch(den)
        heard = await fake.say(den.bob, den.general, "what a lovely day it is")
        await read(den)
        words = ("deleted before it was read", "edited before it was read")
        deleted, edited = [await fake.say(den.bob, den.general, text) for text in words]
        await den.calm()
    await asyncio.gather(fake.delete(deleted), fake.edit(edited, "changed while nobody was there"))
    await fake.say(den.alice, den.general, "one message more than are read")
    missed = [
        await fake.say(den.alice, den.general, "you are such an idiot, Bob"),
        await fake.say(den.bob, den.general, "that is not nice of you"),
    ]
    thread = den.general.add_thread("Aside", owner=den.bob)
    missed.append(await fake.say(den.bob, thread, "this is in a public thread"))
    async with den.awake():
        await asyncio.gather(den.looked(), den.client.get_cog("Watching")._checking)
        await read(den)
        scored = {heard.id, edited.id, *(message.id for message in missed)}
        assert {row[1] for row in await rows_of(den, message_score)} == scored
        assert not any(text in str(request) for text in words for request in batches(den))
    await asyncio.gather(fake.say(den.alice, den.general, "you idiot, Bob"), fake.delete(missed[0]))
    den.clock.pass_time(timedelta(days=1, minutes=1).total_seconds())
    async with den.awake():
        await asyncio.gather(den.looked(), den.client.get_cog("Watching")._checking)
        await read(den)
        was_in_an_alert = scored - {row[1] for row in await rows_of(den, message_score)}
        assert was_in_an_alert == {missed[0].id}
    assert [len(said_in(request)) for request in batches(den)] == [1, 4]


async def test_what_was_said_while_the_session_was_lost_is_scored_once_there_is_a_new_one(den):
    den.model.extract_with(watchful)
    async with den.awake():
        await watch(den)
        await den.client.get_cog("Watching")._checking
        heard = await den.fake.say(den.bob, den.general, "Alice, you idiot")
        await read(den)
        await den.fake.drop_connection(forget_session=True)
        missed = await den.fake.say(den.alice, den.general, "you are such an idiot, Bob")
        await den.fake.wait_until(lambda: den.fake.gateway.identifies == 2, "a second IDENTIFY")
        await den.fake.wait_ready()
        await den.looked()
        await read(den)
        # What was heard before is neither read nor counted again.
        assert {row[1] for row in await rows_of(den, message_score)} == {heard.id, missed.id}
        assert den.app.sentiment.watcher.counts["heard"] == 2


async def test_servers_that_come_back_together_are_checked_one_by_one(watched, monkeypatch):
    await watch(watched)
    cog = watched.client.get_cog("Watching")
    running: list[int] = []
    most_at_once = 0

    async def update_notice(guild_id: int, channel_id: int) -> bool:
        nonlocal most_at_once
        running.append(channel_id)
        most_at_once = max(most_at_once, len(running))
        await asyncio.sleep(0.01)
        running.pop()
        return True

    monkeypatch.setattr(cog, "update_notice", update_notice)
    guild = watched.client.get_guild(watched.guild.id)
    await asyncio.gather(*(cog.on_guild_available(guild) for _ in range(3)))
    assert most_at_once == 1


async def test_without_the_intent_the_command_says_so_and_watches_nothing(database_url):
    async with (
        open_den(database_url, message_content=False) as den,
        den.awake(message_content=False),
    ):
        assert await watch(den) == NO_MESSAGE_CONTENT
        assert NO_MESSAGE_CONTENT in await use(den, "mod watch list")
        assert await den.app.sentiment.channels.channels(den.guild.id) == ()


async def test_what_is_still_on_its_way_to_the_database_is_forgotten_too(watched):
    await watch(watched)
    watcher = watched.app.sentiment.watcher
    place, alice = watched.general.id, Member(watched.guild.id, watched.alice.id)
    heard = Event(
        alice.guild_id,
        place,
        place,
        1,
        alice.user_id,
        "Alice",
        Role.MEMBER,
        "a secret",
        watched.clock.now(),
    )
    watcher.record(heard, Audience(alice.guild_id, place, frozenset({place})))
    await watched.app.memory.editor.forget_all(alice)
    await watcher._buffer.flush()
    assert await rows_of(watched, waiting_message) == []


async def test_what_is_shown_is_scored_for_the_channel_and_never_as_the_writers_words(
    watched: Den,
) -> None:
    den = watched
    await watch(den)
    elsewhere = den.guild.add_text_channel("elsewhere")
    insult = await den.fake.say(den.bob, elsewhere, "you idiot, I have a cat and you do not")
    forum = den.guild.add_channel("help", FORUM)
    await watch(den, channel=forum)
    forwarded = await den.fake.say(den.alice, den.general, forward=insult)
    own = await den.fake.say(den.alice, den.general, "I have a cat and no dog")
    _, post = await den.fake.open_post(den.alice, forum, "Why is Bob such an idiot?", "asking so")
    await read(den)
    batches = [request for request in den.model.chats if is_watching(request)]
    lines = [line for request in batches for line in said_in(request)]
    assert any("[forwarded message] > you idiot" in line for line in lines)
    assert any("[title of this post] > Why is Bob such an idiot?" in line for line in lines)
    columns = (message_score.c.MessageId, message_score.c.UserId)
    authors = dict(await rows_of(den, message_score, *columns))
    assert authors[forwarded.id] == 0
    assert authors[own.id] == authors[post.id] == den.alice.id
    assert await den.known_of(den.bob) == []
