"""Kills the bot again and again under load, and checks the database for damage and losses.

    python -m benchmarks.crash [--json] [--times 200] [--seed 1] [--processes 1]

The bot runs in its own process. Fifty people in five servers send 30 messages a second, half of
them to the bot; a fifth of the channels are watched. The bot is killed with SIGKILL at a random
moment in the two seconds after its first answer. One in ten is killed while it still starts. Every
run continues with the same SQLite file. The last run reads what is left and ends with SIGTERM.

With several processes each has two shards, and all use one SQLite file. They receive 400 messages
a minute together, one in ten to the bot. One of them is killed, started again at once, and a minute
later it is the next one's turn; ``taken_over_s`` is how long it took after each kill until
everything was read that its servers had told and nobody had read.

An event is acknowledged when its author got an answer. Messages sent while the bot is dead are not
delivered, as on Discord. Messages that it had not answered when it was killed may be missing.
"""

import asyncio
import itertools
import math
import random
import signal
import sys
import time
from pathlib import Path
from typing import Annotated, Any

from benchmarks.stage.accounting import check_database, pending_events
from benchmarks.stage.client import settings_for
from benchmarks.stage.measuring import goal
from benchmarks.stage.processes import PYCACHE, Bot, StageClient, run_stage, start_bot
from benchmarks.stage.program import program
from utils.build import build
from utils.common.clock import Clock
from utils.common.shards import shard_of

SERVERS, CHANNELS, MEMBERS = 5, 5, 10
MODEL_S = 0.05
RATE, ADDRESSED = 30.0, 0.5
MAX_S = 2.0  # after the first answer
MAX_LIFE_S = 120.0
STARTING_S = 1.5
TAKEOVER_S = 75.0  # a lease stands for 30 s, a sweep comes every 30 s, then it is read
STUCK_S = 90.0
SHARDS_EACH, FLEET_RATE, FLEET_ADDRESSED, KILL_EVERY_S = 2, 400 / 60, 0.1, 60.0
READY_WITHIN_S = 600.0  # several start at once, perhaps on a busy machine
QUICK = {"BURST_QUIET_S": "0.2", "MEMBER_COOLDOWN_S": "0", "EXTRACTION_WORKERS": "4"}


async def prepare(place: dict[str, Any], url: str, *, every: int) -> None:
    """Create the database; every ``every``-th channel is watched."""
    app = build(settings_for(place, url), Clock())
    await app.database.open()
    try:
        for guild_id, channel_id in place["channels"][::every]:
            await app.sentiment.channels.add(guild_id, channel_id)
            notice_id = place["notices"][str(channel_id)]
            await app.sentiment.channels.set_notice(guild_id, channel_id, notice_id)
    finally:
        await app.database.close()


async def run_and_kill(stage: StageClient, url: str, folder: Path, chance: random.Random) -> str:
    """Start the bot, let people talk and kill it; returns the phase in which it was killed."""
    bot = await start_bot(stage.place, url, QUICK | {PYCACHE: str(folder / "pyc")})
    try:
        if chance.random() < 0.1:
            await asyncio.sleep(chance.uniform(0.0, STARTING_S))
            return "starting"
        await stage.order("session")
        seed = chance.getrandbits(30)
        talking = stage.order("talk", rate=RATE, seconds=MAX_LIFE_S, addressed=ADDRESSED, seed=seed)
        async with asyncio.TaskGroup() as group:
            group.create_task(talking)
            await stage.order("answer")
            await asyncio.sleep(chance.uniform(0.0, MAX_S))
            await bot.end(signal.SIGKILL)
            await stage.order("hush")
        return "talking"
    except Exception as error:
        error.add_note(f"its log:\n{bot.log}")
        raise
    finally:
        status = await bot.end(signal.SIGKILL)
        if status != -signal.SIGKILL:
            raise RuntimeError(f"it ended by itself ({status}):\n{bot.log}")
        bot.require_no_errors()


class Fleet:
    """Several processes with two shards each on one database."""

    def __init__(self, stage: StageClient, url: str, file: Path, folder: Path, count: int) -> None:
        self._stage, self._url, self._file, self._folder = stage, url, file, folder
        self._shards = count * SHARDS_EACH
        self._running: dict[int, Bot] = {}
        self._started: list[Bot] = []

    async def start(self, number: int) -> None:
        """Start a process and wait until it is ready."""
        bot = self._running[number] = await start_bot(
            self._stage.place,
            self._url,
            {
                "SHARD_COUNT": str(self._shards),
                "SHARD_IDS": ",".join(map(str, self._shards_of(number))),
                PYCACHE: str(self._folder / "pyc"),
                **QUICK,
            },
        )
        self._started.append(bot)
        await bot.ready(READY_WITHIN_S)

    async def replace(self, number: int) -> float:
        """Kill a process amid work and start it again; returns the seconds until that is done."""
        async with asyncio.timeout(STUCK_S):
            while not self._unread(number):  # noqa: ASYNC110 - the rows are of other processes
                await asyncio.sleep(0.05)
        await self._running[number].end(signal.SIGKILL)
        killed_at, unread = time.monotonic(), self._unread(number)
        starting = asyncio.create_task(self.start(number))
        while unread and time.monotonic() - killed_at < STUCK_S:
            await asyncio.sleep(0.5)  # the work is in other processes
            unread &= pending_events(self._file).keys()
        taken_over_s = time.monotonic() - killed_at
        await starting
        return round(taken_over_s, 1)

    async def stop(self) -> None:
        """Stop every process. Raises RuntimeError if there were errors in a log."""
        await asyncio.gather(*(bot.end(signal.SIGTERM) for bot in self._running.values()))
        for bot in self._started:
            bot.require_no_errors()

    def _unread(self, number: int) -> set[int]:
        """Return the ids of the events in the servers of a process that nobody has read."""
        shards, servers = self._shards_of(number), pending_events(self._file)
        return {id for id, guild in servers.items() if shard_of(guild, self._shards) in shards}

    @staticmethod
    def _shards_of(number: int) -> range:
        return range(number * SHARDS_EACH, (number + 1) * SHARDS_EACH)


async def kill_in_turn(fleet: Fleet, stage: StageClient, count: int, times: int) -> list[float]:
    """Let people talk to ``count`` processes while one after the other is killed, one a minute.

    Returns the seconds after each kill until what the process left was read.
    """
    taken_over_s = []
    try:
        for number in range(count):  # at once each would compile every module
            await fleet.start(number)
        talking = asyncio.create_task(
            stage.order(
                "talk", rate=FLEET_RATE, seconds=math.inf, addressed=FLEET_ADDRESSED, seed=times
            )
        )
        for number in itertools.islice(itertools.cycle(range(count)), times):
            await asyncio.sleep(KILL_EVERY_S)
            taken_over_s.append(await fleet.replace(number))
        await stage.order("hush")
        await talking
    finally:
        await fleet.stop()
    return taken_over_s


async def catch_up(stage: StageClient, url: str, file: Path, folder: Path) -> dict[str, Any]:
    """Start the bot again until it has read everything, then stop it with SIGTERM.

    How long that takes depends on the machine and on how many kills left something, so it may take
    as long as it reads on.
    """
    bot = await start_bot(stage.place, url, QUICK | {PYCACHE: str(folder / "pyc")})
    began = time.monotonic()
    try:
        await stage.order("session")
        unread = pending = len(pending_events(file))
        read_at = began
        while pending and time.monotonic() - read_at < STUCK_S:
            await asyncio.sleep(0.5)  # the work is in another process
            if (now_pending := len(pending_events(file))) != pending:
                pending, read_at = now_pending, time.monotonic()
        took_s = time.monotonic() - began
        status = await asyncio.wait_for(bot.end(signal.SIGTERM), 60.0)
    finally:
        await bot.end(signal.SIGKILL)
    return {"left_to_read": unread, "caught_up_in_s": round(took_s, 1), "exit_status": status}


async def measure(
    folder: Path,
    times: Annotated[int, "how often it is killed"] = 200,
    seed: int = 1,
    processes: Annotated[int, "how many run at once; one of several is killed every minute"] = 1,
) -> dict[str, Any]:
    """Kill the bot ``times`` times, and return the figures."""
    file, chance = folder / "crash.db", random.Random(seed)
    url = f"sqlite:///{file}"
    killed, taken_over_s = {"starting": 0, "talking": 0}, []
    shards = 1 if processes == 1 else processes * SHARDS_EACH
    async with run_stage(
        servers=max(SERVERS, shards),
        channels=CHANNELS,
        members=MEMBERS,
        model_s=MODEL_S,
        shards=shards,
    ) as stage:
        await prepare(stage.place, url, every=5)
        if processes > 1:
            fleet = Fleet(stage, url, file, folder, processes)
            taken_over_s = await kill_in_turn(fleet, stage, processes, times)
            killed["talking"] = times
        else:
            for _ in range(times):
                killed[await run_and_kill(stage, url, folder, chance)] += 1
        end = await catch_up(stage, url, file, folder)
        ledger = await stage.order("ledger")
    accounting = check_database(file, ledger["asked"])
    return {
        "killed": killed,
        "said": len(ledger["said_ids"]),
        "asked": len(ledger["asked"]),
        "requests_to_discord": ledger["requests"],
        "taken_over_s": taken_over_s,
        **end,
        **accounting,
        "goals": [
            goal("faults found by the integrity check", len(accounting["integrity"]) - 1, 0),
            goal("acknowledged events lost", accounting["acknowledged_and_lost"], 0),
            goal("answered twice", accounting["answered_twice"], 0),
            goal("recorded twice", accounting["recorded_twice"], 0),
            goal("learnt twice", accounting["learnt_twice"], 0),
            goal("read without teaching anything", accounting["read_without_memory"], 0),
            goal("longest takeover in s", max(taken_over_s, default=0.0), TAKEOVER_S),
            goal("events not read in the end", accounting["unread"] + accounting["given_up"], 0),
        ],
    }


main = program("crash", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
