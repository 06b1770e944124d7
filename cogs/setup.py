"""/setup: one guided message, a page for each choice, whose buttons outlive a restart."""

import re
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answering import NO_PINGS, guild_of
from cogs.audience import place_ids
from cogs.error_door import answer_error
from cogs.localisation import ENGLISH, tr
from cogs.sentiment.choosing import WatchChoice
from cogs.setup_pages import PAGES, Item, Page, Standing, draw_items, draw_words
from cogs.silence import NEVER_HERE
from cogs.texts import ANNOUNCEMENT
from cogs.views import NOT_YOURS, ModeratorsForm
from utils.core import Core
from utils.errors import BadInput
from utils.model.guild import Purpose
from utils.model.memory import Consent

FORM_S = 600.0
ALL_DONE = "That's it. `/config show` shows everything, and `/setup` brings you back here."
ZONE_TITLE = "Another time zone"
ZONE_LABEL = "Its name, such as Europe/Vienna"


class SetupItem(
    discord.ui.DynamicItem[Item],
    template=r"kith:setup:(?P<page>[a-z]+):(?P<what>[a-z]+):(?P<user_id>[0-9]{1,20})",
):
    """A select or button of /setup; everything it needs is in its id."""

    def __init__(self, item: Item, page: Page, what: str, user_id: int) -> None:
        super().__init__(item)
        self._page = page
        self._what = what
        self._user_id = user_id

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item, match: re.Match[str], /
    ) -> Self:
        """Make the item anew from what its id says."""
        return cls(item, Page(match["page"]), match["what"], int(match["user_id"]))

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let only the moderator choose who asked, while they are one."""
        if interaction.user.id != self._user_id:
            await interaction.response.send_message(
                tr(interaction.locale, NOT_YOURS), ephemeral=True
            )
            return False
        if not interaction.permissions.manage_guild:
            await answer_error(interaction, app_commands.MissingPermissions(["manage_guild"]))
            return False
        return True

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out what was chosen, and draw the page anew."""
        chosen = [getattr(value, "id", value) for value in getattr(self.item, "values", ())]
        setup: Setup = interaction.client.get_cog(Setup.__name__)
        try:
            await setup.carry_out(interaction, self._page, self._what, chosen)
        except Exception as error:  # discord.py would only log it
            await answer_error(interaction, error)


class ZoneForm(ModeratorsForm):
    """A form that asks for a time zone's name."""

    def __init__(self, setup: "Setup", locale: discord.Locale) -> None:
        super().__init__(title=tr(locale, ZONE_TITLE), timeout=FORM_S)
        self._setup = setup
        self._name: discord.ui.TextInput[ZoneForm] = discord.ui.TextInput(max_length=64)
        self.add_item(discord.ui.Label(text=tr(locale, ZONE_LABEL), component=self._name))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Store the zone and draw the page anew."""
        name = self._name.value.strip()
        await self._setup.carry_out(interaction, Page.ZONE, "zone", [name])


class Setup(commands.Cog):
    """Guides a moderator through what a server can choose."""

    def __init__(self, bot: commands.AutoShardedBot, core: Core, watch: WatchChoice) -> None:
        self._bot = bot
        self._core = core
        self._watch = watch

    async def cog_load(self) -> None:
        """Answer the buttons of every setup message, also of those from before a restart."""
        self._bot.add_dynamic_items(SetupItem)

    async def cog_unload(self) -> None:
        """Answer them no more."""
        self._bot.remove_dynamic_items(SetupItem)

    @app_commands.command(name="setup")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def open_setup(self, interaction: discord.Interaction) -> None:
        """Set me up, step by step (moderators)."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        text, view = await self._drawn(interaction, Page.CHANNELS)
        await interaction.followup.send(text, view=view, ephemeral=True, allowed_mentions=NO_PINGS)

    async def carry_out(
        self, interaction: discord.Interaction[Any], page: Page, what: str, chosen: list[Any]
    ) -> None:
        """Do what a select or button says, and show the page that follows."""
        if what == "other":
            await interaction.response.send_modal(ZoneForm(self, interaction.locale))
            return
        await interaction.response.defer()
        if what == "done":
            text = tr(interaction.locale, ALL_DONE)
            await interaction.edit_original_response(content=text, view=None)
            return
        if what in {"back", "next"}:
            place = PAGES.index(page) + (1 if what == "next" else -1)
            page = PAGES[min(max(place, 0), len(PAGES) - 1)]
        elif what != "again":
            await self._store(interaction, what, chosen)
        text, view = await self._drawn(interaction, page)
        await interaction.edit_original_response(content=text, view=view, allowed_mentions=NO_PINGS)
        if what == "consent" and chosen == [Consent.TEMPORARY]:  # after drawing: it can take long
            await self._core.upkeep.retention.hold_to_default(guild_of(interaction).id)

    async def _store(
        self, interaction: discord.Interaction[Any], what: str, chosen: list[Any]
    ) -> None:
        """Store one choice. Raises BadInput where it cannot be."""
        guild = guild_of(interaction)
        guilds = self._core.guilds
        match what:
            case "chat" | "never" | "log":
                await self._set_channels(guild.id, Purpose(what), chosen)
            case "mode":
                await guilds.set_mode(guild.id, chosen[0])
            case "zone":
                await guilds.set_time_zone(guild.id, chosen[0])
            case "role":
                role_id = chosen[0] if chosen and chosen[0] != guild.id else None
                await guilds.set_base_role(guild.id, role_id)
            case "consent":
                await self._set_consent(interaction, Consent(chosen[0]))
            case "watch":
                await self._watch.watch_only(interaction, chosen)

    async def _set_channels(self, guild_id: int, purpose: Purpose, chosen: list[int]) -> None:
        """Give a purpose to these channels, and take it from those that were shown and are not."""
        settings = await self._core.guilds.get(guild_id)
        before = [channel.channel_id for channel in settings.channels_for(purpose)]
        for channel_id in before:
            if channel_id not in chosen:
                await self._core.guilds.remove_channel(guild_id, channel_id, purpose)
        for channel_id in chosen:
            if channel_id not in before:
                await self._core.guilds.add_channel(guild_id, channel_id, purpose)

    async def _set_consent(self, interaction: discord.Interaction[Any], choice: Consent) -> None:
        """Choose the default and announce the change where the moderator is."""
        guild_id = guild_of(interaction).id
        before = await self._core.guilds.get(guild_id)
        if before.consent_default is choice:
            return
        if before.never_answers(*place_ids(interaction.channel)):
            raise BadInput(NEVER_HERE)
        settings = await self._core.guilds.set_consent_default(guild_id, choice)
        text = tr(interaction.guild_locale or ENGLISH, ANNOUNCEMENT[settings.consent_default])
        await interaction.followup.send(text, ephemeral=False, allowed_mentions=NO_PINGS)

    async def _standing(self, guild_id: int) -> Standing:
        return Standing(
            await self._core.guilds.get(guild_id),
            await self._core.personas.names(guild_id),
            await self._watch.watched(guild_id),
        )

    async def _drawn(
        self, interaction: discord.Interaction[Any], page: Page
    ) -> tuple[str, discord.ui.View]:
        """Return a page's words, and its selects and buttons."""
        guild, locale, asker_id = guild_of(interaction), interaction.locale, interaction.user.id
        standing = await self._standing(guild.id)
        view = discord.ui.View(timeout=None)
        for item in draw_items(page, standing, guild, locale, asker_id):
            what = str(getattr(item, "custom_id", "")).split(":")[3]
            view.add_item(SetupItem(item, page, what, asker_id))
        view.stop()  # the ids are enough: nothing waits for them here
        return draw_words(page, standing, guild, locale), view
