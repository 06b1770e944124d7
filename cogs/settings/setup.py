"""``/setup``: a guided message with a page per choice; its buttons work after a restart."""

import re
from typing import Any, Self

import discord
from discord import app_commands

from cogs.bot.audience import place_ids
from cogs.bot.client import NEVER_HERE
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import NO_PINGS, ModeratorsOnly, card, guild_of, require_moderator
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.page_links import send_moderator_link, web_pages
from cogs.bot.recall_report import recall_report
from cogs.bot.texts import ANNOUNCEMENT
from cogs.bot.views import NOT_YOURS, ModeratorForm, PersistentButton, persistent_view
from cogs.settings.base_role import check_base_role
from cogs.settings.consent_default import check_is_announced
from cogs.settings.setup_pages import (
    PAGES,
    Item,
    SetupPage,
    SetupState,
    page_items,
    page_text,
    split_shown,
    with_recall,
)
from utils.common.errors import BadInput
from utils.models.guild import GuildSettings, Purpose
from utils.models.memory import Consent


class SetupItem(
    PersistentButton[Item],
    template=r"kith:setup:(?P<page>[a-z]+):(?P<action>[a-z]+):(?P<user_id>[0-9]{1,20})",
):
    """A select or button of ``/setup``; its id holds all its data."""

    def __init__(self, item: Item, page: SetupPage, action: str, user_id: int) -> None:
        super().__init__(item)
        self._page = page
        self._action = action
        self._user_id = user_id

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: Item, match: re.Match[str], /
    ) -> Self:
        """Return the item that was used."""
        return cls(item, SetupPage(match["page"]), match["action"], int(match["user_id"]))

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Carry out the choice and show the page again.

        Raises BadInput or MissingPermissions unless the moderator who asked pressed.
        """
        if interaction.user.id != self._user_id:
            raise BadInput(NOT_YOURS)
        require_moderator(interaction)
        chosen = [getattr(value, "id", value) for value in getattr(self.item, "values", ())]
        setup: Setup = interaction.client.get_cog(Setup.__name__)
        await setup.carry_out(interaction, self._page, self._action, chosen)


class Setup(ModeratorsOnly, FeatureCog):
    """Guides a moderator through a server's most important settings."""

    buttons = (SetupItem,)

    @app_commands.command(name="setup")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def open_setup(self, interaction: discord.Interaction) -> None:
        """Set me up, step by step (moderators)."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        text, view = await self._render(interaction, SetupPage.CHANNELS)
        await interaction.followup.send(embed=card(text), view=view, ephemeral=True)

    async def carry_out(
        self, interaction: discord.Interaction[Any], page: SetupPage, action: str, chosen: list[Any]
    ) -> None:
        """Carry out a select or button, and show the next page."""
        if action == "browser":
            await interaction.response.defer()
            await send_moderator_link(interaction)
            return
        if action == "other":
            form = ModeratorForm(
                tr(interaction.locale, "Another time zone"),
                tr(interaction.locale, "Its name, such as Europe/Vienna"),
                lambda answer, name: self.carry_out(answer, SetupPage.ZONE, "zone", [name.strip()]),
                max_length=64,
            )
            await interaction.response.send_modal(form)
            return
        await interaction.response.defer()
        if action == "done":
            text = tr(
                interaction.locale,
                "That's it. `/config show` shows everything, and `/setup` brings you back here.",
            )
            await interaction.edit_original_response(content=None, embed=card(text), view=None)
            return
        if action in {"back", "next"}:
            index = PAGES.index(page) + (1 if action == "next" else -1)
            page = PAGES[min(max(index, 0), len(PAGES) - 1)]
        elif action != "again":
            await self._store(interaction, action, chosen)
        text, view = await self._render(interaction, page)
        await interaction.edit_original_response(content=None, embed=card(text), view=view)
        if action == "consent" and chosen == [Consent.TEMPORARY]:  # last, because it can take long
            await self._app.admin.job_runs.retention.apply_temporary_default(
                guild_of(interaction).id
            )

    async def _store(
        self, interaction: discord.Interaction[Any], action: str, chosen: list[Any]
    ) -> None:
        """Store one choice. Raises BadInput if it is not possible."""
        guild, actor_id = guild_of(interaction), interaction.user.id
        guilds = self._app.guilds.settings
        match action:
            case "chat" | "never" | "log" | "only":
                purpose = Purpose(action)

                def change(settings: GuildSettings) -> GuildSettings:
                    before = [channel.channel_id for channel in settings.channels_for(purpose)]
                    _, hidden = split_shown(guild, before, purpose)
                    return settings.with_purpose(purpose, chosen, hidden)

                await self._app.guilds.settings.update(guild.id, change, actor_id)
            case "mode":
                await guilds.set_mode(guild.id, chosen[0], actor_id=actor_id)
            case "zone":
                await guilds.set_values(guild.id, time_zone=chosen[0], actor_id=actor_id)
            case "role":
                role_id = chosen[0] if chosen and chosen[0] != guild.id else None
                if role_id is not None and (role := guild.get_role(role_id)) is not None:
                    check_base_role(role)
                await guilds.set_values(guild.id, base_role_id=role_id, actor_id=actor_id)
            case "consent":
                await self._set_consent(interaction, Consent(chosen[0]))
            case "watch":
                await self._bot.watch_setup.watch_only(guild, chosen, actor_id)

    async def _set_consent(self, interaction: discord.Interaction[Any], choice: Consent) -> None:
        """Set the default consent and announce a change in the moderator's channel."""
        guild_id = guild_of(interaction).id
        before = await self._app.guilds.settings.get(guild_id)
        if before.consent_default is choice:
            return
        if before.never_answers(*place_ids(interaction.channel)):
            raise BadInput(NEVER_HERE)
        await check_is_announced(interaction.channel, choice, before, self._bot.audiences)
        settings = await self._app.guilds.settings.set_values(
            guild_id, consent_default=choice, actor_id=interaction.user.id
        )
        text = tr(interaction.guild_locale or ENGLISH, ANNOUNCEMENT[settings.consent_default])
        await interaction.followup.send(text, ephemeral=False, allowed_mentions=NO_PINGS)

    async def _render(
        self, interaction: discord.Interaction[Any], page: SetupPage
    ) -> tuple[str, discord.ui.View]:
        """Return a page's text, and its selects and buttons."""
        guild, locale, author_id = guild_of(interaction), interaction.locale, interaction.user.id
        state = SetupState(
            await self._app.guilds.settings.get(guild.id),
            await self._app.guilds.personas.names(guild.id),
            await self._bot.watch_setup.watched(guild.id),
            has_web_pages=web_pages(interaction) is not None,
        )
        items = [
            SetupItem(item, page, str(getattr(item, "custom_id", "")).split(":")[3], author_id)
            for item in page_items(page, state, guild, locale, author_id)
        ]
        text = page_text(page, state, guild, locale)
        if page is SetupPage.CHECK:
            lines = await recall_report(self._bot.audiences, guild, state.settings, locale)
            text = with_recall(text, lines, locale)
        return text, persistent_view(items)
