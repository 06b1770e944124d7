"""Buttons under ephemeral answers: turning pages, and one question. Only the asker can press."""

from collections.abc import Sequence

import discord

from cogs.answering import ForModerators
from cogs.error_door import answer_error
from cogs.localisation import ENGLISH, tr

TIMEOUT_S = 600.0
NOT_YOURS = "These buttons are not yours."


class AskersView(discord.ui.View):
    """A view that answers nobody but the person who asked."""

    def __init__(self, asker_id: int) -> None:
        super().__init__(timeout=TIMEOUT_S)
        self._asker_id = asker_id

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Let only the asker press."""
        if interaction.user.id == self._asker_id:
            return True
        await interaction.response.send_message(tr(interaction.locale, NOT_YOURS), ephemeral=True)
        return False

    async def on_error(
        self,
        interaction: discord.Interaction,
        error: Exception,
        item: discord.ui.Item["AskersView"],
        /,
    ) -> None:
        """Say what went wrong in one sentence."""
        await answer_error(interaction, error)


class ModeratorsForm(ForModerators, discord.ui.Modal):
    """A form for whoever may manage the server, still when they send it."""

    async def on_error(  # type: ignore[override]
        self, interaction: discord.Interaction, error: Exception, /
    ) -> None:
        """Say what went wrong in one sentence."""
        await answer_error(interaction, error)


class Pages(AskersView):
    """Pages of text with buttons to turn them."""

    def __init__(self, pages: Sequence[str], asker_id: int) -> None:
        super().__init__(asker_id)
        self._pages = pages
        self._page = 0
        self._show_buttons()

    async def send(self, interaction: discord.Interaction) -> None:
        """Show the first page, so that only the asker sees it; the answer has been deferred."""
        self.newer.label = tr(interaction.locale, "Newer")
        self.older.label = tr(interaction.locale, "Older")
        if len(self._pages) == 1:
            await interaction.followup.send(self._pages[0], ephemeral=True)
        else:
            await interaction.followup.send(self._pages[0], view=self, ephemeral=True)

    @discord.ui.button(label="Newer", style=discord.ButtonStyle.secondary)
    async def newer(
        self, interaction: discord.Interaction, button: discord.ui.Button["Pages"]
    ) -> None:
        """Turn one page back."""
        await self._turn(interaction, -1)

    @discord.ui.button(label="Older", style=discord.ButtonStyle.secondary)
    async def older(
        self, interaction: discord.Interaction, button: discord.ui.Button["Pages"]
    ) -> None:
        """Turn one page on."""
        await self._turn(interaction, 1)

    async def _turn(self, interaction: discord.Interaction, by: int) -> None:
        self._page = min(max(0, self._page + by), len(self._pages) - 1)
        self._show_buttons()
        await interaction.response.edit_message(content=self._pages[self._page], view=self)

    def _show_buttons(self) -> None:
        self.newer.disabled = self._page == 0
        self.older.disabled = self._page == len(self._pages) - 1


class Confirmation(AskersView):
    """One question with a red yes and a grey no."""

    def __init__(self, asker_id: int, *, yes: str, locale: discord.Locale = ENGLISH) -> None:
        super().__init__(asker_id)
        self._agreed = False
        self.yes.label = yes
        self.no.label = tr(locale, "Keep it")

    async def answered(self) -> bool:
        """Wait for the answer; silence is a no."""
        await self.wait()
        return self._agreed

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(
        self, interaction: discord.Interaction, button: discord.ui.Button["Confirmation"]
    ) -> None:
        """Agree."""
        self._agreed = True
        await self._close(interaction)

    @discord.ui.button(label="Keep it", style=discord.ButtonStyle.secondary)
    async def no(
        self, interaction: discord.Interaction, button: discord.ui.Button["Confirmation"]
    ) -> None:
        """Decline."""
        await self._close(interaction)

    async def _close(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        self.stop()
