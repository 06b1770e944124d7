"""Measures which share of small faults the tests notice, for the code that must not be wrong.

    python -m benchmarks.mutants [--json] [--area privacy] [--sample 40] [--seed 1] [--jobs 2]

mutmut changes one thing at a time in a copy of the repository: a comparison, a number, a condition,
an argument. Each change is a mutant. Two thirds are left out, because mypy refuses them, as in CI.
For each of the others, the tests of its area (benchmarks/mutants/areas.py) that call the changed
function are run until one fails. A mutant is killed if a test fails or does not end. Log messages
are not changed. The goal is 90 %.

``survivors`` are the others, as diffs. Some do nothing wrong, such as a changed limit that no test
should fix; for the rest, a test is missing. ``--sample 0`` tries every mutant, which takes hours.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.mutants.areas import AREAS, Area
from benchmarks.stage.measuring import goal, print_report

ROOT = Path(__file__).parents[2]
SAMPLE, SEED, JOBS = 40, 1, 2
MAX_SURVIVORS_PERCENT = 10.0
KILLED = frozenset({"killed", "timeout"})
CONFIG = """
[tool.mutmut]
source_paths = ["utils", "cogs"]
only_mutate = {files}
also_copy = ["tests", "sql", "benchmarks", "docs", "bot.py", "README.md"]
pytest_add_cli_args_test_selection = {tests}
process_isolation = "forkserver"
do_not_mutate_patterns = ["_log\\\\."]
"""
TYPE_CHECK = """
type_check_command = [
    "{python}", "-m", "mypy", "--output", "json", "--cache-dir", "{cache}",
    "--disable-error-code", "unused-ignore", {files}
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


def copy_repository(folder: Path) -> None:
    """Copy the files that git knows, and new ones that it does not ignore."""
    listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout  # noqa: S603
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def run_python(folder: Path, *arguments: str) -> str:
    """Run Python in the copy and return its output. Raises RuntimeError with it if that fails."""
    result = subprocess.run(  # noqa: S603
        (sys.executable, *arguments),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode:
        raise RuntimeError(f"{arguments[:3]} failed:\n{result.stdout[-4000:]}")
    return result.stdout


def make_mutants(area: Area, folder: Path) -> tuple[list[str], int]:
    """Make all mutants; returns the names of those mypy accepts, and how many it refuses."""
    project = folder / "pyproject.toml"
    config = project.read_text(encoding="utf-8")
    config += CONFIG.format(files=list(area.files), tests=list(area.tests))
    files = sorted(
        str(file.relative_to(folder)) for name in area.files for file in folder.glob(name)
    )
    type_check = TYPE_CHECK.format(
        python=sys.executable,
        cache=folder.parent / "mypy",
        files=", ".join(f'"{file}"' for file in files),
    )
    project.write_text(config + type_check, encoding="utf-8")
    lines = run_python(folder, "-c", MAKE_MUTANTS).splitlines()
    project.write_text(config, encoding="utf-8")
    made = [line.split() for line in lines if line.startswith("mutant: ")]
    accepted = sorted(name for _, verdict, name in made if verdict == "accepted")
    return accepted, len(made) - len(accepted)


def try_area(area: Area, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Test a sample of an area's mutants in a new copy, and return the figures."""
    copy_repository(folder)
    names, refused_count = make_mutants(area, folder)
    sample = names
    if 0 < options.sample < len(names):
        sample = sorted(random.Random(options.seed).sample(names, options.sample))
    run_python(folder, "-m", "mutmut", "run", "--max-children", str(options.jobs), *sample)
    lines = run_python(folder, "-m", "mutmut", "results", "--all", "true").splitlines()
    status = dict(line.strip().split(": ", 1) for line in lines if ": " in line)
    survivors = [name for name in sample if status[name] not in KILLED]
    return {
        "mutants": len(names),
        "refused_by_mypy": refused_count,
        "tried": len(sample),
        **Counter(status[name].replace(" ", "_") for name in sample),
        "killed_percent": round(100 * (1 - len(survivors) / len(sample)), 1),
        "survivors": {name: run_python(folder, "-m", "mutmut", "show", name) for name in survivors},
    }


def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Try the chosen areas, and return the report."""
    results = {}
    for name in options.area or AREAS:
        print(f"{name} ...", file=sys.stderr)
        results[name] = try_area(AREAS[name], folder / name, options)
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


def as_text(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report with the diffs of its survivors as lines of their own."""
    lines: dict[str, Any] = {}
    for name, result in report.items():
        if name == "goals":
            continue
        lines[name] = {key: value for key, value in result.items() if key != "survivors"}
        for mutant, diff in result["survivors"].items():
            lines[mutant] = "\n" + diff
    return {**lines, "goals": report["goals"]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; a missed goal does not change the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--area", action="append", choices=AREAS, help="may be repeated")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="mutants an area; 0 for all")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=JOBS, help="mutants tried at once")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="kith-mutants-") as folder:
        report = measure(options, Path(folder))
    print_report(report if options.json else as_text(report), as_json=options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
