"""What of a message a prompt may quote."""

from tests.fakes.builders import at
from tests.rows import each_row
from utils.memory.recall.phrasing import quotable, statements
from utils.models.recall import Said


@each_row(
    "text",
    [
        "what did I tell you about my dog?",
        "weißt du noch, wie mein Hund heißt??",
        "私の犬の名前は何ですか？",
        'did I say "I have a dog named Rex"?',
        "hello there Kith",
        "lol ok brb",
        "/memory forget that I have a dog",
        "!play the song I like",
        "🎉🎉🎉 !!! ...",
        "why? because I can",
        "look at that\nBob — Today at 10:15\nI have two cats and a dog",
        "[10:15] Bob: I have two cats and a dog",
        "",
    ],
)
def test_questions_greetings_and_commands_are_not_quoted(text):
    assert statements(text) == ""


@each_row(
    ("text", "told"),
    [
        ("I have a dog named Rex", "I have a dog named Rex"),
        ("Guess what? I moved to Oslo in May!", "I moved to Oslo in May!"),
        ("I went to Rome. Loved it!", "I went to Rome.\nLoved it!"),
        ("My son is 12. @Mira has the flu. What helps?", "My son is 12."),
        ("> what do you play?\nI play the tuba", "I play the tuba"),
        ("私は犬を飼っています", "私は犬を飼っています"),
        ("ich hab nen Hund, du?\nder heißt Rex und bellt", "der heißt Rex und bellt"),
    ],
)
def test_of_other_messages_the_statements_are_quoted(text, told):
    assert statements(text) == told


def test_what_is_quoted_of_a_message_follows_who_is_in_sight():
    text = "Bob went to Rome with his sister"
    message = Said(1, 101, 1, 1, text, at(), at(days=60), "")
    assert quotable(message) == quotable(message) == text
    assert quotable(message, frozenset({"Bob"})) == ""
    assert quotable(message) == text


def test_a_recall_beside_does_not_decide_what_is_quoted_of_a_message():
    """Recalls are composed in threads; the other one asks between the look and the answer."""
    message = Said(1, 101, 1, 1, "Bob went to Rome with his sister", at(), at(days=60), "")

    class Names(frozenset):
        __hash__ = frozenset.__hash__

        def __ne__(self, kept):
            is_other = frozenset(self) != kept
            message.quotable = frozenset(), message.text
            return is_other

    assert quotable(message, frozenset({"Bob"})) == ""
    assert quotable(message, Names({"Bob"})) == ""
