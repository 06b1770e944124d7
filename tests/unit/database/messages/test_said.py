"""A member's messages are read by column."""

from datetime import UTC, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import ADA
from tests.fakes.clock import NOON
from utils.database.messages import said
from utils.memory.recall.documents import prepare_messages
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
def test_columns_are_those_of_the_messages_whatever_the_driver_returns(rows, is_text):
    stored = [
        (id, id + 100, id % 2, 7, text, said_at, expires_at, text.lower(), *before)
        for id, said_at, expires_at, text, before in rows
    ]
    in_order, ends = stored[::-1], []
    if is_text:
        stored = [tuple(map(as_text, row)) for row in stored]
    columns, first_end = said.since(ADA, after=0, now=NOON, gap_s=GAP_S).result(stored)
    messages = list(prepare_messages(columns))
    for message, (*_, said_at, _, _, stems, said_before, end) in zip(
        messages, in_order, strict=True
    ):
        gap_s = (said_at - said_before).total_seconds() if stems else -1.0
        if 0 <= gap_s <= GAP_S and end > NOON.replace(tzinfo=None):
            assert message.previous_stems == stems
            ends.append(end.replace(tzinfo=UTC))
    assert first_end == min(ends, default=None)
    expected = SaidColumns.of(messages)
    for name in SaidColumns.__slots__:
        if name != "items":
            assert list(getattr(columns, name)) == getattr(expected, name), name


def test_what_a_message_only_shows_is_not_said():
    at = NOON.replace(tzinfo=None)
    shown = "my boat\n[card]\n> The yacht Zora"
    stored = [(1, 101, 1, 7, shown, at, at, "boat", None, None, None)]
    columns, _ = said.since(ADA, after=0, now=NOON, gap_s=GAP_S).result(stored)
    assert columns.texts == ["my boat"]
