"""The command ``try-model``: play the conversations with each model, and print a table."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict

from cogs.cli.terminal import TerminalProgress, columns
from cogs.try_model.conversations import load_conversations
from cogs.try_model.trial import RIGHT, TrialKind, TrialReport, try_model
from utils.common.config import Settings
from utils.common.prices import money

BAD = tuple(kind for kind in TrialKind if kind not in RIGHT and kind is not TrialKind.KEPT)
EXPLANATIONS = {
    TrialKind.QUOTED: "only kept as the member's own sentence",
    TrialKind.MISSED: "not learned",
    TrialKind.STALE: "still remembered, though it ended",
    TrialKind.WRONG: "noted, though it was not meant",
    TrialKind.BROKEN: "PROMISE BROKEN, please report it",
}


def _of(report: TrialReport, kind: TrialKind, *others: TrialKind) -> str:
    return f"{report.count(kind)} of {report.count(kind, *others)}"


ROWS: tuple[tuple[str, Callable[[TrialReport], str]], ...] = (
    ("learned rightly", lambda r: _of(r, TrialKind.LEARNT, TrialKind.QUOTED, TrialKind.MISSED)),
    ("  only quoted", lambda r: str(r.count(TrialKind.QUOTED))),
    ("  missed", lambda r: str(r.count(TrialKind.MISSED))),
    ("corrected", lambda r: _of(r, TrialKind.CORRECTED, TrialKind.STALE)),
    ("refused", lambda r: _of(r, TrialKind.REFUSED, TrialKind.WRONG)),
    ("  noted wrongly", lambda r: str(r.count(TrialKind.WRONG))),
    ("judged rightly", lambda r: f"{r.right_share:.0%}"),
    ("promises kept", lambda r: _of(r, TrialKind.KEPT, TrialKind.BROKEN)),
    ("lines without answer", lambda r: str(r.unanswered)),
    ("calls", lambda r: f"{sum(cost.calls for cost in r.costs):,}"),
    ("prompt tokens", lambda r: f"{sum(c.usage.prompt_tokens for c in r.costs):,}"),
    ("answer tokens", lambda r: f"{sum(c.usage.completion_tokens for c in r.costs):,}"),
    ("  of them thoughts", lambda r: f"{r.thought_tokens:,}"),
    ("seconds", lambda r: f"{r.seconds:.0f}"),
)


async def run_try_model(
    settings: Settings, models: Sequence[str], threshold: int, *, as_json: bool
) -> int:
    """Try each model, or the configured ones, and print what came of it.

    Returns 0 if every promise was kept and each model judged at least ``threshold`` percent right,
    else 1. Raises KithError.
    """
    conversations = load_conversations()
    names: Sequence[str | None] = models or (None,)
    with closing(TerminalProgress()) as progress:
        reports = [await try_model(settings, name, conversations, progress) for name in names]
    if as_json:
        print(json.dumps([as_data(report) for report in reports], indent=2, ensure_ascii=False))
    else:
        print("\n".join(report_lines(reports, settings.model_currency, threshold)))
    return 0 if all(passes(report, threshold) for report in reports) else 1


def passes(report: TrialReport, threshold: int) -> bool:
    """Whether every promise was kept, and enough judgements were right."""
    return not report.count(TrialKind.BROKEN) and report.right_share * 100 >= threshold


def as_data(report: TrialReport) -> dict[str, object]:
    """Return the report as JSON data."""
    return {
        "model": report.model,
        "counts": {kind.value: report.count(kind) for kind in TrialKind},
        "right_share": round(report.right_share, 3),
        "refusals": dict(report.refusals),
        "unanswered": report.unanswered,
        "calls": [asdict(cost) for cost in report.costs],
        "thought_tokens": report.thought_tokens,
        "cost": report.cost,
        "seconds": round(report.seconds, 1),
        "outcomes": [asdict(outcome) for outcome in report.outcomes],
    }


def report_lines(reports: Sequence[TrialReport], currency: str, threshold: int) -> list[str]:
    """Return a table with a column for each model, then what was not right."""
    rows = [
        ("", *(report.model for report in reports)),
        *((title, *map(cell, reports)) for title, cell in ROWS),
    ]
    rows.append(("cost", *(_cost(report, currency) for report in reports)))
    lines = columns(rows)
    for report in reports:
        share = f"{report.right_share:.0%} judged rightly"
        verdict = f"all promises kept, {share}."
        if report.count(TrialKind.BROKEN):
            verdict = "a promise of Kith's was broken."
        elif not passes(report, threshold):
            asked = f"at least {threshold} % were asked for"
            verdict = f"all promises kept, but only {share}; {asked}."
        lines += ["", f"{report.model}: {verdict}"]
        lines += [
            f"- {outcome.conversation}: {outcome.what}: {EXPLANATIONS[outcome.kind]}"
            for kind in reversed(BAD)
            for outcome in report.outcomes
            if outcome.kind is kind
        ]
    return lines


def _cost(report: TrialReport, currency: str) -> str:
    return "unknown" if report.cost is None else money(report.cost, currency)
