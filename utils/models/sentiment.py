"""Dataclasses of passive watching: watched channels and messages, scores, tension, settings.

Times are timezone-aware UTC; ids are Discord's. Scores only choose what a moderator looks at:
members never see scores of others, and neither chat nor memory reads them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from utils.models.guild import WATCHED
from utils.models.memory import Event

REASON_LIMIT = 200
DAYS_KEPT = 30  # of scores, tension levels and alerts
CASE_DAYS_KEPT = 90  # of an alert that is a case, after its last message
NO_USER = 0  # the user id of a channel's tension
NO_CHANNEL = 0  # the channel id of a member's tension


class PassiveMemory(StrEnum):
    """Whose messages in a watched channel may become notes.

    OPT_IN: only those of members who opted in. OPT_OUT: those of all members who did not opt out;
    the channel's notice says so. Consent off, /mod ignore and /mod freeze apply in both modes.
    """

    OPT_IN = "opt-in"
    OPT_OUT = "opt-out"


class Prefilter(StrEnum):
    """Which batches are sent to the model.

    OFF: all of them. HEATED: batches that look like trouble because of their words, shouting or
    rapid replies. The other batches are neither scored nor used for notes.
    """

    OFF = "off"
    HEATED = "heated"


@dataclass(frozen=True, slots=True)
class WatchedChannel:
    """A channel that moderators chose to watch, including its threads.

    ``notice_id`` is the message that announces it in the channel; None until it is posted.
    """

    guild_id: int
    channel_id: int
    memory: PassiveMemory
    notice_id: int | None


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """A server's settings for watching; the defaults apply to a server that set nothing.

    ``tension_alert`` and ``toxicity_alert`` (0 to 1) are the thresholds that raise an alert. Each
    new alert pings ``ping_role_id``, if it is set. With ``auto_timeout``, Kith times out the author
    of a message whose toxicity is at least ``auto_toxicity``, for ``auto_minutes`` (at most 10).
    With ``auto_dry_run``, Kith only reports what it would have done.
    """

    guild_id: int
    tension_alert: float = 0.60
    toxicity_alert: float = 0.80
    half_life_hours: float = 24.0
    prefilter: Prefilter | None = None  # None: the operator's WATCH_PREFILTER
    ping_role_id: int | None = None
    auto_timeout: bool = False
    auto_toxicity: float = 0.95
    auto_minutes: int = 10
    auto_dry_run: bool = True


def values_of_channels(watched: Iterable[WatchedChannel]) -> dict[str, Any]:
    """Return the watched channels and what is noted there, as a value by its name."""
    return {WATCHED: sorted([channel.channel_id, channel.memory.value] for channel in watched)}


def values_of_alerts(settings: WatchSettings) -> dict[str, Any]:
    """Return the values of a server's settings for watching by name, as JSON has them."""
    return {
        field.name: getattr(settings, field.name)
        for field in fields(settings)
        if field.name != "guild_id"
    }


@dataclass(frozen=True, slots=True)
class Score:
    """The model's scores of one message, always inside these ranges.

    ``sentiment``: -1 (hostile, sad) to 1 (happy). ``toxicity``: 0 to 1 (insults, threats, slurs).
    ``tension``: 0 to 1 (how much it heats up the conversation). ``reason`` is a few words.
    """

    sentiment: float
    toxicity: float
    tension: float
    reason: str = ""

    @property
    def heat(self) -> float:
        """The higher of toxicity and tension."""
        return max(self.toxicity, self.tension)


@dataclass(frozen=True, slots=True)
class ScoredMessage:
    """A watched message and its score, as passed to alerts. The text is no longer stored."""

    message: Event
    score: Score


@dataclass(frozen=True, slots=True)
class StoredScore:
    """A score as stored for 30 days, with author, channel and time but without the text."""

    message_id: int
    channel_id: int
    user_id: int
    said_at: datetime
    score: Score


@dataclass(frozen=True, slots=True, order=True)
class TensionSubject:
    """What a tension level belongs to: a channel (``user_id`` 0) or a member (``channel_id`` 0).

    The tension of a watched channel includes its threads.
    """

    guild_id: int
    channel_id: int
    user_id: int

    @classmethod
    def channel(cls, guild_id: int, channel_id: int) -> "TensionSubject":
        """Return the subject for a watched channel."""
        return cls(guild_id, channel_id, NO_USER)

    @classmethod
    def of_member(cls, guild_id: int, user_id: int) -> "TensionSubject":
        """Return the subject for a member across all watched channels of a server."""
        return cls(guild_id, NO_CHANNEL, user_id)

    @property
    def is_channel(self) -> bool:
        """Whether the subject is a channel."""
        return self.user_id == NO_USER


@dataclass(frozen=True, slots=True)
class TensionLevel:
    """Tension at a time, 0 (calm) to 1.

    ``is_raised``: it crossed the threshold and has not dropped far enough to cross it again.
    """

    value: float
    at: datetime
    is_raised: bool = False


class AlertTrigger(StrEnum):
    """What raised an alert."""

    CHANNEL_TENSION = "channel tension"
    MEMBER_TENSION = "member tension"
    TOXICITY = "toxicity"


@dataclass(frozen=True, slots=True)
class ThresholdCrossing:
    """A level that reached the threshold; for TOXICITY, the toxicity of one message.

    ``message_id`` is the message that reached it.
    """

    trigger: AlertTrigger
    level: float
    threshold: float
    message_id: int


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """One analysed batch of a watched channel, oldest message first, and its crossings.

    Listeners get it after everything in it is stored. ``settings`` are the server's at that time.
    """

    guild_id: int
    place_id: int
    at: datetime
    messages: tuple[ScoredMessage, ...]
    crossings: tuple[ThresholdCrossing, ...]
    settings: WatchSettings


@dataclass(frozen=True, slots=True)
class HourPoint:
    """One hour of a subject's history, for charts.

    ``tension`` is the level at the end of the hour and ``peak`` the highest in it. ``toxicity`` is
    the highest of any message, ``messages`` the number of scored messages.
    """

    hour: datetime
    tension: float
    peak: float
    toxicity: float
    messages: int
