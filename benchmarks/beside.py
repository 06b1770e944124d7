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
import asyncio
import os
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.stage.measuring import memory_mb
from benchmarks.stage.processes import PYCACHE, ROOT, StageClient, run_stage, start_bot

QUESTIONS_PER_S = 2.0
FIRST_S = 5.0


async def measure(checkout: Path, folder: Path, seconds: float) -> dict[str, float]:
    """Start a checkout's bot, talk to it for ``seconds``, stop it, and return the figures."""
    async with run_stage(servers=2, channels=5, members=10, model_s=0) as stage:
        bot = await start_bot(
            stage.place,
            f"sqlite:///{folder / 'kith.db'}",
            {"HOME": str(folder), PYCACHE: str(folder / "pycache")},
            checkout=checkout,
            folder=folder,
        )
        try:
            await bot.ready()
            pid = bot.process.pid
            statm = Path(f"/proc/{pid}/statm")
            start_cpu_s, start_mb = cpu_s(pid), memory_mb(statm)
            first_answers = await talk(stage, FIRST_S, seed=2)
            before_cpu_s = cpu_s(pid)
            answers = await talk(stage, seconds, seed=1) - first_answers
            return {
                "start_cpu_s": start_cpu_s,
                "start_mb": start_mb,
                "first_cpu_s": before_cpu_s - start_cpu_s,
                "question_cpu_ms": 1000 * (cpu_s(pid) - before_cpu_s) / max(answers, 1),
                "mb": memory_mb(statm),
                "prompt_chars": median((await stage.order("prompts"))["answers"]),
            }
        finally:
            await bot.end(signal.SIGTERM)


async def talk(stage: StageClient, seconds: float, seed: int) -> int:
    """Ask questions, wait until all are answered, and return how many answers there are by then."""
    await stage.order("talk", rate=QUESTIONS_PER_S, seconds=seconds, addressed=1.0, seed=seed)
    asked = (await stage.order("ledger"))["asked"]
    while not all(entry["after_ms"] or entry["is_repeat"] for entry in asked):
        await asyncio.sleep(0.2)
        asked = (await stage.order("ledger"))["asked"]
    return sum(entry["answers"] for entry in asked)


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
            for checkout_index, checkout in enumerate(checkouts):
                seconds = options.seconds if number else 1.0
                run = asyncio.run(measure(checkout, folders[checkout_index], seconds))
                if number:
                    runs[checkout_index].append(run)
    print(f"{'':16} {'old':>9} {'new':>9} {'new/old':>8}")
    for name in runs[0][0]:
        old, new = (median(run[name] for run in of_one) for of_one in runs)
        print(f"{name:16} {old:9.2f} {new:9.2f} {new / old:8.2f}")


if __name__ == "__main__":
    main()
