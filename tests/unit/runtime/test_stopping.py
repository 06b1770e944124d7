"""What is carried out to its end, however often its caller is cancelled."""

import asyncio

import pytest

from utils.runtime import stopping


async def test_an_action_ends_although_its_caller_is_cancelled_twice() -> None:
    may_end, ended = asyncio.Event(), asyncio.Event()

    async def act() -> None:
        await may_end.wait()
        ended.set()

    caller = asyncio.create_task(stopping.finish(act()))
    for _ in range(2):
        await asyncio.sleep(0)
        caller.cancel()
    await asyncio.sleep(0)
    assert not caller.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert ended.is_set()
