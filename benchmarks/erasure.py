"""Measures whether erased words come back: seeded walks of three people who tell, ask and erase.

    python -m benchmarks.erasure [--secrets 1000] [--seed 1] [--json]

Each walk runs on a database of its own in a temporary directory, with a model that repeats every
secret in its prompt (tests/integration/erasure_walk.py). After each erasure, in one of six ways,
all tables, the files' bytes, exports, later prompts and what stands on Discord are searched for
every secret that was erased, and all but the prompts and Discord for every secret that was told
while nothing may be stored. They are searched for the stems. The exit code is 1 if one is found.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from benchmarks.stage.program import program
from tests.fakes.clock import ManualClock
from tests.integration.erasure_walk import ErasureWalk
from utils.common.clock import Clock
from utils.database.core.engine import Database

ROUNDS = 8
"""Rounds of a walk; a new one begins with an empty database."""


async def measure(
    folder: Path,
    secrets: Annotated[int, "how many to erase"] = 1_000,
    seed: Annotated[int, "of the first walk"] = 1,
) -> dict[str, Any]:
    """Walk until that many secrets were erased; returns the report."""
    by_way: Counter[str] = Counter()
    withheld_by_way: Counter[str] = Counter()
    places: list[str] = []
    started = time.perf_counter()
    while by_way.total() < secrets:
        with tempfile.TemporaryDirectory(dir=folder) as own_folder:
            walk_places, walk = await _walk(Path(own_folder), seed)
        places += walk_places
        by_way += walk.erased_by_way
        withheld_by_way += walk.withheld_by_way
        seed += 1
    return {
        "secrets": by_way.total(),
        "found": places,
        "ways": dict(sorted(by_way.items())),
        "withheld": dict(sorted(withheld_by_way.items())),
        "seconds": round(time.perf_counter() - started, 1),
    }


async def _walk(folder: Path, seed: int) -> tuple[list[str], ErasureWalk]:
    """Return where secrets were found in one walk, and the walk."""
    url = f"sqlite:///{folder / 'kith.db'}"
    database = Database(url, pool_size=4, clock=Clock())
    await database.open()
    walk = ErasureWalk(database, url, ManualClock(), seed)
    await walk.start()
    places: list[str] = []
    try:
        for _ in range(ROUNDS):
            places += [f"walk {seed}: {place}" for place in await walk.round()]
    finally:
        await walk.close()
        await database.close()
    return places, walk


main = program("erasure", __doc__, measure, is_failure=lambda report: report["found"])


if __name__ == "__main__":
    sys.exit(main())
