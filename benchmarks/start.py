"""Measures the time from the process's start until the bot is ready, in seconds.

    python -m benchmarks.start [--json] [--times 7]

It starts ``bot.py run`` repeatedly in its own process, with a loopback Discord of one server. It
stops the bot with SIGTERM when its log says that it is ready. ``own_s`` is from the start of the
process to the opening of the gateway's socket: imports, database, cogs, commands. ``handshake_s``
is the rest: Discord's HELLO, IDENTIFY, READY and servers; discord.py waits two seconds for the last
server. ``cpu_s`` is the processor time until it is ready. The goal counts that, because programs
beside it don't change it: if it is well under ``own_s``, they used the processor. The first start
is cold, without byte code (not even Python's own) and without a database; it is reported
separately.
"""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from statistics import median
from typing import Annotated, Any

from benchmarks.stage.client import StageClient, read_log_until, run_stage, start_bot
from benchmarks.stage.measuring import goal
from benchmarks.stage.program import program

GOAL_S = 2.0
READY = "ready as"
TICKS = os.sysconf("SC_CLK_TCK")


async def start_once(stage: StageClient, folder: Path) -> dict[str, float]:
    """Start the bot, wait until it is ready, stop it, and return the seconds of each part."""
    began = time.time()
    process = await start_bot(
        stage.place,
        f"sqlite:///{folder / 'start.db'}",
        PYTHONPYCACHEPREFIX=str(folder / "pycache"),
    )
    try:
        await read_log_until(process, READY, within_s=60.0)
        ready = time.time()
        cpu_s = cpu_seconds(process.pid)
        shaken = await stage.order("handshake")
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.communicate(), 30.0)
        stopped_s = time.time() - ready
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    return {
        "own_s": round(shaken["connected_at"] - began, 3),
        "to_login_s": round(shaken["login_at"] - began, 3),
        "handshake_s": round(ready - shaken["connected_at"], 3),
        "cpu_s": round(cpu_s, 2),
        "stop_s": round(stopped_s, 3),
    }


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process; 0 if the system does not provide them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


async def measure(
    folder: Path, times: Annotated[int, "starts after the cold one"] = 7
) -> dict[str, Any]:
    """Start the bot once cold and ``times`` times warm, and return the figures."""
    async with run_stage(servers=1, channels=5, members=5, model_s=0.0) as stage:
        cold = await start_once(stage, folder)
        warm = [await start_once(stage, folder) for _ in range(times)]
    used_s = [run["cpu_s"] or run["own_s"] for run in warm]  # own_s where no /proc is
    return {
        "cold": cold,
        "median": {name: round(median(run[name] for run in warm), 3) for name in cold},
        "worst": {name: max(run[name] for run in warm) for name in cold},
        "goals": [goal("CPU time from start to ready, median, s", median(used_s), GOAL_S)],
    }


main = program("start", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
