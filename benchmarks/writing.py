"""Measures what the write path keeps: statements as notes or quotes, and no lies.

    python -m benchmarks.writing [--data FILE...] [--conversations FILE...] [--control] [--json]
        [--cases] [--verdicts oracle|all|none]

Plays cases from files (docs/internals/writing.md) through the real recorder, checks, verifier
client, consolidation and database. The loopback model server of tests/fakes answers extractions
with a case's candidates, and verifications with its verdicts. Cases without candidates run without
a model, and so do conversations: what one member says over weeks, and asks then. Without --data and
--conversations those of benchmarks/datasets/writing are played.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from benchmarks.datasets.writing_cases import (
    Label,
    Verdicts,
    load_cases,
    load_conversations,
)
from benchmarks.stage.answer_stage import AnsweredQuestion, answer_stage
from benchmarks.stage.call_stage import PlayedTalk, load_bursts, play_talk
from benchmarks.stage.control_stage import control_stages, load_control
from benchmarks.stage.program import program
from benchmarks.stage.writing_stage import NO_MODEL, CaseOutcome, PlayedCase, WritingStage, stages

CONTROL = Path(__file__).parent / "datasets" / "writing" / "control.json"
DEVELOPMENT = Path(__file__).parent / "datasets" / "writing" / "development.json"
CONVERSATIONS = DEVELOPMENT.with_name("conversations.json")
TALK = DEVELOPMENT.with_name("talk.json")
WRONG = (Label.LIE, Label.TRAP)


async def measure(
    folder: Path,
    *,
    data: tuple[Path, ...] = (),
    conversations: tuple[Path, ...] = (),
    cases: Annotated[bool, "print each case"] = False,
    control: Annotated[bool, "play wishes to forget, correct and remember too"] = False,
    verdicts: Annotated[Verdicts | None, "instead of each case's own"] = None,
) -> dict[str, Any]:
    """Play all cases, and return the report. Raises Unusable for a file that is not well-formed."""
    plays_shipped = not data and not conversations
    if plays_shipped:
        data, conversations = (DEVELOPMENT,), (CONVERSATIONS,)
    loaded = [case for file in data for case in load_cases(file)]
    talks = [talk for file in conversations for talk in load_conversations(file)]
    played: list[PlayedCase] = []
    async with stages(folder, verdicts) as (with_model, without_model):
        for case in loaded:
            stage = without_model if case.candidates is None else with_model
            played.append(await stage.play(case))
        figures = report(played, with_model) | {"prints_cases": cases}
    async with answer_stage(folder) as answers:
        answered = [answer for talk in talks for answer in await answers.play(talk)]
    by_kind: dict[str, list[AnsweredQuestion]] = defaultdict(list)
    for answer in answered:
        by_kind[answer.conversation.kind].append(answer)
    figures["conversations"] = {
        kind: {
            "questions": len(answers),
            "right": sum(answer.is_right for answer in answers),
            "wrong": sum(answer.is_wrong for answer in answers),
            "each": [
                {
                    "id": answer.conversation.id,
                    "ask": answer.question.ask,
                    "answer": answer.answer,
                    "is_right": answer.is_right,
                    "is_wrong": answer.is_wrong,
                }
                for answer in answers
            ],
        }
        for kind, answers in by_kind.items()
    }
    figures["talk"] = _talk(await play_talk(folder, load_bursts(TALK))) if plays_shipped else {}
    return figures | {"control": await measure_control(folder) if control else {}}


async def measure_control(folder: Path, file: Path = CONTROL) -> dict[str, Any]:
    """Return how many wishes of each kind were carried out, with a model and without, and which
    were not."""
    wishes, figures = load_control(file), {}
    async with control_stages(folder) as stages_by_model:
        for name, stage in zip(("with_a_model", NO_MODEL), stages_by_model, strict=True):
            results = [await stage.play(wish) for wish in wishes]
            done = Counter(result.case.kind for result in results if result.is_done)
            totals = Counter(wish.kind for wish in wishes)
            figures[name] = {
                "done": {kind: [done[kind], total] for kind, total in totals.items()},
                "missed": [result.case.wish for result in results if not result.is_done],
            }
    return figures


def report(played: Sequence[PlayedCase], stage: WritingStage) -> dict[str, Any]:
    """Return the figures of played cases: per label, questions, prompt tokens, each case."""
    labels: dict[str, list[CaseOutcome]] = defaultdict(list)
    for case in played:
        for label, outcome in zip(case.case.labels, case.outcomes, strict=True):
            labels[label].append(outcome)
    asked = [case for case in played if case.case.ask]
    by_rules = [case for case in asked if case.case.candidates is None]
    wrong = [
        {"id": case.case.id, "label": label, "notes": list(case.notes)}
        for case in played
        for label, outcome in zip(case.case.labels, case.outcomes, strict=True)
        if label in WRONG and outcome.kind == CaseOutcome.NOTE
    ]
    return {
        "cases": len(played),
        "labels": {label: _rates(outcomes) for label, outcomes in sorted(labels.items())},
        "learnt_wrongly": wrong,
        "asked": {
            "with_a_model": _answered([case for case in asked if case not in by_rules]),
            NO_MODEL: _answered(by_rules),
        },
        "tokens": {name: _spread(sizes) for name, sizes in stage.prompt_tokens.items()},
        "each_case": [_case_entry(case) for case in played],
    }


def _talk(played: PlayedTalk) -> dict[str, Any]:
    """Return the calls of a week of talk, and the prompt tokens of a burst that teaches."""
    memory, answers = zip(*played.teaching, strict=True)
    return {
        "messages": played.messages,
        "calls": dict(played.calls),
        "memory_calls_per_100": round(100 * played.memory_calls / played.messages, 1),
        "teaching_burst": {"memory": _spread(memory), "answers": _spread(answers)},
    }


def _rates(outcomes: Sequence[CaseOutcome]) -> dict[str, Any]:
    """Return how many items of a label became notes and quotes, and why the others were dropped."""
    total, kinds = len(outcomes), Counter(outcome.kind for outcome in outcomes)
    notes, quotes = kinds[CaseOutcome.NOTE], kinds[CaseOutcome.QUOTE]
    dropped = Counter(outcome.reason for outcome in outcomes if outcome.reason)
    return {
        "items": total,
        "notes": notes,
        "quotes": quotes,
        "dropped": dict(dropped.most_common()),
        "note_share": round(notes / total, 3),
        "kept_share": round((notes + quotes) / total, 3),
    }


def _answered(cases: Sequence[PlayedCase]) -> dict[str, Any]:
    """Return how many questions were answered: every expected word stands in block or answer."""
    return {
        "questions": len(cases),
        "answered": sum(case.is_answered for case in cases),
        "in_block": sum(case.is_in_block for case in cases),
    }


def _spread(sizes: Sequence[int]) -> dict[str, int]:
    """Return the median, the 95th percentile and the maximum of prompt sizes, in tokens."""
    ordered = sorted(sizes) or [0]
    last = len(ordered) - 1
    return {
        "calls": len(sizes),
        "p50": ordered[last // 2],
        "p95": ordered[round(last * 0.95)],
        "max": ordered[-1],
    }


def _case_entry(played: PlayedCase) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": played.case.id,
        "labels": list(played.case.labels),
        "outcomes": [str(outcome) for outcome in played.outcomes],
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


def write_lines(figures: dict[str, Any]) -> str:
    """Return the report as text; with each case if asked for."""
    lines = [f"{figures['cases']} cases"]
    for label, rates in figures["labels"].items():
        dropped = ", ".join(f"{count} {reason}" for reason, count in rates["dropped"].items())
        lines.append(
            f"{label:10} {rates['items']:4} | notes {rates['notes']:4} ({rates['note_share']:.1%}) "
            f"| quotes {rates['quotes']:4} | kept {rates['kept_share']:.1%} "
            f"| dropped: {dropped or 'none'}"
        )
    lines.append(f"learnt wrongly: {len(figures['learnt_wrongly'])}")
    lines += [f"  {item['id']}: {' | '.join(item['notes'])}" for item in figures["learnt_wrongly"]]
    for name, asked in figures["asked"].items():
        if asked["questions"]:
            share = asked["answered"] / asked["questions"]
            lines.append(
                f"questions, {name.replace('_', ' ')}: {asked['answered']} of "
                f"{asked['questions']} answered ({share:.1%}), {asked['in_block']} in the block"
            )
    for name, spread in figures["tokens"].items():
        lines.append(
            f"prompt tokens (estimated), {name}: p50 {spread['p50']}, p95 {spread['p95']}, "
            f"max {spread['max']} in {spread['calls']} calls"
        )
    if talk := figures["talk"]:
        bursts = {name: spread["p50"] for name, spread in talk["teaching_burst"].items()}
        lines.append(
            f"a week of talk: {talk['memory_calls_per_100']} calls per 100 messages besides "
            f"answers; a burst that teaches (estimated prompt tokens): p50 {bursts['memory']}, "
            f"its answers {bursts['answers']}"
        )
    for name, wishes in figures["control"].items():
        done = ", ".join(
            f"{kind} {done} of {total}" for kind, (done, total) in wishes["done"].items()
        )
        lines.append(
            f"wishes, {name.replace('_', ' ')}: {done}; missed: {wishes['missed'] or 'none'}"
        )
    for kind, rates in figures["conversations"].items():
        lines.append(
            f"conversations, {kind}: {rates['right']} of {rates['questions']} right, "
            f"{rates['wrong']} quote something else"
        )
    if figures["prints_cases"]:
        lines += [
            f"{kind} {entry['id']}: {'right' if entry['is_right'] else 'NOT right'}"
            f"{', something else' if entry['is_wrong'] else ''}: "
            f"{entry['ask']} -> {entry['answer']}"
            for kind, rates in figures["conversations"].items()
            for entry in rates["each"]
        ]
        lines += ["", *(_case_line(entry) for entry in figures["each_case"])]
    return "\n".join(lines)


def _case_line(entry: dict[str, Any]) -> str:
    pairs = zip(entry["labels"], entry["outcomes"], strict=True)
    parts = [entry["id"], ", ".join(f"{label}: {outcome}" for label, outcome in pairs)]
    parts += [f"notes: {' | '.join(entry['notes'])}"] if entry["notes"] else []
    parts += [f"quotes: {' | '.join(entry['quotes'])}"] if entry["quotes"] else []
    if "ask" in entry:
        mark = "answered" if entry["answered"] else "NOT answered"
        parts.append(f"{mark}: {entry['ask']} -> {entry['answer']}")
    return "; ".join(parts)


main = program(
    "writing",
    __doc__,
    measure,
    text=write_lines,
    is_failure=lambda figures: figures["learnt_wrongly"],
)


if __name__ == "__main__":
    sys.exit(main())
