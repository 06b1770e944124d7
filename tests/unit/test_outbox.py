"""The outbox: each key once, the earliest first, and never later than it was due already."""

import asyncio

import pytest

from cogs.sentiment.outbox import Outbox
from utils.clock import SystemClock


async def test_what_is_put_twice_comes_once_and_at_the_earlier_time():
    outbox = Outbox(SystemClock())
    outbox.put((1, 1), 30.0)
    outbox.put((1, 2), 0.2)
    outbox.put((1, 1), 0.0)
    outbox.put((1, 1), 60.0)
    assert await outbox.get() == (1, 1)
    assert await outbox.get() == (1, 2)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(outbox.get(), 0.05)


async def test_whoever_waits_hears_of_what_comes():
    outbox = Outbox(SystemClock())
    waiting = asyncio.create_task(outbox.get())
    await asyncio.sleep(0)
    outbox.put((1, 1), 0.0)
    assert await asyncio.wait_for(waiting, 1) == (1, 1)
