"""What is asked in a channel, in turn."""

import asyncio
import gc
import weakref
from types import SimpleNamespace

from cogs.chat.question_queue import QuestionPace, QuestionQueue, QueuedLine
from tests.fakes.builders import make_event
from utils.common.clock import SystemClock


async def test_an_answered_question_is_freed_without_a_garbage_collection():
    """Each holds messages of Discord's; a bot in use collects garbage rarely."""
    answered = []

    async def answer(question, ready_at):
        answered.append([line.message.content for line in question.lines])

    queue = QuestionQueue(SystemClock(), QuestionPace(0.0, 0.0, 10), answer)
    people = SimpleNamespace(channel=SimpleNamespace(id=1), author=SimpleNamespace(id=2))
    message = SimpleNamespace(id=3, content="Who am I?", **vars(people))
    gc.disable()
    try:
        line = QueuedLine(message, make_event("Who am I?"), asyncio.Future())
        recording = weakref.ref(line.recording)
        queue.add(line)
        await queue.wait_until_answered(line)
        del line
        await asyncio.sleep(0)  # the task's own last callbacks
        assert answered == [["Who am I?"]]
        assert recording() is None
    finally:
        gc.enable()
