"""PostQueue: each key once, the earliest first, and never later than it was due already."""

import pytest

from cogs.sentiment.alerts import PostQueue
from tests.fakes.clock import ManualClock


def test_what_is_put_twice_comes_once_and_at_the_earlier_time():
    clock = ManualClock()
    queue = PostQueue(clock)
    assert queue.next_in_s() is None
    queue.put((1, 1), 30.0)
    queue.put((1, 2), 0.2)
    queue.put((1, 1), 0.0)
    queue.put((1, 1), 60.0)
    assert queue.pop_due() == [(1, 1)]
    assert queue.next_in_s() == pytest.approx(0.2)
    clock.advance(0.2)
    assert queue.pop_due() == [(1, 2)]
    clock.advance(60.0)
    assert queue.pop_due() == []
    assert queue.next_in_s() is None


def test_the_key_that_is_due_first_comes_first():
    clock = ManualClock()
    queue = PostQueue(clock)
    queue.put((1, 1), 2.0)
    queue.put((1, 2), 1.0)
    clock.advance(2.0)
    assert queue.pop_due() == [(1, 2), (1, 1)]
