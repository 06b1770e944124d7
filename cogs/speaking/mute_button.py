"""The button under what Kith says first: one press, and it does not happen again."""

import re
from typing import Any, Self

import discord

from cogs.bot.interactions import say, server_of, try_to_edit_post
from cogs.bot.localisation import tr
from cogs.bot.views import PersistentButton
from utils.guilds.speaking_places import SpeakingPlaces
from utils.models.memory import Member

LABEL = "Don't speak first"
CHANNEL_MUTED = (
    "I don't speak first in this channel any more. Moderators can change that with `/speak on`."
)
MEMBER_MUTED = (
    "I don't speak first to you or about you here any more. You can change that with "
    "`/kith speaking`."
)
NOBODY = 0  # in place of a member's id: it was about nobody


class MuteButton(
    PersistentButton[discord.ui.Button[Any]],
    template=r"kith:mute:(?P<user_id>[0-9]{1,20})",
):
    """Mutes the channel; pressed by the member whom it was about, only what is about them."""

    def __init__(self, user_id: int, locale: discord.Locale) -> None:
        super().__init__(
            discord.ui.Button(
                label=tr(locale, LABEL),
                emoji="🔕",
                style=discord.ButtonStyle.secondary,
                custom_id=f"kith:mute:{user_id}",
            )
        )
        self._user_id = user_id

    @classmethod
    def restore(cls, item: discord.ui.Item[Any], match: re.Match[str]) -> Self:
        """Return the button for a custom id."""
        return cls(int(match["user_id"]), discord.Locale.american_english)

    async def press(self, interaction: discord.Interaction[Any]) -> None:
        """Mute, say what that means, and take the button away."""
        guild_id = server_of(interaction)
        await interaction.response.defer(ephemeral=True, thinking=True)
        places: SpeakingPlaces = interaction.client.app.guilds.speaking
        if interaction.user.id == self._user_id:
            await places.refuse(Member(guild_id, self._user_id), refused=True)
            text = MEMBER_MUTED
        else:
            await places.remove(guild_id, interaction.channel_id or 0)
            text = CHANNEL_MUTED
        await say(interaction, tr(interaction.locale, text))
        if interaction.message is not None:
            await try_to_edit_post(interaction.message, view=None)
