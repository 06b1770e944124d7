"""Delete one of Kith's answers, by reaction or context menu, for its asker or a moderator."""

from contextlib import suppress

import discord
from discord import app_commands
from discord.ext import commands

from cogs.bot.client import KithClient
from cogs.bot.error_handler import sentence_for
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import respond
from cogs.chat.running_replies import RunningReplies
from cogs.memory.consent import asked_member_id
from utils.common.errors import BadInput
from utils.models.memory import DIRECT_MESSAGES

DELETE_EMOJI = "❌"


class Answers(FeatureCog):
    """Deletes answers for the person who asked, and for moderators."""

    def __init__(self, bot: KithClient, running: RunningReplies) -> None:
        super().__init__(bot)
        self._running = running
        self.menus = (
            app_commands.ContextMenu(name="Delete this answer", callback=self._delete_by_menu),
        )

    @commands.Cog.listener()
    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        """Delete the answer that got a ❌, if the person may delete it."""
        author_id = payload.message_author_id  # Discord may leave it out
        if str(payload.emoji) != DELETE_EMOJI or not (
            author_id is None or self._is_mine(author_id)
        ):
            return
        try:
            answer = self._partial(payload.channel_id, payload.message_id)
            if author_id is None and not self._is_mine((await answer.fetch()).author.id):
                return
            asker = await self._asker(payload.guild_id, answer)
            if payload.user_id == asker or self._moderates(payload):
                await self._delete(payload.guild_id, answer)
        except discord.NotFound:
            return  # deleted already
        except Exception as error:
            sentence_for(error)  # only logs it: a reaction cannot be answered

    async def _delete_by_menu(
        self, interaction: discord.Interaction, message: discord.Message
    ) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        if not self._is_mine(message.author.id):
            raise BadInput("I can only delete my own answers.")
        answer = self._partial(message.channel.id, message.id)
        asker = await self._asker(interaction.guild_id, answer)
        is_moderator = interaction.guild is not None and interaction.permissions.manage_messages
        if interaction.user.id != asker and not is_moderator:
            raise BadInput("Only whoever asked, or a moderator, can have an answer deleted.")
        await self._delete(interaction.guild_id, answer)
        await respond(interaction, "Deleted.")

    async def _delete(self, guild_id: int | None, answer: discord.PartialMessage) -> None:
        """Delete every message of an answer, or cancel the reply if it is still being written."""
        if await self._running.cancel(
            lambda _, reply: reply.sender is not None and reply.sender.is_showing(answer.id)
        ):
            return
        parts = await self._app.memory.member_data.answer_parts(
            guild_id or DIRECT_MESSAGES, answer.id
        )
        for message_id in {answer.id, *parts}:
            with suppress(discord.NotFound):
                await self._partial(answer.channel.id, message_id).delete()

    def _partial(self, channel_id: int, message_id: int) -> discord.PartialMessage:
        return self._bot.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _asker(self, guild_id: int | None, answer: discord.PartialMessage) -> int | None:
        """Return who asked, from the database or else from Discord's reply reference.

        Of a notice about consent, it is the member whom the notice asks.
        """
        recorded = await self._app.memory.member_data.asked_by(
            guild_id or DIRECT_MESSAGES, answer.id
        )
        if recorded is not None:
            return recorded
        message = await answer.fetch()
        if message.interaction_metadata is not None:  # of a command
            return message.interaction_metadata.user.id
        reference = message.reference
        if reference is None:
            return asked_member_id(message)
        prompt = reference.resolved
        return prompt.author.id if isinstance(prompt, discord.Message) else None

    def _is_mine(self, author_id: int | None) -> bool:
        return self._bot.user is not None and author_id == self._bot.user.id

    def _moderates(self, payload: discord.RawReactionActionEvent) -> bool:
        if payload.guild_id is None or payload.member is None:
            return False
        guild = self._bot.get_guild(payload.guild_id)
        channel = guild.get_channel_or_thread(payload.channel_id) if guild else None
        return channel is not None and channel.permissions_for(payload.member).manage_messages
