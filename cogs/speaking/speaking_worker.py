"""Look for silent channels in which Kith may speak first, and say what it finds to say."""

import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any

import discord

from cogs.bot.audience import can_read, is_age_restricted
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import NO_PINGS, REQUEST_ERRORS, respond, server_of, try_to_edit_post
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.login import is_connected_for
from cogs.bot.messages import as_event, is_from_a_person
from cogs.bot.views import PersistentButton, persistent_view
from utils.app import App
from utils.common.errors import BudgetSpent, Logged, ModelError
from utils.conversation.speaking_first import FirstRemark, Occasion
from utils.guilds.speaking_places import may_look
from utils.models.episode import OpenLoop
from utils.models.guild import GuildSettings, SpeakingPlace
from utils.models.memory import Member, Role

LABEL = "Don't speak first"
NOBODY = 0  # in place of a member's id: it was about nobody
LOOK_EVERY_S = 60.0
LAST_MESSAGES = 20  # among which a person's is looked for

_log = logging.getLogger(__name__)


class MuteButton(
    PersistentButton[discord.ui.Button[Any]],
    template=r"kith:mute:(?P<user_id>[0-9]{1,20})",
):
    """Mutes the channel; pressed by the member whom it was about, only what is about them."""

    def __init__(self, user_id: int, locale: discord.Locale = ENGLISH) -> None:
        super().__init__(
            discord.ui.Button(
                label=tr(locale, LABEL),
                emoji="🔕",
                style=discord.ButtonStyle.secondary,
                custom_id=f"kith:mute:{user_id}",
            )
        )
        self._user_id = user_id

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Mute, say what that means, and take the button away."""
        guild_id = server_of(interaction)
        await interaction.response.defer(ephemeral=True, thinking=True)
        app: App = interaction.client.app
        if interaction.user.id == self._user_id:
            await app.memory.editor.choose(Member(guild_id, self._user_id), never_first=True)
            await respond(
                interaction,
                "I don't speak first to you or about you here any more. You can change that with "
                "`/kith speaking`.",
            )
        else:
            channel_id = interaction.channel_id or 0
            await app.guilds.speaking.remove(guild_id, channel_id, actor_id=interaction.user.id)
            await respond(
                interaction,
                "I don't speak first in this channel any more. Moderators can change that with "
                "`/speak on`.",
            )
        if interaction.message is not None:
            await try_to_edit_post(interaction.message, view=None)


class SpeakingWorker(FeatureCog):
    """Speaks first, every now and then, in the servers of this process."""

    buttons = (MuteButton,)

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        if self._app.speaking.can_speak:
            self.workers = (
                self._new_worker(
                    "speaking first", self.speak_where_it_is_silent, interval_s=LOOK_EVERY_S
                ),
            )

    async def speak_where_it_is_silent(self) -> None:
        """Look at every channel in which Kith may speak first. Raises DatabaseError."""
        if not self._bot.is_ready():
            return
        for place in await self._app.guilds.speaking.load():
            if not is_connected_for(self._bot, place.guild_id):
                continue
            with (
                Logged(_log.info, "nothing is said first", ModelError, BudgetSpent),
                Logged(_log.info, "a channel could not be looked at", *REQUEST_ERRORS),
            ):
                await self._look_at(place)

    async def _look_at(self, place: SpeakingPlace) -> None:
        settings = await self._app.guilds.settings.latest(place.guild_id)
        channel = self._bot.get_channel(place.channel_id)
        if not isinstance(channel, discord.TextChannel) or not self._may_speak(channel, settings):
            return
        now, last_id = self._app.clock.now(), channel.last_message_id
        if last_id is None:
            return
        if not may_look(place, discord.utils.snowflake_time(last_id), now, settings.zone):
            return
        claimed = await self._app.guilds.speaking.claim(place)
        if claimed is None or not await self._has_listeners(channel, claimed):
            return
        occasion = await self._occasion(claimed, channel, settings)
        if occasion is None:
            return
        remark = await self._app.speaking.compose(occasion)
        if remark is None:
            return
        settings = await self._app.guilds.settings.latest(place.guild_id)
        is_silent = channel.last_message_id == last_id and self._may_speak(channel, settings)
        may_hear = self._bot.audiences.may_still_hear(
            occasion.audience, channel, settings, age_restricted=occasion.age_restricted
        )
        if is_silent and may_hear and await self._app.speaking.begin(occasion, remark):
            await self._say(channel, occasion, remark)

    def _may_speak(self, channel: discord.TextChannel, settings: GuildSettings) -> bool:
        """Return whether the server and the channel let Kith speak at all."""
        granted = channel.permissions_for(channel.guild.me)
        can_write = granted.view_channel and granted.send_messages and granted.read_message_history
        return can_write and not settings.frozen and not settings.never_answers(channel.id)

    async def _has_listeners(self, channel: discord.TextChannel, place: SpeakingPlace) -> bool:
        """Return whether the channel is silent, and a person wrote after Kith last spoke first."""
        messages = [message async for message in channel.history(limit=LAST_MESSAGES)]
        silence = timedelta(minutes=place.after_minutes)
        if messages and self._app.clock.now() - messages[0].created_at < silence:
            return False
        written_at = [message.created_at for message in messages if is_from_a_person(message)]
        return bool(written_at) and (place.spoken_at is None or written_at[0] > place.spoken_at)

    async def _occasion(
        self, place: SpeakingPlace, channel: discord.TextChannel, settings: GuildSettings
    ) -> Occasion | None:
        """Return what may be said to everybody there; None if not all can read what was said."""
        await self._bot.audiences.learn_members(channel, settings)
        audience = self._bot.audiences.of(channel, settings)
        if not audience.may_read_past:
            return None
        loops = []
        for loop in await self._app.speaking.open_loops(audience):
            person = await self._person(channel, loop)
            if person is not None:
                loops.append((loop, person.display_name))
        return Occasion(place, audience, settings, tuple(loops), is_age_restricted(channel))

    async def _person(self, channel: discord.TextChannel, loop: OpenLoop) -> discord.Member | None:
        """Return the member who left something open; None if they can't read the channel."""
        try:
            person = await channel.guild.fetch_member(loop.member.user_id)
        except discord.NotFound:
            return None
        return person if can_read(person, channel) else None

    async def _say(
        self, channel: discord.TextChannel, occasion: Occasion, remark: FirstRemark
    ) -> None:
        """Send a remark, and record it as a part of the conversation."""
        user_id = NOBODY if remark.loop is None else remark.loop.member.user_id
        sent = await channel.send(
            remark.text,
            view=persistent_view([MuteButton(user_id, channel.guild.preferred_locale)]),
            allowed_mentions=NO_PINGS,
            suppress_embeds=True,
            silent=True,
        )
        event = as_event(
            sent, remark.text, guild_id=channel.guild.id, reply_to_id=None, role=Role.KITH
        )
        await self._app.memory.recorder.record(
            replace(event, about_ids=remark.about_ids, provenance=remark.provenance),
            occasion.audience,
        )
