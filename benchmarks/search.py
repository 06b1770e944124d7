"""Measures searches in one server's memories.

    python -m benchmarks.search [--json] [--rows 1000000] [--rounds 50]

It makes a SQLite file of generated memories of one server, and a tenth as many of other servers
among them. It asks ``MemorySearch.of_server`` for a rare word, a medium one, and a very common one
(in half of all rows). It also asks for two and for six common words at once, and for one whose rows
are in channels that the asker cannot read. The yardstick, a fixed calculation timed each round,
shows how busy the machine was.
"""

import platform
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

from benchmarks.generated.rows import DIFFERENT_ROWS, different_rows, insert_rows
from benchmarks.generated.words import Words
from benchmarks.stage.measuring import percentile_ms
from benchmarks.stage.program import program
from utils.common.clock import SystemClock
from utils.database.core.engine import Connection, Database
from utils.database.schema.memory_tables import user_memory
from utils.memory.consolidation.wording import search_stems
from utils.memory.member_data.search import MemorySearch

BATCH = 20_000
GOAL_MS = 200.0
GUILD, OTHER_GUILDS, PER_OTHER = 4_000, range(4_001, 4_021), 11
OPEN, CLOSED = frozenset(range(9_001, 9_007)), 9_100
MEMBERS = 5_000
RARE, MEDIUM, COMMON, SECOND, HIDDEN = "zanzibar", "quokka", "kumquat", "walnut", "submarine"
SHARES = {RARE: 1e-5, MEDIUM: 1e-3, COMMON: 0.5, SECOND: 0.5, HIDDEN: 0.1}
QUERIES = {
    "rare": RARE,
    "medium": MEDIUM,
    "common": COMMON,
    "two common": f"{COMMON} {SECOND}",
    "common and rare": f"{COMMON} {RARE}",
    "six frequent": f"{COMMON} {SECOND} dog game brother server",
    "out of reach": HIDDEN,
    "absent": "xylophone",
}


# --- generated rows -----------------------------------------------------------------------------


def batches(rows: int, words: Words, clock: SystemClock) -> Iterator[list[dict[str, Any]]]:
    """Yield rows of one server, and every eleventh of another, with words of known shares."""
    dice, now = words.dice, clock.now()
    pool = different_rows(words, min(DIFFERENT_ROWS, rows))
    total = rows * PER_OTHER // (PER_OTHER - 1)
    for first in range(0, total, BATCH):
        batch = []
        for number in range(first, min(first + BATCH, total)):
            row = pool[number % len(pool)]
            added_words = [word for word, share in SHARES.items() if dice.random() < share]
            stems, _, context_stems = row["SearchStems"].partition("\n")
            stems = " ".join([stems, *search_stems(" ".join(added_words), "", "").split()])
            guild_id = GUILD if number % PER_OTHER else dice.choice(OTHER_GUILDS)
            batch.append(
                {
                    **row,
                    "Uid": f"{dice.getrandbits(128):032x}",
                    "GuildId": guild_id,
                    "UserId": dice.randint(1, MEMBERS),
                    "ChannelId": CLOSED if HIDDEN in added_words else dice.choice(sorted(OPEN)),
                    "Memory": " ".join([row["Memory"], *added_words]),
                    "SearchStems": f"{stems}\n{context_stems}",
                    "CreatedAt": now,
                    "LastConfirmedAt": now,
                }
            )
        yield batch


async def fill(database: Database, rows: int, words: Words, clock: SystemClock) -> None:
    """Write the file's rows."""

    def write(connection: Connection, batch: list[dict[str, Any]]) -> None:
        connection.exec_driver_sql("PRAGMA cache_size=-400000")
        insert_rows(connection, user_memory, batch)

    for batch in batches(rows, words, clock):
        await database.write(write, batch=batch)
    await database.compact(rebuild=False)


# --- measuring ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Times:
    """The durations of one repeated operation, in seconds."""

    name: str
    durations_s: Sequence[float]
    match_count: int = 0

    def result(self) -> dict[str, Any]:
        """Return the printed figures."""
        return {
            "what": self.name,
            "p50_ms": percentile_ms(self.durations_s, 50),
            "p95_ms": percentile_ms(self.durations_s, 95),
            "n": len(self.durations_s),
            "found": self.match_count,
        }


async def time_searches(searcher: MemorySearch, rounds: int) -> tuple[list[Times], float]:
    """Run every query once a round; returns the times and the yardstick (milliseconds)."""
    durations_s: dict[str, list[float]] = {name: [] for name in QUERIES}
    match_counts: dict[str, int] = {}
    yardstick = []
    for _ in range(rounds):
        started_at = time.perf_counter()
        sum(range(1_000_000))
        yardstick.append(time.perf_counter() - started_at)
        for name, words in QUERIES.items():
            started_at = time.perf_counter()
            answer = await searcher.of_server(GUILD, words, OPEN)
            durations_s[name].append(time.perf_counter() - started_at)
            match_counts[name] = len(answer.rows)
    times = [Times(name, durations, match_counts[name]) for name, durations in durations_s.items()]
    return times, round(median(yardstick) * 1000, 2)


async def measure(
    folder: Path,
    rows: Annotated[int, "memories of the server"] = 1_000_000,
    rounds: Annotated[int, "how often each is asked"] = 50,
) -> dict[str, Any]:
    """Make the file, search it, and report."""
    clock, words = SystemClock(), Words(seed=3)
    file = folder / "search.db"
    database = Database(f"sqlite:///{file}", pool_size=2, clock=clock)
    await database.open()
    await fill(database, rows, words, clock)
    searches, yardstick_ms = await time_searches(MemorySearch(database, clock), rounds)
    await database.close()
    results = [search.result() for search in searches]
    slowest = max(result["p95_ms"] for result in results)
    return {
        "rows": rows,
        "file_mb": round(file.stat().st_size / 1e6, 1),
        "searches": results,
        "goal": {"slowest p95 ms": slowest, "limit": GOAL_MS, "met": slowest <= GOAL_MS},
        "environment": {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "yardstick_ms": yardstick_ms,
        },
    }


def table(result: dict[str, Any]) -> str:
    """Return the report as text."""
    lines = [f"{result['rows']:,} rows, {result['file_mb']} MB"]
    lines += [
        f"{timing['what']:<22} {timing['p50_ms']:>9.2f} {timing['p95_ms']:>9.2f} ms"
        f"  found {timing['found']}"
        for timing in result["searches"]
    ]
    return "\n".join([*lines, str(result["goal"]), str(result["environment"])])


main = program("search", __doc__, measure, text=table)


if __name__ == "__main__":
    sys.exit(main())
