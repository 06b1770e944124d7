"""Buttons under alerts: they outlive a restart, because what they need is in their ids."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

import discord

from cogs.error_door import answer_error
from cogs.localisation import tr
from cogs.views import AskersView
from utils.model.alerts import Act, Alert, AlertState

FOR_MODERATORS = (
    "These buttons are for moderators: they need Manage Server, Manage Messages, Manage Channels "
    "or Time out members."
)
CHOOSE = "Choose a member"
COG = "Alerts"
MOST_OPTIONS = 10
NAME_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Press:
    """What a button does: an act, and how much of it (minutes of a time-out)."""

    act: Act
    label: str
    style: discord.ButtonStyle
    row: int
    amount: int = 0


PRESSES = {
    "out10": Press(Act.TIME_OUT, "Time out 10 min", discord.ButtonStyle.danger, 0, 10),
    "out60": Press(Act.TIME_OUT, "Time out 1 h", discord.ButtonStyle.danger, 0, 60),
    "warn": Press(Act.WARN, "Warn", discord.ButtonStyle.primary, 0),
    "slow": Press(Act.SLOW_MODE, "Slow mode", discord.ButtonStyle.primary, 0),
    "case": Press(Act.OPEN_CASE, "Open case", discord.ButtonStyle.secondary, 1),
    "close": Press(Act.CLOSE_CASE, "Close case", discord.ButtonStyle.success, 1),
    "dismiss": Press(Act.DISMISS, "Dismiss", discord.ButtonStyle.secondary, 1),
    "false": Press(Act.FALSE_ALARM, "False alarm", discord.ButtonStyle.secondary, 1),
}
LABELS = {name: press.label for name, press in PRESSES.items()}


class Presses(Protocol):
    """What carries out what is pressed: the cog."""

    async def press(
        self, interaction: discord.Interaction[Any], alert_id: int, press: Press
    ) -> None:
        """Carry out a press that has been deferred, and say what came of it."""

    async def act_on(
        self, interaction: discord.Interaction[Any], alert_id: int, press: Press, user_id: int
    ) -> str:
        """Carry out an act on a member, once; returns what came of it."""


class AlertButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"kith:alert:(?P<name>[a-z]+[0-9]*):(?P<alert_id>[0-9]{1,18})",
):
    """One button under an alert."""

    def __init__(
        self, name: str, alert_id: int, locale: discord.Locale = discord.Locale.american_english
    ) -> None:
        press = PRESSES[name]
        super().__init__(
            discord.ui.Button(
                label=tr(locale, press.label),
                style=press.style,
                custom_id=f"kith:alert:{name}:{alert_id}",
                row=press.row,
            )
        )
        self._press = press
        self._alert_id = alert_id

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Make the button anew from what its id says."""
        return cls(match["name"], int(match["alert_id"]))

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let only moderators press; what each act needs is checked with it."""
        mine = interaction.permissions
        can_act = mine.moderate_members or mine.manage_channels
        if interaction.guild_id and (can_act or mine.manage_guild or mine.manage_messages):
            return True
        text = tr(interaction.locale, FOR_MODERATORS)
        await interaction.response.send_message(text, ephemeral=True)
        return False

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Have the cog carry it out; whoever pressed is told what came of it."""
        try:
            await interaction.response.defer(ephemeral=True, thinking=True)
            cog: Presses = interaction.client.get_cog(COG)
            await cog.press(interaction, self._alert_id, self._press)
        except Exception as error:  # discord.py would only log it
            await answer_error(interaction, error)


class ChooseMember(AskersView):
    """Asks whom of several members an act is for."""

    def __init__(
        self,
        asker_id: int,
        cog: Presses,
        alert_id: int,
        press: Press,
        members: Sequence[discord.Member],
        locale: discord.Locale,
    ) -> None:
        super().__init__(asker_id)
        self._cog = cog
        self._alert_id = alert_id
        self._press = press
        self.add_item(_Whom(members, tr(locale, CHOOSE)))

    async def choose(self, interaction: discord.Interaction[Any], user_id: int) -> None:
        """Carry out the act on the member chosen."""
        await interaction.response.defer()
        done = await self._cog.act_on(interaction, self._alert_id, self._press, user_id)
        await interaction.edit_original_response(content=done, view=None)
        self.stop()


class _Whom(discord.ui.Select[ChooseMember]):
    def __init__(self, members: Sequence[discord.Member], placeholder: str) -> None:
        super().__init__(placeholder=placeholder)
        for one in members[:MOST_OPTIONS]:
            label = f"{one.display_name[: NAME_LIMIT - 40]} (@{one.name})"[:NAME_LIMIT]
            self.add_option(label=label, value=str(one.id))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        if self.view is not None:
            await self.view.choose(interaction, int(self.values[0]))


def buttons_of(alert: Alert, locale: discord.Locale) -> discord.ui.View | None:
    """Return the buttons that an alert has now: none once somebody decided on it."""
    if not alert.is_undecided:
        return None
    view = discord.ui.View(timeout=None)
    hidden = "case" if alert.state is AlertState.CASE else "close"
    for name in PRESSES:
        if name != hidden:
            view.add_item(AlertButton(name, alert.alert_id, locale))
    view.stop()  # the ids are enough: nothing waits for them here
    return view
