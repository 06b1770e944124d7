"""A server's settings: channels, modes, personas, consent default; and changes of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from utils.models.memory import Consent, NotedMark
from utils.models.policy import WriteMode

DEFAULT_MODE = "friendly"
DEFAULT_TIME_ZONE = "UTC"
WHOLE_SERVER = 0  # in place of a channel's id
PERSONA_LIMIT = 2000
PERSONA_NAME_LIMIT = 32
MAX_PERSONAS = 20

UNDO_WITHIN = timedelta(days=1)
POLICY = "policy_version"
CONSENT = "consent_default"
NOTED = "noted"
WATCHED = "watched"
SPEAKING = "speaking"
OWN_MODES = "own_modes"
OWN_MODE_TEXT = "own_mode_text"
"""Names of changes that the log shows beside those of :class:`GuildSettings`."""

NOT_UNDONE = frozenset(
    {
        CONSENT,  # is announced to the members
        "implied_role_ids",  # is an answer about the base role of that time
        *("auto_timeout", "auto_dry_run"),  # need the permission to time members out
        *(OWN_MODES, OWN_MODE_TEXT),  # the log has no texts of modes
    }
)
PLAIN = (
    *("mode", "time_zone", "base_role_id", POLICY),
    *("frozen", "moderators_see_members", "lore", "shows_sources"),
)
CHOICES = ("channel_modes", "models")
TUPLES = ("implied_role_ids", "tool_servers", "talk_role_ids")


class Purpose(StrEnum):
    """What moderators use a channel for.

    NEVER: Kith never answers there. ONLY: Kith answers in these and in chat channels only. LINKS:
    the pages that messages to Kith link to are read there without being asked for.
    """

    CHAT = "chat"
    GAME = "game"
    LOG = "log"
    NEVER = "never"
    ONLY = "only"
    LINKS = "links"


OF_CHANNELS = frozenset({*Purpose, *CHOICES, WATCHED, SPEAKING})
"""Names of the settings whose values are lists that begin with a channel's id."""


@dataclass(frozen=True, slots=True)
class ChannelPurpose:
    """A channel's purpose. ``topics`` is for game channels (empty: the words of its name)."""

    channel_id: int
    purpose: Purpose
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Persona:
    """A personality that a server's moderators wrote; its text is untrusted input.

    ``created_by`` and ``created_at`` say who first wrote it, and when.
    """

    name: str
    text: str
    created_by: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SpeakingPlace:
    """A channel in which moderators let Kith speak first, and what happened there last.

    Attributes:
        after_minutes: how long the channel must have been silent.
        per_day: how often at most, on a day in the server's time zone.
        quiet_from, quiet_until: between these hours it is silent; equal: it has no quiet hours.
        looked_at: when a process last considered speaking; that process is the one that may.
        spoken_at, spoken_count: when Kith last spoke first, and how often on that day.
    """

    guild_id: int
    channel_id: int
    after_minutes: int = 180
    per_day: int = 1
    quiet_from: int = 22
    quiet_until: int = 8
    looked_at: datetime | None = None
    spoken_at: datetime | None = None
    spoken_count: int = 0


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A server's settings; the defaults apply to a server that set nothing.

    ``personas`` holds only the server's own personas that a mode here names; it may have more.
    ``lore``: shared stories are noted and used for tone. ``write_mode`` is the write policy's: in
    SHADOW and MANUAL only what was approved is used.
    ``tool_servers`` are the MCP servers whose tools answers may use.
    Everybody who has one of ``implied_role_ids`` has the base role too, as moderators say.
    ``talk_role_ids`` are the roles whose members Kith answers; none: everybody.
    ``channel_modes`` are the modes of channels (and their threads) with one of their own, and
    ``models`` the chat models chosen for channels or WHOLE_SERVER, by the channel's id.
    ``noted`` is how members who have not chosen see what was noted. ``shows_sources``: below an
    answer stands where it comes from.
    """

    guild_id: int
    mode: str = DEFAULT_MODE
    time_zone: str = DEFAULT_TIME_ZONE
    base_role_id: int | None = None
    implied_role_ids: tuple[int, ...] = ()
    consent_default: Consent = Consent.TEMPORARY
    policy_version: int = 0
    frozen: bool = False
    moderators_see_members: bool = False
    channels: tuple[ChannelPurpose, ...] = ()
    recall: bool = True
    channel_modes: Mapping[int, str] = field(default_factory=dict)
    personas: tuple[Persona, ...] = ()
    write_mode: WriteMode = WriteMode.AUTO
    lore: bool = True
    models: Mapping[int, str] = field(default_factory=dict)
    tool_servers: tuple[str, ...] = ()
    talk_role_ids: tuple[int, ...] = ()
    noted: NotedMark = NotedMark.REACTION
    shows_sources: bool = False

    @property
    def zone(self) -> ZoneInfo:
        """The server's time zone."""
        return ZoneInfo(self.time_zone)

    @property
    def base_roles(self) -> tuple[int | None, tuple[int, ...]]:
        """The base role (None: everyone), and the roles whose members all have it too."""
        return self.base_role_id, self.implied_role_ids

    def with_switched(self, name: str, key: int | str, *, is_on: bool) -> "GuildSettings":
        """Return the settings with an id or a name in one of their sorted tuples, or without it."""
        keys = set(getattr(self, name)) - {key}
        if is_on:
            keys.add(key)
        return with_value(self, name, sorted(keys))

    def with_purpose(
        self, purpose: Purpose, chosen: Iterable[int], kept: Iterable[int] = ()
    ) -> "GuildSettings":
        """Return the settings with these channels for a purpose, and no others.

        Args:
            purpose: what the channels are for; those that have it already keep their topics.
            chosen: their ids; one log channel replaces another.
            kept: the ids of channels that have the purpose and keep it, except as log channels.
        """
        chosen_ids = set(chosen)
        if purpose is not Purpose.LOG or not chosen_ids:
            chosen_ids |= set(kept) & self.ids_for(purpose)
        before = {channel.channel_id: channel for channel in self.channels_for(purpose)}
        return self.with_channels(
            purpose, [before.get(id_, ChannelPurpose(id_, purpose)) for id_ in chosen_ids]
        )

    def with_channels(
        self, purpose: Purpose, channels: Iterable[ChannelPurpose]
    ) -> "GuildSettings":
        """Return the settings with exactly these channels for a purpose."""
        other_channels = (channel for channel in self.channels if channel.purpose is not purpose)
        ordered = sorted((*other_channels, *channels), key=lambda channel: channel.channel_id)
        return replace(self, channels=tuple(ordered))

    def with_choice(self, name: str, channel_id: int, choice: str) -> "GuildSettings":
        """Return the settings with one of the ``channel_modes`` or ``models``; "": no choice."""
        choices = {**getattr(self, name), channel_id: choice}
        return with_value(self, name, [pair for pair in sorted(choices.items()) if pair[1]])

    @property
    def modes(self) -> frozenset[str]:
        """The modes of the server and of its channels."""
        return frozenset({self.mode, *self.channel_modes.values()})

    def channels_for(self, purpose: Purpose) -> tuple[ChannelPurpose, ...]:
        """Return the channels with that purpose, ordered by id."""
        return tuple(channel for channel in self.channels if channel.purpose is purpose)

    def ids_for(self, purpose: Purpose) -> frozenset[int]:
        """Return the ids of the channels with that purpose."""
        return frozenset(channel.channel_id for channel in self.channels_for(purpose))

    def mode_in(self, *channel_ids: int) -> str:
        """Return the first mode set for one of these channels, otherwise the server's."""
        modes = self.channel_modes
        return next((modes[channel] for channel in channel_ids if channel in modes), self.mode)

    def models_in(self, *channel_ids: int) -> tuple[str, ...]:
        """Return the models chosen for these channels, then the server's, to be asked first."""
        places = (*channel_ids, WHOLE_SERVER)
        return tuple(self.models[place] for place in places if place in self.models)

    def persona(self, mode: str) -> Persona | None:
        """Return the server's own persona with that name, if a mode here names it."""
        return next((persona for persona in self.personas if persona.name == mode), None)

    def never_answers(self, *channel_ids: int) -> bool:
        """Whether Kith must not answer in one of these channels."""
        if not self.ids_for(Purpose.NEVER).isdisjoint(channel_ids):
            return True
        only = self.ids_for(Purpose.ONLY)
        return bool(only) and (only | self.ids_for(Purpose.CHAT)).isdisjoint(channel_ids)

    def may_talk(self, role_ids: Iterable[int], *, is_moderator: bool) -> bool:
        """Whether Kith answers a member with these roles; moderators always."""
        return (
            is_moderator
            or not self.talk_role_ids
            or not set(self.talk_role_ids).isdisjoint(role_ids)
        )

    def topics_of(self, channel_id: int, channel_name: str) -> tuple[str, ...]:
        """Return a channel's topics: those of its game purpose, otherwise the words of its name."""
        for channel in self.channels_for(Purpose.GAME):
            if channel.channel_id == channel_id and channel.topics:
                return channel.topics
        return tuple(word for word in channel_name.replace("_", "-").split("-") if word)


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting that changed; the values are as JSON has them."""

    name: str
    before: Any
    after: Any

    @property
    def channel_ids(self) -> set[int]:
        """The channels that it concerns."""
        if self.name not in OF_CHANNELS:
            return set()
        changed = {tuple(entry) for entry in self.before} ^ {tuple(entry) for entry in self.after}
        return {channel_id for channel_id, *_ in changed} - {WHOLE_SERVER}

    @property
    def action(self) -> str:
        """What the audit calls it."""
        if self.name == "frozen":
            return "frozen" if self.after else "unfrozen"
        if self.name == "tool_servers" and len(switched := set(self.before) ^ set(self.after)) == 1:
            (name,) = switched
            return f"@{name} {'on' if name in self.after else 'off'}"
        return "setting"


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A change of a setting as the audit has it, and who made it."""

    id: int
    at: datetime
    actor_id: int
    change: SettingChange

    def can_be_undone(self, now: datetime) -> bool:
        """Whether moderators may take it back."""
        return now - self.at <= UNDO_WITHIN and self.change.name not in NOT_UNDONE


def values_of_places(places: Iterable[SpeakingPlace]) -> dict[str, Any]:
    """Return where Kith speaks first, as a value by its name."""
    chosen = (
        [place.channel_id, place.after_minutes, place.per_day, place.quiet_from, place.quiet_until]
        for place in places
    )
    return {SPEAKING: sorted(chosen)}


def values_of(settings: GuildSettings) -> dict[str, Any]:
    """Return the values of a server's settings by name, as JSON has them."""
    return {
        **{name: getattr(settings, name) for name in PLAIN},
        **{name: list(getattr(settings, name)) for name in TUPLES},
        **{
            purpose.value: [
                [channel.channel_id, *channel.topics] for channel in settings.channels_for(purpose)
            ]
            for purpose in Purpose
        },
        CONSENT: settings.consent_default.value,
        NOTED: settings.noted.value,
        **{name: [list(pair) for pair in getattr(settings, name).items()] for name in CHOICES},
    }


def with_value(settings: GuildSettings, name: str, value: Any) -> GuildSettings:
    """Return the settings with one value, as :func:`values_of` has it, in place of another."""
    plain: dict[str, Any] = {
        name: tuple(value) if name in TUPLES else dict(value) if name in CHOICES else value
    }
    if name in set(Purpose):
        purpose = Purpose(name)
        channels = [ChannelPurpose(id_, purpose, tuple(topics)) for id_, *topics in value]
        return settings.with_channels(purpose, channels)
    if name == CONSENT:
        return replace(settings, consent_default=Consent(value))
    if name == NOTED:
        return replace(settings, noted=NotedMark(value))
    if name == "base_role_id" and value != settings.base_role_id:  # another one is implied by none
        return replace(settings, base_role_id=value, implied_role_ids=())
    return replace(settings, **plain)


def with_values(settings: GuildSettings, values: Mapping[str, Any]) -> GuildSettings:
    """Return the settings with several values in place of others."""
    for name, value in values.items():
        settings = with_value(settings, name, value)
    return settings


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[SettingChange]:
    """Return what differs between two sets of values with the same names."""
    return [
        SettingChange(name, value, after[name])
        for name, value in before.items()
        if value != after[name]
    ]
