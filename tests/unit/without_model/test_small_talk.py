"""Short remarks to Kith get short answers, by what they do."""

from datetime import UTC

from tests.fakes.builders import make_event
from tests.rows import each_row
from utils.memory.policy.categories import DEFAULT_CATEGORIES
from utils.nlp.languages import languages
from utils.without_model.small_talk import parse_remark, short_answer, told
from utils.without_model.texts import texts_in

ENGLISH, GERMAN = texts_in("en"), texts_in("de")


def answer_to(text, texts, *, is_kept=True):
    """Return what is said to a message that asks nothing."""
    return told(make_event(text), UTC, texts, DEFAULT_CATEGORIES, is_kept=is_kept)


@each_row(
    ("text", "remark"),
    [
        ("hi", "greetings"),
        ("Hello Kith!", "greetings"),
        ("Kith?", "greetings"),
        ("good morning", "greetings"),
        ("Moin!", "greetings"),
        ("thank you!!", "thanks"),
        ("danke", "thanks"),
        ("who are you?", "identity"),
        ("Wer bist du?", "identity"),
        ("help", "help"),
        ("was kannst du?", "help"),
        ("yes please", "agreement"),
        ("how are you?", "wellbeing"),
        ("Wie geht's dir?", "wellbeing"),
        ("good night", "farewells"),
        ("tschüss!", "farewells"),
        ("lol", "reactions"),
        ("hi, I live in Rome", None),
        ("", None),
        ("lol ok", "reactions"),
        ("thx bye", "farewells"),
        ("thanks to you I live in Rome", None),
    ],
)
def test_short_remarks_are_told_apart(text, remark):
    assert parse_remark(text) == remark


@each_row("remark", list(languages()["en"].answers.remarks))
def test_every_remark_has_an_answer_in_each_language(remark):
    for texts in (ENGLISH, GERMAN):
        answer = short_answer(remark, texts, make_event("hi", author_name="Ada"))
        assert answer and "{" not in answer


@each_row(
    ("text", "answer"),
    [
        ("I live in Rome", "told"),
        ("my name is Sam and I live in Rome", "met"),
        ("I had such a bad day", "sorrow"),
        ("my dog died last night", "sorrow"),
        ("remember that I love tea", "noted"),
        ("remember that Bob is an idiot", "only_own"),
        ("my password is hunter2hunter2", "not_noted"),
        ("I fly to Oslo on Friday", "told_coming"),
        ("the weather is lovely here", "heard"),
        ("sold the skoda on monday", "told"),
        ("I bought a boat, don't tell anyone", "confided"),
        ("please keep what I said about my boss to yourself", "confided_before"),
        ("bla", "no_chat"),
        ("so do I", "heard"),
        ("neither do I", "heard"),
        ("never mention my divorce to Bob", "confided"),
        ("please keep the next thing to yourself", "confided_before"),
        ("thanks mate", "thanks"),
        ("ok mate", "no_chat"),
    ],
)
def test_a_message_that_asks_nothing_is_answered_by_what_it_tells(text, answer):
    said = answer_to(text, ENGLISH)
    assert said in getattr(ENGLISH, answer).format(name="Sam").split("\n")


@each_row("text", ["ich hatte so einen schlechten Tag", "mir geht's heute nicht so gut"])
def test_a_bad_day_is_not_answered_with_a_confirmation_in_german_either(text):
    assert answer_to(text, GERMAN) == GERMAN.sorrow


def test_what_is_not_kept_is_said_not_to_be():
    assert answer_to("I live in Rome", ENGLISH, is_kept=False) == ENGLISH.not_kept


def test_what_is_told_is_not_always_answered_alike():
    lines = ("I live in Rome", "I have a dog named Rex", "I love tea", "my sister is a nurse")
    assert len({answer_to(line, ENGLISH) for line in lines}) > 1
