"""Event-loop stalls, memory and goals, as several benchmarks measure them."""

import asyncio
import resource
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

PROBE_S = 0.005
STATM = Path("/proc/self/statm")
PAGE = resource.getpagesize()
MB = 1024 * 1024
MAX_WIDTH = 150  # characters of a table's line


@dataclass(slots=True)
class Observations:
    """What was seen of this process while it worked."""

    longest_stall_ms: float = 0.0
    memory: list[tuple[float, float]] = field(default_factory=list)  # seconds, and MB

    async def watch_stalls(self) -> None:
        """Probe the event loop until cancelled."""
        while True:
            began = time.perf_counter()
            await asyncio.sleep(PROBE_S)
            late_ms = (time.perf_counter() - began - PROBE_S) * 1000
            self.longest_stall_ms = max(self.longest_stall_ms, round(late_ms, 1))

    async def watch_memory(self) -> None:
        """Note the seconds and this process's MB once a second until cancelled."""
        began = time.perf_counter()
        while True:
            self.memory.append((time.perf_counter() - began, memory_mb()))
            await asyncio.sleep(1.0)

    @property
    def warm_memory(self) -> list[tuple[float, float]]:
        """The memory without the first third of the time, when caches are cold."""
        return self.memory[len(self.memory) // 3 :]

    def figures(self) -> dict[str, Any]:
        """Return the printed figures."""
        return {
            "longest_stall_ms": self.longest_stall_ms,
            "memory_mb": {
                name: round(self.memory[index][1], 1)
                for name, index in (("first", 0), ("last", -1))
            },
        }


@asynccontextmanager
async def observing() -> AsyncIterator[Observations]:
    """Probe the event loop and this process's memory until the block ends."""
    observations = Observations()
    probes = [
        asyncio.create_task(observations.watch_stalls()),
        asyncio.create_task(observations.watch_memory()),
    ]
    try:
        yield observations
    finally:
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)


def memory_mb(statm: Path = STATM) -> float:
    """Return the resident memory of a process in MB (Linux), elsewhere this process's peak."""
    try:
        return int(statm.read_text().split()[1]) * PAGE / MB
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


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


def table(report: dict[str, Any]) -> str:
    """Return a report as text: a line for each figure, a table of figures of one kind, the goals.

    Figures of one kind are mappings, in a list or by name.
    """
    lines: list[str] = []
    for name, value in report.items():
        if name == "goals":
            continue
        rows = value if isinstance(value, list) else []
        if isinstance(value, dict) and all(isinstance(row, dict) for row in value.values()):
            rows = [{name: key, **row} for key, row in value.items()]
        if rows and isinstance(rows[0], dict):
            lines += [f"{name}:", *row_lines(rows), ""]
        else:
            lines.append(f"{name}: {value}")
    lines += [
        f"{'met' if target['met'] else 'NOT MET':>8}: {target['goal']}: "
        f"{target['value']:.6g} (at most {target['limit']:g})"
        for target in report.get("goals", ())
    ]
    return "\n".join(lines)


def row_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return rows in columns; if these do not fit into a line, each row with its columns' names."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [columns, *([str(row.get(name, "")) for name in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    if sum(widths) > MAX_WIDTH:
        return ["; ".join(f"{name}: {value}" for name, value in row.items()) for row in rows]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in cells
    ]
