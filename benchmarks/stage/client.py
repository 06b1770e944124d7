"""Runs a bot in this process against a simulation (benchmarks.stage.processes)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from benchmarks.stage.processes import TOKEN, variables
from cogs.bot.client import KithClient
from tests.fakes.discord import point_discord_py_at
from utils.app import App
from utils.build import build
from utils.common.clock import Clock
from utils.common.config import Settings

READY_WITHIN_S = 20.0


def settings_for(place: dict[str, Any], database_url: str, **chosen: Any) -> Settings:
    """Return a bot's settings for a simulation: the defaults, with a large token budget.

    Every message is a question of its own as far as its channel is free.
    """
    values = {name.lower(): value for name, value in variables(place, database_url).items()}
    return Settings(_env_file=None, **values | chosen)  # type: ignore[call-arg]


@asynccontextmanager
async def running(place: dict[str, Any], database_url: str, **chosen: Any) -> AsyncIterator[App]:
    """Run the bot in this process, as bot.py does, every channel of the place watched."""
    point_discord_py_at(place["api"], place["gateway"])
    app = build(settings_for(place, database_url, **chosen), Clock())
    await app.start()
    client = KithClient(app, message_content=True, guild_ready_timeout=0.05)
    await client.login(TOKEN)
    talking = asyncio.create_task(client.connect())
    try:
        async with asyncio.timeout(READY_WITHIN_S):
            await client.wait_until_ready()
        for guild_id, channel_id in place["channels"]:
            await app.sentiment.channels.add(guild_id, channel_id)
            notice_id = place["notices"][str(channel_id)]
            await app.sentiment.channels.set_notice(guild_id, channel_id, notice_id)
        yield app
    finally:
        await client.close()
        talking.cancel()
        with suppress(asyncio.CancelledError):
            await talking
        await app.close()
