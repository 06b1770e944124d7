"""What every page and every call of the API is given: Kith, Discord's view, and the jobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from utils.core import Core
from utils.model.memory import Audience

ACTOR = "dashboard"  # who made a version of recall's policy here


@dataclass(frozen=True, slots=True)
class Server:
    """A server that Kith is in; ``members`` None: not known."""

    id: int
    name: str
    members: int | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, or a thread, that Kith can see."""

    id: int
    name: str


class DiscordView(Protocol):
    """What the running client knows of Discord, without asking it. Names are people's words."""

    def servers(self) -> Sequence[Server]:
        """Return the servers Kith is in, by name."""

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return a server's channels that people talk in, by name."""

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return what somebody is called there, if that is known."""

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads an answer to that member there. Raises BadInput for an unknown place."""

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels of a server that everybody there can read."""


@dataclass(frozen=True, slots=True)
class Job:
    """A scheduled job; times are UTC, None where it never ran, or does not run by itself.

    A failure is told until the job succeeds again, in any process.
    """

    name: str
    last_success_at: datetime | None
    last_report: str
    next_at: datetime | None
    is_running: bool
    failed_at: datetime | None = None
    error: str = ""

    @property
    def last_run_at(self) -> datetime | None:
        """When it last ran to an end, good or bad."""
        return self.failed_at or self.last_success_at


class Jobs(Protocol):
    """The scheduled jobs of this process."""

    async def all(self) -> Sequence[Job]:
        """Return every job. Raises DatabaseError."""

    async def run(self, name: str) -> str:
        """Run a job now; returns what it did, in words. Raises BadInput for one that is unknown or
        already running, KithError where it failed."""


@dataclass(frozen=True, slots=True)
class House:
    """Everything a page or a call of the API may ask."""

    core: Core
    discord: DiscordView
    jobs: Jobs
