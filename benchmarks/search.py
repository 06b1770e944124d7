"""Searching one server's memories, in milliseconds, and what the full-text index adds to a write.

    python -m benchmarks.search [--json] [--rows 1000000] [--rounds 50]

It makes a SQLite file of made-up memories of one server, a tenth as many of other servers scattered
among them, and asks ``Searcher.of_server`` for a rare word, a medium one, a very common one (in
half of all rows), for two and for six common words at once, and for one whose rows lie in channels
that the asker cannot read. Then it stores memories one by one, as the bot does, with the index and
without it in turn, and has one erased. The yardstick, a fixed piece of arithmetic timed each round,
tells how busy the machine was.
"""

import argparse
import asyncio
import json
import platform
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy import insert

from benchmarks.hot_path import DIFFERENT_ROWS, Words, blank, different_rows
from utils.clock import SystemClock
from utils.database import memories, search_index
from utils.database.engine import Database, Session
from utils.database.tables import user_memory
from utils.memory.decide import search_stems
from utils.memory.search import Searcher
from utils.model.memory import Evidence, Importance, Kind, Member, Method, Source, Status
from utils.model.plan import NewMemory, Plan

ROWS, ROUNDS = 1_000_000, 50
BATCH = 20_000
WRITES_IN_TURN = 100
GOAL_MS = 200.0
GUILD, OTHER_GUILDS, PER_OTHER = 4_000, range(4_001, 4_021), 11
OPEN, CLOSED = frozenset(range(9_001, 9_007)), 9_100
MEMBERS = 5_000
RARE, MEDIUM, COMMON, SECOND, HIDDEN = "zanzibar", "quokka", "kumquat", "walnut", "submarine"
SHARES = {RARE: 1e-5, MEDIUM: 1e-3, COMMON: 0.5, SECOND: 0.5, HIDDEN: 0.1}
ASKED = {
    "rare": RARE,
    "medium": MEDIUM,
    "common": COMMON,
    "two common": f"{COMMON} {SECOND}",
    "common and rare": f"{COMMON} {RARE}",
    "six frequent": f"{COMMON} {SECOND} dog game brother server",
    "out of reach": HIDDEN,
    "absent": "xylophone",
}


# --- made-up rows -------------------------------------------------------------------------------


def batches(rows: int, words: Words, clock: SystemClock) -> Iterator[list[dict[str, Any]]]:
    """Yield rows of one server, and every eleventh of another, with words of known shares."""
    dice, now = words.dice, clock.now()
    pool = different_rows(words, min(DIFFERENT_ROWS, rows))
    total = rows * PER_OTHER // (PER_OTHER - 1)
    for first in range(0, total, BATCH):
        made = []
        for number in range(first, min(first + BATCH, total)):
            row = pool[number % len(pool)]
            said = [word for word, share in SHARES.items() if dice.random() < share]
            stems, _, rest = row["SearchStems"].partition("\n")
            stems = " ".join([stems, *search_stems(" ".join(said), "", "").split()])
            guild_id = GUILD if number % PER_OTHER else dice.choice(OTHER_GUILDS)
            made.append(
                {
                    **row,
                    "Uid": f"{dice.getrandbits(128):032x}",
                    "GuildId": guild_id,
                    "UserId": dice.randint(1, MEMBERS),
                    "ChannelId": CLOSED if HIDDEN in said else dice.choice(sorted(OPEN)),
                    "Memory": " ".join([row["Memory"], *said]),
                    "SearchStems": f"{stems}\n{rest}",
                    "CreatedAt": now,
                    "LastConfirmedAt": now,
                }
            )
        yield made


async def fill(database: Database, rows: int, words: Words, clock: SystemClock) -> None:
    """Write the file's rows."""

    def write(session: Session, batch: list[dict[str, Any]]) -> None:
        session.exec_driver_sql("PRAGMA cache_size=-400000")
        blanks = blank(user_memory, given=batch[0])
        session.execute(insert(user_memory), [blanks | row for row in batch])

    for batch in batches(rows, words, clock):
        await database.write(partial(write, batch=batch))
    await database.compact(rebuild=False)


def made_up_memory(words: Words, clock: SystemClock) -> NewMemory:
    """Return something to store, as an extraction would have it stored."""
    text, source, before = words.memory(Kind.FACT), words.message(), words.message()
    return NewMemory(
        text=text,
        topics=("pets", "home"),
        importance=Importance.MEDIUM,
        kind=Kind.FACT,
        fact_key="",
        source=Source.CHAT,
        status=Status.ACTIVE,
        confidence=0.9,
        channel_id=min(OPEN),
        stems=search_stems(text, source, before),
        expires_at=None,
        evidence=Evidence(1, min(OPEN), source[:200], Method.MODEL, clock.now()),
    )


# --- measuring ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Times:
    """How often something was done, and how long it took (seconds)."""

    name: str
    taken: Sequence[float]
    found: int = 0

    def result(self) -> dict[str, Any]:
        """Return it as it is printed."""
        cuts = quantiles(self.taken, n=100, method="inclusive")
        return {
            "what": self.name,
            "p50_ms": round(cuts[49] * 1000, 3),
            "p95_ms": round(cuts[94] * 1000, 3),
            "n": len(self.taken),
            "found": self.found,
        }


async def time_searches(searcher: Searcher, rounds: int) -> tuple[list[Times], float]:
    """Ask everything once a round; returns the times, and the yardstick's (milliseconds)."""
    taken: dict[str, list[float]] = {name: [] for name in ASKED}
    found: dict[str, int] = {}
    yardstick = []
    for _ in range(rounds):
        begun = time.perf_counter()
        sum(range(1_000_000))
        yardstick.append(time.perf_counter() - begun)
        for name, words in ASKED.items():
            begun = time.perf_counter()
            answer = await searcher.of_server(GUILD, words, OPEN)
            taken[name].append(time.perf_counter() - begun)
            found[name] = len(answer.rows)
    times = [Times(name, each, found[name]) for name, each in taken.items()]
    return times, round(median(yardstick) * 1000, 2)


async def time_writes(
    database: Database, words: Words, clock: SystemClock, rounds: int
) -> tuple[Times, Times]:
    """Store memories one by one, with the index and without it in turn; leaves no index behind.

    What is stored without it is unknown to it, so that nothing may be searched afterwards.
    """
    taken: dict[bool, list[float]] = {True: [], False: []}

    def switch(session: Session, *, is_indexed: bool) -> None:
        for name, statement in search_index.TRIGGERS.items():
            session.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
            if is_indexed:
                session.exec_driver_sql(statement)

    for _ in range(max(2, rounds // 10)):
        for is_indexed in (True, False):
            await database.write(partial(switch, is_indexed=is_indexed))
            for _ in range(WRITES_IN_TURN):
                member = Member(GUILD, words.dice.randint(1, MEMBERS))
                plan = Plan(inserts=(made_up_memory(words, clock),))
                begun = time.perf_counter()
                store = partial(memories.apply, member=member, plan=plan, actor_id=0)
                await database.write(partial(store, now=clock.now()))
                taken[is_indexed].append(time.perf_counter() - begun)
    return Times("write with the index", taken[True]), Times("write without", taken[False])


async def time_erasing(database: Database, clock: SystemClock) -> float:
    """Return how long the index takes to shed an erased memory (milliseconds)."""
    await database.write(
        lambda session: memories.remove(
            session, Member(GUILD, 1), [2], "erased", now=clock.now(), actor_id=0
        )
    )
    begun = time.perf_counter()
    await database.compact(rebuild=False)
    return round((time.perf_counter() - begun) * 1000, 1)


async def index_bytes(database: Database) -> int:
    """Return how much of the file is the index."""
    query = f'SELECT SUM(LENGTH(block)) FROM "{search_index.NAME}_data"'  # noqa: S608 - a constant
    size: int = await database.read(lambda session: session.exec_driver_sql(query).scalar_one())
    return size


async def measure(rows: int, rounds: int, folder: Path) -> dict[str, Any]:
    """Make the file, search it, write to it, and report."""
    clock, words = SystemClock(), Words(seed=3)
    file = folder / "search.db"
    database = Database(f"sqlite:///{file}", pool_size=2, clock=clock)
    await database.open()
    await fill(database, rows, words, clock)
    searches, yardstick_ms = await time_searches(Searcher(database, clock), rounds)
    size = await index_bytes(database)
    erasing_ms = await time_erasing(database, clock)
    with_index, without = await time_writes(database, words, clock, rounds)
    await database.close()
    results = [one.result() for one in searches]
    slowest = max(result["p95_ms"] for result in results)
    return {
        "rows": rows,
        "file_mb": round(file.stat().st_size / 1e6, 1),
        "index_mb": round(size / 1e6, 1),
        "searches": results,
        "erasing_ms": erasing_ms,
        "writes": [one.result() for one in (with_index, without)],
        "write_ratio": round(median(with_index.taken) / median(without.taken), 3),
        "goal": {"slowest p95 ms": slowest, "limit": GOAL_MS, "met": slowest <= GOAL_MS},
        "environment": {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "yardstick_ms": yardstick_ms,
        },
    }


def table(result: dict[str, Any]) -> str:
    """Write it for people."""
    lines = [f"{result['rows']:,} rows, {result['file_mb']} MB, index {result['index_mb']} MB"]
    lines += [
        f"{one['what']:<22} {one['p50_ms']:>9.2f} {one['p95_ms']:>9.2f} ms  found {one['found']}"
        for one in [*result["searches"], *result["writes"]]
    ]
    lines.append(f"a write with the index takes {result['write_ratio']} times as long")
    lines.append(f"the index sheds what was erased in {result['erasing_ms']} ms")
    return "\n".join([*lines, str(result["goal"]), str(result["environment"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the goal is reported, never a reason to fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rows", type=int, default=ROWS, help="memories of the server")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is asked")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kith-search-") as folder:
        result = asyncio.run(measure(options.rows, options.rounds, Path(folder)))
    print(json.dumps(result, indent=2) if options.json else table(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
