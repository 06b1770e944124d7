"""``/config`` for moderators, and ``/help``, ``/privacy`` and ``/reset`` for all members."""

from dataclasses import replace
from typing import Literal

import discord
from discord import app_commands

from cogs.bot.audience import Place, place_of
from cogs.bot.client import KithClient
from cogs.bot.feature_cog import FeatureCog, ModeratorGroup
from cogs.bot.interactions import (
    begin,
    card,
    guild_of,
    respond,
    say,
    server_of,
)
from cogs.bot.localisation import ENGLISH, tr
from cogs.bot.permission_check import faults_of_channels
from cogs.bot.recall_report import AND_MORE, recall_report
from cogs.bot.texts import (
    ANNOUNCEMENT,
    HELP,
    ONLY_WHERE_YOU_WRITE,
    PRIVACY,
)
from cogs.bot.views import confirm
from cogs.memory.choices import zone_choices
from cogs.settings.base_role import ImpliedRoleQuestions, check_base_role, roles_to_ask
from cogs.settings.consent_default import check_is_announced
from cogs.settings.help_menu import HelpMenu
from cogs.settings.settings_text import (
    EVERYONE,
    HEADINGS,
    PURPOSE_MEANINGS,
    channels_in_words,
    config_in_words,
    talk_roles_in_words,
)
from cogs.settings.setup_pages import RECALL_HEADING
from utils.common.errors import BadInput
from utils.conversation.message_split import split_message
from utils.models.guild import GuildSettings, Purpose
from utils.models.memory import DIRECT_MESSAGES, Consent, NotedMark

MAX_LINES = 20
Action = Literal["add", "remove", "list"]
CHANNEL_COMMANDS = {
    Purpose.CHAT: "Channels in which I answer every message, unless it is for somebody else.",
    Purpose.GAME: (
        "Channels about a game: what I know of its topics comes to mind more easily there."
    ),
    Purpose.LOG: "The channel for my reports to moderators.",
    Purpose.NEVER: "Channels in which I never answer.",
    Purpose.ONLY: "The only channels in which I answer, besides chat channels (none: everywhere).",
    Purpose.LINKS: (
        "Channels in which I read every link in a message to me (elsewhere only if asked)."
    ),
}
CHANNEL_OPTIONS = {"action": "What to do", "channel": "Which channel (default: this one)"}
NO_MESSAGE_CONTENT = (
    "But I can't read messages that don't mention me: my operator has to turn on the "
    "*Message Content* intent in Discord's Developer Portal and restart me."
)
NO_LINKS = "But my operator has not set up reading links (`READ_LINKS`)."
LORE = {
    True: (
        "I note stories and jokes of this server that at least two of you told, and use them for "
        "my tone. If someone has me forget a message that told one, I forget the story too."
    ),
    False: "I note no shared stories any more, and use none of those that I noted.",
}
SOURCES = {
    True: (
        "A small line below my answers links to what they come from, where everybody who reads "
        "the answer can read that too."
    ),
    False: (
        "I show no sources below my answers. *Apps → Where does this come from?* tells each of you."
    ),
}
NOTED_DEFAULT = {
    NotedMark.LINE: (
        "Members who have not chosen see in a small line below my answer what I noted. Everybody "
        "who reads the answer reads the line."
    ),
    NotedMark.REACTION: (
        "I react with 📝 to messages that I noted something from, unless the member chooses "
        "otherwise."
    ),
    NotedMark.NOTHING: "I don't show that I note something, unless the member chooses otherwise.",
}
MAX_TALK_ROLES = 25


class ConfigCommands(ModeratorGroup, group_name="config"):
    """Settings of this server (moderators)."""

    channel = app_commands.Group(name="channel", description="What a channel is for")

    def __init__(self, bot: KithClient) -> None:
        super().__init__(bot)
        for purpose, description in CHANNEL_COMMANDS.items():
            change = self._change_game if purpose is Purpose.GAME else self._change_channel
            self.channel.add_command(
                app_commands.Command(name=purpose.value, description=description, callback=change)
            )

    @app_commands.describe(
        **CHANNEL_OPTIONS,
        topics="Comma-separated topics (default: the words of the channel's name)",
    )
    async def _change_game(
        self,
        interaction: discord.Interaction,
        action: Action,
        channel: Place | None = None,
        topics: str = "",
    ) -> None:
        """Change the channels about games, each with its topics."""
        await self._change(interaction, Purpose.GAME, action, channel, topics)

    @app_commands.describe(**CHANNEL_OPTIONS)
    async def _change_channel(
        self,
        interaction: discord.Interaction,
        action: Action,
        channel: Place | None = None,
    ) -> None:
        """Change the channels of the purpose that the command is named after."""
        command = interaction.command
        await self._change(interaction, Purpose(command.name if command else ""), action, channel)

    async def _change(
        self,
        interaction: discord.Interaction,
        purpose: Purpose,
        action: Action,
        channel: Place | None,
        topics: str = "",
    ) -> None:
        """Add, remove or list channels of a purpose, and answer with the result."""
        guild_id, locale = await begin(interaction), interaction.locale
        heading = tr(locale, HEADINGS[purpose])
        if action == "list":
            settings = await self._app.guilds.settings.get(guild_id)
            text = channels_in_words(locale, settings, purpose)
        elif action == "add":
            place = place_of(interaction, channel)
            if purpose is Purpose.LOG:
                if isinstance(place, discord.ForumChannel):
                    raise BadInput("Reports need a text channel, not a forum.")
                permissions = place.permissions_for(place.guild.me)
                if not (permissions.view_channel and permissions.send_messages):
                    raise BadInput(
                        "I can't write in {channel}: give me *View Channel* and *Send Messages* "
                        "there.",
                        channel=place.mention,
                    )
            settings = await self._app.guilds.settings.add_channel(
                guild_id, place.id, purpose, topics, actor_id=interaction.user.id
            )
            text = tr(
                locale,
                "**{list}:** {channel} is added; {meaning}.",
                list=heading,
                channel=place.mention,
                meaning=tr(locale, PURPOSE_MEANINGS[purpose]),
            )
            if purpose is Purpose.CHAT and not self._bot.has_message_content:
                text += f" {tr(locale, NO_MESSAGE_CONTENT)}"
            if purpose is Purpose.LINKS and self._app.memory.links is None:
                text += f" {tr(locale, NO_LINKS)}"
            purposes = tuple(p for p in settings.channels if p.channel_id == place.id)
            faults = faults_of_channels(locale, place.guild, replace(settings, channels=purposes))
            text = "\n".join([text, *faults])
        else:
            place = place_of(interaction, channel)
            if not await self._app.guilds.settings.remove_channel(
                guild_id, place.id, purpose, actor_id=interaction.user.id
            ):
                raise BadInput(
                    "**{list}:** {channel} is not one of them.",
                    list=HEADINGS[purpose],
                    channel=place.mention,
                )
            text = tr(
                locale, "**{list}:** {channel} is removed.", list=heading, channel=place.mention
            )
        await say(interaction, text)

    @app_commands.command()
    async def show(self, interaction: discord.Interaction) -> None:
        """Show all settings of this server."""
        guild, guild_id = guild_of(interaction), await begin(interaction)
        settings = await self._app.guilds.settings.get(guild_id)
        text = config_in_words(
            interaction.locale,
            settings,
            await self._app.guilds.settings.policy(guild_id),
            await self._app.guilds.personas.names(guild_id),
            await self._app.sentiment.channels.channels(guild_id),
            await self._app.sentiment.channels.settings(guild_id),
            hears_everything=self._bot.has_message_content,
        )
        lines = await recall_report(self._bot.audiences, guild, settings, interaction.locale)
        if len(lines) > MAX_LINES:
            more = tr(interaction.locale, AND_MORE, count=len(lines) - MAX_LINES)
            lines = [*lines[:MAX_LINES], more]
        text = "\n- ".join([f"{text}\n{tr(interaction.locale, RECALL_HEADING)}", *lines])
        await say(interaction, text)

    @app_commands.command()
    @app_commands.describe(name="An IANA name such as Europe/Berlin")
    @app_commands.autocomplete(name=zone_choices)
    async def timezone(self, interaction: discord.Interaction, name: str) -> None:
        """Choose this server's time zone."""
        settings = await self._app.guilds.settings.set_values(
            await begin(interaction), time_zone=name, actor_id=interaction.user.id
        )
        await respond(
            interaction, "This server's time zone is **{zone}** now.", zone=settings.time_zone
        )

    @app_commands.command()
    @app_commands.describe(default="How long I remember those who have not chosen for themselves")
    async def consent(
        self, interaction: discord.Interaction, default: Literal["temporary", "lasting"]
    ) -> None:
        """Choose how long I remember people here; I announce it in this channel."""
        guild_id, choice = server_of(interaction), Consent(default)
        settings = await self._app.guilds.settings.get(guild_id)
        await check_is_announced(interaction.channel, choice, settings, self._bot.audiences)
        await interaction.response.defer(thinking=True)
        settings = await self._app.guilds.settings.set_values(
            guild_id, consent_default=choice, actor_id=interaction.user.id
        )
        if settings.consent_default is Consent.TEMPORARY:
            await self._app.admin.job_runs.retention.apply_temporary_default(guild_id)
        text = tr(interaction.guild_locale or ENGLISH, ANNOUNCEMENT[settings.consent_default])
        await interaction.followup.send(text)

    @app_commands.command()
    @app_commands.describe(role="The role that every ordinary member has (default: everyone)")
    async def baserole(
        self, interaction: discord.Interaction, role: discord.Role | None = None
    ) -> None:
        """Tell me which role reads your open channels, where newcomers must be verified."""
        guild, locale = guild_of(interaction), interaction.locale
        await begin(interaction)
        base = None if role is None or role.is_default() else role
        if base is not None:
            check_base_role(base)
        await self._app.guilds.settings.set_values(
            guild.id, base_role_id=None if base is None else base.id, actor_id=interaction.user.id
        )
        who = (
            tr(locale, EVERYONE)
            if base is None
            else tr(locale, "members with {role}", role=base.mention)
        )
        text = tr(locale, "Open to all are now the channels that **{who}** can read.", who=who)
        roles = [] if base is None else roles_to_ask(guild, base)
        if base is None or not roles:
            await say(interaction, text)
            return
        questions = ImpliedRoleQuestions(self._app, interaction, base, roles)
        await say(interaction, f"{text}\n{questions.text(locale)}", view=questions)

    @app_commands.command()
    @app_commands.describe(action="What to do", role="Which role (remove: default all)")
    async def talkrole(
        self, interaction: discord.Interaction, action: Action, role: discord.Role | None = None
    ) -> None:
        """Choose the roles whose members I answer (none: everybody)."""
        guild_id, settings_of = await begin(interaction), self._app.guilds.settings

        def change(old: GuildSettings) -> GuildSettings:
            chosen = {*old.talk_role_ids}
            if action == "remove":
                return replace(old, talk_role_ids=tuple(sorted(chosen - {role.id})) if role else ())
            if role is None or role.is_default():
                raise BadInput("Choose a role that only some members have.")
            if len(chosen) >= MAX_TALK_ROLES:
                raise BadInput(
                    "There can be {count} such roles; remove one first.", count=MAX_TALK_ROLES
                )
            return replace(old, talk_role_ids=tuple(sorted(chosen | {role.id})))

        settings = (
            await settings_of.latest(guild_id)
            if action == "list"
            else await settings_of.update(guild_id, change, interaction.user.id)
        )
        await say(interaction, talk_roles_in_words(interaction.locale, settings.talk_role_ids))

    @app_commands.command()
    @app_commands.describe(state="on: I note stories that several of you tell; off: I don't")
    async def lore(self, interaction: discord.Interaction, state: Literal["on", "off"]) -> None:
        """Choose whether I note this server's shared stories and use them for my tone."""
        is_on = state == "on"
        await self._app.guilds.settings.set_values(
            await begin(interaction), lore=is_on, actor_id=interaction.user.id
        )
        await respond(interaction, LORE[is_on])

    @app_commands.command()
    @app_commands.describe(state="on: a small line with links; off: only the menu tells it")
    async def sources(self, interaction: discord.Interaction, state: Literal["on", "off"]) -> None:
        """Choose whether a line below my answers says where they come from."""
        is_on = state == "on"
        await self._app.guilds.settings.set_values(
            await begin(interaction), shows_sources=is_on, actor_id=interaction.user.id
        )
        await respond(interaction, SOURCES[is_on])

    @app_commands.command()
    @app_commands.describe(show="line: below my answer; reaction: 📝 on their message; or nothing")
    async def noted(
        self, interaction: discord.Interaction, show: Literal["line", "reaction", "nothing"]
    ) -> None:
        """Choose how members see that I noted something; each may choose otherwise."""
        mark = NotedMark(show)
        await self._app.guilds.settings.set_values(
            await begin(interaction), noted=mark, actor_id=interaction.user.id
        )
        await respond(interaction, NOTED_DEFAULT[mark])


class General(FeatureCog):
    """``/help``, ``/privacy`` and ``/reset``."""

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(self, interaction: discord.Interaction) -> None:
        """What I can do and how to talk to me."""
        if interaction.guild_id is not None and interaction.permissions.manage_guild:
            menu = HelpMenu(interaction)
            await interaction.response.send_message(embeds=menu.cards(), view=menu, ephemeral=True)
        else:
            await interaction.response.send_message(
                embed=card(tr(interaction.locale, HELP)), ephemeral=True
            )

    @app_commands.command()
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def privacy(self, interaction: discord.Interaction) -> None:
        """What I store, for how long, and who can see it."""
        first, *following = split_message(tr(interaction.locale, PRIVACY))
        await interaction.response.send_message(first, ephemeral=True)
        for part in following:
            await interaction.followup.send(part, ephemeral=True)

    @app_commands.command()
    async def reset(self, interaction: discord.Interaction) -> None:
        """Make me forget what was just talked about in this channel (not what I know of people)."""
        guild_id, locale = interaction.guild_id or DIRECT_MESSAGES, interaction.locale
        is_here_others = interaction.guild is not None
        if is_here_others and not interaction.permissions.send_messages:
            raise BadInput(ONLY_WHERE_YOU_WRITE)
        await interaction.response.defer(ephemeral=is_here_others, thinking=True)
        if is_here_others:
            if not await confirm(
                interaction,
                tr(
                    locale,
                    "Shall I start over in this channel, for everybody? Then I follow nothing that "
                    "was just talked about here. What I know about people stays.",
                ),
                "Start over",
                "Go on",
            ):
                await interaction.edit_original_response(
                    content=tr(locale, "I go on as before."), view=None
                )
                return
            await interaction.delete_original_response()
        await self._app.memory.editor.reset(guild_id, interaction.channel_id or 0)
        await interaction.followup.send(
            tr(
                interaction.guild_locale or ENGLISH,
                "I start over in this channel. I keep what I know about people.",
            )
        )
