"""/memory show · forget: what Kith knows of a member, in that member's hands."""

from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands

from cogs.memory_pages import forgotten_in_words, memory_pages
from cogs.views import Confirmation, Pages
from utils.core import Core
from utils.errors import BadInput
from utils.model.memory import DIRECT_MESSAGES, Member
from utils.text import age_in_words, clip

EVERYTHING = "everything"
MOST_CHOICES = 25
CHOICE_LENGTH = 100


class MemoryCommands(commands.GroupCog, group_name="memory"):
    """What I know of you, and forgetting it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        super().__init__()

    @app_commands.command()
    async def show(self, interaction: discord.Interaction) -> None:
        """Show what I know of you here."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = _member(interaction)
        shown = await self._core.reader.show(member)
        settings = await self._core.guilds.get(member.guild_id)
        pages = memory_pages(shown, self._core.clock.now(), ZoneInfo(settings.time_zone))
        await Pages(pages, interaction.user.id).send(interaction)

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search, or choose everything")
    async def forget(self, interaction: discord.Interaction, memory: str) -> None:
        """Make me forget one thing about you, or everything."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = _member(interaction)
        if memory == EVERYTHING:
            await self._forget_everything(interaction, member)
            return
        memory_id = memory.strip().lstrip("#")
        if not memory_id.isdecimal() or len(memory_id) > 18:
            raise BadInput("Choose a memory from the list, or give the number /memory show prints.")
        if not await self._core.keeper.forget(member, int(memory_id)):
            raise BadInput(f"There is no memory #{memory_id} of yours here.")
        await interaction.followup.send(f"Forgotten: #{memory_id}.", ephemeral=True)

    @forget.autocomplete("memory")
    async def _memories(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        shown = await self._core.reader.show(_member(interaction))
        now = self._core.clock.now()
        fitting = [row for row in shown.rows if typed.casefold() in row.text.casefold()]
        choices = [
            app_commands.Choice(
                name=clip(
                    f"{row.text} ({age_in_words(row.last_confirmed_at, now)})", CHOICE_LENGTH
                ),
                value=str(row.id),
            )
            for row in fitting[: MOST_CHOICES - 1]
        ]
        if typed.casefold() in EVERYTHING:
            choices.append(app_commands.Choice(name="Everything you know of me", value=EVERYTHING))
        return choices

    async def _forget_everything(self, interaction: discord.Interaction, member: Member) -> None:
        question = Confirmation(interaction.user.id, yes="Forget everything")
        await interaction.followup.send(
            "Shall I forget everything you said here and everything I know of you in this place? "
            "This cannot be undone.",
            view=question,
            ephemeral=True,
        )
        if await question.answered():
            text = forgotten_in_words(await self._core.keeper.forget_all(member))
        else:
            text = "Nothing was forgotten."
        await interaction.edit_original_response(content=text, view=None)


def _member(interaction: discord.Interaction) -> Member:
    return Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)
