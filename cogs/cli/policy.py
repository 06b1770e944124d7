"""The command `policy`: show, try and change the recall policy."""

import argparse
import signal
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from cogs.cli.terminal import TerminalProgress, columns
from utils.app import App
from utils.common.errors import BadInput
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

ACTOR = "command line"
MEASURES = ("success", "tokens", "ms", "violations", "score")
RECORDED = (
    "Their evidence comes from answers that the active policy contributed to, so it favours that "
    "policy (docs/internals/policy.md)."
)


async def do_policy(app: App, options: argparse.Namespace) -> list[str]:
    """Run the parsed command; return the lines to print."""
    await app.database.open()
    return await ACTIONS[options.doing](app, options)


async def show(app: App, options: argparse.Namespace) -> list[str]:
    """Describe the active policy, the shadow policy and all versions."""
    active = await app.policies.versions.active()
    if options.json:
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
    return [*lines, *columns([("version", "at (UTC)", "who", "why"), *rows])]


async def diff(app: App, options: argparse.Namespace) -> list[str]:
    """Return how two policies differ."""
    versions = app.policies.versions
    base = (
        (await versions.active()).policy
        if options.than is None
        else await _read(versions, options.than)
    )
    changes = policy_diff(base, await _read(versions, options.policy))
    return _changes(changes) or ["Nothing differs."]


async def apply(app: App, options: argparse.Namespace) -> list[str]:
    """Activate a policy."""
    new = await app.policies.versions.apply(
        _chosen(options.policy),
        actor=ACTOR,
        reason=options.reason,
        rolls_back=options.rolls_back,
    )
    return [
        *_changes(policy_diff(new.before, new.policy)),
        f"Version {new.version} is active. It applies in every process at once; `policy rollback` "
        "undoes it.",
        *(f"Note: {caution}" for caution in cautions(new.policy)),
    ]


async def rollback(app: App, options: argparse.Namespace) -> list[str]:
    """Activate the previous policy again."""
    new = await app.policies.versions.rollback(actor=ACTOR, reason=options.reason)
    return [*_changes(policy_diff(new.before, new.policy)), f"Version {new.version} is active."]


async def shadow(app: App, options: argparse.Namespace) -> list[str]:
    """Start a shadow run, end it, or report its results."""
    versions = app.policies.versions
    if options.end:
        ended = await versions.end_shadow(actor=ACTOR, reason=options.reason)
        return ["The shadow run has ended." if ended else "No policy runs in shadow."]
    if options.policy is None:
        report = await versions.shadow_report()
        if report is None:
            return ["No policy has run in shadow."]
        recalls = f"{report.recalls} recalls of {report.members} members"
        head = f"Version {report.version} in shadow: {recalls}."
        return [head, *columns([(name, _figure(mean)) for name, mean in report.values.items()])]
    new = await versions.start_shadow(
        _chosen(options.policy), options.days, actor=ACTOR, reason=options.reason
    )
    return [
        f"Version {new.version} runs in shadow for {options.days} days, without effect.",
        "`policy shadow` reports what it would have done.",
    ]


async def compare(app: App, options: argparse.Namespace) -> list[str]:
    """Return how the active policy and others do on recorded exchanges."""
    policies = {"active": (await app.policies.versions.active()).policy}
    for reference in options.policy:
        name = f"version {reference}" if reference.isdecimal() else Path(reference).stem
        policies[name] = await _read(app.policies.versions, reference)
    return await _compared(app, policies, options.server)


async def tune(app: App, options: argparse.Namespace) -> list[str]:
    """Search for better weights, compare them, and write them to a file."""
    with suppress(NotImplementedError, ValueError):  # the search runs in a thread: end at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    active = (await app.policies.versions.active()).policy
    with TerminalProgress().part(f"searching for up to {options.minutes:g} minutes"):
        fitted, tried = await app.policies.comparisons.tune(active, options.minutes, options.server)
    changes = policy_diff(active, fitted)
    if not changes:
        return [f"{tried} policies were tried; none is better than the active one."]
    compared = await _compared(app, {"active": active, "fitted": fitted}, options.server)
    policy = to_json(fitted)
    try:
        options.out.write_text(f"{policy}\n", encoding="utf-8")
    except OSError as error:  # a long search found it
        raise BadInput(
            "{file} cannot be written: {why}. What was to stand in it: {policy}",
            file=options.out,
            why=error.strerror,
            policy=policy,
        ) from None
    return [
        f"{tried} policies were tried on the fitting set.",
        "",
        *_changes(changes),
        "",
        *compared,
        "",
        f"Written to {options.out}. Look at the holdout, then `policy shadow {options.out}` or "
        f"`policy apply {options.out} --reason …`.",
    ]


async def _compared(
    app: App, policies: Mapping[str, RecallPolicy], guild_id: int | None
) -> list[str]:
    """Return a table of the policies' outcomes on the fitting set, and one on the holdout."""
    with TerminalProgress().part("comparing"):
        compared = await app.policies.comparisons.compare(policies, guild_id)
    lines = []
    for name, comparison in zip(("Fitting set", "Holdout"), compared, strict=True):
        if not comparison.exchanges:
            lines.append(f"{name}: no exchanges.")
            continue
        lines.append(f"{name}: {comparison.exchanges} exchanges of {comparison.members} members.")
        results = comparison.results.values()
        rows = [
            ("", *comparison.results),
            *(
                (measure, *(_figure(getattr(result.outcome, measure)) for result in results))
                for measure in MEASURES
            ),
        ]
        rows += [
            ("members better", *(str(result.better) for result in results)),
            ("members worse", *(str(result.worse) for result in results)),
        ]
        lines += [*columns(rows), ""]
    return [*lines, RECORDED]


ACTIONS = {
    "show": show,
    "diff": diff,
    "apply": apply,
    "rollback": rollback,
    "compare": compare,
    "tune": tune,
    "shadow": shadow,
}


# --- words ----------------------------------------------------------------------------------


def _chosen(reference: str) -> int | dict[str, Any]:
    """Return a version number, or the fields that a JSON file changes in the active policy."""
    if reference.isascii() and reference.isdecimal() and len(reference) <= 9:
        return int(reference)
    file = Path(reference)
    try:
        with file.open(encoding="utf-8") as stream:  # what is longer is no policy, and is refused
            text = stream.read(MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        raise BadInput(
            "{file} cannot be read: {why}.",
            file=file,
            why=getattr(error, "strerror", None) or "it is not a text file",
        ) from None
    return fields_from_json(text)


async def _read(versions: RecallPolicyVersions, reference: str) -> RecallPolicy:
    """Return a version's policy, or the active policy with a file's changes."""
    chosen = _chosen(reference)
    if isinstance(chosen, int):
        return await versions.get(chosen)
    return with_fields(chosen, (await versions.active()).policy)


def _changes(changes: Iterable[Any]) -> list[str]:
    rows = [
        (f"  {change.field}", f"{change.before:g}", "->", f"{change.after:g}") for change in changes
    ]
    return columns(rows)


def _figure(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.4f}"


def _at(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"
