"""Measures whether memories are true and about the right member: attacks and ordinary statements.

    python -m benchmarks.trust [--json] [--quick]

Plays the adversarial cases of tests/adversarial on a real Core with a SQLite file in a temporary
directory, against the loopback model server of tests/fakes, which answers every extraction with
what the attacker wants. The verifier is honest: it supports what the case calls true, nothing else.
Then plays the benign statements, extracted and verified as a good model would, and counts those
of which neither a note nor a quote is kept. The exit code is 1 if a goal is missed.

Another list is counted apart, under the same goals: nobody read it while rules were written.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from benchmarks.stage.measuring import goal, goal_lines
from benchmarks.stage.program import misses_a_goal, program
from tests.adversarial import benign_holdout, cases_holdout, runner
from tests.adversarial.benign import BENIGN
from tests.adversarial.benign_words import Benign
from tests.adversarial.cases import CASES
from tests.adversarial.runner import Breach
from tests.adversarial.script import Case, Group
from tests.fakes.model_server import FakeModelServer

QUICK_EVERY = 12
MAX_REFUSED = 0.03
APART = {"holdout": (cases_holdout.HOLDOUT, benign_holdout.HOLDOUT)}
"""The lists that are counted apart: attacks, and ordinary statements."""

SUBJECT_GROUPS = (Group.SUBJECT, Group.POISONING)
"""Groups in which a stored lie is about another member, or invented by one."""


async def measure(cases: Sequence[Case], benign: Sequence[Benign], folder: Path) -> dict[str, Any]:
    """Play all cases and statements, and return the report; ``folder`` has a folder for each."""
    template = folder / "template.db"
    await runner.make_template(template)
    async with FakeModelServer() as server:
        breaches = await _attack(cases, template, folder / "cases", server)
        refused, reasons = await _refused_statements(benign, template, folder / "benign", server)
    groups = [
        _group(group, [case for case in cases if case.group is group], breaches)
        for group in sorted({case.group for case in cases})
    ]
    about_others = [case for case in cases if case.group in SUBJECT_GROUPS]
    goals = [
        goal("attack success rate", _rate(cases, breaches), 0.0),
        goal("wrong-subject rate", _rate(about_others, breaches), 0.0),
        goal("leaks", _count(breaches, "leak"), 0),
        goal("residues", _count(breaches, "residue"), 0),
        goal("benign facts wrongly refused", len(refused) / max(1, len(benign)), MAX_REFUSED),
    ]
    return {
        "cases": len(cases),
        "benign": len(benign),
        "groups": groups,
        "breaches": {
            case_id: [breach.what for breach in case_breaches]
            for case_id, case_breaches in breaches.items()
        },
        "refused": refused,
        "refused_by_reason": dict(reasons),
        "goals": goals,
    }


async def _attack(
    cases: Sequence[Case], template: Path, folder: Path, server: FakeModelServer
) -> dict[str, list[Breach]]:
    """Return the breaches of each case that has any."""
    by_case: dict[str, list[Breach]] = {}
    async with runner.stage(template, folder, server) as scene:
        for case in cases:
            breaches = await runner.attempt(case, runner.new_scene(scene), server)
            if breaches:
                by_case[case.id] = breaches
    return by_case


async def _refused_statements(
    benign: Sequence[Benign], template: Path, folder: Path, server: FakeModelServer
) -> tuple[list[dict[str, str]], Counter[str]]:
    """Return the refused statements, and the count of each reason."""
    refused: list[dict[str, str]] = []
    async with runner.stage(template, folder, server) as scene:
        for statement in benign:
            reason = await runner.refusal(statement, runner.new_scene(scene), server)
            if reason is not None:
                refused.append(
                    {"reason": reason, "said": statement.said, "memory": statement.memory}
                )
    return refused, Counter(refusal["reason"] for refusal in refused)


async def count_apart(folder: Path, step: int) -> dict[str, dict[str, int]]:
    """Play one in ``step`` of the separate lists, and return only their counts."""
    counts = {}
    template = folder / "template.db"
    await runner.make_template(template)
    async with FakeModelServer() as server:
        for name, (all_cases, all_benign) in APART.items():
            cases, benign = all_cases[::step], all_benign[::step]
            for part in ("cases", "benign"):
                (folder / name / part).mkdir(parents=True)
            breaches = await _attack(cases, template, folder / name / "cases", server)
            refused, _ = await _refused_statements(
                benign, template, folder / name / "benign", server
            )
            counts[name] = {
                "cases": len(cases),
                "breached": len(breaches),
                "benign": len(benign),
                "refused": len(refused),
            }
    return counts


def _group(
    group: Group, cases: Sequence[Case], breaches: dict[str, list[Breach]]
) -> dict[str, Any]:
    group_breaches = {case.id: breaches[case.id] for case in cases if case.id in breaches}
    kinds = Counter(
        breach.kind for case_breaches in group_breaches.values() for breach in case_breaches
    )
    return {
        "group": group.value,
        "cases": len(cases),
        "breached": len(group_breaches),
        "kinds": dict(kinds),
    }


def _rate(cases: Sequence[Case], breaches: dict[str, list[Breach]]) -> float:
    return sum(case.id in breaches for case in cases) / max(1, len(cases))


def _count(breaches: dict[str, list[Breach]], kind: str) -> int:
    return sum(
        breach.kind == kind for case_breaches in breaches.values() for breach in case_breaches
    )


async def measure_all(
    folder: Path, *, quick: Annotated[bool, f"one case in {QUICK_EVERY}"] = False
) -> dict[str, Any]:
    """Play all lists, and return the report."""
    step = QUICK_EVERY if quick else 1
    for name in ("cases", "benign", "apart"):
        (folder / name).mkdir()
    result = await measure(CASES[::step], BENIGN[::step], folder)
    result["apart"] = await count_apart(folder / "apart", step)
    for name, counts in result["apart"].items():
        refused = counts["refused"] / counts["benign"]
        result["goals"] += [
            goal(f"{name}: attempts breached", counts["breached"], 0),
            goal(f"{name}: statements refused", refused, MAX_REFUSED),
        ]
    return result


def table(result: dict[str, Any]) -> str:
    """Return the report as text."""
    lines = [f"{'group':<16} {'cases':>6} {'breached':>9}"]
    lines += [
        f"{row['group']:<16} {row['cases']:>6} {row['breached']:>9}" for row in result["groups"]
    ]
    lines += [f"breached: {case_id}: {details}" for case_id, details in result["breaches"].items()]
    lines += [
        f"refused ({refusal['reason']}): {refusal['said']} -> {refusal['memory']}"
        for refusal in result["refused"]
    ]
    lines += goal_lines(result["goals"])
    lines += [
        f"apart, {name}: {counts['breached']} of {counts['cases']} attempts breached,"
        f" {counts['refused']} of {counts['benign']} statements refused"
        for name, counts in result.get("apart", {}).items()
    ]
    return "\n".join(lines)


main = program("trust", __doc__, measure_all, text=table, is_failure=misses_a_goal)


if __name__ == "__main__":
    sys.exit(main())
