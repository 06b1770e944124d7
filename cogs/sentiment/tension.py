"""/mod tension: how tense it is, which levels raise alerts, and which cases are open."""

from typing import Any, Literal
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from cogs.answering import NO_PINGS, ForModerators, begin, guild_of, say
from cogs.audience import READ, place_ids
from cogs.localisation import tr
from cogs.sentiment.acting import I_LACK, YOU_LACK
from cogs.sentiment.charts import Chart, Charts, as_file, in_words
from cogs.sentiment.tension_words import cases_in_words, settings_in_words
from utils.core import Core
from utils.errors import BadInput
from utils.model.guild import Purpose
from utils.model.watch import Prefilter, Subject, WatchSettings

Watched = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel
LEVEL = app_commands.Range[float, 0.1, 1.0]
MOST_NAMED = 8
NOTHING_WATCHED = "Nothing is watched here. `/mod watch add` has a channel watched."
NOT_WATCHED = "{channel} is not watched; `/mod watch add` has it watched."
CANNOT_READ = "You can't read {channel}, so I don't show how it is there."
IN_NO_CASE = (
    "{member} is in no open case. I only show how it is around a member while one is open: press "
    "*Open case* under an alert."
)
OF_CHANNEL = "**{channel}** {words}"
OF_MEMBER = "**{member}**, in all watched channels. {words}"
OTHERS = "Other channels now: {levels}."
DRY_RUN_FIRST = (
    "Let it run dry first, with `automatic:dry-run`: alerts then say what I would have done. When "
    "you have seen that it is right, choose `automatic:on`."
)


class TensionCommands(ForModerators, app_commands.Group):
    """How tense it is, and from when I tell you."""

    def __init__(self, core: Core, charts: Charts) -> None:
        super().__init__(name="tension", description="How tense it is, and from when I tell you")
        self._core = core
        self._charts = charts

    # --- how it is -----------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(
        channel="Which watched channel (default: this one, else the tensest)",
        member="Which member of an open case, over all watched channels",
        hours="How many hours back",
    )
    async def show(
        self,
        interaction: discord.Interaction,
        channel: Watched | None = None,
        member: discord.User | None = None,
        hours: app_commands.Range[int, 6, 720] = 24,
    ) -> None:
        """Show how tense it is and how it came to that, as a picture and in words."""
        guild = guild_of(interaction)
        await begin(interaction)
        settings = await self._core.watch.settings(guild.id)
        if member is not None:
            await self._need_case(guild.id, member)
            subject = Subject.of_member(guild.id, member.id)
        else:
            subject = await self._channel(interaction, guild, channel, settings)
        history = await self._core.drama.history(subject, settings, hours)
        zone = ZoneInfo((await self._core.guilds.get(guild.id)).time_zone)
        now, locale = self._core.clock.now(), interaction.locale
        chart = Chart(history, settings.tension_alert, now, zone, locale)
        if member is not None:
            text = tr(locale, OF_MEMBER, member=member.mention, words=in_words(chart))
        else:
            place = f"<#{subject.channel_id}>"
            text = tr(locale, OF_CHANNEL, channel=place, words=in_words(chart))
            text += self._others(interaction, guild, settings, subject)
        await interaction.followup.send(
            text,
            file=await as_file(self._charts, chart),
            ephemeral=True,
            allowed_mentions=NO_PINGS,
        )

    async def _need_case(self, guild_id: int, member: discord.User | discord.Member) -> None:
        cases = await self._core.alerts.cases(guild_id)
        if not any(member.id in one.member_ids for one in cases):
            raise BadInput(IN_NO_CASE, member=member.mention)

    async def _channel(
        self,
        interaction: discord.Interaction[Any],
        guild: discord.Guild,
        channel: Watched | None,
        settings: WatchSettings,
    ) -> Subject:
        """Return the channel meant. Raises BadInput if it is not watched, or hidden from them."""
        watched = [one.channel_id for one in await self._core.watch.channels(guild.id)]
        if channel is not None:
            if channel.id not in watched:
                raise BadInput(NOT_WATCHED, channel=channel.mention)
            if not _can_read(interaction, channel):
                raise BadInput(CANNOT_READ, channel=channel.mention)
            return Subject.channel(guild.id, channel.id)
        readable = [one for one in watched if _can_read(interaction, guild.get_channel(one))]
        if not readable:
            raise BadInput(NOTHING_WATCHED)
        here = next((one for one in place_ids(interaction.channel) if one in readable), None)
        if here is not None:
            return Subject.channel(guild.id, here)
        tensest = self._core.drama.tensest(guild.id, settings, self._core.clock.now())
        return next(
            (one for one in tensest if one.channel_id in readable),
            Subject.channel(guild.id, readable[0]),
        )

    def _others(
        self,
        interaction: discord.Interaction[Any],
        guild: discord.Guild,
        settings: WatchSettings,
        shown: Subject,
    ) -> str:
        """Say how it is in the other channels that are not calm."""
        now = self._core.clock.now()
        others = [
            f"<#{one.channel_id}> {self._core.drama.tension(one, settings, now):.2f}"
            for one in self._core.drama.tensest(guild.id, settings, now)
            if one != shown and _can_read(interaction, guild.get_channel(one.channel_id))
        ]
        return f"\n{tr(interaction.locale, OTHERS, levels=', '.join(others[:8]))}" if others else ""

    @app_commands.command()
    async def cases(self, interaction: discord.Interaction) -> None:
        """Show the open cases, oldest first."""
        guild = guild_of(interaction)
        await begin(interaction)
        found = await self._core.alerts.cases(guild.id)
        await say(interaction, cases_in_words(interaction.locale, found))

    # --- settings ------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(
        tension_alert="From which tension I alert you, 0.1 to 1",
        toxicity_alert="From which toxicity of one message I alert you, 0.1 to 1",
        half_life_hours="In how many hours tension falls by half, 1 to 168",
        prefilter="heated: only what looks like trouble is read by the model; saves tokens",
        ping_role="Who is notified of each new alert",
        ping="nobody: no one is notified any more",
        automatic="Short time-outs by myself; dry-run: I only say what I would have done",
        auto_toxicity="From which toxicity of one message that happens, 0.1 to 1",
        auto_minutes="For how many minutes, at most 10",
    )
    async def settings(
        self,
        interaction: discord.Interaction,
        tension_alert: LEVEL | None = None,
        toxicity_alert: LEVEL | None = None,
        half_life_hours: app_commands.Range[float, 1.0, 168.0] | None = None,
        prefilter: Literal["off", "heated", "default"] | None = None,
        ping_role: discord.Role | None = None,
        ping: Literal["nobody"] | None = None,
        automatic: Literal["off", "dry-run", "on"] | None = None,
        auto_toxicity: LEVEL | None = None,
        auto_minutes: app_commands.Range[int, 1, 10] | None = None,
    ) -> None:
        """Show or change from when I alert you, whom I notify, and what I do by myself."""
        guild = guild_of(interaction)
        await begin(interaction)
        given = {
            "tension_alert": tension_alert,
            "toxicity_alert": toxicity_alert,
            "half_life_hours": half_life_hours,
            "auto_toxicity": auto_toxicity,
            "auto_minutes": auto_minutes,
        }
        chosen: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
        if prefilter is not None:
            chosen["prefilter"] = None if prefilter == "default" else Prefilter(prefilter)
        if ping_role is not None or ping is not None:
            chosen["ping_role_id"] = ping_role.id if ping_role is not None else None
        if automatic is not None:
            chosen |= await self._automatic(interaction, guild, automatic)
        if chosen:
            await self._core.watch.change(guild.id, **chosen)
        settings = await self._core.watch.settings(guild.id)
        log = (await self._core.guilds.get(guild.id)).channels_for(Purpose.LOG)
        unposted = await self._core.alerts.unposted([guild.id])
        waiting = [await self._core.alerts.get(*one) for one in unposted[:MOST_NAMED]]
        text = settings_in_words(
            interaction.locale,
            settings,
            await self._core.alerts.suggestions(settings),
            [one for one in waiting if one is not None],
            has_log=bool(log) and guild.get_channel(log[0].channel_id) is not None,
            is_changed=bool(chosen),
        )
        await say(interaction, text)

    async def _automatic(
        self, interaction: discord.Interaction[Any], guild: discord.Guild, choice: str
    ) -> dict[str, bool]:
        """Return what a choice of automatic action means. Raises BadInput for on without dry run,
        or without the permission to time members out."""
        if choice == "off":
            return {"auto_timeout": False, "auto_dry_run": True}
        if not interaction.permissions.moderate_members:
            raise BadInput(YOU_LACK, permission="Time out members")
        if not guild.me.guild_permissions.moderate_members:
            raise BadInput(I_LACK, permission="Time out members")
        if choice == "on" and not (await self._core.watch.settings(guild.id)).auto_timeout:
            raise BadInput(DRY_RUN_FIRST)
        return {"auto_timeout": True, "auto_dry_run": choice == "dry-run"}


def _can_read(interaction: discord.Interaction[Any], channel: object) -> bool:
    person = interaction.user
    if not isinstance(channel, discord.abc.GuildChannel) or not isinstance(person, discord.Member):
        return False
    return channel.permissions_for(person).value & READ == READ
