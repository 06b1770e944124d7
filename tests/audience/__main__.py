"""Walks until so many recalls were judged, and measures what is withheld; fails if one leaked.

    python -m tests.audience [--recalls 100000] [--seed 1] [--walks 10]

The recalls are shared out among walks with different seeds, each in a server of its own.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from tests.audience.shapes import measure_all
from tests.audience.walk import Tally
from tests.audience.walks import walk_on
from tests.fakes.clock import ManualClock
from utils.database.core.engine import Database


async def walk(seed: int, recalls: int) -> Tally:
    """Walk once, on a database of its own."""
    clock = ManualClock()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'kith.db'}", pool_size=2, clock=clock)
        await database.open()
        try:
            walked = walk_on(database, clock, seed)
            await walked.prepare()
            return await walked.go(recalls)
        finally:
            await database.close()


async def main() -> int:
    """Print the figures; returns 1 if anything leaked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recalls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--walks", type=int, default=10)
    chosen = parser.parse_args()
    for withheld in await measure_all():
        print(withheld)
    began, total = time.monotonic(), Tally()
    for number in range(chosen.walks):
        seed = chosen.seed + number
        tally = await walk(seed, -(-chosen.recalls // chosen.walks))
        print(f"\nwalk {seed}\n{tally.report()}", flush=True)
        total.add(tally)
    print(f"\nall walks, in {time.monotonic() - began:.0f} s\n{total.report()}")
    return 1 if total.leaks else 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
