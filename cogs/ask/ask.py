"""``/ask`` and *Ask about this*: questions by command, answered in the same way as messages."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial
from weakref import WeakSet

import discord
from discord import app_commands
from discord.ext import commands

from cogs.ask.command_turns import CommandQuestion, CommandTurnBuilder, is_with_kith
from cogs.bot.audience import may_write, place_ids
from cogs.bot.client import NEVER_HERE, KithClient
from cogs.bot.error_handler import sentence_for
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import REQUEST_ERRORS
from cogs.bot.localisation import tr
from cogs.bot.texts import ONLY_WHERE_YOU_WRITE
from cogs.bot.views import TextForm
from cogs.chat.reply_sender import CLEANUP_S, ReplySender
from cogs.chat.reply_targets import CommandTarget
from cogs.chat.running_replies import RunningReply
from cogs.chat.turns import TurnBuilder
from cogs.memory.consent import Contact
from utils.common.errors import BadInput, Logged
from utils.models.conversation import QuestionRef
from utils.models.guild import GuildSettings
from utils.runtime.metrics import Stage

ASK_ABOUT = "Ask about this"
MAX_QUESTION = 2000
RESTARTING = "I am about to restart; please ask again in a moment."

_log = logging.getLogger(__name__)


class AskCommands(FeatureCog):
    """Answers questions that are asked with a command."""

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        self._turns = CommandTurnBuilder(bot, TurnBuilder(bot))
        self._pending_answers = self._app.memory.recorder.pending_answers
        self._forms: WeakSet[AskForm] = WeakSet()
        menu = app_commands.ContextMenu(
            name=ASK_ABOUT,
            callback=self._ask_about,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
        )
        self.menus = (menu,)

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.describe(
        question="What you want to know or tell me",
        public="True: everybody here can read the answer, where I am a member (default: only you)",
    )
    async def ask(
        self,
        interaction: discord.Interaction,
        question: app_commands.Range[str, 1, MAX_QUESTION],
        public: bool = False,
    ) -> None:
        """Ask me something; only you see the answer unless you want it public."""
        await self.answer(interaction, question, is_public=public)

    async def _ask_about(self, interaction: discord.Interaction, message: discord.Message) -> None:
        form = AskForm(self, message, interaction.locale)
        self._forms.add(form)
        await interaction.response.send_modal(form)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Quote a deleted message in no answer."""
        self._note_changed({payload.message_id})

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Do the same for many deleted messages."""
        self._note_changed(payload.message_ids)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Do not quote what a message no longer says."""
        if "content" in payload.data and payload.message.edited_at:
            self._note_changed({payload.message_id})

    def _note_changed(self, message_ids: set[int]) -> None:
        for form in self._forms:
            form.is_outdated = form.is_outdated or form.message.id in message_ids

    async def answer(
        self,
        interaction: discord.Interaction,
        text: str,
        *,
        is_public: bool = False,
        about: discord.Message | None = None,
    ) -> None:
        """Answer a question. Raises BadInput where Kith does not answer.

        Args:
            interaction: the command, or the form of *Ask about this*.
            text: the question.
            is_public: everyone in the channel sees the answer, if Kith is a member of the server.
            about: the message that the question is about, if any.
        """
        question = CommandQuestion(interaction, text, not is_with_kith(interaction), about)
        if is_public and question.is_in_server:
            question = replace(question, is_private=False)
        settings = await self._app.guilds.settings.get(question.member.guild_id)
        self._check(question, settings)
        await interaction.response.defer(ephemeral=question.is_private, thinking=True)
        task = asyncio.current_task()
        running = self._bot.chat.running
        if task is None or interaction.id in running:
            return
        channel_ids = frozenset(place_ids(interaction.channel))
        sender = ReplySender(
            CommandTarget(interaction, is_private=question.is_private),
            self._bot.chat.edit_rate,
            on_unfinished=partial(self._pending_answers.add_parts, _reference(question)),
        )
        running[interaction.id] = RunningReply(
            task,
            question.member,
            channel_ids,
            sender=sender,
            about_id=None if question.about is None else question.about.id,
        )
        try:
            await self._answer_or_explain(question, sender)
        except asyncio.CancelledError:
            await self._withdraw(interaction, sender)
        finally:
            del running[interaction.id]

    def _check(self, question: CommandQuestion, settings: GuildSettings) -> None:
        """Raise BadInput if Kith does not answer in this channel, to this member or just now."""
        if self._bot.chat.is_closing:
            raise BadInput(RESTARTING)
        if not question.is_in_server:
            return
        guild = self._bot.get_guild(question.member.guild_id)
        if guild is None or guild.unavailable:
            raise BadInput("I can't see this server just now; please try again in a moment.")
        user, channel = question.interaction.user, question.interaction.channel
        if settings.never_answers(*place_ids(channel)):
            raise BadInput(NEVER_HERE)
        if not (question.is_private or question.interaction.app_permissions.view_channel):
            raise BadInput(
                "I can't view this channel, so I don't know who reads along. Ask without "
                "`{option}`; then only you see my answer.",
                option="public",
            )
        if not (question.is_private or may_write(user, channel)):
            raise BadInput(ONLY_WHERE_YOU_WRITE)
        role_ids = [role.id for role in user.roles] if isinstance(user, discord.Member) else []
        is_moderator = question.interaction.permissions.manage_guild
        if not settings.may_talk(role_ids, is_moderator=is_moderator):
            raise BadInput(
                "Here I only answer members with one of these roles: {roles}.",
                roles=", ".join(f"<@&{role_id}>" for role_id in settings.talk_role_ids),
            )

    async def _answer_or_explain(self, question: CommandQuestion, sender: ReplySender) -> None:
        """Wait for the question's turn and answer it; after an error, say what is wrong."""
        chat, guild_id = self._bot.chat, question.member.guild_id
        try:
            settings = await self._app.guilds.settings.latest(guild_id)
            turn = await self._turns.build(question, settings)
            event, recorder = turn.event, self._app.memory.recorder
            async with (
                recorder.recording(event, turn.audience, is_answered=True) as recording,
                chat.questions.reserved(question.member, event.channel_id) as ready_at,
            ):
                self._app.runtime.metrics.observe_stage(Stage.QUEUEING, ready_at)
                answered = await chat.delivery.generate(
                    turn,
                    partial(self._turns.build, question, settings),
                    partial(self._turns.may_hear, question),
                    recording,
                    sender,
                )
                if answered is not None:
                    await chat.delivery.deliver(*answered, sender)
            if answered is not None:
                turn, answer = answered
                if answer.has_memory and answer.is_stored:
                    interaction = question.interaction
                    contact = Contact(
                        question.member,
                        interaction.user.display_name,
                        turn.event.channel_id,
                        interaction.locale,
                        partial(interaction.followup.send, ephemeral=not is_with_kith(interaction)),
                    )
                    await self._bot.consent_notices.introduce(contact)
                    await self._bot.consent_notices.tell_end(contact)
        except Exception as error:
            await chat.delivery.send(
                sender, guild_id, error, sentence_for(error, question.interaction.locale)
            )
        finally:
            end = (
                self._pending_answers.release
                if sender.is_broken_off
                else self._pending_answers.finish
            )
            await asyncio.shield(end(_reference(question)))

    async def _withdraw(self, interaction: discord.Interaction, sender: ReplySender) -> None:
        """Remove an unfinished answer; before a restart, say so in its place."""
        _log.info("an answer to a command was cancelled: by an erasure, or since Kith is closing")
        if self._bot.chat.is_closing:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLEANUP_S):
                    await sender.finish(tr(interaction.locale, RESTARTING))
            return
        await sender.withdraw()
        with (
            Logged(_log.info, "a command stays without an answer", *REQUEST_ERRORS),
            suppress(discord.NotFound),  # it is already deleted
        ):
            await interaction.delete_original_response()


class AskForm(TextForm):
    """A form that asks what a person wants to know about a message."""

    def __init__(
        self, commands: AskCommands, message: discord.Message, locale: discord.Locale
    ) -> None:
        title, label, style = (
            tr(locale, ASK_ABOUT),
            tr(locale, "What do you want to know?"),
            discord.TextStyle.paragraph,
        )
        super().__init__(title, label, self._answer, style=style, max_length=MAX_QUESTION)
        self._commands = commands
        self.message = message
        self.is_outdated = False

    async def _answer(self, interaction: discord.Interaction, text: str) -> None:
        """Answer the question about the message. Raises BadInput if it is another one by now."""
        if self.is_outdated:
            raise BadInput("That message has been changed or deleted; ask about it as it is now.")
        await self._commands.answer(interaction, text, about=self.message)


def _reference(question: CommandQuestion) -> QuestionRef:
    return QuestionRef(question.member.guild_id, question.interaction.id)
