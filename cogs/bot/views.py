"""Shared views: pages, a confirmation, forms, and buttons that outlive a restart."""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self, TypeVar
from weakref import WeakSet

import discord

from cogs.bot.error_handler import cannot_be_answered, send_error
from cogs.bot.interactions import (
    REQUEST_ERRORS,
    ModeratorsOnly,
    card,
    require_moderator,
    say,
)
from cogs.bot.localisation import tr
from utils.common.clock import Clock
from utils.common.text import clip

TIMEOUT_S = 600.0
EXPIRED_AFTER_S = 1.5
NOT_YOURS = "These buttons are not yours."
KEEP_IT = "Keep it"
NEWER, OLDER = "Newer", "Older"

MAX_CHOSEN = 25  # of a select, by Discord
MAX_TITLE = 45  # of a form

VIEW_ID = re.compile(r"[0-9a-f]{32}")  # what discord.py gives to items without an id

_log = logging.getLogger(__name__)

ItemT = TypeVar("ItemT", bound=discord.ui.Item[Any], covariant=True)


class PersistentButton(discord.ui.DynamicItem[ItemT], template=r"(?!)"):
    """A button or select that outlives a restart: its custom id holds everything it needs.

    Each subclass has its own ``template`` and overrides :meth:`press`. discord.py would only log
    what that raises; here the person who pressed gets a sentence. Only views that
    :func:`persistent_view` makes may hold one: when a view that discord.py keeps ends, all buttons
    of the class stop working.
    """

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out what the button is for. Raises an error for a person who may not press."""
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
        return cls.of_match(match)

    @classmethod
    def of_match(cls, match: re.Match[str]) -> Self:
        """Return the button of a custom id: the groups of the template are its arguments."""
        values: Iterable[Any] = (
            int(value) if value and value.isdecimal() else value for value in match.groups()
        )
        return cls(*values)

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


class ActionButton(discord.ui.Button[Any]):
    """A button of a view in memory that does what it was made for."""

    def __init__(
        self, act: Callable[[discord.Interaction[Any]], Awaitable[None]], **options: Any
    ) -> None:
        super().__init__(**options)
        self._act = act

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do it."""
        await self._act(interaction)


class ActionSelect(discord.ui.Select[Any]):
    """A select of a view in memory; ``act`` gets the value that was chosen."""

    def __init__(
        self, act: Callable[[discord.Interaction[Any], str], Awaitable[None]], **options: Any
    ) -> None:
        super().__init__(**options)
        self._act = act

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do it."""
        await self._act(interaction, self.values[0])


class AuthorView(discord.ui.View):
    """A view whose buttons only the person who used the command can press.

    ``for_moderators``: only while they have *Manage Server*.
    """

    _open: ClassVar[WeakSet["AuthorView"]] = WeakSet()

    def __init__(self, author_id: int, *, for_moderators: bool = False) -> None:
        super().__init__(timeout=TIMEOUT_S)
        self._author_id = author_id
        self._for_moderators = for_moderators
        self._open.add(self)

    @classmethod
    def has(cls, custom_id: str) -> bool:
        """Return whether a button or select belongs to a view of this process."""
        return any(
            getattr(item, "custom_id", None) == custom_id
            for view in cls._open
            if not view.is_finished()
            for item in view.children
        )

    async def interaction_check(self, interaction: discord.Interaction) -> bool:
        """Return whether the author of the command pressed; tell others that they can't.

        Raises MissingPermissions for an author who is no moderator any more.
        """
        if interaction.user.id == self._author_id:
            if self._for_moderators:
                require_moderator(interaction)
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


async def answer_expired(interaction: discord.Interaction[Any], clock: Clock) -> None:
    """Answer a press of a button whose view is over: take the buttons away, and say so.

    Its ten minutes have passed, or Kith was started again. Persistent buttons have ids of their
    own. Another process may have the view: it answers at once, so this one waits before it does.
    """
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    is_component = interaction.type is discord.InteractionType.component
    if not (is_component and VIEW_ID.fullmatch(custom_id)) or AuthorView.has(custom_id):
        return
    await clock.sleep(EXPIRED_AFTER_S)
    if interaction.response.is_done():
        return
    try:
        await interaction.response.edit_message(view=None)
        await interaction.followup.send(
            tr(interaction.locale, "These buttons have expired. Use the command again."),
            ephemeral=True,
        )
    except REQUEST_ERRORS as error:
        if not cannot_be_answered(error):
            _log.info("expired buttons could not be removed: %s", type(error).__name__)


class TextForm(discord.ui.Modal):
    """A form with one field. ``act`` gets what was typed; the person sees its errors."""

    def __init__(
        self,
        title: str,
        label: str,
        act: Callable[[discord.Interaction, str], Awaitable[None]],
        *,
        hint: str | None = None,
        timeout_s: float = TIMEOUT_S,
        **field: Any,
    ) -> None:
        super().__init__(title=clip(title, MAX_TITLE), timeout=timeout_s)
        self._act = act
        self._text: discord.ui.TextInput[TextForm] = discord.ui.TextInput(**field)
        self.add_item(discord.ui.Label(text=label, description=hint, component=self._text))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Act on what was typed."""
        await self._act(interaction, self._text.value)

    async def on_error(  # type: ignore[override]
        self, interaction: discord.Interaction, error: Exception, /
    ) -> None:
        """Tell the person what went wrong."""
        await send_error(interaction, error)


class ModeratorForm(ModeratorsOnly, TextForm):
    """A form for members with *Manage Server*, checked again when it is sent."""


PageLoader = Callable[[discord.Interaction], Awaitable[Sequence[str]]]
"""Loads the pages again; raises BadInput if the person may not see them any more."""


class Pages(AuthorView):
    """Pages of text, each a card, with buttons to turn them.

    With ``load`` they are loaded again at each turn, so that nothing erased since is shown.
    ``labels`` are those of the buttons.
    """

    def __init__(
        self,
        interaction: discord.Interaction,
        pages: Sequence[str],
        load: PageLoader | None = None,
        labels: tuple[str, str] = (NEWER, OLDER),
    ) -> None:
        super().__init__(interaction.user.id)
        self._pages = pages
        self._load = load
        self._page = 0
        self._newer, self._older = (
            ActionButton(partial(self._turn, step=step), label=tr(interaction.locale, label))
            for label, step in zip(labels, (-1, 1), strict=True)
        )
        self._show_buttons()

    async def send(self, interaction: discord.Interaction) -> None:
        """Send the first page as an ephemeral answer; the interaction has been deferred."""
        await interaction.followup.send(
            embed=card(self._pages[0]),
            view=self if self.children else discord.utils.MISSING,
            ephemeral=True,
        )

    async def _turn(self, interaction: discord.Interaction, step: int) -> None:
        await interaction.response.defer()
        await self._redraw(interaction, step)

    async def _redraw(self, interaction: discord.Interaction, step: int = 0) -> None:
        if self._load is not None:
            self._pages = await self._load(interaction)
        self._page = min(max(0, self._page + step), len(self._pages) - 1)
        self._show_buttons()
        await interaction.edit_original_response(embed=card(self._pages[self._page]), view=self)

    def _show_buttons(self) -> None:
        """Show the buttons that turn pages if there is more than one."""
        self.clear_items()
        if len(self._pages) > 1:
            self.add_item(self._newer).add_item(self._older)
        self._newer.disabled = self._page == 0
        self._older.disabled = self._page == len(self._pages) - 1


class ConfirmView(AuthorView):
    """One question with a red yes and a grey no, whose labels are translated."""

    def __init__(
        self,
        interaction: discord.Interaction,
        yes: str,
        no: str = KEEP_IT,
        *,
        for_moderators: bool = False,
    ) -> None:
        super().__init__(interaction.user.id, for_moderators=for_moderators)
        self._agreed = False
        styles = {yes: discord.ButtonStyle.danger, no: discord.ButtonStyle.secondary}
        for label, style in styles.items():
            act = partial(self._close, agreed=label == yes)
            self.add_item(ActionButton(act, label=tr(interaction.locale, label), style=style))

    async def answered(self) -> bool:
        """Wait for the answer; no answer within the timeout is a no."""
        await self.wait()
        return self._agreed

    async def _close(self, interaction: discord.Interaction, *, agreed: bool) -> None:
        self._agreed = agreed
        await interaction.response.defer()
        self.stop()


async def confirm(
    interaction: discord.Interaction,
    question: str,
    yes: str,
    no: str = KEEP_IT,
    *,
    for_moderators: bool = False,
) -> bool:
    """Ask a question as the answer to a deferred command, and return whether the person agrees."""
    view = ConfirmView(interaction, yes, no, for_moderators=for_moderators)
    await say(interaction, question, view=view)
    return await view.answered()
