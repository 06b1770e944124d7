"""Without a model, what members say about themselves is kept as quotes; notes are only explicit."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import ADA, NOON, make_event, make_reading
from tests.rows import each_row
from utils.memory.extraction.endings import last_day
from utils.memory.extraction.own_statements import corrects
from utils.memory.extraction.rule_extractor import RuleExtractor, candidates
from utils.memory.extraction.stated_names import own_name_in, stated_name
from utils.models.extraction import BY_RULE
from utils.models.memory import Importance, Source, VerifiedBy

UTC = ZoneInfo("UTC")


def extracted(text, zone=UTC, **given_event):
    return list(candidates(make_event(text, **given_event), zone))


def notes(text):
    return [candidate.text for candidate in extracted(text) if candidate.text]


def quotes(text):
    return [candidate.quote for candidate in extracted(text) if not candidate.text]


async def extract(*texts):
    events = [make_event(text) for text in texts]
    return await RuleExtractor().extract(make_reading(*events))


@each_row(
    "text",
    [
        "i used to live in Rome",
        "hab früher in Köln gewohnt",
        "I moved to Linux last year",
        "I'd love to live in Japan someday",
        "I work with people I can't stand lol",
        "my hamster died last week :(",
        "my dog Rex died yesterday",
        "my dog Rex has died",
        "my dog Rex, who died, was great",
        "My husband Tom leaves me",
        "my brother Joe is dead",
        "I live in Rome, no sorry I live in Oslo",
        "I work as a nurse, I mean I work as a doctor",
        "ich arbeite als Koch, ach nein ich arbeite als Kellner",
        "my wife Anna left me",
        "I love it when it rains in the morning",
        "I like the new update a lot",
        "I'm 5 minutes away from the station",
        "I have a question about my router",
        "my friends and I love everything about jazz",
        "soy de Valencia y tengo dos perros",
        "i write poetry when i cant sleep",
        "my exam got moved to someday soon",
        "I'm a doctor who fan",
        "I don't eat meat today",
        "i can't swim today",
        "I hate people that litter",
        "I love tea when it's cold",
        "I like tea more than coffee",
        "I'm vegan on weekdays",
        "I have a dog allergy",
        "I love all veggies except kale",
        "I don't drink alcohol this month",
        "I live in Rome when I'm not travelling",
        "I work for free",
        "ich mag Tee im Winter",
        "ich mag Hunde, die nicht bellen",
        "I live in Berlin",
        "moved to Exeter last weekend!!",
        "allergic to peanuts btw",
        "dentist tomorrow at 9, ugh",
        "wohn in Kassel, keiner will nach Kassel",
        "hab zwei Meerschweinchen geholt",
        "tengo dos perros y vivo en Valencia",
        "my favourite colour is blue. actually no, green",
        "I drive a tesla. Nah, a bus",
        "ich wohne in Köln. Ach nee, Bonn",
        "I'm 34",
        "I'm vegan",
        "bin 21",
        "leider hab ich keinen Hund",
        "kurz gesagt: ich bin müde und morgen ist Prüfung",
        "I use `vim` as my editor",
        "Tom is vegan. I'm not.",
        "I hate my job. Not kidding.",
        "I was born in Kent. Not really, Hull.",
        "Ich esse gern. Kein Fleisch.",
        "my hobbies:\n- chess\n- angling\n3. tea",
        '"Love is all you need" spielen wir beim Auszug',
    ],
)
def test_a_statement_with_or_without_pronoun_is_kept_as_a_quote_and_nothing_is_noted(text):
    assert (notes(text), quotes(text)) == ([], [" ".join(text.split())])


@each_row(
    "text",
    [
        "",
        "🙂",
        "Do I live in Berlin?",
        "where do i live",
        "if i had a dog i'd call it Rex",
        '"I live in Berlin", she said',
        'today I practised: "I have a cat. I love dogs."',
        "er schrieb: »Ich habe eine Katze. Ich liebe Hunde.«",
        "IC: I draw my sword. I hate elves.",
        "(ic) I am the king",
        "tom says i live in Paris, what a liar",
        "she told me: I have two cats named Salt and Pepper",
        "my boss was like: I hate Mondays",
        "my boss wrote:\n- I hate Mondays\n- I quit",
        "a line of my song:\nI hate Mondays\n- I quit",
        "Sam: I hate cats",
        "> I live in Berlin",
        "`I live in Berlin`",
        "I live in a yellow submarine ♪",
        "*I unsheathe my sword and have three dragons named Ash*",
        "pretend my name is Bob",
        "I live in Mordor jk",
        "I live in Mordor. No, kidding!",
        "oh great, i just LOVE waiting",
        "She has a dog named Rex",
        "You love tea",
        "forget that I live in Rome",
        "remember me",
        "play despacito",
        "i think so too",
        "im tired",
        "hate them.",
        "Anna wohnt in Köln",
        "wohne ich eigentlich in Köln?",
        "wenn ich in München wohnen würde, wäre ich pleite",
        "er hat gesagt: ich habe zwei Hunde",
        "vergiss, dass ich in Rom wohne",
        "stell dir vor, ich wohne in Paris",
        "remind me tomorrow",
        "ask me on Friday",
        "erinnere mich morgen an Mama",
        "¿vives en Madrid?",
        "remember that Bob is an idiot",
        "remember to buy milk",
        "neither do I",
        "ich jedenfalls nicht",
        "`I live in Paris`",
    ],
)
def test_what_is_no_statement_about_oneself_is_not_kept(text):
    assert extracted(text) == []


@each_row("text", ["oh I meant York", "ah sorry, I meant York", "Oh nein, ich meinte Köln"])
def test_what_corrects_may_begin_with_a_sound(text):
    assert corrects(text)


@each_row(
    "text",
    [
        "verheiratet mit der couch",
        "mein name ist hase, ich weiß von nichts",
        "ich hab einen vogel, ich weiß",
        "bin im früheren leben bestimmt ein toaster gewesen",
        "I'm married to my air fryer",
        "my toxic trait is thinking i could land a plane",
        "I'm Batman",
        "I'm hungry",
        "I'm German",
        "ich bin müde",
        "my name isn't Bob",
        "please don't call me Bob",
        "nobody should ever call me Bob",
        "CALL ME UP",
        "call me UP",
        "I am " * 800,
        "(" * 4000,
        "I love " + "very " * 700,
        "I have a dog, " * 280,
        "and I " * 600,
        "ich bin " * 500,
        "x" * 4000 + "?",
        "a:" * 2000,
        "I " + "next week " * 400,
    ],
)
def test_idioms_jokes_long_messages_and_what_only_looks_like_a_name_are_no_notes(text):
    assert notes(text) == []


@each_row(
    ("text", "memory"),
    [
        ("remember that I am allergic to nuts", "I am allergic to nuts"),
        ("Please remember: my boat is red", "my boat is red"),
        ("don't forget that I have two left feet", "I have two left feet"),
        ("merk dir, dass ich Briefmarken sammle", "dass ich Briefmarken sammle"),
    ],
)
def test_what_somebody_asks_to_have_remembered_is_noted_in_their_words(text, memory):
    (candidate,) = extracted(text)
    assert (candidate.text, candidate.source) == (memory, Source.EXPLICIT)
    assert candidate.importance is Importance.HIGH


@each_row(
    ("text", "note", "quote"),
    [
        ("My name is Sam", "name is Sam", []),
        ("hi im bob", "name is Bob", []),
        ("call me Al", "name is Al", []),
        ("call me JB", "name is JB", []),
        ("ich heiße jetzt Lena", "heißt Lena", []),
        ("don't call me Ann, call me Meg", "name is Meg", []),
        ("Ich heiße Anna Lena.", "heißt Anna Lena", []),
        ("me llamo Carmen", "se llama Carmen", []),
        (
            "My name is Tom and I have a dog named Rex.",
            "name is Tom",
            ["My name is Tom and I have a dog named Rex."],
        ),
        ("I'm Nina, 31, from Hamburg", "name is Nina", ["I'm Nina, 31, from Hamburg"]),
        ("I'm Nina from Hamburg", "name is Nina", ["I'm Nina from Hamburg"]),
    ],
)
def test_a_stated_name_is_noted_and_its_sentence_stays_a_quote_if_it_says_more(text, note, quote):
    assert (notes(text), quotes(text)) == ([note], quote)


@pytest.mark.parametrize("note", ["name is Anna Lena", "heißt Anna Lena", "se llama Anna Lena."])
def test_the_name_of_a_note_is_found_again(note):
    assert own_name_in(note) == "Anna Lena"


def test_a_month_is_no_name():
    assert stated_name("im August") is None
    assert stated_name("my name is August") == ("August", "en")


async def test_of_two_names_in_a_burst_the_last_one_counts():
    found = (await extract("my name is Tom. Sorry, my name is Tim")).candidates
    assert [candidate.text for candidate in found if candidate.text] == ["name is Tim"]


async def test_a_note_is_verified_by_its_rule_and_a_quote_by_nobody():
    found = (await extract("My name is Sam and I live in Rome")).candidates
    note, quote = found
    assert (note.verdict, note.verdict.by) == (BY_RULE, VerifiedBy.RULE)
    assert (quote.text, quote.verdict.by) == ("", VerifiedBy.NONE)


async def test_the_same_thing_twice_in_a_burst_is_found_once():
    assert len((await extract("I live in Rome", "I live in Rome")).candidates) == 1


@each_row(
    ("text", "day"),
    [
        ("I'm flying to Paris tomorrow!", (12, 3)),
        ("exam on friday, wish me luck", (13, 3)),
        ("I'm travelling next week", (22, 3)),
        ("I have theory test this weekend", (15, 3)),
        ("ich fahre morgen nach Prag", (12, 3)),
        ("hab nächste Woche Prüfung in Mathe", (22, 3)),
        ("I have an exam on Friday and I fly home on Saturday", (14, 3)),
        ("ich bin am freitag eingeladen", (13, 3)),
        ("ich werde am freitag befördert", (13, 3)),
        ("my interview moved to friday", (13, 3)),
        ("my concert is cancelled on friday", (13, 3)),
        ("my train is booked for friday", (13, 3)),
        ("my friday is packed", (13, 3)),
        ("my passport will be renewed on friday", (13, 3)),
        ("our new speed boat arrives on friday", (13, 3)),
        ("ich hab am freitag zwei besichtigungen", (13, 3)),
        ("my retired dad visits me on friday", (13, 3)),
        ("got a dentist appt on friday", (13, 3)),
        ("I've got a gig on friday", (13, 3)),
        ("meine Mama kommt am 20. zu Besuch", (20, 3)),
        ("treff morgen um 6 Zoe auf nen Kaffee", (12, 3)),
        ("I need my suit cleaned by friday", (13, 3)),
        ("I have my car repaired on friday", (13, 3)),
        ("I'm supposed to be at the dentist's on friday", (13, 3)),
        ("my broken arm is examined on friday", (13, 3)),
        ("I told my boss that I'll be off on friday", (13, 3)),
        ("I say let's meet on friday", (13, 3)),
        ("mein auto wird am freitag abgeholt", (13, 3)),
        ("ich bin am freitag in den bergen", (13, 3)),
        ("ich hab am freitag viel zu erledigen", (13, 3)),
        ("I'm getting married next year", (31, 12, 2027)),
        ("ich heirate übernächstes Jahr", (31, 12, 2028)),
        ("I've an exam on 1 January", (1, 1, 2027)),
        ("my lease ends on January 1st next year", (1, 1, 2027)),
        ("ich fliege am 1. Januar nächsten Jahres", (1, 1, 2027)),
        ("ich fliege am 1.1. nächsten Jahres", (1, 1, 2027)),
        ("we have 1 wedding next year", (31, 12, 2027)),
        ("I have a test the day after the weekend", (16, 3)),
        ("I'm away this Friday to Sunday", (15, 3)),
        ("nächsten Montag–Mittwoch bin ich in Wien", (18, 3)),
        ("I'm away Friday, Saturday and Sunday", (15, 3)),
    ],
)
def test_a_quote_ends_with_the_day_that_it_is_all_about(text, day):
    last = date(*(day[2:] or [2026]), day[1], day[0])
    assert last_day(text, NOON, UTC) == last
    assert [candidate.until for candidate in extracted(text)] == [last]


@each_row(
    "text",
    [
        "I was in Rome on friday",
        "I moved here on Monday",
        "my dog Rex died on Friday",
        "our shop closed on Saturday",
        "we walked for 3 hours on Saturday",
        "my bike got stolen on Tuesday",
        "my car broke down on Monday",
        "Oma starb am Donnerstag",
        "bin am Samstag umgezogen",
        "meine Katze ist am Samstag weggelaufen",
        "Koko ist mir am Samstag entwischt",
        "got my braces off on Friday",
        "got a puppy on Friday",
        "den Job haben wir am Freitag verloren",
        "my birthday is on 3 May",
        "my birthday's tomorrow",
        "every Friday I swim",
        "I bowl in the Thursday league",
        "I work Monday to Friday",
        "we're open Monday–Friday",
        "ich arbeite von Montag bis Freitag",
        "I'm away Friday to Sunday",
        "I play bridge on Monday afternoons",
        "my Monday class is the best",
        "I have lived here since Monday",
        "I'm a nurse and I have an exam on Friday",
        "ich hab am Freitag Geburtstag",
        "jeden Freitag geh ich schwimmen",
        "im März hab ich mit dem Rauchen aufgehört",
        "Ich habe am Freitag geheiratet",
        "I have two cats",
        "my dog is called Friday",
        "I have a cat named Sunday",
        "mein Hund heißt Freitag",
    ],
)
def test_what_is_past_repeated_or_says_more_has_no_end(text):
    assert last_day(text, NOON, UTC) is None


def test_days_are_those_of_the_servers_zone():
    late = NOON.replace(hour=23)
    (candidate,) = extracted("I fly to Rome tomorrow", ZoneInfo("Asia/Tokyo"), created_at=late)
    assert candidate.until == date(2026, 3, 13)


PIECES = st.sampled_from(
    [
        *("I love", "my name is", "I have a dog named", "Rex", "tea", "I'm", "moving", "until"),
        *("Friday", "ich bin", "remember that", ",", ".", "and", "?", "🐶", ":", "I live in"),
        *("\n", "\ud800", "\x00"),
    ]
)


@given(st.text(max_size=200) | st.lists(PIECES, max_size=15).map(" ".join))
def test_whatever_is_extracted_is_about_its_author_and_was_said(text):
    for candidate in candidates(make_event(text), UTC):
        assert candidate.subject_id == ADA.user_id
        assert candidate.quote in " ".join(text.split()) or "\x00" in text or "\ud800" in text
