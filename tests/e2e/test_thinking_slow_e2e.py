"""The end-to-end conversation, memory, watching and tools files, with a model that thinks."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.fakes.model_server import THOUGHTS_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
COUNT_CALLS = (
    "test_a_watched_channel_says_so_and_its_messages_are_scored_in_one_call",
    "test_what_was_said_while_kith_was_not_running_is_scored_after_the_start_up_to_a_limit",
)
THOUGHT_TOKENS = "700"  # with more, the day's budget does not last for fifty people


@pytest.mark.slow
@pytest.mark.timeout(900)  # each is a file of tests
@pytest.mark.parametrize("name", ["conversation", "own_memories", "watching", "chat_tools"])
async def test_a_model_that_thinks_does_what_others_do(name: str) -> None:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        *(f"--deselect=tests/e2e/test_watching_e2e.py::{test}" for test in COUNT_CALLS),
        f"tests/e2e/test_{name}_e2e.py",
        cwd=ROOT,
        env={**os.environ, THOUGHTS_VARIABLE: THOUGHT_TOKENS},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await program.communicate()
    assert program.returncode == 0, said.decode()[-3000:]
