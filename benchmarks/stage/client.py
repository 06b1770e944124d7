"""Starts a simulation (benchmarks.stage.world), gives it orders, and runs a bot against it."""

import asyncio
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.stage.launch import LAUNCH
from cogs.bot.client import KithClient
from tests.fakes.discord import TOKEN, point_discord_py_at
from utils.app import App
from utils.build import build
from utils.common.clock import Clock, SystemClock
from utils.common.config import Settings

ROOT = Path(__file__).resolve().parents[2]
PLENTY = 10**9
READY_WITHIN_S = 20.0


class StageClient:
    """A simulation in its own process; ``place`` has its addresses and channels."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._listening: asyncio.Task[None] | None = None
        self.place: dict[str, Any] = {}

    async def open(self) -> None:
        """Wait until the simulation listens. Raises RuntimeError if it ended."""
        self.place = await self._line()
        self._listening = asyncio.create_task(self._listen())

    async def order(self, do: str, **parameters: Any) -> dict[str, Any]:
        """Give an order and return its answer; several can run at once.

        Raises RuntimeError if it failed, or the simulation ended.
        """
        assert self._process.stdin is not None
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(
            json.dumps({"number": number, "do": do, **parameters}).encode() + b"\n"
        )
        reply: dict[str, Any] = await answer
        if "failed" in reply:
            raise RuntimeError(f"{do} failed in the simulation: {reply['failed']}")
        return reply

    async def close(self) -> None:
        """End the simulation."""
        if self._listening is not None:
            self._listening.cancel()
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def _listen(self) -> None:
        try:
            while True:
                answer = await self._line()
                self._answers.pop(answer.pop("number")).set_result(answer)
        except RuntimeError as error:
            for waiting in self._answers.values():
                waiting.set_exception(error)

    async def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the simulation ended early")
        return dict(json.loads(line))


@asynccontextmanager
async def run_stage(
    *, servers: int, channels: int, members: int, model_s: float, shards: int = 1
) -> AsyncIterator[StageClient]:
    """Run the simulated servers in their own process until the block ends."""
    sizes = {"servers": servers, "channels": channels, "members": members, "model-s": model_s}
    sizes["shards"] = shards
    options = [f"--{name}={size}" for name, size in sizes.items()]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.stage.world", *options),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        limit=256 * 2**20,  # a ledger is one line
    )
    stage = StageClient(process)
    try:
        await stage.open()
        yield stage
    finally:
        await stage.close()


def _variables(place: dict[str, Any], database_url: str) -> dict[str, str]:
    """Return a bot's settings for a simulation as environment variables."""
    return {
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": database_url,
        "OPENAI_BASE_URL": place["model"],
        "OPENAI_API_KEY": "key",
        "DAILY_TOKEN_BUDGET": str(PLENTY),
        "LINE_PAUSE_S": "0",
    }


def settings_for(place: dict[str, Any], database_url: str, **chosen: Any) -> Settings:
    """Return a bot's settings for a simulation: the defaults, with a large token budget.

    Every message is a question of its own as far as its channel is free.
    """
    values = {name.lower(): value for name, value in _variables(place, database_url).items()}
    return Settings(_env_file=None, **values | chosen)  # type: ignore[call-arg]


@asynccontextmanager
async def running(
    place: dict[str, Any], database_url: str, clock: Clock | None = None, **chosen: Any
) -> AsyncIterator[App]:
    """Run the bot in this process, as bot.py does, every channel of the place watched."""
    point_discord_py_at(place["api"], place["gateway"])
    app = build(settings_for(place, database_url, **chosen), clock or SystemClock())
    await app.start()
    client = KithClient(app, message_content=True, guild_ready_timeout=0.05)
    await client.login(TOKEN)
    talking = asyncio.create_task(client.connect())
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            await client.wait_until_ready()
        for guild_id, channel_id in place["channels"]:
            await app.sentiment.channels.add(guild_id, channel_id)
            notice_id = place["notices"][str(channel_id)]
            await app.sentiment.channels.set_notice(guild_id, channel_id, notice_id)
        yield app
    finally:
        await client.close()
        talking.cancel()
        with suppress(asyncio.CancelledError):
            await talking
        await app.close()


async def start_bot(
    place: dict[str, Any],
    database_url: str,
    *arguments: str,
    python: Sequence[str] = (),
    **chosen: str,
) -> asyncio.subprocess.Process:
    """Start ``bot.py`` in a process of its own; ``chosen`` are environment variables."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *python, "-c", LAUNCH, place["api"], place["gateway"]),
        *(str(ROOT / "bot.py"), *arguments),
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/nonexistent"),
            **_variables(place, database_url),
            **chosen,
        },
        cwd=Path(sys.executable).anchor,  # away from any .env
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def read_log_until(
    process: asyncio.subprocess.Process, words: str, within_s: float = 30.0
) -> str:
    """Read a bot's log up to the line with these words, and return it.

    Raises RuntimeError with the log if it ends first.
    """
    assert process.stderr is not None
    read = ""
    async with asyncio.timeout(within_s):
        while words not in read:
            line = await process.stderr.readline()
            if not line:
                raise RuntimeError(f"the bot ended early:\n{read}")
            read += line.decode(errors="replace")
    return read


async def drain(process: asyncio.subprocess.Process, lines: list[str]) -> None:
    """Read a bot's log into ``lines`` to its end, so that the pipe never blocks the bot."""
    assert process.stderr is not None
    while line := await process.stderr.readline():
        lines.append(line.decode(errors="replace"))
