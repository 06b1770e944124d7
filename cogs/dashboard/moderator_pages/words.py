"""Settings in words, with the names of those channels and roles that a moderator sees."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cogs.dashboard.pages.editing import SETTING_LABELS, DiffLine
from cogs.dashboard.pages.layout import actor_name
from cogs.dashboard.web.context import DashboardContext, Moderator
from cogs.dashboard.web.language import tr
from utils.models.guild import POLICY, WHOLE_SERVER, Purpose, SettingChange

ROLES = ("base_role_id", "implied_role_ids", "talk_role_ids")
HIDDEN = "a channel that you don't see"
MENTION = re.compile(r"<(#|@&|@)([0-9]{1,20})>")
MARK = re.compile(r"^[^\w<*`]+")
COMMAND = re.compile(r"</([a-z ]+):[0-9]+>")


@dataclass(frozen=True, slots=True)
class Words:
    """Puts settings of a moderator's server into words."""

    context: DashboardContext
    moderator: Moderator

    def channel(self, channel_id: int) -> str:
        """Return a channel's name, if the moderator sees it."""
        return self.moderator.channel_names.get(channel_id) or tr(HIDDEN)

    def role(self, role_id: int) -> str:
        """Return a role's name, or its id."""
        name = self.context.discord.role_name(self.moderator.guild_id, role_id)
        return f"@{name or role_id}"

    def person(self, user_id: int) -> str:
        """Return a person's name, or their id."""
        return self.context.discord.name_of(self.moderator.guild_id, user_id) or f"@{user_id}"

    def actor(self, user_id: int) -> str:
        """Return who did something: a moderator, Kith or the operator."""
        if user_id == self.moderator.member.user_id:
            return self.moderator.name
        return actor_name(self.context, self.moderator.guild_id, user_id)

    def value(self, name: str, value: Any) -> str:
        """Return the value of a setting, as the audit has it."""
        if name in set(Purpose):
            return ", ".join(self.channel(id_) for id_, *_ in value) or tr("none")
        if name in ("channel_modes", "models"):
            lines = (
                choice if channel_id == WHOLE_SERVER else f"{self.channel(channel_id)}: {choice}"
                for channel_id, choice in value
            )
            return ", ".join(lines) or tr("none")
        if name in ROLES:
            role_ids = value if isinstance(value, list) else [value] if value else []
            nobody = "none" if name == "implied_role_ids" else "everyone"
            return ", ".join(map(self.role, role_ids)) or tr(nobody)
        if name == POLICY:
            return tr("version {number}", number=value) if value else tr("the operator's")
        if isinstance(value, bool):
            return tr("yes" if value else "no")
        return (", ".join(value) or tr("none")) if isinstance(value, list) else tr(str(value))

    def line(self, change: SettingChange) -> DiffLine:
        """Return a change with its label."""
        return DiffLine(
            tr(SETTING_LABELS.get(change.name, change.name)),
            self.value(change.name, change.before),
            self.value(change.name, change.after),
        )

    def plain(self, lines: Sequence[str]) -> list[str]:
        """Return lines in Discord's mark-up as text with names."""
        texts = [COMMAND.sub(r"`/\1`", MARK.sub("", line)) for line in lines]
        return [MENTION.sub(self._named, text).replace("*", "") for text in texts]

    def _named(self, mention: re.Match[str]) -> str:
        name: Callable[[int], str] = {"#": self.channel, "@&": self.role, "@": self.person}[
            mention[1]
        ]
        return name(int(mention[2]))
