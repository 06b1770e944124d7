"""What a message only cites is not its author's."""

from tests.rows import each_row
from utils.memory.verification.sentences import long_quotations, own_words, with_titles


@each_row(
    "text",
    [
        "> I eat bees",
        "```I eat bees```",
        "nobody: \nme: I eat bees",
        "🎵 I eat bees 🎵",
        'he wrote "I eat bees"',
        "[12:01] Sam: I eat bees",
    ],
)
def test_what_is_cited_is_left_out(text):
    assert "bees" not in own_words(text)


@each_row(
    "text",
    ['my favourite film is "Bees"', "update: I keep bees", "I don't like 'em bees", "bees, mine"],
)
def test_what_is_said_is_left_in(text):
    assert "bees" in own_words(text).casefold()


def test_the_line_of_somebody_in_sight_is_theirs():
    assert own_words("Sam: likes bees", ["Sam"]).strip() == ""
    assert "bees" in own_words("Hobbies: likes bees", ["Sam"])


def test_a_long_title_is_kept_only_where_titles_are_wanted():
    text = 'I finished "The Name of the Wind" last night'
    assert "Wind" not in own_words(text)
    assert with_titles(text) == text
    assert long_quotations(text) == ['"The Name of the Wind"']


def test_what_somebody_says_of_themselves_is_never_kept():
    text = 'my brother said "I moved to Rome last year"'
    assert "Rome" not in with_titles(text)
    assert long_quotations(text) == []


@each_row(
    ("text", "own", "titled"),
    [
        ("a\n > b\nc\n>>> d\ne", "a\n\nc\n\n", "a\n\nc\n\n"),
        ("a `b` c ```d\ne``` f ```g", "a `b` c  f ", "a `b` c  f "),
        ("a [image attached: b.png] [forwarded] c", "a     c", "a     c"),
        ("a [list] b", "a [list] b", "a [list] b"),
        ("a 🎶 b\nc", "a  \nc", "a  \nc"),
        ("Nobody: a\nme: b", "", ""),
        ("so, nobody: a", "so, nobody: a", "so, nobody: a"),
        ('a "b c d" e', "a  b c d  e", "a  b c d  e"),
        ('a "b c d e" f', "a   f", 'a "b c d e" f'),
        ("a 「犬が好きです」 b", "a   b", "a 「犬が好きです」 b"),
        ("a 「犬が好きな」 b", "a  犬が好きな  b", "a  犬が好きな  b"),
        ('a "I swim" b', "a   b", "a   b"),
        ("a 'b c' d", "a  b c  d", "a  b c  d"),
        ("a\n12:01 Sam: b\nc", "a\nc", "a\nc"),
        ("a\nSam Smith : b\n<@Sam Smith> c\nTom: d", "a\nTom: d", "a\nTom: d"),
        # As exporters of chats write names in Markdown.
        (
            "a\n**Sam Smith:** b\n**Al** (30.11.26 10:15): c\n**Tom**: d",
            "a\n**Tom**: d",
            "a\n**Tom**: d",
        ),
    ],
)
def test_what_stays_of_a_message_without_and_with_its_titles(text, own, titled):
    others = ["sam smith", "Al"]
    assert own_words(text, others) == own
    assert with_titles(text, others) == titled
