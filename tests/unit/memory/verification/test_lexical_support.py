"""A memory is made of its subject's own words, plain words, and little else."""

from datetime import UTC, datetime

import pytest

from utils.memory.verification.lexical_support import (
    is_supported,
    leads,
    same_word,
    unsupported_words,
)

SAID_AT = datetime(2026, 3, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("live", "lives", True),
        ("went", "go", True),
        ("mum", "mother", True),
        ("torço", "torce", True),
        ("tocando", "toca", True),
        ("car", "carpet", False),
        ("pet", "pizza", False),
    ],
)
def test_forms_of_a_word_are_one_word(one, other, same):
    assert same_word(one, other) is same
    assert same_word(other, one) is same


@pytest.mark.parametrize(
    ("memory", "own", "others", "supported"),
    [
        ("has a dog named Rex", "I have a dog named Rex", "", True),
        ("has a dog named Max", "I have a dog named Rex", "", False),
        ("has 7 dogs", "I have 2 dogs", "", False),
        ("is a thief", "I love pizza", "", False),
        ("loves pizza, walks and betrayal", "I love pizza and walks", "", False),
        ("plays bass in a loud band", "I play bass in a band", "", True),
        ("plays bass in a loud band", "I play bass in a band", "your loud music", False),
        ("had a bad day at work", "I had a good day at work", "", False),
        ("runs 5 km every day", "I ran 5 km", "", False),
        ("runs 5 km every day", "I run 5 km daily", "", True),
        ("wants they/them pronouns", "please use they/them", "", True),
        ("is a mod", "I help in the mod channel", "", False),
        ("is a mod", "I'm a mod here", "", True),
        ("met Lena", "I ran into Lena", "", True),
        ("sells pizza", "I love pizza", "", False),
        ("bluffed on the final exam", "I revised for the final exam", "cheats on it", False),
        ("plans to sabotage the big raid", "I have the big raid", "", False),
    ],
)
def test_a_memory_needs_its_subjects_words(memory, own, others, supported):
    assert is_supported(memory, [own], [others], SAID_AT) is supported


@pytest.mark.parametrize(
    ("memory", "own", "supported"),
    [
        ("moved on 10 March 2026", "I moved yesterday", True),
        ("moved on 11 March 2026", "I moved", True),
        ("moved on 4 May 2020", "I moved", False),
    ],
)
def test_a_date_must_follow_from_what_was_said_or_when(memory, own, supported):
    assert is_supported(memory, [own], [], SAID_AT) is supported


@pytest.mark.parametrize(
    ("memory", "leading"),
    [
        ("feeds a hungry cat that eats everything", True),
        ("eats everything", False),
        ("feeds a cat, eats everything", False),
    ],
)
def test_what_is_said_of_something_else_may_only_end_a_memory(memory, leading):
    assert leads(memory, ["I feed a hungry cat and a crow"], ["that eats everything"]) is leading


def test_a_profile_may_not_join_what_two_rows_say():
    rows = ["has a dog named Rex", "sister is Lena"]
    assert unsupported_words("Has a dog named Rex.", rows) == set()
    assert unsupported_words("Has a dog named Lena.", rows)
