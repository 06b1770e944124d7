"""Consent: the notice at first contact, whose buttons outlive a restart, and /memory consent."""

import logging
import re
from collections import OrderedDict
from typing import Any, Self

import discord
from discord.ext import commands

from cogs.answering import LINE_LOST
from cogs.error_door import answer_error
from cogs.messages import guild_id_of
from cogs.texts import (
    ANOTHERS_NOTICE,
    CONSENT_CHOSEN,
    CONSENT_LABELS,
    CONSENT_QUESTION,
    NOTICE,
    PASSIVE_CHOSEN,
    consent_in_words,
)
from cogs.views import AskersView, Confirmation
from utils.core import Core
from utils.errors import KithError
from utils.model.memory import DIRECT_MESSAGES, Consent, Member
from utils.model.recall import Shown
from utils.model.transfer import Noted
from utils.text import defuse_mentions, escape_markdown

MOST_MET = 10_000
STYLES = {
    Consent.LASTING: discord.ButtonStyle.primary,
    Consent.TEMPORARY: discord.ButtonStyle.secondary,
    Consent.OFF: discord.ButtonStyle.danger,
}

_log = logging.getLogger(__name__)


class ConsentButton(
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=r"kith:consent:(?P<choice>lasting|temporary|off):(?P<user_id>[0-9]{1,20})",
):
    """One choice under a notice; everything it needs is in its id, so any process answers it."""

    def __init__(self, choice: Consent, user_id: int) -> None:
        super().__init__(
            discord.ui.Button(
                label=CONSENT_LABELS[choice],
                style=STYLES[choice],
                custom_id=f"kith:consent:{choice}:{user_id}",
            )
        )
        self._choice = choice
        self._user_id = user_id

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Make the button anew from what its id says."""
        return cls(Consent(match["choice"]), int(match["user_id"]))

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let only the member press whom the notice is for."""
        if interaction.user.id == self._user_id:
            return True
        await interaction.response.send_message(ANOTHERS_NOTICE, ephemeral=True)
        return False

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the choice, and turn the notice into one sentence."""
        notices = interaction.client.get_cog(ConsentNotices.__name__)
        try:
            await interaction.response.defer()
            await notices.choose(interaction, self._choice)
        except Exception as error:  # discord.py would only log it
            await answer_error(interaction, error)


class ConsentNotices(commands.Cog):
    """Says once to each member of a server that Kith remembers, and asks for how long."""

    def __init__(self, bot: commands.AutoShardedBot, core: Core) -> None:
        self._bot = bot
        self._core = core
        self._met: OrderedDict[tuple[Member, Consent], None] = OrderedDict()

    async def cog_load(self) -> None:
        """Answer the buttons of every notice, also of those from before a restart."""
        self._bot.add_dynamic_items(ConsentButton)

    async def cog_unload(self) -> None:
        """Answer them no more."""
        self._bot.remove_dynamic_items(ConsentButton)

    async def introduce(self, message: discord.Message) -> None:
        """Say it, once for each default, to whoever was answered; what is in its way is logged."""
        member = Member(guild_id_of(message), message.author.id)
        try:
            default = (await self._core.guilds.get(member.guild_id)).consent_default
            if (member, default) in self._met:
                return
            if await self._core.keeper.note(member, Noted.ASKED):
                await self._ask(message, member, default)
        except (KithError, discord.HTTPException, *LINE_LOST) as error:
            _log.warning("a notice could not be given: %s", type(error).__name__)
            return
        self._met[member, default] = None
        if len(self._met) > MOST_MET:
            self._met.popitem(last=False)

    async def _ask(self, message: discord.Message, member: Member, default: Consent) -> None:
        """Send the notice; what fails or is broken off is tried again at the next contact."""
        is_sent = False
        try:
            await self._send(message, member, default)
            is_sent = True
        finally:
            if not is_sent:
                await self._core.keeper.note(member, Noted.NOT_ASKED)

    async def _send(self, message: discord.Message, member: Member, default: Consent) -> None:
        view = discord.ui.View(timeout=None)
        for choice in STYLES:
            view.add_item(ConsentButton(choice, member.user_id))
        name = escape_markdown(defuse_mentions(message.author.display_name))
        text = NOTICE.get(default, NOTICE[Consent.TEMPORARY]).format(name)
        await message.channel.send(
            text, view=view, allowed_mentions=discord.AllowedMentions.none(), silent=True
        )
        view.stop()  # the button's ids are enough: nothing waits for them here

    async def choose(self, interaction: discord.Interaction[Any], choice: Consent) -> None:
        """Store what a member chose under a notice."""
        member = Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)
        await self._core.keeper.set_consent(member, choice)
        await interaction.edit_original_response(content=CONSENT_CHOSEN[choice], view=None)


class ConsentView(AskersView):
    """What holds for a member, and buttons to choose otherwise."""

    def __init__(self, core: Core, member: Member, shown: Shown) -> None:
        super().__init__(member.user_id)
        self._core = core
        self._member = member
        self._shown = shown
        chosen = shown.choices
        for choice, button in self._buttons().items():
            button.label = CONSENT_LABELS[choice]
            button.disabled = shown.choices.consent is choice
        is_off = shown.consent is Consent.OFF
        self.listen.disabled = is_off or chosen.passive_opt_in
        self.ignore.disabled = is_off or (chosen.passive_opt_out and not chosen.passive_opt_in)

    @property
    def text(self) -> str:
        """What stands above the buttons."""
        return consent_in_words(self._shown.consent, self._shown.choices)

    @discord.ui.button(style=STYLES[Consent.LASTING])
    async def lasting(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose to be remembered lastingly."""
        await interaction.response.defer()
        await self._choose(interaction, Consent.LASTING)

    @discord.ui.button(style=STYLES[Consent.TEMPORARY])
    async def temporary(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose to be forgotten after 30 days."""
        await interaction.response.defer()
        await self._choose(interaction, Consent.TEMPORARY)

    @discord.ui.button(style=STYLES[Consent.OFF])
    async def off(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose not to be remembered, after one question."""
        question = Confirmation(self._member.user_id, yes="Erase everything")
        await interaction.response.edit_message(content=CONSENT_QUESTION, view=question)
        self.stop()
        if await question.answered():
            await self._choose(interaction, Consent.OFF)
        else:
            await interaction.edit_original_response(content="Nothing was changed.", view=None)

    @discord.ui.button(
        label="Also listen when I talk to others", style=discord.ButtonStyle.secondary, row=1
    )
    async def listen(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose that what is said to others may be noted."""
        await self._choose_passive(interaction, opt_in=True)

    @discord.ui.button(
        label="Don't listen when I talk to others", style=discord.ButtonStyle.secondary, row=1
    )
    async def ignore(
        self, interaction: discord.Interaction, button: discord.ui.Button["ConsentView"]
    ) -> None:
        """Choose that nothing of what is said to others is noted, wherever that would be."""
        await self._choose_passive(interaction, opt_in=False)

    async def _choose_passive(self, interaction: discord.Interaction, *, opt_in: bool) -> None:
        await interaction.response.defer()
        await self._core.keeper.set_consent(self._member, passive=opt_in)
        await self._close(interaction, PASSIVE_CHOSEN[opt_in])

    async def _choose(self, interaction: discord.Interaction, choice: Consent) -> None:
        await self._core.keeper.set_consent(self._member, choice)
        await self._close(interaction, CONSENT_CHOSEN[choice])

    async def _close(self, interaction: discord.Interaction, text: str) -> None:
        await interaction.edit_original_response(content=text, view=None)
        self.stop()

    def _buttons(self) -> dict[Consent, discord.ui.Button["ConsentView"]]:
        return {
            Consent.LASTING: self.lasting,
            Consent.TEMPORARY: self.temporary,
            Consent.OFF: self.off,
        }
