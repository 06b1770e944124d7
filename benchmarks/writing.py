"""Measures what the write path keeps: statements as notes or quotes, and no lies.

    python -m benchmarks.writing [--data FILE...] [--control] [--json] [--cases]
        [--verdicts oracle|all|none]

Plays what files have (docs/internals/writing.md) through the real recorder, checks, verifier
client, consolidation and database. The loopback model server of tests/fakes answers extractions
with a case's candidates, and verifications with its verdicts. Cases without candidates run without
a model, and so do conversations: what one member says over weeks, and asks then. Without --data
those of benchmarks/datasets/writing are played, and a week of talk.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median_low
from typing import Annotated, Any

from benchmarks.datasets.writing_cases import ControlCase, Label, Verdicts, load
from benchmarks.stage.answer_stage import AnsweredQuestion, answer_stage
from benchmarks.stage.call_stage import play_talk
from benchmarks.stage.control_stage import control_stages
from benchmarks.stage.program import program
from benchmarks.stage.writing_stage import DROPPED, NO_MODEL, PlayedCase, stages
from utils.models.memory import Form

FOLDER = Path(__file__).parent / "datasets" / "writing"
SHIPPED = tuple(FOLDER / f"{name}.json" for name in ("development", "conversations", "talk"))
CONTROL = FOLDER / "control.json"
WITH_MODEL = "with_a_model"
WRONG = (Label.LIE, Label.TRAP)


async def measure(
    folder: Path,
    *,
    data: tuple[Path, ...] = SHIPPED,
    cases: Annotated[bool, "print each case"] = False,
    control: Annotated[bool, "play wishes to forget, correct and remember too"] = False,
    verdicts: Annotated[Verdicts | None, "instead of each case's own"] = None,
) -> dict[str, Any]:
    """Play all cases, and return the report. Raises Unusable for a file that is not well-formed."""
    files = [load(file) for file in (*data, *((CONTROL,) if control else ()))]
    played: list[PlayedCase] = []
    async with stages(folder, verdicts) as (with_model, without_model):
        for case in (case for file in files for case in file.cases):
            stage = without_model if case.candidates is None else with_model
            played.append(await stage.play(case))
    async with answer_stage(folder) as answers:
        said = (conversation for file in files for conversation in file.conversations)
        answered = [answer for conversation in said for answer in await answers.play(conversation)]
    figures = report(played, answered)
    if wishes := [wish for file in files for wish in file.wishes]:
        figures["wishes"] = await play_wishes(folder, wishes)
    if bursts := [burst for file in files for burst in file.bursts]:
        talk = await play_talk(folder, bursts)
        memory, prompts = zip(*talk.teaching, strict=True)  # tokens, estimated
        figures["talk"] = {
            "messages": talk.messages,
            "calls": dict(talk.calls),
            "memory_calls_per_100": round(100 * talk.memory_calls / talk.messages, 1),
            "teaching_burst_p50": {"memory": median_low(memory), "answers": median_low(prompts)},
        }
    if cases:
        figures["each_case"] = [_case_entry(case) for case in played]
        figures["each_answer"] = [
            {
                "id": answer.conversation.id,
                "kind": answer.conversation.kind,
                "is_right": answer.is_right,
                "is_wrong": answer.is_wrong,
                "ask": answer.question.ask,
                "answer": answer.answer,
            }
            for answer in answered
        ]
    return figures


async def play_wishes(folder: Path, wishes: Sequence[ControlCase]) -> dict[str, Any]:
    """Return how many wishes of each kind were carried out, with a model and without, and which
    were not."""
    figures = {}
    totals = Counter(wish.kind for wish in wishes)
    async with control_stages(folder) as stages_by_model:
        for name, stage in zip((WITH_MODEL, NO_MODEL), stages_by_model, strict=True):
            results = [await stage.play(wish) for wish in wishes]
            done = Counter(result.case.kind for result in results if result.is_done)
            figures[name] = {
                **{kind: f"{done[kind]} of {total}" for kind, total in totals.items()},
                "missed": [result.case.wish for result in results if not result.is_done],
            }
    return figures


def report(played: Sequence[PlayedCase], answered: Sequence[AnsweredQuestion]) -> dict[str, Any]:
    """Return the figures of played cases and conversations: per label, and of questions."""
    labels: dict[str, list[str]] = defaultdict(list)
    for case in played:
        for label, outcome in zip(case.case.labels, case.outcomes, strict=True):
            labels[label].append(outcome)
    asked: dict[str, list[PlayedCase]] = defaultdict(list)
    for case in played:
        if case.case.ask:
            asked[NO_MODEL if case.case.candidates is None else WITH_MODEL].append(case)
    by_kind: dict[str, list[AnsweredQuestion]] = defaultdict(list)
    for answer in answered:
        by_kind[answer.conversation.kind].append(answer)
    return {
        "cases": len(played),
        "labels": {label: _rates(outcomes) for label, outcomes in sorted(labels.items())},
        "learnt_wrongly": [
            {"id": case.case.id, "label": label, "notes": list(case.notes)}
            for case in played
            for label, outcome in zip(case.case.labels, case.outcomes, strict=True)
            if label in WRONG and outcome == Form.NOTE
        ],
        "asked": {
            name: {
                "questions": len(cases),
                "answered": sum(case.is_answered for case in cases),
                "in_block": sum(case.is_in_block for case in cases),
            }
            for name, cases in asked.items()
        },
        "conversations": {
            kind: {
                "questions": len(answers),
                "right": sum(answer.is_right for answer in answers),
                "wrong": sum(answer.is_wrong for answer in answers),
            }
            for kind, answers in by_kind.items()
        },
    }


def _rates(outcomes: Sequence[str]) -> dict[str, Any]:
    """Return how many items of a label became notes and quotes, and why the others were dropped."""
    notes, quotes = outcomes.count(Form.NOTE), outcomes.count(Form.QUOTE)
    dropped = Counter(
        outcome.removeprefix(DROPPED) for outcome in outcomes if outcome.startswith(DROPPED)
    )
    return {
        "items": len(outcomes),
        "notes": notes,
        "quotes": quotes,
        "note_share": round(notes / len(outcomes), 3),
        "kept_share": round((notes + quotes) / len(outcomes), 3),
        "dropped": dict(dropped.most_common()),
    }


def _case_entry(played: PlayedCase) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": played.case.id,
        "outcomes": [
            f"{label}: {outcome}"
            for label, outcome in zip(played.case.labels, played.outcomes, strict=True)
        ],
        "notes": list(played.notes),
        "quotes": list(played.quotes),
    }
    if played.case.ask:
        entry |= {
            "ask": played.case.ask,
            "expect": list(played.case.expect),
            "answered": played.is_answered,
            "answer": played.answer,
        }
    return entry


main = program("writing", __doc__, measure, is_failure=lambda figures: figures["learnt_wrongly"])


if __name__ == "__main__":
    sys.exit(main())
