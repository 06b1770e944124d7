"""Runs the bot for twenty minutes with constant faults, and counts losses, duplicates and stalls.

    python -m benchmarks.soak [--json] [--minutes 20] [--seed 1]

Ten messages a second arrive in forty watched channels of four servers, one in five to the bot; the
model takes half a second. Every eight seconds on average, a fault happens. The connection drops;
Discord asks for a reconnect, sends a message twice, answers 429 or 502, or accepts a message and
loses the answer; or the model answers with a few errors. Every half minute on average, another
process locks the SQLite file for writing: for 1 to 5 s, and one time in five for 12 to 20 s, which
is longer than a unit of work is retried.

A message to the bot is lost if it is not in the database at the end; a watched message, if it is
neither queued nor scored. ``silent`` is as in benchmarks.load. What was answered, recorded, scored
or learnt twice is counted each by itself. Memory growth is the slope per hour, without the first
third of the time: short runs say little about it. ``stall`` is as in benchmarks.load.
"""

import asyncio
import random
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.load import count_losses, goals_of_losses, wait_until_settled
from benchmarks.stage.accounting import check_database
from benchmarks.stage.client import running
from benchmarks.stage.measuring import goal, observing, slope
from benchmarks.stage.processes import run_stage
from benchmarks.stage.program import program
from utils.runtime.stopping import cancel

SERVERS, CHANNELS, MEMBERS = 4, 10, 50
MODEL_S = 0.5
RATE, ADDRESSED = 10.0, 0.2
TROUBLE_EVERY_S = 8.0
LOCK_EVERY_S = 30.0
SHORT_S, LONG_S, LONG_SHARE = (1.0, 5.0), (12.0, 20.0), 0.2
HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=30.0, isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
"""


async def lock_now_and_then(file: Path, chance: random.Random, locks: list[float]) -> None:
    """Lock the database at random moments until cancelled; ``locks`` gets the seconds."""
    while True:
        await asyncio.sleep(chance.expovariate(1 / LOCK_EVERY_S))
        seconds = chance.uniform(*(LONG_S if chance.random() < LONG_SHARE else SHORT_S))
        locks.append(round(seconds, 1))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", HOLD, str(file), str(seconds)
        )
        await process.wait()


async def measure(folder: Path, minutes: float = 20.0, seed: int = 1) -> dict[str, Any]:
    """Run the simulation with faults, and return the figures."""
    file, seconds = folder / "soak.db", minutes * 60
    async with (
        run_stage(servers=SERVERS, channels=CHANNELS, members=MEMBERS, model_s=MODEL_S) as stage,
        running(stage.place, f"sqlite:///{file}") as app,
    ):
        locks: list[float] = []
        locking = lock_now_and_then(file, random.Random(seed), locks)
        side = asyncio.create_task(locking)
        async with observing() as observations:
            await asyncio.gather(
                stage.order("talk", rate=RATE, seconds=seconds, addressed=ADDRESSED, seed=seed),
                stage.order("trouble", seconds=seconds, every_s=TROUBLE_EVERY_S, seed=seed),
            )
        await cancel(side)
        await asyncio.to_thread(wait_for_unlock, file)
        ledger = await wait_until_settled(stage, app)
        lost = await count_losses(app, ledger)
        await app.memory.recorder.settle()
    accounting = check_database(file, ledger["asked"])
    growth = round(slope(observations.warm_memory) * 3600, 1)
    refusals = Counter(words for question in ledger["asked"] for words in question["refusals"])
    return {
        "minutes": minutes,
        "said": len(ledger["said_ids"]),
        "asked": len(ledger["asked"]),
        "answered": sum(question["answers"] > 0 for question in ledger["asked"]),
        "refusals": dict(refusals.most_common()),
        "told_away": ledger["told_away"],
        "troubles": ledger["troubles"],
        "locked_s": locks,
        **lost,
        **accounting,
        **observations.figures(),
        "memory_growth_mb_per_hour": growth,
        "goals": [
            *goals_of_losses(lost),
            goal("learnt twice", accounting["learnt_twice"], 0),
            goal("faults found by the integrity check", len(accounting["integrity"]) - 1, 0),
        ],
    }


def wait_for_unlock(file: Path) -> None:
    """Wait until no other process locks the database."""
    with closing(sqlite3.connect(file, timeout=60.0, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


main = program("soak", __doc__, measure)


if __name__ == "__main__":
    sys.exit(main())
