"""What a memory claims with its plain verbs must have been shown."""

import pytest

from utils.memory.verification.claims import is_shown
from utils.memory.verification.lexical_support import same_word


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("has a horse", "passed a horse on the way"),
        ("likes pizza", "had pizza yesterday"),
        ("lives in Japan", "visited Japan in 2018"),
        ("works at Google", "I left Google in 2020"),
        ("lives in Leeds", "moved from Leeds to Bristol"),
        ("joined Google", "I left Google in 2020"),
        ("is a banker", "I work in a bank's canteen"),
        ("owns the bot", "cool bot"),
        ("works at Google", "I was fired by Google"),
        ("works for Google", "got laid off by Google"),
    ],
)
def test_what_only_happened_or_was_only_met_shows_nothing_more(memory, said):
    assert not is_shown(memory, [said], same_word)


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ("has a horse", "bought a horse last week"),
        ("has a cat", "the cat knocked my monitor over"),
        ("has a dentist appointment", "dentist at 3 tomorrow"),
        ("likes pizza", "had pizza yesterday, so good"),
        ("lives in Bristol", "moved from Leeds to Bristol"),
        ("eats pizza on Fridays", "ate pizza, as every friday"),
        ("left Google in 2020", "I left Google in 2020"),
        ("is a baker", "I bake for a living"),
        ("doesn't work at Google", "I left Google"),
        ("does not work at Google anymore", "I left Google"),
        ("works at Google", "I was hired by Google"),
        ("was fired by Google", "I was fired by Google"),
    ],
)
def test_what_began_recurs_or_was_felt_is_shown(memory, said):
    assert is_shown(memory, [said], same_word)
