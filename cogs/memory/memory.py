"""``/memory``: members see, search, correct, export and forget what Kith knows about them."""

import asyncio
import io
import re

import discord
from discord import app_commands

from cogs.bot.feature_cog import MemberGroup
from cogs.bot.interactions import respond, say
from cogs.bot.localisation import tr
from cogs.bot.views import Pages, confirm
from cogs.memory.choices import (
    MAX_CHOICES,
    Choices,
    choice,
    loop_choices,
    memory_choices,
    message_choices,
)
from cogs.memory.consent import ConsentView
from cogs.memory.items import correct_item, forget_item, parse_item, why_text
from cogs.memory.memory_text import CORRECTED, FORGOTTEN
from cogs.memory.pages import forgotten_in_words, memory_number, search_pages, undone_in_words
from cogs.memory.search_options import (
    SEARCH_OPTIONS,
    SearchChannel,
    SearchKind,
    SearchTime,
    SearchWords,
    limits_in_words,
    search_filter,
)
from cogs.memory.showing import (
    OwnMemories,
    begin_here,
    display_for,
    here,
    own_sources,
    server_name,
    subject,
)
from utils.common.errors import BadInput
from utils.models.admin import MAX_ID
from utils.models.memory import DIRECT_MESSAGES, MEMORY_LIMIT, Member
from utils.models.transfer import Statement

EVERYTHING = "everything"
MESSAGE_LINK = re.compile(
    r"(?:https://[a-z.]*discord\.com/channels/(?P<server>@me|\d{1,20})/(?P<channel>\d{1,20})/)?"
    r"(?P<id>\d{1,19})"
)
MAX_EXPORTS = 5
EXPORTED = (
    "This is what I store of you there: your choices, your memories and where I have them from, "
    "your messages and what I read in your files. If that is too much for a file, its oldest part "
    "is left out, and the file says how much."
)
FORGET_HERE = (
    "Shall I forget everything you said here and everything I know of you in this place? This "
    "cannot be undone."
)
FORGET_THERE = (
    "Shall I forget everything you said in {place} and everything I know of you in {place}? This "
    "cannot be undone."
)
Words = app_commands.Range[str, 1, MEMORY_LIMIT]


class MemoryCommands(MemberGroup, group_name="memory"):
    """What I know of you: seeing, correcting and forgetting it."""

    # --- reading -------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(server="In a direct message: which server it is about")
    async def show(self, interaction: discord.Interaction, server: str | None = None) -> None:
        """Show what I know of you here."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        await OwnMemories(self._app, member, interaction).open(interaction)

    @app_commands.command()
    @app_commands.describe(**SEARCH_OPTIONS, server="In a direct message: which server it is about")
    async def search(
        self,
        interaction: discord.Interaction,
        words: SearchWords,
        kind: SearchKind | None = None,
        when: SearchTime | None = None,
        channel: SearchChannel | None = None,
        server: str | None = None,
    ) -> None:
        """Find what I know of you, by words or with a question."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        only = await search_filter(self._app, member.guild_id, kind, when, channel)
        limits = limits_in_words(interaction.locale, kind, when, channel)

        async def load(interaction: discord.Interaction) -> list[str]:
            results = await self._app.memory.ranked_search.of_member(
                member,
                words,
                linked_sources=own_sources(interaction, member),
                only=only,
                name=interaction.user.display_name,
            )
            return search_pages(
                results,
                words,
                display_for(self._app, interaction),
                subject(interaction, member),
                limits,
            )

        await Pages(interaction, await load(interaction), load).send(interaction)

    @app_commands.command()
    @app_commands.describe(memory="Which memory or message; type to search, or give its number")
    async def why(self, interaction: discord.Interaction, memory: str) -> None:
        """Show why I believe one thing about you: your words, and what came before it."""
        member, item = await begin_here(interaction), parse_item(memory)
        page = await why_text(self._app, member, item, display_for(self._app, interaction))
        await say(interaction, page, suppress_embeds=True)

    @app_commands.command()
    @app_commands.describe(message="The message's link (Copy Message Link), or its id")
    async def whynot(self, interaction: discord.Interaction, message: str) -> None:
        """Show why I noted nothing from a message of yours."""
        member = await begin_here(interaction)
        link = MESSAGE_LINK.fullmatch(message.strip())
        if link is None or int(link["id"]) > MAX_ID:
            raise BadInput(
                "Give the link of a message: open its menu and choose *Copy Message Link*."
            )
        server = (link["server"] or str(member.guild_id)).replace("@me", str(DIRECT_MESSAGES))
        if server != str(member.guild_id):
            member = await self._member(interaction, server)
        channel_id = int(link["channel"] or interaction.channel_id or 0)
        receipts = self._app.memory.receipts
        await respond(interaction, await receipts.why_not(member, int(link["id"]), channel_id))

    @app_commands.command()
    @app_commands.describe(server="In a direct message: which server it is about")
    async def export(self, interaction: discord.Interaction, server: str | None = None) -> None:
        """Get everything I store of you here, as files."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        member = await self._member(interaction, server)
        zone = (await self._app.guilds.settings.get(member.guild_id)).zone
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
        raise BadInput(
            "Your memories are changing right now. Please request the export again in a moment."
        )

    # --- changing ------------------------------------------------------------------------------

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search", text="What is true instead")
    async def correct(self, interaction: discord.Interaction, memory: str, text: Words) -> None:
        """Replace something I know about you with your own words."""
        member = await begin_here(interaction)
        statement = Statement(text, interaction.id, interaction.channel_id or 0)
        item = parse_item(memory)
        line = await correct_item(
            self._app, member, item, statement, display_for(self._app, interaction)
        )
        await respond(interaction, CORRECTED, line=line)

    @app_commands.command()
    @app_commands.describe(memory="Which memory; type to search, or give its number")
    async def undo(self, interaction: discord.Interaction, memory: str) -> None:
        """Bring back what a memory replaced."""
        member = await begin_here(interaction)
        rows = await self._app.memory.editor.undo(member, memory_number(memory))
        text = undone_in_words(rows, display_for(self._app, interaction))
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
        if memory.casefold() in (EVERYTHING, "all"):  # as the terminal takes it
            locale, place = interaction.locale, subject(interaction, member).place
            text = tr(locale, FORGET_THERE if place else FORGET_HERE, place=place)
            linked_id = (await self._app.memory.member_data.show(member)).linked_id
            if linked_id is not None:
                text += "\n" + tr(
                    locale, "That includes your linked account {other}.", other=f"<@{linked_id}>"
                )
            if await confirm(interaction, text, "Forget everything"):
                count = await self._app.memory.editor.forget_all(member)
                text = forgotten_in_words(count, display_for(self._app, interaction), place)
            else:
                text = tr(locale, "Nothing was forgotten.")
            await interaction.edit_original_response(content=text, view=None)
            return
        item = parse_item(memory)
        await forget_item(self._app, member, item)
        await respond(interaction, FORGOTTEN, number=item)

    @app_commands.command()
    async def consent(self, interaction: discord.Interaction) -> None:
        """Choose how long I may remember you here, or not at all."""
        member = await begin_here(interaction)
        member_view = await self._app.memory.member_data.show(member)
        view = ConsentView(self._app, member, member_view, interaction)
        await say(interaction, view.text, view=view)

    # --- autocompletion ------------------------------------------------------------------------

    @correct.autocomplete("memory")
    async def _memories(self, interaction: discord.Interaction, typed: str) -> Choices:
        member_view = await self._app.memory.member_data.show(here(interaction))
        rows = memory_choices(member_view.rows, typed, display_for(self._app, interaction))
        return (rows + loop_choices(member_view.loops, typed))[:MAX_CHOICES]

    @why.autocomplete("memory")
    async def _memories_and_messages(self, interaction: discord.Interaction, typed: str) -> Choices:
        return (await self._items(interaction, here(interaction), typed))[:MAX_CHOICES]

    @undo.autocomplete("memory")
    async def _replacements(self, interaction: discord.Interaction, typed: str) -> Choices:
        member_view = await self._app.memory.member_data.show(here(interaction))
        rows = [row for row in member_view.rows if row.id in member_view.past]
        return memory_choices(rows, typed, display_for(self._app, interaction))[:MAX_CHOICES]

    @forget.autocomplete("memory")
    async def _forgettable(self, interaction: discord.Interaction, typed: str) -> Choices:
        try:
            member = await self._member(interaction, interaction.namespace.server)
        except BadInput:
            return []
        choices = await self._items(interaction, member, typed, own_sources(interaction, member))
        everything = choice(tr(interaction.locale, "Everything you know of me"), EVERYTHING)
        if typed.casefold() not in f"{EVERYTHING} all {everything.name.casefold()}":
            return choices[: MAX_CHOICES - 1]
        return [*choices[: MAX_CHOICES - 1], everything]

    @show.autocomplete("server")
    @search.autocomplete("server")
    @export.autocomplete("server")
    @forget.autocomplete("server")
    async def _servers(self, interaction: discord.Interaction, typed: str) -> Choices:
        if interaction.guild_id is not None:
            return []
        places = await self._app.memory.member_data.places(interaction.user.id)
        named = [(server_name(interaction, place), place) for place in places]
        matches = [pair for pair in named if typed.casefold() in pair[0].casefold()]
        return [choice(name, place) for name, place in matches[:MAX_CHOICES]]

    async def _items(
        self,
        interaction: discord.Interaction,
        member: Member,
        typed: str,
        linked_sources: frozenset[int] = frozenset(),
    ) -> Choices:
        """Return a member's memories that contain what was typed, then other such messages."""
        data = self._app.memory.member_data
        member_view, messages = await asyncio.gather(
            data.show(member, linked_sources=linked_sources),
            data.messages(member, linked_sources),
        )
        display = display_for(self._app, interaction)
        rows = memory_choices(member_view.rows, typed, display)
        listed = {int(row.value) for row in rows}
        unlisted = [message for message in messages if listed.isdisjoint(message.memory_ids)]
        loops = loop_choices(member_view.loops, typed)
        return rows + loops + message_choices(unlisted, typed, display)

    async def _member(self, interaction: discord.Interaction, server: str | None) -> Member:
        """Return the member, here or in the server chosen in a direct message."""
        if not server:
            return here(interaction)
        if interaction.guild_id is not None:
            raise BadInput("Another server can only be chosen in a direct message with me.")
        if server not in map(str, await self._app.memory.member_data.places(interaction.user.id)):
            raise BadInput("I store nothing about you in that server. Choose one from the list.")
        return Member(int(server), interaction.user.id)
