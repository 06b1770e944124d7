"""Numbers that forms and addresses name: what no database takes is refused before it is asked."""

import pytest

from cogs.dashboard.pages.layout import number
from tests.rows import each_row
from utils.common.errors import BadInput
from utils.models.admin import MAX_ID


@each_row("typed", ["-1", str(MAX_ID + 1), "9" * 20, "1.5", "x", "١"])
def test_what_is_no_id_is_refused(typed):
    with pytest.raises(BadInput, match="at most 19 digits"):
        number(typed, "A server")


def test_the_largest_id_is_one_and_an_empty_field_is_none():
    assert number(f" {MAX_ID} ", "A server") == MAX_ID
    assert number("", "A server") is None
    assert number(None, "A server") is None
