"""Markers by which a model says what it asked: read, and never shown."""

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.builders import ADA, CHANNEL, NOON
from utils.conversation.answer_stream import (
    AnswerStream,
    asked_loops,
    without_markers,
    without_unfinished_marker,
)
from utils.models.episode import LoopKind, OpenLoop

LOOPS = tuple(OpenLoop(ADA, CHANNEL, CHANNEL, 1, LoopKind.ASK, str(n), NOON, NOON) for n in (1, 2))


def test_a_stream_never_shows_a_marker_or_a_part_of_one():
    whole = "How did it go? [asked 1]"
    stream = AnswerStream()
    stream._is_released = True
    for length in range(len(whole) + 1):
        stream.push(whole[:length])
        assert "[" not in stream.text
    assert stream.text == "How did it go?"


@given(st.text(alphabet="[]asked 12,:#\nx"))
def test_any_text_keeps_what_is_no_marker(text):
    assert asked_loops(without_markers(text), LOOPS) == () or "[" in text
    visible = without_unfinished_marker(text)
    assert text.startswith(visible[: visible.find("[")] if "[" in visible else "")
    assert set(visible) <= set(text)
