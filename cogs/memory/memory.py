"""``/memory``: members see, search, correct, export and forget what Kith knows about them."""

import asyncio
import io
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands

from cogs.bot.audience import readable_by
from cogs.bot.localisation import tr
from cogs.bot.views import ConfirmView, Pages
from cogs.memory.choices import (
    MAX_CHOICES,
    Choices,
    choice,
    loop_choices,
    memory_choices,
    message_choices,
)
from cogs.memory.consent import ConsentView
from cogs.memory.items import ItemReference, correct_item, forget_item, why_text
from cogs.memory.pages import (
    HERE,
    forgotten_in_words,
    memory_number,
    memory_pages,
    search_pages,
    undone_in_words,
)
from utils.app import App
from utils.common.errors import BadInput
from utils.memory.member_data.search import MAX_SEARCH_LENGTH
from utils.models.memory import DIRECT_MESSAGES, MEMORY_LIMIT, Member
from utils.models.transfer import Statement

EVERYTHING = "everything"
MAX_EXPORTS = 5
ONLY_DIRECT = "Another server can only be chosen in a direct message with me."
NOT_THERE = "I store nothing about you in that server. Choose one from the list."
EXPORTED = (
    "This is what I store of you there: your choices, your memories and where I have them from, "
    "your messages and what I read in your files. If that is too much for a file, its oldest part "
    "is left out, and the file says how much."
)
CORRECTED = "Corrected: {line}"
FORGOTTEN = "Forgotten: {number}."
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
MAY_NOT_LOOK = (
    "What I know about others belongs to them. Moderators can only look if the server allows it."
)
FORGET_LINKED = "That includes your linked account {other}."
DIRECT = "Direct messages"
CHANGING = "Your memories are changing right now. Please request the export again in a moment."
Words = app_commands.Range[str, 1, MEMORY_LIMIT]
SearchWords = app_commands.Range[str, 1, MAX_SEARCH_LENGTH]


class MemoryCommands(commands.GroupCog, group_name="memory"):
    """What I know of you: seeing, correcting and forgetting it."""

    def __init__(self, app: App) -> None:
        self._app = app
        super().__init__()

    # --- reading -------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(server="In a direct message: which server it is about")
    async def show(self, interaction: discord.Interaction, server: str | None = None) -> None:
        """Show what I know of you here."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        await show_own(self._app, interaction, member, _where(interaction, member))

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

        async def load(interaction: discord.Interaction) -> list[str]:
            results = await self._app.memory.search.of_member(
                member, words, linked_sources=_own_sources(interaction, member)
            )
            return search_pages(
                results,
                words,
                self._app.clock.now(),
                None,
                where=_where(interaction, member),
                is_direct=member.guild_id == DIRECT_MESSAGES,
            )

        await Pages(await load(interaction), interaction.user.id, load).send(interaction)

    @app_commands.command()
    @app_commands.describe(memory="Which memory or message; type to search, or give its number")
    async def why(self, interaction: discord.Interaction, memory: str) -> None:
        """Show why I believe one thing about you: your words, and what came before it."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member, item = _here(interaction), ItemReference.parse(memory)
        page = await why_text(self._app, member, item, None)
        await interaction.followup.send(page, ephemeral=True, suppress_embeds=True)

    @app_commands.command()
    @app_commands.describe(server="In a direct message: which server it is about")
    async def export(self, interaction: discord.Interaction, server: str | None = None) -> None:
        """Get everything I store of you here, as files."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        zone = await self._zone(member)
        export = await self._app.memory.member_data.export(member, zone)
        for _ in range(MAX_EXPORTS):
            latest = await self._app.memory.member_data.export(member, zone, export)
            if latest is not export:  # something may have been erased since
                export = latest
                continue
            sent = await interaction.followup.send(
                tr(interaction.locale, EXPORTED),
                files=[
                    discord.File(io.BytesIO(export.json), "kith-export.json"),
                    discord.File(io.BytesIO(export.text.encode()), "kith-export.txt"),
                ],
                ephemeral=True,
                wait=True,
            )
            latest = await self._app.memory.member_data.export(member, zone, export)
            if latest is export:
                return
            await sent.delete()
            export = latest
        raise BadInput(CHANGING)

    # --- changing ------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search", text="What is true instead")
    async def correct(self, interaction: discord.Interaction, memory: str, text: Words) -> None:
        """Replace something I know about you with your own words."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        statement = Statement(text, interaction.id, interaction.channel_id or 0)
        member = _here(interaction)
        item = ItemReference.parse(memory)
        line = await correct_item(self._app, member, item, statement, None)
        await interaction.followup.send(
            tr(interaction.locale, CORRECTED, line=line), ephemeral=True
        )

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search, or give its number")
    async def undo(self, interaction: discord.Interaction, memory: str) -> None:
        """Bring back what a memory replaced."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = _here(interaction)
        rows = await self._app.memory.editor.undo(member, memory_number(memory))
        text = undone_in_words(rows, self._app.clock.now(), None)
        await interaction.followup.send(text, ephemeral=True)

    @app_commands.command()
    @app_commands.describe(
        memory="Which memory or message; type to search, or choose everything",
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
        item = ItemReference.parse(memory)
        await forget_item(self._app, member, item)
        await interaction.followup.send(
            tr(interaction.locale, FORGOTTEN, number=item), ephemeral=True
        )

    @app_commands.command()
    async def consent(self, interaction: discord.Interaction) -> None:
        """Choose how long I may remember you here, or not at all."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = _here(interaction)
        member_view = await self._app.memory.member_data.show(member)
        view = ConsentView(self._app, member, member_view, interaction.locale)
        await interaction.followup.send(view.text, view=view, ephemeral=True)

    async def _forget_everything(self, interaction: discord.Interaction, member: Member) -> None:
        locale, where = interaction.locale, _where(interaction, member)
        question = ConfirmView(
            interaction.user.id, yes=tr(locale, FORGET_EVERYTHING), locale=locale
        )
        text = tr(locale, FORGET_HERE if where == HERE else FORGET_THERE, where=where)
        linked_id = (await self._app.memory.member_data.show(member)).linked_id
        if linked_id is not None:
            text += "\n" + tr(locale, FORGET_LINKED, other=f"<@{linked_id}>")
        await interaction.followup.send(text, view=question, ephemeral=True)
        if await question.answered():
            text = forgotten_in_words(await self._app.memory.editor.forget_all(member), where)
        else:
            text = tr(locale, NOTHING_FORGOTTEN)
        await interaction.edit_original_response(content=text, view=None)

    # --- autocompletion ------------------------------------------------------------------------

    @correct.autocomplete("memory")
    async def _memories(self, interaction: discord.Interaction, typed: str) -> Choices:
        member_view = await self._app.memory.member_data.show(_here(interaction))
        rows = memory_choices(member_view.rows, typed, self._app.clock.now())
        return (rows + loop_choices(member_view.loops, typed))[:MAX_CHOICES]

    @why.autocomplete("memory")
    async def _memories_and_messages(self, interaction: discord.Interaction, typed: str) -> Choices:
        return (await self._items(_here(interaction), typed))[:MAX_CHOICES]

    @undo.autocomplete("memory")
    async def _replacements(self, interaction: discord.Interaction, typed: str) -> Choices:
        member_view = await self._app.memory.member_data.show(_here(interaction))
        rows = [row for row in member_view.rows if row.id in member_view.past]
        return memory_choices(rows, typed, self._app.clock.now())[:MAX_CHOICES]

    @forget.autocomplete("memory")
    async def _forgettable(self, interaction: discord.Interaction, typed: str) -> Choices:
        try:
            member = await self._member(interaction, interaction.namespace.server)
        except BadInput:
            return []
        choices = await self._items(member, typed, _own_sources(interaction, member))
        if typed.casefold() not in EVERYTHING:
            return choices[: MAX_CHOICES - 1]
        everything = choice(tr(interaction.locale, EVERYTHING_CHOICE), EVERYTHING)
        return [*choices[: MAX_CHOICES - 1], everything]

    @show.autocomplete("server")
    @search.autocomplete("server")
    @export.autocomplete("server")
    @forget.autocomplete("server")
    async def _servers(self, interaction: discord.Interaction, typed: str) -> Choices:
        if interaction.guild_id is not None:
            return []
        places = await self._app.memory.member_data.places(interaction.user.id)
        named = [(_name(interaction, place), place) for place in places]
        matches = [pair for pair in named if typed.casefold() in pair[0].casefold()]
        return [choice(name, place) for name, place in matches[:MAX_CHOICES]]

    async def _items(
        self, member: Member, typed: str, linked_sources: frozenset[int] = frozenset()
    ) -> Choices:
        """Return a member's memories that contain what was typed, then other such messages."""
        data = self._app.memory.member_data
        member_view, messages = await asyncio.gather(
            data.show(member, linked_sources=linked_sources),
            data.messages(member, linked_sources),
        )
        now = self._app.clock.now()
        rows = memory_choices(member_view.rows, typed, now)
        listed = {int(row.value) for row in rows}
        others = [message for message in messages if listed.isdisjoint(message.memory_ids)]
        loops = loop_choices(member_view.loops, typed)
        return rows + loops + message_choices(others, typed, now)

    async def _member(self, interaction: discord.Interaction, server: str | None) -> Member:
        """Return the member, here or in the server chosen in a direct message."""
        if not server:
            return _here(interaction)
        if interaction.guild_id is not None:
            raise BadInput(ONLY_DIRECT)
        if server not in map(str, await self._app.memory.member_data.places(interaction.user.id)):
            raise BadInput(NOT_THERE)
        return Member(int(server), interaction.user.id)

    async def _zone(self, member: Member) -> ZoneInfo:
        return ZoneInfo((await self._app.guilds.settings.get(member.guild_id)).time_zone)


async def show_own(
    app: App, interaction: discord.Interaction, member: Member, where: str = HERE
) -> None:
    """Show members what Kith knows about them; the interaction is deferred."""

    async def load(interaction: discord.Interaction) -> list[str]:
        linked_sources = _own_sources(interaction, member)
        member_view = await app.memory.member_data.show(member, linked_sources=linked_sources)
        is_direct = member.guild_id == DIRECT_MESSAGES
        return memory_pages(member_view, app.clock.now(), None, where=where, is_direct=is_direct)

    await Pages(await load(interaction), interaction.user.id, load).send(interaction)


async def show_member(
    app: App,
    interaction: discord.Interaction,
    guild: discord.Guild,
    person: discord.Member | discord.User,
) -> None:
    """Show a moderator what Kith knows about a member; the interaction is deferred.

    Only memories from channels that the moderator can read are shown, and of age-restricted
    channels only in one. The member sees that the moderator looked.
    """
    member = Member(guild.id, person.id)
    await app.guilds.settings.note_look(guild.id, [person.id], interaction.user.id)

    async def load(interaction: discord.Interaction) -> list[str]:
        await check_may_look(app, interaction)
        readable = readable_by(guild, interaction.user, interaction.channel)
        member_view = await app.memory.member_data.show(member, readable)
        return memory_pages(member_view, app.clock.now(), None, of=person.display_name)

    await Pages(await load(interaction), interaction.user.id, load).send(interaction)


async def check_may_look(app: App, interaction: discord.Interaction) -> None:
    """Raise BadInput if the person may not, or no longer, see members' memories as a moderator."""
    settings = await app.guilds.settings.get(interaction.guild_id or DIRECT_MESSAGES)
    permissions = interaction.permissions
    is_moderator = permissions.manage_guild or permissions.moderate_members
    if interaction.guild is None or not (is_moderator and settings.moderators_see_members):
        raise BadInput(MAY_NOT_LOOK)


def _here(interaction: discord.Interaction) -> Member:
    return Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)


def _own_sources(interaction: discord.Interaction, member: Member) -> frozenset[int]:
    """Return the channels of a server that the person who asks can read; none if Kith left it.

    Only they read the answer, so it may contain what their linked account said in these.
    """
    guild = interaction.client.get_guild(member.guild_id)
    if guild is None:
        return frozenset()
    if interaction.guild_id == guild.id:
        return readable_by(guild, interaction.user, interaction.channel)
    person = guild.get_member(interaction.user.id)
    return frozenset() if person is None else readable_by(guild, person)


def _where(interaction: discord.Interaction, member: Member) -> str:
    """Return the place as words that can follow "you said": "here" or "in SERVER"."""
    if member == _here(interaction):
        return HERE
    return f"in {_name(interaction, member.guild_id)}"


def _name(interaction: discord.Interaction, guild_id: int) -> str:
    """Return a server's name, or its id if Kith is no longer in it."""
    if guild_id == DIRECT_MESSAGES:
        return tr(interaction.locale, DIRECT)
    guild = interaction.client.get_guild(guild_id)
    return guild.name if guild is not None else f"server {guild_id}"
