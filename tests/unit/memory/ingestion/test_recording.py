"""A message is stored while its answer is prepared, and at the latest before the answer ends."""

import asyncio
import weakref
from unittest.mock import Mock

import pytest

from utils.memory.ingestion.recorder import ConcurrentRecording
from utils.models.memory import RecordOutcome
from utils.runtime.metrics import CHAT, Metrics

GUILD = 7


async def record(outcome, is_released=None):
    if is_released is not None:
        await is_released.wait()
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


@pytest.fixture
def metrics():
    return Mock(spec_set=Metrics)


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [(RecordOutcome.STORED, 1), (RecordOutcome.UNSTORED, 1), (RecordOutcome.KNOWN, 0)],
)
async def test_a_new_message_is_counted_when_the_block_ends(metrics, outcome, counted):
    async with ConcurrentRecording(record(outcome), metrics, GUILD) as recording:
        assert await asyncio.shield(recording) is outcome
        metrics.count_message.assert_not_called()
    assert [call.args for call in metrics.count_message.mock_calls] == [(GUILD, CHAT)] * counted


async def test_a_cancelled_answer_ends_only_once_its_message_is_stored(metrics):
    is_released = asyncio.Event()

    async def answer():
        async with ConcurrentRecording(record(RecordOutcome.STORED, is_released), metrics, GUILD):
            await asyncio.Event().wait()

    answering = asyncio.create_task(answer())
    await asyncio.sleep(0)
    answering.cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not answering.done()
    is_released.set()
    await asyncio.wait([answering])
    metrics.count_message.assert_called_once()


async def test_a_recording_that_is_cancelled_is_not_counted(metrics):
    async with ConcurrentRecording(record(asyncio.CancelledError()), metrics, GUILD) as recording:
        await asyncio.wait([recording])
    assert recording.cancelled()
    metrics.count_message.assert_not_called()


async def test_of_a_stored_message_nothing_stays_but_the_outcome(metrics):
    recorded = record(RecordOutcome.STORED)
    ref = weakref.ref(recorded)
    recording = ConcurrentRecording(recorded, metrics, GUILD)
    del recorded
    async with recording as outcome:
        await asyncio.wait([outcome])
        await asyncio.sleep(0)
        assert ref() is None
        assert all(task.get_name() != "record" for task in asyncio.all_tasks())
