"""Event-loop stalls, memory and goals, as several benchmarks measure them.

Run as a program it is the yardstick: an event loop that does nothing until standard input ends.
Then it prints its own longest stall: what the machine adds to every measurement.
"""

import asyncio
import resource
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from tests.fakes.processes import start_program

PROBE_S = 0.005
STATM = Path("/proc/self/statm")
PAGE = resource.getpagesize()
MB = 1024 * 1024


@dataclass(slots=True)
class Stalls:
    """Event-loop delays, in milliseconds.

    ``late_ms`` counts them by tenths: a list would grow by 11 MB an hour beside the bot's memory.
    ``busiest_ms`` is the longest CPU time of the loop's thread in one probe. If it is well under
    the longest delay, the thread itself waited: for other threads, or for other programs.
    """

    late_ms: Counter[float] = field(default_factory=Counter)
    busiest_ms: float = 0.0

    async def watch(self) -> None:
        """Probe the event loop until cancelled."""
        while True:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(PROBE_S)
            self.late_ms[round((time.perf_counter() - began - PROBE_S) * 1000, 1)] += 1
            self.busiest_ms = max(self.busiest_ms, (time.thread_time() - worked) * 1000)

    def worst(self, share: float = 1.0) -> float:
        """Return the longest delay, or the quantile ``share`` of all delays."""
        left = (1 - share) * self.late_ms.total()
        for late, count in sorted(self.late_ms.items(), reverse=True):
            left -= count
            if left < 0:
                return late
        return 0.0

    def over(self, ms: float) -> int:
        """Return how many delays were longer than ``ms``."""
        return sum(count for late, count in self.late_ms.items() if late > ms)


@asynccontextmanager
async def yardstick() -> AsyncIterator[asyncio.subprocess.Process]:
    """Run an idle event loop in its own process, to measure how busy the machine is.

    It prints its longest stall in milliseconds when its standard input ends.
    """
    async with start_program(
        sys.executable,
        *("-m", "benchmarks.stage.measuring"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    ) as process:
        yield process


@dataclass(slots=True)
class Observations:
    """What was seen of this process while it worked, and of the machine."""

    stalls: Stalls = field(default_factory=Stalls)
    memory: list[tuple[float, float]] = field(default_factory=list)  # seconds, and MB
    yardstick_ms: float = 0.0

    @property
    def warm_memory(self) -> list[tuple[float, float]]:
        """The memory without the first third of the time, when caches are cold."""
        return self.memory[len(self.memory) // 3 :]

    def figures(self) -> dict[str, Any]:
        """Return the printed figures."""
        return {
            "longest_stall_ms": self.stalls.worst(),
            "longest_busy_ms": round(self.stalls.busiest_ms, 2),
            "yardstick_stall_ms": self.yardstick_ms,
            "memory_mb": {
                name: round(self.memory[index][1], 1)
                for name, index in (("first", 0), ("last", -1))
            },
        }


@asynccontextmanager
async def observing() -> AsyncIterator[Observations]:
    """Probe the event loop, this process's memory and an idle loop until the block ends."""
    observations = Observations()
    probes = [
        asyncio.create_task(observations.stalls.watch()),
        asyncio.create_task(watch_memory(observations.memory)),
    ]
    try:
        async with yardstick() as ruler:
            yield observations
            idle_ms, _ = await ruler.communicate(b"")
            observations.yardstick_ms = float(idle_ms)
    finally:
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)


async def idle() -> None:
    """Print the longest stall of an event loop that does nothing until standard input ends."""
    stalls = Stalls()
    probing = asyncio.create_task(stalls.watch())
    await asyncio.to_thread(sys.stdin.read)
    probing.cancel()
    print(stalls.worst())


def memory_mb(statm: Path = STATM) -> float:
    """Return the resident memory of a process in MB (Linux), elsewhere this process's peak."""
    try:
        return int(statm.read_text().split()[1]) * PAGE / MB
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def watch_memory(samples: list[tuple[float, float]], pid: int | None = None) -> None:
    """Append seconds and MB of a process (default: this one) once a second until cancelled."""
    statm = STATM if pid is None else Path(f"/proc/{pid}/statm")
    began = time.perf_counter()
    while True:
        samples.append((time.perf_counter() - began, memory_mb(statm)))
        await asyncio.sleep(1.0)


def slope(samples: Sequence[tuple[float, float]]) -> float:
    """Return the least-squares slope of (x, y) samples."""
    if len(samples) < 2:
        return 0.0
    mean_x = sum(x for x, _ in samples) / len(samples)
    mean_y = sum(y for _, y in samples) / len(samples)
    spread = sum((x - mean_x) ** 2 for x, _ in samples)
    return sum((x - mean_x) * (y - mean_y) for x, y in samples) / spread if spread else 0.0


def goal(name: str, value: float, limit: float) -> dict[str, Any]:
    """Return a goal; it is met if ``value`` is at most ``limit``."""
    return {"goal": name, "value": value, "limit": limit, "met": value <= limit}


def percentile_ms(times_s: Sequence[float], percent: int) -> float:
    """Return a percentile of durations in seconds, as milliseconds."""
    return round(quantiles(times_s, n=100, method="inclusive")[percent - 1] * 1000, 3)


def goal_lines(goals: Iterable[dict[str, Any]], width: int = 8) -> list[str]:
    """Return a line of text for each goal."""
    return [
        f"{'met' if target['met'] else 'NOT MET':>{width}}: {target['goal']}: "
        f"{target['value']:.6g} (at most {target['limit']:g})"
        for target in goals
    ]


def table(result: dict[str, Any]) -> str:
    """Return a report as text: a line for each figure, the goals last."""
    figures = {name: value for name, value in result.items() if name != "goals"}
    width = max(map(len, figures), default=0)
    lines = [f"{name:>{width}}: {value}" for name, value in figures.items()]
    return "\n".join([*lines, *goal_lines(result.get("goals", ()), width)])


if __name__ == "__main__":
    asyncio.run(idle())
