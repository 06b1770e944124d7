"""What every page and API route uses: the app, and the view of Discord."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import Request

from utils.app import App
from utils.models.memory import Member

if TYPE_CHECKING:
    from cogs.dashboard.discord_view import DiscordView

ACTOR = "dashboard"  # the author of recall policy versions made here


@dataclass(frozen=True, slots=True)
class Server:
    """A server that Kith is in; ``members`` None: unknown."""

    id: int
    name: str
    members: int | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel or thread that Kith can see. ``kind`` is the name of its Discord type."""

    id: int
    name: str
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class Moderator:
    """A moderator of a server, as Discord has them now.

    ``channels`` are those that they see, with which people talk; ``readable`` are the ids of those
    whose messages they may be shown.
    """

    member: Member
    name: str
    channels: Sequence[Channel]
    readable: frozenset[int]

    @property
    def guild_id(self) -> int:
        """The server."""
        return self.member.guild_id

    @property
    def channel_names(self) -> dict[int, str]:
        """The names of the channels that they see, by id."""
        return {channel.id: f"#{channel.name}" for channel in self.channels}


@dataclass(frozen=True, slots=True)
class DashboardContext:
    """Everything a page or an API route may use.

    ``notice`` stands above every page: a sentence about what these pages show. With
    ``links_to_discord`` False, no page links to messages: they are made up.
    """

    app: App
    discord: "DiscordView"
    notice: str = ""
    links_to_discord: bool = True

    def channel_names(self, guild_id: int) -> dict[int, str]:
        """Return the names of a server's channels, by id."""
        return {channel.id: f"#{channel.name}" for channel in self.discord.channels(guild_id)}

    def channel_name(self, guild_id: int, channel_id: int) -> str:
        """Return a channel's name, or its id."""
        return self.channel_names(guild_id).get(channel_id, f"#{channel_id}")


def context_of(request: Request) -> DashboardContext:
    """Return the dashboard's context."""
    context: DashboardContext = request.app.state.context
    return context


InContext = Annotated[DashboardContext, Depends(context_of)]
"""The context as a parameter of a route."""
