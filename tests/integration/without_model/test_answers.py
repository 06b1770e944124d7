"""Without a model Kith quotes what the member said, with its day, and what was said since."""

import re
from importlib.util import find_spec

import pytest

from tests.fakes.builders import BOB, GUILD, NOON
from tests.rows import each_row
from utils.llm.local_embeddings import BUNDLED_PACKAGE
from utils.memory.extraction.own_statements import own_statements
from utils.models.guild import GuildSettings
from utils.models.memory import Form
from utils.without_model import answers
from utils.without_model.questions import parse_question
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


DAY, MINUTE = 24 * 60, 1


@each_row(
    ("told", "question", "is_shown", "is_not"),
    [
        (
            # since then: of the thing that was asked about
            {
                "my sister Clara is getting married on 12 July": 0,
                "I bought a red bike": DAY,
                "Actually the wedding is on the 19th": DAY,
            },
            "when is my sister's wedding?",
            "12 July” Since then: “Actually the wedding is on the 19th”",
            "bike",
        ),
        (
            # of a name far from the word that is asked about
            {"my bike is a very old and red Brompton": 2 * DAY, "someone stole my Brompton": DAY},
            "what bike do I have?",
            "someone stole my Brompton",
            None,
        ),
        (
            # not of somebody else
            {"I moved to York": 2 * DAY, "my friend Iona moved to Oslo": DAY},
            "where do I live?",
            "York",
            "Oslo",
        ),
        (
            # of the same person by another word
            {
                "meine mutter liegt im krankenhaus": 2 * DAY,
                "mama ist am dienstag entlassen worden": 9 * DAY,
            },
            "liegt meine mutter im krankenhaus?",
            "mama ist am dienstag entlassen worden",
            None,
        ),
        (
            # but of somebody else and the member
            {"my husband Tariq and I moved to York": DAY},
            "where do I live?",
            "Tariq and I moved to York",
            None,
        ),
        ({"sold the old Corsa": 2 * DAY}, "do I own a car?", "sold the old Corsa", None),
        ({"I met Tom (late!), and physio is at 6": 0}, "when is my physio?", "(late!), and", "“),"),
        (
            # of no word that may stand for many things
            {"I need a lift to king street at night": DAY},
            "where do I live?",
            "I find nothing",
            None,
        ),
        ({"I get no sleep": DAY, "no idea about Leo": 0}, "do I get any sleep?", "no sleep", "Leo"),
        # not of a number, of a verb, or of what may only stand for the word asked about
        ({"I have three cats": 2 * DAY, "I ran three miles": DAY}, "any cats?", "cats", "miles"),
        (
            {"my shift starts at 5": 2 * DAY, "I started pottery": DAY},
            "when does my shift start?",
            "at 5",
            "pottery",
        ),
        (
            {"I went to Harris Academy": 2 * DAY, "I sold my trumpet to a teacher": DAY},
            "which school did I go to?",
            "Harris",
            "trumpet",
        ),
        (
            # unless it begins with that
            {"we are getting married in June": 2 * DAY, "wedding is off, long story": DAY},
            "when am I getting married?",
            "wedding is off",
            None,
        ),
        (
            # of a German compound of the word
            {
                "im August fliege ich nach Island": 2 * DAY,
                "die Islandreise fällt ins Wasser, zu teuer": DAY,
            },
            "wohin fliege ich?",
            "Islandreise",
            None,
        ),
        (
            # German verbs that begin a question need no question mark
            {"ich mach grad mein fsj im kindergarten": DAY, "das fsj ist rum": DAY},
            "mach ich noch mein fsj",
            "das fsj ist rum",
            None,
        ),
        (
            {"spiel seit jahren trompete": DAY, "spiel handball, linksaußen": DAY},
            "welches instrument spiel ich",
            "trompete",
            "handball",
        ),
        (
            {"Ich singe im Kirchenchor, zweiter Alt": DAY, "I play golf": DAY},
            "welche Stimme sing ich im Chor?",
            "zweiter Alt",
            None,
        ),
        (
            {"got my smear appt on the 20th": DAY, "I play golf": DAY},
            "remind me when my smear is",
            "smear appt",
            "golf",
        ),
        (
            {"I left my tripod at the zoo": MINUTE, "found it, was in the car": DAY},
            "where is my tripod?",
            "the zoo” Right after: “found it, was in the car”",
            None,
        ),
        ({"my cat is called Bo": MINUTE, "is it": DAY}, "how is my cat called?", "Bo”", "is it"),
        (
            {"mein Hund heißt Bo": MINUTE, "die Katze hab ich seit Mai": DAY},
            "wie heißt mein Hund?",
            "Bo“",
            "Gleich danach",
        ),
        (
            # right after
            {"I live in Leeds": 2 * MINUTE, "jk": 3 * DAY},
            "where do I live?",
            "“I live in Leeds” Right after: “jk”",
            None,
        ),
        (
            # right after, though the same was asked between
            {"my man's in Ghana": MINUTE, "where is my man?": MINUTE, "he's back now": 0},
            "where is my man?",
            "“my man's in Ghana” Right after: “he's back now”",
            None,
        ),
        (
            # right after, among all that is known
            {"I work at a bakery": MINUTE, "no wait, a brewery": 0},
            "what do you know about me?",
            "“I work at a bakery” Right after: “no wait, a brewery”",
            None,
        ),
        # not right after: it only sounds like a correction, or is about somebody else
        (
            {"my sister lives in Leeds": MINUTE, "ugh I hate coriander": 0},
            "where does my sister live?",
            "Leeds",
            "coriander",
        ),
        (
            {"we moved from Bristol to Cardiff": 60, "she's back home again": 0},
            "where do I live?",
            "Cardiff",
            "back home",
        ),
        (
            # a line of one word answers no question about another
            {"Bruno chewed my left shoe": DAY, "jk": DAY},
            "what did Bruno chew?",
            "my left shoe",
            "jk",
        ),
        (
            # on a past day
            {"I baked bread all afternoon": DAY, "I went to the lake": DAY},
            "what happened yesterday?",
            "lake",
            "bread",
        ),
        # a feast that is to come is no day on which something was said
        ({"ich fahr Silvester nach Wien": 3 * DAY}, "wohin fahr ich Silvester?", "Wien", None),
        # in the other language
        (
            {"my name is Lena": 0, "I have a dog named Rex": 0},
            "wie heiße ich?",
            "Lena",
            "Rex",
        ),
        ({"my name is Lena": 0, "ich heiße Marlene": 0}, "what is my name?", "Marlene", None),
        # a note, without the message that it comes from
        (
            {"don't forget that I play the cello": 0},
            "what do I play?",
            "I noted just now: “I play the cello”",
            "don't",
        ),
        # why something is thought
        (
            {"I have a cat named Miso": 2 * DAY},
            "why do you think I have a cat?",
            "“I have a cat named Miso”",
            None,
        ),
        (
            {"ich wohne in Köln": 2 * DAY},
            "woher weißt du, dass ich in Köln wohne?",
            "„ich wohne in Köln“",
            None,
        ),
        # a question, also if what follows may ask too; a statement, if it finds nothing
        ({"I live in Leeds": 0}, "where do I live? is my memory that bad", "Leeds", None),
        ({"ich wohne in Leeds": 0}, "wo wohne ich? bin ich doof", "Leeds", None),
        ({"ich wohne in Köln": 0}, "hab ich gestern auch gekauft", "", GERMAN.unknown),
        ({"ich wohne in Köln": 0}, "hab ich einen Hund?", GERMAN.unknown, None),
        ({"on Sunday I'm going rafting": 0}, "do I have plans for tomorrow?", "", "rafting"),
        ({"morgen koche ich Curry": 0}, "sag mal, was steht morgen an?", "Curry", None),
        ({"mein Kater heißt Sonntag": 0}, "was steht an?", "", "Kater"),
        # of somebody whom what was said names
        (
            {"my interview is on tuesday at 10": DAY, "they moved the interview to thursday": 0},
            "when is my interview?",
            "they moved the interview",
            None,
        ),
        (
            {"I let a room to a student, Leo": DAY, "Leo moved out of the room yesterday": 0},
            "do I have a room?",
            "Leo moved out",
            None,
        ),
        # a correction of a correction
        (
            {
                "I paint my dice green": MINUTE,
                "actually red": MINUTE,
                "no wait, sort of blue": MINUTE,
                "actually I sold my car": 0,
            },
            "which dice do I paint?",
            "“actually red” “no wait, sort of blue”",
            "car",
        ),
        # out of the last turns, of a word for which many may stand
        (
            {
                "our band is called The Owls": MINUTE,
                "gig on Friday at the Crown, 8pm": MINUTE,
                "when is the gig?": MINUTE,
                "where is the gig?": MINUTE,
                "gig's off": MINUTE,
                "when is the gig? ": MINUTE,
                "gig's back on!": 0,
            },
            "when is the gig?",
            "gig on Friday at the Crown, 8pm",
            None,
        ),
        # words that only end alike do not go on from each other
        (
            {"ich will am Freitag Oma besuchen": DAY, "wir suchen eine Wohnung": 0},
            "was steht an?",
            "Oma",
            "Seitdem",
        ),
        (
            {"am Freitag hab ich Sprechstunde": DAY, "ich hab eine Stunde geschlafen": 0},
            "was steht an?",
            "Sprechstunde",
            "Seitdem",
        ),
    ],
)
async def test_what_belongs_to_a_question_is_quoted_and_nothing_else(
    talk, told, question, is_shown, is_not
):
    channel_id = next(talk.ids)  # nothing else is read there
    for text, minutes in told.items():
        await talk.told(text, channel_id=channel_id)
        talk.clock.advance(minutes=minutes)
    answer = await talk.say(question, channel_id=channel_id)
    assert is_shown in answer
    assert is_not is None or is_not not in answer


async def test_what_was_said_since_of_the_last_part_of_a_german_compound_is_quoted(talk):
    await talk.told("ich hab am Freitag ein Vorstellungsgespräch", days=1)
    await talk.told("das Gespräch wurde abgesagt")
    answer = await talk.say("was steht an?")
    assert answer.endswith(
        "Vorstellungsgespräch“ Seitdem: „das Gespräch wurde abgesagt“ (12. März)"
    )


async def test_the_verb_of_a_german_clause_comes_last(talk):
    await talk.told("ich wohne in Bonn", days=1)
    assert "Bonn" not in await talk.say("weißt du, wo Jonas wohnt?")
    assert "Bonn" in await talk.say("weißt du, wo ich wohne?")
    await talk.told("mein Bruder Jonas wohnt in Cork", days=1)
    assert "Cork" in await talk.say("kannst du mir sagen, wo Jonas wohnt?")


async def test_what_was_said_right_after_may_hold_what_is_asked_for(talk):
    await talk.told("I have a cat")
    talk.clock.advance(minutes=1)
    await talk.told("it is called Gustav")
    talk.clock.advance(hours=1)
    await talk.told("I have a dog", "it was a long day", days=3)
    answer = await talk.say("what is my cat called?")
    assert answer == "You told me on 11 March: “I have a cat” Right after: “it is called Gustav”"
    assert "nothing" in await talk.say("what is my dog called?")


@pytest.mark.parametrize(
    "text",
    ["hows my knee", "whens my exam", "nah I never said that", "um wie viel uhr fang ich an",
     "wheres my bike", "wat time do i start", "und was ess ich gern", "wats my dog called",
     "does my dad smoke", "war ich in Japan", "stop the thursday reminder",
     "gegen was bin ich allergisch", "seit wann hab ich den kater"],
)  # fmt: skip
async def test_a_question_without_its_mark_and_a_denial_are_no_memories(talk, text):
    await talk.told(text)
    assert not await talk.rows()


async def test_what_was_said_after_a_question_is_not_right_after(talk):
    await talk.told("Bruno chewed my left shoe")
    talk.clock.advance(minutes=1)
    await talk.say("where do I live?")
    talk.clock.advance(minutes=1)
    await talk.say("jk")
    answer = await talk.say("what did Bruno chew?")
    assert "my left shoe" in answer
    assert "jk" not in answer


@each_row(
    ("said", "question", "is_quoted"),
    [
        ("I have a cat named Miso", "do I have a pet?", True),
        ("I have a cat named Miso", "do I have a dog?", False),
        ("we have a turtle called Bert", "do we have a pet", True),
        ("I support Norwich City", "which football team do I support?", True),
        ("my locker is 212", "what is my locker number?", True),
        ("Guess what, I got the job!", "did I get the job?", True),
        ("my phone fell into the sink", "what is my phone number?", False),
        ("my birthdays on halloween", "when is my birthday?", True),
        ("supporting port vale hurts", "what team do i support?", True),
        ("ich wohn in ner wg mit Paul", "mit wem wohn ich zusammen?", True),
        ("mom moved my curfew to 11", "whats my curfew", True),
        ("The shop opens at nine", "when does the shop open?", True),
        ("my teacher is Mrs. Lowe", "who is my teacher?", True),
        ("we tied the knot in Vegas", "am I married?", True),
        ("I can't stand coriander", "what do I hate?", True),
        ("I'm not a big fan of olives", "what do I hate?", True),
        ("I'm not a morning person", "what do I hate?", False),
        ("my brother lives in Oslo", "where does my sister live?", False),
        ("I had a guitar lesson and drove home", "what car do I drive?", False),
        ("my sister has a dog", "do I have a dog?", False),
        ("I'm 29 and can't drive", "how old am I?", True),
        ("I'm Jonas, 29, from Leipzig", "how old am I?", True),
        ("I'm busy, 15 people came", "how old am I?", False),
        ("Ich bin Jonas (29)", "wie alt bin ich?", True),
        ("I don't like mushrooms", "what do I not like?", True),
        ("I've been reading Wolf Hall since forever", "what book am I reading?", True),
        ("I use a wheelchair", "what phone do I use?", False),
        ("mein Lieblingsfilm ist Alien", "welchen Film mag ich am liebsten?", True),
        ("tengo dos perros y vivo en Valencia", "¿dónde vivo?", True),
        ("my dad turned 70 last week", "how old am I?", False),
        ("ich fahre einen alten Volvo", "wie alt bin ich?", False),
        ("I've lived in Leeds all my life", "how long have I lived in Leeds?", True),
        ("I have a tattoo of a heron", "what tattoo do I have?", True),
        ("please keep this quiet: I quit my job", "did I quit my job?", True),
        ("I have a dog named Rex", "which dog do I have?", True),
        ("me and Priya adopted a greyhound last month", "do I have any pets?", True),
        ("I'm vegetarian apart from the fish", "do I have any pets?", False),
        ("we're off to Lisbon at the end of June", "where am I going in June?", True),
        (
            "used to play water polo for the university",
            "what sport did I play at university?",
            True,
        ),
        ("I work at a bakery in Bath", "where does she work?", False),
        ("Anna moved to Paris", "where do I live?", False),
        ("Anna and I got married", "am I married?", True),
        ("ich war noch nie in Rom", "was esse ich nicht?", False),
        ("ich esse nie Fisch", "was esse ich nicht?", True),
        ("my sister works in Bath", "where does she work?", True),
        ("ich wohne in Köln", "wo wohnt er?", False),
        ("I live in Leeds", "where do you live?", False),
        ("I play the drums", "which year am I in?", False),
        ("I'm in year 11", "which year am I in?", True),
        ("my favourite colour is teal", "what's your favourite colour?", False),
        ("ich habe einen Hund", "hast du einen Hund?", False),
        ("ich habe einen Hund namens Waldi", "kennst du Waldi?", True),
        ("my friend Tom visited me", "do I have a cat?", False),
        ("I dropped it in the tank", "do I have fish?", False),
        ("I love the seat by the window", "do I have a car?", False),
        ("I'm in the lab most days", "do I have a dog?", False),
        ("I adopted a lab puppy", "do I have a dog?", True),
        ("I quit my job today", "do I smoke?", False),
        ("I left my keys at work", "do I have a boyfriend?", False),
        ("of course I wanted it", "what am I learning?", False),
        ("I broke up with my old bank", "am I ill?", False),
        ("I broke my arm", "am I ill?", True),
        ("ich habe Schluss für heute gemacht", "habe ich einen Freund?", False),
        ("wohne mit Paul am Stadtrand", "wo wohne ich?", True),
        ("sind nach Erfurt gezogen", "wo wohne ich?", True),
        ("a week in Lisbon, I loved it", "which city do I work in?", False),
        ("I am in Nairobi these days", "which city am I in?", True),
        ("my roommate Pete never washes up", "which city do I live in?", False),
        ("Cardiff has been my home since 2012", "which city do I live in?", True),
        ("we play board games every Thursday", "what happens on Thursdays?", True),
        ("dienstags gehe ich immer klettern", "was mache ich am Dienstag?", True),
        ("die Wohnung ist mir zu klein", "was mache ich am Dienstag?", False),
        ("my friend has a boat", "what am I doing on Friday?", False),
        ("Ich wohne in Freiburg", "Was mache ich am Freitag?", False),
        ("Am Freitagabend habe ich Chor", "Was mache ich am Freitag?", True),
        ("our rooster wakes me up at 5", "who wakes me up so early?", True),
        ("my boss's wife bakes bread", "am I married?", False),
        ("my passport runs out in March", "when does my passport expire?", True),
        ("ich bin mit Malte verlobt", "bin ich verlobt", True),
        ("my arm is in a cast", "is my arm in a cast", True),
        ("I had a tooth out on Monday", "had my last tooth out", False),
        ("ich habe mir die Hand verstaucht", "hab mir die Hand verstaucht", False),
        ("lost my wallet on the number 42 bus", "where did I lose my wallet?", True),
        ("I lose my wallet on Mondays", "where did I lose my wallet?", False),
        ("hab schon wieder ein Bier getrunken", "was esse ich?", False),
        ("mein Mann hat zwei Hühner", "wie alt ist mein Mann?", False),
        ("mein Mann ist 41, ein Bäcker", "wie alt ist mein Mann?", True),
        ("ich wohne mit zwei Hühnern hier", "welche Tiere habe ich?", True),
        ("ich arbeite als Elektriker", "was mache ich beruflich?", True),
        ("meine Freundin Lisa und ich ziehen im März zusammen", "wann ziehen wir zusammen?", True),
        ("meine Oma ist am Samstag gestorben", "wie geht es meiner Oma?", True),
        ("am Freitag hab ich Zahnarzt", "wann muss ich zum Zahnarzt?", True),
        ("mein Ex schuldet mir 300 Euro", "wer schuldet mir Geld?", True),
        ("ich hasse Rosenkohl", "wer schuldet mir Geld?", False),
        ("meine Schwester Lea studiert Chemie", "was macht lea so", True),
        ("our GM Sven is allergic to wool", "am I allergic to anything?", False),
        ("Sven likes his tea black", "how do I like my tea?", False),
        ("Sven gave me a teapot", "do I have a teapot?", True),
        ("Luna is a clever dog", "do I have a dog?", True),
        ("her name is Petra", "what's my name?", False),
        ("my birthday is on 3 May", "when is her birthday?", False),
        ("I work for Siemens", "where do I work?", True),
        ("I work nights", "when do I work?", True),
        ("I live with my parents", "where do I live?", True),
        ("I'm living with asthma", "where do I live?", False),
        ("I stay in Bishan", "where do I live?", True),
        ("I'm 42 now", "how old am I?", True),
        ("Muffin weighs 3.2 kg", "how old is Muffin?", False),
        ("I can't stand country music", "do I like country music?", True),
        ("my kids: Ana (7), Leo (4)", "how old are my parents?", False),
        ("I like Ben's wife, Ana", "what's my wife's name?", False),
        ("I like my brother's wife, Ana", "what's my brother's wife called?", True),
        ("mein Auto wird am Montag repariert", "wann habe ich Geburtstag?", False),
        ("my castle is 1200 years old", "how old is my castle?", True),
        ("my base is at -80 70 2200, come visit", "how old am I?", False),
        ("my shift ends at 6 am", "how old am I?", False),
        ("um halb zwei fange ich an", "wann fange ich an?", True),
        ("ihr Stiefvater heißt auch Rudi", "wie heiße ich?", False),
        ("ich mag keinen Koriander", "was mag ich nicht?", True),
        ("ich mag meinen Chef gar nicht", "wen mag ich nicht?", True),
        ("ich mag Tee nicht nur kalt", "was mag ich nicht?", False),
        ("ich mag keinen Koriander", "was mag ich?", False),
        ("ich trinke Tee", "trinke ich Tee oder Kaffee?", True),
        ("I have a dog", "do I have a dog or a cat?", True),
        ("I have a boat", "do I have a dog or a cat?", False),
        ("I run about 40 km a week", "how many km do I run per week?", True),
        ("someone else has to test it, I don't use Linux", "which licence do we use?", False),
        ("ich esse auch keine Eier", "was esse ich nicht?", True),
        ("Bob owes me 7 euros", "how much does Bob owe me?", True),
        ("I owe Tom 7 euros", "how much does Bob owe me?", False),
        ("I owe Bob 7 euros", "how much does Bob owe me?", False),
        ("my dog bit Bob", "does Bob have a dog?", False),
        ("my dentist is on Friday", "what's coming up for Bob?", False),
        ("don't tell Bob, but I bought Bob a watch", "does Bob like watches?", False),
        ("Bob paid me 7 euros", "how much did Bob lose?", False),
        ("ich lerne Spanisch mit Bob", "welches Niveau hat Bob?", False),
        ("ich steh um Viertel nach sechs auf", "wann steh ich auf?", True),
        ("I use `vim` as my editor", "what editor do I use?", True),
    ],
)
async def test_a_thing_that_is_asked_for_must_be_in_the_sentence(talk, said, question, is_quoted):
    channel_id = next(talk.ids)
    await talk.told(said, channel_id=channel_id)
    assert (said in await talk.say(question, channel_id=channel_id)) is is_quoted


async def test_a_message_is_found_by_a_word_that_stands_for_the_one_asked_about(talk):
    await talk.told("a new iPhone arrived today", days=14)
    for count in range(12):
        await talk.told(f"the kettle boiled {count} times", days=1)
    assert "a new iPhone" in await talk.say("what phone do I have?")


async def test_what_was_never_said_is_not_found(talk):
    await talk.told("I live opposite a fire station", "remember that I meet Tom at 4", days=1)
    for question in ("what's my sister's name?", "how old am I?"):
        assert await talk.say(question) == ENGLISH.unknown
    assert await talk.say("wann ist mein Zahnarzttermin?") == GERMAN.unknown
    assert await talk.say("what's the capital of France?") == ENGLISH.not_mine


@pytest.mark.skipif(find_spec(BUNDLED_PACKAGE) is None, reason="its package is not installed")
@pytest.mark.parametrize("talk", ["local"], indirect=True)
async def test_a_sentence_that_is_near_in_meaning_answers_where_no_word_does(talk):
    await talk.told(
        "I'm a vegetarian", "my car is a blue Fiat", "ich spiele jeden Sonntag Klavier", days=1
    )
    await talk.app.memory.embedding.catch_up()
    answer = await talk.say("do I eat steak?")
    assert "“I'm a vegetarian”" in answer
    assert "Fiat" not in answer
    assert await talk.say("which spice do I like best?") == ENGLISH.unknown
    assert await talk.say("habe ich Kinder?") == GERMAN.unknown  # the model reads English only


async def test_what_is_to_come_is_told_by_its_day(talk):
    await talk.told("I'm off to Rome tomorrow", "my birthday is on 2 May", "I have two cats")
    await talk.told("I have an exam next week", "the vet comes tomorrow")
    answer = await talk.say("what's coming up?")
    assert re.search(r"Rome.*vet.*exam.*birthday", " ".join(answer.split()))
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


async def test_everything_known_is_listed_within_bounds(talk, monkeypatch):
    monkeypatch.setattr(answers, "MAX_LISTED", 3)
    await talk.told("my name is Sam", *(f"I have {n} marbles" for n in range(2, 6)))
    lines = (await talk.say("what do you know about me?")).split("\n")
    assert lines[0] == "I noted just now: “name is Sam”"
    assert len(lines) == 4
    assert lines[-1] == ENGLISH.more_known.format(count=2)
    assert "Marbles".lower() in await talk.say("was weißt du über mich?")


async def test_nothing_but_a_name_and_what_is_to_be_remembered_is_noted(talk):
    await talk.told("My name is Tom and I have a dog named Rex.", "remember that I hate Mondays")
    notes = {row.text for row in await talk.rows() if row.form is Form.NOTE}
    quotes = {row.text for row in await talk.rows() if row.form is Form.QUOTE}
    assert notes == {"name is Tom", "I hate Mondays"}
    assert quotes == {"My name is Tom and I have a dog named Rex."}


@pytest.mark.parametrize(
    ("lines", "noted"),
    [
        (["I live in Leeds", "no, it's York"], "I live in York"),
        (["I live in Leeds", "no, York", "no, Bath"], "I live in Bath"),
        (["remember that my desk is number 3", "no, 5"], "my desk is number 5"),
        (
            ["our neighbour plays the tuba", "actually, he plays the horn, not the tuba"],
            "our neighbour plays the horn",
        ),
        (["my aunt lives in Leeds", "she lives in Bath, not Leeds"], "my aunt lives in Bath"),
        (
            ["my best friend is from Wells", "you've got it wrong, it's Truro and not Wells"],
            "my best friend is from Truro",
        ),
        (
            ["meine Tante wohnt in Bremen", "sie wohnt in Bremerhaven, nicht in Bremen"],
            "meine Tante wohnt in Bremerhaven",
        ),
        (["ich wohne in Kiel", "mach daraus Ulm"], "ich wohne in Ulm"),
        (["I live in Milan", "no longer Milan, it's Pavia"], "I live in Pavia"),
        (["mein Zug geht um 7", "mach 8 draus"], "mein Zug geht um 8"),
        (["I met Kai in Jena in March", "make it April"], "I met Kai in Jena in April"),
        (["I met Kai in Jena", "no, in Gera"], "I met Kai in Gera"),
        (["I run every morning", "no, in the evening"], "I run every morning – no, in the evening"),
        (["I met Kai", "no, in Roblox"], "I met Kai – no, in Roblox"),
        (["my shift starts at 9pm", "sorry, 10pm"], "my shift starts at 10pm"),
        (["I live in New York", "no, in New Orleans"], "I live in New Orleans"),
        (["my teacher is Mr Brown", "no, Mrs Brown"], "my teacher is Mrs Brown"),
        (["I met Tom", "no, with Kai"], "I met Tom – no, with Kai"),
        (["ich wohne in Ulm", "ignorier das, ich wohne in Celle"], "ich wohne in Celle"),
        (["my train is at 9", "ignore that, it's at 10"], "my train is at 10"),
        (["my exam is on the 12th", "no, the 14th"], "my exam is on the 14th"),
        (["my train leaves at 5", "*6"], "my train leaves at 6"),
        (["my train leaves at 5", "ah no, at 7"], "my train leaves at 7"),
        (["my train leaves at 5", "no, 5:30"], "my train leaves at 5:30"),
        (["I get up before 6", "no, 6:30"], "I get up before 6:30"),
        (["I work on weekends", "no, Friday"], "I work on weekends – no, Friday"),
        (["I am vegan", "no I'm not"], "I am vegan – no I'm not"),
        (["ich hasse Nebel", "eigentlich mag ich Nebel"], "eigentlich mag ich Nebel"),
        (["my son is called Jony", "no wait, Jony with an I, Joni"], "my son is called Joni"),
        (["my mum was born on 5 May", "no, it's 6 May"], "my mum was born on 6 May"),
        (["my mum was born on 5 May", "no, 5 June"], "my mum was born on 5 June"),
        (
            ["my mum was born on 5 May", "no, 6 June"],
            "my mum was born on 5 May – no, 6 June",
        ),
        (
            ["meine Mutter hat am 5. Mai Geburtstag", "nein, am 6. Mai"],
            "meine Mutter hat am 6. Mai Geburtstag",
        ),
        (
            ["meine Mutter hat am 5. Mai Geburtstag", "nein, 7. Juni"],
            "meine Mutter hat am 5. Mai Geburtstag – nein, 7. Juni",
        ),
        (
            ["ich ziehe im März nach Utrecht", "Quatsch, im April", "ne, doch im Mai"],
            "ich ziehe im Mai nach Utrecht",
        ),
        (
            ["I love vanilla ice cream", "it's pistachio ice cream, not vanilla"],
            "I love pistachio ice cream",
        ),
        (
            ["my sis Maya lives in Leeds", "no wait she moved to York"],
            "my sis Maya lives in Leeds – no wait she moved to York",
        ),
        (
            ["meine Schwester wohnt in Kassel", "ne doch nicht, sie wohnt in Fulda"],
            "meine Schwester wohnt in Fulda",
        ),
        (
            ["remember my locker number is 42", "no, its 24", "scratch that, its 42 after all"],
            "my locker number is 42",
        ),
        (["merk dir: meine Spindnummer ist 42", "nein, 24", "doch 42"], "meine Spindnummer ist 42"),
        (["mein Chef heißt Jan", "der heißt nicht Jan, sondern Uli"], "mein Chef heißt Uli"),
        (["mein Termin ist um 10:15", "um 11 statt 10:15"], "mein Termin ist um 11"),
        (
            ["I've got 3 kids", "no, 4 kids now, not 3"],
            "I've got 3 kids – no, 4 kids now, not 3",
        ),
        (
            ["my flat has 3 rooms", "not 3 but 4 people came"],
            "my flat has 3 rooms – not 3 but 4 people came",
        ),
        (
            ["I last saw Tom in 2019", "not 2019, he died in 2018"],
            "I last saw Tom in 2019 – not 2019, he died in 2018",
        ),
        (
            ["meine Lea macht eine Lehre als Köchin", "Lea lernt Bäckerin, nicht Köchin"],
            "meine Lea macht eine Lehre als Köchin – Lea lernt Bäckerin, nicht Köchin",
        ),
    ],
)
async def test_a_correction_is_noted_in_the_place_of_its_sentence(talk, lines, noted):
    await talk.told(*lines)
    (row,) = await talk.rows()
    assert (row.form, row.text) == (Form.NOTE, noted)


async def test_what_kith_has_just_noted_is_what_that_means(talk):
    await talk.told("I live in Leeds", "no, York")
    assert "York" in await talk.say("forget that")
    assert not await talk.rows()


@pytest.mark.parametrize(
    ("before", "correction"),
    [
        ("hello", "no, it's Porto"),
        ("tell me a joke", "no, it's Porto"),
        ("undo", "no, it's Porto"),
        ("what do I love?", "no, in Porto"),  # nothing is in a place
        ("what do I love?", "no, in the morning"),
    ],
)
async def test_what_cannot_be_wrong_is_not_corrected(talk, before, correction):
    await talk.told("I love tea", before)
    assert "Corrected" not in await talk.say(correction)
    assert {row.text for row in await talk.rows()} == {"I love tea"}


@pytest.mark.parametrize(
    "wish",
    [
        "don't store anything about me",
        "stop remembering me",
        "don't remember me",
        "merk dir nichts über mich",
        "erinnere dich nicht an mich",
    ],
)
async def test_who_wants_nothing_kept_is_told_where_that_is_chosen(talk, wish):
    await talk.told("I love tea")
    assert "/memory consent" in await talk.say(wish)
    assert {row.text for row in await talk.rows()} == {"I love tea"}


async def test_the_question_before_is_not_to_be_forgotten_and_the_name_stays(talk):
    await talk.told("do I have a dog?", "My name is Robin and I have a dog named Rex.")
    await talk.told("I love tea", "do I have a dog?")
    answer = await talk.say("forget that I have a dog")
    assert answer == "Forgotten, for good: “My name is Robin and I have a dog named Rex.”"
    assert {row.text for row in await talk.rows()} == {"name is Robin", "I love tea"}


async def test_what_became_of_a_plan_is_quoted_with_it(talk):
    await talk.told("my birthday is on 2 May", "I have lunch with Tom on Friday")
    talk.clock.advance(hours=1)
    await talk.told("Tom cancelled our lunch")
    lunch, birthday = (await talk.say("what's coming up?")).split("\n")
    assert "I have lunch with Tom on Friday” Since then: “Tom cancelled our lunch”" in lunch
    assert "birthday" in birthday


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


@each_row(
    ("said", "question", "is_quoted"),
    [
        ("ich bin vegan", "ist Bob vegan?", True),  # the first line of a talk
        ("I work at a bakery in Bath", "where does Bob's mother work?", False),
        ("I work at a bakery in Bath", "where does Bob's landlord work?", False),
        ("my wife works at a bakery in Bath", "where does Bob work?", False),
        ("my wife works at a bakery in Bath", "where does Bob's wife work?", True),
        ("I have a dog called Rex", "does Bob's wife have a dog?", False),
        ("I work at a bakery in Bath", "where do you work, Bob?", True),
        ("I work at a bakery in Bath", "what's coming up for Bob?", False),
        ("I have a gig on Friday", "what's coming up for Bob?", True),
        ("montags koche ich immer", "wann kocht Bob?", True),
        ("mein Rufzeichen ist DL3XYZ", "wie ist Bobs Rufzeichen?", True),
        ("I live in Bath", "what does Bob think of me?", False),
        ("I like Ada a lot", "was hat Bob über mich gesagt?", True),
        ("my dog is an old pug", "what did Bob tell me?", True),
    ],
)
async def test_another_member_and_their_people_are_told_apart(talk, said, question, is_quoted):
    await talk.told(said, user_id=BOB.user_id)
    assert (said in await talk.say(question)) is is_quoted


async def test_what_is_confided_or_sensitive_is_quoted_to_its_author_only(talk):
    told = ("don't tell anyone, but I bought a boat", "I won the raffle", "I adopted a hedgehog")
    await talk.told(*told, "don't tell anyone about the raffle", user_id=BOB.user_id)
    await talk.told("I'm pregnant with twins, my belly is huge", user_id=BOB.user_id, days=1)
    for question in (
        *("does Bob have a boat?", "what do you know about Bob?", "is Bob pregnant?"),
        *("did Bob win the raffle?", "has Bob got a hedgehog?"),
    ):
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


def test_questions_about_everything_and_about_days_to_come_are_told_apart():
    zone = GuildSettings(GUILD).zone
    all_known, coming, about = (True, False), (False, True), (False, False)
    for text, kind in [
        ("what do you know about me?", all_known),
        ("who am I?", all_known),
        ("Wer bin ich?", all_known),
        ("what did we talk about?", all_known),
        ("Worüber haben wir geredet?", all_known),
        ("what did I just say about tea?", about),
        ("who am I going with?", about),
        ("was weißt du über mich", all_known),
        ("what do you know about my cat?", about),
        ("weißt du, wo ich wohne?", about),
        ("what's coming up?", coming),
        ("was steht diese Woche an?", coming),
        ("what am I doing tomorrow?", coming),
        ("when is my exam?", about),
        ("what day is it today?", about),
        ("welcher Tag ist heute?", about),
    ]:
        question = parse_question(text, [], NOON, zone)
        assert (question.is_of_everything, question.span is not None) == kind, text
    assert parse_question("I have a cat", [], NOON, zone) is None
    assert any(own_statements("I have a cat"))
