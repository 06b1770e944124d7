"""Who goes by which name in a server, as Discord tells it: by messages, and of members if it may.

Without the Members intent Discord tells of nobody who is silent, so that only those who have
written, or were mentioned, are known by name.
"""

import asyncio
from collections.abc import Iterable

import discord
from discord.ext import commands

from utils.core import Core

MOST_AT_ONCE = 200  # people, in some 5 ms


class KnownNames(commands.Cog):
    """Keeps the names that people go by in step with Discord."""

    def __init__(self, core: Core) -> None:
        self._people = core.acquaintances

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Note the author's names, and those of whom they mention."""
        if message.guild is not None and message.webhook_id is None:
            self._meet(message.guild, (message.author, *message.mentions))

    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_join")
    async def on_server(self, guild: discord.Guild) -> None:
        """Note the names of all whom Discord tells of, a few at a time: there may be thousands."""
        members = guild.members
        for start in range(0, len(members), MOST_AT_ONCE):
            self._meet(guild, members[start : start + MOST_AT_ONCE])
            await asyncio.sleep(0)

    @commands.Cog.listener()
    async def on_member_join(self, member: discord.Member) -> None:
        """Note a new member's names."""
        self._meet(member.guild, (member,))

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Note a member's new names."""
        self._meet(after.guild, (after,))

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Let go of a member who left."""
        self._people.part(payload.guild_id, payload.user.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let go of everybody in a server that Kith left."""
        self._people.leave(guild.id)

    def _meet(self, guild: discord.Guild, people: Iterable[discord.Member | discord.User]) -> None:
        for person in people:
            if not person.bot:
                nick = getattr(person, "nick", None)
                self._people.meet(
                    guild.id,
                    person.id,
                    (person.display_name, nick, person.global_name, person.name),
                )
