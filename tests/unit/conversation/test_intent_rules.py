"""What is plainly asked for is understood without a model; everything else is mere talk."""

import pytest

from utils.conversation.intent_rules import parse_intent


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("forget that I love ramen", "I love ramen"),
        ("Kith, please forget my birthday!", "my birthday"),
        ("can you forget what I said about my dog?", "my dog"),
        ("delete #12", "#12"),
        ("forget that i'm moving house", "i'm moving house"),
        ("forget that you wanted to ask me that", "you wanted to ask me that"),
    ],
)
def test_forgetting_is_asked_for(text, what):
    call = parse_intent(text)
    assert (call.name, call.arguments) == ("forget", {"what": what})


@pytest.mark.parametrize(
    "text",
    [
        "what do you know about me?",
        "hey Kith, what do you remember of me",
        "What did you know about me?!",
    ],
)
def test_a_list_is_asked_for(text):
    assert parse_intent(text).name == "list_memories"


@pytest.mark.parametrize(
    ("text", "what", "day"),
    [
        ("ask me on Friday how the exam went", "how the exam went", "on Friday"),
        ("Kith, please ask me how my exam went tomorrow!", "how my exam went", "tomorrow"),
        ("ask me again in two weeks about the flat", "about the flat", "in two weeks"),
        ("can you ask me next week whether I slept?", "whether I slept", "next week"),
    ],
)
def test_being_asked_later_is_asked_for(text, what, day):
    call = parse_intent(text)
    assert (call.name, call.arguments) == ("ask_later", {"what": what, "day": day})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ask me anything",
        "ask Bob on Friday how it went",
        "don't ask me on Friday how it went",
        "don't forget that I love ramen",
        "I always forget my keys",
        "forget it",
        "forget that guy",
        "what do you know about Alice?",
        "what do you know about me and Alice?",
        "I told you to forget that I love ramen",
        "🦀" * 4000,
        "forget " * 2000,
    ],
)
def test_talk_is_no_wish(text):
    assert parse_intent(text) is None
