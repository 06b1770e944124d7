"""Menus: *Remember this*, *What did you note?* on a message, *What do you know?* on a member."""

import discord
from discord import app_commands

from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import guild_of, respond, say
from cogs.bot.messages import as_event, reply_to_id_of, visible_text, without_lines
from cogs.memory.pages import memory_line, origins_in_words
from cogs.memory.showing import (
    NotedMemories,
    OwnMemories,
    begin_here,
    check_may_look,
    display_for,
    own_sources,
    show_member,
)
from utils.common.errors import BadInput
from utils.models.memory import DIRECT_MESSAGES

REMEMBER, NOTED, KNOW = "Remember this", "What did you note?", "What do you know?"
SOURCES = "Where does this come from?"


class MemoryMenus(FeatureCog):
    """Registers the context menus about memory."""

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self.menus = (
            app_commands.ContextMenu(name=REMEMBER, callback=self._remember),
            app_commands.ContextMenu(name=NOTED, callback=self._what_was_noted),
            app_commands.ContextMenu(name=SOURCES, callback=self._where_from),
            app_commands.ContextMenu(name=KNOW, callback=self._what_is_known),
        )

    async def _remember(self, interaction: discord.Interaction, message: discord.Message) -> None:
        member = await begin_here(interaction)
        settings = await self._app.guilds.settings.get(member.guild_id)
        event = as_event(
            message,
            visible_text(message, without=self._bot.user),
            guild_id=member.guild_id,
            reply_to_id=reply_to_id_of(message),
        )
        # Of a message of a server that Kith is not in, nobody knows who reads it.
        is_known = member.guild_id == DIRECT_MESSAGES or message.guild is not None
        audience = self._bot.audiences.of(message.channel, settings) if is_known else None
        row = await self._app.memory.editor.remember(member, event, event.text, audience)
        await respond(
            interaction,
            "Remembered: {line}",
            line=memory_line(row, display_for(self._app, interaction)),
        )

    async def _what_was_noted(
        self, interaction: discord.Interaction, message: discord.Message
    ) -> None:
        member = await begin_here(interaction)
        if message.author not in (interaction.user, self._bot.user):
            raise BadInput("Choose a message of your own, or my answer to it.")
        await NotedMemories(self._app, member, interaction, message).open(interaction)

    async def _where_from(self, interaction: discord.Interaction, message: discord.Message) -> None:
        member = await begin_here(interaction)
        if message.author != self._bot.user:
            raise BadInput("Choose an answer of mine.")
        sources = own_sources(interaction, member) | {member.user_id}
        if member.guild_id == DIRECT_MESSAGES:
            sources |= {message.channel.id}
        origins = await self._app.memory.member_data.origins(
            member.guild_id, message.id, without_lines(message.content), member.user_id, sources
        )
        await say(interaction, origins_in_words(origins, display_for(self._app, interaction)))

    async def _what_is_known(
        self, interaction: discord.Interaction, person: discord.Member | discord.User
    ) -> None:
        member = await begin_here(interaction)
        if person.id == interaction.user.id:
            await OwnMemories(self._app, member, interaction).open(interaction)
            return
        if person.bot:
            raise BadInput("I remember people, not bots.")
        await check_may_look(self._app, interaction)
        await show_member(self._app, interaction, guild_of(interaction), person)
