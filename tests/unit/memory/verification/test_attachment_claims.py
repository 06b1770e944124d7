"""Whose is what stands in an attachment?"""

import pytest

from utils.memory.verification.attachment_claims import is_claimed, is_speech

FLIGHT = ("Flight to Oslo on 3 April", "has a flight to Oslo, Flug, vuelo, vol")


@pytest.mark.parametrize(
    "said",
    [
        "yay my flight!",
        "my early morning flight is booked, finally",
        "I have to catch the flight on 3 April",
        "mein Flug nach Oslo",
        "mi vuelo a Oslo",
        "mon vol pour Oslo",
    ],
)
def test_a_thing_is_theirs_whose_message_calls_it_so(said):
    assert is_claimed(said, FLIGHT)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "yay",
        "flight!!",
        "look what Sam sent me",
        "my boss sent me his flight",
        "my friend has a flight to Oslo",
        "my flight, Sam booked it",
        "is this my flight?",
        "I found this flight to Oslo",
        "my dog",
        "Sam: my flight\nAda: I fly to Oslo",
        "> my flight to Oslo",
    ],
)
def test_what_is_only_shown_or_somebody_elses_is_not_theirs(said):
    assert not is_claimed(said, FLIGHT, ["Sam", "Ada"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sam: I am moving to Oslo on Friday", True),
        ("Sam: im moving to Oslo on Friday", True),
        ("Dear Mr Miller, I’m moving to Oslo", True),
        ("Sehr geehrte Frau Lang, ich ziehe nach Oslo", True),
        ("Sam 10:30\nmy train leaves on Friday", True),
        ("Flight to Oslo on Mon 3 April, seat 12A, US 123", False),
        ("Termin im Rathaus am Freitag", False),
    ],
)
def test_words_that_somebody_speaks_are_told_from_a_ticket(text, expected):
    assert is_speech(text) is expected
