"""Who reads what, by Discord's documentation: the judge of what Kith recalls.

Written from the developer documentation alone (docs/topics/Permissions and Threads, and Get Channel
Messages). It shares no code with the program, with discord.py or with the fake Discord, and it is
naive on purpose: it asks of every possible member, one by one, what they may do in every channel.

A possible member is an account with any set of the server's roles, or a known person with the
roles they have. Roles of bots are held by bots, who are no readers. If the server has a base role,
whoever has an implied role has the base role too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations

ADMINISTRATOR = 1 << 3
VIEW_CHANNEL = 1 << 10
READ_MESSAGE_HISTORY = 1 << 16
CONNECT = 1 << 20
MANAGE_THREADS = 1 << 34
ALL = (1 << 50) - 1

MAX_ROLES = 8  # whose sets are tried: 256
NOBODY = -1  # the id of a member whom no overwrite names


class Kind(Enum):
    """What a channel is, with Discord's number for it."""

    TEXT = 0
    VOICE = 2
    CATEGORY = 4
    NEWS = 5
    NEWS_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


NEEDS_CONNECT = frozenset({Kind.VOICE, Kind.STAGE})


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a role or a member is allowed and denied in one channel."""

    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Role:
    """A role besides @everyone; a bot's role is held by that bot alone."""

    id: int
    permissions: int = 0
    is_of_bot: bool = False


@dataclass(slots=True)
class Person:
    """A known member with the roles they have now."""

    id: int
    role_ids: frozenset[int] = frozenset()
    is_bot: bool = False


@dataclass(slots=True)
class Channel:
    """A channel or a thread.

    Attributes:
        parent: a thread's channel. A category is no parent: what it says counts only where it was
            copied to the channel itself.
        members: who is in a private thread.
    """

    id: int
    kind: Kind = Kind.TEXT
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    parent: Channel | None = None
    members: set[int] = field(default_factory=set)
    age_restricted: bool = False

    @property
    def home(self) -> Channel:
        """The channel whose permissions count: a thread's parent."""
        return self.parent if self.parent is not None else self


@dataclass(slots=True)
class Server:
    """A server: its @everyone permissions, roles, known members and channels.

    ``base_role_id`` and ``implied_role_ids`` are what moderators told Kith: whoever has an implied
    role also has the base role.
    """

    id: int
    everyone: int
    owner_id: int = 0
    roles: dict[int, Role] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    base_role_id: int | None = None
    implied_role_ids: frozenset[int] = frozenset()
    age_restricted: bool = False

    def is_age_restricted(self, channel: Channel) -> bool:
        """Tell whether only adults may open a channel; threads follow their parent."""
        return self.age_restricted or channel.home.age_restricted


def permissions(server: Server, person: Person, channel: Channel) -> int:
    """Return what somebody may do in a channel; threads inherit from their parent."""
    base = _base_permissions(server, person)
    if base & ADMINISTRATOR:
        return ALL
    return _with_overwrites(server, base, person, channel.home)


def _base_permissions(server: Server, person: Person) -> int:
    """Return the permissions in the server as a whole."""
    if person.id == server.owner_id:
        return ALL
    granted = server.everyone
    for role_id in person.role_ids:
        granted |= server.roles[role_id].permissions
    return ALL if granted & ADMINISTRATOR else granted


def _with_overwrites(server: Server, granted: int, person: Person, channel: Channel) -> int:
    """Apply a channel's overwrites: of @everyone, of all roles at once, of the member."""
    of_everyone = channel.overwrites.get(server.id, Overwrite())
    granted = granted & ~of_everyone.deny | of_everyone.allow
    allowed = denied = 0
    for role_id in person.role_ids:
        of_role = channel.overwrites.get(role_id, Overwrite())
        allowed |= of_role.allow
        denied |= of_role.deny
    granted = granted & ~denied | allowed
    of_member = channel.overwrites.get(person.id, Overwrite())
    return granted & ~of_member.deny | of_member.allow


def sees(server: Server, person: Person, channel: Channel) -> bool:
    """Tell whether a message that is posted now in a channel appears before somebody."""
    return _sees(permissions(server, person, channel), person, channel)


def reads(server: Server, person: Person, channel: Channel) -> bool:
    """Tell whether somebody can read what was said in a channel before."""
    granted = permissions(server, person, channel)
    return _sees(granted, person, channel) and bool(granted & READ_MESSAGE_HISTORY)


def _sees(granted: int, person: Person, channel: Channel) -> bool:
    if not granted & VIEW_CHANNEL:
        return False
    if channel.kind in NEEDS_CONNECT and not granted & CONNECT:
        return False
    if channel.kind is Kind.PRIVATE_THREAD and not granted & MANAGE_THREADS:
        return person.id in channel.members
    return True


def possible_members(server: Server) -> Iterator[Person]:
    """Yield every account there could be: every set of roles, and the known people.

    Sets and people that contradict what moderators said of the base role are left out.
    """
    held_by_people = [role.id for role in server.roles.values() if not role.is_of_bot]
    assert len(held_by_people) <= MAX_ROLES, "too many sets of roles to try them all"
    accounts: Iterable[Person] = (
        *(Person(NOBODY, frozenset(chosen)) for chosen in _subsets(held_by_people)),
        *(person for person in server.people.values() if not person.is_bot),
    )
    for person in accounts:
        if person.id == server.owner_id or _keeps_the_promise(server, person):
            yield person


def _keeps_the_promise(server: Server, person: Person) -> bool:
    if server.base_role_id is None or server.implied_role_ids.isdisjoint(person.role_ids):
        return True
    return server.base_role_id in person.role_ids


def _subsets(items: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(len(items) + 1):
        yield from combinations(items, size)


class Judge:
    """Decides whether an answer leaks, for a server as it is when the judge is made.

    Every channel's readers are a set of bits, one for each possible member.
    """

    def __init__(self, server: Server, members: Iterable[Person] | None = None) -> None:
        """``members`` are the only people there are; by default everybody there could be."""
        self.server = server
        self.members = list(possible_members(server) if members is None else members)
        self._granted: dict[int, list[int]] = {}
        self._readers: dict[int, tuple[int, int]] = {}

    def leaks(self, answer: Channel, source: Channel) -> bool:
        """Tell whether somebody sees what is answered in one channel and cannot read what was said
        in the other, or may be too young for it."""
        server = self.server
        if server.is_age_restricted(source) and not server.is_age_restricted(answer):
            return True
        return bool(self._seeing(answer) & ~self._reading(source))

    def witnesses(self, answer: Channel, source: Channel) -> list[Person]:
        """Return those who see the answer and cannot read the source."""
        bits = self._seeing(answer) & ~self._reading(source)
        return [person for n, person in enumerate(self.members) if bits >> n & 1]

    def is_seen(self, answer: Channel) -> bool:
        """Tell whether anybody at all sees what is answered in a channel."""
        return bool(self._seeing(answer))

    def _seeing(self, channel: Channel) -> int:
        return self._bits(channel)[0]

    def _reading(self, channel: Channel) -> int:
        return self._bits(channel)[1]

    def _bits(self, channel: Channel) -> tuple[int, int]:
        """Return who sees what is new in a channel, and who reads what is old."""
        if channel.id not in self._readers:
            seeing = reading = 0
            everybody = zip(self.members, self._permissions(channel.home), strict=True)
            for number, (person, granted) in enumerate(everybody):
                if _sees(granted, person, channel):
                    seeing |= 1 << number
                    reading |= bool(granted & READ_MESSAGE_HISTORY) << number
            self._readers[channel.id] = seeing, reading
        return self._readers[channel.id]

    def _permissions(self, home: Channel) -> list[int]:
        """Return what every possible member may do in a channel, and in its threads."""
        if home.id not in self._granted:
            self._granted[home.id] = [permissions(self.server, p, home) for p in self.members]
        return self._granted[home.id]
