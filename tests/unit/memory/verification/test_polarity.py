"""Words that turn a sense around must not be lost on the way into a memory."""

import pytest

from utils.memory.verification.lexical_support import same_word
from utils.memory.verification.polarity import Turn, keeps_sense, negates, turns


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("I don't eat meat", Turn.NOT),
        ("ich esse kein Fleisch", Turn.NOT),
        ("I hate mondays", Turn.AVERSE),
        ("can't stand noise", Turn.AVERSE),
        ("I used to smoke", Turn.OVER),
        ("I'm done with League", Turn.OVER),
        ("maybe I will", Turn.UNREAL),
        ("gonna move", Turn.AHEAD),
    ],
)
def test_a_turn_is_noticed(text, turn):
    assert turn in turns(text)


@pytest.mark.parametrize(
    "text", ["I eat meat", "it's about making music", "I am used to vim", "almost six years"]
)
def test_plain_words_turn_nothing(text):
    assert turns(text) == set()


@pytest.mark.parametrize(
    ("memory", "said", "kept"),
    [
        ("eats meat", "I don't eat meat", False),
        ("doesn't eat meat", "I don't eat meat", True),
        ("hates dogs", "I love dogs", False),
        ("has a dog", "I want a dog", False),
        ("wants a dog", "I want a dog", True),
        ("lives in Rome", "I used to live in Rome", False),
        ("plays League", "I'm done with League", False),
        ("plays golf", "I'd rather die than play golf", False),
        ("prefers texting to calls", "I'd rather text than call", True),
        ("eats meat", "I don't smoke but I eat meat", True),
    ],
)
def test_a_memory_keeps_the_sense(memory, said, kept):
    assert keeps_sense(memory, [said], same_word) is kept


@pytest.mark.parametrize(("text", "is_negated"), [("never ever", True), ("nevertheless", False)])
def test_a_negation_is_a_whole_word(text, is_negated):
    assert negates(text) is is_negated
