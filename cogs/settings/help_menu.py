"""The part of ``/help`` for moderators: one group of commands at a time, chosen in a menu."""

from typing import Any

import discord

from cogs.bot.interactions import card
from cogs.bot.localisation import tr
from cogs.bot.texts import HELP, HELP_FOR_MODERATORS
from cogs.bot.views import ActionSelect, AuthorView


class HelpMenu(AuthorView):
    """Shows the group of moderators' commands that is chosen, below what everybody can do."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        super().__init__(interaction.user.id)
        self._help = tr(interaction.locale, HELP)
        self.first, *groups = tr(interaction.locale, HELP_FOR_MODERATORS).split("\n")
        self._groups = {group.split("**")[1].rstrip(":"): group for group in groups}
        self._select = ActionSelect(
            self._show_group,
            placeholder=tr(interaction.locale, "More for moderators"),
            options=[discord.SelectOption(label=group) for group in self._groups],
        )
        self.add_item(self._select)

    def cards(self, group: str | None = None) -> list[discord.Embed]:
        """Return the help for everybody, and a group of commands, by default how to begin."""
        return [card(self._help), card(self.first if group is None else self._groups[group])]

    async def _show_group(self, interaction: discord.Interaction[Any], group: str) -> None:
        for option in self._select.options:
            option.default = option.value == group
        await interaction.response.edit_message(embeds=self.cards(group), view=self)
