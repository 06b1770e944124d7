"""Sentences about oneself are kept; plain ones become notes, and nothing else does."""

from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import ADA, BOB, NOON, make_event, make_reading
from tests.rows import each_row
from utils.memory.extraction.rule_extractor import RuleExtractor, candidates
from utils.models.extraction import BY_RULE, Judgement
from utils.models.memory import Importance, Kind, Source, VerifiedBy

UTC = ZoneInfo("UTC")


def extracted(text, zone=UTC, **event):
    return list(candidates(make_event(text, **event), zone))


def notes(text):
    return [candidate.text for candidate in extracted(text) if candidate.text]


def quotes(text):
    return [candidate.quote for candidate in extracted(text) if not candidate.text]


@each_row(
    ("text", "expected"),
    [
        ("actually im 35 since yesterday", ["is 35 years old"]),
        ("im maya, 24, from leeds", ["name is Maya", "is 24 years old", "is from leeds"]),
        (
            "heyo, rosa here, 31, living in Ghent these days",
            ["name is Rosa", "is 31 years old", "lives in Ghent"],
        ),
        ("howdy, I live in Ghent", ["lives in Ghent"]),
        ("I live in london with my boyfriend tom", ["lives in London"]),
        ("I live in Rome with my two cats", ["lives in Rome"]),
        ("I just moved to Porto with my partner", ["lives in Porto"]),
        ("we moved into a flat in Porto with our dog Rex", ["lives in Porto"]),
        ("I live in Rome and love tea", ["lives in Rome", "loves tea"]),
        ("Ich wohne in Bonn und liebe Tee", ["wohnt in Bonn", "liebt Tee"]),
        ("Ich wohne in Bonn mit meinem Freund Tom", ["wohnt in Bonn"]),
        ("Eigentlich wohne ich in Faro", ["wohnt in Faro"]),
        ("Jetzt wohne ich in Faro", ["wohnt in Faro"]),
        ("Inzwischen lebe ich in Faro", ["wohnt in Faro"]),
        ("Seit Mai wohne ich in Faro", ["wohnt in Faro"]),
        ("Ich heiße Anna Lena", ["heißt Anna Lena"]),
        ("Mein Name ist Anna Lena und ich wohne in Faro", ["heißt Anna Lena", "wohnt in Faro"]),
        ("My name is Ada", ["name is Ada"]),
        ("my name isn't Bob, it's Rob", ["name is Rob"]),
        ("call me Al!", ["goes by Al"]),
        ("I live in Berlin now, but I hate it", ["lives in Berlin"]),
        ("i live in St. Petersburg.", ["lives in St. Petersburg"]),
        ("I live in 東京", ["lives in 東京"]),
        ("moved from Leeds to Rome in march!", ["lives in Rome"]),
        ("I'm a nurse and I work nights", ["is a nurse", "works nights"]),
        ("I work as a nurse at the hospital", ["works as a nurse at the hospital"]),
        ("good news: I got the job at the zoo", ["got a job at the zoo"]),
        ("studying law in Bonn, send help", ["studies law in Bonn"]),
        ("I have a dog, she's a beagle called Biscuit", ["has a dog named Biscuit"]),
        ("just got a kitten!!! her name is Miso", ["has a kitten named Miso"]),
        ("I’ve got two cats called Tom and Jerry", ["has two cats named Tom and Jerry"]),
        (
            "I have a dog named Rex and a cat named Tom",
            ["has a dog named Rex", "has a cat named Tom"],
        ),
        ("My brother Tom lives with me", ["has a brother named Tom"]),
        ("my wife is from Brazil", ["wife is from Brazil"]),
        ("ive got two kids, 4 and 7", ["has two kids"]),
        ("i love sushi but hate wasabi", ["loves sushi", "hates wasabi"]),
        ("I don't like tea", ["doesn't like tea"]),
        ("I love my dog", ["loves their dog"]),
        ("I miss my cats cause i love em", []),
        ("My favourite food is pizza because it is good", ["favourite food is pizza"]),
        ("my favorite colors are red and blue", ["favourite colors are red and blue"]),
        ("I don't drink coffee anymore", ["does not drink coffee"]),
        ("allergic to peanuts btw", ["is allergic to peanuts"]),
        ("i speak english and a little dutch", ["speaks english and a little dutch"]),
        ("i play the cello, badly", ["plays the cello"]),
        ("i can't swim, never learned", ["cannot swim"]),
        ("random fact about me: i collect stamps", ["collects stamps"]),
        ("I drive a beat up Volvo 240", ["drives a beat up Volvo 240"]),
        ("my birthday's on the 3rd of may lol", ["birthday is on 3 May"]),
        ("my birthday is 12 may 1990", ["birthday is on 12 May 1990"]),
        ("I was born on May 12th, 1990", ["birthday is on 12 May 1990"]),
        ("im from poland what about you?", ["is from poland"]),
        ("Hi, I'm Fatima!", ["name is Fatima"]),
        ("My cats are called Salt and Pepper", ["has cats named Salt and Pepper"]),
        ("pizza is my favourite food", ["favourite food is pizza"]),
        ("I speak German, English and some Polish", ["speaks German, English and some Polish"]),
        ("I live with my parents in Graz", ["lives with their parents in Graz"]),
        ("my name is Kwame but everyone calls me K", ["name is Kwame"]),
        ("my time zone is CET", ["time zone is CET"]),
    ],
)
def test_plain_english_makes_a_note(text, expected):
    assert notes(text) == expected


@each_row(
    ("text", "expected"),
    [
        ("hey all, names priya", ["name is Priya"]),
        ("people usually call me Bo", ["goes by Bo"]),
        ("everyone calls me Kiki", ["goes by Kiki"]),
        ("heyo im Wren, they/them, new here", ["name is Wren"]),
        ("my dads a firefighter", ["dad is a firefighter"]),
        ("i hate hate hate olives", ["hates olives"]),
        ("never liked chocolate tbh", ["never liked chocolate"]),
        ("i come from a small town in Iowa", ["is from a small town in Iowa"]),
        ("bought myself a kayak for my birthday", ["bought a kayak"]),
        ("Leo here, 27, from Lyon", ["name is Leo", "is 27 years old", "is from Lyon"]),
        ("nina, 31, hamburg", ["name is Nina", "is 31 years old"]),
        ("i'm thirty-four", ["is 34 years old"]),
        ("we just moved into a flat in Glasgow last month", ["lives in Glasgow"]),
        ("i moved, im in Bath now", ["lives in Bath"]),
        ("originally from chile, living in oslo these days", ["is from chile", "lives in oslo"]),
        ("relocated to Singapore for work", ["lives in Singapore"]),
        ("born n raised in cleveland lol", ["was born and raised in cleveland"]),
        ("im a chemistry teacher and grading is killing me", ["is a chemistry teacher"]),
        ("been a truck driver for ten yrs", ["is a truck driver"]),
        ("quit my job at the zoo yesterday", ["quit their job at the zoo"]),
        ("went vegan in january", ["is vegan"]),
        ("my little brother is obsessed with fortnite", ["brother is obsessed with fortnite"]),
        ("my mum makes the best biryani", ["mum makes the best biryani"]),
        ("my dog rusty is 13", ["dog Rusty is 13 years old"]),
        ("my cats called Mochi", ["has a cat named Mochi"]),
        ("i have a corgi and a very grumpy cat", ["has a corgi", "has a very grumpy cat"]),
        ("been coding in rust for like 4 years", ["codes in rust"]),
        ("gave up alcohol two years ago and never looked back", ["gave up alcohol"]),
        ("its my birthday on saturday", ["birthday is on 14 March"]),
        ("got my driving test tomorrow, wish me luck", ["has their driving test on 12 March 2026"]),
        ("dentist on friday, pray for me", ["has a dentist appointment on 13 March 2026"]),
    ],
)
def test_casual_english_makes_a_note(text, expected):
    assert sorted(notes(text)) == sorted(expected)


@each_row(
    ("text", "expected"),
    [
        ("hi ich bins, der Thomas", ["heißt Thomas"]),
        ("bin seit gestern 43", ["ist 43 Jahre alt"]),
        ("bin die Anna, 22, aus Kassel", ["heißt Anna", "ist 22 Jahre alt", "kommt aus Kassel"]),
        ("ich wohne mit meiner freundin in köln", ["wohnt in köln"]),
        ("komme ursprünglich ausm saarland", ["kommt aus dem saarland"]),
        ("ich steh total auf techno", ["steht auf techno"]),
        ("hasse rosenkohl wie die pest", ["hasst rosenkohl"]),
        ("zocke gerade nur noch elden ring", ["zockt elden ring"]),
        ("meine oma wird 80", ["Oma wird 80 Jahre alt"]),
        ("mein hund bello ist schon 13", ["Hund Bello ist 13 Jahre alt"]),
        ("mein bruder spielt bass in einer band", ["Bruder spielt bass in einer band"]),
        ("ich studiere jetzt im dritten semester informatik", ["studiert informatik"]),
        ("morgen ist mein geburtstag", ["hat am 12. März Geburtstag"]),
        ("freitag hab ich ein date", ["hat am 13. März 2026 ein date"]),
    ],
)
def test_casual_german_makes_a_note(text, expected):
    assert notes(text) == expected


@each_row(
    "text",
    [
        "i've been playing dead for 3 hours",
        "i went vegan for like two hours once",
        "im a nurse on tv",
        "i'm a teacher not",
        "we moved into a house in the sims",
        "my boss is a monster",
        "my wife has a point",
        "my sister turned 3 shades of red",
        "my sister Anna, from Leeds",
        "exam season starts next week",
        "names dont matter to me",
        "wow, 50",
        "Right here, 24",
        "living in a society",
        "allergic to mondays lol",
        "im twenty minutes late",
        "it's not my birthday tomorrow",
        "i dont drink and drive",
        "klar, und ich bin der papst",
        "ich bin der Hammer",
        "ich bin die Beste",
        "ich heiße jeden willkommen",
        "ich steh auf dem schlauch",
        "samstag bin ich tot",
        "mein bruder spielt gerne den clown",
    ],
)
def test_figures_of_speech_make_no_wrong_note(text):
    assert set(notes(text)) <= {"has a sister named Anna"}


@each_row(
    ("text", "expected"),
    [
        ("hi, im sam from lisbon", ["name is Sam", "is from lisbon"]),
        (
            "hey! I'm Anna, 24, nurse from Leeds",
            ["name is Anna", "is 24 years old", "is a nurse", "is from Leeds"],
        ),
        ("hello my names tom and i live in york", ["name is Tom", "lives in york"]),
        ("Sam here, from Lisbon", ["name is Sam", "is from Lisbon"]),
        ("sam here from lisbon", ["name is Sam", "is from lisbon"]),
        ("I'm Ben and I'm a plumber", ["name is Ben", "is a plumber"]),
        ("hi im priya 29 from mumbai", ["name is Priya", "is 29 years old", "is from mumbai"]),
        ("I'm Kenji (30) from Osaka", ["name is Kenji", "is 30 years old", "is from Osaka"]),
        ("hi im sam, nice to meet you all", ["name is Sam"]),
        ("im a nurse from leeds", ["is a nurse", "is from leeds"]),
        ("I'm Frank", ["name is Frank"]),
        ("hey its Mia, 22, from Dublin", ["name is Mia", "is 22 years old", "is from Dublin"]),
        ("I work nights as a nurse", ["works nights as a nurse"]),
        ("hi ich bin Lena, 31, aus Bremen", ["heißt Lena", "ist 31 Jahre alt", "kommt aus Bremen"]),
        ("moin, Jonas hier, komme aus Kiel", ["heißt Jonas", "kommt aus Kiel"]),
        ("ich bin lena aus bremen", ["heißt Lena", "kommt aus bremen"]),
        (
            "hallo, ich bin Lena, 31, Krankenschwester aus Bremen",
            ["heißt Lena", "ist 31 Jahre alt", "ist Krankenschwester", "kommt aus Bremen"],
        ),
        ("ich arbeite nachts als Krankenpfleger", ["arbeitet nachts als Krankenpfleger"]),
    ],
)
def test_an_introduction_makes_notes_of_all_it_says(text, expected):
    assert notes(text) == expected


@each_row(
    "text",
    [
        *("im sorry", "im from", "im tired from work", "hi, im dead", "im back from lisbon"),
        *("im home from school", "I'm Batman from Gotham", "im frank", "im christian"),
        *("im jake from state farm", "im gamer from poland", "I'm Student from Berlin"),
        *("im top 10 from poland", "im level 24 from today", "im broke, 24 and bored"),
        *("im so tired, 24 hours awake", "my names not important", "Nothing here", "rain here"),
        *("im sam not dean", "neu hier", "Regen hier", "ich bin Batman aus Gotham", "I am Groot"),
        "ich bin müde, 24 stunden wach",
    ],
)
def test_what_only_looks_like_an_introduction_makes_no_note(text):
    assert notes(text) == []


@each_row("text", ["clowns freak me out", "gave me the creeps", "mir ist kalt hier"])
def test_what_something_does_to_me_is_about_me(text):
    assert quotes(text) == [text]


@each_row(
    ("text", "expected"),
    [
        ("ich bin der Jonas und wohne in Leipzig", ["heißt Jonas", "wohnt in Leipzig"]),
        ("bin 27 und komme aus Wien", ["ist 27 Jahre alt", "kommt aus Wien"]),
        (
            "komm ursprünglich aus Tirol, leb aber jetzt in Graz",
            ["kommt aus Tirol", "wohnt in Graz"],
        ),
        ("Rosenkohl mag ich gar nicht", ["mag Rosenkohl nicht"]),
        ("ich kann Klavier spielen", ["spielt Klavier"]),
        ("hab zwei Kinder, Mia und Ben", ["hat zwei Kinder: Mia und Ben"]),
        ("komme aus der Schweiz", ["kommt aus der Schweiz"]),
        ("bin letztes Jahr nach Hamburg gezogen", ["wohnt in Hamburg"]),
        ("arbeite in ner Bäckerei in Fulda", ["arbeitet in einer Bäckerei in Fulda"]),
        ("Ich habe einen Hund namens Rex", ["hat einen Hund namens Rex"]),
        (
            "wir haben einen Wellensittich, der heißt Coco",
            ["hat einen Wellensittich namens Coco"],
        ),
        ("mein Bruder heißt Emre und studiert in Jena", ["Bruder heißt Emre"]),
        ("ich mag Regen und hasse Hitze", ["mag Regen", "hasst Hitze"]),
        ("ich mag keinen Fisch", ["mag keinen Fisch"]),
        ("Rosenkohl kann ich nicht ausstehen", ["kann Rosenkohl nicht ausstehen"]),
        ("ich kann Montage gar nicht leiden", ["kann Montage nicht leiden"]),
        ("trinke keinen Kaffee mehr", ["trinkt keinen Kaffee mehr"]),
        ("bin gegen Nüsse allergisch", ["ist allergisch gegen Nüsse"]),
        ("hab am 9. Juli Geburtstag", ["hat am 9. Juli Geburtstag"]),
        ("ich bin am 12.5.1990 geboren", ["ist am 12. Mai 1990 geboren"]),
        ("mein Geburtstag ist der 12. Mai 1990", ["ist am 12. Mai 1990 geboren"]),
        ("mein Geburtstag ist am 5. Mai 2027", ["hat am 5. Mai 2027 Geburtstag"]),
        ("ich spreche Deutsch und Türkisch", ["spricht Deutsch und Türkisch"]),
        ("spiele seit 10 jahren schlagzeug", ["spielt schlagzeug"]),
        ("mein Lieblingsessen ist Kaiserschmarrn", ["Lieblingsessen ist Kaiserschmarrn"]),
    ],
)
def test_plain_german_makes_a_note_with_and_without_a_pronoun(text, expected):
    assert notes(text) == expected


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
        "man this is peace and love, my favourites",
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
    ],
)
def test_what_no_rule_is_sure_of_stays_a_quote(text):
    assert notes(text) == []
    assert quotes(text) == [text]


@each_row(
    "text",
    [
        "",
        "🙂",
        "Do I live in Berlin?",
        "where do i live",
        "if i had a dog i'd call it Rex",
        '"I live in Berlin", she said',
        "tom says i live in Paris, what a liar",
        "she told me: I have two cats named Salt and Pepper",
        "my boss was like: I hate Mondays",
        "Sam: I hate cats",
        "> I live in Berlin",
        "`I live in Berlin`",
        "I live in a yellow submarine ♪",
        "*I unsheathe my sword and have three dragons named Ash*",
        "pretend my name is Bob",
        "I live in Mordor jk",
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
        "¿vives en Madrid?",
    ],
)
def test_what_is_no_statement_about_oneself_is_not_kept(text):
    assert extracted(text) == []


@each_row(
    ("text", "note", "until"),
    [
        ("I'm moving house this week", "is moving house in the week of 9 March 2026", (15, 3)),
        ("flying to Paris tomorrow!", "is flying to Paris on 12 March 2026", (12, 3)),
        ("exam on friday, wish me luck", "has an exam on 13 March 2026", (13, 3)),
        ("I'm travelling next week", "is travelling in the week of 16 March 2026", (22, 3)),
        ("i'm moving to Oslo in may", "is moving to Oslo in May 2026", (31, 5)),
        ("next week im in Vienna", "is in Vienna in the week of 16 March 2026", (22, 3)),
        ("ich fahre morgen nach Prag", "fährt am 12. März 2026 nach Prag", (12, 3)),
        (
            "nächste Woche zieh ich um",
            "zieht in der Woche vom 16. März 2026 um",
            (22, 3),
        ),
        (
            "hab nächste Woche Prüfung in Mathe",
            "hat in der Woche vom 16. März 2026 Prüfung in Mathe",
            (22, 3),
        ),
    ],
)
def test_a_plan_is_noted_with_its_date_and_its_last_day(text, note, until):
    (candidate,) = extracted(text)
    assert (candidate.text, candidate.kind) == (note, Kind.TASK)
    assert candidate.until == date(2026, until[1], until[0])


@each_row(
    "text",
    [
        "im März hab ich mit dem Rauchen aufgehört",
        "Ich habe im Mai geheiratet",
        "Ich bin im August nach Rom geflogen",
        "im Mai bin ich Vater geworden",
        "I have finished my thesis in March",
    ],
)
def test_what_has_been_done_is_no_plan_for_the_next_year(text):
    assert (notes(text), quotes(text)) == ([], [text])


def test_what_has_been_settled_for_a_day_that_is_ahead_is_a_plan():
    assert notes("ich bin nächste Woche verreist") == [
        "ist in der Woche vom 16. März 2026 verreist"
    ]


@each_row(
    "text",
    [
        "I'm off next friday, finally",
        "I'm so tired today",
        "I was in Rome on friday",
        "I'm dying today",
    ],
)
def test_a_day_that_can_be_read_in_two_ways_makes_no_plan(text):
    assert notes(text) == []


def test_dates_are_those_of_the_servers_zone():
    late = NOON.replace(hour=23)
    (candidate,) = extracted("I'm packing today", ZoneInfo("Asia/Tokyo"), created_at=late)
    assert candidate.text == "is packing on 12 March 2026"


@each_row(
    ("text", "memory"),
    [
        ("remember that I am allergic to nuts", "is allergic to nuts"),
        ("Please remember: my boat is red", "their boat is red"),
        ("don't forget that I have two left feet", "they have two left feet"),
        ("remember that my dog is named Rex", "has a dog named Rex"),
        ("merk dir, dass ich Briefmarken sammle", "sammelt Briefmarken"),
    ],
)
def test_what_somebody_asks_to_have_remembered_is_explicit_and_important(text, memory):
    (candidate,) = extracted(text)
    assert (candidate.text, candidate.source) == (memory, Source.EXPLICIT)
    assert candidate.importance is Importance.HIGH


@each_row("text", ["remember that Bob is an idiot", "remember to buy milk"])
def test_what_is_to_be_remembered_about_others_is_not(text):
    assert extracted(text) == []


async def extract(*texts, rows=()):
    events = [make_event(text) for text in texts]
    return await RuleExtractor().extract(make_reading(*events, rows=rows))


async def test_the_last_of_two_values_in_a_burst_is_noted():
    for said, expected in [
        (["my name is Tom. Sorry, my name is Tim"], ["name is Tim"]),
        (["I live in Rome", "I love tea", "I live in Oslo"], ["loves tea", "lives in Oslo"]),
        (["I love tea", "I love coffee"], ["loves tea", "loves coffee"]),
    ]:
        assert [new.text for new in (await extract(*said)).candidates] == expected


@each_row(
    "text",
    [
        "my favourite colour is blue. actually no, green",
        "I have a dog... two dogs, sorry",
        "I drive a tesla. Nah, a bus",
        "ich wohne in Köln. Ach nee, Bonn",
    ],
)
def test_words_after_a_sentence_that_no_rule_reads_belong_to_its_quote(text):
    assert (notes(text), quotes(text)) == ([], [text])


@each_row(
    "text",
    [
        "I live in Rome, says Tom",
        "my name is Tom, said the man",
        "I have a dog named Rex, my brother says",
        "I'm vegan, said no cowboy ever",
        "Ich bin Arzt, hat er gesagt",
        "Ich wohne in Rom, sagt Tom",
        "I live in Rome, nope",
        "I love pizza... NOT!",
        "I love pizza. Not!",
        "Ich wohne in Rom, haha Scherz",
        "Ich bin Arzt, nicht",
    ],
)
def test_what_the_last_words_take_back_or_give_to_somebody_else_is_no_note(text):
    assert (notes(text), quotes(text)) == ([], [text])


@each_row(
    ("text", "note"),
    [
        ("I live in Rome, I think", "lives in Rome"),
        ("I live in Rome, actually", "lives in Rome"),
        ("I love pizza, not sushi", "loves pizza"),
        ("I have two cats, no dogs", "has two cats"),
    ],
)
def test_other_last_words_take_nothing_back(text, note):
    assert notes(text) == [note]


@each_row(
    "text",
    [
        "I work at Google, I wish",
        "I live in Rome, not really",
        "I live in Paris, I hope",
        "sure, I love Mondays",
        "Klar, ich liebe Steuererklärungen",
        "Ich wohne in Rom, haha Spaß",
        "Ich wohne in Rom, nur ein Scherz",
        "Ich wohne in Rom, ja klar",
        "I'm allergic to nuts but only in films",
        "Ich bin allergisch gegen Nüsse, aber nur im Film",
        "haha I live in Narnia",
        "Ich wohne in Entenhausen lol",
        "hi im rich",
    ],
)
def test_what_stands_beside_a_statement_unread_leaves_only_the_quote(text):
    assert (notes(text), quotes(text)) == ([], [text])


@each_row(
    ("text", "expected"),
    [
        ("haha I live in Leeds", ["lives in Leeds"]),
        ("Ich wohne in Rom, haha", ["wohnt in Rom"]),
        ("lol I have two cats, Nacho and Pickle", ["has two cats named Nacho and Pickle"]),
        ("yeah, I love dogs", ["loves dogs"]),
        ("I'm allergic to nuts, but I love dates", ["is allergic to nuts", "loves dates"]),
        ("hi, I'm Rich", ["name is Rich"]),
    ],
)
def test_laughs_and_agreement_beside_a_plain_statement_cost_no_note(text, expected):
    assert notes(text) == expected


@each_row(
    "text", ["I work as a nurse every night in my dreams", "In meinen Träumen wohne ich in Rom"]
)
def test_dreams_are_not_kept(text):
    assert (notes(text), quotes(text)) == ([], [])


@each_row(
    ("text", "expected"),
    [
        ("I'm Raj, software engineer at a bank in Singapore",
         ["name is Raj", "is a software engineer at a bank in Singapore"]),
        ("I'm Dutch, engineer at Philips", []),
        ("I'm Ola and I have a cat", ["name is Ola", "has a cat"]),
        ("I'm Teodora, I just moved to Utrecht", ["name is Teodora", "lives in Utrecht"]),
        ("Hi Kith, I'm Tamsyn!", ["name is Tamsyn"]),
        ("hey, I'm Jorge :) I'm from Spain", ["name is Jorge", "is from Spain"]),
        ("hey, I'm Jorge 😊 I'm from Spain", ["name is Jorge", "is from Spain"]),
        ("hi im bob", ["name is Bob"]),
        ("just kidding, im rob", ["name is Rob"]),
        ("hi im tired", []),
        ("im jess (she/her), 22, from melbourne",
         ["name is Jess", "is 22 years old", "is from melbourne"]),
        ("ich bin Murat, taxifahrer in berlin", ["heißt Murat", "ist taxifahrer in berlin"]),
        ("mein hamster heißt Herr Müller", []),
        ("missus is called Shaz, been married 12 years", ["has a wife named Shaz"]),
        ("2 kids, Kyle n Jade", ["has 2 kids"]),
        ("verheiratet, 2 töchter, 12 und 15", ["ist verheiratet"]),
        ("I have celiac... wait no that's my sister", []),
        ("I live in Rome... no wait, in Oslo", []),
        ("I'll be at a conference in Geneva from 3 to 6 February", []),
    ],
)  # fmt: skip
def test_people_introduce_and_correct_themselves_in_few_words(text, expected):
    assert notes(text) == expected


async def test_what_is_said_of_people_whom_somebody_introduced_is_a_quote():
    for said, expected in [
        (["i see my daughter Zoe at weekends", "zoe is 11 and plays soccer"], True),
        (["my best friend is Tom", "what a day", "Anna wohnt in Köln"], False),
    ]:
        found = [new.quote for new in (await extract(*said)).candidates if not new.text]
        assert (said[-1] in found) is expected


def test_what_is_a_sentence_or_says_nothing_takes_no_note_back():
    for after in ("", " lol", " What about you?", " And I love the rain up there, honestly!"):
        assert "lives in Leeds" in notes(f"I live in Leeds.{after}")


def test_a_diet_is_one_however_it_is_put_and_a_way_is_no_origin():
    (first,), (second,) = extracted("I am a vegetarian"), extracted("im vegan")
    assert first.attribute == second.attribute == "diet"
    assert notes("from ntfs to ext3 for example") == []


async def test_a_note_is_verified_by_its_rule_and_a_quote_by_nobody():
    note, quote = (await extract("I live in Rome. I used to live in Oslo.")).candidates
    assert (note.verdict, note.verdict.by) == (BY_RULE, VerifiedBy.RULE)
    assert (quote.text, quote.verdict.judgement) == ("", Judgement.FAILED)
    assert quote.quote == "I used to live in Oslo."


async def test_a_pronoun_after_an_introduction_means_whom_it_introduced():
    for said, expected in [
        (["I have a cat", "it's called Gustav"], ["has a cat named Gustav"]),
        (["I have a cat", "it's called Gustav", "he's 4"],
         ["has a cat named Gustav", "cat is 4 years old"]),
        (["my girlfriend is Priya", "she's a lawyer"],
         ["has a girlfriend named Priya", "girlfriend is a lawyer"]),
        (["my girlfriend's name is Priya, she's a lawyer"],
         ["has a girlfriend named Priya", "girlfriend is a lawyer"]),
        (["ich hab nen Hund", "der heißt Balu"], ["hat einen Hund", "Hund heißt Balu"]),
    ]:  # fmt: skip
        assert [new.text for new in (await extract(*said)).candidates if new.text] == expected


async def test_a_pronoun_after_anything_else_makes_no_note():
    for said in [
        ["my wife likes a guy at work", "he's a lawyer"],
        ["I have a cat and a dog", "he's 4"],
        ["I have a sister", "it's called Rome"],
        ["I have a cat", "I love tea", "he's 4"],
        ["my boss hired my brother", "she's a lawyer"],
    ]:
        texts = " ".join(new.text for new in (await extract(*said)).candidates)
        assert not {"4", "lawyer", "Rome"} & set(texts.split())


async def test_a_pronoun_after_what_somebody_else_said_makes_no_note():
    before = (make_event("I have a cat"), make_event("so have I", author_id=BOB.user_id))
    reading = replace(make_reading(make_event("it's called Gustav")), previous=before)
    assert not (await RuleExtractor().extract(reading)).candidates


async def test_the_same_thing_twice_in_a_burst_is_found_once():
    assert len((await extract("I love tea", "I love tea!")).candidates) == 1


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


@each_row(
    "text",
    ["I am " * 800, "my favourite " * 300 + "x" * 2000, "(" * 4000, "I love " + "very " * 700,
     "I have a dog, " * 280, "and I " * 600, "ich bin " * 500, "x" * 4000 + "?", "a:" * 2000,
     "I " + "a " * 240 + "next week " * 20],
)  # fmt: skip
def test_a_long_message_makes_no_note(text):
    assert notes(text) in ([], ["has a dog"])
