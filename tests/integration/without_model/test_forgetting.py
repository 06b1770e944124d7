"""Without a model Kith keeps what it may, says so, and forgets on a word."""

from dataclasses import dataclass, field
from itertools import count

import pytest

from cogs.bot.localisation import languages
from tests.conftest import forget_scrubbing
from tests.fakes.builders import ADA, BOB, GUILD, make_event
from tests.fakes.clock import ManualClock
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.conversation.tools import FORGOTTEN
from utils.memory.member_data.reminders import MAX_REMINDERS
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Role
from utils.models.recall import Person
from utils.without_model.small_talk import REACTION
from utils.without_model.texts import NO_MODEL, texts_in

HERE, ELSEWHERE = 100, 200
KITH_ID = 999
ENGLISH, GERMAN = texts_in("en"), texts_in("de")


@dataclass(slots=True)
class Talk:
    """A running program without a model; each person has said hello already."""

    app: App
    clock: ManualClock
    greeted: set[int] = field(default_factory=set)
    ids: "count[int]" = field(default_factory=lambda: count(50_000))

    async def say(self, text, user_id=ADA.user_id, channel_id=HERE, sources=None):
        """Say something to Kith; returns the answer without the notice of the first one."""
        if user_id not in self.greeted:
            self.greeted.add(user_id)
            await self.say("hi", user_id, 777)
        event = make_event(
            text, channel_id=channel_id, author_id=user_id, message_id=next(self.ids),
            created_at=self.clock.now(),
        )  # fmt: skip
        readable = frozenset(sources or {channel_id})
        audience = Audience(GUILD, channel_id, readable, is_open=True)
        settings = GuildSettings(GUILD, consent_default=Consent.LASTING)
        turn = Turn(event, audience, (Person(user_id, "Ada"),), settings)
        answer = await self.app.conversation.answer(turn)
        self.app.conversation.note_sent(answer)
        told = Event(
            GUILD, channel_id, channel_id, next(self.ids), KITH_ID, "Kith", Role.KITH, answer.text,
            self.clock.now(), reply_to_id=event.message_id, about_ids=answer.about_ids,
        )  # fmt: skip
        await self.app.memory.recorder.record(told, audience)
        return answer.text

    async def settle(self):
        await self.app.memory.recorder.settle()


@pytest.fixture
async def talk(sqlite_url):
    clock = ManualClock()
    app = build(load_settings(env_file=None, database_url=sqlite_url), clock)
    await app.start()
    yield Talk(app, clock)
    forget_scrubbing(app.database)
    await app.close()


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("remind me in 20 minutes to call Sam", "I can only send reminders on Discord."),
        ("erinnere mich in 20 Minuten an Sam", "Erinnern kann ich nur auf Discord."),
        ("frag mich in 3 Jahren, wie es war", "Ich vergesse nach 30 Tagen, was du hier sagst"),
    ],
)
async def test_why_a_wish_is_not_carried_out_is_said_in_its_language(talk, wish, answer):
    assert (await talk.say(wish)).startswith(answer)


def test_a_reason_is_worded_as_on_discord():
    on_discord = {
        english.replace("{number}", str(MAX_REMINDERS)): german.replace(
            "{number}", str(MAX_REMINDERS)
        )
        for english, german in languages()["de"]["texts"].items()
    }
    assert GERMAN.refusals
    assert {text: on_discord.get(text) for text in GERMAN.refusals} == GERMAN.refusals


async def test_the_notice_comes_once(talk):
    talk.greeted.add(ADA.user_id)
    assert (await talk.say("hello")).startswith(NO_MODEL)
    assert NO_MODEL not in await talk.say("what is my name?")
    assert NO_MODEL not in await talk.say("and?")


async def test_who_read_the_notice_elsewhere_is_not_told_again(talk):
    talk.greeted.add(ADA.user_id)
    talk.app.conversation.skip_notice(ADA)
    assert NO_MODEL not in await talk.say("hello")


async def test_a_request_to_kith_is_no_memory(talk):
    await talk.say("I have a question")
    await talk.settle()
    assert await talk.say("what do you know about me?") == ENGLISH.nothing_known


async def test_whose_words_are_not_kept_is_told_so(talk):
    await talk.say("hi")
    await talk.app.memory.editor.set_consent(ADA, Consent.OFF)
    assert await talk.say("I live in Rome") == ENGLISH.not_kept


async def test_what_was_said_in_a_channel_others_here_cannot_read_is_not_told(talk):
    await talk.say("I live in Lisbon", channel_id=ELSEWHERE)
    await talk.settle()
    assert "Lisbon" not in await talk.say("where do I live?")
    assert "Lisbon" in await talk.say("where do I live?", sources={HERE, ELSEWHERE})


async def test_forgetting_a_name_takes_notes_and_messages_with_it(talk):
    await talk.say("my cat Tofu knocked over my coffee")
    await talk.say("I have a cat named Tofu")
    await talk.settle()
    assert await talk.say("forget Tofu") == FORGOTTEN
    talk.clock.advance(minutes=1)
    await talk.settle()
    for question in ("what's my cat called?", "what do you know about me?"):
        assert "Tofu" not in await talk.say(question)


@pytest.mark.parametrize(
    ("statement", "wish"),
    [
        ("I adore blue cheese", "forget that I adore blue cheese"),
        ("ich wohne in Köln", "vergiss bitte, dass ich in Köln wohne"),
    ],
)
async def test_a_sentence_is_forgotten_in_plain_words(talk, statement, wish):
    await talk.say(statement)
    await talk.settle()
    assert await talk.say(wish) in (FORGOTTEN, GERMAN.forgotten)
    assert "blue" not in (answer := await talk.say("what do i adore?"))
    assert "Köln" not in answer + await talk.say("wo wohne ich?")


@pytest.mark.parametrize(
    ("wish", "agreement", "question", "forgotten"),
    [
        ("forget everything about my cat", "yes", ENGLISH.ask_about.format(what="cat"), "cat"),
        ("vergiss alles über meine cat", "ja", GERMAN.ask_about.format(what="cat"), "cat"),
        ("forget everything", "yes please", ENGLISH.ask_all, "Rome"),
        ("vergiss alles", "ja, vergiss alles", GERMAN.ask_all, "Rome"),
    ],
)
async def test_a_large_wish_is_asked_back_first(talk, wish, agreement, question, forgotten):
    await talk.say("my cat sleeps all day on my bed")
    await talk.say("I live in Rome")
    await talk.say("I have a cat")
    await talk.settle()
    assert (await talk.say(wish)).startswith(question)
    kept = await talk.app.memory.search.of_member(ADA, forgotten)
    assert kept.rows or kept.messages
    assert await talk.say(agreement) in (FORGOTTEN, GERMAN.forgotten)
    rows = (await talk.app.memory.member_data.show(ADA)).rows
    assert not [row for row in rows if forgotten in row.text]
    if forgotten == "cat":
        assert "Rome" in await talk.say("where do I live?")
        left = await talk.app.memory.search.of_member(ADA, "cat")
        assert not [message for message in left.messages if message.text == wish]


async def test_a_yes_minutes_later_or_from_somebody_else_erases_nothing(talk):
    await talk.say("I live in Rome")
    await talk.settle()
    await talk.say("forget everything")
    assert (await talk.say("yes", BOB.user_id)).startswith(ENGLISH.agreement)
    talk.clock.advance(minutes=6)
    assert (await talk.say("yes")).startswith(ENGLISH.agreement)
    for other in ("no", "what is my name?"):
        await talk.say("forget everything")
        await talk.say(other)
        assert (await talk.say("yes")).startswith(ENGLISH.agreement)
    assert "Rome" in await talk.say("where do I live?")


@pytest.mark.parametrize("by", [ADA.user_id, BOB.user_id])
async def test_what_follows_the_word_password_is_no_memory(talk, by):
    await talk.say("what is the wifi password?", by)
    await talk.say("I love bananarama most")
    await talk.settle()
    assert not (await talk.app.memory.member_data.show(ADA)).rows


@pytest.mark.parametrize(
    ("wish", "forgotten"),
    [
        ("forget the last message", ENGLISH.forgotten),
        ("vergiss die letzte Nachricht", GERMAN.forgotten),
    ],
)
async def test_the_last_message_is_forgotten_with_its_notes(talk, wish, forgotten):
    await talk.say("I live in Rome")
    await talk.say("I have a dog named Rex")
    await talk.settle()
    assert await talk.say(wish) == forgotten
    assert "Rex" not in await talk.say("what do you know about me?")
    assert "Rex" not in await talk.say("what's my dog called?")
    assert "Rome" in await talk.say("where do I live?")


@pytest.mark.parametrize(
    "wish",
    [
        "forget the dog",
        "don't remember that I have a dog",
        "I don't want you to remember the dog",
        "remove the dog from your memory",
    ],
)
async def test_a_thing_is_forgotten_in_other_words(talk, wish):
    await talk.say("I have a dog named Rex")
    await talk.settle()
    assert await talk.say(wish) == FORGOTTEN
    await talk.settle()
    assert "dog" not in await talk.say("what do you know about me?")
    assert await talk.say("what's my dog called?") == ENGLISH.unknown


@pytest.mark.parametrize(
    ("wish", "promise", "question"),
    [
        (
            "ask me tomorrow how the interview went",
            "I will ask you when we talk on 12 March or later: “how the interview went”",
            ENGLISH.ask.format(text="how the interview went"),
        ),
        (
            "frag mich morgen, wie das Gespräch war",
            "Ich frage dich, wenn wir am 12. März oder danach reden: „wie das Gespräch war“",
            GERMAN.ask.format(text="wie das Gespräch war"),
        ),
    ],
)
async def test_what_was_promised_is_asked_once_on_its_day(talk, wish, promise, question):
    assert await talk.say(wish) == promise
    assert question not in await talk.say("haha")
    talk.clock.advance(days=1)
    assert await talk.say("haha") == f"{REACTION}\n{question}"
    assert await talk.say("haha") == REACTION
    await talk.app.memory.reader.loop_offers.write()
    assert not await talk.app.memory.loops.of_member(ADA, {HERE})


async def test_nothing_that_fits_is_not_forgotten(talk):
    await talk.say("I live in Rome")
    await talk.settle()
    assert await talk.say("forget my boat") == ENGLISH.nothing_fits
    assert await talk.say("forget everything about my boat") == ENGLISH.nothing_fits
    assert "Rome" in await talk.say("where do I live?")
