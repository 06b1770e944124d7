"""What is plainly asked for is understood without a model; everything else is mere talk."""

from tests.rows import each_row
from utils.conversation.without_model.requests import (
    Remark,
    parse_intent,
    parse_remark,
)


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
    assert parse_intent(text).name == "list_memories"


@each_row(
    ("text", "what", "day"),
    [
        ("ask me on Friday how the exam went", "how the exam went", "on Friday"),
        ("Kith, please ask me how my exam went tomorrow!", "how my exam went", "tomorrow"),
        ("ask me again in two weeks about the flat", "about the flat", "in two weeks"),
        ("can you ask me next week whether I slept?", "whether I slept", "next week"),
        ("frag mich am Freitag, wie es war", "wie es war", "am Freitag"),
        ("frag mich bitte wie die prüfung war am montag", "wie die prüfung war", "am montag"),
    ],
)
def test_being_asked_later_is_asked_for(text, what, day):
    call = parse_intent(text)
    assert (call.name, call.arguments) == ("ask_later", {"what": what, "day": day})


@each_row(
    ("text", "what", "when"),
    [
        ("remind me on friday to call mum", "call mum", "on friday"),
        ("Kith, please remind me to call mum tomorrow at 6", "call mum", "tomorrow at 6"),
        ("remind me at 18:30 to water the plants", "water the plants", "at 18:30"),
        ("remind me in 20 minutes about the oven", "about the oven", "in 20 minutes"),
        ("erinner mich morgen daran, dass ich Mutti anrufe", "dass ich Mutti anrufe", "morgen"),
        ("erinnere mich morgen um 6 daran, Mama anzurufen", "Mama anzurufen", "morgen um 6"),
        ("erinnere mich um 18 Uhr an den Arzt", "an den Arzt", "um 18 Uhr"),
    ],
)
def test_a_reminder_is_asked_for(text, what, when):
    call = parse_intent(text)
    assert (call.name, call.arguments) == ("remind", {"what": what, "when": when})


@each_row(
    ("text", "remark"),
    [
        ("hi", Remark.GREETING),
        ("Hello Kith!", Remark.GREETING),
        ("Kith?", Remark.GREETING),
        ("good morning", Remark.GREETING),
        ("Moin!", Remark.GREETING),
        ("thank you!!", Remark.THANKS),
        ("danke", Remark.THANKS),
        ("who are you?", Remark.IDENTITY),
        ("Wer bist du?", Remark.IDENTITY),
        ("help", Remark.HELP),
        ("was kannst du?", Remark.HELP),
        ("yes please", Remark.AGREEMENT),
        ("how are you?", Remark.WELLBEING),
        ("Wie geht's dir?", Remark.WELLBEING),
        ("good night", Remark.FAREWELL),
        ("tschüss!", Remark.FAREWELL),
        ("lol", Remark.REACTION),
        ("hi, I live in Rome", None),
        ("", None),
        ("thanks to you I live in Rome", None),
    ],
)
def test_short_remarks_are_told_apart(text, remark):
    assert parse_remark(text) is remark
