"""Killed again and again under load: is the database sound, and is anything acknowledged lost?

    python -m benchmarks.crash [--json] [--times 200] [--seed 1]

A bot in a process of its own is started, talked to by fifty people in five servers (30 messages a
second, half of them to the bot, a fifth of the channels watched), and killed with SIGKILL at a
random moment of the two seconds after its first answer; one in ten is killed while it is still
starting. Everybody goes on with the same SQLite file. At last it is started once more, reads what
is left, and is ended with SIGTERM. An event is acknowledged when its author got an answer. Messages
that come while the bot is dead reach nobody, as on Discord; those that it had not answered when it
died need not be there.
"""

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bot
from benchmarks.measuring import goal, tell
from benchmarks.reckoning import pending, reckon
from benchmarks.stage_door import StageDoor, drain, on_stage, settings_for, start_bot
from utils.clock import SystemClock

TIMES = 200
SERVERS, CHANNELS, MEMBERS = 5, 5, 10
MODEL_S = 0.05
RATE, ADDRESSED = 30.0, 0.5
LONGEST_S = 2.0  # after the first answer
LONGEST_LIFE_S = 120.0
STARTING_S = 1.5
CATCH_UP_S = 150.0  # a dead process's lease stands for 30 s, and a sweep comes every 30 s
QUICK = {"BURST_QUIET_S": "0.2", "MEMBER_COOLDOWN_S": "0", "EXTRACTION_WORKERS": "4"}


async def prepare(place: dict[str, Any], url: str, *, every: int) -> None:
    """Make the database, with every nth channel watched."""
    core = bot.build(settings_for(place, url), SystemClock())
    await core.database.open()
    try:
        for guild_id, channel_id in place["channels"][::every]:
            await core.watch.add(guild_id, channel_id)
    finally:
        await core.database.close()


async def live_and_die(stage: StageDoor, url: str, folder: Path, chance: random.Random) -> str:
    """Start the bot, let people talk, kill it; returns what it was killed at."""
    lines: list[str] = []
    was_killed = False  # twice would confuse asyncio, which may not know of its death yet
    process = await start_bot(stage.place, url, PYTHONPYCACHEPREFIX=str(folder / "pyc"), **QUICK)
    draining = asyncio.create_task(drain(process, lines))
    try:
        if chance.random() < 0.1:
            await asyncio.sleep(chance.uniform(0.0, STARTING_S))
            return "starting"
        await stage.order("session")
        seed = chance.getrandbits(30)
        talking = stage.order(
            "talk", rate=RATE, seconds=LONGEST_LIFE_S, addressed=ADDRESSED, seed=seed
        )
        async with asyncio.TaskGroup() as group:
            group.create_task(talking)
            await stage.order("answer")
            await asyncio.sleep(chance.uniform(0.0, LONGEST_S))
            process.kill()
            was_killed = True
            await stage.order("hush")
        return "talking"
    except Exception as error:
        error.add_note(f"its log:\n{''.join(lines)}")
        raise
    finally:
        if process.returncode not in (None, -signal.SIGKILL):
            raise RuntimeError(f"it ended by itself ({process.returncode}):\n{''.join(lines)}")
        if not was_killed:
            process.kill()
        await process.wait()
        await draining
        if traceback := [line for line in lines if "Traceback" in line]:
            raise RuntimeError(f"{len(traceback)} errors in its log:\n{''.join(lines)}")


async def catch_up(stage: StageDoor, url: str, file: Path, folder: Path) -> dict[str, Any]:
    """Start the bot once more until it has read everything, and end it in order."""
    lines: list[str] = []
    process = await start_bot(stage.place, url, PYTHONPYCACHEPREFIX=str(folder / "pyc"), **QUICK)
    draining = asyncio.create_task(drain(process, lines))
    began = time.monotonic()
    try:
        await stage.order("session")
        left = pending(file)
        while pending(file) and time.monotonic() - began < CATCH_UP_S:  # noqa: ASYNC110
            await asyncio.sleep(0.5)  # another process's work tells nobody
        took_s = time.monotonic() - began
        process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), 60.0)
        await draining
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return {"left_to_read": left, "caught_up_in_s": round(took_s, 1), "exit_status": status}


async def measure(times: int, seed: int, folder: Path) -> dict[str, Any]:
    """Kill as often as told, and return the figures."""
    file, chance = folder / "crash.db", random.Random(seed)
    url = f"sqlite:///{file}"
    killed = {"starting": 0, "talking": 0}
    async with on_stage(
        servers=SERVERS, channels=CHANNELS, members=MEMBERS, model_s=MODEL_S
    ) as stage:
        await prepare(stage.place, url, every=5)
        for _ in range(times):
            killed[await live_and_die(stage, url, folder, chance)] += 1
        end = await catch_up(stage, url, file, folder)
        ledger = await stage.order("ledger")
    found = reckon(file, ledger["asked"])
    doubled = found["answered_twice"] + found["recorded_twice"] + found["learnt_twice"]
    return {
        "killed": killed,
        "said": ledger["said"],
        "asked": len(ledger["asked"]),
        **end,
        **found,
        "goals": [
            goal("faults found by the integrity check", len(found["integrity"]) - 1, 0),
            goal("acknowledged events lost", found["acknowledged_and_lost"], 0),
            goal("answered, recorded or learnt twice", doubled, 0),
            goal("events not read in the end", found["unread"] + found["given_up"], 0),
        ],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; goals are reported, never a reason to fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crash", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--times", type=int, default=TIMES, help="how often it is killed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kith-crash-") as folder:
        tell(asyncio.run(measure(options.times, options.seed, Path(folder))), as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
