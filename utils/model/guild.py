"""A server's choices."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from utils.model.memory import Consent

DEFAULT_MODE = "friendly"
DEFAULT_TIME_ZONE = "UTC"
PERSONA_LIMIT = 2000
PERSONA_NAME_LIMIT = 32
MOST_PERSONAS = 20


class Purpose(StrEnum):
    """What moderators use a channel for; NEVER: Kith answers nobody there."""

    CHAT = "chat"
    GAME = "game"
    LOG = "log"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class ChannelPurpose:
    """One channel's purpose; ``topics`` only for games (empty: the channel's name gives them)."""

    channel_id: int
    purpose: Purpose
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Persona:
    """A personality that a server's moderators wrote: their words, and so never trusted.

    ``created_by`` and ``created_at`` tell who wrote it first, and when.
    """

    name: str
    text: str
    created_by: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChannelMode:
    """The mode of one channel (and its threads), where it differs from the server's."""

    channel_id: int
    mode: str


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server chose; the defaults stand for one that never chose anything.

    ``personas`` are those of the server's own that some mode here names; there may be more.
    """

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
    channel_modes: tuple[ChannelMode, ...] = ()
    personas: tuple[Persona, ...] = ()

    def channels_for(self, purpose: Purpose) -> tuple[ChannelPurpose, ...]:
        """Return the channels with that purpose, in the order of their ids."""
        return tuple(channel for channel in self.channels if channel.purpose is purpose)

    def mode_in(self, *channel_ids: int) -> str:
        """Return the mode of the first of these channels that has one, else the server's."""
        own = {channel.channel_id: channel.mode for channel in self.channel_modes}
        return next((own[one] for one in channel_ids if one in own), self.mode)

    def persona(self, mode: str) -> Persona | None:
        """Return the server's own persona of that name, if a mode here names it."""
        return next((persona for persona in self.personas if persona.name == mode), None)

    def never_answers(self, *channel_ids: int) -> bool:
        """Whether Kith is to answer nobody in one of these channels."""
        never = {channel.channel_id for channel in self.channels_for(Purpose.NEVER)}
        return not never.isdisjoint(channel_ids)

    def topics_of(self, channel_id: int, channel_name: str) -> tuple[str, ...]:
        """Return what a channel is about: its topics as a game channel, else its name's words."""
        for channel in self.channels_for(Purpose.GAME):
            if channel.channel_id == channel_id and channel.topics:
                return channel.topics
        return tuple(word for word in channel_name.replace("_", "-").split("-") if word)
