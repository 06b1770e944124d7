"""The tables of persons fit what reads them."""

import pytest

from utils.memory import persons

TABLES = [
    (name, table)
    for name, table in vars(persons).items()
    if isinstance(table, frozenset) and name.isupper()
]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_words_are_written_as_they_are_looked_up(name, table):
    assert table
    assert {word for word in table if word != word.casefold() or "’" in word} == set()


def test_nobody_is_both_the_author_and_somebody_else():
    assert persons.FIRST_PERSON.isdisjoint(persons.THIRD_PERSON | persons.RELATIVES)
    assert persons.FIRST_PERSON.isdisjoint(persons.ANY_THIRD_VERBS)
    assert persons.RELATIVES.isdisjoint(persons.PETS)
