"""Whom a sentence speaks of, and whether it is meant."""

import pytest

from utils.memory.verification.modality import earnest_parts
from utils.memory.verification.subject import (
    Owner,
    asks_about_another,
    asks_author,
    owner_of,
    spans,
)


def owners(sentence, *names):
    return {word: span.owner for span in spans(sentence, names) for word in span.words}


@pytest.mark.parametrize(
    ("sentence", "word", "owner"),
    [
        ("I love tea", "tea", Owner.AUTHOR),
        ("love tea", "tea", Owner.NOBODY),
        ("Sam hates cats", "cats", Owner.OTHER),
        ("my brother lives in Rome", "rome", Owner.OTHER),
        ("my brother and I live in Rome", "rome", Owner.AUTHOR),
        ("my warlock worships a demon", "demon", Owner.THING),
        ("my laptop is old", "old", Owner.AUTHOR),
        ("he plays chess", "chess", Owner.OTHER),
        ("people hate mondays", "mondays", Owner.OTHER),
        ("oh man, I lost", "lost", Owner.AUTHOR),
        ("I work for a firm that dumps waste", "waste", Owner.THING),
        ("I work for a firm that dumps waste", "firm", Owner.AUTHOR),
        ("thanks, Sam", "sam", Owner.NOBODY),
        ("dancing makes me happy", "dancing", Owner.NOBODY),
        ("Abito a Torino e faccio il cuoco", "cuoco", Owner.AUTHOR),
        ("il habite à Lyon", "lyon", Owner.OTHER),
    ],
)
def test_each_word_belongs_to_the_subject_of_its_clause(sentence, word, owner):
    assert owners(sentence, "Sam")[word] is owner


def test_a_relative_is_named_by_the_span_that_speaks_of_them():
    assert owner_of(spans("my sister Ann paints")).anchor == "sister"
    assert owner_of(spans("tea, please")).owner is Owner.NOBODY


@pytest.mark.parametrize(
    ("sentence", "after", "meant"),
    [
        ("I own a castle", (), True),
        ("I own a castle", ("jk",), False),
        ("if I were rich I'd buy it", (), False),
        ("let's say I own three yachts", (), False),
        ("I'll eat my hat when pigs fly", (), False),
        ("ich bin Astronaut", ("nur Spaß",), False),
    ],
)
def test_jokes_and_suppositions_are_not_meant(sentence, after, meant):
    assert bool(earnest_parts(sentence, after)) is meant


def test_only_what_is_asked_is_cut_from_a_question():
    assert earnest_parts("do you like my dog?") == ""
    assert "greyhound" in earnest_parts("I have a greyhound, do you like dogs?")


@pytest.mark.parametrize(
    ("question", "author", "another"),
    [
        ("Where do you live?", True, False),
        ("Where does Sam live?", False, True),
        ("What is her name?", False, True),
        ("What time is it?", False, False),
    ],
)
def test_a_question_is_about_whoever_it_names(question, author, another):
    assert asks_author(question) is author
    assert asks_about_another(question, ["Sam"]) is another
