"""Shared views: pages, a confirmation, forms, and buttons that outlive a restart."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Self, TypeVar

import discord

from cogs.bot.error_handler import send_error
from cogs.bot.interactions import ModeratorsOnly
from cogs.bot.localisation import ENGLISH, tr

TIMEOUT_S = 600.0
NOT_YOURS = "These buttons are not yours."

MAX_CHOSEN = 25  # of a select, by Discord

ItemT = TypeVar("ItemT", bound=discord.ui.Item[Any], covariant=True)


class PersistentButton(discord.ui.DynamicItem[ItemT], template=r"(?!)"):
    """A button or select that outlives a restart: its custom id holds everything it needs.

    Each subclass has its own ``template`` and overrides :meth:`restore`, :meth:`check` and
    :meth:`press`. discord.py would only log what these raise; here the person who pressed gets a
    sentence.
    """

    @classmethod
    def restore(cls, item: discord.ui.Item[Any], match: re.Match[str]) -> Self:
        """Return the button for a custom id that matched the template."""
        raise NotImplementedError

    def check(self, interaction: discord.Interaction[Any]) -> None:
        """Raise BadInput or MissingPermissions for a person who may not press."""

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out what the button is for."""
        raise NotImplementedError

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls.restore(item, match)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return whether the person may press; tell them if not."""
        try:
            self.check(interaction)
        except Exception as error:
            await send_error(interaction, error)
            return False
        return True

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the press, or say in one sentence what went wrong."""
        try:
            await self.press(interaction)
        except Exception as error:
            await send_error(interaction, error)


def persistent_view(buttons: Iterable[PersistentButton[Any]]) -> discord.ui.View:
    """Return a view of persistent buttons; the client finds them by their ids, not by the view."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view


class AuthorView(discord.ui.View):
    """A view whose buttons only the person who used the command can press."""

    def __init__(self, author_id: int) -> None:
        super().__init__(timeout=TIMEOUT_S)
        self._author_id = author_id

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Return whether the author of the command pressed; tell others that they can't."""
        if interaction.user.id == self._author_id:
            return True
        await interaction.response.send_message(tr(interaction.locale, NOT_YOURS), ephemeral=True)
        return False

    async def on_error(
        self,
        interaction: discord.Interaction,
        error: Exception,
        item: discord.ui.Item["AuthorView"],
        /,
    ) -> None:
        """Tell the person what went wrong."""
        await send_error(interaction, error)


class ModeratorForm(ModeratorsOnly, discord.ui.Modal):
    """A form for members with *Manage Server*, checked again when it is sent."""

    async def on_error(  # type: ignore[override]
        self, interaction: discord.Interaction, error: Exception, /
    ) -> None:
        """Tell the person what went wrong."""
        await send_error(interaction, error)


PageLoader = Callable[[discord.Interaction], Awaitable[Sequence[str]]]
"""Loads the pages again; raises BadInput if the person may not see them any more."""


class Pages(AuthorView):
    """Pages of text with buttons to turn them.

    With ``load`` they are loaded again at each turn, so that nothing erased since is shown.
    """

    def __init__(
        self, pages: Sequence[str], author_id: int, load: PageLoader | None = None
    ) -> None:
        super().__init__(author_id)
        self._pages = pages
        self._load = load
        self._page = 0
        self._show_buttons()

    async def send(self, interaction: discord.Interaction) -> None:
        """Send the first page as an ephemeral answer; the interaction has been deferred."""
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
        """Show the previous page."""
        await self._turn(interaction, -1)

    @discord.ui.button(label="Older", style=discord.ButtonStyle.secondary)
    async def older(
        self, interaction: discord.Interaction, button: discord.ui.Button["Pages"]
    ) -> None:
        """Show the next page."""
        await self._turn(interaction, 1)

    async def _turn(self, interaction: discord.Interaction, step: int) -> None:
        await interaction.response.defer()
        if self._load is not None:
            self._pages = await self._load(interaction)
        self._page = min(max(0, self._page + step), len(self._pages) - 1)
        self._show_buttons()
        await interaction.edit_original_response(content=self._pages[self._page], view=self)

    def _show_buttons(self) -> None:
        self.newer.disabled = self._page == 0
        self.older.disabled = self._page == len(self._pages) - 1


class ConfirmView(AuthorView):
    """One question with a red yes and a grey no."""

    def __init__(
        self, author_id: int, *, yes: str, no: str = "", locale: discord.Locale = ENGLISH
    ) -> None:
        super().__init__(author_id)
        self._agreed = False
        self.yes.label = yes
        self.no.label = no or tr(locale, "Keep it")

    async def answered(self) -> bool:
        """Wait for the answer; no answer within the timeout is a no."""
        await self.wait()
        return self._agreed

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConfirmView"]
    ) -> None:
        """Agree."""
        self._agreed = True
        await self._close(interaction)

    @discord.ui.button(label="Keep it", style=discord.ButtonStyle.secondary)
    async def no(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConfirmView"]
    ) -> None:
        """Decline."""
        await self._close(interaction)

    async def _close(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        self.stop()
