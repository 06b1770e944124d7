"""``/mod tension``: current tension, alert settings, and open cases."""

from typing import Any, Literal

import discord
from discord import app_commands

from cogs.bot.audience import Place, can_read, place_ids
from cogs.bot.interactions import ModeratorsOnly, begin, guild_of, say
from cogs.bot.localisation import tr
from cogs.sentiment.moderator_actions import I_LACK, YOU_LACK
from cogs.sentiment.tension_chart import Chart, in_words
from cogs.sentiment.tension_picture import as_file
from cogs.sentiment.tension_text import cases_in_words, settings_in_words
from utils.app import App
from utils.common.errors import BadInput
from utils.models.alert import Alert
from utils.models.guild import Purpose
from utils.models.sentiment import Prefilter, TensionSubject, WatchSettings

Threshold = app_commands.Range[float, 0.1, 1.0]
MAX_NAMED = 8


class TensionCommands(ModeratorsOnly, app_commands.Group):
    """How tense it is, and from when I tell you."""

    def __init__(self, app: App) -> None:
        super().__init__(
            name="tension", description=("Tension in watched channels, and alert settings")
        )
        self._app = app

    # --- tension -------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(
        channel="Which watched channel (default: this one, or the most tense)",
        member="Which member of an open case, in all watched channels",
        hours="How many hours back",
    )
    async def show(
        self,
        interaction: discord.Interaction,
        channel: Place | None = None,
        member: discord.User | None = None,
        hours: app_commands.Range[int, 6, 720] = 24,
    ) -> None:
        """Show the tension of a channel or member as a chart and in words."""
        guild = guild_of(interaction)
        await begin(interaction)
        settings = await self._app.sentiment.channels.settings(guild.id)
        if member is not None:
            cases, _ = await self._readable_cases(interaction, guild)
            if not any(member.id in case.member_ids for case in cases):
                raise BadInput(
                    "{member} is in no open case of a channel that you can read. I only show a "
                    "member's tension while a case is open: press *Open case* under an alert.",
                    member=member.mention,
                )
            subject = TensionSubject.of_member(guild.id, member.id)
        else:
            subject = await self._choose_channel(interaction, guild, channel, settings)
        history = await self._app.sentiment.tension.history(subject, settings, hours)
        zone = (await self._app.guilds.settings.get(guild.id)).zone
        now, locale = self._app.clock.now(), interaction.locale
        chart = Chart(history, settings.tension_alert, now, zone, locale)
        if member is not None:
            text = tr(
                locale,
                "**{member}**, in all watched channels. {words}",
                member=member.mention,
                words=in_words(chart),
            )
        else:
            mention = f"<#{subject.channel_id}>"
            text = tr(locale, "**{channel}** {words}", channel=mention, words=in_words(chart))
        await say(interaction, text, file=await as_file(chart))

    async def _choose_channel(
        self,
        interaction: discord.Interaction[Any],
        guild: discord.Guild,
        channel: Place | None,
        settings: WatchSettings,
    ) -> TensionSubject:
        """Return the channel to show: the given one, this one, or the most tense.

        Raises BadInput if it is not watched or the moderator can't read it.
        """
        channels = await self._app.sentiment.channels.channels(guild.id)
        watched_ids = [watched.channel_id for watched in channels]
        if channel is not None:
            if channel.id not in watched_ids:
                raise BadInput(
                    "{channel} is not watched. Add it with `/mod watch add`.",
                    channel=channel.mention,
                )
            if not can_read(interaction.user, channel):
                raise BadInput(
                    "You can't read {channel}, so I can't show you its tension.",
                    channel=channel.mention,
                )
            return TensionSubject.channel(guild.id, channel.id)
        readable_ids = [
            channel_id
            for channel_id in watched_ids
            if can_read(interaction.user, guild.get_channel(channel_id))
        ]
        if not watched_ids:
            raise BadInput("No channel is watched here. Add one with `/mod watch add`.")
        if not readable_ids:
            raise BadInput("You can't read any of the channels that are watched here.")
        for channel_id in place_ids(interaction.channel):
            if channel_id in readable_ids:
                return TensionSubject.channel(guild.id, channel_id)
        tensest = await self._app.sentiment.tension.tensest(
            guild.id, settings, self._app.clock.now()
        )
        return next(
            (subject for subject in tensest if subject.channel_id in readable_ids),
            TensionSubject.channel(guild.id, readable_ids[0]),
        )

    @app_commands.command()
    async def cases(self, interaction: discord.Interaction) -> None:
        """Show the open cases, newest first."""
        guild = guild_of(interaction)
        await begin(interaction)
        cases, hidden = await self._readable_cases(interaction, guild)
        await say(interaction, cases_in_words(interaction.locale, cases, hidden))

    async def _readable_cases(
        self, interaction: discord.Interaction[Any], guild: discord.Guild
    ) -> tuple[list[Alert], int]:
        """Return the open cases, and how many more there are in channels that they can't read."""
        cases = await self._app.sentiment.alerts.open_cases(guild.id)
        unreadable_ids = {
            channel.id for channel in guild.channels if not can_read(interaction.user, channel)
        }
        readable_cases = [case for case in cases if case.place_id not in unreadable_ids]
        return readable_cases, len(cases) - len(readable_cases)

    # --- settings ------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(
        tension_alert="Alert from this tension, 0.1 to 1",
        toxicity_alert="Alert from this toxicity of one message, 0.1 to 1",
        half_life_hours="Hours in which tension falls by half, 1 to 168",
        prefilter="heated: the model only reads what looks like trouble, which saves tokens",
        ping_role="Who is notified of each new alert",
        ping="nobody: alerts notify no one",
        automatic="Short automatic timeouts; dry-run: I only say what I would have done",
        auto_toxicity="Automatic timeout from this toxicity of one message, 0.1 to 1",
        auto_minutes="Length of an automatic timeout in minutes, at most 10",
    )
    async def settings(
        self,
        interaction: discord.Interaction,
        tension_alert: Threshold | None = None,
        toxicity_alert: Threshold | None = None,
        half_life_hours: app_commands.Range[float, 1.0, 168.0] | None = None,
        prefilter: Literal["off", "heated", "default"] | None = None,
        ping_role: discord.Role | None = None,
        ping: Literal["nobody"] | None = None,
        automatic: Literal["off", "dry-run", "on"] | None = None,
        auto_toxicity: Threshold | None = None,
        auto_minutes: app_commands.Range[int, 1, 10] | None = None,
    ) -> None:
        """Show or change alert thresholds, who is notified, and automatic timeouts."""
        guild = guild_of(interaction)
        await begin(interaction)
        values = {
            "tension_alert": tension_alert,
            "toxicity_alert": toxicity_alert,
            "half_life_hours": half_life_hours,
            "auto_toxicity": auto_toxicity,
            "auto_minutes": auto_minutes,
        }
        changes: dict[str, Any] = {
            name: value for name, value in values.items() if value is not None
        }
        if prefilter is not None:
            changes["prefilter"] = None if prefilter == "default" else Prefilter(prefilter)
        if ping_role is not None or ping is not None:
            changes["ping_role_id"] = ping_role.id if ping_role is not None else None
        if automatic is not None:
            changes |= await self._automatic(interaction, guild, automatic)
        if changes:
            await self._app.sentiment.channels.change(
                guild.id, actor_id=interaction.user.id, **changes
            )
        settings = await self._app.sentiment.channels.settings(guild.id)
        log = (await self._app.guilds.settings.get(guild.id)).channels_for(Purpose.LOG)
        unposted = await self._app.sentiment.alerts.unposted([guild.id])
        waiting = [await self._app.sentiment.alerts.get(*key) for key in unposted[:MAX_NAMED]]
        text = settings_in_words(
            interaction.locale,
            settings,
            await self._app.sentiment.alerts.suggestions(settings),
            [alert for alert in waiting if alert is not None],
            has_log=bool(log) and guild.get_channel(log[0].channel_id) is not None,
            is_changed=bool(changes),
        )
        await say(interaction, text)

    async def _automatic(
        self, interaction: discord.Interaction[Any], guild: discord.Guild, choice: str
    ) -> dict[str, bool]:
        """Return the settings of a choice of automatic action.

        Raises BadInput for "on" before a dry run, or without the permission to time members out.
        """
        if choice == "off":
            return {"auto_timeout": False, "auto_dry_run": True}
        if not interaction.permissions.moderate_members:
            raise BadInput(YOU_LACK, permission="Time out members")
        if not guild.me.guild_permissions.moderate_members:
            raise BadInput(I_LACK, permission="Time out members")
        if (
            choice == "on"
            and not (await self._app.sentiment.channels.settings(guild.id)).auto_timeout
        ):
            raise BadInput(
                "Start with a dry run, `automatic:dry-run`: alerts then say what I would have "
                "done. If that looks right, choose `automatic:on`."
            )
        return {"auto_timeout": True, "auto_dry_run": choice == "dry-run"}
