"""``/speak``: moderators choose the channels in which Kith may speak first."""

import discord
from discord import app_commands

from cogs.bot.feature_cog import ModeratorGroup
from cogs.bot.interactions import begin, respond, say
from cogs.bot.localisation import tr
from cogs.bot.permission_check import NEEDED, missing_lines
from utils.common.errors import BadInput
from utils.models.guild import GuildSettings, Purpose, SpeakingPlace

NO_MODEL = "I have no language model here, so I never speak first."
SWITCHED_ON = (
    "In {channel}, I may write first when nobody has written for {minutes} minutes: at most "
    "{often}, and not between {start}:00 and {end}:00 ({zone}). Most of the time I "
    "stay silent. A button under what I say mutes me."
)
SWITCHED_ON_ALWAYS = (
    "In {channel}, I may write first when nobody has written for {minutes} minutes: at most "
    "{often}, at any hour. Most of the time I stay silent. A button under what I say "
    "mutes me."
)
NEVER_THERE = "But moderators chose that I never answer there, so I stay silent."


class SpeakCommands(ModeratorGroup, group_name="speak"):
    """Where I may speak first (moderators)."""

    @app_commands.command()
    @app_commands.describe(
        channel="The channel in which I may write without being asked",
        after_minutes="How long nobody must have written (default: 180 minutes)",
        per_day="How often at most (default: once)",
        quiet_from="The hour at which I fall silent, in the server's time zone (default: 22)",
        quiet_until="The hour from which I may speak again (default: 8); the same: no quiet hours",
    )
    async def on(
        self,
        interaction: discord.Interaction,
        channel: discord.TextChannel,
        after_minutes: app_commands.Range[int, 30, 10_080] = 180,
        per_day: app_commands.Range[int, 1, 5] = 1,
        quiet_from: app_commands.Range[int, 0, 23] = 22,
        quiet_until: app_commands.Range[int, 0, 23] = 8,
    ) -> None:
        """Let me speak first in a channel now and then (moderators)."""
        guild_id = await begin(interaction)
        if not self._app.speaking.can_speak:
            raise BadInput(NO_MODEL)
        place = SpeakingPlace(guild_id, channel.id, after_minutes, per_day, quiet_from, quiet_until)
        await self._app.guilds.speaking.choose(place, actor_id=interaction.user.id)
        settings = await self._app.guilds.settings.get(guild_id)
        text = _in_words(interaction.locale, place, settings)
        missing = missing_lines(interaction.locale, channel, NEEDED[Purpose.ONLY])
        await say(interaction, "\n⚠️ ".join([text, *missing]))

    @app_commands.command()
    @app_commands.describe(channel="The channel in which I am not to write without being asked")
    async def off(self, interaction: discord.Interaction, channel: discord.TextChannel) -> None:
        """Never let me speak first in a channel (moderators)."""
        guild_id = await begin(interaction)
        was_on = await self._app.guilds.speaking.remove(
            guild_id, channel.id, actor_id=interaction.user.id
        )
        text = (
            "I don't speak first in {channel} any more."
            if was_on
            else "I don't speak first in {channel}."
        )
        await respond(interaction, text, channel=channel.mention)

    @app_commands.command()
    async def show(self, interaction: discord.Interaction) -> None:
        """Show where I may speak first (moderators)."""
        guild_id = await begin(interaction)
        settings = await self._app.guilds.settings.get(guild_id)
        places = await self._app.guilds.speaking.load(guild_id)
        if not places:
            await respond(interaction, "I speak first in no channel. `/speak on` lets me.")
            return
        lines = [_in_words(interaction.locale, place, settings) for place in places]
        await say(interaction, "\n".join(f"- {line}" for line in lines))


def _in_words(locale: discord.Locale, place: SpeakingPlace, settings: GuildSettings) -> str:
    text = tr(
        locale,
        SWITCHED_ON if place.quiet_from != place.quiet_until else SWITCHED_ON_ALWAYS,
        channel=f"<#{place.channel_id}>",
        minutes=place.after_minutes,
        often=tr(
            locale,
            "once a day" if place.per_day == 1 else "{number} times a day",
            number=place.per_day,
        ),
        start=place.quiet_from,
        end=place.quiet_until,
        zone=settings.time_zone,
    )
    if settings.never_answers(place.channel_id):
        text += f" ⚠️ {tr(locale, NEVER_THERE)}"
    return text
