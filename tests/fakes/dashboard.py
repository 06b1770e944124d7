"""A house for the API's tests: a whole Kith without Discord."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx2
from fastapi import FastAPI

from cogs.dashboard.discord_view import DiscordView
from cogs.dashboard.web.context import Channel, DashboardContext, Server
from tests.fakes.builders import CHANNEL, GUILD, audience
from utils.build import build
from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.models.memory import Audience

TOKEN = "a token of twenty-four c"
BEARER = {"authorization": f"Bearer {TOKEN}"}


class FakeDiscord(DiscordView):
    """One server with one channel, in which everybody is called by their number.

    ``left`` are the members who left the server.
    """

    def __init__(self) -> None:
        super().__init__(None, [Server(GUILD, "Home", 2)])
        self.left: set[int] = set()

    def servers(self) -> Sequence[Server]:
        asyncio.get_running_loop()  # a worker thread has none: discord.py's cache is not for it
        return super().servers()

    def channels(self, guild_id: int) -> Sequence[Channel]:
        return [Channel(CHANNEL, "general")] if guild_id == GUILD else []

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        return f"member {user_id}" if guild_id == GUILD else None

    def role_name(self, guild_id: int, role_id: int) -> str | None:
        return f"role {role_id}" if guild_id == GUILD else None

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        if (guild_id, channel_id) != (GUILD, CHANNEL):
            raise BadInput("Kith does not see that channel (any more); choose another.")
        return audience()

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        return frozenset({CHANNEL})

    async def member_sources(self, guild_id: int, user_id: int) -> frozenset[int] | None:
        is_there = guild_id == GUILD and user_id not in self.left
        return frozenset({CHANNEL}) if is_there else None


def make_context(database_url: str, clock, **settings) -> DashboardContext:
    """A house whose Kith is not started yet."""
    chosen = Settings(_env_file=None, database_url=database_url, dashboard_token=TOKEN, **settings)
    return DashboardContext(build(chosen, clock), FakeDiscord())


def visit(application: FastAPI, **headers: str) -> httpx2.AsyncClient:
    """A client of the pages or the API, without a socket."""
    transport = httpx2.ASGITransport(application)
    return httpx2.AsyncClient(transport=transport, base_url="http://kith", headers=headers)


@asynccontextmanager
async def open_house(database_url: str, clock) -> AsyncIterator[DashboardContext]:
    """A house whose Kith is started, but reads nothing: what is said is for a Household to read."""
    made = make_context(database_url, clock)
    await made.app.start()
    await made.app.memory.recorder.close()
    yield made
    await made.app.close()
