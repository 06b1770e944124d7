"""The program of a benchmark: the parameters of its measurement are its options."""

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest

from benchmarks.stage.measuring import goal
from benchmarks.stage.program import Unusable, program


def measure(
    folder: Path,
    times: Annotated[int, "how often"] = 7,
    sizes: tuple[int, ...] = (1, 2),
    kind: Literal["slow", "fast"] = "slow",
    keep: Path | None = None,
    *,
    is_quick: bool = False,
) -> dict[str, object]:
    assert folder.is_dir()
    assert not list(folder.iterdir())
    return {
        "times": times,
        "sizes": sizes,
        "kind": kind,
        "keep": keep and keep.name,
        "is_quick": is_quick,
    }


def test_options_have_the_types_and_defaults_of_the_parameters(capsys):
    main = program("example", "Measures nothing.", measure)
    assert main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "times": 7,
        "sizes": [1, 2],
        "kind": "slow",
        "keep": None,
        "is_quick": False,
    }
    chosen = ["--times", "3", "--sizes", "5", "6", "--kind", "fast", "--keep", "a/b", "--is-quick"]
    assert main(["--json", *chosen]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "times": 3,
        "sizes": [5, 6],
        "kind": "fast",
        "keep": "b",
        "is_quick": True,
    }


def test_a_report_has_its_figures_then_tables_and_goals_at_the_end(capsys):
    async def measure_both(_folder: Path) -> dict[str, object]:
        goals = [goal("lost", 2, 0), goal("late (ms)", 0.5, 1.5)]
        halves = {"first": {"kept": 10, "dropped": {}}, "last": {"kept": 8, "late": 1}}
        long = [{"id": "a", "text": "x" * 200}, {"id": "b", "text": ""}]
        return {"goals": goals, "asked": 3, "halves": halves, "cases": long}

    assert program("example", None, measure_both)([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "asked: 3",
        "halves:",
        "halves  kept  dropped  late",
        " first    10       {}      ",
        "  last     8              1",
        "",
        "cases:",
        f"id: a; text: {'x' * 200}",
        "id: b; text: ",
        "",
        " NOT MET: lost: 2 (at most 0)",
        "     met: late (ms): 0.5 (at most 1.5)",
    ]


def test_a_parameter_without_a_default_is_required():
    async def needs_data(_folder: Path, data: str) -> dict[str, object]:
        return {"data": data}

    main = program("example", None, needs_data)
    assert main(["--data", "x"]) == 0
    with pytest.raises(SystemExit, match="2"):
        main([])


def test_a_failed_report_and_nothing_to_measure_have_their_exit_statuses(capsys):
    def nothing(_folder: Path) -> dict[str, object]:
        raise Unusable("There is no file.")

    assert program("example", None, lambda _: {"lost": 1}, is_failure=lambda r: r["lost"])([]) == 1
    capsys.readouterr()
    assert program("example", None, nothing)([]) == 2
    assert capsys.readouterr() == ("", "There is no file.\n")
