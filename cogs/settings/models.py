"""``/model``: which of the operator's chat models answers first in a server or channel."""

import discord
from discord import app_commands

from cogs.bot.audience import Place, place_ids
from cogs.bot.feature_cog import ModeratorGroup
from cogs.bot.interactions import begin, respond, say
from cogs.bot.localisation import tr
from cogs.memory.choices import Choices, name_choices
from utils.guilds.model_choices import NO_MODEL
from utils.models.guild import WHOLE_SERVER
from utils.models.llm import MODEL_LIMIT

GONE = "- {place}: `{model}`, which my operator no longer lists, so I ignore it"
ModelName = app_commands.Range[str, 1, MODEL_LIMIT]


class ModelCommands(ModeratorGroup, group_name="model"):
    """The language model that answers first here (moderators)."""

    @app_commands.command()
    @app_commands.describe(channel="Which channel (default: this one)")
    async def show(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Show which language model answers first, and which ones follow (moderators)."""
        guild_id, locale = await begin(interaction), interaction.locale
        ids = place_ids(channel or interaction.channel)
        settings = await self._app.guilds.settings.get(guild_id)
        order = self._app.guilds.models.order(settings, *ids)
        if order:
            first, *others = (f"`{name}`" for name in order)
            lines = [
                tr(
                    locale,
                    "**{model}** answers first in {channel}.",
                    model=first,
                    channel=f"<#{ids[0]}>",
                ),
                tr(
                    locale,
                    "If it fails, the next model answers: {models}."
                    if others
                    else "My operator lists no other model, so there is nothing to choose.",
                    models=", ".join(others),
                ),
            ]
        else:
            lines = [tr(locale, NO_MODEL)]
        if settings.models:
            lines.append(tr(locale, "Chosen by moderators:"))
        for channel_id, model in settings.models.items():
            is_whole = channel_id == WHOLE_SERVER
            place = tr(locale, "for the whole server") if is_whole else f"<#{channel_id}>"
            is_listed = model in self._app.guilds.models.listed
            text = "- {place}: `{model}`" if is_listed else tr(locale, GONE)
            lines.append(text.format(place=place, model=model))
        await say(interaction, "\n".join(lines))

    @app_commands.command(name="set")
    @app_commands.describe(
        model="The model that answers first", channel="Only there (default: in the whole server)"
    )
    async def choose(
        self, interaction: discord.Interaction, model: ModelName, channel: Place | None = None
    ) -> None:
        """Choose which language model answers first, here or in one channel (moderators)."""
        guild_id = await begin(interaction)
        where = WHOLE_SERVER if channel is None else channel.id
        await self._app.guilds.models.choose(guild_id, model, where, actor_id=interaction.user.id)
        await respond(
            interaction,
            "`{model}` answers first in this server now. If it fails, the others follow."
            if channel is None
            else "`{model}` answers first in {channel} now. If it fails, the others follow.",
            model=model,
            channel=f"<#{where}>",
        )

    @app_commands.command()
    @app_commands.describe(channel="Only there (default: in the whole server)")
    async def reset(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Undo the choice of a language model for this server or a channel (moderators)."""
        guild_id = await begin(interaction)
        where = WHOLE_SERVER if channel is None else channel.id
        await self._app.guilds.models.choose(guild_id, "", where, actor_id=interaction.user.id)
        await respond(
            interaction,
            "This server uses my operator's order of models again."
            if channel is None
            else "{channel} uses the server's order of models again.",
            channel=f"<#{where}>",
        )

    @choose.autocomplete("model")
    async def _models(self, interaction: discord.Interaction, typed: str) -> Choices:
        names = [name for name in self._app.guilds.models.listed if len(name) <= MODEL_LIMIT]
        return name_choices(names, typed)
