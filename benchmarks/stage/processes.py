"""Runs a simulation (benchmarks.stage.world) and bots against it, each in a process of its own.

Imports nothing of Kith: benchmarks.beside runs other checkouts with it.
"""

import asyncio
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "fake.discord.token"  # noqa: S105
PLENTY = 10**9
READY = "ready as"
PYCACHE = "PYTHONPYCACHEPREFIX"
# Sets discord.py's two addresses and runs ``bot.py``, as tests.fakes.discord.launch does, but loads
# nothing that the bot does not load itself.
LAUNCH = """
import runpy, sys, discord.gateway, discord.http, yarl
_, discord.http.Route.BASE, gateway, *sys.argv = sys.argv
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


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


def variables(place: dict[str, Any], database_url: str) -> dict[str, str]:
    """Return a bot's settings for a simulation as environment variables."""
    return {
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": database_url,
        "OPENAI_BASE_URL": place["model"],
        "OPENAI_API_KEY": "key",
        "DAILY_TOKEN_BUDGET": str(PLENTY),
        "LINE_PAUSE_S": "0",
    }


class Bot:
    """``bot.py`` in a process; its log is read as it comes, so that the pipe never blocks it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._lines: list[str] = []
        self._ready = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @property
    def log(self) -> str:
        """What it has logged."""
        return "".join(self._lines)

    async def ready(self, within_s: float = 60.0) -> None:
        """Wait until it is ready. Raises RuntimeError with its log if it ends before."""
        async with asyncio.timeout(within_s):
            await self._ready.wait()
        if self._reading.done():
            raise RuntimeError(f"the bot ended early:\n{self.log}")

    async def end(self, how: signal.Signals) -> int:
        """Send a signal, unless it has ended, and wait for its end; returns its exit status."""
        if self.process.returncode is None:
            self.process.send_signal(how)
        status = await self.process.wait()
        await asyncio.wait([self._reading])
        return status

    def require_no_errors(self) -> None:
        """Raise RuntimeError with its log if that has a traceback."""
        if "Traceback" in self.log:
            raise RuntimeError(f"errors in its log:\n{self.log}")

    async def _read(self) -> None:
        assert self.process.stderr is not None
        while line := await self.process.stderr.readline():
            self._lines.append(line.decode(errors="replace"))
            if READY in self._lines[-1]:
                self._ready.set()
        self._ready.set()


async def start_bot(
    place: dict[str, Any],
    database_url: str,
    chosen: Mapping[str, str],
    *,
    checkout: Path = ROOT,
    folder: Path = Path(Path(sys.executable).anchor),
) -> Bot:
    """Start a checkout's ``bot.py`` in a folder without .env; ``chosen``: environment variables."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LAUNCH, place["api"], place["gateway"], str(checkout / "bot.py")),
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/nonexistent"),
            **variables(place, database_url),
            **chosen,
        },
        cwd=folder,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    return Bot(process)
