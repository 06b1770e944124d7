"""``/kith``: my mode here, and a member's preferences: roasts, speaking first, time zone, links."""

from typing import Literal

import discord
from discord import app_commands

from cogs.bot.error_handler import sentence_for
from cogs.bot.feature_cog import MemberGroup
from cogs.bot.interactions import respond, say
from cogs.bot.localisation import tr
from cogs.bot.views import confirm
from cogs.memory.choices import zone_choices
from cogs.memory.showing import begin_here
from cogs.settings.modes import modes_in_words
from utils.common.errors import BadInput
from utils.models.memory import Member, NotedMark

ROAST = {
    "off": (
        "I won't make fun of you here in any mode, even if others ask. Change this with "
        "`/kith roast`."
    ),
    "on": "In the mode *roast*, I may make fun of you here. Change this with `/kith roast`.",
}
SPEAKING = {
    "off": "I won't speak first to you or about you here. Change this with `/kith speaking`.",
    "on": (
        "Where moderators let me speak first, I may ask you about what you left open. Change this "
        "with `/kith speaking`."
    ),
}
NOTED = {
    NotedMark.LINE: (
        "When I note something of what you tell me, one small line below my answer says what."
    ),
    NotedMark.REACTION: "When I note something of what you tell me, I react to your message.",
    NotedMark.NOTHING: "I note things without showing it. `/memory show` lists them.",
}
CONFIRM_FROM_OTHER = (
    "Noted. Now let {other} use `/kith link` here too and name this account, within a day: then I "
    "recall the two of you together."
)
LINKED = (
    "Linked. When one of these two accounts talks to me here, I recall what I know of both, as far "
    "as the channel may hear it, so others can notice. I tell nobody else of the link. Each "
    "account keeps its own choices, and either can see and forget what I know. `/kith unlink` "
    "ends it."
)


class KithCommands(MemberGroup, group_name="kith"):
    """How I sound, and how I treat you."""

    @app_commands.command()
    async def mode(self, interaction: discord.Interaction) -> None:
        """Show my personality here and the other ones."""
        guild_id = (await begin_here(interaction)).guild_id
        settings = await self._app.guilds.settings.get(guild_id)
        own_modes = await self._app.guilds.personas.names(guild_id)
        await say(interaction, modes_in_words(interaction, settings, own_modes))

    @app_commands.command()
    @app_commands.describe(state="off: I never make fun of you; on: in the mode roast I may")
    async def roast(self, interaction: discord.Interaction, state: Literal["off", "on"]) -> None:
        """Choose whether I may make fun of you here."""
        member = await begin_here(interaction)
        await self._app.guilds.personas.refuse_roasts(member, refused=state == "off")
        await respond(interaction, ROAST[state])

    @app_commands.command()
    @app_commands.describe(state="off: I never do; on: in channels that moderators chose I may")
    async def speaking(self, interaction: discord.Interaction, state: Literal["off", "on"]) -> None:
        """Choose whether I may speak first about what you left open."""
        member = await begin_here(interaction)
        await self._app.memory.editor.choose(member, never_first=state == "off")
        await respond(interaction, SPEAKING[state])

    @app_commands.command()
    @app_commands.describe(show="line: below my answer; reaction: 📝 on your message; or nothing")
    async def noted(
        self, interaction: discord.Interaction, show: Literal["line", "reaction", "nothing"]
    ) -> None:
        """Choose how you see that I noted something of what you told me."""
        member, mark = await begin_here(interaction), NotedMark(show)
        await self._app.memory.editor.choose(member, noted=mark)
        hint = tr(
            interaction.locale,
            "*Apps → What did you note?* on a message tells you more. Change this with {command}.",
            command="`/kith noted`",
        )
        await say(interaction, f"{tr(interaction.locale, NOTED[mark])} {hint}")

    @app_commands.command()
    @app_commands.describe(name="An IANA name such as Europe/Berlin")
    @app_commands.autocomplete(name=zone_choices)
    async def timezone(self, interaction: discord.Interaction, name: str) -> None:
        """Choose your time zone here, for reminders and days."""
        member = await begin_here(interaction)
        zone = await self._app.memory.reminders.set_zone(member, name)
        await respond(
            interaction,
            "Your time zone here is {zone} now: I use it for reminders, for “tomorrow” in what "
            "you tell me, and for what I take for now.",
            zone=zone,
        )

    @app_commands.command()
    @app_commands.describe(other="Your other account; it has to name this one too")
    async def link(self, interaction: discord.Interaction, other: discord.User) -> None:
        """Tell me that another account here is yours too, so that I recall both together."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        if interaction.guild_id is None:
            raise BadInput(
                "Accounts can only be linked in a server: use `/kith link` there, not in a "
                "direct message."
            )
        if other.id == interaction.user.id:
            raise BadInput("That is this account. Choose your other one.")
        if other.bot:
            raise BadInput("Bots can't be linked, only people's accounts.")
        if not isinstance(other, discord.Member):
            raise BadInput("That account is not on this server.")
        locale = interaction.locale
        question = tr(
            locale,
            "Is {other} really your own account? Once both have named each other, each of them "
            "can see what I know of the other, and have it forgotten.",
            other=other.mention,
        )
        text = tr(locale, "Nothing was linked.")
        if await confirm(interaction, question, "It is mine", "It is not mine"):
            member = Member(interaction.guild_id, interaction.user.id)
            try:
                is_linked = await self._app.guilds.links.link(member, other.id)
                text = tr(locale, LINKED if is_linked else CONFIRM_FROM_OTHER, other=other.mention)
            except BadInput as refused:
                text = sentence_for(refused, locale)
        await interaction.edit_original_response(content=text, view=None)

    @app_commands.command()
    async def unlink(self, interaction: discord.Interaction) -> None:
        """Unlink this account from your other one here."""
        member = await begin_here(interaction)
        if await self._app.guilds.links.unlink(member):
            await respond(interaction, "This account is no longer linked.")
        else:
            await respond(interaction, "This account was not linked.")
