"""What a member asks to be kept secret comes back to nobody else, by whichever door."""

from datetime import timedelta
from typing import Any

import pytest

from cogs.mcp_server.grants import Grant
from tests.e2e.den import DAY_S, NEVER_BY_ITSELF_S, Den
from tests.e2e.test_chat_tools_e2e import calling
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_episodes_e2e import pass_time, scribble, small_talk
from tests.e2e.test_mcp_server_e2e import agent
from tests.e2e.test_moderation_e2e import posted, supervised
from tests.e2e.test_reminders_e2e import delivered, known, reminders
from tests.fakes.discord import Channel
from tests.fakes.model_server import ChatRequest, prompt_of
from utils.database.erasure import confidences
from utils.memory.episodes import episode_service
from utils.models.episode import LoopKind
from utils.models.memory import Consent

SECRET = "I have a kayak in the basement, don't tell Bob"
FIRST, THEN = "I have a kayak in the basement", "please don't mention this to Bob"


@pytest.fixture
def kith(hasty_kith: Den, monkeypatch: pytest.MonkeyPatch) -> Den:
    hasty_kith.model.summarise_with(scribble)
    monkeypatch.setattr(episode_service, "GATHER_S", NEVER_BY_ITSELF_S)
    monkeypatch.setattr(episode_service, "SWEEP_EVERY_S", NEVER_BY_ITSELF_S)
    return hasty_kith


def elsewhere(den: Den) -> Channel:
    return den.guild.add_text_channel("elsewhere")


def last_prompt(den: Den) -> str:
    return str(den.prompts()[-1]["messages"])


async def asked_elsewhere(den: Den, channel: Channel) -> str:
    await den.talk(
        den.bob,
        f"what about the kayak, telescope, cello, lute, harp and flute of {den.alice.mention}?",
        channel,
    )
    return last_prompt(den)


async def test_a_summary_holds_no_confidence_nor_any_answer_that_repeats_it(kith: Den) -> None:
    other = elsewhere(kith)
    await kith.talk(kith.alice, "the harbour festival is on Sunday")
    await kith.talk(kith.alice, SECRET)
    kith.model.reply_with("Your kayak will love the harbour festival!")
    await kith.talk(kith.alice, "what do I need for the harbour festival?")
    await kith.talk(kith.alice, "and what do I bring?")
    kith.model.reply_with("Fine.")
    await pass_time(kith, DAY_S)
    (request,) = kith.summaries()
    asked = prompt_of(request, "user")
    assert ("harbour festival" in asked, "kayak" in asked) == (True, False)
    prompt = await asked_elsewhere(kith, other)
    assert [
        words in prompt for words in ("the harbour festival is on Sunday", "basement", "will love")
    ] == [True, False, False]


async def test_a_request_in_a_message_of_its_own_takes_it_out_of_what_was_written_before(
    kith: Den,
) -> None:
    other = elsewhere(kith)
    for number in range(5):
        await kith.talk(kith.alice, f"plan {number} of the harbour festival")
    kith.model.reply_with("A kayak in the basement, how nice!")
    await kith.teach(kith.alice, FIRST)
    kith.model.reply_with("Fine.")
    await kith.app.memory.episodes.catch_up()
    assert "kayak" in prompt_of(kith.summaries()[-1], "user")
    kith.model.reply_with("There is a boat in the basement.")
    assert "basement" in await asked_elsewhere(kith, other)
    kith.model.reply_with("Fine.")
    await kith.teach(kith.alice, THEN)
    assert "basement" not in await asked_elsewhere(kith, other)
    count = len(kith.summaries())
    await pass_time(kith, DAY_S)
    rewritten = "".join(prompt_of(request, "user") for request in kith.summaries()[count:])
    assert ("plan 4 of the" in rewritten, "basement" in rewritten) == (True, False)
    compiled = kith.app.database._engine._compiled_cache.values()
    # SQLAlchemy would keep the first words that a statement is given as values.
    kept = [bind.value for statement in compiled for bind in statement.binds.values()]
    assert "basement" not in str(kept)


async def test_nobody_else_hears_it_by_any_reader(kith: Den) -> None:
    other = elsewhere(kith)
    lines = ("I have a parrot.", FIRST, "das ist vertraulich")
    _, said, _ = [await kith.teach(kith.alice, line) for line in lines]
    for place in (
        other,
        kith.fake.world.make_thread(kith.general, "boats", said.author.id, 11, set(), id=said.id),
    ):
        prompt = await asked_elsewhere(kith, place)
        assert ("parrot" in prompt, "basement" in prompt) == (True, False)
    async with agent(kith, Grant(kith.guild.id)) as everyones:
        assert [bool(await everyones.texts(word)) for word in ("parrot", "kayak")] == [True, False]
    async with agent(kith, Grant(kith.guild.id, kith.alice.id)) as hers:
        assert await hers.texts("kayak")
    await use(kith, kith.moderator, "mod policy set", moderators_see_members=True)
    seen = await use(kith, kith.moderator, "mod memory", member=kith.alice)
    assert ("parrot" in seen.content, "kayak" in seen.content) == (True, False)
    for options in ({}, {"member": kith.alice}):
        seen = await use(kith, kith.moderator, "mod search", words="parrot", **options)
        assert "has a parrot" in seen.content
        seen = await use(kith, kith.moderator, "mod search", words="kayak", **options)
        assert "in the basement" not in seen.content
    operators = str(await kith.app.admin.browser.audit(kith.guild.id))
    assert ("parrot" in operators, "kayak" in operators) == (True, False)
    assert "kayak" in str((await kith.app.memory.member_data.show(known(kith, kith.alice))).rows)
    await kith.talk(kith.alice, "what do I keep in the basement, the kayak?", other)
    assert "kayak in" in kith.last_words()


async def test_the_last_turns_of_its_channel_hold_it_for_its_author_only(kith: Den) -> None:
    kith.model.reply_with("A kayak, how nice!")
    await kith.talk(kith.alice, FIRST)
    await kith.talk(kith.alice, "never tell anyone, ok?")
    kith.model.reply_with("Fine.")
    await kith.talk(kith.bob, "hello, what is new?")
    assert "kayak" not in last_prompt(kith)
    await kith.talk(kith.alice, "and what did I just say?")
    assert "kayak" in last_prompt(kith)
    await kith.app.memory.editor.set_consent(known(kith, kith.bob), Consent.OFF)
    await kith.talk(kith.bob, "I dream of canoes", other := elsewhere(kith))
    kith.model.reply_with("A yellow kayak, not one of the canoes.")  # so it is not stored
    await kith.talk(kith.alice, "what do I have, the kayak?", other)
    assert "yellow" not in await asked_elsewhere(kith, other)


async def test_an_answer_that_quotes_a_confidence_which_is_not_stored_is_told_to_nobody_else(
    kith: Den,
) -> None:
    said = await kith.fake.say(kith.alice, kith.general, "Don't tell anyone: I play the zither")
    kith.model.reply_with("The zither, she says.")
    await kith.answer_to(
        await kith.fake.say(kith.bob, kith.general, "<@bot> What is this?", reply_to=said)
    )
    # Nor is what she is answered next: at once in other words, later from such answers alone.
    for words, answers in (("Thirty strings!", 1), ("The zither, you said.", 7)):
        kith.model.reply_with(words)
        for _ in range(answers):
            await kith.talk(kith.alice, "What is it?")
        kith.model.reply_with("Fine.")
        await kith.talk(kith.moderator, "How are you?")
        assert [word in last_prompt(kith) for word in ("zither", "strings")] == [False, False]


async def test_a_model_says_which_message_is_told_in_confidence(kith: Den) -> None:
    other = elsewhere(kith)

    def extract(request: ChatRequest) -> dict[str, Any]:
        is_plea = "spare me the looks" in prompt_of(request, "user").partition("SAID")[2]
        return {
            "memories": [],
            "profile_update": None,
            "confidential": "b1" if is_plea else None,
        }

    kith.model.extract_with(extract)
    await kith.teach(kith.alice, FIRST)
    assert "basement" in await asked_elsewhere(kith, other)
    await kith.teach(kith.alice, "spare me the looks of my brother if he hears of that")
    assert "basement" not in await asked_elsewhere(kith, other)


async def test_a_confided_reminder_comes_by_direct_message(kith: Den) -> None:
    kith.model.reply_with(calling("remind", {"what": "buy the ring", "when": "in 20 minutes"}))
    words = "remind me in 20 minutes to buy the ring, don't tell Bob"
    assert "direct message" in (await kith.talk(kith.alice, words)).content
    kith.clock.pass_time(20 * 60)
    await delivered(kith)
    assert reminders(kith, kith.general) == []
    (sent,) = reminders(kith, kith.dm(kith.alice))
    assert "buy the ring" in sent.content


@pytest.mark.parametrize("is_said_at_once", [True, False])
async def test_what_it_is_to_ask_about_in_confidence_it_asks_by_direct_message(
    kith: Den, is_said_at_once: bool
) -> None:
    day = (kith.clock.now() + timedelta(days=2)).strftime("%Y-%m-%d")
    kith.model.reply_with(calling("ask_later", {"what": "the kayak race", "day": day}))
    words = f"ask me on {day} about the kayak race"
    await kith.talk(kith.alice, f"{words}, this is confidential" if is_said_at_once else words)
    kith.model.reply_with("Fine.")
    if not is_said_at_once:
        await kith.talk(kith.alice, "das ist vertraulich")
    (loop,) = await kith.app.memory.reminders.of_member(known(kith, kith.alice))
    assert (loop.kind, loop.channel_id) == (LoopKind.REMINDER, 0)
    kith.clock.pass_time(3 * DAY_S)
    kith.fake.advance(3 * DAY_S)
    await kith.talk(kith.alice, "hello again")
    assert "Open: " not in kith.last_words()
    settings = await kith.app.guilds.settings.get(kith.guild.id)
    channel = kith.client.get_channel(kith.general.id)
    assert await kith.app.speaking.open_loops(kith.client.audiences.of(channel, settings)) == []
    await delivered(kith)
    assert reminders(kith, kith.general) == []
    assert "the kayak race" in reminders(kith, kith.dm(kith.alice))[-1].content


async def test_moderators_do_not_review_what_is_told_in_confidence(kith: Den) -> None:
    reports = await supervised(kith)
    await kith.teach(kith.alice, SECRET)
    await kith.teach(kith.alice, "I own a boat")
    post = await posted(kith, reports)
    assert ("owns a boat" in post.content, "kayak" in post.content) == (True, False)
    listed = await use(kith, kith.moderator, "mod review")
    assert ("owns a boat" in listed.content, "kayak" in listed.content) == (True, False)


async def test_a_mark_outlives_an_edit_of_the_message(
    kith: Den, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new text is stored with it, as another's question may read it at once."""
    other = elsewhere(kith)
    said = await kith.teach(kith.alice, FIRST)
    await kith.teach(kith.alice, THEN)
    monkeypatch.setattr(confidences, "mark", lambda *_, **__: None)
    await kith.fake.edit(said, f"{FIRST}, a red one")
    await kith.calm()
    await kith.app.memory.recorder.settle()
    assert "basement" not in await asked_elsewhere(kith, other)


async def test_a_request_means_what_it_replies_to_or_names_however_old_that_is(kith: Den) -> None:
    """Alice replies to her message itself, and to Kith's answer to another; she names a third, a
    note that she typed, and one of two that an agent typed."""
    other = elsewhere(kith)
    await kith.teach(kith.alice, "I own a viola in a tent")
    (row,) = (await kith.app.memory.member_data.show(known(kith, kith.alice))).rows
    await use(
        kith, kith.alice, "memory correct", memory=str(row.id), text="owns a cello, in a shed"
    )
    async with agent(kith, Grant(kith.guild.id, kith.alice.id)) as hers:
        for what in ("a lute, in the loft", "a harp, in the hut"):
            await hers.use("remember", text=f"I own {what}", channel=str(kith.general.id))
    said, answer, _ = (
        await kith.teach(kith.alice, FIRST),
        await kith.talk(kith.alice, "I own a telescope in the attic"),
        await kith.teach(kith.alice, "my flute is in the barn"),
    )
    await small_talk(kith, 7)
    kith.clock.pass_time(DAY_S)
    kith.fake.advance(DAY_S)
    places = ("basement", "attic", "barn", "shed", "loft", "hut")
    prompt = await asked_elsewhere(kith, other)
    assert [place for place in places if place not in prompt] == []
    named = [
        (None, f"keep what I said about my {what} to yourself")
        for what in ("flute", "cello", "lute")
    ]
    for target, words in ((said, THEN), (answer, THEN), *named):
        await kith.answer_to(
            await kith.fake.say(kith.alice, kith.general, f"<@bot> {words}", reply_to=target)
        )
    prompt = await asked_elsewhere(kith, other)
    assert [place for place in places if place in prompt] == ["hut"]
