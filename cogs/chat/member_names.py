"""Keep the names of a server's members up to date with Discord's events.

Without the Members intent, only members who have written or were mentioned are known.
"""

import asyncio
from collections.abc import Iterable

import discord
from discord.ext import commands

from utils.guilds.known_members import KnownMembers

BATCH_SIZE = 200  # members, in about 5 ms


class KnownNames(commands.Cog):
    """Records members' names as Discord sends them."""

    def __init__(self, members: KnownMembers) -> None:
        self._members = members

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Record the names of the author and of the members they mention."""
        if message.guild is not None and message.webhook_id is None:
            self._record(message.guild, (message.author, *message.mentions))

    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_join")
    async def on_server(self, guild: discord.Guild) -> None:
        """Record the names of all members that Discord sent, in batches: there may be thousands."""
        members = guild.members
        for start in range(0, len(members), BATCH_SIZE):
            self._record(guild, members[start : start + BATCH_SIZE])
            await asyncio.sleep(0)

    @commands.Cog.listener("on_member_join")
    @commands.Cog.listener("on_member_update")
    async def on_names(self, *members: discord.Member) -> None:
        """Record the names of a new member, or of one who was updated: before and after."""
        self._record(members[-1].guild, members[-1:])

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Remove a member who left."""
        self._members.remove_member(payload.guild_id, payload.user.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Remove every member of a server that Kith left."""
        self._members.leave(guild.id)

    def _record(
        self, guild: discord.Guild, people: Iterable[discord.Member | discord.User]
    ) -> None:
        for person in people:
            update = self._members.update_bot if person.bot else self._members.update_names
            nick = getattr(person, "nick", None)
            names = (person.display_name, nick, person.global_name, person.name)
            update(guild.id, person.id, names)
