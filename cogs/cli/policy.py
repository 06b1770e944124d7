"""The command `policy`: show, try and change the recall policy."""

import argparse
import math
import signal
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from cogs.cli.terminal import TerminalProgress
from utils.app import App
from utils.common.errors import BadInput
from utils.memory.evaluation.policy_trials import FEW, Table, Trial
from utils.memory.evaluation.policy_versions import RecallPolicyVersions
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import (
    MAX_CHARACTERS,
    cautions,
    fields_from_json,
    policy_diff,
    to_json,
    with_fields,
)
from utils.models.recall_policy import Interval, ShadowReport

ACTOR = "command line"
NO_FILE = "{file} cannot be read: {why}."
CANNOT_WRITE = "{file} cannot be written: {why}."
NO_GAIN = "Cross-validation shows no gain from this search: do not apply its result."
NOTHING_DIFFERS = "Nothing differs."
IN_FORCE = "It applies in every process at once; `policy rollback` undoes it."
HOW_TO_READ = (
    "Means with 95 % intervals (bootstrap over conversations). An interval of the difference that "
    "contains 0 shows no difference."
)
RECORDED = (
    "These are recorded exchanges. Their evidence comes from answers that the active policy "
    "contributed to, so they favour it (docs/internals/policy.md)."
)
NONE_THERE = "no exchanges"


async def do_policy(app: App, options: argparse.Namespace) -> list[str]:
    """Run the parsed command; return the lines to print."""
    await app.database.open()
    match options.doing:
        case "show":
            return await show(app, as_json=options.json)
        case "diff":
            return await diff(app, options.policy, options.than)
        case "apply":
            return await apply(app, options)
        case "rollback":
            return await rollback(app, options.reason)
        case "evaluate":
            return await evaluate(app, options)
        case "tune":
            return await tune(app, options)
        case _:
            return await shadow(app.policies.versions, options)


async def show(app: App, *, as_json: bool) -> list[str]:
    """Describe the active policy, the shadow policy and all versions."""
    active = await app.policies.versions.active()
    if as_json:
        return [to_json(active.policy)]
    since = f" since {_at(active.since)}" if active.since else ""
    lines = [
        f"Version {active.version} is active{since} "
        f"({active.actor}: {active.reason or 'no reason'})."
    ]
    if active.rolls_back:
        lines.append("It is rolled back automatically if recall drifts.")
    changes = policy_diff(app.policies.versions.standard, active.policy)
    lines += ["", "It differs from the standard policy in:", *_changes(changes)] if changes else []
    shadow_policy = await app.policies.versions.shadow()
    if shadow_policy is not None:
        lines += [
            "",
            f"Version {shadow_policy.version} runs in shadow until {_at(shadow_policy.until)}.",
        ]
    lines += ["", "Versions, newest first:"]
    rows = [
        (str(version.version), _at(version.at), version.actor, version.reason)
        for version in await app.policies.versions.versions()
    ]
    return [*lines, *_columns([("version", "at (UTC)", "who", "why"), *rows])]


async def diff(app: App, reference: str, than: str | None) -> list[str]:
    """Return how two policies differ."""
    versions = app.policies.versions
    base = (await versions.active()).policy if than is None else await _read(versions, than)
    return _changes(policy_diff(base, await _read(versions, reference))) or [NOTHING_DIFFERS]


async def apply(app: App, options: argparse.Namespace) -> list[str]:
    """Activate a policy."""
    new = await app.policies.versions.apply(
        _chosen(options.policy),
        actor=ACTOR,
        reason=options.reason,
        rolls_back=options.rolls_back,
    )
    changes = _changes(policy_diff(new.before, new.policy))
    lines = [*changes, f"Version {new.version} is active. {IN_FORCE}"]
    return [*lines, *(f"Note: {caution}" for caution in cautions(new.policy))]


async def rollback(app: App, reason: str) -> list[str]:
    """Activate the previous policy again."""
    new = await app.policies.versions.rollback(actor=ACTOR, reason=reason)
    return [*_changes(policy_diff(new.before, new.policy)), f"Version {new.version} is active."]


async def shadow(versions: RecallPolicyVersions, options: argparse.Namespace) -> list[str]:
    """Start a shadow run, end it, or report its results."""
    if options.end:
        ended = await versions.end_shadow(actor=ACTOR, reason=options.reason)
        return ["The shadow run has ended." if ended else "No policy runs in shadow."]
    if options.policy is None:
        return _shadow_lines(await versions.shadow_report())
    new = await versions.start_shadow(
        _chosen(options.policy), options.days, actor=ACTOR, reason=options.reason
    )
    return [
        f"Version {new.version} runs in shadow for {options.days} days, without effect.",
        "`policy shadow` reports what it would have done.",
    ]


def _shadow_lines(report: ShadowReport | None) -> list[str]:
    if report is None:
        return ["No policy has run in shadow."]
    head = (
        f"Version {report.version} in shadow: {report.recalls} recalls of {report.members} "
        "members (intervals over members)."
    )
    rows = [(name, _interval_text(interval)) for name, interval in report.values.items()]
    return [head, *_columns(rows)]


# --- trying ---------------------------------------------------------------------------------


async def evaluate(app: App, options: argparse.Namespace) -> list[str]:
    """Return how the active policy and others would have done."""
    policies = {"active": (await app.policies.versions.active()).policy}
    for reference in options.policy:
        policies[_name(reference)] = await _read(app.policies.versions, reference)
    with TerminalProgress().part("evaluating"):
        trial = await app.policies.trials.evaluate(policies, options.data, options.server)
    return _trial_lines(trial, is_recorded=not options.data)


async def tune(app: App, options: argparse.Namespace) -> list[str]:
    """Search for better weights, evaluate them, and write them to a file."""
    with suppress(NotImplementedError, ValueError):  # the search runs in a thread: end at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _require_writable(options.out)
    active = (await app.policies.versions.active()).policy
    progress = TerminalProgress()
    with progress.part(f"searching for {options.minutes:g} minutes"):
        proposal = await app.policies.trials.tune(
            active, options.minutes, options.seed, options.data, options.server
        )
    changes = policy_diff(active, proposal.policy)
    if not changes:
        return [f"{proposal.tried} policies were tried; none is better than the active one."]
    with progress.part("evaluating"):
        trial = await app.policies.trials.evaluate(
            {"active": active, "fitted": proposal.policy}, options.data, options.server
        )
    try:
        options.out.write_text(to_json(proposal.policy) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(CANNOT_WRITE, file=options.out, why=error.strerror) from None
    unseen = "unknown" if proposal.unseen_gain is None else f"{proposal.unseen_gain:+.4f}"
    return [
        f"{proposal.tried} policies were tried on the fitting set.",
        f"Evidence among the first few: {proposal.before.both:.4f} before, "
        f"{proposal.after.both:.4f} after; on conversations that a search had not seen: {unseen}.",
        f"Share of the gain that leans on one layer: {proposal.leaning:.0%}.",
        *([NO_GAIN] if proposal.unseen_gain is not None and proposal.unseen_gain <= 0 else []),
        "",
        *_changes(changes),
        "",
        *_trial_lines(trial, is_recorded=not options.data),
        "",
        f"Written to {options.out}. Look at the holdout, then `policy shadow {options.out}` or "
        f"`policy apply {options.out} --reason …`.",
    ]


def _trial_lines(trial: Trial, *, is_recorded: bool) -> list[str]:
    lines = []
    for name, table in (("Fitting set", trial.fitting), ("Holdout", trial.holdout)):
        lines += [f"{name}: {NONE_THERE}."] if table is None else _table_lines(name, table)
    lines += [HOW_TO_READ, *([RECORDED] if is_recorded else [])]
    return lines


def _table_lines(name: str, table: Table) -> list[str]:
    few = "; with so few, the intervals are too narrow" if table.conversations < FEW else ""
    head = f"{name}: {table.exchanges} exchanges of {table.conversations} conversations{few}."
    policies = list(table.lines[0].means)
    is_compared = table.lines[0].difference is not None
    rows: list[Sequence[str]] = [("", *policies, *(["difference"] if is_compared else []))]
    for line in table.lines:
        means = [_interval_text(line.means[policy]) for policy in policies]
        between = [] if line.difference is None else [_interval_text(line.difference, signed=True)]
        rows.append((line.objective, *means, *between))
    return [head, *_columns(rows), ""]


# --- words ----------------------------------------------------------------------------------


def _chosen(reference: str) -> int | dict[str, Any]:
    """Return a version number, or the fields that a JSON file changes in the active policy."""
    if reference.isascii() and reference.isdecimal() and len(reference) <= 9:
        return int(reference)
    return fields_from_json(_text(Path(reference)))


async def _read(versions: RecallPolicyVersions, reference: str) -> RecallPolicy:
    """Return a version's policy, or the active policy with a file's changes."""
    chosen = _chosen(reference)
    if isinstance(chosen, int):
        return await versions.get(chosen)
    return with_fields(chosen, (await versions.active()).policy)


def _text(file: Path) -> str:
    """Return what a policy's file says, or its beginning if that is too long for a policy."""
    try:
        with file.open(encoding="utf-8") as stream:
            return stream.read(MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not a text file"
        raise BadInput(NO_FILE, file=file, why=why) from None


def _require_writable(file: Path) -> None:
    """Raise BadInput if a file cannot be written: before a search whose result would be lost."""
    is_new = not file.exists()
    try:
        file.open("a", encoding="utf-8").close()
    except OSError as error:
        raise BadInput(CANNOT_WRITE, file=file, why=error.strerror) from None
    if is_new:
        file.unlink()


def _name(reference: str) -> str:
    return f"version {reference}" if reference.isdecimal() else Path(reference).stem


def _changes(changes: Iterable[Any]) -> list[str]:
    rows = [
        (f"  {change.field}", f"{change.before:g}", "->", f"{change.after:g}") for change in changes
    ]
    return _columns(rows)


def _interval_text(interval: Interval, *, signed: bool = False) -> str:
    def rounded(value: float) -> str:
        if math.isnan(value):
            return "?"
        digits = 1 if abs(interval.mean) >= 10 else 4
        return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"

    return f"{rounded(interval.mean)} [{rounded(interval.low)}, {rounded(interval.high)}]"


def _at(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with their columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
