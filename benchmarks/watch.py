"""Passive watching of real group chat: calls and tokens per 100 messages, stalls, losses, alerts.

    python -m benchmarks.watch [--json] --data DIR [--speed 300] [--limit 200] [--prefilter heated]

It replays the DiscordChatExporter files ``groupchat_*.json`` of DIR through a loopback Discord and
a loopback model, both in a process of their own, each file in its own watched channel, with the
gaps between messages as they were (nights are shortened to 15 minutes). Time runs ``speed`` times
as fast for both sides, so the quiet moments and the patience of the defaults are real ones. The
bot itself runs here, unchanged; ``stall`` is the longest time in which its event loop did nothing
else, ``yardstick`` the same of an idle loop in a process beside it: what the machine adds. Scores
are scripted (benchmarks/watch_stage.py), so the alerts are comparable between runs.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.measuring import Stalls, goal, tell, yardstick
from benchmarks.stage_door import running
from utils.clock import SystemClock
from utils.core import Core
from utils.database import usage
from utils.model.alerts import SAME_INCIDENT
from utils.model.watch import ScoredBatch, Signal
from utils.watching.alert_rules import count_alerts

GOAL_CALLS = 8.0
SPEED = 300.0


class FastClock(SystemClock):
    """A clock whose durations pass ``speed`` times as fast."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def monotonic(self) -> float:
        """Return sped-up seconds."""
        return super().monotonic() * self._speed

    async def sleep(self, seconds: float) -> None:
        """Wait for that many sped-up seconds."""
        await super().sleep(seconds / self._speed)


@asynccontextmanager
async def on_stage(
    files: Sequence[Path], speed: float, limit: int | None
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run the other side in a process of its own until the block ends."""
    arguments = [*map(str, files), "--speed", str(speed)]
    arguments += [] if limit is None else ["--limit", str(limit)]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "benchmarks.watch_stage", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def heard_from(process: asyncio.subprocess.Process) -> dict[str, Any]:
    """Return the next line that the other side prints."""
    if process.stdout is None:
        raise RuntimeError("the other side has no standard output")
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError("the other side ended early")
    return dict(json.loads(line))


async def measure(
    files: Sequence[Path], speed: float, limit: int | None, prefilter: str, folder: Path
) -> dict[str, Any]:
    """Replay the files and return the figures."""
    async with on_stage(files, speed, limit) as process:
        if process.stdin is None:
            raise RuntimeError("the other side has no standard input")
        place = await heard_from(process)
        url = f"sqlite:///{folder / 'watch.db'}"
        batches: list[ScoredBatch] = []

        async def keep(batch: ScoredBatch) -> None:
            batches.append(batch)

        async with running(place, url, FastClock(speed), watch_prefilter=prefilter) as core:
            core.watcher.on_scored(keep)
            stalls = Stalls()
            probing = asyncio.create_task(stalls.watch())
            async with yardstick() as ruler:
                process.stdin.write(b"go\n")
                said = await heard_from(process)
                await until_heard(core, said["said"])
                idle_ms, _ = await ruler.communicate(b"")
            probing.cancel()
            await core.watcher.settle()
            report = await figures(core, place["guild"], said, batches, stalls, speed)
            return {**report, "yardstick_stall_ms": float(idle_ms)}


async def until_heard(core: Core, said: int, within_s: float = 30.0) -> None:
    """Wait until everything that was said has arrived; what never does is reported as lost."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            while core.watcher.counts["heard"] < said:  # noqa: ASYNC110  # a counter tells nobody
                await asyncio.sleep(0.05)


async def figures(
    core: Core,
    guild_id: int,
    said: dict[str, Any],
    batches: Sequence[ScoredBatch],
    stalls: Stalls,
    speed: float,
) -> dict[str, Any]:
    """Return what there is to report."""
    counts = core.watcher.counts
    used = await core.database.read(lambda session: usage.by_day(session, guild_id, date.min))
    spent = [use for use in used if use.purpose == "watch"]
    calls = sum(use.calls for use in spent)
    tokens = sum(use.usage.total for use in spent)
    hundreds = said["messages"] / 100
    scored = sum(len(batch.messages) for batch in batches)
    crossed = [one for batch in batches for one in batch.crossings]
    alerts = count_alerts(batches, SAME_INCIDENT / speed)  # batches bear the real time
    lost = said["said"] - counts["trivial"] - counts["calm"] - scored
    per_hundred = round(calls / hundreds, 2)
    return {
        "messages": said["messages"],
        "said_by_people": said["said"],
        "trivial": counts["trivial"],
        "scored": scored,
        "calm": counts["calm"],
        "lost": lost,
        "calls": calls,
        "calls_per_100": per_hundred,
        "tokens_per_100": round(tokens / hundreds),
        "longest_stall_ms": stalls.worst(),
        "p99_stall_ms": stalls.worst(0.99),
        "crossings_per_1000": {
            signal.value: round(sum(one.signal is signal for one in crossed) / hundreds * 10, 2)
            for signal in Signal
        },
        "alerts_per_1000": round(alerts / hundreds * 10, 2),
        "counts": dict(counts),
        "goals": [
            goal("model calls per 100 messages", per_hundred, GOAL_CALLS),
            goal("messages lost", lost, 0),
        ],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; goals are reported, never a reason to fail."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watch", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--data", type=Path, help="the folder of groupchat_*.json")
    parser.add_argument("--speed", type=float, default=SPEED, help="how much faster time runs")
    parser.add_argument("--limit", type=int, help="only the first messages of each file")
    parser.add_argument("--prefilter", choices=("off", "heated"), default="off")
    options = parser.parse_args(arguments)
    files = sorted(options.data.glob("groupchat_*.json")) if options.data else []
    if not files:
        skipped = "There are no groupchat_*.json files; name their folder with --data DIR."
        print(json.dumps({"skipped": skipped}) if options.json else skipped)
        return 0
    with tempfile.TemporaryDirectory(prefix="kith-watch-") as folder:
        result = asyncio.run(
            measure(files, options.speed, options.limit, options.prefilter, Path(folder))
        )
    tell(result, as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
