"""Notes are said to the member they are about."""

from utils.conversation.without_model.second_person import (
    is_german,
    to_second_person,
    to_third_person,
)

from tests.rows import each_row


@each_row(
    ("note", "sentence"),
    [
        ("lives in Lisbon", "You live in Lisbon"),
        ("is a nurse", "You are a nurse"),
        ("has a dog named Rex", "You have a dog named Rex"),
        ("doesn't like tea", "You don't like tea"),
        ("does not drink coffee", "You do not drink coffee"),
        ("studies law", "You study law"),
        ("watches birds", "You watch birds"),
        ("loves their dog", "You love your dog"),
        ("bought a flat", "You bought a flat"),
        ("always brings cake", "You always bring cake"),
        ("usually works at night", "You usually work at night"),
        ("never eats meat", "You never eat meat"),
        ("name is Ada", "Your name is Ada"),
        ("favourite food is ramen", "Your favourite food is ramen"),
        ("sister Wanda is a pilot", "Your sister Wanda is a pilot"),
        ("sisters are twins", "Your sisters are twins"),
        ("sister's wedding is on 12 June", "Your sister's wedding is on 12 June"),
        ("they have two left feet", "You have two left feet"),
        ("their boat is red", "Your boat is red"),
        ("wohnt in Köln", "Du wohnst in Köln"),
        ("hat einen Hund namens Rex", "Du hast einen Hund namens Rex"),
        ("Katze heißt Mimi", "Deine Katze heißt Mimi"),
        ("Bruder heißt Emre", "Dein Bruder heißt Emre"),
        ("Schwester heißt Lea", "Deine Schwester heißt Lea"),
        ("zahnarzttermin ist am 24. November", "Dein Zahnarzttermin ist am 24. November"),
        ("Chefin heißt Lea", "Deine Chefin heißt Lea"),
        ("Lieblingsfarbe ist Blau", "Deine Lieblingsfarbe ist Blau"),
    ],
)
def test_a_note_becomes_a_sentence_to_its_member(note, sentence):
    assert to_second_person(note) == sentence


@each_row("note", ["", "ramen", "ramen with egg", "met Ada 🙂"])
def test_what_is_no_sentence_is_not_made_one(note):
    assert to_second_person(note) in (None, f"You {note}")


def test_german_notes_are_told_from_english_ones():
    assert is_german("wohnt in Köln")
    assert is_german("Katze heißt Mimi")
    assert not is_german("lives in Köln")
    assert not is_german("")


@each_row(
    ("notes", "language", "sentences"),
    [
        (["lives in Rome", "is a nurse"], "en", ["Sam lives in Rome and is a nurse"]),
        (["has a dog", "is 30", "loves tea"], "en", ["Sam has a dog, is 30 and loves tea"]),
        (["sister is a pilot"], "en", ["Sam's sister is a pilot"]),
        (["wohnt in Köln", "mag Tee"], "de", ["Sam wohnt in Köln und mag Tee"]),
        (["Katze heißt Mimi"], "de", ["Sams Katze heißt Mimi"]),
        (["wohnt in Köln", "ramen"], "en", []),
        (["they have two left feet"], "en", []),
    ],
)
def test_notes_become_sentences_about_their_member(notes, language, sentences):
    assert to_third_person(notes, "Sam", language) == sentences
