"""The text of an answer on its way from the model to Discord."""

import asyncio

from tests.rows import each_row
from utils.conversation.answer_stream import AnswerStream, whole_words
from utils.models.memory import RecordOutcome


async def started(outcome=None):
    """A stream, with its question stored as ``outcome`` says (None: still being stored)."""
    stream, recording = AnswerStream(), asyncio.get_running_loop().create_future()
    recording.add_done_callback(stream.release)
    if outcome is not None:
        recording.set_result(outcome)
        await asyncio.sleep(0)
    return stream, recording


async def test_text_is_visible_only_once_the_question_is_stored():
    stream, recording = await started()
    stream.push("Hello there")
    assert stream.text == stream.take() == ""
    recording.set_result(RecordOutcome.STORED)
    await stream.changed()
    assert stream.text == "Hello there"
    assert stream.take() == "Hello"


@each_row("outcome", sorted(set(RecordOutcome) - {RecordOutcome.STORED}))
async def test_text_stays_hidden_while_another_process_may_answer(outcome):
    stream, _ = await started(outcome)
    stream.push("Hello there")
    assert stream.text == ""


async def test_a_reader_waits_until_there_is_something_new():
    stream, _ = await started(RecordOutcome.STORED)
    stream.push("One two")
    await stream.changed()
    stream.take()
    waiting = asyncio.ensure_future(stream.changed())
    await asyncio.sleep(0)
    assert not waiting.done()
    stream.push("One two three")
    await waiting
    assert stream.take() == "One two"


def test_a_script_without_spaces_loses_its_last_character():
    assert whole_words("あ" * 70) == "あ" * 69
