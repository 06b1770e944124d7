"""What a message must hold for a tool: who asks not to forget asks for nothing to be forgotten."""

from tests.rows import each_row
from utils.conversation.tool_definitions import ASKS_FOR, CORRECT, FORGET, REMEMBER


@each_row(
    "text",
    [
        "don't forget that I play the oboe",
        "Don’t forget my birthday!",
        "please do not forget it",
        "never forget that I love figs",
        "vergiss nicht, dass ich Oboe spiele",
        "vergiss bitte nicht meinen Geburtstag",
        "vergiss das nicht",
    ],
)
def test_what_is_not_to_be_forgotten_is_no_wish_to_forget(text: str) -> None:
    assert not ASKS_FOR[FORGET].search(text)


@each_row(
    "text",
    [
        "forget that I play the oboe",
        "don't forget my birthday, but forget my old job",
        "vergiss meinen Geburtstag",
        "vergiss nicht meinen Geburtstag, aber lösch meinen Beruf",
        "please delete that",
    ],
)
def test_a_wish_to_forget_is_one(text: str) -> None:
    assert ASKS_FOR[FORGET].search(text)


@each_row(
    "text",
    [
        "wait no, pieter isnt my supervisor, annelies is",
        "I meant Lyon",
        "she's not my sister but my cousin",
        "that doesn't fit any more",
        "nein, ich heiße Tom",
        "das ist nicht mein Hund",
    ],
)
def test_a_wish_to_correct_is_one(text: str) -> None:
    assert ASKS_FOR[CORRECT].search(text)


@each_row("text", ["I live in Lyon", "what do you know of me?", "note: I noted a notable notch"])
def test_a_statement_is_no_wish_to_correct(text: str) -> None:
    assert not ASKS_FOR[CORRECT].search(text)


def test_not_forgetting_is_remembering() -> None:
    assert ASKS_FOR[REMEMBER].search("don't forget that I play the oboe")
