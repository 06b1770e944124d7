"""This side's end of a stage: starting it, giving orders, and running a bot before it."""

import asyncio
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import bot
from cogs.client import KithClient
from tests.fakes.discord import TOKEN, point_discord_py_at
from utils.clock import Clock, SystemClock
from utils.config import Settings
from utils.core import Core

ROOT = Path(__file__).resolve().parents[1]
PLENTY = 10**9
READY_WITHIN_S = 20.0
# What tests.fakes.discord.launch does, without the rest of the fakes: nothing is loaded for it
# that the bot would not load itself, and before it.
LAUNCH = """
import runpy, sys, discord.gateway, discord.http, yarl
_, discord.http.Route.BASE, gateway, *sys.argv = sys.argv
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class StageDoor:
    """A stage in its own process; ``place`` is where everything is."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._listening: asyncio.Task[None] | None = None
        self.place: dict[str, Any] = {}

    async def open(self) -> None:
        """Wait until the other side listens. Raises RuntimeError when it ended."""
        self.place = await self._line()
        self._listening = asyncio.create_task(self._listen())

    async def order(self, do: str, **what: Any) -> dict[str, Any]:
        """Give an order and return its answer; several may be under way at once.

        Raises RuntimeError when it failed, or the other side ended.
        """
        assert self._process.stdin is not None
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._process.stdin.write(json.dumps({"number": number, "do": do, **what}).encode() + b"\n")
        told: dict[str, Any] = await answer
        if "failed" in told:
            raise RuntimeError(f"{do} failed on the other side: {told['failed']}")
        return told

    async def close(self) -> None:
        """End the other side."""
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
            raise RuntimeError("the other side ended early")
        return dict(json.loads(line))


@asynccontextmanager
async def on_stage(
    *, servers: int, channels: int, members: int, model_s: float
) -> AsyncIterator[StageDoor]:
    """Run the other side in a process of its own until the block ends."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.stage"),
        *("--servers", str(servers), "--channels", str(channels)),
        *("--members", str(members), "--model-s", str(model_s)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        limit=256 * 2**20,  # a ledger is one line
    )
    stage = StageDoor(process)
    try:
        await stage.open()
        yield stage
    finally:
        await stage.close()


def settings_for(place: dict[str, Any], database_url: str, **chosen: Any) -> Settings:
    """Return a bot's settings before a stage: the defaults, with room in the budget."""
    given: dict[str, Any] = {
        "database_url": database_url,
        "discord_token": TOKEN,
        "openai_base_url": place["model"],
        "openai_api_key": "key",
        "daily_token_budget": PLENTY,
        **chosen,
    }
    return Settings(_env_file=None, **given)  # type: ignore[call-arg]


@asynccontextmanager
async def running(
    place: dict[str, Any], database_url: str, clock: Clock | None = None, **chosen: Any
) -> AsyncIterator[Core]:
    """Run the bot in this process, as bot.py does, every channel of the place watched."""
    point_discord_py_at(place["api"], place["gateway"])
    core = bot.build(settings_for(place, database_url, **chosen), clock or SystemClock())
    await core.start()
    client = KithClient(core, message_content=True, guild_ready_timeout=0.05)
    await client.login(TOKEN)
    talking = asyncio.create_task(client.connect())
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            await client.wait_until_ready()
        for guild_id, channel_id in place["channels"]:
            await core.watch.add(guild_id, channel_id)
        yield core
    finally:
        await client.close()
        talking.cancel()
        with suppress(asyncio.CancelledError):
            await talking
        await core.close()


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
            "DISCORD_TOKEN": TOKEN,
            "DATABASE_URL": database_url,
            "OPENAI_BASE_URL": place["model"],
            "OPENAI_API_KEY": "key",
            "DAILY_TOKEN_BUDGET": str(PLENTY),
            **chosen,
        },
        cwd=Path(sys.executable).anchor,  # away from any .env
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def logged(process: asyncio.subprocess.Process, words: str, within_s: float = 30.0) -> str:
    """Read a bot's log up to the line with these words, and return what was read.

    Raises RuntimeError with the log if it ends before.
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
    """Read a bot's log to its end into ``lines``, so that the bot is never held up by it."""
    assert process.stderr is not None
    while line := await process.stderr.readline():
        lines.append(line.decode(errors="replace"))
