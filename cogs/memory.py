"""/memory …: what Kith knows of a member, in that member's hands."""

import asyncio
import io
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands

from cogs.audience import readable_by
from cogs.consent import ConsentView
from cogs.localisation import tr
from cogs.memory_pages import (
    HERE,
    forgotten_in_words,
    found_pages,
    memory_line,
    memory_number,
    memory_pages,
    undone_in_words,
    unknown_memory,
    why_page,
)
from cogs.views import Confirmation, Pages
from utils.core import Core
from utils.errors import BadInput
from utils.memory.search import LONGEST_SEARCH
from utils.model.memory import DIRECT_MESSAGES, MEMORY_LIMIT, Member, Memory
from utils.model.transfer import Statement
from utils.text import age_in_words, clip

EVERYTHING = "everything"
MOST_CHOICES = 25
CHOICE_LENGTH = 100
MOST_EXPORTS = 5
ONLY_DIRECT = "Another server can only be chosen in a direct message with me."
NOT_THERE = "I store nothing of you in that server; choose one from the list."
ALL_OF_IT = "This is everything I store of you there."
CORRECTED = "Corrected: {line}"
FORGOTTEN = "Forgotten: #{number}."
NOTHING_FORGOTTEN = "Nothing was forgotten."
EVERYTHING_CHOICE = "Everything you know of me"
FORGET_EVERYTHING = "Forget everything"
FORGET_HERE = (
    "Shall I forget everything you said here and everything I know of you in this place? This "
    "cannot be undone."
)
FORGET_THERE = (
    "Shall I forget everything you said {where} and everything I know of you {where}? This cannot "
    "be undone."
)
DIRECT = "Direct messages"
RESTLESS = "Your memory is changing right now; please ask for the export again in a moment."
Words = app_commands.Range[str, 1, MEMORY_LIMIT]
SearchWords = app_commands.Range[str, 1, LONGEST_SEARCH]


class MemoryCommands(commands.GroupCog, group_name="memory"):
    """What I know of you: seeing, correcting and forgetting it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        super().__init__()

    # --- seeing --------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(server="In a direct message: which server it is about")
    async def show(self, interaction: discord.Interaction, server: str | None = None) -> None:
        """Show what I know of you here."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        await show_own(self._core, interaction, member, _where(interaction, member))

    @app_commands.command()
    @app_commands.describe(
        words="Words that must all be in it, in any form",
        server="In a direct message: which server it is about",
    )
    async def search(
        self, interaction: discord.Interaction, words: SearchWords, server: str | None = None
    ) -> None:
        """Find what I know of you by its words, newest first."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        found = await self._core.searcher.of_member(member, words)
        now, zone = self._core.clock.now(), await self._zone(member)
        pages = found_pages(found, words, now, zone, where=_where(interaction, member))
        await Pages(pages, interaction.user.id).send(interaction)

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search, or give its number")
    async def why(self, interaction: discord.Interaction, memory: str) -> None:
        """Show why I believe one thing about you: your words, and what came before it."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member, number = _here(interaction), memory_number(memory)
        why = await self._core.reader.why(member, number)
        if why is None:
            raise unknown_memory(number)
        page = why_page(why, member.guild_id, self._core.clock.now(), await self._zone(member))
        await interaction.followup.send(page, ephemeral=True, suppress_embeds=True)

    @app_commands.command()
    @app_commands.describe(server="In a direct message: which server it is about")
    async def export(self, interaction: discord.Interaction, server: str | None = None) -> None:
        """Get everything I store of you here, as files."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        zone = await self._zone(member)
        made = await self._core.reader.export(member, zone)
        for _ in range(MOST_EXPORTS):
            latest = await self._core.reader.export(member, zone, made)
            if latest is not made:  # something may have been erased meanwhile
                made = latest
                continue
            sent = await interaction.followup.send(
                tr(interaction.locale, ALL_OF_IT),
                files=[
                    discord.File(io.BytesIO(made.json), "kith-export.json"),
                    discord.File(io.BytesIO(made.text.encode()), "kith-export.txt"),
                ],
                ephemeral=True,
                wait=True,
            )
            latest = await self._core.reader.export(member, zone, made)
            if latest is made:
                return
            await sent.delete()
            made = latest
        raise BadInput(RESTLESS)

    # --- changing ------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search", text="What is true instead")
    async def correct(self, interaction: discord.Interaction, memory: str, text: Words) -> None:
        """Put your own words in the place of something I know of you."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said = Statement(
            text, interaction.id, interaction.channel_id or 0, interaction.user.display_name
        )
        member = _here(interaction)
        row = await self._core.keeper.correct(member, memory_number(memory), said)
        line = memory_line(row, self._core.clock.now(), await self._zone(member))
        await interaction.followup.send(
            tr(interaction.locale, CORRECTED, line=line), ephemeral=True
        )

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search, or give its number")
    async def undo(self, interaction: discord.Interaction, memory: str) -> None:
        """Bring back what a memory took the place of."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = _here(interaction)
        rows = await self._core.keeper.undo(member, memory_number(memory))
        text = undone_in_words(rows, self._core.clock.now(), await self._zone(member))
        await interaction.followup.send(text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(
        memory="Which memory; type to search, or choose everything",
        server="In a direct message: which server it is about",
    )
    async def forget(
        self, interaction: discord.Interaction, memory: str, server: str | None = None
    ) -> None:
        """Make me forget one thing about you, or everything."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        if memory == EVERYTHING:
            await self._forget_everything(interaction, member)
            return
        number = memory_number(memory)
        if not await self._core.keeper.forget(member, number):
            raise unknown_memory(number)
        await interaction.followup.send(
            tr(interaction.locale, FORGOTTEN, number=number), ephemeral=True
        )

    @app_commands.command()
    async def consent(self, interaction: discord.Interaction) -> None:
        """Choose how long I may remember you here, or not at all."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = _here(interaction)
        view = ConsentView(self._core, member, await self._core.reader.show(member))
        await interaction.followup.send(view.text, view=view, ephemeral=True)

    async def _forget_everything(self, interaction: discord.Interaction, member: Member) -> None:
        locale, where = interaction.locale, _where(interaction, member)
        question = Confirmation(
            interaction.user.id, yes=tr(locale, FORGET_EVERYTHING), locale=locale
        )
        asked = FORGET_HERE if where == HERE else FORGET_THERE
        await interaction.followup.send(
            tr(locale, asked, where=where), view=question, ephemeral=True
        )
        if await question.answered():
            text = forgotten_in_words(await self._core.keeper.forget_all(member), where)
        else:
            text = tr(locale, NOTHING_FORGOTTEN)
        await interaction.edit_original_response(content=text, view=None)

    # --- choosing ------------------------------------------------------------------------------

    @why.autocomplete("memory")
    @correct.autocomplete("memory")
    async def _memories(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        shown = await self._core.reader.show(_here(interaction))
        return self._choices(shown.rows, typed, MOST_CHOICES)

    @undo.autocomplete("memory")
    async def _replacements(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        shown = await self._core.reader.show(_here(interaction))
        rows = tuple(row for row in shown.rows if row.id in shown.past)
        return self._choices(rows, typed, MOST_CHOICES)

    @forget.autocomplete("memory")
    async def _forgettable(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        try:
            member = await self._member(interaction, interaction.namespace.server)
        except BadInput:
            return []
        shown = await self._core.reader.show(member)
        choices = self._choices(shown.rows, typed, MOST_CHOICES - 1)
        if typed.casefold() in EVERYTHING:
            name = tr(interaction.locale, EVERYTHING_CHOICE)
            choices.append(app_commands.Choice(name=name, value=EVERYTHING))
        return choices

    @show.autocomplete("server")
    @search.autocomplete("server")
    @export.autocomplete("server")
    @forget.autocomplete("server")
    async def _servers(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        if interaction.guild_id is not None:
            return []
        places = await self._core.reader.places(interaction.user.id)
        named = [(_name(interaction, place), str(place)) for place in places]
        return [
            app_commands.Choice(name=clip(name, CHOICE_LENGTH), value=value)
            for name, value in named
            if typed.casefold() in name.casefold()
        ][:MOST_CHOICES]

    def _choices(
        self, rows: tuple[Memory, ...], typed: str, most: int
    ) -> list[app_commands.Choice[str]]:
        now = self._core.clock.now()
        fitting = [row for row in rows if typed.casefold() in row.text.casefold()]
        return [
            app_commands.Choice(
                name=clip(
                    f"{row.text} ({age_in_words(row.last_confirmed_at, now)})", CHOICE_LENGTH
                ),
                value=str(row.id),
            )
            for row in fitting[:most]
        ]

    async def _member(self, interaction: discord.Interaction, server: str | None) -> Member:
        """Return whose memory is meant: here, or in a server chosen in a direct message."""
        if not server:
            return _here(interaction)
        if interaction.guild_id is not None:
            raise BadInput(ONLY_DIRECT)
        if server not in map(str, await self._core.reader.places(interaction.user.id)):
            raise BadInput(NOT_THERE)
        return Member(int(server), interaction.user.id)

    async def _zone(self, member: Member) -> ZoneInfo:
        return ZoneInfo((await self._core.guilds.get(member.guild_id)).time_zone)


async def show_own(
    core: Core, interaction: discord.Interaction, member: Member, where: str = HERE
) -> None:
    """Show somebody what is known of themselves; the answer has been deferred."""
    shown, settings = await asyncio.gather(
        core.reader.show(member), core.guilds.get(member.guild_id)
    )
    zone = ZoneInfo(settings.time_zone)
    pages = memory_pages(shown, core.clock.now(), zone, where=where)
    await Pages(pages, interaction.user.id).send(interaction)


async def show_anothers(
    core: Core,
    interaction: discord.Interaction,
    guild: discord.Guild,
    person: discord.Member | discord.User,
    zone: ZoneInfo,
) -> None:
    """Show a moderator what is known of a member, as far as they can read where it was said; the
    member sees that they looked. The answer has been deferred."""
    member = Member(guild.id, person.id)
    await core.guilds.note_look(guild.id, [person.id], interaction.user.id)
    shown = await core.reader.show(member, readable_by(guild, interaction.user))
    pages = memory_pages(shown, core.clock.now(), zone, of=person.display_name)
    await Pages(pages, interaction.user.id).send(interaction)


def _here(interaction: discord.Interaction) -> Member:
    return Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)


def _where(interaction: discord.Interaction, member: Member) -> str:
    """Say which place it is about, as words that follow "you said"."""
    if member == _here(interaction):
        return HERE
    return f"in {_name(interaction, member.guild_id)}"


def _name(interaction: discord.Interaction, guild_id: int) -> str:
    """Return what a server is called, or its id where Kith is not in it any more."""
    if guild_id == DIRECT_MESSAGES:
        return tr(interaction.locale, DIRECT)
    guild = interaction.client.get_guild(guild_id)
    return guild.name if guild is not None else f"server {guild_id}"
