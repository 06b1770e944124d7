"""The dashboard's view of the made-up community, in place of Discord."""

from collections.abc import Sequence

from cogs.console.ids import GUILD_ID
from cogs.dashboard.discord_view import UNKNOWN_CHANNEL
from cogs.dashboard.web.context import Channel, DiscordView, Server
from cogs.demo.community import Community
from utils.common.errors import BadInput
from utils.models.memory import Audience


class CommunityView(DiscordView):
    """One server, whose channels and members are those of the community."""

    def __init__(self, community: Community) -> None:
        super().__init__([Server(GUILD_ID, community.name, len(community.members))])
        self._community = community
        self._names = {person.member.user_id: person.name for person in community.members}

    def channels(self, guild_id: int) -> Sequence[Channel]:
        """Return the community's channels."""
        return [Channel(place.id, place.name) for place in self._community.channels]

    def name_of(self, guild_id: int, user_id: int) -> str | None:
        """Return a member's name, or None."""
        return self._names.get(user_id)

    async def audience(self, guild_id: int, channel_id: int, user_id: int) -> Audience:
        """Return who reads a channel. Raises BadInput if it is unknown."""
        for place in self._community.channels:
            if place.id == channel_id and guild_id == GUILD_ID:
                return self._community.audience(place)
        raise BadInput(UNKNOWN_CHANNEL)

    async def open_sources(self, guild_id: int) -> frozenset[int]:
        """Return the channels that every member reads."""
        return self._community.open_ids
