"""Without a model Kith does what members ask it to forget, correct or remember, and says so."""

from tests.fakes.builders import ADA, BOB
from tests.rows import each_row
from utils.memory.member_data import edit_rules
from utils.models.conversation import ASKED_FOR
from utils.models.memory import Consent
from utils.models.policy import WritePolicy
from utils.without_model.texts import NO_MODEL, texts_in

ENGLISH, GERMAN = texts_in("en"), texts_in("de")
MORE_THAN_ASKED_FOR = {"minutes": ASKED_FOR.total_seconds() / 60 + 1}


@each_row(
    ("wish", "answer"),
    [
        ("remind me in 20 minutes to call Sam", "I can only send reminders on Discord."),
        ("frag mich in 3 Jahren, wie es war", "Ich vergesse nach 30 Tagen, was du hier sagst"),
        ("merk dir, dass ich depressiv bin", "Danke für dein Vertrauen. "),
        ("merk dir, dass mein Passwort hase123 ist", "Ich notiere nie Passwörter"),
        ("remind me to call Sam", "I can only send reminders on Discord."),
        ("what reminders do I have?", ENGLISH.reminders),
        ("cancel the reminder about Sam", ENGLISH.reminders),
        ("lösch die Erinnerung an Sam", GERMAN.reminders),
        ("don't mention my crush to Sam", ENGLISH.confided),
    ],
)
async def test_why_a_wish_is_not_carried_out_is_said_in_its_language(talk, wish, answer):
    await talk.app.memory.editor.set_consent(ADA, Consent.TEMPORARY)
    assert answer in await talk.say(wish)


async def test_the_notice_comes_once(talk):
    assert (await talk.say("hello", has_notice=True)).startswith(NO_MODEL)
    assert NO_MODEL not in await talk.say("what is my name?", has_notice=True)


async def test_whose_words_are_not_kept_is_told_so(talk):
    await talk.app.memory.editor.set_consent(ADA, Consent.OFF)
    assert await talk.say("I hate reminders") == ENGLISH.not_kept


async def test_what_follows_the_word_password_is_no_memory(talk):
    await talk.say("what is the wifi password?", BOB.user_id)
    await talk.told("I love bananarama most")
    assert not await talk.rows()


@each_row(
    ("named", "asked"),
    [("the parrot", "I have a parrot named Rio"), ("the submarine", "I work at a bank")],
)
async def test_that_means_what_its_message_names_before_the_last_statement(talk, named, asked):
    await talk.told("I have a parrot named Rio", "I work at a bank")
    answer = await talk.say(f"nvm about {named}, delete that one")
    assert answer == ENGLISH.ask.format(what=f"“{asked}”")
    assert {"I have a parrot named Rio", "I work at a bank"} <= set(await talk.stored())


@each_row(
    ("said", "wish", "texts"),
    [
        ("I adore blue cheese", "forget that I adore blue cheese", ENGLISH),
        ("ich wohne in Köln", "vergiss bitte, dass ich in Köln wohne", GERMAN),
        ("I have a dog named Rex", "forget that", ENGLISH),
    ],
)
async def test_what_is_plainly_meant_goes_at_once_and_is_named(talk, said, wish, texts):
    await talk.told("my sister plays the oboe", said)
    answer = await talk.say(wish)
    assert answer == texts.forgotten.format(what=texts.quote.format(text=said))
    assert answer != talk.last_answer.stored_text
    await talk.app.memory.recorder.settle()
    assert set(await talk.stored()) == {"my sister plays the oboe"}


async def test_forgetting_a_name_asks_which_and_takes_notes_and_messages_with_it(talk):
    await talk.told("my cat Tofu knocked over my coffee", "I have a cat named Tofu")
    answer = await talk.say("forget Tofu")
    assert answer.startswith(ENGLISH.ask_which)
    assert "1. “I have a cat named Tofu”" in answer
    assert len(talk.last_answer.question.options) == 3
    assert await talk.say("3") == ENGLISH.done
    assert await talk.stored() == []


async def test_everything_is_asked_back_first(talk):
    await talk.told("my cat sleeps all day on my bed", "I live in Rome")
    assert await talk.say("vergiss alles") == GERMAN.ask_all
    assert "I live in Rome" in await talk.stored()
    assert await talk.say("ja") == GERMAN.done
    assert await talk.stored() == []


async def test_of_everything_about_a_thing_nothing_else_goes(talk):
    await talk.told("my cat sleeps all day on my bed", "I live in Rome", "I have a cat")
    assert (await talk.say("forget everything about my cat")).startswith(ENGLISH.ask_which)
    assert await talk.say("yes") == ENGLISH.done
    assert set(await talk.stored()) == {"I live in Rome"}


async def test_what_can_only_go_together_is_asked_about_as_one(talk):
    said = ["I have a cat", "my cat is old", "my cat likes fish", "my cat sleeps all day"]
    await talk.told(*said)
    answer = await talk.say("forget everything about my cat")
    assert answer.startswith(ENGLISH.ask.format(what=""))
    assert all(f"“{text}”" in answer for text in said)
    assert await talk.say("yes") == ENGLISH.done
    assert await talk.stored() == []


async def test_a_yes_too_late_or_from_somebody_else_erases_nothing(talk):
    await talk.told("I live in Rome")
    await talk.say("forget everything")
    assert (await talk.say("yes", BOB.user_id)).startswith(ENGLISH.agreement)
    talk.clock.advance(**MORE_THAN_ASKED_FOR)
    assert (await talk.say("yes")).startswith(ENGLISH.agreement)
    for other in ("no", "what is my name?"):
        await talk.say("forget everything")
        await talk.say(other)
        assert (await talk.say("yes")).startswith(ENGLISH.agreement)
    assert "Rome" in await talk.say("where do I live?")


@each_row(
    ("choice", "answer", "kept"),
    [
        ("2", ENGLISH.done, {"I play golf"}),
        ("yes", ENGLISH.kept, {"I play golf", "im on citalopram"}),
    ],
)
async def test_what_a_wish_names_in_other_words_is_asked_about(talk, choice, answer, kept):
    await talk.told("im on citalopram", "I play golf")
    asked = await talk.say("can you remove that stuff about my meds")
    assert asked.startswith(ENGLISH.nothing_fits)
    assert "2. “im on citalopram”" in asked
    assert await talk.say(choice) == answer
    assert set(await talk.stored()) - {choice} == kept


async def test_a_wish_that_was_asked_back_is_not_kept(talk):
    await talk.told("I have a cat named Tofu")
    wish = "hm, maybe you should just forget Tofu the cat somehow"
    assert await talk.say(wish) == ENGLISH.ask.format(what="“I have a cat named Tofu”")
    await talk.app.memory.recorder.settle()
    talk.clock.advance(**MORE_THAN_ASKED_FOR)
    assert set(await talk.stored()) == {"I have a cat named Tofu"}


async def test_after_a_correction_nothing_tells_the_old_fact(talk):
    await talk.told("I have a cat", "I live in Leeds", "where do I live?")
    await talk.say("where do I live?", BOB.user_id)
    talk.clock.advance(minutes=2)
    assert "I live in York" in await talk.say("no, York")
    assert await talk.say("where do I live?") == "I noted just now: “I live in York”"
    assert "York" not in await talk.say("do I have a pet?")
    talk.clock.advance(minutes=2)
    assert "I live in Bath" in await talk.say("sorry I meant Bath, not York")
    assert "York" not in await talk.say("what do you know about me?")


async def test_a_correction_too_many_in_an_hour_leaves_what_it_corrects(talk):
    cats = [f"remember that I have {count} cats" for count in range(WritePolicy().writes_per_hour)]
    await talk.told(*cats, "I live in Leeds")
    assert await talk.say("no, York") == edit_rules.SENTENCES["over limit"]
    assert "I live in Leeds" in await talk.stored()


async def test_what_is_wrong_is_asked_about_where_the_correction_does_not_name_it(talk):
    await talk.told("I'm a nurse at the clinic")
    answer = await talk.say("that's wrong, I'm a medic in the army")
    assert "“I'm a nurse at the clinic”" in answer
    await talk.say("yes")
    await talk.app.memory.recorder.settle()
    assert {"medic" in text and "nurse" not in text for text in await talk.stored()} == {True}
    await talk.told("I'm a welder and hate olives", "I'm a baker now", "what do you know about me?")
    assert (
        "2. " in (answer := await talk.say("that's wrong, I'm a welder")) and "olives" not in answer
    )


async def test_a_correction_of_an_earlier_sentence_asks_whether_that_one_goes(talk):
    await talk.told("my appt is on thursday", "I play golf")
    assert "my appt is on tuesday" in await talk.say("sorry, i meant tuesday")
    await talk.app.memory.editor.forget_all(ADA)
    await talk.told("I live in Leeds", "my boss is called Dana")
    assert "“I live in Leeds”" in await talk.say("no, I live in York")
    await talk.say("yes")
    await talk.app.memory.recorder.settle()
    assert {"my boss is called Dana", "no, I live in York"} == set(await talk.stored())


@each_row(
    ("said", "wish"),
    [
        ("I have a dog named Rex", "correction: my sister's name is Helen"),
        ("I have a dog named Rex", "correction: my name is Tom"),
        ("ich wohne in Fulda", "stimmt nicht, die Vögel heißen Max und Fritz"),
        ("my parents live in Leeds", "I don't live in Leeds, I live in York"),
        ("I lived in Leeds for six years", "I don't live in Leeds, I live in York"),
        ("my sister is tired of her job", "I'm not tired, I'm just bored of it"),
        ("my brother is 31", "I'm not 31, I'm 32"),
        ("my cousin is 31", "my sister isn't 31, she's 32"),
        ("my sister moved to Bonn", "4, sorry"),
        ("I paid 31.50 for my shoes", "I'm not 31, I'm 32"),
        ("meine Eltern wohnen in Köln", "ich wohne nicht in Köln sondern in Bonn"),
        ("ich habe heute einen Termin", "mein Bruder kommt nicht heute sondern morgen"),
        ("I have an exam today", "maybe not today"),
        ("I live in York", "it's cold though"),
        ("I live in Leeds", "the match is in York not Leeds"),
        ("I drink tea every morning", "today coffee instead of tea"),
        ("I love pizza", "tea for me not pizza"),
        ("I have 5 dogs", "it costs 6 not 5"),
        ("I'm a nurse", "he's a doctor, not a nurse"),
        ("sie ist 22", "sorry, 23"),
        ("I like tea and coffee", "actually I don't like coffee"),
        ("my bf got me a mug", "wait not my bf lmao my bro"),
        ("mein Bruder hat mir ein Rad geschenkt", "nein nicht mein Bruder mein Onkel"),
        ("my dog is not called Bo", "nah im not on eu servers"),
        ("I'm on a raid", "nah im not on eu servers, im on na"),
        ("ich mag Tee", "er trinkt Kaffee, kein Tee"),
        ("ich bin Lehrer", "er ist Arzt, kein Lehrer"),
        ("I have 3 cats", "nah 5 minutes"),
        ("I work in Leeds", "hm, London is down"),
        ("ich spiele nur Gitarre", "ich spiele nicht nur Gitarre, sondern auch Klavier"),
        ("I hate the merry-go-round", "*merry-go-round"),
        ("I have 3 cats", "sorry, 10pm"),
        ("I love tea", "no, at home"),
        ("I love tea", "no, in a minute"),
        ("I love tea", "ignore that noise"),
        ("ich wohne in Ulm", "mach Kuchen draus"),
        ("ich wohne in Ulm", "ignorier mich"),
        ("meine Schicht beginnt um 21 Uhr", "nein, der Film beginnt um 20 Uhr"),
    ],
)
async def test_a_correction_of_somebody_else_leaves_what_was_said_before(talk, said, wish):
    await talk.told(said)
    answer = await talk.say(wish)
    await talk.app.memory.recorder.settle()
    assert said not in answer
    assert {said, wish} <= set(await talk.stored())


@each_row(
    ("said", "wish", "corrected"),
    [
        ("I have a dog named Rex", "no, my dog is called Max", "my dog is called Max"),
        ("my dog is named Rex", "my dog isn't called Rex but Max", "“my dog is named Max”"),
        ("I play the drums", "no I don't play the drums anymore", "“I don't play the drums”"),
        (
            "ich hab nen Bruder, der heißt Tim",
            "stimmt nicht, mein Bruder heißt Tom",
            "mein Bruder heißt Tom",
        ),
        ("my sister is 19", "she's 20, not 19", "my sister is 20"),
        ("meine Firma ist in Köln", "nein, sie ist in Bonn, nicht in Köln", "ist in Bonn"),
        ("I'm 31", "32, sorry", "I'm 32"),
        ("I was born on 5 May 1990", "no, 1991", "on 5 May 1991"),
        ("I drive a Golf", "a Polo not a Golf", "I drive a Polo"),
        ("I live in Ripon", "I don't live in Ripon, I live in York", "I live in York"),
        ("I live in Ripon with Mia", "I don't live in Ripon, I live in York", "in York with Mia"),
        ("I live in Ripon", "we don't live in Ripon, we live in York", "I live in York"),
        ("I'm a doctor", "I'm not a doctor, I'm a nurse", "I'm a nurse"),
        ("ich wohne in Celle", "ich wohne nicht in Celle sondern in Kehl", "ich wohne in Kehl"),
        ("my brother is called Sean", "it's spelled Shaun", "my brother is called Shaun"),
        ("i live in leeds", "nah, leeds is wrong, it's bradford", "i live in bradford"),
        ("my game is tetris", "no wait, it's not tetris, it's go fish", "my game is go fish"),
        ("i live in leicester", "its leeds not leicester, autocorrect grr", "i live in leeds"),
        ("I live in Leeds", "sorry, it's Elyville not Leeds", "I live in Elyville"),
        ("my shift starts at 6", "oops it starts at 7 not 6", "my shift starts at 7"),
        ("mein hund ist ein beagle", "nee moment, basset, kein beagle", "mein hund ist ein basset"),
        ("mein Lehrer wohnt in Fulda", "ach quatsch, der wohnt doch in Gießen", "wohnt in Gießen"),
        ("My teacher is Mr. Lowe.", "Actually his name is Mr. Rowe, my mistake.", "is Mr. Rowe"),
        ("my dog is a pug", "my dog isnt a pug, hes a beagle", "my dog is a beagle"),
        ("my brother is called john", "no his name is jon, without the h", "is called jon"),
        ("I drive a Toyota.", "I said Toyota, but it's a Nissan.", "I drive a Nissan."),
        ("Mein Mann heißt Stefan.", "Mein Mann heißt nicht Stefan, sondern Stephan", "Stephan"),
        ("My boss is called Steven.", "His name is Stephen, not Steven.", "is called Stephen."),
        ("bin 21", "quatsch bin 22", "„bin 22“"),
        ("i got a ps4 for xmas", "*ps5", "“i got a ps5 for xmas”"),
        ("i study chemistry", "no wait, biochemistry", "“i study biochemistry”"),
        ("ich lerne chemie", "nein, biochemie", "„ich lerne biochemie“"),
        ("the gig is on friday", "wait no its saturday", "the gig is on saturday"),
        ("Das Treffen ist am Montag.", "Verzeihung, ich meinte Dienstag.", "ist am Dienstag."),
        ("mein Zug geht um 8", "sorry meinte um 9", "mein Zug geht um 9"),
        ("I see Dr. Miller at noon", "sorry, Dr. Moss", "“I see Dr. Moss at noon”"),
        ("mein spiel ist uno", "ne warte, nicht uno, sondern skat", "mein spiel ist skat"),
        ("my rat is called Odo", "Remy wins, not Odo!", "called Odo – Remy wins, not Odo!"),
        ("she lives in Rome with me", "she's in love, not in Rome", "in Rome with me – she's"),
        ("my birthday is on 5 May", "it's not my birthday but Easter", "is on 5 May – it's not"),
    ],
)
async def test_a_correction_reaches_somebody_whom_its_author_mentioned(talk, said, wish, corrected):
    talk.clock.advance(hours=1)
    await talk.told(said)
    assert corrected in await talk.say(wish)
    assert said not in await talk.stored()


@each_row(
    ("said", "text", "is_kept"),
    [
        ("ich hab einen Hund", "den Hund nicht vergessen", True),
        ("ich hab einen Hund", "meinen Hund werd ich nie vergessen", True),
        ("ich hab ein rotes Rad", "das Rad kann ich vergessen", True),
        ("ich habe Urlaub im Mai", "das mit dem Urlaub können wir vergessen", True),
        ("ich hab einen Hund", "hast du meinen Hund vergessen?", True),
        ("ich hab einen Hund", "meinen Hund hab ich beim Tierarzt vergessen", True),
        ("ich wohne in Köln", "wo wohne ich? hab ich vergessen", True),
        ("ich hab einen Hund", "dass ich einen Hund habe, kannst du vergessen", False),
        ("ich hab einen Hund", "was ich über meinen Hund gesagt habe bitte vergessen", False),
        ("ich rauche nicht", "dass ich nicht rauche kannst du vergessen", False),
        ("ich hab einen Hund", "vergiss meinen Hund nicht", True),
        ("ich hab einen Hund", "vergiss meinen Hund nicht, bitte", True),
        ("ich hab einen Hund", "vergiss ja nicht meinen Hund", True),
        ("ich hab einen Hund", "vergiss auf keinen Fall meinen Hund", True),
        ("ich hab einen Hund", "vergiss das bloß nicht", True),
        ("ich hab einen Hund", "ich will, dass du meinen Hund vergisst", False),
        ("mein Ex heißt Paul", "ich will meinen Ex vergessen", True),
        ("ich rauche nicht", "vergiss, dass ich nicht rauche", False),
        ("I have a dog named Rex", "i dont want u to know about rex any more", False),
        ("ich hab einen Hund", "ich will nicht mehr dass du was über meinen Hund weißt", False),
        ("ich hab einen Hund", "du musst dir meinen Hund nicht merken", False),
        ("ich hab einen Hund", "hör auf dir Sachen über meinen Hund zu merken", False),
        ("ich arbeite als lehrer", "nein, leider", True),
        ("I have training on Monday", "oh no, it's raining", True),
        ("my birthday is in May", "actually maybe", True),
        ("I work as a nurse", "no, worse", True),
        ("i am a paladin of light", "no, flight", True),
        ("i hate monday meetings", "oops meeting", True),
        ("I have a shiny sword", "*shines", True),
        ("my dog is called Winnie", "*wink", True),
        ("my wife is called Kim", "actually kind of", True),
        ("I have 2 kids", "nope, not 3", True),
        ("I'm Kim", "sorry Tim", True),
        ("my brother is called Tim", "WAIT WHAT", True),
        ("my brother is called Tim", "Oops. Lol.", True),
        ("my boss is called Dana", "*Waves at Dana*", True),
        ("mein Chef heißt Uli", "*Seufz", True),
        ("ich hab ein Tattoo", "das mit dem Tattoo hab ich vergessen, sorry", True),
        ("ich hab ein Tattoo", "das mit dem Tattoo löschen, das geht nicht", True),
        ("ich hab ein Tattoo", "das mit dem Tattoo bitte löschen, war gelogen", False),
        ("mein Bruder heißt Tim", "Quatsch, Mann", True),
        ("my train leaves at 5", "sorry, half past 6", True),
        ("my brother has 3 kids", "no, 23:58", True),
        ("I was born in 1990", "wait, Sunday", True),
        ("my boss is called Will", "forget Will", False),
        ("ich kenne den Sepp", "vergiss den Sepp", False),
        ("ich mag Butter und Brot", "Butter aufs Brot streichen", True),
        ("I'm on a diet", "forget my diet, I had cake", True),
        ("I have a strong will", "forget is a strong word", True),
        ("I live in Leeds", "Liverpool, not Leeds, won the cup", True),
        ("ich wohne in Köln", "mein Bruder wohnt in Bonn, nicht in Köln", True),
        ("meine Mama heißt Ute", "Mama kannst du ruhig vergessen, die kommt nie", True),
    ],
)
async def test_only_a_wish_to_forget_forgets(talk, said, text, is_kept):
    await talk.app.memory.editor.forget_all(ADA)
    await talk.told(said)
    await talk.say(text)
    stored = await talk.stored()
    assert said in stored if is_kept else not stored


async def test_what_was_promised_is_asked_once_on_its_day(talk):
    question = ENGLISH.ask_now.format(text="how the interview went")
    answer = await talk.say("ask me tomorrow how the interview went")
    assert answer == ENGLISH.asked_later.format(day="12 March", text="how the interview went")
    assert question not in await talk.say("haha")
    talk.clock.advance(days=1)
    assert await talk.say("haha") == f"🙂\n{question}"
    assert await talk.say("haha") == "🙂"
    await talk.app.memory.reader.loop_offers.write()
    assert not await talk.app.memory.loops.of_member(ADA, {100})


async def test_forgetting_a_sentence_leaves_the_other_quotes_of_its_message(talk):
    await talk.told("I have a dog named Rex. I live in Porto. I love green tea.")
    talk.clock.advance(hours=1)
    await talk.told("I play chess")
    assert "Rex" in await talk.say("forget that I have a dog named Rex")
    assert {row.text for row in await talk.rows()} == {
        "I live in Porto.", "I love green tea.", "I play chess"
    }  # fmt: skip
    assert not any("Rex" in text for text in await talk.stored())
    assert "Porto" in await talk.say("where do I live?")
    assert "Rex" not in await talk.say("do I have a dog?")
    await talk.app.memory.editor.forget_all(ADA)
    await talk.told("I live in Leeds", "forget that. I also have a cat")
    assert {row.text for row in await talk.rows()} == {"I also have a cat"}


async def test_a_beginning_that_several_sentences_share_corrects_none_of_them(talk):
    said = {"I have a cat named Miso", "I have a sister in Oslo", "I have a red bike"}
    await talk.told(*said)
    assert "?" not in await talk.say("no, I have a dog")
    assert said <= set(await talk.stored())


async def test_what_takes_something_back_is_no_memory(talk):
    for said, wish in (
        ("my ex is called Paul", "everything I said about Paul is wrong"),
        ("mein Ex heißt Paul", "alles, was ich über Paul gesagt habe, ist gelogen"),
        ("ich mag Pilze", "ich nehme das zurück"),
        ("ich mag Pilze", "das hab ich nie gesagt"),
        ("I like mushrooms", "I never said that"),
    ):
        await talk.told(said)
        assert said in await talk.say(wish)
        await talk.say("1")
        await talk.app.memory.recorder.settle()
        assert not {said, wish}.intersection(await talk.stored())


@each_row(
    ("said", "wrong"),
    [
        ("my coffee machine is from my gran", "it's not about coffee, I drink tea"),
        ("I live in Leeds", "This is wrong, I know"),
        ("I live in Leeds", "not Leeds, 🤷"),
        ("I hate the band", "that was a joke"),
        ("ich hasse die Band", "das war ein Witz"),
        ("Tom owes me 12.50", "forget that Tom owes me money"),
    ],
)
async def test_what_is_wrong_without_saying_how_it_is_is_asked_about(talk, said, wrong):
    await talk.told(said)
    assert said in await talk.say(wrong)
    assert said in await talk.stored()


@each_row(
    ("wish", "is_kept"),
    [
        ("Please don't save this. I hate my boss.", True),
        ("don't save this but I hate my boss", True),
        ("don't save this, I hate my boss", True),
        ("don't keep this: I hate my boss", True),
        ("just between us I hate my boss", True),
        ("keep this off the record i hate my boss, i have his number", True),
        ("das bleibt unter uns ich hab heute Ärger mit dem Chef", True),
        ("I hate my boss - don't save that", True),
        ("I hate my boss, forget that", True),
        ("bitte nicht merken: ich hasse meinen Chef", True),
        ("merk dir das nicht: ich hasse meinen Chef", True),
        ("ich hasse meinen Chef. vergiss das", True),
        ("don't save that", False),
        ("Forget that. I live in Leeds", False),
        ("ich will nicht, dass du dir Rex merkst", False),
    ],
)
async def test_a_wish_for_its_own_message_leaves_what_was_said_before(talk, wish, is_kept):
    await talk.app.memory.editor.forget_all(ADA)
    await talk.told("I have a dog named Rex")
    reply, stored = await talk.say(wish), await talk.stored()
    is_said = ("All right, I keep nothing of this", "In Ordnung, von dieser Nachricht")
    assert reply.startswith(is_said) is ("I have a dog named Rex" in stored) is is_kept
    assert not any("boss" in text or "Chef" in text for text in stored)


async def test_what_is_kept_off_is_only_what_the_answer_says(talk):
    await talk.told("My neighbour Tom plays the tuba")
    assert await talk.say("don't save that, I was drunk") == (
        "All right, I keep nothing of this message."
    )
    assert "My neighbour Tom plays the tuba" in await talk.stored()


@each_row("link", [" but", ", but"])
async def test_a_named_thing_is_kept_off_also_before_another_clause(talk, link):
    await talk.told("My boss is called Dana", "I love my job at the bakery")
    reply = await talk.say(f"Don't save anything about my boss{link} I love my job")
    assert "“My boss is called Dana”" in reply
    assert "bakery" not in reply
    assert "I love my job at the bakery" in await talk.stored()


@each_row("choice", ["no", "yes"])
async def test_a_statement_with_a_doubtful_wish_goes_only_if_its_author_says_yes(talk, choice):
    message = "Every evening I go home, drop my bag"
    await talk.told("My bag is from Spain")
    assert "“My bag is from Spain”" in await talk.say(message)
    assert message in await talk.stored()
    await talk.say(choice)
    assert (message in await talk.stored()) is (choice == "no")


async def test_that_said_twice_erases_one_thing_and_asks_about_the_next(talk):
    await talk.told("I have a dog named Rex", "I have a cat named Tom")
    assert "Tom" in await talk.say("forget that")
    assert await talk.say("forget that") == ENGLISH.ask.format(what="“I have a dog named Rex”")
    assert "I have a dog named Rex" in await talk.stored()


async def test_a_correction_without_a_plain_place_leaves_what_was_said_before(talk):
    await talk.told("I'm Nadia and I'm from Tunis", "my cat is grumpy", "no, Tom")
    assert "name is Nadia" in await talk.stored()
    await talk.told("ich bin Tierarzt", "ich habe zwei Söhne, Ben und Dov", "nein, Ben und Dan")
    await talk.told("Meine Schwester heißt Sofia", "mein Hund heißt Max", "nein, Sophia",
        "my gran is 80", "remind me on Friday at 7 to call her", "🙄", "actually make it 8",
        "my flat is in Hull", "remind me to feed the cat at 6", "Bath, not Hull",
        "I eat meat", "remind me to feed the cat at 6", "actually I don't eat meat",
        "my cousin Ali is 30", "my cousin Sara is 28", "he's 31 actually")  # fmt: skip
    assert {
        "my gran is 80", "my cousin Sara is 28", "actually I don't eat meat", "my flat is in Bath",
        "ich bin Tierarzt", "ich habe zwei Söhne, Ben und Dov – nein, Ben und Dan",
        "Meine Schwester heißt Sophia", "mein Hund heißt Max",
    }.issubset(await talk.stored())  # fmt: skip


async def test_a_corrected_sentence_keeps_the_days_on_which_it_was_said(talk):
    await talk.told("I moved to Leeds last month")
    talk.clock.advance(days=40)
    assert "York last month (February 2026)" in await talk.say("no, not Leeds, York")


async def test_a_sentence_that_says_what_is_wrong_names_what_it_corrects(talk):
    await talk.told("my brother Leo studies law", "I have a dog named Rex")
    assert "Rex" in await talk.say("do I have a dog?")
    assert "Rex" not in await talk.say("that's wrong, leo studies medicine not law")
