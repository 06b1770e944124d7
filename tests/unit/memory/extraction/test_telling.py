"""Which messages may teach something, as far as their form tells."""

from tests.rows import each_row
from utils.memory.extraction.telling import may_teach


@each_row(
    ("text", "expected"),
    [
        ("", False),
        ("👍 🎉", False),
        ("<:kithwave:123456789012345678>", False),
        ("lol", False),
        ("Thank you!", False),
        ("ok. nice!", False),
        ("who knows where the key is? 😅", False),
        ("what's the capital of France?", False),
        ("Hey! wie geht's dir?", False),
        ("wow, what is that?", False),
        ("hi Kith", False),
        ("ok cool", False),
        ("perfect, thank you!", False),
        ("oh. really?", False),
        ("hmm", False),
        ("yes", True),
        ("two years", True),
        ("lol I live in York", True),
        ("did you know that I have a dog?", True),
        ("isn't mine cute?", True),
        ("can you keep this between us?", True),
        ("¿sabes que tengo un perro?", True),
        ("biliyor musun, Ankara'da oturuyorum?", True),
        ("彼は猫が好き", True),
        ("what's that? my new car", True),
        ("Look!", True),
        ("same here", True),
        ("what a day, passed the test", True),
        ("what a day! passed the test", True),
        ("how lovely the new flat is!", True),
        ("was at the gym", True),
        ("had the flu last week", True),
        ("what a week: passed the exam", True),
        ("when does my train leave", True),
        ("speak german please", True),
        ("thanks, two years", True),
        ("no", True),
    ],
)
def test_what_says_nothing_of_its_author_costs_no_call(text, expected):
    assert may_teach(text) is expected
