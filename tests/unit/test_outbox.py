"""The outbox: each key once, the earliest first, and never later than it was due already."""

import asyncio

import pytest

from cogs.sentiment.outbox import Outbox
from tests.fakes.clock import ManualClock
from utils.clock import SystemClock


async def test_what_is_put_twice_comes_once_and_at_the_earlier_time():
    clock = ManualClock()
    outbox = Outbox(clock)
    outbox.put((1, 1), 30.0)
    outbox.put((1, 2), 0.2)
    outbox.put((1, 1), 0.0)
    outbox.put((1, 1), 60.0)
    assert await outbox.get() == (1, 1)
    clock.advance(0.2)
    assert await outbox.get() == (1, 2)
    clock.advance(60.0)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(outbox.get(), 0.05)


async def test_whoever_waits_hears_of_what_comes():
    outbox = Outbox(SystemClock())
    waiting = asyncio.create_task(outbox.get())
    await asyncio.sleep(0)
    outbox.put((1, 1), 0.05)
    assert await asyncio.wait_for(waiting, 10) == (1, 1)
