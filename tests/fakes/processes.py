"""Started programs that do not outlive the block that started them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def start_program(*command: Any, **options: Any) -> AsyncIterator[asyncio.subprocess.Process]:
    """Start a program; it is killed if it still runs when the block ends."""
    process = await asyncio.create_subprocess_exec(*command, **options)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
