"""Which messages may teach something, as far as their form tells."""

from tests.rows import each_row
from utils.memory.extraction.telling import may_teach


@each_row(
    "text",
    [
        "",
        "👍 🎉",
        "<:kithwave:123456789012345678>",
        "lol",
        "Thank you!",
        "ok. nice!",
        "who knows where the key is? 😅",
        "what's the capital of France?",
        "Hey! wie geht's dir?",
        "wow, what is that?",
        "hi Kith",
        "ok cool",
        "perfect, thank you!",
        "oh. really?",
        "hmm",
    ],
)
def test_what_says_nothing_of_its_author_costs_no_call(text):
    assert not may_teach(text)


@each_row(
    "text",
    [
        "yes",
        "two years",
        "lol I live in York",
        "did you know that I have a dog?",
        "isn't mine cute?",
        "can you keep this between us?",
        "¿sabes que tengo un perro?",
        "biliyor musun, Ankara'da oturuyorum?",
        "彼は猫が好き",
        "what's that? my new car",
        "Look!",
        "same here",
        "what a day, passed the test",
        "what a day! passed the test",
        "how lovely the new flat is!",
        "was at the gym",
        "had the flu last week",
        "what a week: passed the exam",
        "when does my train leave",
        "speak german please",
        "thanks, two years",
        "no",
    ],
)
def test_everything_else_is_extracted(text):
    assert may_teach(text)
