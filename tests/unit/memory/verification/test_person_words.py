"""The tables of persons fit what reads them."""

import pytest

from utils.memory.verification import person_words

TABLES = [
    (name, table)
    for name, table in vars(person_words).items()
    if isinstance(table, frozenset) and name.isupper()
]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_words_are_written_as_they_are_looked_up(name, table):
    assert table
    assert {word for word in table if word != word.casefold() or "’" in word} == set()


def test_nobody_is_both_the_author_and_somebody_else():
    assert person_words.FIRST_PERSON.isdisjoint(person_words.THIRD_PERSON | person_words.RELATIVES)
    assert person_words.FIRST_PERSON.isdisjoint(person_words.ANY_THIRD_VERBS)
    assert person_words.RELATIVES.isdisjoint(person_words.PETS)
