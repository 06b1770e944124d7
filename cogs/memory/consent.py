"""Consent: the notice at first contact with its persistent buttons, and ``/memory consent``."""

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
from cogs.bot.interactions import NO_PINGS, home_of, log_errors, respond
from cogs.bot.localisation import ENGLISH, locale_of, tr
from cogs.bot.messages import guild_id_of
from cogs.bot.texts import (
    ANOTHERS_NOTICE,
    CONSENT_CHOSEN,
    CONSENT_LABELS,
    CONSENT_QUESTION,
    ENDS_BEFORE,
    FINDABLE_CHOSEN,
    FINDABLE_LABELS,
    FINDABLE_NOTICE,
    NOTICE,
    NOTICE_IN_DIRECT_MESSAGES,
    PASSIVE_CHOSEN,
    consent_text,
)
from cogs.bot.views import ActionButton, AuthorView, ConfirmView, PersistentButton, persistent_view
from utils.app import App
from utils.common.bounded import BoundedDict
from utils.common.errors import BadInput
from utils.common.text import defuse_mentions, escape_markdown
from utils.models.memory import DIRECT_MESSAGES, Consent, Member
from utils.models.recall import MemberView

MAX_INTRODUCED = 10_000
PASSIVE_LABELS = {
    True: "Also listen when I talk to others",
    False: "Don't listen when I talk to others",
}
STYLES = {
    Consent.LASTING: discord.ButtonStyle.primary,
    Consent.TEMPORARY: discord.ButtonStyle.secondary,
    Consent.OFF: discord.ButtonStyle.danger,
}

_BUTTON_ID = re.compile(
    r"kith:(?:consent:(?P<choice>lasting|temporary|off)|notfindable):(?P<user_id>[0-9]{1,20})"
)


def asked_member_id(message: discord.Message) -> int | None:
    """Return whom a notice asks, by the ids of its buttons; None for any other message."""
    for row in message.components:
        for item in getattr(row, "children", ()):
            if match := _BUTTON_ID.fullmatch(getattr(item, "custom_id", None) or ""):
                return int(match["user_id"])
    return None


class NoticeButton(PersistentButton[discord.ui.Button[Any]], template=_BUTTON_ID):
    """A choice under a notice; its id holds all its data, so any process can handle it.

    It is a consent, or None: not to be found by others.
    """

    def __init__(
        self, choice: Consent | None, user_id: int, locale: discord.Locale = ENGLISH
    ) -> None:
        if choice is None:
            button = discord.ui.Button[Any](
                label=tr(locale, FINDABLE_LABELS[False]),
                custom_id=f"kith:notfindable:{user_id}",
                row=1,
            )
        else:
            button = discord.ui.Button[Any](
                label=tr(locale, CONSENT_LABELS[choice]),
                style=STYLES[choice],
                custom_id=f"kith:consent:{choice}:{user_id}",
            )
        super().__init__(button)
        self._choice = None if choice is None else Consent(choice)  # a custom id has its name
        self._user_id = user_id

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Store the choice and tell only the member; the notice goes once consent is chosen.

        Raises BadInput unless the member whom the notice asks pressed.
        """
        if interaction.user.id != self._user_id:
            raise BadInput(ANOTHERS_NOTICE)
        app: App = interaction.client.app
        member = Member(home_of(interaction), interaction.user.id)
        await interaction.response.defer()
        if self._choice is None:
            await app.memory.editor.set_consent(member, findable=False)
            await respond(interaction, FINDABLE_CHOSEN[False])
            return
        await app.memory.editor.set_consent(member, self._choice)
        await respond(interaction, CONSENT_CHOSEN[self._choice])
        with suppress(discord.NotFound):  # pressed twice, or deleted meanwhile
            await interaction.delete_original_response()


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

    buttons = (NoticeButton,)

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._introduced: BoundedDict[Member, None] = BoundedDict(MAX_INTRODUCED)

    async def introduce(self, contact: Contact) -> None:
        """Send the notice to a member who got an answer, once; log failures."""
        member = contact.member
        if member in self._introduced:
            return
        with log_errors("a consent notice could not be sent"):
            if await self._app.memory.editor.mark_consent_asked(member):
                settings = await self._app.guilds.settings.get(member.guild_id)
                is_sent = False  # after a failure or cancellation, the next message tries again
                try:
                    await self._send(contact, settings.consent_default)
                    is_sent = True
                finally:
                    if not is_sent:
                        await self._app.memory.editor.unmark_consent_asked(member)
            self._introduced[member] = None

    async def tell_end(self, contact: Contact) -> None:
        """Tell a member once that temporary consent ends what they said before its date."""
        day = self._app.memory.end_notices.take(contact.member, contact.channel_id)
        if day is None:
            return
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        text = tr(contact.locale, ENDS_BEFORE, day=discord.utils.format_dt(noon, "D"))
        with log_errors("a notice of an end could not be sent"):
            await contact.send(text, allowed_mentions=NO_PINGS, silent=True)

    async def _send(self, contact: Contact, default: Consent) -> None:
        member, locale = contact.member, contact.locale
        buttons: list[PersistentButton[Any]] = [
            NoticeButton(choice, member.user_id, locale) for choice in STYLES
        ]
        text = tr(
            locale,
            NOTICE.get(default, NOTICE[Consent.TEMPORARY]),
            name=escape_markdown(defuse_mentions(contact.name)),
        )
        if member.guild_id == DIRECT_MESSAGES:
            text += f"\n{tr(locale, NOTICE_IN_DIRECT_MESSAGES)}"
        else:
            text += f" {tr(locale, FINDABLE_NOTICE)}"
            buttons.append(NoticeButton(None, member.user_id, locale))
        await contact.send(
            text, view=persistent_view(buttons), allowed_mentions=NO_PINGS, silent=True
        )


class ConsentView(AuthorView):
    """A member's current consent, and buttons to change it."""

    def __init__(
        self, app: App, member: Member, member_view: MemberView, interaction: discord.Interaction
    ) -> None:
        super().__init__(member.user_id)
        self._locale = interaction.locale
        self._app = app
        self._member = member
        self._shown = member_view
        choices = member_view.choices
        for choice, style in STYLES.items():
            label, is_chosen = CONSENT_LABELS[choice], choices.consent is choice
            act = partial(self._store, text=CONSENT_CHOSEN[choice], choice=choice)
            self._add(act, label, style=style, disabled=is_chosen)
        is_off = member_view.consent is Consent.OFF
        for opt_in, label in PASSIVE_LABELS.items():
            has_opted_out = choices.passive_opt_out and not choices.passive_opt_in
            is_chosen = choices.passive_opt_in if opt_in else has_opted_out
            act = partial(self._store, text=PASSIVE_CHOSEN[opt_in], passive=opt_in)
            self._add(act, label, row=1, disabled=is_off or is_chosen)
        if member.guild_id != DIRECT_MESSAGES:
            findable = choices.not_findable
            act = partial(self._store, text=FINDABLE_CHOSEN[findable], findable=findable)
            self._add(act, FINDABLE_LABELS[findable], row=2, disabled=is_off)

    @property
    def text(self) -> str:
        """The text above the buttons."""
        translate, choices = partial(tr, self._locale), self._shown.choices
        text = consent_text(self._shown.consent, choices, translate)
        if self._member.guild_id == DIRECT_MESSAGES or self._shown.consent is Consent.OFF:
            return text
        return f"{text}\n{translate(FINDABLE_CHOSEN[not choices.not_findable])}"

    def _add(
        self, act: Callable[[discord.Interaction[Any]], Awaitable[None]], label: str, **options: Any
    ) -> None:
        self.add_item(ActionButton(act, label=tr(self._locale, label), **options))

    async def _store(
        self,
        interaction: discord.Interaction,
        text: str,
        choice: Consent | None = None,
        *,
        passive: bool | None = None,
        findable: bool | None = None,
    ) -> None:
        """Store a choice, and say so; not to be remembered, only after a confirmation."""
        is_sure = True
        if choice is Consent.OFF:
            question = ConfirmView(interaction, "Erase everything")
            await interaction.response.edit_message(
                content=tr(self._locale, CONSENT_QUESTION), view=question
            )
            self.stop()
            is_sure = await question.answered()
        else:
            await interaction.response.defer()
        if is_sure:
            await self._app.memory.editor.set_consent(
                self._member, choice, passive=passive, findable=findable
            )
        await interaction.edit_original_response(
            content=tr(self._locale, text if is_sure else "Nothing was changed."), view=None
        )
        self.stop()
