"""Without a model Kith quotes what the member said, with its day, and what was said since."""

from datetime import timedelta

from tests.fakes.builders import BOB, GUILD, NOON
from tests.rows import each_row
from utils.memory.extraction.own_statements import own_statements
from utils.models.guild import GuildSettings
from utils.models.memory import Form
from utils.without_model.answers import MAX_LISTED
from utils.without_model.questions import QuestionKind, parse_question
from utils.without_model.texts import texts_in

HERE, ELSEWHERE = 100, 200
ENGLISH, GERMAN = texts_in("en"), texts_in("de")


async def test_an_answer_is_a_quotation_with_its_day(talk):
    await talk.told("I moved to York", days=14)
    assert await talk.say("where do I live?") == "You told me on 11 March: “I moved to York”"
    await talk.told("ich wohne in Köln", days=2)
    assert "am 25. März erzählt: „ich wohne in Köln“" in await talk.say("wo wohne ich?")


async def test_what_was_said_of_it_since_is_quoted_in_order_of_time(talk):
    await talk.told("I have a dog named Rex", days=30)
    await talk.told("Rex learned to open the fridge", days=30)
    await talk.told("Rex died last week.", days=1)
    assert await talk.say("do I have a dog?") == (
        "You told me on 11 March: “I have a dog named Rex” "
        "Since then: “Rex learned to open the fridge” (10 April) “Rex died last week.” (10 May)"
    )


async def test_what_was_said_since_about_a_thing_that_only_stood_in_the_sentence_is_not(talk):
    await talk.told("my boyfriend Elias painted our whole kitchen green", days=2)
    await talk.told("I can't reach anything in this kitchen", days=2)
    await talk.told("Elias moved out", days=1)
    answer = await talk.say("what's my boyfriend's name?")
    assert answer.endswith("kitchen green” Since then: “Elias moved out” (15 March)")
    await talk.told("ich heiße Jule", "der Hund von nebenan heißt Balu", days=1)
    assert "„heißt Jule“ Seitdem" not in await talk.say("was weißt du über mich?")


async def test_what_was_said_right_after_is_quoted_with_it(talk):
    await talk.told("I live in Leeds")
    talk.clock.advance(minutes=2)
    await talk.told("jk", days=3)
    answer = await talk.say("where do I live?")
    assert answer == "You told me on 11 March: “I live in Leeds” Right after: “jk”"


async def test_what_was_said_later_is_not_said_right_after(talk):
    await talk.told("I live in Leeds")
    talk.clock.advance(minutes=6)
    await talk.told("jk", days=3)
    assert "Right after" not in await talk.say("where do I live?")


async def test_a_corrected_sentence_is_told_as_a_note(talk):
    await talk.told("I live in Leeds")
    talk.clock.advance(minutes=2)
    await talk.told("no, York", days=3)
    assert await talk.say("where do I live?") == "I noted on 11 March: “I live in York”"


@each_row(
    ("said", "question", "is_quoted"),
    [
        ("I have a cat named Miso", "do I have a pet?", True),
        ("I have a cat named Miso", "do I have a dog?", False),
        ("my brother lives in Oslo", "where does my sister live?", False),
        ("my brother lives in Oslo", "where does my brother live?", True),
        ("I had a guitar lesson and drove home", "what car do I drive?", False),
        ("my sister has a dog", "do I have a dog?", False),
        ("my dog is a lurcher", "how old is my dog?", False),
        ("I play the violin", "what instrument do I play?", True),
        ("hab zwei Wüstenrennmäuse", "hab ich Haustiere?", True),
        ("I'm 29 and can't drive", "how old am I?", True),
        ("I've been reading Wolf Hall since forever", "what book am I reading?", True),
        ("I read to my neighbour each night", "what book am I reading?", False),
        ("I drive to Leeds every morning", "what car do I drive?", False),
        ("I'm 1.58 m", "how tall am I?", True),
        ("my cat is called Mo, she hates the new flat", "what did I say about Mo?", True),
        ("my cat is Miso", "when did I tell you about my cat?", True),
        ("I hate mushrooms", "what food do I hate?", True),
        ("I use a wheelchair", "what phone do I use?", False),
        ("I like rainy days", "which band do I like?", False),
        ("I play Monday nights mostly", "what games do I play?", False),
        ("I play Fridays with Tom", "what games do I play?", False),
        ("I drive a Skoda", "what car do I drive?", True),
        ("our neighbour has two dogs", "do I have a pet?", False),
        ("unser Nachbar hat jetzt Hühner", "hab ich Haustiere?", False),
        ("ich fahr immer mit dem Rad", "welches Auto fahre ich?", False),
        ("mein Lieblingsfilm ist Alien", "welchen Film mag ich am liebsten?", True),
        ("tengo dos perros y vivo en Valencia", "¿dónde vivo?", True),
    ],
)
async def test_a_thing_that_is_asked_for_must_be_in_the_sentence(talk, said, question, is_quoted):
    channel_id = next(talk.ids)
    await talk.told(said, channel_id=channel_id)
    assert (said in await talk.say(question, channel_id=channel_id)) is is_quoted


async def test_what_was_never_said_is_not_found(talk):
    await talk.told("I have two cats", "I live opposite a fire station", days=1)
    assert await talk.say("what's my sister's name?") == ENGLISH.unknown
    assert await talk.say("wann ist mein Zahnarzttermin?") == GERMAN.unknown
    assert await talk.say("what's the capital of France?") == ENGLISH.not_mine


async def test_what_is_to_come_is_told_by_its_day(talk):
    await talk.told("I'm off to Rome tomorrow", "my birthday is on 2 May", "I have two cats")
    await talk.told("I have an exam next week")
    answer = await talk.say("what's coming up?")
    assert [answer.index(word) for word in ("Rome", "exam", "birthday")] == sorted(
        answer.index(word) for word in ("Rome", "exam", "birthday")
    )
    assert "cats" not in answer
    assert "exam" not in (this_week := await talk.say("what's on this week?"))
    assert "Rome" in this_week
    assert "exam" in await talk.say("was steht nächste Woche an?")
    assert await talk.say("was steht heute an?") == GERMAN.nothing_coming


async def test_what_is_over_leaves_recall_the_day_after(talk):
    await talk.told("I have an exam tomorrow")
    talk.clock.advance(days=1)
    assert "exam" in await talk.say("do I have an exam?")
    talk.clock.advance(days=1)
    assert await talk.say("do I have an exam?") == ENGLISH.unknown


async def test_a_past_day_is_answered_with_what_was_said_then(talk):
    await talk.told("I baked bread all afternoon", days=1)
    await talk.told("I went to the lake", days=1)
    answer = await talk.say("what happened yesterday?")
    assert "lake" in answer
    assert "bread" not in answer


async def test_a_past_weekday_is_the_last_one(talk):
    talk.clock.advance(days=3)  # to a Saturday
    await talk.told("I went to the lake", days=1)
    for question in ("what happened on Saturday?", "was war am Samstag?"):
        assert "lake" in await talk.say(question)
    assert await talk.say("what am I doing on Saturday?") == ENGLISH.nothing_coming


async def test_the_words_of_a_question_say_its_language(talk):
    assert await talk.say("was steht an?") == GERMAN.nothing_coming


async def test_why_something_is_thought_is_answered_with_the_sentence(talk):
    await talk.told("I have a cat named Miso", "ich wohne in Köln", days=2)
    assert "“I have a cat named Miso”" in await talk.say("why do you think I have a cat?")
    assert "„ich wohne in Köln“" in await talk.say("woher weißt du, dass ich in Köln wohne?")


async def test_everything_known_is_listed_within_bounds(talk):
    await talk.told("my name is Sam", *(f"I have {n} marbles" for n in range(2, MAX_LISTED + 3)))
    lines = (await talk.say("what do you know about me?")).split("\n")
    assert lines[0] == "I noted just now: “name is Sam”"
    assert len(lines) == MAX_LISTED + 1
    assert lines[-1] == ENGLISH.more_known.format(count=2)
    assert "Marbles".lower() in await talk.say("was weißt du über mich?")


async def test_the_same_sentence_again_confirms_its_quote(talk):
    await talk.told("I love sushi", days=10)
    (before,) = await talk.rows()
    await talk.told("i love sushi!")
    (after,) = await talk.rows()
    assert (after.id, after.text) == (before.id, "I love sushi")
    assert after.last_confirmed_at - before.last_confirmed_at == timedelta(days=10)
    assert after.expires_at - before.expires_at == timedelta(days=10)


async def test_nothing_but_a_name_and_what_is_to_be_remembered_is_noted(talk):
    await talk.told("My name is Tom and I have a dog named Rex.", "remember that I hate Mondays")
    notes = {row.text for row in await talk.rows() if row.form is Form.NOTE}
    quotes = {row.text for row in await talk.rows() if row.form is Form.QUOTE}
    assert notes == {"name is Tom", "I hate Mondays"}
    assert quotes == {"My name is Tom and I have a dog named Rex."}


async def test_a_correction_is_noted_in_the_place_of_its_sentence(talk):
    await talk.told("I live in Leeds", "no, it's York")
    (row,) = await talk.rows()
    assert (row.form, row.text) == (Form.NOTE, "I live in York")
    assert "Leeds" not in await talk.say("where do I live?")


async def test_a_correction_replaces_one_name_only_and_keeps_the_other_sentences(talk):
    await talk.told("My name is Robin. I have a dog named Rex. I live in Porto.")
    await talk.say("where do I live?")
    await talk.told("no, it's Faro")
    texts = {row.text for row in await talk.rows()}
    assert texts == {"name is Robin", "My name is Robin. I have a dog named Rex. I live in Faro."}


async def test_what_only_confirms_a_value_is_no_correction(talk):
    await talk.told("ich wohne in Halle", "nein, in Dresden")
    assert "Berichtigt" not in await talk.say("ach quatsch, Leipzig stimmt schon")
    assert [row.text for row in await talk.rows()] == ["ich wohne in Dresden"]


async def test_of_several_sentences_the_one_with_such_a_value_is_corrected(talk):
    await talk.told("ich wohne seit März in Bremen", "ich wohne mit Balu zusammen", days=1)
    await talk.say("wo wohne ich?")
    assert "seit März in Oldenburg" in await talk.say("nein, in Oldenburg")


async def test_the_question_before_is_not_to_be_forgotten_and_the_name_stays(talk):
    await talk.told("do I have a dog?", "My name is Robin and I have a dog named Rex.")
    await talk.told("I love tea", "do I have a dog?")
    answer = await talk.say("forget that I have a dog")
    assert answer == "Forgotten, for good: “My name is Robin and I have a dog named Rex.”"
    assert {row.text for row in await talk.rows()} == {"name is Robin", "I love tea"}


async def test_what_tells_something_else_is_not_quoted_right_after(talk):
    await talk.told("I have a dog named Rex")
    talk.clock.advance(minutes=1)
    await talk.told("I love tea")
    assert "Right after" not in await talk.say("do I have a dog?")
    talk.clock.advance(minutes=1)
    await talk.told("lol nice weather")
    assert "Right after" not in await talk.say("do I have a dog?")
    assert (
        await talk.say("that's wrong") == f"{ENGLISH.ask.format(what='“I have a dog named Rex”')}"
    )
    assert await talk.say("keep") == ENGLISH.kept
    assert "Right after" not in await talk.say("do I have a dog?")
    await talk.told("jk, Rex is a cat")
    assert (await talk.say("do I have a dog?")).count("jk, Rex is a cat") == 1
    await talk.told("my sister lives in Gumpolding")
    talk.clock.advance(minutes=1)
    await talk.told("no wait, bournemouth. i always mix them up")
    assert "Right after: “no wait, bournemouth" in await talk.say("where does my sister live?")


async def test_what_is_to_be_remembered_need_not_look_like_an_answer(talk):
    await talk.say("remember that my parking spot is B12")
    assert (await talk.say("where's my parking spot?")).endswith("“my parking spot is B12”")


async def test_what_is_new_or_just_now_is_no_later_word_of_the_same(talk):
    await talk.told("I just moved to Bristol for my new job", "ich wohne grad in Bremen")
    talk.clock.advance(hours=1)
    await talk.told("my cat hates the new sofa", "ich höre grad nur Jazz")
    assert "Since" not in await talk.say("where did I move?")
    assert "Jazz" not in await talk.say("wo wohne ich?")


async def test_an_answer_to_a_question_back_is_not_quoted(talk):
    await talk.told("I have a dog named Rex")
    talk.clock.advance(minutes=1)
    assert "I have a dog named Rex" in await talk.say("that's wrong")
    assert await talk.say("2") == ENGLISH.kept
    assert (await talk.say("do I have a dog?")).endswith("Rex”")


async def test_lists_say_as_well_what_was_said_since(talk):
    await talk.told("I have a dog named Rex", "I have lunch with Tom on Friday")
    talk.clock.advance(hours=1)
    await talk.told("Rex died last week", "Tom found a nice place for lunch")
    assert await talk.say("what's coming up?") == (
        "You told me earlier today: “I have lunch with Tom on Friday” "
        "Since then: “Tom found a nice place for lunch” (11 March)"
    )
    assert "dog named Rex” Since then: “Rex died last week”" in (
        await talk.say("what do you know about me?")
    )


async def test_a_correction_that_was_carried_out_is_not_quoted_behind_another_sentence(talk):
    await talk.told("my brother's name is Tom")
    talk.clock.advance(minutes=1)
    await talk.told("my cat is called Rex")
    talk.clock.advance(minutes=1)
    assert "Max" in await talk.say("no, it is Max")
    await talk.app.memory.recorder.settle()
    assert await talk.say("what is my brother called?") == (
        "You told me just now: “my brother's name is Tom”"
    )


@each_row(
    ("plan", "end", "question"),
    [
        ("I have lunch with Tom on Friday", "Tom cancelled our lunch", "what's coming up?"),
        ("am Freitag hab ich Zahnarzttermin", "der Termin ist abgesagt", "was steht an?"),
    ],
)
async def test_a_plan_that_was_called_off_is_not_coming_up(talk, plan, end, question):
    await talk.told("my birthday is on 2 May", "mein Urlaub beginnt am 5. Mai", plan)
    talk.clock.advance(hours=1)
    await talk.told(end)
    answer = await talk.say(question)
    assert "birthday" in answer
    assert plan not in answer
    talk.clock.advance(hours=1)
    await talk.told("lunch with Tom takes place after all", "der Termin findet jetzt doch statt")
    assert plan in await talk.say(question)


@each_row(
    ("request", "answer"),
    [
        ("can you tell me a joke?", ENGLISH.no_chat),
        ("kannst du mir einen Witz erzählen?", GERMAN.no_chat),
        ("do you like cats?", ENGLISH.no_chat),
        ("where do I live?", ENGLISH.unknown),
    ],
)
async def test_who_wants_something_else_than_memory_is_told_what_kith_cannot_do(
    talk, request, answer
):
    assert await talk.say(request) == answer


@each_row(
    ("request", "question", "answer"),
    [
        (
            "remember that I am allergic to nuts",
            "what am I allergic to?",
            "I noted just now: “I am allergic to nuts”",
        ),
        (
            "merk dir, dass ich eine Katze habe",
            "habe ich eine Katze?",
            "Das habe ich mir gerade eben gemerkt: „dass ich eine Katze habe“",
        ),
    ],
)
async def test_a_note_is_told_without_the_request_that_it_is_from(talk, request, question, answer):
    channel_id = next(talk.ids)
    await talk.told(request, channel_id=channel_id)
    assert await talk.say(question, channel_id=channel_id) == answer


async def test_a_quote_ends_with_its_message_and_a_note_does_not(talk):
    await talk.told("My name is Tom and I have a dog named Rex.", "remember that I hate Mondays")
    talk.clock.advance(days=364)
    assert len(await talk.rows()) == 3
    talk.clock.advance(days=2)
    assert {row.text for row in await talk.rows()} == {"name is Tom", "I hate Mondays"}
    assert await talk.say("do I have a dog?") == ENGLISH.unknown


async def test_another_member_is_answered_about_with_their_own_words(talk):
    await talk.told("I have a parrot called Kiwi", user_id=BOB.user_id, days=1)
    answer = await talk.say("does Bob have a pet?")
    assert answer == "Bob told me yesterday: “I have a parrot called Kiwi”"
    assert BOB.user_id in talk.last_answer.about_ids
    assert await talk.say("where does Bob live?") == ENGLISH.not_told_by.format(name="Bob")


async def test_what_is_confided_or_sensitive_is_quoted_to_its_author_only(talk):
    await talk.told("don't tell anyone, but I bought a boat", user_id=BOB.user_id)
    await talk.told("I'm pregnant with twins, my belly is huge", user_id=BOB.user_id, days=1)
    for question in ("does Bob have a boat?", "what do you know about Bob?", "is Bob pregnant?"):
        assert await talk.say(question) == ENGLISH.not_told_by.format(name="Bob")
    assert "boat" in await talk.say("do I have a boat?", user_id=BOB.user_id)


async def test_what_others_here_cannot_read_is_not_quoted(talk):
    await talk.told("I have a parrot", channel_id=ELSEWHERE, days=1)
    assert await talk.say("do I have a parrot?") == ENGLISH.unknown
    assert "parrot" in await talk.say("do I have a parrot?", sources={HERE, ELSEWHERE})


async def test_an_answer_rests_on_what_it_quotes_and_on_nothing_else(talk):
    await talk.told("I have a parrot", "I live in Oslo", days=1)
    await talk.say("do I have a parrot?")
    assert len(talk.last_answer.provenance.sources) == 1


@each_row(
    "text",
    [
        "what do you know about me?",
        "hey Kith, what do you remember of me",
        "What did you know about me?!",
        "Was weißt du über mich?",
        "so what do u know about me",
        "tell me what you know about me",
        "what do you remember?",
        "was weisst du noch über mich",
        "what did I tell you?",
        "what did i tell you about myself so far",
        "was habe ich dir erzählt?",
        "Was hab ich dir schon alles erzählt?",
    ],
)
def test_a_list_is_asked_for(text):
    asked = parse_question(text, ["Ada"], NOON, GuildSettings(GUILD).zone)
    assert (asked.kind, asked.is_own) == (QuestionKind.ALL, True)


def test_questions_about_everything_and_about_days_to_come_are_told_apart():
    zone = GuildSettings(GUILD).zone
    for text, kind in [
        ("what do you know about me?", QuestionKind.ALL),
        ("was weißt du über mich", QuestionKind.ALL),
        ("what do you know about my cat?", QuestionKind.ABOUT),
        ("weißt du, wo ich wohne?", QuestionKind.ABOUT),
        ("what's coming up?", QuestionKind.COMING),
        ("was steht diese Woche an?", QuestionKind.COMING),
        ("what am I doing tomorrow?", QuestionKind.COMING),
        ("when is my exam?", QuestionKind.ABOUT),
        ("what day is it today?", QuestionKind.ABOUT),
        ("welcher Tag ist heute?", QuestionKind.ABOUT),
    ]:
        assert parse_question(text, [], NOON, zone).kind is kind
    assert parse_question("I have a cat", [], NOON, zone) is None
    assert any(own_statements("I have a cat"))
