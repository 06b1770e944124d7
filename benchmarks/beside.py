"""Measures two checkouts of Kith beside each other: what a start, a question and a prompt cost.

    python -m benchmarks.beside OLD [NEW] [--rounds 3] [--seconds 15]

OLD and NEW are folders of checkouts; NEW is this one by default. Nothing of either is imported
here: this one's benchmarks.stage.world plays Discord and the model in a process of its own, and a
launcher sets discord.py's two addresses and runs each checkout's ``bot.py``. The two take turns; a
first start of each fills its database and its byte code and is not counted. Printed are the medians
and NEW/OLD.

start_cpu_s, start_mb    CPU until Kith is ready, and its resident memory then
first_cpu_s              CPU of the first seconds of questions, which load what they need
question_cpu_ms, mb      CPU per later question until all are answered, and the memory then
prompt_chars             characters of an answer's prompt: its messages and tools, median
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.stage.launch import LAUNCH

ROOT = Path(__file__).resolve().parents[1]
SIZES = ("--servers=2", "--channels=5", "--members=10", "--model-s=0")
QUESTIONS_PER_S = 2.0
FIRST_S = 5.0


class World:
    """The simulated Discord and model server."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "benchmarks.stage.world", *SIZES],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.place = self._line()

    def order(self, do: str, **parameters: Any) -> dict[str, Any]:
        """Give an order (see benchmarks.stage.world) and return its answer."""
        assert self._process.stdin is not None
        print(
            json.dumps({"number": 1, "do": do, **parameters}), file=self._process.stdin, flush=True
        )
        return self._line()

    def close(self) -> None:
        """End the simulation."""
        self._process.kill()
        self._process.wait()

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        return dict(json.loads(self._process.stdout.readline()))


def measure(checkout: Path, folder: Path, seconds: float) -> dict[str, float]:
    """Start a checkout's bot, talk to it for ``seconds``, stop it, and return the figures."""
    world = World()
    settings = {
        "DISCORD_TOKEN": "fake.discord.token",
        "DATABASE_URL": f"sqlite:///{folder / 'kith.db'}",
        "OPENAI_BASE_URL": world.place["model"],
        "OPENAI_API_KEY": "key",
        "DAILY_TOKEN_BUDGET": str(10**9),
        "LINE_PAUSE_S": "0",
        "PYTHONPYCACHEPREFIX": str(folder / "pycache"),
    }
    addresses = world.place["api"], world.place["gateway"]
    bot = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", LAUNCH, *addresses, str(checkout / "bot.py")],
        env={"PATH": os.environ["PATH"], "HOME": str(folder)} | settings,
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert bot.stderr is not None
        log = next((line for line in bot.stderr if "ready as" in line), "")
        if not log:
            raise RuntimeError(f"{checkout} did not start")
        start_cpu_s, start_mb = cpu_s(bot.pid), resident_mb(bot.pid)
        first_answers = talk(world, FIRST_S, seed=2)
        before_cpu_s = cpu_s(bot.pid)
        answers = talk(world, seconds, seed=1) - first_answers
        return {
            "start_cpu_s": start_cpu_s,
            "start_mb": start_mb,
            "first_cpu_s": before_cpu_s - start_cpu_s,
            "question_cpu_ms": 1000 * (cpu_s(bot.pid) - before_cpu_s) / max(answers, 1),
            "mb": resident_mb(bot.pid),
            "prompt_chars": median(world.order("prompts")["answers"]),
        }
    finally:
        bot.send_signal(signal.SIGTERM)
        bot.communicate()
        world.close()


def talk(world: World, seconds: float, seed: int) -> int:
    """Ask questions, wait until all are answered, and return how many answers there are by then."""
    world.order("talk", rate=QUESTIONS_PER_S, seconds=seconds, addressed=1.0, seed=seed)
    asked = world.order("ledger")["asked"]
    while not all(entry["after_ms"] or entry["is_repeat"] for entry in asked):
        time.sleep(0.2)
        asked = world.order("ledger")["asked"]
    return sum(entry["answers"] for entry in asked)


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure both checkouts in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=15.0)
    options = parser.parse_args(arguments)
    checkouts = options.old.resolve(), options.new.resolve()
    runs: list[list[dict[str, float]]] = [[], []]
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place) / name for name in ("old", "new")]
        for folder in folders:
            folder.mkdir()
        for number in range(options.rounds + 1):
            for which, checkout in enumerate(checkouts):
                run = measure(checkout, folders[which], options.seconds if number else 1.0)
                if number:
                    runs[which].append(run)
    print(f"{'':16} {'old':>9} {'new':>9} {'new/old':>8}")
    for name in runs[0][0]:
        old, new = (median(run[name] for run in of_one) for of_one in runs)
        print(f"{name:16} {old:9.2f} {new:9.2f} {new / old:8.2f}")


if __name__ == "__main__":
    main()
