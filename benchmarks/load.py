"""Many people at once: event-loop stalls, memory, losses and refusals under load.

    python -m benchmarks.load [--json] [--seconds 60] [--rate 200] [--concurrency 8] [--profile]

Twenty servers of twenty channels and fifty members each. Every channel is watched, so that every
message is heard in the full sense: taken in, stored, and examined when its batch is full. People
speak at random moments; one message in ten mentions the bot, and is recorded, answered and read
for memories. The model takes a second. Discord, the model and the people run in a process of
their own (benchmarks/stage.py); the bot runs here, unchanged, with its default settings but for
the token budget, so that most of what is asked for is more than MODEL_CONCURRENCY allows: those
questions are answered late, or refused in a sentence, which is counted apart.

``lost`` counts messages to the bot that are not in the database, and overheard ones that neither
wait there nor were examined. ``stall`` is the longest time in which the event loop kept a sleeper
waiting, ``yardstick`` that of an idle loop in a process beside it: what the machine adds. Memory
is compared from a third of the time on, when caches are warm. ``--profile`` says what stalled it.
"""

import argparse
import asyncio
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from typing import Any

from sqlalchemy import func, select

from benchmarks.measuring import (
    Stalls,
    culprits,
    goal,
    slope,
    tell,
    watch_memory,
    yardstick,
)
from benchmarks.stage_door import StageDoor, on_stage, running
from utils.core import Core
from utils.database.engine import Session
from utils.database.tables import memory_event, message_score, waiting_message
from utils.model.memory import Role

SERVERS, CHANNELS, MEMBERS = 20, 20, 50
MODEL_S = 1.0
RATE, SECONDS, ADDRESSED = 200.0, 60.0, 0.1
STALL_MS = 100.0
GROWTH_MB = 10.0  # from a third of the time on
CALM_S = 5.0
SETTLE_S = 65.0  # a question waits for the model for 60 s at most


async def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Let the people talk, and return the figures."""
    url = f"sqlite:///{folder / 'load.db'}"
    async with (
        on_stage(servers=SERVERS, channels=CHANNELS, members=MEMBERS, model_s=MODEL_S) as stage,
        running(stage.place, url, model_concurrency=options.concurrency) as core,
    ):
        stalls, memory = Stalls(), list[tuple[float, float]]()
        watching = [asyncio.create_task(stalls.watch()), asyncio.create_task(watch_memory(memory))]
        over_s = STALL_MS / 2000 if options.profile else math.inf
        async with yardstick() as ruler:
            with culprits(stalls, over_s) as found:
                said = await stage.order(
                    "talk",
                    rate=options.rate,
                    seconds=options.seconds,
                    addressed=ADDRESSED,
                    seed=options.seed,
                )
            idle_ms, _ = await ruler.communicate(b"")
        for task in watching:
            task.cancel()
        ledger = await settled(stage, core)
        lost = await losses(core, ledger)
        return {
            **report(said, ledger, lost, stalls, memory),
            "yardstick_stall_ms": float(idle_ms),
            **({"stalled_by": dict(found.most_common(12))} if options.profile else {}),
        }


async def settled(stage: StageDoor, core: Core) -> dict[str, Any]:
    """Return the ledger when everything was heard, and nothing more was answered for a while."""
    ledger = await stage.order("ledger")
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLE_S):
            while True:
                await asyncio.sleep(CALM_S)
                before, ledger = ledger, await stage.order("ledger")
                if core.watcher.counts["heard"] >= ledger["said"] and before == ledger:
                    break
    return ledger


async def losses(core: Core, ledger: dict[str, Any]) -> dict[str, int]:
    """Count what was said and is neither stored nor accounted for, and what is there twice."""
    await asyncio.sleep(1.0)  # what was heard last is written within half a second

    def unit(session: Session) -> tuple[list[int], int]:
        events = select(memory_event.c.MessageId).where(memory_event.c.Role == Role.MEMBER)
        kept = sum(
            session.execute(select(func.count()).select_from(one)).scalar_one()
            for one in (waiting_message, message_score)
        )
        return list(session.execute(events).scalars()), kept

    recorded, kept = await core.database.read(unit)
    counts = core.watcher.counts
    return {
        "lost_questions": len({one["id"] for one in ledger["asked"]} - set(recorded)),
        "lost_overheard": ledger["said"] - counts["trivial"] - kept,
        "doubled": len(recorded)
        - len(set(recorded))
        + sum(len(one["after_ms"]) > 1 for one in ledger["asked"]),
    }


def report(
    said: dict[str, Any],
    ledger: dict[str, Any],
    lost: dict[str, int],
    stalls: Stalls,
    memory: Sequence[tuple[float, float]],
) -> dict[str, Any]:
    """Return what there is to report."""
    asked = ledger["asked"]
    answered = [one for one in asked if one["answers"]]
    refusals = Counter(words for one in asked for words in one["refusals"])
    warm = memory[len(memory) // 3 :]
    growth = round(slope(warm) * (warm[-1][0] - warm[0][0]), 1) if warm else 0.0
    waits = sorted(one["after_ms"][0] / 1000 for one in answered)
    return {
        "said": said["said"],
        "took_s": said["took_s"],
        "asked": len(asked),
        "answered": len(answered),
        "refused": sum(refusals.values()),
        "refusals": dict(refusals.most_common()),
        "silent": sum(not one["after_ms"] for one in asked),
        "answer_after_s": percentiles(waits),
        **lost,
        "longest_stall_ms": stalls.worst(),
        "longest_busy_ms": stalls.busiest(),
        "p99_stall_ms": stalls.worst(0.99),
        "stalls_over_50_ms": stalls.over(50.0),
        "probes": len(stalls.late_ms),
        "cpu_s": round(time.process_time(), 1),
        "memory_mb": {"first": round(memory[0][1], 1), "last": round(memory[-1][1], 1)},
        "memory_growth_mb": growth,
        "goals": [
            goal("longest event-loop stall in ms", stalls.worst(), STALL_MS),
            goal("memory growth in MB, once warm", growth, GROWTH_MB),
            goal("events lost", lost["lost_questions"] + lost["lost_overheard"], 0),
            goal("doubled", lost["doubled"], 0),
        ],
    }


def percentiles(ranked: Sequence[float]) -> dict[str, float]:
    """Return the median, the 95th percentile and the longest of figures."""
    if len(ranked) < 2:
        return {}
    cuts = quantiles(ranked, n=20, method="inclusive")
    return {"p50": round(cuts[9], 2), "p95": round(cuts[18], 2), "most": round(ranked[-1], 2)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; goals are reported, never a reason to fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long people talk")
    parser.add_argument("--rate", type=float, default=RATE, help="messages a second, in all")
    parser.add_argument("--concurrency", type=int, default=8, help="MODEL_CONCURRENCY")
    parser.add_argument("--profile", action="store_true", help="say what the loop stalled at")
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kith-load-") as folder:
        tell(asyncio.run(measure(options, Path(folder))), as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
