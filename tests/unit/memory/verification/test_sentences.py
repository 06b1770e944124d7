"""Sentences of a message, and the one that holds a quote."""

from tests.rows import each_row
from utils.memory.verification.sentences import Passage, holds, normalised, passage, split


@each_row(
    ("text", "sentences"),
    [
        ("", []),
        ("  \n ", []),
        ("Hi! I sing.", ["Hi!", "I sing."]),
        ('He said "no." I left.', ['He said "no."', "I left."]),
        ("one\ntwo\n\nthree", ["one", "two", "three"]),
        ("Dr. Who lives in St. Ives. Bye", ["Dr. Who lives in St. Ives.", "Bye"]),
        ("since 5. May. Now on 12. June", ["since 5. May.", "Now on 12. June"]),
        ("in 2019. Then", ["in 2019.", "Then"]),
        ("I am 30. And you? Ich bin 9. Und", ["I am 30.", "And you?", "Ich bin 9.", "Und"]),
        ("1. tea\n2. über den 2. Weltkrieg", ["1. tea", "2. über den 2. Weltkrieg"]),
        ("mr.\nSmith", ["mr.", "Smith"]),
        ("好きです。犬です", ["好きです。", "犬です"]),
        ("أين؟ هنا", ["أين؟", "هنا"]),
        ("a  b\tc. d", ["a b c. d"]),
    ],
)
def test_a_text_is_split_where_its_sentences_end(text, sentences):
    assert split(text) == sentences


@each_row(
    ("text", "quote", "expected"),
    [
        ("i keep bees", "keep bees", True),
        ("i keep bees", "i", True),
        ("i keep bees", "eep bees", False),
        ("i keep bees", "keep bee", False),
        ("beekeepers keep", "keep", True),  # the second time as a word
        ("keepers", "keep", False),
        ("keepers keep keepers", "keep", True),
        ("犬が好きです", "好き", True),
        ("", "x", False),
    ],
)
def test_a_quote_is_whole_words_except_where_there_are_no_spaces(text, quote, expected):
    assert holds(text, quote) is expected


def test_what_is_compared_has_no_case_marks_or_runs_of_space():
    assert normalised("  I'm…  ＡＢ—c\n") == "i m ab c"
    assert normalised("हिन्दी") == "हिन्दी"  # its vowel signs are part of the word


TEXT = "One. Two. Three. Four. Five. Six."


@each_row(
    ("quote", "expected"),
    [
        ("one", Passage("One.", "", "Two.")),
        ("three", Passage("Three.", "Two.", "Four.")),
        ("six", Passage("Six.", "Five.", "")),
        ("two three", Passage("Two. Three.", "One.", "Four.")),
        ("two three four five", Passage("Two. Three. Four. Five.", "One.", "Six.")),
        ("one two three four five", Passage(TEXT)),
        ("seven", Passage(TEXT)),
    ],
)
def test_the_shortest_run_of_up_to_four_sentences_holds_the_quote(quote, expected):
    assert passage(TEXT, quote) == expected


def test_the_first_of_equal_sentences_is_taken():
    assert passage("I sing. So. I sing.", "i sing") == Passage("I sing.", "", "So.")


def words(first, last):
    return " ".join(f"w{n:03}" for n in range(first, last))


@each_row(
    ("length", "quote", "first"),
    [
        (100, "w050", None),  # 499 units
        (101, "w000", 0),  # 504 units
        (300, "w010", 0),
        (300, "w100", 76),
        (300, "w299", 200),
        (300, "W100  w101", 76),
        (300, "not in it", 0),
    ],
)
def test_of_a_long_sentence_500_units_around_the_quote_are_kept(length, quote, first):
    text = words(0, length)
    kept = passage(text, quote).sentence
    if first is None:
        assert kept == text
        return
    shown = kept.removesuffix("…")
    assert shown == words(first, first + len(shown.split()))
    assert 490 <= len(kept) <= 500
