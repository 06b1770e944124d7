"""The made-up community of ``community.toml``: its members, its channels and what they said."""

import tomllib
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from cogs.console.ids import GUILD_ID, channel_id, person_id
from utils.models.memory import Audience, Consent, Kind, Member

DATA = Path(__file__).with_name("community.toml")


class CommunityPart(BaseModel):
    """A table of the file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CommunityMember(CommunityPart):
    """A member; ``consent`` None: they have not chosen."""

    name: str
    consent: Consent | None = None
    passive: bool = False

    @property
    def member(self) -> Member:
        """The member in the console's server, so that ``:as NAME`` talks as them."""
        return Member(GUILD_ID, person_id(self.name))


class Place(CommunityPart):
    """A channel; a private one is read by moderators only."""

    name: str
    topics: str = ""
    is_watched: bool = False
    is_private: bool = False

    @property
    def id(self) -> int:
        """The id that the console gives a channel of that name."""
        return channel_id(self.name)


class Note(CommunityPart):
    """What a model notes of a message; ``until`` counts days back from today."""

    note: str
    kind: Kind = Kind.FACT
    attribute: str = ""
    topics: str = ""
    importance: Literal["low", "medium", "high"] = "medium"
    until: int | None = None
    confirms: str | None = None
    replaces: str | None = None
    doubtful: bool = False
    unjudged: bool = False


class ScriptLine(CommunityPart):
    """A message: said to Kith (``reply``), or overheard in a watched channel (``score``)."""

    by: str
    text: str
    reply: str = ""
    notes: tuple[Note, ...] = ()
    score: tuple[float, float, float] | None = None
    reason: str = ""
    note: str = ""


class Loop(CommunityPart):
    """Something that a member left open."""

    by: str
    kind: str
    text: str
    quote: str


class StoryQuote(CommunityPart):
    """A teller's sentence of a story."""

    by: str
    quote: str


class Lore(CommunityPart):
    """A story that several members told."""

    text: str
    quotes: tuple[StoryQuote, ...]


class Deed(CommunityPart):
    """What a moderator did about a scene's alert or memories."""

    action: str
    by: str
    after_minutes: int
    member: str | None = None
    amount: int = 0
    memory: str = ""


class PolicyChoice(CommunityPart):
    """A write policy that a moderator chose before a scene."""

    mode: str
    reason: str
    by: str


class Moment(CommunityPart):
    """Something that happens ``day`` days before today, ``at`` a local time, or ``minutes_ago``."""

    day: int = 0
    at: time = time()
    minutes_ago: int | None = None

    def when(self, now: datetime, zone: ZoneInfo) -> datetime:
        """Return the time of this moment."""
        if self.minutes_ago is not None:
            return now - timedelta(minutes=self.minutes_ago)
        day = now.astimezone(zone).date() - timedelta(days=self.day)
        return datetime.combine(day, self.at, zone)


class Scene(Moment):
    """A conversation in a channel, and what a model makes of it."""

    channel: str
    lines: tuple[ScriptLine, ...]
    summary: str = ""
    topic: str = ""
    decisions: tuple[str, ...] = ()
    todos: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    lore: Lore | None = None
    policy: PolicyChoice | None = None
    then: tuple[Deed, ...] = ()


class Command(Moment):
    """A command that a member used."""

    member: str
    action: Literal["correct", "forget", "recall policy"]
    memory: str = ""
    text: str = ""
    changes: dict[str, Any] = {}
    reason: str = ""


class Community(CommunityPart):
    """Everything in the file."""

    name: str
    time_zone: str
    consent_default: Consent
    channels: tuple[Place, ...]
    members: tuple[CommunityMember, ...]
    scene: tuple[Scene, ...]
    command: tuple[Command, ...]

    @classmethod
    def load(cls) -> "Community":
        """Return the community of the file."""
        return cls.model_validate(tomllib.loads(DATA.read_text(encoding="utf-8")))

    def place(self, name: str) -> Place:
        """Return a channel by its name."""
        return next(place for place in self.channels if place.name == name)

    @property
    def open_ids(self) -> frozenset[int]:
        """The ids of the channels that everybody reads."""
        return frozenset(place.id for place in self.channels if not place.is_private)

    def audience(self, place: Place) -> Audience:
        """Return who reads a channel."""
        sources = self.open_ids | {place.id}
        return Audience(GUILD_ID, place.id, sources, is_open=not place.is_private)
