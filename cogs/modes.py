"""/mode …: Kith's personality in a server and in single channels, and those a server writes."""

from collections.abc import Awaitable, Callable
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from cogs.answering import NO_PINGS, server_of
from cogs.audience import Place, is_age_restricted, place_ids, place_of
from cogs.localisation import tr
from cogs.views import Confirmation, ModeratorsForm
from utils import prompts
from utils.core import Core
from utils.model.guild import PERSONA_LIMIT, PERSONA_NAME_LIMIT, GuildSettings
from utils.model.memory import DIRECT_MESSAGES, Member
from utils.text import clip, defuse_mentions

MOST_CHOICES = 25
MOST_ANSWER = 1700
FORM_S = 1800.0
SAMPLE = "Hi! What should we play tonight?"
MODE_HERE = "My mode here is **{mode}**. There are: {modes}."
MODE_OF_SERVER = "The server's mode is **{mode}**."
OWN_MODES = "This server's own: {modes}."
CHANNELS_WITH_MODES = "Channels with a mode of their own:"
MODE_SET = "My mode is **{mode}** now."
MODE_SET_IN = "My mode in {channel} is **{mode}** now."
MODE_CLEARED = "In {channel}, the server's mode holds again."
NOTHING_TO_CLEAR = "{channel} has no mode of its own."
CREATED = "The mode **{name}** is there now; `/mode preview` lets you hear it, `/mode set` uses it."
CHANGED = "The mode **{name}** sounds different now."
DELETE_QUESTION = "Shall I delete the mode **{name}**? Where it is in use, **friendly** follows it."
DELETED = "The mode **{name}** is deleted."
KEPT = "Nothing was deleted."
PREVIEW = "**{mode}** answers “{line}”:\n{answer}"
FORM_TITLE = "How I sound as {name}"
FORM_LABEL = "My manner, in your words"
FORM_HINT = "It sets my tone, nothing else: not what I know, remember, tell or allow."
ModeName = app_commands.Range[str, 1, PERSONA_NAME_LIMIT]


class PersonaForm(ModeratorsForm):
    """A form with one large field: a persona's words."""

    def __init__(
        self,
        locale: discord.Locale,
        name: str,
        text: str,
        save: Callable[[discord.Interaction, str], Awaitable[None]],
    ) -> None:
        super().__init__(title=clip(tr(locale, FORM_TITLE, name=name), 45), timeout=FORM_S)
        self._save = save
        self._words: discord.ui.TextInput[PersonaForm] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph, max_length=PERSONA_LIMIT, default=text or None
        )
        self.add_item(
            discord.ui.Label(
                text=tr(locale, FORM_LABEL),
                description=tr(locale, FORM_HINT),
                component=self._words,
            )
        )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Store the words."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._save(interaction, self._words.value)


class ModeCommands(commands.GroupCog, group_name="mode"):
    """My personality in this server."""

    def __init__(self, core: Core) -> None:
        self._core = core
        super().__init__()

    # --- for everybody -------------------------------------------------------------------------

    @app_commands.command()
    async def show(self, interaction: discord.Interaction) -> None:
        """Show my personality here, and the others there are."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild_id = interaction.guild_id or DIRECT_MESSAGES
        settings = await self._core.guilds.get(guild_id)
        own = await self._core.personas.names(guild_id)
        text = modes_in_words(interaction, settings, own)
        await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)

    # --- for moderators ------------------------------------------------------------------------

    @app_commands.command(name="set")
    @app_commands.describe(
        mode="The personality I take on", channel="Only there (default: in the whole server)"
    )
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def choose(
        self,
        interaction: discord.Interaction,
        mode: ModeName,
        channel: Place | None = None,
    ) -> None:
        """Choose my personality for this server, or for one channel (moderators)."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        channel_id = None if channel is None else channel.id
        await self._core.guilds.set_mode(server_of(interaction), mode, channel_id)
        if channel is None:
            text = tr(interaction.locale, MODE_SET, mode=mode)
        else:
            text = tr(interaction.locale, MODE_SET_IN, mode=mode, channel=channel.mention)
        await interaction.followup.send(text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(channel="Which channel (default: this one)")
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def clear(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Let the server's mode hold in a channel again (moderators)."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        place = place_of(interaction, channel)
        was_set = await self._core.guilds.clear_mode(server_of(interaction), place.id)
        text = MODE_CLEARED if was_set else NOTHING_TO_CLEAR
        words = tr(interaction.locale, text, channel=place.mention)
        await interaction.followup.send(words, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(mode="Which personality", line="What I am to answer, as an example")
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def preview(
        self,
        interaction: discord.Interaction,
        mode: ModeName,
        line: app_commands.Range[str, 1, 200] = "",
    ) -> None:
        """Hear one answer in a personality; only you see it, and nothing is stored (moderators)."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild_id = server_of(interaction)
        sample = line.strip() or tr(interaction.locale, SAMPLE)
        answer = await self._core.conversation.preview(
            Member(guild_id, interaction.user.id),
            await self._core.guilds.get(guild_id),
            mode,
            sample,
            age_restricted=is_age_restricted(interaction.channel),
        )
        said = defuse_mentions(clip(answer, MOST_ANSWER))
        text = tr(interaction.locale, PREVIEW, mode=mode, line=defuse_mentions(sample), answer=said)
        await interaction.followup.send(text, ephemeral=True, allowed_mentions=NO_PINGS)

    @app_commands.command()
    @app_commands.describe(name="Small letters, digits and hyphens, such as pirate-captain")
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def create(self, interaction: discord.Interaction, name: ModeName) -> None:
        """Write a personality of this server's own (moderators)."""
        guild_id = server_of(interaction)
        usable = await self._core.personas.check_new(guild_id, name)
        save = partial(self._create, usable)
        await interaction.response.send_modal(PersonaForm(interaction.locale, usable, "", save))

    @app_commands.command()
    @app_commands.describe(name="One of this server's own personalities")
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def edit(self, interaction: discord.Interaction, name: ModeName) -> None:
        """Rewrite one of this server's own personalities (moderators)."""
        own = await self._core.personas.own(server_of(interaction), name)
        save = partial(self._edit, own.name)
        form = PersonaForm(interaction.locale, own.name, own.text, save)
        await interaction.response.send_modal(form)

    @app_commands.command()
    @app_commands.describe(name="One of this server's own personalities")
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def delete(self, interaction: discord.Interaction, name: ModeName) -> None:
        """Delete one of this server's own personalities, after one question (moderators)."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        guild_id, locale = server_of(interaction), interaction.locale
        own = await self._core.personas.own(guild_id, name)
        question = Confirmation(interaction.user.id, yes=tr(locale, "Delete it"), locale=locale)
        text = tr(locale, DELETE_QUESTION, name=own.name)
        await interaction.followup.send(text, view=question, ephemeral=True)
        if await question.answered():
            await self._core.personas.delete(guild_id, own.name)
            text = tr(locale, DELETED, name=own.name)
        else:
            text = tr(locale, KEPT)
        await interaction.edit_original_response(content=text, view=None)

    async def _create(self, name: str, interaction: discord.Interaction, text: str) -> None:
        actor_id = interaction.user.id
        guild_id = server_of(interaction)
        made = await self._core.personas.create(guild_id, name, text, actor_id=actor_id)
        words = tr(interaction.locale, CREATED, name=made.name)
        await interaction.followup.send(words, ephemeral=True)

    async def _edit(self, name: str, interaction: discord.Interaction, text: str) -> None:
        actor_id = interaction.user.id
        await self._core.personas.edit(server_of(interaction), name, text, actor_id=actor_id)
        words = tr(interaction.locale, CHANGED, name=name)
        await interaction.followup.send(words, ephemeral=True)

    # --- choosing ------------------------------------------------------------------------------

    @choose.autocomplete("mode")
    @preview.autocomplete("mode")
    async def _modes(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        own = await self._core.personas.names(interaction.guild_id or DIRECT_MESSAGES)
        return _fitting((*prompts.modes(), *own), typed)

    @edit.autocomplete("name")
    @delete.autocomplete("name")
    async def _own_modes(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        own = await self._core.personas.names(interaction.guild_id or DIRECT_MESSAGES)
        return _fitting(own, typed)


def modes_in_words(
    interaction: discord.Interaction, settings: GuildSettings, own: tuple[str, ...]
) -> str:
    """Say which mode holds here, which there are, and which channels have one of their own."""
    locale = interaction.locale
    here = settings.mode_in(*place_ids(interaction.channel))
    lines = [tr(locale, MODE_HERE, mode=here, modes=", ".join(prompts.modes()))]
    if own:
        lines.append(tr(locale, OWN_MODES, modes=", ".join(own)))
    if settings.channel_modes:
        lines.append(tr(locale, MODE_OF_SERVER, mode=settings.mode))
        lines.append(tr(locale, CHANNELS_WITH_MODES))
        lines += [f"- <#{one.channel_id}>: **{one.mode}**" for one in settings.channel_modes]
    return clip("\n".join(lines), 1900)


def _fitting(names: tuple[str, ...], typed: str) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=name, value=name) for name in names if typed.casefold() in name
    ][:MOST_CHOICES]
