"""Measures which share of small faults the tests notice, for the code that must not be wrong.

    python -m benchmarks.mutants [--json] [--area privacy] [--sample 40] [--seed 1] [--jobs 2]

mutmut changes one thing at a time in a copy of the repository: a comparison, a number, a condition,
an argument. Each change is a mutant. Two thirds are left out, because mypy refuses them, as in CI.
Log messages are not changed. The tests (benchmarks/mutants/areas.py) run once to find out which of
them call the changed functions. Those run against each mutant until one fails, the most specific
first, as many as take 100 seconds of processor time. A mutant is killed if a test fails or does not
end. The goal is 90 %.

``survivors`` are the others, as diffs. Some do nothing wrong, such as a changed limit that no test
should fix; for the rest, a test is missing. ``--sample 0`` tries every mutant, which takes hours.
"""

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Annotated, Any

from benchmarks.mutants.areas import AREAS, TESTS
from benchmarks.stage.measuring import goal, table
from benchmarks.stage.program import program

ROOT = Path(__file__).parents[2]
MAX_SURVIVORS_PERCENT = 10.0
KILLED = frozenset({"killed", "timeout"})
CONFIG = """
[tool.mutmut]
source_paths = ["utils", "cogs"]
only_mutate = {files}
also_copy = ["tests", "sql", "benchmarks", "docs", "bot.py", "README.md"]
do_not_mutate_patterns = ["_log\\\\."]
type_check_command = [
    "{python}", "-m", "mypy", "--output", "json", "--cache-dir", "{cache}",
    "--disable-error-code", "unused-ignore", {typed_files}
]
"""
# Runs in the copy, where mutmut reads its configuration: makes all mutants and prints their names,
# each with the word of mypy on it.
MAKE_MUTANTS = """
from pathlib import Path
from mutmut import __main__ as mutmut
mutmut.set_mutant_under_test("mutant_generation")
Path("mutants").mkdir()
mutmut.copy_src_dir()
mutmut.copy_also_copy_files()
mutmut.setup_source_paths()
mutmut.create_mutants(1)
refused = mutmut.filter_mutants_with_type_checker()
mutants, _ = mutmut.collect_source_file_mutation_data(mutant_names=())
for _, name, _ in mutants:
    print("mutant:", "refused" if name in refused else "accepted", name)
"""
SHOW_MUTANTS = """
import json, sys
from mutmut.mutation.diff_apply import find_mutant, get_diff_for_mutant
names = sys.argv[1:]
print(json.dumps({n: get_diff_for_mutant(n, path=find_mutant(n).path) for n in names}))
"""


def copy_repository(folder: Path) -> None:
    """Copy the files that git knows, and new ones that it does not ignore."""
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S603
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def run_python(folder: Path, *arguments: str, codes: Collection[int] = (0,)) -> str:
    """Run Python in the copy and return its output.

    Raises RuntimeError with it if the exit status is none of ``codes``.
    """
    result = subprocess.run(  # noqa: S603
        (sys.executable, *arguments),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode not in codes:
        raise RuntimeError(f"{arguments[:3]} failed:\n{result.stdout[-4000:]}")
    return result.stdout


def make_mutants(patterns: Iterable[str], folder: Path) -> tuple[list[str], list[str]]:
    """Make all mutants of files; returns the names of those mypy accepts, and of the others."""
    project = folder / "pyproject.toml"
    files = sorted(
        str(file.relative_to(folder)) for pattern in patterns for file in folder.glob(pattern)
    )
    config = CONFIG.format(
        files=files,
        python=sys.executable,
        cache=folder.parent / "mypy",
        typed_files=", ".join(f'"{file}"' for file in files),
    )
    project.write_text(project.read_text(encoding="utf-8") + config, encoding="utf-8")
    lines = run_python(folder, "-c", MAKE_MUTANTS).splitlines()
    made = [line.split() for line in lines if line.startswith("mutant: ")]
    accepted = sorted(name for _, verdict, name in made if verdict == "accepted")
    return accepted, [name for _, verdict, name in made if verdict == "refused"]


def of_area(names: Iterable[str], area: str) -> list[str]:
    """Return the mutants of an area's files."""
    files = {name: PurePath(*name.split(".")[:-1]).with_suffix(".py") for name in names}
    return [name for name, file in files.items() if any(file.match(part) for part in AREAS[area])]


def find_reach(folder: Path, jobs: int) -> None:
    """Run all tests once, to see which functions they call. Those that fail are left out."""
    options = ("-q", "-n", str(jobs), "-p", "no:cacheprovider", "-p", "benchmarks.mutants.reach")
    output = run_python(folder, "-m", "pytest", *options, *TESTS, codes=(0, 1))
    tell(output.rstrip().rpartition("\n")[2])


def try_mutants(names: Sequence[str], folder: Path, jobs: int) -> Iterator[tuple[str, str]]:
    """Yield the name of each mutant and what became of it. Raises RuntimeError if that fails."""
    with subprocess.Popen(  # noqa: S603
        (sys.executable, "-m", "benchmarks.mutants.trials", str(jobs)),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(names))
        process.stdin.close()
        for line in process.stdout:
            name, status = json.loads(line)
            yield name, status
    if process.returncode:
        raise RuntimeError(f"the trials ended with {process.returncode}")


def tell(text: str) -> None:
    """Show how far the measurement is."""
    print(text, file=sys.stderr, flush=True)


def measure(
    folder: Path,
    area: Annotated[
        list[str] | None,
        "may be repeated",
        {"action": "append", "type": str, "choices": AREAS},
    ] = None,
    sample: Annotated[int, "mutants an area; 0 for all"] = 40,
    seed: int = 1,
    jobs: Annotated[int, "mutants tried at once"] = 2,
) -> dict[str, Any]:
    """Try the chosen areas, or all of them, and return the report."""
    areas, repository = area or list(AREAS), folder / "repository"
    tell("making the mutants, and asking mypy about them ...")
    copy_repository(repository)
    accepted, refused = make_mutants([part for name in areas for part in AREAS[name]], repository)
    samples = {}
    for name in areas:
        mutants = of_area(accepted, name)
        if 0 < sample < len(mutants):
            mutants = sorted(random.Random(seed).sample(mutants, sample))
        samples[name] = mutants
    tell("running the tests once, to see what they call ...")
    find_reach(repository / "mutants", jobs)
    chosen, status = [name for mutants in samples.values() for name in mutants], dict[str, str]()
    for name, verdict in try_mutants(chosen, repository / "mutants", jobs):
        status[name] = verdict
        killed = sum(value in KILLED for value in status.values())
        tell(f"{len(status)} of {len(chosen)} tried, {killed} killed; {verdict}: {name}")
    results = {
        name: {
            "mutants": len(of_area(accepted, name)),
            "refused_by_mypy": len(of_area(refused, name)),
            **figures(mutants, status, repository),
        }
        for name, mutants in samples.items()
    }
    return {
        **results,
        "goals": [
            goal(
                f"{name}: mutants that survive, %",
                round(100 - result["killed_percent"], 1),
                MAX_SURVIVORS_PERCENT,
            )
            for name, result in results.items()
        ],
    }


def figures(sample: Sequence[str], status: dict[str, str], repository: Path) -> dict[str, Any]:
    """Return what became of an area's mutants, with the diffs of the survivors."""
    survivors = [name for name in sample if status[name] not in KILLED]
    diffs = run_python(repository, "-c", SHOW_MUTANTS, *survivors).splitlines()[-1]
    return {
        "tried": len(sample),
        **Counter(status[name].replace(" ", "_") for name in sample),
        "killed_percent": round(100 * (1 - len(survivors) / len(sample)), 1),
        "survivors": json.loads(diffs),
    }


def as_text(report: dict[str, Any]) -> str:
    """Return a report as text, with the diffs of its survivors as lines of their own."""
    lines: dict[str, Any] = {}
    for name, result in report.items():
        if name == "goals":
            continue
        lines[name] = {key: value for key, value in result.items() if key != "survivors"}
        for mutant, diff in result["survivors"].items():
            lines[mutant] = "\n" + diff
    return table({**lines, "goals": report["goals"]})


main = program("mutants", __doc__, measure, text=as_text)


if __name__ == "__main__":
    sys.exit(main())
