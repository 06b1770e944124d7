"""A member's messages are the same whether they are read one by one or by column."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import ADA
from tests.fakes.clock import NOON
from utils.database.messages import said
from utils.models.recall import SaidColumns

GAP_S = 1800.0
TIMES = st.builds(
    lambda minutes, microseconds: (
        NOON + timedelta(minutes=minutes, microseconds=microseconds)
    ).replace(tzinfo=None),
    st.sampled_from([-30, 0, 30, 60]),
    st.integers(-1, 1),
)
BEFORE = st.one_of(
    st.just((None, None, None)), st.tuples(st.sampled_from(["", "tea"]), TIMES, TIMES)
)
ROWS = st.lists(
    st.tuples(st.integers(1, 9), TIMES, TIMES, st.sampled_from(["Why?", "I sing"]), BEFORE),
    max_size=5,
)


def as_text(value):
    """Return a time as SQLite stores it."""
    return value.isoformat(" ", "microseconds") if hasattr(value, "isoformat") else value


@given(ROWS, st.booleans())
def test_messages_by_column_are_those_that_are_read_one_by_one(rows, is_text):
    stored = [
        (id, id + 100, id % 2, 7, text, said_at, expires_at, text.lower(), *before)
        for id, said_at, expires_at, text, before in rows
    ]
    if is_text:
        stored = [tuple(map(as_text, row)) for row in stored]
    columns, first_end = said.newest(ADA, now=NOON, gap_s=GAP_S).read(stored)
    messages, expected_end = said.since(ADA, after=0, now=NOON, gap_s=GAP_S).read(stored)
    assert list(columns.items) == messages
    assert first_end == expected_end
    expected = SaidColumns.of(messages)
    for name in SaidColumns.__slots__:
        if name != "items":
            assert list(getattr(columns, name)) == getattr(expected, name), name
