"""Consent: the notice at first contact with its persistent buttons, and ``/memory consent``."""

import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Self

import discord

from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import CONNECTION_ERRORS, NO_PINGS, home_of
from cogs.bot.localisation import ENGLISH, locale_of, tr
from cogs.bot.messages import guild_id_of
from cogs.bot.texts import (
    ANOTHERS_NOTICE,
    CONSENT_CHOSEN,
    CONSENT_LABELS,
    CONSENT_QUESTION,
    ENDS_BEFORE,
    NOTICE,
    NOTICE_IN_DIRECT_MESSAGES,
    PASSIVE_CHOSEN,
    consent_text,
)
from cogs.bot.views import AuthorView, ConfirmView, PersistentButton, persistent_view
from utils.app import App
from utils.common.bounded import BoundedDict
from utils.common.errors import BadInput, KithError
from utils.common.text import defuse_mentions, escape_markdown
from utils.models.memory import DIRECT_MESSAGES, Consent, Member
from utils.models.recall import MemberView
from utils.models.transfer import FirstContact

MAX_INTRODUCED = 10_000
STYLES = {
    Consent.LASTING: discord.ButtonStyle.primary,
    Consent.TEMPORARY: discord.ButtonStyle.secondary,
    Consent.OFF: discord.ButtonStyle.danger,
}

_BUTTON_ID = re.compile(r"kith:consent:(?P<choice>lasting|temporary|off):(?P<user_id>[0-9]{1,20})")

_log = logging.getLogger(__name__)


def asked_member_id(message: discord.Message) -> int | None:
    """Return whom a notice asks, by the ids of its buttons; None for any other message."""
    for row in message.components:
        for item in getattr(row, "children", ()):
            if match := _BUTTON_ID.fullmatch(getattr(item, "custom_id", None) or ""):
                return int(match["user_id"])
    return None


class ConsentButton(
    PersistentButton[discord.ui.Button[Any]],
    template=_BUTTON_ID,
):
    """A choice under a notice; its id holds all its data, so any process can handle it."""

    def __init__(self, choice: Consent, user_id: int, locale: discord.Locale = ENGLISH) -> None:
        super().__init__(
            discord.ui.Button(
                label=tr(locale, CONSENT_LABELS[choice]),
                style=STYLES[choice],
                custom_id=f"kith:consent:{choice}:{user_id}",
            )
        )
        self._choice = choice
        self._user_id = user_id

    @classmethod
    def restore(cls, item: discord.ui.Item[Any], match: re.Match[str]) -> Self:
        """Return the button for a custom id."""
        return cls(Consent(match["choice"]), int(match["user_id"]))

    def check(self, interaction: discord.Interaction[Any]) -> None:
        """Raise BadInput unless the member whom the notice asks pressed."""
        if interaction.user.id != self._user_id:
            raise BadInput(ANOTHERS_NOTICE)

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Store the choice; the notice goes."""
        notices: ConsentNotices = interaction.client.get_cog(ConsentNotices.__name__)
        await interaction.response.defer()
        await notices.choose(interaction, self._choice)


@dataclass(frozen=True, slots=True)
class Contact:
    """A person who got an answer in a channel, and how to send them a notice beside it."""

    member: Member
    name: str
    channel_id: int
    locale: discord.Locale
    send: Callable[..., Awaitable[Any]]

    @classmethod
    def of(cls, message: discord.Message, client: discord.Client) -> Self:
        """Return the author of a message; notices go to the channel of the message."""
        return cls(
            Member(guild_id_of(message), message.author.id),
            message.author.display_name,
            message.channel.id,
            locale_of(message, client),
            message.channel.send,
        )


class ConsentNotices(FeatureCog):
    """Tells each member of a server once that Kith remembers, and asks for how long."""

    buttons = (ConsentButton,)

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._introduced: BoundedDict[Member, None] = BoundedDict(MAX_INTRODUCED)

    async def introduce(self, contact: Contact) -> None:
        """Send the notice to a member who got an answer, once; log failures."""
        member = contact.member
        if member in self._introduced:
            return
        try:
            if await self._app.memory.editor.note(member, FirstContact.ASKED):
                settings = await self._app.guilds.settings.get(member.guild_id)
                await self._ask(contact, settings.consent_default)
        except (KithError, discord.HTTPException, *CONNECTION_ERRORS) as error:
            _log.warning("a consent notice could not be sent: %s", type(error).__name__)
            return
        self._introduced[member] = None

    async def tell_end(self, contact: Contact) -> None:
        """Tell a member once that temporary consent ends what they said before its date."""
        day = self._app.memory.end_notices.take(contact.member, contact.channel_id)
        if day is None:
            return
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        text = tr(contact.locale, ENDS_BEFORE, day=discord.utils.format_dt(noon, "D"))
        try:
            await contact.send(text, allowed_mentions=NO_PINGS, silent=True)
        except (discord.HTTPException, *CONNECTION_ERRORS) as error:
            _log.warning("a notice of an end could not be sent: %s", type(error).__name__)

    async def _ask(self, contact: Contact, default: Consent) -> None:
        """Send the notice; after a failure or cancellation, the next message tries again."""
        is_sent = False
        try:
            await self._send(contact, default)
            is_sent = True
        finally:
            if not is_sent:
                await self._app.memory.editor.note(contact.member, FirstContact.NOT_ASKED)

    async def _send(self, contact: Contact, default: Consent) -> None:
        member, locale = contact.member, contact.locale
        view = persistent_view(ConsentButton(choice, member.user_id, locale) for choice in STYLES)
        name = escape_markdown(defuse_mentions(contact.name))
        text = tr(locale, NOTICE.get(default, NOTICE[Consent.TEMPORARY]), name=name)
        if member.guild_id == DIRECT_MESSAGES:
            text += f"\n{tr(locale, NOTICE_IN_DIRECT_MESSAGES)}"
        await contact.send(text, view=view, allowed_mentions=NO_PINGS, silent=True)

    async def choose(self, interaction: discord.Interaction[Any], choice: Consent) -> None:
        """Store a member's choice, tell only them, and delete the notice."""
        member = Member(home_of(interaction), interaction.user.id)
        await self._app.memory.editor.set_consent(member, choice)
        text = tr(interaction.locale, CONSENT_CHOSEN[choice])
        await interaction.followup.send(text, ephemeral=True)
        with suppress(discord.NotFound):  # pressed twice, or deleted meanwhile
            await interaction.delete_original_response()


class ConsentView(AuthorView):
    """A member's current consent, and buttons to change it."""

    def __init__(
        self, app: App, member: Member, member_view: MemberView, locale: discord.Locale
    ) -> None:
        super().__init__(member.user_id)
        self._locale = locale
        self._app = app
        self._member = member
        self._shown = member_view
        for choice, button in self._buttons().items():
            button.label = tr(locale, CONSENT_LABELS[choice])
            button.disabled = member_view.choices.consent is choice
        is_off = member_view.consent is Consent.OFF
        for button in (self.listen, self.ignore):
            button.label = tr(locale, button.label or "")
        self.listen.disabled = is_off or member_view.choices.passive_opt_in
        opted_out = member_view.choices.passive_opt_out and not member_view.choices.passive_opt_in
        self.ignore.disabled = is_off or opted_out

    @property
    def text(self) -> str:
        """The text above the buttons."""
        translate = partial(tr, self._locale)
        return consent_text(self._shown.consent, self._shown.choices, translate)

    @discord.ui.button(style=STYLES[Consent.LASTING])
    async def lasting(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose lasting consent."""
        await interaction.response.defer()
        await self._choose(interaction, Consent.LASTING)

    @discord.ui.button(style=STYLES[Consent.TEMPORARY])
    async def temporary(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose temporary consent: 30 days."""
        await interaction.response.defer()
        await self._choose(interaction, Consent.TEMPORARY)

    @discord.ui.button(style=STYLES[Consent.OFF])
    async def off(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose not to be remembered, after a confirmation."""
        locale = self._locale
        question = ConfirmView(
            self._member.user_id, yes=tr(locale, "Erase everything"), locale=locale
        )
        text = tr(locale, CONSENT_QUESTION)
        await interaction.response.edit_message(content=text, view=question)
        self.stop()
        if await question.answered():
            await self._choose(interaction, Consent.OFF)
        else:
            text = tr(locale, "Nothing was changed.")
            await interaction.edit_original_response(content=text, view=None)

    @discord.ui.button(
        label="Also listen when I talk to others", style=discord.ButtonStyle.secondary, row=1
    )
    async def listen(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Allow notes of what the member says to others."""
        await self._choose_passive(interaction, opt_in=True)

    @discord.ui.button(
        label="Don't listen when I talk to others", style=discord.ButtonStyle.secondary, row=1
    )
    async def ignore(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Refuse notes of what the member says to others, in all channels."""
        await self._choose_passive(interaction, opt_in=False)

    async def _choose_passive(self, interaction: discord.Interaction, *, opt_in: bool) -> None:
        await interaction.response.defer()
        await self._app.memory.editor.set_consent(self._member, passive=opt_in)
        await self._close(interaction, PASSIVE_CHOSEN[opt_in])

    async def _choose(self, interaction: discord.Interaction, choice: Consent) -> None:
        await self._app.memory.editor.set_consent(self._member, choice)
        await self._close(interaction, CONSENT_CHOSEN[choice])

    async def _close(self, interaction: discord.Interaction, text: str) -> None:
        await interaction.edit_original_response(content=tr(self._locale, text), view=None)
        self.stop()

    def _buttons(self) -> dict[Consent, discord.ui.Button["ConsentView"]]:
        return {
            Consent.LASTING: self.lasting,
            Consent.TEMPORARY: self.temporary,
            Consent.OFF: self.off,
        }
