"""discord.py's cache of a fake Discord, without sockets: events go straight to its parsers."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
from discord.ext import commands

from cogs.bot.client import gateway_intents
from tests.fakes.discord import Channel, FakeDiscord, Member, payloads
from tests.fakes.discord import events as fake_events


class CachedClient:
    """What a client knows of a fake Discord that runs no server.

    It is also the session that the fake's events are made for: as Kith, without the Members intent.
    """

    def __init__(self, fake: FakeDiscord) -> None:
        """Every change of the fake's world is seen from now on."""
        intents = gateway_intents(message_content=True)
        self.intents, self.reads_content = intents.value, True
        self._state = discord.Client(intents=intents)._connection
        self._state.user = discord.ClientUser(
            state=self._state, data=payloads.user(fake.bot_user) | {"verified": True}
        )
        self._state.dispatch = self._dispatch
        self._state.http.get_member = self._get_member
        self._cog: commands.Cog | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._world = fake.world
        fake.world.announcers.append(self)

    def set_cog(self, cog: commands.Cog) -> None:
        """Let this cog's listeners, and no other's, hear what happens from now on."""
        self._cog = cog

    def covers(self, guild_id: int | None) -> bool:
        """Return True: there is one shard."""
        return True

    def changed(self, event: str, subject: Any, **details: Any) -> None:
        """Take in an event, as discord.py does when it comes from the gateway."""
        data = fake_events.for_session(event, subject, details, self)
        if data is not None:
            self._state.parsers[event](data)

    async def settled(self) -> None:
        """Return when every listener has ended."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    def channel(self, channel: Channel) -> Any:
        """Return a channel as the client has it."""
        return cached_channel(self._state, channel)

    def member(self, member: Member) -> discord.Member:
        """Return a member as a message's author: from the event, and not in the cache."""
        return cached_member(self._state, member)

    async def _get_member(self, guild_id: int, member_id: int) -> dict[str, Any]:
        """Answer what the client asks of Discord's REST API about a member."""
        member = self._world.guilds[guild_id].members.get(member_id)
        if member is None:
            response = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(response, {"code": 10007, "message": "Unknown Member"})
        return payloads.member(member)

    def _dispatch(self, event: str, *arguments: Any) -> None:
        for name, listener in () if self._cog is None else self._cog.get_listeners():
            if name == f"on_{event}":
                task = asyncio.ensure_future(listener(*arguments))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)


def cached_member(state: Any, member: Member) -> discord.Member:
    """Return a member as an event shows them."""
    guild = state._get_guild(member.guild.id)
    return discord.Member(data=payloads.member(member), guild=guild, state=state)


def cached_channel(state: Any, channel: Channel) -> Any:
    """Return a channel, a thread (from its payload if archived) or a direct conversation."""
    data = payloads.channel(channel)
    if channel.guild is None:
        return discord.DMChannel(me=state.user, state=state, data=data)
    guild = state._get_guild(channel.guild.id)
    cached = guild.get_channel_or_thread(channel.id)
    if cached is None and channel.is_thread:
        return discord.Thread(guild=guild, state=state, data=data)
    return cached
