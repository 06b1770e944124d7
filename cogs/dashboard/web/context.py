"""What every page and API route uses: the app, and the view of Discord."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from discord import Locale
from fastapi import Depends
from starlette.requests import Request

from utils.app import App
from utils.common.errors import BadInput
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Member
from utils.models.sentiment import PassiveMemory, StoredScore

NO_AUDIENCE = (
    "Who reads a channel is known only while the bot is connected to Discord. Open the dashboard "
    "of the running bot to see what would be recalled."
)
ACTOR = "dashboard"  # the author of recall policy versions made here


@dataclass(frozen=True, slots=True)
class Server:
    """A server that Kith is in; ``members`` None: unknown."""

    id: int
    name: str
    members: int | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel or thread that Kith can see."""

    id: int
    name: str


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


class DiscordView:
    """What is known of Discord: here nothing but the servers. Names are text that people chose."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self._servers = servers

    def servers(self) -> Sequence[Server]:
        """Return the servers Kith is in, sorted by name."""
        return self._servers

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return a server's channels with messages, sorted by name."""
        return ()

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return a person's display name in a server, or None."""
        return None

    def role_name(self, guild_id: int, role_id: int) -> str | None:
        """Return a role's name, or None."""
        return None

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads an answer to that member there. Raises BadInput if unknown."""
        raise BadInput(NO_AUDIENCE)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels of a server that every member can read."""
        return frozenset()

    async def member_sources(self, guild_id: int, user_id: int) -> frozenset[int] | None:
        """Return the channels that may be quoted to a member; None if they are not there.

        Raises BadInput if Discord cannot be asked.
        """
        return None

    async def moderator(self, member: Member) -> Moderator | None:
        """Return a member with *Manage Server*; None if they have it no longer, or have left.

        Discord is asked at each call. Raises BadInput if it cannot be asked.
        """
        return None

    def roles(self, guild_id: int) -> Sequence[Channel]:
        """Return the roles that can be a server's base role, highest first."""
        return ()

    async def reports(
        self, settings: GuildSettings, watched: Sequence[int], locale: Locale
    ) -> Sequence[str]:
        """Return what Kith lacks in a server and where it cannot recall, in Discord's mark-up."""
        return ()

    async def lines(
        self, guild_id: int, messages: Sequence[StoredScore]
    ) -> Sequence[tuple[StoredScore, str, str]]:
        """Return those messages that still stand on Discord, with their author and text."""
        return ()

    async def watch(
        self, guild_id: int, chosen: Mapping[int, PassiveMemory | None], actor_id: int
    ) -> None:
        """Watch exactly these channels, with whose messages may become notes; None: as before.

        Raises BadInput where that is impossible.
        """
        raise BadInput(NO_AUDIENCE)

    async def announce_consent(self, settings: GuildSettings, channel_id: int) -> None:
        """Announce the default consent. Raises BadInput where too few members would read it."""
        raise BadInput(NO_AUDIENCE)


@dataclass(frozen=True, slots=True)
class DashboardContext:
    """Everything a page or an API route may use.

    ``notice`` stands above every page: a sentence about what these pages show. With
    ``links_to_discord`` False, no page links to messages: they are made up.
    """

    app: App
    discord: DiscordView
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
