"""`bot.py policy …`: what governs recall (and a server's write policy) shown, tried and changed."""

import argparse
import math
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

from cogs.moderation import changes_in_words
from utils.core import Core
from utils.errors import BadInput
from utils.model.operator import OPERATOR
from utils.model.policy import PolicyChange, WritePolicy
from utils.model.read_policy import Interval, ShadowReport
from utils.policy_trials import FEW, Table, Trial
from utils.read_policies import (
    ReadPolicy,
    cautions,
    fields_from_json,
    policy_diff,
    to_json,
    with_fields,
)

ACTOR = "command line"
NO_FILE = "{file} cannot be read: {why}."
NO_GAIN = "By cross-validation such a search gains nothing here: do not apply what it found."
NOTHING_DIFFERS = "Nothing differs."
IN_FORCE = "It holds in every process from now on; `policy rollback` takes it back."
HOW_TO_READ = (
    "Means with 95 % intervals (bootstrap over conversations). An interval of the difference that "
    "holds 0 shows no difference."
)
RECORDED = (
    "These are recorded exchanges: what counts as evidence was found in answers that the active "
    "policy helped to give, and so they flatter it (docs/POLICY.md)."
)
NONE_THERE = "no exchanges"


async def do_policy(core: Core, options: argparse.Namespace) -> list[str]:
    """Run the command that was typed; returns the lines to print."""
    await core.database.open()
    guild_id = getattr(options, "guild", None)
    match options.doing:
        case "show":
            return await show(core, guild_id, as_json=options.json)
        case "diff":
            return await diff(core, options.policy, options.than, guild_id)
        case "apply":
            return await apply(core, options, guild_id)
        case "rollback":
            return await rollback(core, options.reason, guild_id)
        case "evaluate":
            return await evaluate(core, options)
        case "tune":
            return await tune(core, options)
        case _:
            return await shadow(core, options)


# --- recall's policy ------------------------------------------------------------------------


async def show(core: Core, guild_id: int | None, *, as_json: bool) -> list[str]:
    """Say what holds, what is in the shadow, and every version there was."""
    if guild_id is not None:
        return await show_write(core, guild_id)
    held = await core.read_policies.active()
    if as_json:
        return [to_json(held.policy)]
    since = f" since {_at(held.since)}" if held.since else ""
    lines = [f"Version {held.version} holds{since} ({held.actor}: {held.reason or 'no reason'})."]
    if held.rolls_back:
        lines.append("If drift shows, it is taken back by itself.")
    changes = policy_diff(ReadPolicy(), held.policy)
    lines += ["", "It differs from the standard policy in:", *_changes(changes)] if changes else []
    other = await core.read_policies.shadow()
    if other is not None:
        lines += ["", f"Version {other.version} is in the shadow until {_at(other.until)}."]
    lines += ["", "Versions, newest first:"]
    rows = [
        (str(one.version), _at(one.at), one.actor, one.reason)
        for one in await core.read_policies.versions()
    ]
    return [*lines, *_columns([("version", "at (UTC)", "who", "why"), *rows])]


async def diff(core: Core, given: str, than: str | None, guild_id: int | None) -> list[str]:
    """Say in what two policies differ."""
    if guild_id is not None:
        before, after = await core.guilds.policy(guild_id), await _written(core, guild_id, given)
        return _write_changes(before, after) or [NOTHING_DIFFERS]
    base = (await core.read_policies.active()).policy if than is None else await _read(core, than)
    return _changes(policy_diff(base, await _read(core, given))) or [NOTHING_DIFFERS]


async def apply(core: Core, options: argparse.Namespace, guild_id: int | None) -> list[str]:
    """Let a policy hold from now on."""
    if guild_id is not None:
        return await _apply_write(core, guild_id, options.policy, options.reason)
    new = await core.read_policies.apply(
        _chosen(options.policy),
        actor=ACTOR,
        reason=options.reason,
        rolls_back=options.rolls_back,
    )
    changes = _changes(policy_diff(new.before, new.policy))
    lines = [*changes, f"Version {new.version} holds. {IN_FORCE}"]
    return [*lines, *(f"Note: {one}" for one in cautions(new.policy))]


async def rollback(core: Core, reason: str, guild_id: int | None) -> list[str]:
    """Let the policy hold again that held before."""
    if guild_id is not None:
        versions = await core.guilds.policy_versions(guild_id)
        if not versions:
            raise BadInput("This server never chose a policy; there is nothing to roll back.")
        before = versions[1].version if len(versions) > 1 else 0
        change = await core.guilds.restore_policy(guild_id, before, OPERATOR, reason)
        return [*_lines(change), f"Version {change.version} holds in server {guild_id}."]
    new = await core.read_policies.rollback(actor=ACTOR, reason=reason)
    return [*_changes(policy_diff(new.before, new.policy)), f"Version {new.version} holds."]


async def shadow(core: Core, options: argparse.Namespace) -> list[str]:
    """Begin a shadow, end it, or report what it showed."""
    if options.end:
        ended = await core.read_policies.end_shadow(actor=ACTOR, reason=options.reason)
        return ["The shadow has ended." if ended else "Nothing is in the shadow."]
    if options.policy is None:
        return _shadow_lines(await core.read_policies.shadow_report())
    new = await core.read_policies.start_shadow(
        _chosen(options.policy), options.days, actor=ACTOR, reason=options.reason
    )
    return [
        f"Version {new.version} runs in the shadow for {options.days} days, without effect.",
        "`policy shadow` reports what it would have done.",
    ]


def _shadow_lines(report: ShadowReport | None) -> list[str]:
    if report is None:
        return ["Nothing was ever in the shadow."]
    head = (
        f"Version {report.version} in the shadow: {report.recalls} recalls of {report.members} "
        "members (intervals over members)."
    )
    rows = [(name, _said(one)) for name, one in report.values.items()]
    return [head, *_columns(rows)]


# --- trying ---------------------------------------------------------------------------------


async def evaluate(core: Core, options: argparse.Namespace) -> list[str]:
    """Say how the active policy, and others, would have done."""
    policies = {"active": (await core.read_policies.active()).policy}
    for given in options.policy:
        policies[_name(given)] = await _read(core, given)
    trial = await core.trials.evaluate(policies, options.data, options.server)
    return _trial_lines(trial, is_recorded=not options.data)


async def tune(core: Core, options: argparse.Namespace) -> list[str]:
    """Search better weights, say how they do, and write them to a file."""
    with suppress(NotImplementedError, ValueError):  # the search runs in a thread: end at once
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    active = (await core.read_policies.active()).policy
    sys.stderr.write(f"Searching for {options.minutes:g} minutes …\n")
    found = await core.trials.tune(
        active, options.minutes, options.seed, options.data, options.server
    )
    changes = policy_diff(active, found.policy)
    if not changes:
        return [f"{found.tried} policies were tried; none is better than the one that holds."]
    trial = await core.trials.evaluate(
        {"active": active, "fitted": found.policy}, options.data, options.server
    )
    try:
        options.out.write_text(to_json(found.policy) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadInput(NO_FILE, file=options.out, why=error.strerror) from None
    unseen = "unknown" if found.unseen_gain is None else f"{found.unseen_gain:+.4f}"
    return [
        f"{found.tried} policies were tried on the fitting set.",
        f"Evidence among the first few: {found.before.both:.4f} before, {found.after.both:.4f} "
        f"after; on conversations that a search had not seen: {unseen}.",
        f"Share of the gain that leans on one layer: {found.leaning:.0%}.",
        *([NO_GAIN] if found.unseen_gain is not None and found.unseen_gain <= 0 else []),
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
    few = "; so few make intervals too narrow" if table.conversations < FEW else ""
    head = f"{name}: {table.exchanges} exchanges of {table.conversations} conversations{few}."
    policies = list(table.lines[0].means)
    is_compared = table.lines[0].difference is not None
    rows: list[Sequence[str]] = [("", *policies, *(["difference"] if is_compared else []))]
    for line in table.lines:
        means = [_said(line.means[one]) for one in policies]
        between = [] if line.difference is None else [_said(line.difference, signed=True)]
        rows.append((line.objective, *means, *between))
    return [head, *_columns(rows), ""]


# --- a server's write policy ----------------------------------------------------------------


async def show_write(core: Core, guild_id: int) -> list[str]:
    """Say what a server may learn, and every version there was."""
    policy = await core.guilds.policy(guild_id)
    lines = [f"{one.name}: {getattr(policy, one.name)}" for one in fields(WritePolicy)]
    rows = [
        (str(one.version), _at(one.at), str(one.actor_id), one.reason)
        for one in await core.guilds.policy_versions(guild_id)
    ]
    return [*lines, "", *_columns([("version", "at (UTC)", "who", "why"), *rows])]


async def _written(core: Core, guild_id: int, given: str) -> WritePolicy:
    if given.isascii() and given.isdecimal():
        for one in await core.guilds.policy_versions(guild_id):
            if one.version == int(given):
                return one.policy
    raise BadInput("A server's write policy is chosen by its version: see `policy show --guild`.")


async def _apply_write(core: Core, guild_id: int, given: str, reason: str) -> list[str]:
    await _written(core, guild_id, given)
    change = await core.guilds.restore_policy(guild_id, int(given), OPERATOR, reason)
    return [*_lines(change), f"Version {change.version} holds in server {guild_id}."]


def _lines(change: PolicyChange) -> list[str]:
    return [line.replace("*", "") for line in changes_in_words(change)] or [NOTHING_DIFFERS]


def _write_changes(before: WritePolicy, after: WritePolicy) -> list[str]:
    return [] if before == after else _lines(PolicyChange(before, after, 0))


# --- words ----------------------------------------------------------------------------------


def _chosen(given: str) -> int | dict[str, Any]:
    """Return a version, or the fields that a file changes in what holds."""
    if given.isascii() and given.isdecimal() and len(given) <= 9:
        return int(given)
    return fields_from_json(_text(Path(given)))


async def _read(core: Core, given: str) -> ReadPolicy:
    """Return a version's policy, or the one that holds with what a file changes."""
    chosen = _chosen(given)
    if isinstance(chosen, int):
        return await core.read_policies.get(chosen)
    return with_fields(chosen, (await core.read_policies.active()).policy)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise BadInput(NO_FILE, file=file, why=why) from None


def _name(given: str) -> str:
    return f"version {given}" if given.isdecimal() else Path(given).stem


def _changes(changes: Iterable[Any]) -> list[str]:
    rows = [(f"  {one.field}", f"{one.before:g}", "->", f"{one.after:g}") for one in changes]
    return _columns(rows)


def _said(one: Interval, *, signed: bool = False) -> str:
    def said(value: float) -> str:
        if math.isnan(value):
            return "?"
        digits = 1 if abs(one.mean) >= 10 else 4
        return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"

    return f"{said(one.mean)} [{said(one.low)}, {said(one.high)}]"


def _at(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows with their columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
