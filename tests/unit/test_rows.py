"""A table of examples as one test fails for each row that fails, and says for which."""

import pytest

from tests.rows import each_row


@each_row(("number", "is_even"), [(2, True), (3, True), (5, False), (7, True)])
def check_even(number, is_even):
    assert (number % 2 == 0) is is_even


@each_row("first", "ab")
@each_row("second", "xyz")
async def collect(seen, first, second):
    seen.append(first + second)


def test_every_row_that_fails_is_named():
    with pytest.raises(ExceptionGroup, match="2 of 4 rows") as raised:
        check_even()
    notes = [error.__notes__ for error in raised.value.exceptions]
    assert notes == [["in the row (3, True)"], ["in the row (7, True)"]]


async def test_tables_can_be_crossed_and_share_the_fixtures():
    seen = []
    await collect(seen=seen)
    assert seen == ["ax", "ay", "az", "bx", "by", "bz"]


def test_a_table_without_rows_or_with_a_name_of_nothing_is_refused():
    with pytest.raises(AssertionError, match="proves nothing"):
        each_row("number", [])
    with pytest.raises(AssertionError, match="is a parameter"):
        each_row("letter", "a")(lambda number: None)
