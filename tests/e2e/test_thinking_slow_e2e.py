"""End-to-end tests of conversation, memory, watching and tools, with a model that thinks."""

import asyncio
import os
import sys
from inspect import getfile, isfunction
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import (
    test_chat_tools_e2e,
    test_conversation_e2e,
    test_own_memories_e2e,
    test_watching_e2e,
)
from tests.fakes.model_server import THOUGHTS_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    test_conversation_e2e,
    test_own_memories_e2e,
    test_watching_e2e.test_a_deleted_message_takes_its_score_and_its_note_with_it,
    test_chat_tools_e2e.test_what_somebody_asks_to_have_remembered_is_kept_at_once,
)
THOUGHT_TOKENS = "700"  # with more, the day's budget does not last for fifty people


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_model_that_thinks_does_what_others_do() -> None:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
        *(
            f"{getfile(test)}::{test.__name__}" if isfunction(test) else getfile(test)
            for test in TESTS
        ),
        cwd=ROOT,
        env={**os.environ, THOUGHTS_VARIABLE: THOUGHT_TOKENS},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await program.communicate()
    assert program.returncode == 0, said.decode()[-3000:]


def _address(test: Any) -> str:
    """Return where pytest finds a test, or the tests of a module."""
    return f"{getfile(test)}::{test.__name__}" if isfunction(test) else getfile(test)
