"""The console as a process: in a pipe, in a terminal, with and without a model."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.den import PATIENCE_S, ROOT, Process, started
from tests.fakes import preloaded

NOTHING_CONFIGURED = "No language model is configured (`python bot.py setup` adds one)"


@asynccontextmanager
async def console(url: str, **environment: str) -> AsyncIterator[Process]:
    command = [sys.executable, str(ROOT / "bot.py"), "console", "--database", url]
    async with started(command, environment) as process:
        yield process


async def test_in_a_pipe_it_reads_a_message_a_line_remembers_and_survives_garbage(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'new' / 'kith.db'}"
    lines = (
        "my name is Robin\n"
        "I have a dog named Rex\n"
        "\n"
        "what is my dog called?\n"
        ":prompt\n"
        ":clock +8d\n"
        "/memory show\n"
        ":nonsense\n"
        ":as Sam\n"
        "/memory show\n"
        ":quit\n"
        "never read"
    )
    async with console(url) as process:
        assert await process.ends(lines.encode()) == 0
    assert process.err.startswith(NOTHING_CONFIGURED)
    assert process.err.count("\n") == 1
    assert "No language model" not in process.out
    assert "[What you know about Robin:]" in process.out
    assert "“I have a dog named Rex”" in process.out
    assert "There is no command :nonsense" in process.out
    assert process.out.rstrip().endswith("Just talk to me.")
    garbage = bytes(range(256)) * 8 + b"\n\n\n\xff\xfe\x00h\n" + os.urandom(2000)
    async with console(url) as process:
        assert await process.ends(b"which dog do I have?\n" + garbage) == 0
    assert "dog named Rex" in process.out
    assert "Traceback" not in process.err


async def test_a_reader_that_went_away_is_no_crash(sqlite_url: str, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, str(ROOT / "bot.py"), "console"]
    process = await preloaded.start(
        *command,
        env={"PATH": os.environ["PATH"], "DATABASE_URL": sqlite_url},
        stdin=asyncio.subprocess.PIPE,
        stdout=writer,
        stderr=asyncio.subprocess.PIPE,
        cwd=tmp_path,
    )
    os.close(writer)
    _, err = await asyncio.wait_for(process.communicate(b"hello\n/help\nbye\n" * 50), PATIENCE_S)
    assert b"Traceback" not in err
    assert b"Exception ignored" not in err
    assert process.returncode in (0, 1, 141)
