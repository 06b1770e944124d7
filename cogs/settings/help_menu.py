"""The part of ``/help`` for moderators: one group of commands at a time, chosen in a menu."""

from typing import Any

import discord

from cogs.bot.interactions import card
from cogs.bot.localisation import tr
from cogs.bot.texts import HELP, HELP_FOR_MODERATORS
from cogs.bot.views import AuthorView


class HelpMenu(AuthorView):
    """Shows the group of moderators' commands that is chosen, below what everybody can do."""

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        super().__init__(interaction.user.id)
        self._help = tr(interaction.locale, HELP)
        self.first, *groups = tr(interaction.locale, HELP_FOR_MODERATORS).split("\n")
        self._groups = {group.split("**")[1].rstrip(":"): group for group in groups}
        self.add_item(
            _GroupSelect(list(self._groups), tr(interaction.locale, "More for moderators"))
        )

    def cards(self, group: str | None = None) -> list[discord.Embed]:
        """Return the help for everybody, and a group of commands, by default how to begin."""
        return [card(self._help), card(self.first if group is None else self._groups[group])]


class _GroupSelect(discord.ui.Select[HelpMenu]):
    def __init__(self, groups: list[str], placeholder: str) -> None:
        super().__init__(placeholder=placeholder)
        for group in groups:
            self.add_option(label=group, value=group)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Show the chosen group."""
        if self.view is not None:
            for option in self.options:
                option.default = option.value == self.values[0]
            cards = self.view.cards(self.values[0])
            await interaction.response.edit_message(embeds=cards, view=self.view)
