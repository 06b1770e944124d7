"""What is carried out to its end, however often its caller is cancelled."""

import asyncio

import pytest

from utils.runtime import stopping


async def cancel(cleanup):
    """Cancel a task that does this in the end."""

    async def run():
        try:
            await asyncio.Event().wait()
        finally:
            await cleanup

    task = asyncio.create_task(run())
    await asyncio.sleep(0)
    await stopping.cancel(task)


@pytest.mark.parametrize("call, waits", [(stopping.finish, True), (cancel, False)])
async def test_an_action_ends_although_its_caller_is_cancelled_twice(call, waits) -> None:
    may_end, ended = asyncio.Event(), asyncio.Event()

    async def act() -> None:
        await may_end.wait()
        ended.set()

    caller = asyncio.create_task(call(act()))
    for _ in range(2):
        await asyncio.sleep(0.01)
        caller.cancel()
    await asyncio.sleep(0.01)
    assert caller.done() is not waits
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await asyncio.wait_for(ended.wait(), 5)
