"""Buttons under alerts; they keep working after a restart because their ids hold their data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from cogs.bot.localisation import tr
from cogs.bot.views import PersistentButton, persistent_view
from utils.common.errors import BadInput
from utils.models.alert import ActionKind, Alert, AlertState

if TYPE_CHECKING:
    from cogs.sentiment.alerts import Alerts

NAME_LIMIT = 100


@dataclass(frozen=True, slots=True)
class ButtonAction:
    """What a button does; ``amount`` is the minutes of a timeout or of slow mode."""

    kind: ActionKind
    label: str
    style: discord.ButtonStyle
    row: int
    amount: int = 0


BUTTON_ACTIONS = {
    "out10": ButtonAction(
        ActionKind.TIME_OUT, "Time out 10 min", discord.ButtonStyle.danger, 0, 10
    ),
    "out60": ButtonAction(ActionKind.TIME_OUT, "Time out 1 h", discord.ButtonStyle.danger, 0, 60),
    "warn": ButtonAction(ActionKind.WARN, "Warn", discord.ButtonStyle.primary, 0),
    "slow": ButtonAction(
        ActionKind.SLOW_MODE, "Slow mode 10 min", discord.ButtonStyle.primary, 0, 10
    ),
    "slow60": ButtonAction(
        ActionKind.SLOW_MODE, "Slow mode 1 h", discord.ButtonStyle.primary, 0, 60
    ),
    "lines": ButtonAction(ActionKind.SHOW_LINES, "Show the lines", discord.ButtonStyle.primary, 1),
    "case": ButtonAction(ActionKind.OPEN_CASE, "Open case", discord.ButtonStyle.secondary, 1),
    "close": ButtonAction(ActionKind.CLOSE_CASE, "Close case", discord.ButtonStyle.success, 1),
    "dismiss": ButtonAction(ActionKind.DISMISS, "Dismiss", discord.ButtonStyle.secondary, 1),
    "false": ButtonAction(ActionKind.FALSE_ALARM, "False alarm", discord.ButtonStyle.secondary, 1),
}


class AlertButton(
    PersistentButton[discord.ui.Button[Any]],
    template=r"kith:alert:(?P<name>[a-z]+[0-9]*):(?P<alert_id>[0-9]{1,18})",
):
    """One button under an alert."""

    def __init__(
        self, name: str, alert_id: int, locale: discord.Locale = discord.Locale.american_english
    ) -> None:
        action = BUTTON_ACTIONS[name]
        super().__init__(
            discord.ui.Button(
                label=tr(locale, action.label),
                style=action.style,
                custom_id=f"kith:alert:{name}:{alert_id}",
                row=action.row,
            )
        )
        self._action = action
        self._alert_id = alert_id

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Let the cog carry out the action and answer with its result.

        Raises BadInput unless a moderator pressed; each action checks its own permissions.
        """
        granted = interaction.permissions
        can_act = granted.moderate_members or granted.manage_channels
        if not interaction.guild_id or not (
            can_act or granted.manage_guild or granted.manage_messages
        ):
            raise BadInput(
                "These buttons are for moderators: they need Manage Server, Manage Messages, "
                "Manage Channels or Time out members."
            )
        await interaction.response.defer(ephemeral=True, thinking=True)
        cog: Alerts = interaction.client.get_cog("Alerts")
        await cog.carry_out(interaction, self._alert_id, self._action)


def member_options(members: Sequence[discord.Member]) -> list[discord.SelectOption]:
    """Return the options of a select that asks which of several members an action is for."""
    return [
        discord.SelectOption(
            label=f"{member.display_name[: NAME_LIMIT - 40]} (@{member.name})"[:NAME_LIMIT],
            value=str(member.id),
        )
        for member in members
    ]


def buttons_of(alert: Alert, locale: discord.Locale) -> discord.ui.View | None:
    """Return the buttons of an alert; None after a moderator has decided on it."""
    if not alert.is_undecided:
        return None
    hidden = "case" if alert.state is AlertState.CASE else "close"
    return persistent_view(
        AlertButton(name, alert.alert_id, locale) for name in BUTTON_ACTIONS if name != hidden
    )
