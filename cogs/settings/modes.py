"""``/mode``: Kith's personality in a server or channel, and a server's own personalities."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from cogs.bot.audience import Place, is_age_restricted, place_ids, place_of
from cogs.bot.feature_cog import ModeratorGroup
from cogs.bot.interactions import begin, respond, say, server_of
from cogs.bot.localisation import tr
from cogs.bot.views import ActionButton, AuthorView, ModeratorForm, confirm
from cogs.memory.choices import Choices, name_choices
from utils.common.errors import BadInput
from utils.common.text import clip, defuse_mentions, escape_markdown
from utils.conversation.personas import without_orders
from utils.files.character_cards import (
    MAX_CARD_BYTES,
    NO_VOICE,
    TOO_LARGE,
    CharacterCard,
    read_card,
)
from utils.llm import prompts
from utils.models.guild import PERSONA_LIMIT, PERSONA_NAME_LIMIT, GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Member

MAX_ANSWER = 1700
MAX_CARD_SHOWN = 1300
MAX_ORDERS_SHOWN = 200
FORM_S = 1800.0
ModeName = app_commands.Range[str, 1, PERSONA_NAME_LIMIT]


def persona_form(
    locale: discord.Locale,
    name: str,
    text: str,
    save: Callable[[discord.Interaction, str], Awaitable[None]],
) -> ModeratorForm:
    """Return a form with one large field for a persona's text."""
    return ModeratorForm(
        tr(locale, "How I sound as {name}", name=name),
        tr(locale, "My personality, in your words"),
        save,
        hint=tr(locale, "It only sets my tone, not what I know, remember, tell or allow."),
        timeout_s=FORM_S,
        style=discord.TextStyle.paragraph,
        max_length=PERSONA_LIMIT,
        default=text or None,
    )


class ModeCommands(ModeratorGroup, group_name="mode"):
    """My personality in this server (moderators)."""

    @app_commands.command(name="set")
    @app_commands.describe(
        mode="The personality I take on", channel="Only there (default: in the whole server)"
    )
    async def choose(
        self,
        interaction: discord.Interaction,
        mode: ModeName,
        channel: Place | None = None,
    ) -> None:
        """Choose my personality for this server, or for one channel (moderators)."""
        guild_id, channel_id = await begin(interaction), None if channel is None else channel.id
        await self._app.guilds.settings.set_mode(
            guild_id, mode, channel_id, actor_id=interaction.user.id
        )
        await respond(
            interaction,
            "My mode is **{mode}** now."
            if channel is None
            else "My mode in {channel} is **{mode}** now.",
            mode=mode,
            channel=f"<#{channel_id}>",
        )

    @app_commands.command()
    @app_commands.describe(channel="Which channel (default: this one)")
    async def clear(self, interaction: discord.Interaction, channel: Place | None = None) -> None:
        """Use the server's mode in a channel again (moderators)."""
        guild_id, place = await begin(interaction), place_of(interaction, channel)
        await self._app.guilds.settings.set_mode(
            guild_id, "", place.id, actor_id=interaction.user.id
        )
        await respond(interaction, "{channel} uses the server's mode again.", channel=place.mention)

    @app_commands.command()
    @app_commands.describe(mode="Which personality", line="A message for me to answer")
    async def preview(
        self,
        interaction: discord.Interaction,
        mode: ModeName,
        line: app_commands.Range[str, 1, 200] = "",
    ) -> None:
        """Try a personality with one answer; only you see it, nothing is stored (moderators)."""
        guild_id = await begin(interaction)
        sample = line.strip() or tr(interaction.locale, "Hi! What should we play tonight?")
        answer = await self._app.conversation.preview(
            Member(guild_id, interaction.user.id),
            await self._app.guilds.settings.get(guild_id),
            mode,
            sample,
            age_restricted=is_age_restricted(interaction.channel),
        )
        line = defuse_mentions(sample)
        await respond(
            interaction,
            "**{mode}** answers “{line}”:\n{answer}",
            mode=mode,
            line=line,
            answer=defuse_mentions(clip(answer, MAX_ANSWER)),
        )

    @app_commands.command()
    @app_commands.describe(name="Small letters, digits and hyphens, such as pirate-captain")
    async def create(self, interaction: discord.Interaction, name: ModeName) -> None:
        """Write a personality of this server's own (moderators)."""
        checked_name = await self._app.guilds.personas.check_new(server_of(interaction), name)
        form = persona_form(
            interaction.locale, checked_name, "", partial(self._create, checked_name)
        )
        await interaction.response.send_modal(form)

    @app_commands.command(name="import")
    @app_commands.describe(
        card="A character card: PNG, JSON or CHARX, as Tavern and others make them",
        name="The mode's name (default: made from the character's)",
    )
    async def import_card(
        self,
        interaction: discord.Interaction,
        card: discord.Attachment,
        name: ModeName | None = None,
    ) -> None:
        """Make a personality from a character card; you see it before it is saved (moderators)."""
        guild_id, locale = await begin(interaction), interaction.locale
        character, orders = await _downloaded(card)
        mode = await self._app.guilds.personas.check_new(
            guild_id, name or mode_name(character.name)
        )
        save = partial(self._create, mode)

        async def open_form(interaction: discord.Interaction) -> None:
            """Open the form; it can be opened again when it was closed unsaved."""
            await interaction.response.send_modal(persona_form(locale, mode, character.voice, save))

        view = AuthorView(interaction.user.id, for_moderators=True)
        primary = discord.ButtonStyle.primary
        view.add_item(ActionButton(open_form, label=tr(locale, "Change and save…"), style=primary))
        lines = [
            tr(
                locale,
                "From the card of **{name}** I take only how the character sounds:",
                name=defuse_mentions(character.name),
            ),
            defuse_mentions(clip(character.voice, MAX_CARD_SHOWN)),
        ]
        if character.is_shortened:
            lines.append(
                tr(
                    locale,
                    "-# It was longer; I kept the first {limit} characters.",
                    limit=PERSONA_LIMIT,
                )
            )
        if character.left_out:
            lines.append(
                tr(
                    locale,
                    "-# Left out: {fields}. My rules, and what I know and remember, stay as they "
                    "are in every mode.",
                    fields=", ".join(character.left_out),
                )
            )
        if orders:
            lines.append(
                tr(
                    locale,
                    "-# Left out, because it gives orders and is no voice: {orders}",
                    orders=escape_markdown(
                        defuse_mentions(clip(" ".join(orders), MAX_ORDERS_SHOWN))
                    ),
                )
            )
        lines.append(
            tr(
                locale,
                "Read it, change what you like, and save it as the mode **{mode}** within ten "
                "minutes.",
                mode=mode,
            )
        )
        await say(interaction, "\n".join(lines), view=view)

    @app_commands.command()
    @app_commands.describe(name="One of this server's own personalities")
    async def edit(self, interaction: discord.Interaction, name: ModeName) -> None:
        """Rewrite one of this server's own personalities (moderators)."""
        persona = await self._app.guilds.personas.own(server_of(interaction), name)
        save = partial(self._edit, persona.name)
        await interaction.response.send_modal(
            persona_form(interaction.locale, persona.name, persona.text, save)
        )

    @app_commands.command()
    @app_commands.describe(name="One of this server's own personalities")
    async def delete(self, interaction: discord.Interaction, name: ModeName) -> None:
        """Delete one of this server's own personalities, after one question (moderators)."""
        guild_id, locale = await begin(interaction), interaction.locale
        persona = await self._app.guilds.personas.own(guild_id, name)
        question = tr(
            locale,
            "Delete the mode **{name}**? Channels with it use the server's mode again. If it is "
            "the server's, **friendly** replaces it.",
            name=persona.name,
        )
        if is_agreed := await confirm(interaction, question, "Delete it", for_moderators=True):
            await self._app.guilds.personas.delete(
                guild_id, persona.name, actor_id=interaction.user.id
            )
        text = tr(
            locale,
            "The mode **{name}** is deleted." if is_agreed else "Nothing was deleted.",
            name=persona.name,
        )
        await interaction.edit_original_response(content=text, view=None)

    async def _create(self, name: str, interaction: discord.Interaction, text: str) -> None:
        actor_id, guild_id = interaction.user.id, await begin(interaction)
        persona = await self._app.guilds.personas.create(guild_id, name, text, actor_id=actor_id)
        await respond(
            interaction,
            "The mode **{name}** is created. Try it with `/mode preview`, use it with `/mode set`.",
            name=persona.name,
        )

    async def _edit(self, name: str, interaction: discord.Interaction, text: str) -> None:
        actor_id, guild_id = interaction.user.id, await begin(interaction)
        await self._app.guilds.personas.edit(guild_id, name, text, actor_id=actor_id)
        await respond(interaction, "The mode **{name}** is changed.", name=name)

    # --- autocompletion ------------------------------------------------------------------------

    @choose.autocomplete("mode")
    @preview.autocomplete("mode")
    async def _modes(self, interaction: discord.Interaction, typed: str) -> Choices:
        own_modes = await self._app.guilds.personas.names(interaction.guild_id or DIRECT_MESSAGES)
        return name_choices((*prompts.MODES, *own_modes), typed)

    @edit.autocomplete("name")
    @delete.autocomplete("name")
    async def _own_modes(self, interaction: discord.Interaction, typed: str) -> Choices:
        own_modes = await self._app.guilds.personas.names(interaction.guild_id or DIRECT_MESSAGES)
        return name_choices(own_modes, typed)


async def _downloaded(card: discord.Attachment) -> tuple[CharacterCard, list[str]]:
    """Return the character of an attached card, without the orders to a model, and those.

    Raises BadInput if the file is none.
    """
    if card.size > MAX_CARD_BYTES:
        raise BadInput(TOO_LARGE)
    try:
        data = await card.read()
    except discord.HTTPException:
        raise BadInput("I could not download this file; please attach it again.") from None
    character = await asyncio.to_thread(read_card, data)
    voice, orders = without_orders(character.voice)
    if not voice.partition("\n")[2]:  # only the name is left
        raise BadInput(NO_VOICE)
    return replace(character, voice=voice), orders


def mode_name(character: str) -> str:
    """Return a name for a character's mode: its small letters and digits, with hyphens between."""
    name = re.sub(r"[^a-z0-9]+", "-", character.casefold()).strip("-")
    return name[:PERSONA_NAME_LIMIT].strip("-") if len(name) > 1 else "character"


def modes_in_words(
    interaction: discord.Interaction, settings: GuildSettings, own_modes: tuple[str, ...]
) -> str:
    """Return the mode here, the available modes, and the channels with their own mode as text."""
    locale = interaction.locale
    mode = settings.mode_in(*place_ids(interaction.channel))
    lines = [
        tr(
            locale,
            "My mode here is **{mode}**. You can choose from: {modes}.",
            mode=mode,
            modes=", ".join(prompts.MODES),
        )
    ]
    if own_modes:
        lines.append(tr(locale, "This server's own: {modes}.", modes=", ".join(own_modes)))
    if settings.channel_modes:
        lines += [
            tr(locale, "The server's mode is **{mode}**.", mode=settings.mode),
            tr(locale, "Channels with a mode of their own:"),
        ]
        lines += [
            f"- <#{channel_id}>: **{mode}**" for channel_id, mode in settings.channel_modes.items()
        ]
    return clip("\n".join(lines), 1900)
