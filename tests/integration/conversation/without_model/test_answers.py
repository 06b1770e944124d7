"""Without a model Kith answers in sentences, from what the member said, and forgets on a word."""

from dataclasses import dataclass, field
from itertools import count

import pytest
from utils.conversation.without_model.acknowledgements import REACTION
from utils.conversation.without_model.answers import MAX_LISTED
from utils.conversation.without_model.texts import NO_MODEL, texts_in

from cogs.bot.localisation import languages
from tests.conftest import forget_scrubbing
from tests.fakes.builders import ADA, BOB, GUILD, NOON, make_event
from tests.fakes.clock import ManualClock
from tests.rows import each_row
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.conversation.tools import FORGOTTEN
from utils.memory.member_data.reminders import MAX_REMINDERS
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Role
from utils.models.recall import Person

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


async def test_an_answer_is_a_sentence_with_the_day_it_was_told(talk):
    await talk.say("I live in Lisbon and I love fado")
    await talk.settle()
    assert await talk.say("where do I live?") == "You live in Lisbon. You told me just now."
    assert await talk.say("what do i love") == "You love fado. You told me just now."


async def test_a_german_question_gets_a_german_sentence(talk):
    await talk.say("ich wohne in Köln und hab eine Katze namens Mimi")
    await talk.settle()
    answer = await talk.say("wo wohne ich?")
    assert answer == "Du wohnst in Köln. Das hast du mir gerade eben gesagt."


async def test_a_note_in_another_language_is_told_in_the_words_that_it_rests_on(talk):
    await talk.say("hey im lena btw, i live in Leipzig")
    await talk.say("ich hab übermorgen zahnarzt um 15 uhr")
    await talk.settle()
    words = "„hey im lena btw, i live in Leipzig“."
    assert await talk.say("wie heiße ich?") == f"{words} Das hast du mir gerade eben gesagt."
    told = "Just now you said: “ich hab übermorgen zahnarzt um 15 uhr”"
    assert await talk.say("when is my zahnarzt appointment?") == told
    assert await talk.say("was weißt du über mich?") == (
        f"Du hast am 13. März 2026 zahnarzt um 15 uhr.\n{words}"
    )


async def test_the_words_of_a_note_are_those_that_were_said_where_readers_may_see_them(talk):
    await talk.say("i live in Leipzig", channel_id=HERE)
    await talk.settle()
    await talk.say("i live in Leipzig, at my uncle's since the trouble", channel_id=777)
    await talk.settle()
    for place, words in ((HERE, "„i live in Leipzig“."), (777, "uncle")):
        answer = await talk.say("wo wohne ich?", channel_id=place, sources={HERE, place})
        assert words in answer


async def test_a_question_about_somebody_is_not_answered_with_what_is_known_of_others(talk):
    await talk.say("im allergic to peanuts and my bf tom is allergic to cats")
    await talk.say("my brother lives in Berlin")
    await talk.say("mein freund heißt Jonas, er arbeitet bei BMW")
    await talk.settle()
    assert await talk.say("what am I allergic to?") == (
        "You are allergic to peanuts. You told me just now."
    )
    assert "my bf tom is allergic to cats" in await talk.say("what is tom allergic to")
    answer = await talk.say("wo arbeitet mein freund")
    assert "Jonas" in answer
    assert "Berlin" not in answer


async def test_a_question_about_a_day_is_not_answered_with_another_days_plan(talk):
    await talk.say("i drive a tesla")
    await talk.say("im moving to Munich in january")
    await talk.settle()
    answer = await talk.say("what do i have to do tomorrow")
    assert "tesla" not in answer
    assert "You are moving" not in answer
    assert await talk.say("when is my bday") == ENGLISH.unknown


async def test_what_was_said_seconds_ago_is_known_before_it_is_extracted(talk):
    await talk.say("got a switch 2 for my bday, loving it")
    assert "switch 2" in await talk.say("which console do I have?")
    assert "switch 2" not in await talk.say("which console do I have?", BOB.user_id)


async def test_a_question_for_next_week_is_answered_with_the_plan(talk):
    await talk.say("i love hiking")
    await talk.say("next week im in Vienna for a conference")
    await talk.settle()
    answer = await talk.say("what am I doing next week?")
    assert "Vienna" in answer
    assert "hiking" not in answer


async def test_a_plan_that_is_over_is_not_told_as_one(talk):
    await talk.say("I'm moving house next week")
    await talk.settle()
    talk.clock.advance(days=20)
    assert await talk.say("what am I doing this week?") == ENGLISH.unknown


async def test_a_past_home_is_not_told_as_the_home(talk):
    await talk.say("i used to live in Rome")
    await talk.settle()
    assert "You live in Rome" not in await talk.say("where do I live?")


@pytest.mark.parametrize(
    ("statement", "question", "answer"),
    [
        ("I have a dog named Rex", "what did I tell you?", "You have a dog named Rex."),
        ("ich wohne in Köln", "was habe ich dir erzählt?", "Du wohnst in Köln."),
    ],
)
async def test_what_was_told_is_listed(talk, statement, question, answer):
    await talk.say("hi")
    await talk.say(statement)
    await talk.settle()
    assert await talk.say(question) == answer


async def test_the_notice_comes_once(talk):
    talk.greeted.add(ADA.user_id)
    assert (await talk.say("hello")).startswith(NO_MODEL)
    assert NO_MODEL not in await talk.say("what is my name?")
    assert NO_MODEL not in await talk.say("and?")


async def test_who_read_the_notice_elsewhere_is_not_told_again(talk):
    talk.greeted.add(ADA.user_id)
    talk.app.conversation.skip_notice(ADA)
    assert NO_MODEL not in await talk.say("hello")


@each_row(
    ("text", "answer"),
    [
        ("hello Kith", ENGLISH.greeting.format(name="Ada")),
        ("thank you!", ENGLISH.thanks),
        ("who are you?", ENGLISH.identity),
        ("help", ENGLISH.help),
        ("danke schön", GERMAN.thanks),
        ("hallo", GERMAN.greeting.format(name="Ada")),
        ("Hilfe", GERMAN.help),
        ("gute Nacht", GERMAN.farewell),
        ("good night", ENGLISH.farewell),
        ("wie geht's?", GERMAN.wellbeing),
        ("cool", REACTION),
        ("Wer bist du?", GERMAN.identity),
        ("what is my name?", ENGLISH.unknown),
        ("what is the capital of France?", ENGLISH.not_mine),
        ("I live in Rome", ENGLISH.noted),
        ("yes", ENGLISH.nothing_asked),
        ("?", ENGLISH.no_chat),
        ("🙂", REACTION),
        ("???", ENGLISH.no_chat),
        ("sing me a song", ENGLISH.no_chat),
        ("yo whats up", ENGLISH.wellbeing),
        ("haha, tell me a joke!", ENGLISH.joke),
        ("Erzähl mir einen Witz", GERMAN.joke),
        ("where is my data stored?", ENGLISH.privacy),
        ("Ist das privat?", GERMAN.privacy),
        ("how do I set up a model?", ENGLISH.model),
        ("Warum bist du so dumm?", GERMAN.model),
        ("do you like cats?", ENGLISH.about_kith),
        ("can you help me with math?", ENGLISH.about_kith),
        ("Magst du Pizza?", GERMAN.about_kith),
        ("what should I tell you?", ENGLISH.help),
        ("Was soll ich sagen?", GERMAN.help),
        ("do you remember me?", ENGLISH.nothing_known),
        ("hi im Anna", ENGLISH.met.format(name="Anna")),
        ("Ich heiße Anna", GERMAN.met.format(name="Anna")),
        ("my dog died yesterday", ENGLISH.thanks_for_telling),
        ("remember that my car is a red Golf", ENGLISH.noted),
        ("remember that the wifi code is on the fridge", ENGLISH.only_own),
        ("merk dir bitte, dass der Ersatzschlüssel bei Oma liegt", GERMAN.only_own),
        ("my password is hunter2", ENGLISH.not_noted),
        ("thanks, you're great", ENGLISH.addressed),
        ("danke, du bist toll!", GERMAN.addressed),
        ("ur kinda dumb", ENGLISH.addressed),
        ("thx bye!", ENGLISH.farewell),
        ("Thank you, that was most helpful.", ENGLISH.thanks),
        ("passt, danke dir", GERMAN.thanks),
        ("cheers mate", ENGLISH.thanks),
        ("tut mir leid", GERMAN.apology),
        ("lol ok", REACTION),
        ("hiii kith", ENGLISH.greeting.format(name="Ada")),
        ("grüß dich", GERMAN.greeting.format(name="Ada")),
        ("hallo kith", GERMAN.greeting.format(name="Ada")),
        ("Rob plays the drums", ENGLISH.thanks_for_telling),
        ("boah bin ich müde", GERMAN.thanks_for_telling),
        ("the password is hunter2", ENGLISH.not_noted),
    ],
)
async def test_short_messages_get_short_answers(talk, text, answer):
    stranger = next(talk.ids)
    assert (await talk.say(text, stranger, channel_id=stranger)).startswith(answer)


async def test_what_is_no_question_gets_an_example_of_what_is_not_known_yet(talk):
    for fact in ("my name is Ada", "I live in Rome", "I have a dog named Rex", "I work as a nurse"):
        example = (await talk.say("sing me a song")).removeprefix(ENGLISH.no_chat)
        assert fact.split()[1] in example
        await talk.say(fact)
        await talk.settle()
    await talk.say("I love ramen. My birthday is on 3 May")
    await talk.settle()
    assert (await talk.say("sing me a song")).endswith(ENGLISH.question_example)


async def test_what_is_known_answers_no_question_about_kith(talk):
    await talk.say("I feel sad today, it is full of feelings")
    await talk.settle()
    assert await talk.say("do you have feelings?") == ENGLISH.about_kith
    await talk.say("I have a dog named Rex")
    await talk.settle()
    assert "Rex" in await talk.say("do you know my dog?")
    assert "Rex" in await talk.say("do you remember the dog?")


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
    assert (await talk.say("yes", BOB.user_id)).startswith(ENGLISH.nothing_asked)
    talk.clock.advance(minutes=6)
    assert (await talk.say("yes")).startswith(ENGLISH.nothing_asked)
    for other in ("no", "what is my name?"):
        await talk.say("forget everything")
        await talk.say(other)
        assert (await talk.say("yes")).startswith(ENGLISH.nothing_asked)
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


async def test_what_is_not_to_be_remembered_is_no_memory(talk):
    await talk.say("don't remember that I have a dog")
    await talk.say("merk dir bitte nicht, dass ich einen Hund habe")
    await talk.settle()
    assert not (await talk.app.memory.member_data.show(ADA)).rows
    assert "dog" not in await talk.say("do I have a dog?")


async def test_a_short_message_is_answered_in_the_language_spoken_before_it(talk):
    await talk.say("hallo")
    assert (await talk.say("?")).startswith(GERMAN.no_chat)
    assert (await talk.say("hi")).startswith(GERMAN.greeting.format(name="Ada"))
    await talk.say("I live in Rome")
    assert (await talk.say("hi")).startswith(ENGLISH.greeting.format(name="Ada"))


async def test_facts_are_listed_by_topic_before_quotes_and_what_exceeds_the_list_is_counted(talk):
    await talk.say("I have a dog named Rex")
    await talk.say("my name is Ada")
    for number in range(MAX_LISTED):
        await talk.say(f"my neighbour number {number} makes funny noises")
    await talk.settle()
    first, second, third, *_, last = (await talk.say("what do you know about me?")).split("\n")
    assert (first, second) == ("Your name is Ada.", "You have a dog named Rex.")
    assert third.startswith("“my neighbour")
    assert last == ENGLISH.more_known.format(count=2)


async def test_a_time_is_told_as_people_say_it(talk):
    await talk.say("I live in Lisbon")
    await talk.settle()
    for hours, when in ((1, "earlier today"), (13, "yesterday"), (24, "on 11 March")):
        talk.clock.advance(hours=hours)
        assert await talk.say("where do I live?") == f"You live in Lisbon. You told me {when}."


async def test_all_that_is_known_is_listed_in_sentences(talk):
    assert await talk.say("was weißt du über mich?") == GERMAN.nothing_known
    await talk.say("I have a dog named Rex")
    await talk.say("my car makes funny noises lately.")
    await talk.say("ask me on Friday how the exam went")
    await talk.settle()
    assert await talk.say("what do you know about me?") == (
        "You have a dog named Rex.\n“my car makes funny noises lately”.\n"
        "I am to ask you: “how the exam went”."
    )


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


async def test_what_was_just_said_answers_by_its_topic(talk):
    await talk.say("i work as a barista")
    assert "barista" in await talk.say("do you remember my job?")
    await talk.settle()
    assert await talk.say("do you know my job?") == "You work as a barista. You told me just now."


async def test_a_yes_or_no_question_is_not_answered_with_another_thing(talk):
    await talk.say("I love pizza but I hate olives")
    await talk.settle()
    assert (await talk.say("do I like pizza?")).startswith("You love pizza.")
    assert (await talk.say("do I like olives?")).startswith("You hate olives.")
    assert await talk.say("do I like sushi?") == ENGLISH.unknown


async def test_an_origin_is_no_home(talk):
    await talk.say("hi, im sam from Lisbon")
    await talk.settle()
    assert (await talk.say("where am I from?")).startswith("You are from Lisbon.")
    assert (await talk.say("where do I live?")) == f"You are from Lisbon. {ENGLISH.home_unknown}"
    await talk.say("moin, Jonas hier, komme aus Kiel", BOB.user_id)
    await talk.settle()
    assert (await talk.say("wo wohne ich?", BOB.user_id)) == (
        f"Du kommst aus Kiel. {GERMAN.home_unknown}"
    )


async def test_a_quote_is_told_only_to_a_question_that_it_fits(talk):
    await talk.say("im back from Lisbon")
    await talk.say("i started at the bakery warehouse on monday")
    await talk.settle()
    assert "back from Lisbon" in await talk.say("where am I from?")
    assert "warehouse" in await talk.say("what is my job?")
    assert await talk.say("where do I live?") == ENGLISH.unknown
    assert await talk.say("how old am I?") == ENGLISH.unknown


async def test_a_work_by_night_answers_what_the_work_is(talk):
    await talk.say("I work nights as a nurse")
    await talk.settle()
    answer = await talk.say("what do I do for work?")
    assert answer.startswith("You work nights as a nurse.")
    assert await talk.say("where do I live?") == ENGLISH.unknown


@pytest.mark.parametrize(
    ("present", "question", "former", "answer"),
    [
        ("I live in Berlin", "where did I live before?", "I used to live in Paris", "Paris"),
        ("ich wohne in Hamburg", "wo habe ich früher gewohnt?", "hab mal in Köln gewohnt", "Köln"),
        ("I work as a nurse", "what was my job before?", "i worked in a bakery", "bakery"),
    ],
)
async def test_what_was_before_is_not_answered_with_what_is(
    talk, present, question, former, answer
):
    await talk.say(present)
    await talk.settle()
    assert await talk.say(question) in (ENGLISH.unknown, GERMAN.unknown)
    await talk.say(former)
    await talk.settle()
    assert answer in await talk.say(question)


async def test_where_a_relative_lives_is_no_answer_to_where_i_live(talk):
    await talk.say("my sister lives in Cork")
    await talk.settle()
    assert await talk.say("where do I live?") == ENGLISH.unknown
    assert (await talk.say("where does my sister live?")).startswith("Your sister lives in Cork.")
    await talk.say("i live in Galway now")
    await talk.settle()
    assert await talk.say("where was i living before?") == ENGLISH.unknown


@pytest.mark.parametrize(
    ("statement", "question", "answer"),
    [
        ("I have a cat named Salt", "do I have pets?", "You have a cat named Salt."),
        ("ich habe eine Katze namens Mimi", "habe ich Haustiere?", "Du hast eine Katze"),
    ],
)
async def test_a_yes_or_no_question_may_name_a_whole_topic(talk, statement, question, answer):
    await talk.say(statement)
    await talk.settle()
    assert (await talk.say(question)).startswith(answer)


async def test_a_birthday_is_no_plan(talk):
    await talk.say("im going to Rome next week")
    await talk.settle()
    assert await talk.say("when is my birthday") == ENGLISH.unknown


async def test_a_home_that_was_replaced_is_the_one_before(talk):
    await talk.say("I live in Rome")
    await talk.settle()
    await talk.say("I moved to Berlin last week")
    await talk.settle()
    assert (await talk.say("where do I live?")).startswith("You live in Berlin.")
    assert "I live in Rome" in await talk.say("where did I live before?")


async def test_nothing_that_fits_is_not_forgotten(talk):
    await talk.say("I live in Rome")
    await talk.settle()
    assert await talk.say("forget my boat") == ENGLISH.nothing_fits
    assert await talk.say("forget everything about my boat") == ENGLISH.nothing_fits
    assert "Rome" in await talk.say("where do I live?")


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (["i play guitar in a band"], "what car do i drive", ENGLISH.unknown),
        (["my sister is called Anna"], "do you know my brother", ENGLISH.unknown),
        (["my daughter is called Eva"], "do you know my son", ENGLISH.unknown),
        (["i bought a new laptop"], "do i have a car", ENGLISH.unknown),
        (
            ["i live in Leicester", "the weather is awful"],
            "where do i live",
            "You live in Leicester. You told me just now.",
        ),
        (
            ["i live in Leicester", "no, Leeds"],
            "where do i live",
            "You live in Leicester. Just now you said: “i live in Leicester” Then: “no, Leeds”",
        ),
        (
            ["i play guitar", "i drive a ferrari haha just kidding its a fiesta"],
            "what car do i drive",
            "Just now you said: “i drive a ferrari haha just kidding its a fiesta”",
        ),
        (
            ["i play guitar", "I'm allergic to cheese"],
            "what can i eat",
            "You are allergic to cheese. You told me just now.",
        ),
        (
            ["I work as a plumber", "my dentist is on Tuesday"],
            "when is my dentist",
            "Just now you said: “my dentist is on Tuesday”",
        ),
        (
            ["my favourite colour is teal", "I think my favourite film is probably Alien"],
            "whats my favourite film",
            "Just now you said: “I think my favourite film is probably Alien”",
        ),
        (["my favourite colour is teal"], "whats my favourite film", ENGLISH.unknown),
        (
            ["ich fahre einen Golf", "ich hab zwei brüder, Max und Tim"],
            "wie viele geschwister hab ich",
            "Du hast zwei Brüder: Max und Tim. Das hast du mir gerade eben gesagt.",
        ),
        (
            ["ich esse kein fleisch, nur fisch"],
            "was darf ich essen",
            "Gerade eben hast du gesagt: „ich esse kein fleisch, nur fisch“",
        ),
        (["ich heiße Jule"], "wie heiß ich", "Du heißt Jule. Das hast du mir gerade eben gesagt."),
    ],
)
async def test_a_question_is_answered_with_what_it_names(talk, said, question, answer):
    for text in said:
        await talk.say(text)
    await talk.settle()
    assert await talk.say(question) == answer


async def test_a_question_may_go_on_from_the_one_before(talk):
    for text in ("my dad is from Ireland and my mum is from Malaysia", "I have a scan on 10 May"):
        await talk.say(text)
    await talk.say("i see my daughter Zoe at weekends")
    await talk.say("zoe is 11 and plays soccer")
    await talk.settle()
    for question, follow_up, answer in [
        ("where is my dad from?", "and my mum?", "Malaysia"),
        ("what appointment do I have? a scan?", "when?", "10 May"),
        ("who is zoe?", "how old is she?", "zoe is 11"),
        ("who is zoe?", "and Tom?", "not"),
    ]:
        await talk.say(question)
        assert answer in await talk.say(follow_up)


async def test_what_is_sensitive_is_said_not_to_be_noted(talk):
    assert await talk.say("my partner and I are expecting a baby") == ENGLISH.sensitive
    assert await talk.say("meine oma hat alzheimer") == GERMAN.sensitive


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (["my cat is called Biscuit", "biscuit is 4"], "how old is biscuit", "“biscuit is 4”"),
        (["my boss yelled at me, i was late"], "why was my boss mad", "“my boss yelled at me"),
        (
            ["my brother's called Joe", "joe is a firefighter"],
            "what does joe do",
            "“joe is a firefighter”",
        ),
        (["Annas birthday is on 3 March"], "when is annas birthday", "“Annas birthday is on 3"),
        (["does biscuit bite? biscuit is sleepy?"], "how old is biscuit", ENGLISH.not_mine),
        (["tell biscuit the cat to sit"], "how old is biscuit", ENGLISH.not_mine),
        (["Rome is hot"], "how hot is it in Rome or Paris", ENGLISH.not_mine),
        (["my wife is called Hannah"], "how old is my wife?", ENGLISH.unknown),
        (["my dog Waffles is a corgi"], "what breed is my dog", ENGLISH.unknown),
        (["meine frau und ich wollen bauen"], "wie heißt meine frau?", GERMAN.unknown),
        (["my sister is at college"], "where do i study", ENGLISH.unknown),
        (["I love cricket", "I hate flying"], "do i like flying?", "You hate flying."),
        (["I hate mushrooms", "I love thai food"], "what food dont i like", "You hate mushrooms."),
        (["I am allergic to penicillin"], "am i vegetarian?", ENGLISH.unknown),
        (["my brother Mark is allergic to nuts"], "who is my partner?", ENGLISH.unknown),
        (["ich bin Steffi, 38, Köchin aus Leipzig"], "wie alt ist mein sohn?", GERMAN.unknown),
        (["I study glaciers", *["my uncle sails"] * 12], "what do I study", "“I study glaciers”"),
        (["just found out I'm pregnant"], "what do you know about me", ENGLISH.nothing_known),
    ],
)
async def test_what_was_said_of_others_is_quoted(talk, said, question, answer):
    for text in said:
        await talk.say(text)
    await talk.settle()
    assert answer in await talk.say(question)


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (
            ["I have a dog named Rex", "my dog Rex died yesterday"],
            "do i still have a dog",
            "You have a dog named Rex. Just now you said: “my dog Rex died yesterday”",
        ),
        (
            ["I live in Rome", "I don't live in Rome"],
            "where do I live?",
            "You live in Rome. Just now you said: “I don't live in Rome”",
        ),
        (
            ["Ich wohne in Rom", "Ich wohne nicht in Rom"],
            "Wo wohne ich?",
            "Du wohnst in Rom. Gerade eben hast du gesagt: „Ich wohne nicht in Rom“",
        ),
        (
            ["I work at the post office in York", "actually not York, it's Hull"],
            "where do I work?",
            "You work at the post office in York. Just now you said: "
            "“actually not York, it's Hull”",
        ),
        (
            ["Ich arbeite bei der Stadtbücherei in Halle", "ach nee, nicht Halle, Leipzig"],
            "wo arbeite ich?",
            "Du arbeitest bei der Stadtbücherei in Halle. Gerade eben hast du gesagt: "
            "„ach nee, nicht Halle, Leipzig“",
        ),
        (
            ["I'm a nurse", *["we have a lovely garden"] * 4, "no wait, a teacher, sorry"],
            "what's my job?",
            "You are a nurse. Just now you said: “no wait, a teacher, sorry”",
        ),
        (
            ["my wife works nights", "I don't have a wife anymore, we divorced"],
            "am I married?",
            "Your wife works nights. Just now you said: “I don't have a wife anymore, we divorced”",
        ),
        (
            ["meine Frau arbeitet nachts", "meine Frau und ich haben uns getrennt"],
            "bin ich verheiratet?",
            "Deine Frau arbeitet nachts. Gerade eben hast du gesagt: "
            "„meine Frau und ich haben uns getrennt“",
        ),
        (
            [
                "next Friday I'm moving house",
                "I love tea",
                "actually it's not Friday, it's Thursday",
            ],
            "when do I move house?",
            "Just now you said: “next Friday I'm moving house” "
            "Just now you said: “actually it's not Friday, it's Thursday”",
        ),
        (
            ["I work at the post office in York", "not everyone likes York"],
            "where do I work?",
            "You work at the post office in York. You told me just now.",
        ),
        (
            ["I live in Rome", "I don't live with my parents"],
            "where do I live?",
            "You live in Rome. You told me just now.",
        ),
        (
            ["i'm vegetarian", "i eat fish sometimes tho"],
            "do i eat fish",
            "You are vegetarian. Just now you said: “i eat fish sometimes tho”",
        ),
        (
            ["my thesis is due on 3 April", "I love tea", "no wait, it's due 4 May"],
            "when is my thesis due?",
            "Your thesis is due on 3 April 2026. Just now you said: “no wait, it's due 4 May”",
        ),
        (
            ["ich esse kein fleisch", "ich lerne Italienisch"],
            "esse ich fleisch?",
            "Du isst kein fleisch. Das hast du mir gerade eben gesagt.",
        ),
        (
            ["meine frau heißt Sabine", "sabine ist lehrerin"],
            "was macht sabine",
            "Deine Frau heißt Sabine. Gerade eben hast du gesagt: „sabine ist lehrerin“",
        ),
        (
            ["im from Ghent", "sorry i mean Bruges"],
            "where am i from?",
            "You are from Ghent. Just now you said: “sorry i mean Bruges”",
        ),
        (
            ["i'm vegan since 2015", "tbh not anymore, i started eating eggs again"],
            "am i vegan?",
            "You are vegan. Just now you said: “tbh not anymore, i started eating eggs again”",
        ),
        (
            ["I have a cat", "it's called Gustav", "wait no, Gustavo"],
            "what's my cat called?",
            "You have a cat named Gustav. Just now you said: “it's called Gustav” "
            "Then: “wait no, Gustavo”",
        ),
        (
            ["my dog barks a lot", "I have a dog named Rex"],
            "do i still have a dog",
            "You have a dog named Rex. You told me just now.",
        ),
    ],
)
async def test_what_was_said_of_it_since_stands_beside_a_note(talk, said, question, answer):
    for text in said:
        await talk.say(text)
        talk.clock.advance(seconds=60)
    await talk.settle()
    assert await talk.say(question) == answer


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (
            ["i work at a bakery", "it's called Crumbs"],
            "what's the bakery called?",
            "Just now you said: “i work at a bakery” Then: “it's called Crumbs”",
        ),
        (
            ["my aunt grows tulips", "where do I live?", "her name is Ruth"],
            "what's my aunt's name?",
            "Just now you said: “my aunt grows tulips” Then: “her name is Ruth”",
        ),
        (
            ["my girlfriend is Priya", "she sings in a choir, mostly old songs"],
            "what does priya do?",
            "Just now you said: “my girlfriend is Priya” Then: “she sings in a choir, mostly old "
            "songs”",
        ),
        (
            ["my bike is a 1998 Peugeot", "it's bright orange", "i paid 80 euros for it"],
            "how much did i pay for my bike?",
            "Just now you said: “my bike is a 1998 Peugeot” Then: “i paid 80 euros for it”",
        ),
        (
            ["i live in Austin", "well technically Round Rock"],
            "where do i live?",
            "You live in Austin. Just now you said: “i live in Austin” "
            "Then: “well technically Round Rock”",
        ),
        (
            ["my favourite food is sushi", "my favourite drink is tea"],
            "what's my favourite animal?",
            ENGLISH.unknown,
        ),
        (
            ["my brother Matt lives in Cardiff and works for the fire service"],
            "where does my brother live?",
            "Just now you said: “my brother Matt lives in Cardiff and works for the fire service”",
        ),
        (
            ["my brother Matt lives in Cardiff and works for the fire service"],
            "what does matt do?",
            "Just now you said: “my brother Matt lives in Cardiff and works for the fire service”",
        ),
        (
            ["my new partner Kim moved in last month"],
            "who is kim?",
            "Just now you said: “my new partner Kim moved in last month”",
        ),
        (
            ["in zwei Wochen hab ich Zahnarzt"],
            "wann muss ich zum zahnarzt?",
            "Gerade eben hast du gesagt: „in zwei Wochen hab ich Zahnarzt“",
        ),
    ],
)
async def test_what_goes_on_from_a_sentence_is_quoted_with_it(talk, said, question, answer):
    for text in said:
        await talk.say(text)
    await talk.settle()
    assert await talk.say(question) == answer


async def test_a_note_that_rests_on_forgotten_words_is_a_quote_again(talk):
    await talk.say("my girlfriend is Priya")
    await talk.settle()
    await talk.say("she's a lawyer")
    await talk.settle()
    assert await talk.say("what does my girlfriend do?") == (
        "Your girlfriend is a lawyer. You told me just now."
    )
    await talk.say("forget that my girlfriend is Priya")
    assert await talk.say("what do you know about me?") == "“she's a lawyer”."


async def test_what_goes_on_from_a_note_is_said_to_be_noted(talk):
    await talk.say("I have a cat")
    await talk.settle()
    assert await talk.say("it's called Gustav") == ENGLISH.noted


async def test_a_question_in_a_language_without_rules_is_not_said_to_be_untold(talk):
    await talk.say("my name is Dave")
    await talk.settle()
    assert await talk.say("¿cómo me llamo?") == ENGLISH.not_mine


@pytest.mark.parametrize(
    "question",
    [
        "für welchen verein spiele ich",
        "in which city do my parents live",
        "worüber haben wir geredet",
    ],
)
async def test_a_question_without_its_mark_is_no_memory(talk, question):
    await talk.say("hi" if "city" in question else "hallo")
    assert await talk.say(question) in (ENGLISH.unknown, GERMAN.unknown)
    await talk.settle()
    assert await talk.say("what do you know about me?") == ENGLISH.nothing_known


async def test_a_name_that_is_corrected_at_once_is_the_one_greeted_and_known(talk):
    said = await talk.say("my name is Tom. Sorry, my name is Tim")
    assert said == ENGLISH.met.format(name="Tim")
    await talk.settle()
    assert await talk.say("what's my name?") == "Your name is Tim. You told me just now."


async def test_a_birthday_tells_the_age(talk):
    await talk.say("my birthday is 12 may 1990")
    await talk.settle()
    assert "12 May 1990" in await talk.say("how old am I?")


@pytest.mark.parametrize(
    ("said", "correction", "question", "answer"),
    [
        (
            "my dentist is on Tuesday",
            "no, Wednesday",
            "when is my dentist",
            "Just now you said: “my dentist is on Tuesday” Then: “no, Wednesday”",
        ),
        (
            "my dentist is on Tuesday",
            "sorry it is Friday",
            "when is my dentist",
            "Just now you said: “my dentist is on Tuesday” Then: “sorry it is Friday”",
        ),
        (
            "mein zahnarzttermin ist am freitag",
            "nee, samstag",
            "wann ist mein zahnarzttermin",
            "Dein Zahnarzttermin ist am 13. März 2026. Gerade eben hast du gesagt: "
            "„mein zahnarzttermin ist am freitag“ Danach: „nee, samstag“",
        ),
    ],
)
async def test_a_few_words_said_next_are_quoted_with_what_they_may_correct(
    talk, said, correction, question, answer
):
    await talk.say(said)
    await talk.say(correction)
    await talk.say("thx")
    await talk.settle()
    assert await talk.say(question) == answer


@pytest.mark.parametrize(
    ("next_words", "pause"),
    [
        *[
            (words, 0)
            for words in ("haha", "thank you!", "is that ok", "i love it", "biscuit is 4")
        ],
        ("no, Wednesday", 301),
    ],
)
async def test_what_stands_by_itself_is_no_correction(talk, next_words, pause):
    await talk.say("my dentist is on Tuesday")
    talk.clock.advance(seconds=pause)
    await talk.say(next_words)
    assert (await talk.say("when is my dentist")).endswith("“my dentist is on Tuesday”")


def test_noon_is_the_day_of_the_sentences():
    assert (NOON.day, NOON.month) == (11, 3)
