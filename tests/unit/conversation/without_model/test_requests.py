"""What is plainly asked for is understood without a model; everything else is mere talk."""

from tests.rows import each_row
from utils.conversation.without_model.requests import (
    ForgetRequest,
    parse_forgetting,
    parse_intent,
)


@each_row(
    ("text", "what"),
    [
        ("forget that I love ramen", "I love ramen"),
        ("Kith, please forget my birthday!", "my birthday"),
        ("can you forget what I said about my dog?", "my dog"),
        ("delete #12", "#12"),
        ("forget that i'm moving house", "i'm moving house"),
        ("forget that you wanted to ask me that", "you wanted to ask me that"),
        ("vergiss, dass ich in Rom wohne", "ich in Rom wohne"),
        ("vergiss bitte meinen Geburtstag", "meinen Geburtstag"),
        ("vergiss bitte, dass ich einen Hund habe", "ich einen Hund habe"),
        ("vergiss doch bitte mal, dass ich Klavier spiele", "ich Klavier spiele"),
        ("kannst du bitte vergessen, dass ich in Rom wohne?", "ich in Rom wohne"),
        ("ich möchte, dass du vergisst, dass ich in Rom wohne", "ich in Rom wohne"),
        ("vergiss, dass Rex mein Hund ist", "Rex mein Hund ist"),
        ("vergiss, was ich dir über Rex erzählt habe", "Rex"),
        ("vergiss bitte das mit meinem Hund", "meinem Hund"),
        ("forget, please, that I have a dog", "I have a dog"),
        ("I want you to forget that I have a dog", "I have a dog"),
        ("forget that Rex is my dog, please", "Rex is my dog"),
        ("forget what I told you about Rex", "Rex"),
    ],
)
def test_forgetting_is_asked_for(text, what):
    call = parse_intent(text)
    assert (call.name, call.arguments) == ("forget", {"what": what})


@each_row(
    ("text", "request_"),
    [
        ("forget Tofu", ForgetRequest("Tofu", is_name=True)),
        ("vergiss Tofu bitte", ForgetRequest("Tofu", is_name=True)),
        ("forget everything", ForgetRequest("", is_everything=True)),
        ("please forget everything you know about me", ForgetRequest("", is_everything=True)),
        ("delete all my data", ForgetRequest("", is_everything=True)),
        ("forget me", ForgetRequest("", is_everything=True)),
        ("vergiss alles", ForgetRequest("", is_everything=True)),
        ("vergiss alles über mich", ForgetRequest("", is_everything=True)),
        ("vergiss bitte alles, was du über mich weißt", ForgetRequest("", is_everything=True)),
        ("yes, forget everything", ForgetRequest("", is_everything=True, is_confirmed=True)),
        ("ja, vergiss alles", ForgetRequest("", is_everything=True, is_confirmed=True)),
        ("forget everything about my cat", ForgetRequest("my cat", is_everything=True)),
        ("vergiss alles über meine Katze!", ForgetRequest("meine Katze", is_everything=True)),
        (
            "yes, forget everything about my cat",
            ForgetRequest("my cat", is_everything=True, is_confirmed=True),
        ),
    ],
)
def test_how_much_is_to_be_forgotten_is_understood(text, request_):
    assert parse_forgetting(text) == request_


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
    "text",
    [
        "",
        "Kannst du vergessen, dass",
        "vergiss bitte",
        "forget, please",
        "ask me anything",
        "ask Bob on Friday how it went",
        "don't ask me on Friday how it went",
        "don't forget that I love ramen",
        "I always forget my keys",
        "forget it",
        "forget about it",
        "vergiss es",
        "forget that guy",
        "forget to buy milk",
        "what do you know about Alice?",
        "what do you know about me and Alice?",
        "what did I tell you about my cat?",
        "was habe ich dir über Rex erzählt?",
        "I told you to forget that I love ramen",
        "I don't remember the dog",
        "ich hab den Hund vergessen",
        "merk dir ich mag Spinat nicht",
        "du kannst mich mal vergessen",
        "remove the dog",
        "🦀" * 4000,
        "forget " * 2000,
    ],
)
def test_talk_is_no_wish(text):
    assert parse_intent(text) is None
    assert parse_forgetting(text) is None


@each_row(
    "text",
    [
        "forget the last message",
        "please forget my last message!",
        "forget what I just said",
        "vergiss die letzte Nachricht",
        "vergiss bitte was ich gerade gesagt hab",
    ],
)
def test_the_last_message_is_to_be_forgotten(text):
    assert parse_forgetting(text) == ForgetRequest("", is_last=True)
    assert parse_intent(text) is None


@each_row(
    ("text", "request_"),
    [
        ("don't remember that I have a dog", ForgetRequest("I have a dog")),
        ("merk dir nicht, dass ich einen Hund habe", ForgetRequest("ich einen Hund habe")),
        ("forget the dog", ForgetRequest("the dog", is_name=True)),
        ("vergiss den Hund", ForgetRequest("den Hund", is_name=True)),
        ("vergiss das Pferd", ForgetRequest("das Pferd", is_name=True)),
        ("forget I ever mentioned the dog", ForgetRequest("the dog", is_name=True)),
        ("pls forget the dog thing", ForgetRequest("the dog", is_name=True)),
        ("forget that thing about the dog", ForgetRequest("the dog", is_name=True)),
        ("forget the stuff I told you about York", ForgetRequest("York", is_name=True)),
        ("vergiss die Sache mit dem Hund", ForgetRequest("dem Hund", is_name=True)),
        ("stop remembering my dog", ForgetRequest("my dog")),
        ("I don't want you to remember the dog", ForgetRequest("the dog", is_name=True)),
        ("remove the dog from your memory", ForgetRequest("the dog", is_name=True)),
        ("wipe everything you know about me", ForgetRequest("", is_everything=True)),
        ("forget the last thing I told you", ForgetRequest("", is_last=True)),
        ("vergiss das mit dem Hund", ForgetRequest("dem Hund", is_name=True)),
        ("du kannst den Hund vergessen", ForgetRequest("den Hund", is_name=True)),
        ("kannst du bitte den Hund wieder vergessen?", ForgetRequest("den Hund", is_name=True)),
        ("ich will nicht, dass du dir den Hund merkst", ForgetRequest("den Hund", is_name=True)),
        ("merk dir das mit dem Hund nicht", ForgetRequest("dem Hund", is_name=True)),
        ("don't remember anything", ForgetRequest("", is_everything=True)),
        ("vergiss das", None),
    ],
)
def test_other_ways_to_wish_that_something_is_forgotten(text, request_):
    assert parse_forgetting(text) == request_
