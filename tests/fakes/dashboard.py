"""A house for the API's tests: a whole Kith without Discord, and an application of its calls."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI

import bot
from cogs.dashboard import api
from cogs.dashboard.house import Channel, House, Job, Server
from tests.fakes.builders import CHANNEL, GUILD, audience
from utils.config import Settings
from utils.core import Core
from utils.errors import BadInput
from utils.model.memory import Audience

TOKEN = "a token of twenty-four c"


class FakeDiscord:
    """One server with one channel, in which everybody is called by their number."""

    def servers(self) -> Sequence[Server]:
        return [Server(GUILD, "Home", 2)]

    def channels(self, guild_id: int) -> Sequence[Channel]:
        return [Channel(CHANNEL, "general")] if guild_id == GUILD else []

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        return f"member {user_id}" if guild_id == GUILD else None

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        if (guild_id, channel_id) != (GUILD, CHANNEL):
            raise BadInput("Kith does not see that channel (any more); choose another.")
        return audience()

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        return frozenset({CHANNEL})


class FakeJobs:
    """Jobs of which pruning can be run, once at a time."""

    def __init__(self) -> None:
        self.is_running = False

    async def all(self) -> Sequence[Job]:
        return []

    async def run(self, name: str) -> str:
        if self.is_running:
            raise BadInput(f"The job {name} is running already.")
        return "nothing to do"


@dataclass(frozen=True)
class FakeCame:
    """What an import came to."""

    new: dict[str, int]
    left_out: dict[tuple[str, str], int]


class FakeArchive:
    """Writes a word into each archive, and takes in what begins with it."""

    WORD = b"PK"

    def __init__(self) -> None:
        self.asked: list[tuple[int | None, int | None]] = []
        self.taken: list[bytes] = []
        self.seen = b""

    async def export(
        self, target: Path, *, guild_id: int | None = None, user_id: int | None = None
    ) -> None:
        self.asked.append((guild_id, user_id))
        await asyncio.to_thread(target.write_bytes, self.WORD)

    async def preview(self, place: Path) -> FakeCame:
        self.seen = await asyncio.to_thread(place.read_bytes)
        if not self.seen.startswith(self.WORD):
            raise BadInput("That is no archive of mine.")
        return FakeCame({"memories": 2}, {("memories", "known"): 1})

    async def take_in(self, place: Path) -> FakeCame:
        came = await self.preview(place)
        self.taken.append(self.seen)
        return came


class WithArchive:
    """A Core that has an archive as well."""

    def __init__(self, core: Core, archive: FakeArchive) -> None:
        self._core = core
        self.archive = archive

    def __getattr__(self, name: str):
        return getattr(self._core, name)


def make_house(database_url: str, clock, **settings) -> House:
    """A house whose Kith is not started yet."""
    chosen = Settings(_env_file=None, database_url=database_url, dashboard_token=TOKEN, **settings)
    core = WithArchive(bot.build(chosen, clock), FakeArchive())
    return House(core, FakeDiscord(), FakeJobs())


def make_app(house: House) -> FastAPI:
    """An application that has the API's calls, and lets everybody in."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.house = house
    app.include_router(api.router)
    return app
