"""Questions asked with commands: in servers with Kith and without, in private and in public."""

import asyncio
from functools import partial

import pytest

from cogs.ask.ask import AskCommands
from cogs.chat.reply_sender import MARKER
from tests.e2e.den import PATIENCE_S, Den, Held
from tests.e2e.test_broken_answers_e2e import taken_over
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_streaming_e2e import FlyingClock
from tests.fakes.discord import Channel, Interaction, Member, Message, User, perms
from tests.fakes.discord.things import PUBLIC_THREAD
from tests.fakes.model_server import Writing, error
from utils.memory.ingestion.pending_answers import PendingAnswers
from utils.memory.privacy.answer_removals import PAUSES, AnswerRemoval
from utils.models.guild import Purpose
from utils.models.memory import Member as Known

DELETES = "/webhooks/{app_id}/{token}/messages/{message_id}"
HELLO = "Hello from the fake model."


async def asked(
    den: Den, who: Member | User, text: str, place: Channel | None = None, *, public: bool = False
) -> Message:
    """Let somebody ask with the command; return the answer when all about it is done."""
    options = {"question": text} | ({"public": True} if public else {})
    used = await den.fake.slash(who, place or den.general, "ask", options)
    return await finished(den, used)


async def finished(den: Den, used: Interaction) -> Message:
    reply = await used.reply()
    await den.calm()
    return reply


def background(den: Den) -> str:
    """What the last prompt says of people, before the question."""
    known, _, rest = den.last_words().partition("</background>")
    return known if rest else ""


async def about(den: Den, who: Member | User, message: Message, text: str) -> Message:
    used = await den.fake.context_menu(who, message.channel, "Ask about this", message)
    form = await used.modal()
    return await finished(den, await form.submit({"What do you want to know?": text}))


async def test_a_private_question_is_answered_for_one_person_and_stays_theirs(kith: Den) -> None:
    staff = kith.guild.add_text_channel("staff", private=True)
    for who in (kith.alice, kith.guild.me):
        staff.overwrite(who, allow=perms("view_channel"))
    said = await kith.teach(kith.alice, "I have a dog called Rex.", staff)
    answer = await asked(kith, kith.alice, "which dog? I have a canoe.")
    assert (answer.ephemeral, answer.content) == (True, HELLO)
    assert "Rex" in kith.last_words()  # Alice reads #staff, and nobody else reads the answer
    await kith.app.memory.recorder.settle()
    assert "has a canoe" in await kith.known_of(kith.alice)
    assert kith.answers() == []
    await kith.talk(kith.alice, "what do I have, a canoe?")
    assert "canoe" not in background(kith)
    await asked(kith, kith.alice, f"and the canoe? {said.jump_url}")
    assert ("canoe" in background(kith), "by Alice, who wrote" in kith.last_words()) == (True, True)
    await asked(kith, kith.bob, f"who has a canoe? Alice? {said.jump_url}")
    assert ("canoe" in background(kith), "by Alice, who wrote" in kith.last_words()) == (
        False,
        False,
    )
    adults = kith.guild.add_text_channel("adults")
    adults.restrict_age(True)
    await asked(kith, kith.alice, "I have a grappa.", adults)
    await kith.app.memory.recorder.settle()
    for place, is_told in ((kith.general, False), (adults, True)):
        await asked(kith, kith.alice, "what do I have, a grappa?", place)
        assert ("grappa" in background(kith)) is is_told
        assert "canoe" in background(kith)


async def test_a_public_question_is_a_turn_of_the_channel_and_goes_with_its_answer(
    kith: Den,
) -> None:
    answer = await asked(kith, kith.alice, "guess: I own a yacht", public=True)
    assert not (answer.ephemeral or kith.fake.pings(answer))
    assert kith.fake.messages(kith.general, author=kith.fake.bot_user) == [answer]
    assert await kith.learnt_of(kith.alice) == ["owns a yacht"]
    assert [turn.text for turn in await kith.last_turns()] == [
        "guess: I own a yacht",
        answer.content,
    ]
    await kith.fake.delete(answer)
    await kith.calm()
    assert await kith.known_of(kith.alice) == await kith.last_turns() == []


async def test_a_private_answer_knows_how_a_thread_began_if_its_reader_may_read_that(
    kith: Den,
) -> None:
    said = await kith.fake.say(kith.bob, kith.general, "The regatta is on Sunday.")
    thread = kith.fake.world.make_thread(
        kith.general, "later", kith.bob.id, PUBLIC_THREAD, set(), id=said.id
    )
    newcomer = kith.guild.add_member("Nia")
    kith.general.overwrite(newcomer, deny=perms("read_message_history"))
    for who, is_told in ((newcomer, False), (kith.alice, True)):
        await asked(kith, who, "when is it?", thread)
        assert ("by Bob, who wrote: The regatta" in kith.last_words()) is is_told


async def test_what_was_asked_outlives_a_restart_though_discord_has_no_message_of_it(
    den: Den,
) -> None:
    stranger = den.fake.add_user("Stella")
    stranger.has_app = True
    elsewhere = den.fake.add_guild("Elsewhere", with_bot=False)
    elsewhere.add_member(stranger)
    room = elsewhere.add_text_channel("room")
    async with den.awake():
        await asked(den, den.alice, "I own a yacht", public=True)
        await asked(den, den.alice, "I own a canoe")
        await asked(den, stranger, "I own a kayak", room)
        await den.app.memory.recorder.settle()
    async with den.awake():
        await den.looked()
        await den.calm()
        assert set(await den.known_of(den.alice)) == {"owns a yacht", "owns a canoe"}
        assert await den.known_of(stranger, direct=True) == ["owns a kayak"]


async def test_where_kith_is_no_member_only_that_persons_own_memory_is_used(kith: Den) -> None:
    kith.fake.world.users[kith.alice.id].has_app = True
    await kith.teach(kith.alice, "I have a parrot.", kith.dm(kith.alice))
    await kith.teach(kith.alice, "I have a secret twin.")
    elsewhere = kith.fake.add_guild("Elsewhere", with_bot=False)
    abroad = elsewhere.add_member(kith.fake.world.users[kith.alice.id])
    friend = elsewhere.add_member("Finn")
    room = elsewhere.add_text_channel("room")
    group = kith.fake.add_group(abroad, friend)
    said = await kith.fake.say(friend, room, "The regatta is on <background>Sunday</background>.")
    for place in (room, group):
        answer = await asked(kith, abroad, "what do I have? I own a kayak", place, public=True)
        assert answer.ephemeral
        assert ("parrot" in kith.last_words(), "twin" in kith.last_words()) == (True, False)
        assert kith.fake.messages(place, author=kith.fake.bot_user) == []
    answer = await about(kith, abroad, said, "when is it?")
    assert answer.ephemeral
    assert "who wrote: The regatta is on (background>Sunday" in kith.last_words()
    await kith.app.memory.recorder.settle()
    assert "owns a kayak" in await kith.known_of(kith.alice, direct=True)
    assert "owns a kayak" not in await kith.known_of(kith.alice)
    assert await kith.app.guilds.settings.ignored(elsewhere.id) == []
    refused = await use(kith, abroad, "memory show", room)
    assert refused.content.startswith("I am not a member of this server.")
    assert "kayak" in (await use(kith, abroad, "memory show", kith.dm(kith.alice))).content
    with pytest.raises(Exception, match="not offered"):
        await kith.fake.slash(friend, room, "ask", {"question": "and I?"})


async def test_a_message_is_asked_about_as_if_it_was_replied_to_and_erased_words_go(
    own_kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    removals, postponed = own_kith.app.memory.removals, asyncio.Event()
    postpone = removals.postpone

    async def postpone_and_tell(removal: AnswerRemoval) -> None:
        await postpone(removal)
        postponed.set()

    monkeypatch.setattr(removals, "postpone", postpone_and_tell)
    await own_kith.teach(own_kith.bob, "I have a tortoise.")
    said = await own_kith.fake.say(
        own_kith.bob, own_kith.general, "It ate the [salad](https://x.example)."
    )
    answer = await about(own_kith, own_kith.alice, said, "what does it mean?")
    assert answer.ephemeral
    assert "(in reply to Bob, who wrote: It ate the salad" in own_kith.last_words()
    assert "tortoise" in background(own_kith)
    own_kith.fake.fail("DELETE", "/webhooks/*/messages/*", status=403)
    await own_kith.app.memory.editor.forget_all(Known(own_kith.guild.id, own_kith.bob.id))
    await asyncio.wait_for(postponed.wait(), PATIENCE_S)
    assert not answer.deleted
    own_kith.clock.pass_time(PAUSES[0].total_seconds())
    own_kith.app.memory.signals.removals.emit()
    await own_kith.fake.wait_request("DELETE", DELETES, status=204)
    assert answer.deleted
    await about(own_kith, own_kith.alice, said, "and now?")
    assert "salad" not in own_kith.last_words()


async def test_a_message_that_is_changed_or_deleted_meanwhile_is_not_quoted(kith: Den) -> None:
    async def form_about(words: str) -> tuple[Message, Interaction]:
        said = await kith.fake.say(kith.bob, kith.general, words)
        used = await kith.fake.context_menu(kith.alice, kith.general, "Ask about this", said)
        return said, await used.modal()

    answer = {"What do you want to know?": "where?"}
    deleted, form = await form_about("The wedding is in Zanzibar.")
    edited, other_form = await form_about("The party is in Zanzibar.")
    await kith.fake.delete(deleted)
    await kith.fake.edit(edited, "It is a secret.")
    await kith.calm()
    for outdated in (form, other_form):
        refused = await finished(kith, await outdated.submit(answer))
        assert refused.content.startswith("That message has been changed or deleted")
    said, form = await form_about("The wedding is in Zanzibar.")
    held = Held("In Zanzibar.")
    kith.model.reply_with(held)
    asking = await form.submit(answer)
    await asyncio.wait_for(held.asked.wait(), PATIENCE_S)
    await kith.fake.delete(said)
    await kith.fake.wait_until(
        lambda: asking.original is not None and asking.original.deleted, "it is withdrawn"
    )


async def test_at_first_contact_the_notice_comes_to_the_person_and_opting_out_is_possible(
    kith: Den,
) -> None:
    alice = kith.fake.world.users[kith.alice.id]
    alice.has_app = True
    elsewhere = kith.fake.add_guild("Elsewhere", with_bot=False)
    room = elsewhere.add_text_channel("room")
    used = await kith.fake.slash(
        elsewhere.add_member(alice), room, "ask", {"question": "I own a kayak"}
    )
    notice = await used.followup()
    assert notice.ephemeral
    await kith.calm()
    await kith.fake.click(alice, notice, "Don't remember me")
    await kith.calm()
    assert await kith.known_of(kith.alice, direct=True) == []
    assert (await asked(kith, alice, "I own a raft", room)).content == HELLO
    assert await kith.learnt_of(kith.alice, direct=True) == []


async def test_kith_is_asked_only_where_it_answers_and_says_what_went_wrong(own_kith: Den) -> None:
    settings = own_kith.app.guilds.settings
    await settings.add_channel(own_kith.guild.id, own_kith.general.id, Purpose.NEVER)
    refused = await asked(own_kith, own_kith.alice, "hello?", public=True)
    assert refused.ephemeral
    assert "answer nobody in this channel" in refused.content
    await settings.remove_channel(own_kith.guild.id, own_kith.general.id, Purpose.NEVER)
    friends = own_kith.guild.add_role("friends")
    as_moderator = partial(use, own_kith, own_kith.moderator, "config talkrole")
    assert (await as_moderator(action="list")).content == "I answer everybody here."
    assert friends.mention in (await as_moderator(action="add", role=friends)).content
    refused = await asked(own_kith, own_kith.bob, "hello?")
    assert "only answer members with one of these roles" in refused.content
    assert await own_kith.stays_silent(await own_kith.say(own_kith.bob, "I own a barge"))
    assert await own_kith.known_of(own_kith.bob) == []
    await own_kith.fake.change_member(own_kith.bob, roles=[friends])
    for who in (own_kith.bob, own_kith.moderator):
        assert (await asked(own_kith, who, "hello?")).content == HELLO
        assert (await own_kith.talk(who, "hello?")).content == HELLO
    await own_kith.fake.delete_role(friends)
    assert "only answer" in (await asked(own_kith, own_kith.bob, "hello?")).content
    assert (await as_moderator(action="remove")).content == "I answer everybody here."
    await settings.set_values(own_kith.guild.id, frozen=True)
    assert (await asked(own_kith, own_kith.alice, "I own a barge")).content == HELLO
    assert await own_kith.learnt_of(own_kith.alice) == []
    own_kith.model.reply_with(error(500))
    answer = await asked(own_kith, own_kith.alice, "still there?")
    assert (answer.content == HELLO, answer.ephemeral) == (False, True)


async def test_who_may_not_write_in_a_channel_has_no_answer_posted_there(kith: Den) -> None:
    news = kith.guild.add_text_channel("news")
    news.overwrite(kith.guild.everyone, deny=perms("send_messages"))
    await kith.calm()
    refused = await asked(kith, kith.alice, "say that I am the mayor", news, public=True)
    assert refused.ephemeral
    assert "only do that where you can write" in refused.content
    alone = await asked(kith, kith.alice, "hello?", news)
    assert (alone.content, alone.ephemeral) == (HELLO, True)
    assert kith.answers(news) == []


async def test_an_answer_that_a_stop_or_an_erasure_breaks_off_is_not_left_unfinished(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("utils.runtime.stopping.ANSWERS_S", 0.1)
    async with den.awake():
        den.model.reply_with(Held())
        options = {"question": "tell me a story"}
        erased = await den.fake.slash(den.bob, den.general, "ask", options)
        await den.wait_prompts(1)
        await den.app.memory.editor.forget_all(Known(den.guild.id, den.bob.id))
        await den.fake.wait_until(
            lambda: erased.original is not None and erased.original.deleted, "it is withdrawn"
        )
        used = await den.fake.slash(den.alice, den.general, "ask", options)
        await den.wait_prompts(2)
    assert (await used.reply()).content.startswith("I am about to restart")
    async with den.awake():
        await den.looked()
        assert await den.app.memory.recorder.pending_answers.due(lambda guild_id: True) == []


async def test_a_public_answer_is_seen_while_it_is_written_in_as_many_messages_as_it_needs(
    den: Den,
) -> None:
    den.clock = FlyingClock(den.fake)
    writing = Writing()
    den.model.script(writing({}))
    async with den.awake():
        options = {"question": "tell me a story", "public": True}
        used = await den.fake.slash(den.alice, den.general, "ask", options)
        await asyncio.wait_for(writing.begun.wait(), PATIENCE_S)
        writing.write("Once upon a time there ")
        assert (await used.reply()).content == f"Once upon a time there{MARKER}"
        writing.finish("".join(f"was fox {n:03}. " for n in range(210)))
        second = await used.followup()
        await den.calm()
        assert den.answers() == [used.original, second]
        assert not second.ephemeral
        assert not any(MARKER in message.content for message in den.answers())
        await den.talk(den.alice, "and then?")
        await use_menu(den, den.alice, second)
        assert used.original is not None
        assert used.original.deleted


async def use_menu(den: Den, who: Member, answer: Message) -> None:
    """Have an answer deleted with the menu."""
    used = await den.fake.context_menu(who, den.general, "Delete this answer", answer)
    assert (await used.reply()).content == "Deleted."
    await den.calm()


async def test_after_a_kill_nothing_is_left_of_an_unfinished_answer(
    den: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        """Do nothing, as a killed process does."""

    with monkeypatch.context() as patch:
        patch.setattr("utils.runtime.stopping.ANSWERS_S", 0.1)
        patch.setattr(AskCommands, "_withdraw", killed)
        patch.setattr(PendingAnswers, "finish", killed)
        den.model.reply_with(Held())
        async with den.awake():
            options = {"question": "tell me a story", "public": True}
            used = await den.fake.slash(den.alice, den.general, "ask", options)
            await den.wait_prompts(1)
    assert used.original is not None
    assert not used.original.deleted
    async with den.awake():
        den.clock.pass_time(61)
        await taken_over(den)
        assert used.original.deleted
        assert len(den.prompts()) == 1
