"""``/mod tools``: the MCP servers whose tools answers may use in a server."""

from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands

from cogs.bot.feature_cog import FeatureCog
from cogs.bot.interactions import ModeratorsOnly, begin, respond, say
from cogs.bot.localisation import tr
from cogs.memory.choices import Choices, name_choices
from utils.common.errors import BadInput

if TYPE_CHECKING:  # it needs an optional dependency, of MCP_SERVERS
    from utils.mcp.connection import McpConnection

HEADING = {  # where there are some, and where not
    True: "**Tools of other services that I can use for answers here:**",
    False: "My operator has set up no tools of other services for this server.",
}
STATES = {True: "- **{server}** is on: {tools}", False: "- **{server}** is off: {tools}"}
NOT_OFFERED = {  # with a reason, or without
    True: "`{tool}` (cannot be offered: {why})",
    False: "`{tool}` (the service does not have it)",
}


class ToolCommands(ModeratorsOnly, FeatureCog):
    """Lists and switches the tools of MCP servers."""

    @app_commands.command()
    @app_commands.describe(
        service="Which service; none: show all of them",
        state="on: I may use its tools for answers; off: I don't",
    )
    async def tools(
        self,
        interaction: discord.Interaction,
        service: str | None = None,
        state: Literal["on", "off"] = "on",
    ) -> None:
        """Show or choose the tools of other services that I may use here."""
        guild_id, locale = await begin(interaction), interaction.locale
        tools = self._tools(guild_id, locale)
        if service is None:
            settings = await self._app.guilds.settings.get(guild_id)
            lines = [
                tr(
                    locale,
                    STATES[name in settings.tool_servers],
                    server=name,
                    tools=words
                    if is_connected
                    else tr(locale, "{tools} (not connected right now)", tools=words),
                )
                for name, (words, is_connected) in tools.items()
            ]
            heading = tr(locale, HEADING[bool(lines)])
            await say(interaction, "\n".join([heading, *lines]))
            return
        if service not in tools:
            raise BadInput(
                "There is no service {server} here; `/mod tools` shows them.", server=service[:20]
            )
        is_on = state == "on"
        await self._app.guilds.settings.update(
            guild_id,
            lambda old: old.with_switched("tool_servers", service, is_on=is_on),
            interaction.user.id,
        )
        await respond(
            interaction,
            (
                "From now on I may use **{server}** for answers here: {tools}. What my answer "
                "needs, such as words of the question, is sent there."
            )
            if is_on
            else "I do not use **{server}** here any more.",
            server=service,
            tools=tools[service][0],
        )

    @tools.autocomplete("service")
    async def _services(self, interaction: discord.Interaction, typed: str) -> Choices:
        return name_choices(self._tools(interaction.guild_id or 0, interaction.locale), typed)

    def _tools(self, guild_id: int, locale: discord.Locale) -> dict[str, tuple[str, bool]]:
        """Return the services that can be chosen here, with their tools and whether they work."""
        if self._app.mcp is None:
            return {}
        return {
            connection.spec.name: (
                ", ".join(_tool_text(connection, tool, locale) for tool in connection.spec.tools),
                connection.is_connected,
            )
            for connection in self._app.mcp.connections.values()
            if connection.spec.may_serve(guild_id)
        }


def _tool_text(connection: "McpConnection", tool: str, locale: discord.Locale) -> str:
    """Return a tool's name, with the reason if a connected service cannot offer it."""
    why = connection.not_offered.get(tool)
    if why is None:
        return f"`{tool}`"
    return tr(locale, NOT_OFFERED[bool(why)], tool=tool, why=why)
