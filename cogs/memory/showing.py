"""Show members, or moderators who may look, what Kith knows: pages that load again at each turn."""

from functools import partial

import discord

from cogs.bot.audience import readable_by
from cogs.bot.localisation import tr
from cogs.bot.views import Pages
from cogs.memory.display import Display
from cogs.memory.pages import Subject, memory_pages
from utils.app import App
from utils.common.errors import BadInput
from utils.models.memory import DIRECT_MESSAGES, Member

MAY_NOT_LOOK = (
    "What I know about others belongs to them. Moderators can only look if the server allows it."
)
DIRECT = "Direct messages"
UNKNOWN_SERVER = "server {guild_id}"


def display_for(app: App, interaction: discord.Interaction) -> Display:
    """Return how the person who used a command or button sees times and texts."""
    return Display(app.clock.now(), None, partial(tr, interaction.locale))


def here(interaction: discord.Interaction) -> Member:
    """Return the person who used a command, as a member of this server or in direct messages."""
    return Member(interaction.guild_id or DIRECT_MESSAGES, interaction.user.id)


async def show_own(app: App, interaction: discord.Interaction, member: Member) -> None:
    """Show members what Kith knows about them; the interaction is deferred."""

    async def load(interaction: discord.Interaction) -> list[str]:
        sources = own_sources(interaction, member)
        member_view = await app.memory.member_data.show(member, linked_sources=sources)
        display = display_for(app, interaction)
        return memory_pages(member_view, display, subject(interaction, member))

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
        return memory_pages(
            member_view, display_for(app, interaction), Subject(person.display_name)
        )

    await Pages(await load(interaction), interaction.user.id, load).send(interaction)


async def check_may_look(app: App, interaction: discord.Interaction) -> None:
    """Raise BadInput if the person may not, or no longer, see members' memories as a moderator."""
    settings = await app.guilds.settings.get(interaction.guild_id or DIRECT_MESSAGES)
    permissions = interaction.permissions
    is_moderator = permissions.manage_guild or permissions.moderate_members
    if interaction.guild is None or not (is_moderator and settings.moderators_see_members):
        raise BadInput(MAY_NOT_LOOK)


def own_sources(interaction: discord.Interaction, member: Member) -> frozenset[int]:
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


def subject(interaction: discord.Interaction, member: Member) -> Subject:
    """Return what pages about the person's own memories, here or elsewhere, are about."""
    is_here = member == here(interaction)
    return Subject(
        place="" if is_here else server_name(interaction, member.guild_id),
        is_direct=member.guild_id == DIRECT_MESSAGES,
    )


def server_name(interaction: discord.Interaction, guild_id: int) -> str:
    """Return a server's name, or its id if Kith is no longer in it."""
    if guild_id == DIRECT_MESSAGES:
        return tr(interaction.locale, DIRECT)
    guild = interaction.client.get_guild(guild_id)
    if guild is not None:
        return guild.name
    return tr(interaction.locale, UNKNOWN_SERVER, guild_id=guild_id)
