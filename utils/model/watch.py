"""What passive watching is made of: watched channels and messages, scores, tension, settings.

Times are aware and in UTC; ids are Discord's. Scores are for choosing what a moderator looks at:
they are never shown to members about others, and neither chat nor memory reads them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from utils.model.memory import Member

REASON_LIMIT = 200
NOBODY = 0  # the member of a channel's own tension
NOWHERE = 0  # the channel of a member's own tension


class PassiveMemory(StrEnum):
    """Whose notes may come from a watched channel.

    OPT_IN: only of members who chose to be listened to. OPT_OUT: of everybody but those who turned
    it off; the channel's notice says so. Consent off, /mod ignore and /mod freeze hold in both.
    """

    OPT_IN = "opt-in"
    OPT_OUT = "opt-out"


class Prefilter(StrEnum):
    """Which batches deserve a model call.

    OFF: all of them. HEATED: those in which something looks like trouble, by words, shouting or
    dense replies; the others are neither scored nor learnt from.
    """

    OFF = "off"
    HEATED = "heated"


@dataclass(frozen=True, slots=True)
class WatchedChannel:
    """One channel that moderators had watched, with its threads, and the notice posted there.

    ``notice_id`` is None until a notice could be posted.
    """

    guild_id: int
    channel_id: int
    memory: PassiveMemory
    added_at: datetime
    notice_id: int | None = None


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What a server chose about watching; the defaults stand for one that never chose anything.

    ``tension_alert`` and ``toxicity_alert`` (0 to 1) are the levels from which moderators are
    told. ``ping_role_id`` is pinged with each new alert; None: nobody is. ``auto_timeout`` has a
    message's author timed out from ``auto_toxicity`` on, for ``auto_minutes`` (at most 10); while
    ``auto_dry_run`` holds, it is only said what would have been done.
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


@dataclass(frozen=True, slots=True)
class WatchedMessage:
    """A message that waits to be analysed.

    ``place_id`` is the watched channel, whose readers may hear of it: a public thread's or forum
    post's parent, else ``channel_id`` itself, where it was said. ``revision`` counts edits in
    milliseconds since 1970 (0: never edited).
    """

    guild_id: int
    place_id: int
    channel_id: int
    message_id: int
    author_id: int
    author_name: str
    text: str
    created_at: datetime
    reply_to_id: int | None = None
    revision: int = 0

    @property
    def member(self) -> Member:
        """The author, in this server."""
        return Member(self.guild_id, self.author_id)


@dataclass(frozen=True, slots=True)
class Score:
    """What the model thinks of one message, always inside these ranges.

    ``sentiment`` -1 (hostile, sad) to 1 (glad), ``toxicity`` 0 to 1 (insults, threats, slurs),
    ``tension`` 0 to 1 (how much it heats the conversation); ``reason`` is a few words.
    """

    sentiment: float
    toxicity: float
    tension: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NoteUpdate:
    """What a message tells of its author; ``quote`` are their words.

    ``durable``: it stays true, and may go into the profile; else it is kept for seven days.
    """

    message_id: int
    author_id: int
    note: str
    durable: bool
    quote: str


@dataclass(frozen=True, slots=True)
class ScoredMessage:
    """A watched message and its score, as handed to alerts. Its text is not stored by then."""

    message: WatchedMessage
    score: Score


@dataclass(frozen=True, slots=True)
class StoredScore:
    """A score as stored for 30 days: of whom, where, when it was said; never the words."""

    message_id: int
    channel_id: int
    place_id: int
    user_id: int
    said_at: datetime
    score: Score


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """Whose tension: a channel's (``user_id`` 0) or a member's (``channel_id`` 0).

    A watched channel's tension includes that of its threads.
    """

    guild_id: int
    channel_id: int
    user_id: int

    @classmethod
    def channel(cls, guild_id: int, channel_id: int) -> "Subject":
        """Return a watched channel as a subject."""
        return cls(guild_id, channel_id, NOBODY)

    @classmethod
    def of_member(cls, guild_id: int, user_id: int) -> "Subject":
        """Return a member, over all watched channels of a server, as a subject."""
        return cls(guild_id, NOWHERE, user_id)

    @property
    def is_channel(self) -> bool:
        """Whether it is a channel."""
        return self.user_id == NOBODY


@dataclass(frozen=True, slots=True)
class Level:
    """Tension as of a time: 0 (calm) to 1.

    ``is_raised``: it crossed the threshold and has not come down far enough to cross it anew.
    """

    value: float
    at: datetime
    is_raised: bool = False


class Signal(StrEnum):
    """What crossed a server's threshold."""

    CHANNEL_TENSION = "channel tension"
    MEMBER_TENSION = "member tension"
    TOXICITY = "toxicity"


@dataclass(frozen=True, slots=True)
class Crossing:
    """A level that rose to the threshold or over it; for TOXICITY, one message that did.

    ``subject`` is the channel for CHANNEL_TENSION, else the member. ``message_id`` is the message
    that did it.
    """

    signal: Signal
    subject: Subject
    level: float
    threshold: float
    message_id: int


@dataclass(frozen=True, slots=True)
class ScoredBatch:
    """One analysed batch of one watched channel, oldest message first, and what it crossed.

    It is handed on after everything in it was stored. ``settings`` are the server's at that time.
    """

    guild_id: int
    place_id: int
    at: datetime
    messages: tuple[ScoredMessage, ...]
    crossings: tuple[Crossing, ...]
    settings: WatchSettings
    model: str = ""
    prompt_hash: str = ""


@dataclass(frozen=True, slots=True)
class HourPoint:
    """One hour of a subject's history: for charts.

    ``tension`` is the level at the hour's end, ``peak`` the highest in it, ``toxicity`` the
    highest of a message, ``sentiment`` the mean (None without messages), ``messages`` how many
    were scored.
    """

    hour: datetime
    tension: float
    peak: float
    toxicity: float
    sentiment: float | None
    messages: int


@dataclass(frozen=True, slots=True)
class History:
    """A subject's hours without gaps, oldest first; the last one is the hour at hand."""

    subject: Subject
    points: tuple[HourPoint, ...] = field(default=())
