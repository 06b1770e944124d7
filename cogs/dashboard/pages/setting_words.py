"""A server's settings in words, with the names of channels and roles."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogs.dashboard.pages.editing import SETTING_LABELS, DiffLine
from cogs.dashboard.pages.write_policy import differences, form_values
from cogs.dashboard.web.context import DashboardContext
from cogs.dashboard.web.language import plain, tr
from utils.models.guild import (
    CHOICES,
    POLICY,
    SPEAKING,
    WATCHED,
    WHOLE_SERVER,
    Purpose,
    SettingChange,
    values_of,
    values_of_places,
)
from utils.models.policy import WritePolicy
from utils.models.sentiment import values_of_alerts, values_of_channels

ROLES = ("base_role_id", "implied_role_ids", "talk_role_ids", "ping_role_id")
AS_TYPED = ("mode", "time_zone")  # names, which no language changes
MENTION = re.compile(r"<(#|@&|@)([0-9]{1,20})>")
MARK = re.compile(r"^(?:ℹ|[^\w<*`])+")
COMMAND = re.compile(r"</([a-z ]+):[0-9]+>")


async def values_now(context: DashboardContext, guild_id: int) -> dict[str, Any]:
    """Return the values of a server's settings, of those for watching and speaking first too."""
    guilds, watching = context.app.guilds, context.app.sentiment.channels
    return {
        **values_of(await guilds.settings.latest(guild_id)),
        **values_of_places(await guilds.speaking.load(guild_id)),
        **values_of_channels(await watching.channels(guild_id)),
        **values_of_alerts(await watching.settings(guild_id)),
    }


@dataclass(frozen=True, slots=True)
class SettingWords:
    """Puts settings of a server into words.

    ``channel_names`` are those that the reader may see; ``policies`` are the write policies.
    """

    context: DashboardContext
    guild_id: int
    channel_names: Mapping[int, str]
    policies: Mapping[int, WritePolicy] = field(default_factory=dict)

    def channel(self, channel_id: int) -> str:
        """Return a channel's name, if the reader sees it."""
        return self.channel_names.get(channel_id) or tr("a hidden or deleted channel")

    def role(self, role_id: int) -> str:
        """Return a role's name, or its id."""
        name = self.context.discord.role_name(self.guild_id, role_id)
        return f"@{name or role_id}"

    def person(self, user_id: int) -> str:
        """Return a person's name, or their id."""
        return self.context.discord.name_of(self.guild_id, user_id) or f"@{user_id}"

    def value(self, name: str, value: Any) -> str:
        """Return the value of a setting, as the audit has it."""
        if name in set(Purpose):
            lines = (
                f"{self.channel(channel_id)} ({', '.join(topics)})"
                if topics and channel_id in self.channel_names
                else self.channel(channel_id)
                for channel_id, *topics in value
            )
            return ", ".join(lines) or tr("none")
        if name in CHOICES:
            lines = (
                choice if channel_id == WHOLE_SERVER else f"{self.channel(channel_id)}: {choice}"
                for channel_id, choice in value
            )
            return ", ".join(lines) or tr("none")
        if name in ROLES:
            role_ids = value if isinstance(value, list) else [value]
            nobody = "none" if name in ("implied_role_ids", "ping_role_id") else "everyone"
            return ", ".join(map(self.role, filter(None, role_ids))) or tr(nobody)
        if name == WATCHED:
            lines = (f"{self.channel(id_)} ({tr(memory)})" for id_, memory in value)
            return ", ".join(lines) or tr("none")
        if name == SPEAKING:
            return ", ".join(self._place(*place) for place in value) or tr("none")
        if name == POLICY:
            return tr("version {number}", number=value) if value else tr("the operator's")
        if isinstance(value, bool):
            return tr("yes" if value else "no")
        if isinstance(value, float):
            return plain(value)
        if isinstance(value, list):
            return ", ".join(value) or tr("none")
        if name == "prefilter" and value is None:
            return tr("the operator's")
        if name in AS_TYPED:
            return str(value)
        return tr("none") if value is None else tr(str(value))

    def _place(self, channel_id: int, minutes: int, per_day: int, start: int, end: int) -> str:
        """Return when Kith speaks first in a channel."""
        return tr(
            "{channel} (after {minutes} minutes, {count} × a day, silent {start}–{end} h)",
            channel=self.channel(channel_id),
            minutes=minutes,
            count=per_day,
            start=start,
            end=end,
        )

    def line(self, change: SettingChange) -> DiffLine:
        """Return a change with its label; of a write policy, what differs if it is known."""
        label = tr(SETTING_LABELS.get(change.name, change.name))
        if change.name == POLICY and {change.before, change.after} <= self.policies.keys():
            policies = (self.policies[version] for version in (change.before, change.after))
            lines = differences(*map(form_values, policies))
            return DiffLine(
                label,
                "; ".join(f"{line.label}: {line.before}" for line in lines),
                "; ".join(f"{line.label}: {line.after}" for line in lines),
            )
        return DiffLine(
            label, self.value(change.name, change.before), self.value(change.name, change.after)
        )

    def plain(self, lines: Sequence[str]) -> list[str]:
        """Return lines in Discord's mark-up as text with names."""
        texts = [COMMAND.sub(r"`/\1`", MARK.sub("", line)) for line in lines]
        names: dict[str, Callable[[int], str]] = {
            "#": self.channel,
            "@&": self.role,
            "@": self.person,
        }
        return [
            MENTION.sub(lambda mention: names[mention[1]](int(mention[2])), text).replace("*", "")
            for text in texts
        ]
