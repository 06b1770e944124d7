"""Names the channels in which, or from which, Kith cannot recall, with the reason in a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import discord

from cogs.bot.audience import Audiences
from cogs.bot.localisation import tr
from utils.guilds.channel_readers import Obstacle
from utils.guilds.permission_rules import CONNECT, HISTORY, VIEW
from utils.guilds.recall_findings import FindingKind, RecallFinding
from utils.models.guild import GuildSettings

SENTENCES = {
    FindingKind.NO_PAST: (
        "In {channels} I only follow the running conversation and use nothing said before: "
        "*{permission}* is missing there for {who}."
    ),
    FindingKind.STAYS: (
        "What was said in {channels} I use only where everyone can read it: *{permission}* is "
        "missing there for {who}."
    ),
    FindingKind.MISSES: (
        "In {channels} I use nothing from {sources}: *{permission}* is missing in the latter for "
        "{who}."
    ),
    FindingKind.AGE: "What was said in {channels} I use only in age-restricted channels.",
}
PERMISSION_NAMES = {
    VIEW: "View Channel",
    HISTORY: "Read Message History",
    CONNECT: "Connect",
    0: "",
}
NO_BASE_ROLE = "The base role is gone, so no channel counts as open: use `/config baserole`."
AND_MORE = "… and {count} more."
MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class Names:
    """How a report names channels, roles and people."""

    channel: Callable[[int], str] = "<#{}>".format
    role: Callable[[int], str] = "<@&{}>".format
    person: Callable[[int], str] = "<@{}>".format


MENTIONS = Names()


async def recall_report(
    audiences: Audiences, guild: discord.Guild, settings: GuildSettings, locale: discord.Locale
) -> list[str]:
    """Return where Kith cannot recall in a server and why, a sentence for each reason."""
    base_role_id = settings.base_role_id
    findings = await audiences.findings(guild, settings)
    return report_lines(
        locale,
        findings,
        has_base_role=base_role_id is None or guild.get_role(base_role_id) is not None,
    )


def report_lines(
    locale: discord.Locale,
    findings: Sequence[RecallFinding],
    *,
    has_base_role: bool,
    names: Names = MENTIONS,
) -> list[str]:
    """Return a sentence for each finding; one that all is well if there is none.

    ``has_base_role``: the base role exists, or none was chosen.
    """
    lines = [] if has_base_role else [tr(locale, NO_BASE_ROLE)]
    lines += [
        tr(
            locale,
            SENTENCES[finding.kind],
            channels=_listed(locale, finding.channel_ids, names.channel),
            sources=_listed(locale, finding.source_ids, names.channel),
            permission=tr(locale, PERMISSION_NAMES[finding.obstacle.permission]),
            who=_who(locale, finding.obstacle, names),
        )
        for finding in findings
    ]
    return lines or [tr(locale, "What was said in one channel I can use in all others.")]


def _who(locale: discord.Locale, obstacle: Obstacle, names: Names) -> str:
    if obstacle.user_id is not None:
        return names.person(obstacle.user_id)
    if obstacle.role_ids:
        return tr(
            locale, "members with {roles}", roles=" + ".join(map(names.role, obstacle.role_ids))
        )
    return tr(locale, "members without a role")


def _listed(locale: discord.Locale, ids: Sequence[int], name: Callable[[int], str]) -> str:
    listed = ", ".join(map(name, ids[:MAX_NAMED]))
    more = len(ids) - MAX_NAMED
    return f"{listed} {tr(locale, AND_MORE, count=more).removesuffix('.')}" if more > 0 else listed
