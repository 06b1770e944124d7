"""What is plainly asked for is understood without a model; everything else is mere talk."""

import pytest

from utils.plain_wishes import wished


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("forget that I love ramen", "I love ramen"),
        ("Kith, please forget my birthday!", "my birthday"),
        ("can you forget what I said about my dog?", "my dog"),
        ("delete #12", "#12"),
        ("forget that i'm moving house", "i'm moving house"),
    ],
)
def test_forgetting_is_asked_for(text, what):
    call = wished(text)
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
    assert wished(text).name == "list_memories"


@pytest.mark.parametrize(
    "text",
    [
        "",
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
    assert wished(text) is None
