"""A table of examples as one test fails for each row that fails, and says for which."""

import pytest

from tests.rows import each_row


@each_row(("number", "is_even"), [(2, True), (3, True), (5, False), (7, True)])
def check_even(number, is_even):
    assert (number % 2 == 0) is is_even


def test_every_row_that_fails_is_named():
    with pytest.raises(ExceptionGroup, match="2 of 4 rows") as raised:
        check_even()
    notes = [error.__notes__ for error in raised.value.exceptions]
    assert notes == [["in the row (3, True)"], ["in the row (7, True)"]]
