"""A quote that a model tidied is a pointer to what was said, and one that it made up to nothing."""

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from tests.tidied_quotes import ALTERED, INVENTED, TIDIED
from utils.memory.verification.sentences import (
    Passage,
    holds,
    normalised,
    own_words,
    split,
    tidied_passage,
)

NAMES = ("Bob",)
MISSED = {
    "I'm learning Japanese with an app right now",
    "Me and my girlfriend are going to Lisbon in August",
    "We adopted a greyhound yesterday! She's called Pixel",  # of two sentences
    "I'm training for the marathon in Berlin, please wish me luck",  # of two sentences
    "To be honest, I hate my job at the call centre",
}


def pointed_at(text, quote):
    return tidied_passage(own_words(text, NAMES), quote)


@each_row(("text", "quote", "beginning"), [row for row in TIDIED if row[1] not in MISSED])
def test_an_honest_quote_points_at_its_sentence(text, quote, beginning):
    assert pointed_at(text, quote).sentence.startswith(beginning)


def test_each_of_them_would_be_lost_without_it_and_one_in_twelve_is_with_it():
    assert not any(holds(normalised(text), normalised(quote)) for text, quote, _ in TIDIED)
    assert not any(pointed_at(text, quote) for text, quote, _ in TIDIED if quote in MISSED)
    assert (len(TIDIED), len(MISSED)) == (62, 5)


@each_row(("text", "quote"), INVENTED)
def test_an_invented_quote_points_at_nothing(text, quote):
    assert pointed_at(text, quote) is None


@each_row(("text", "quote"), INVENTED[:-4:3])  # without those that say what others said
def test_nor_does_it_in_a_long_line_without_a_full_stop(text, quote):
    messages = [said for said, _ in INVENTED if said != text and "> I" not in said]
    messages += [said for said, _, _ in TIDIED if said != text]
    random.Random(quote).shuffle(messages)
    line = re.sub(r"[\W_]+", " ", " ".join(messages))[:4000]
    assert len(split(line)) == 1
    assert tidied_passage(line, quote) is None


@each_row(("text", "quote"), ALTERED)
def test_an_altered_quote_points_at_most_at_what_was_said(text, quote):
    found = pointed_at(text, quote)
    assert found is None or found == Passage(text)


TEXT = st.text(max_size=300) | st.lists(
    st.sampled_from(["I", "live", "in", "Rome", ".", "!", "\n", "& I", "so", "a", "ß", "İ", "東京"])
).map(" ".join)


@given(TEXT, TEXT)
def test_it_is_a_sentence_of_the_text_with_its_neighbours_whatever_the_quote(text, quote):
    found = tidied_passage(text, quote)
    if found is not None:
        assert any(
            found == Passage(sentence, before, after)
            for before, sentence, after in zip(
                ["", *split(text)], split(text), [*split(text)[1:], ""], strict=False
            )
        )


@given(TEXT, st.data())
def test_a_sentence_in_any_case_without_its_marks_points_at_one_with_these_letters(text, data):
    sentences = [one for one in split(text) if len(normalised(one).replace(" ", "")) >= 3]
    if not sentences:
        return
    sentence = data.draw(st.sampled_from(sentences))
    quote = "".join(c for c in sentence if c.isalnum() or c.isspace() or not c.isascii()).swapcase()
    found = tidied_passage(text, quote)
    assert found is not None
    assert letters(sentence) in letters(found.sentence) or letters(quote) != letters(sentence)


def letters(text):
    return normalised(text).replace(" ", "").replace("ss", "ß")


@given(st.text("abcdef .\n'", max_size=300), st.text("uvwxyz .\n'", max_size=300))
def test_words_without_a_run_in_common_point_at_nothing(text, quote):
    assert tidied_passage(text, quote) is None


def test_of_a_long_sentence_the_words_around_the_place_are_kept():
    words = " ".join(f"w{number:03}" for number in range(800))
    text = f"{words[:2000]} im allergic to nuts & dogs {words[2000:]}"
    sentence = tidied_passage(text, "I'm allergic to nuts and dogs").sentence
    assert "im allergic to nuts & dogs" in sentence
    assert len(sentence) <= 500


def test_the_best_of_several_sentences_is_taken_and_the_first_of_equal_ones():
    text = "i play golf on mondays. i play golf & chess on mondays. i play golf & chess on mondays"
    assert tidied_passage(text, "I play golf and chess on Mondays") == Passage(
        "i play golf & chess on mondays.",
        "i play golf on mondays.",
        "i play golf & chess on mondays",
    )
