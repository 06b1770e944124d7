"""The one definition of a question."""

from tests.rows import each_row
from utils.nlp.questions import ends_as_question, has_question


@each_row(
    "text",
    [
        "who knows where the key is? 😅",
        "really?!",
        'she said "why?"',
        "元気ですか？",
        "هل أنت بخير؟ ",
    ],
)
def test_a_question_ends_with_its_mark_whatever_stands_behind(text):
    assert ends_as_question(text)
    assert has_question(text)


@each_row(
    ("text", "is_anywhere"),
    [
        ("why? I live in York", True),
        ("see https://example.com/?page=2", False),
        ("no", False),
        ("", False),
    ],
)
def test_what_goes_on_after_a_question_does_not_end_as_one(text, is_anywhere):
    assert not ends_as_question(text)
    assert has_question(text) is is_anywhere
