"""A server's choices."""

from dataclasses import dataclass
from enum import StrEnum

from utils.model.memory import Consent

DEFAULT_MODE = "friendly"
DEFAULT_TIME_ZONE = "UTC"


class Purpose(StrEnum):
    """What moderators use a channel for."""

    CHAT = "chat"
    GAME = "game"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class ChannelPurpose:
    """One channel's purpose; ``topics`` only for games (empty: the channel's name gives them)."""

    channel_id: int
    purpose: Purpose
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server chose; the defaults stand for one that never chose anything."""

    guild_id: int
    mode: str = DEFAULT_MODE
    time_zone: str = DEFAULT_TIME_ZONE
    base_role_id: int | None = None
    consent_default: Consent = Consent.TEMPORARY
    policy_version: int = 0
    frozen: bool = False
    moderators_see_members: bool = False
    channels: tuple[ChannelPurpose, ...] = ()
    recall: bool = True

    def channels_for(self, purpose: Purpose) -> tuple[ChannelPurpose, ...]:
        """Return the channels with that purpose, in the order of their ids."""
        return tuple(channel for channel in self.channels if channel.purpose is purpose)

    def topics_of(self, channel_id: int, channel_name: str) -> tuple[str, ...]:
        """Return what a channel is about: its topics as a game channel, else its name's words."""
        for channel in self.channels_for(Purpose.GAME):
            if channel.channel_id == channel_id and channel.topics:
                return channel.topics
        return tuple(word for word in channel_name.replace("_", "-").split("-") if word)
