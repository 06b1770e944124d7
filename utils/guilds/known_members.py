"""Find the members whom a message names in plain words, without a mention.

The names live in process memory only. They come from recorded messages and from Discord's events.
"""

import logging
import re
from collections import OrderedDict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from utils.common.errors import DatabaseError, Logged
from utils.database.core.engine import Connection, DatabaseService
from utils.database.core.queries import run
from utils.database.memories import members, search
from utils.database.messages import events
from utils.memory.extraction.stated_names import own_name_in
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience, Consent, Member
from utils.models.recall import NamedPeople, Person
from utils.nlp.person_names import MAX_READ, NameIndex, folded_text, whole_name

MAX_NAMED = 3
MAX_PEOPLE = 200_000  # in all servers together
RECENT_MESSAGES = 1_000  # read to learn who has spoken in a server
LAST_TURNS = 10  # a shared name means the member who spoke in these turns
_MENTION = re.compile(r"<@!?([0-9]{1,19})>")

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class KnownMembers(DatabaseService):
    """Finds members by name; a shared name means the member who spoke in the last turns."""

    _guilds: OrderedDict[int, NameIndex] = field(default_factory=OrderedDict, init=False)
    _bots: dict[int, NameIndex] = field(default_factory=dict, init=False)
    _remembered: set[int] = field(default_factory=set, init=False)

    def update_names(self, guild_id: int, user_id: int, names: Iterable[str | None]) -> None:
        """Store a member's names in a server, the nickname there first."""
        if guild_id == DIRECT_MESSAGES:
            return
        index = self._guilds.setdefault(guild_id, NameIndex())
        self._guilds.move_to_end(guild_id)
        people = len(index)
        index.add(user_id, tuple(dict.fromkeys(name for name in names if name)))
        if len(index) > people:
            self._evict()

    def update_bot(self, guild_id: int, user_id: int, names: Iterable[str | None]) -> None:
        """Store the names of a bot in a server: it is never meant, and no member goes by them."""
        index = self._bots.setdefault(guild_id, NameIndex())
        index.add(user_id, tuple(dict.fromkeys(name for name in names if name)))

    def remove_member(self, guild_id: int, user_id: int) -> None:
        """Drop the names of a member or a bot who left a server."""
        for index in (self._guilds.get(guild_id), self._bots.get(guild_id)):
            if index is not None:
                index.remove(user_id)

    def leave(self, guild_id: int) -> None:
        """Drop the names of everyone in a server."""
        self._guilds.pop(guild_id, None)
        self._bots.pop(guild_id, None)
        self._remembered.discard(guild_id)

    async def named(
        self, guild_id: int, channel_id: int, text: str, exclude_ids: Collection[int] = ()
    ) -> tuple[Person, ...]:
        """Return up to three members whom a text names in plain words, without ``exclude_ids``.

        Returns nobody if the database is needed and unavailable.
        """
        if guild_id == DIRECT_MESSAGES or not text[:MAX_READ].strip():
            return ()
        try:
            index = await self._index(guild_id)
            matches = index.find(text).values()
            speakers: set[int] = set()
            # Of several who bear a name, who spoke in the last turns is meant.
            if any(len(bearers) > 1 for bearers in matches):
                last_turns = events.last_turns(guild_id, channel_id, LAST_TURNS, self._clock.now())
                turns = await self._database.read(run, last_turns)
                speakers = {turn.author_id for turn in turns}
        except DatabaseError as error:
            _log.warning("members could not be found by name: %s", type(error).__name__)
            return ()
        # Meant is the only member with a name, or the only one of them who spoke here.
        near = (
            [bearer for bearer in bearers if bearer in speakers or len(bearers) == 1]
            for bearers in matches
        )
        meant = dict.fromkeys(bearers[0] for bearers in near if len(bearers) == 1)
        ids = [user_id for user_id in meant if user_id not in exclude_ids]
        return tuple(Person(user_id, index.names_of(user_id)[0]) for user_id in ids[:MAX_NAMED])

    async def resolve(
        self,
        audience: Audience,
        text: str,
        settings: GuildSettings,
        exclude_ids: Collection[int] = (),
    ) -> NamedPeople:
        """Return whom a text names: by names on Discord, else by names that they gave themselves.

        Such a name counts where all readers may hear its note, and unless it is a name on Discord.
        One that several members gave themselves is nobody's. The arguments are those of
        :meth:`named`; returns what Discord's names tell if the database is unavailable.
        """
        guild_id = audience.guild_id
        people = await self.named(guild_id, audience.channel_id, text, exclude_ids)
        if guild_id == DIRECT_MESSAGES or not settings.recall or not text[:MAX_READ].strip():
            return NamedPeople(people)
        try:
            folded = folded_text(text)
            index, bots = await self._index(guild_id), self._bots.get(guild_id, NameIndex())

            def may_be_meant(note: str) -> bool:
                name = _name_in(note)
                is_free = not (index.has(name) or bots.has(name))
                return bool(name) and name in folded and is_free

            notes = await self._database.read(
                search.stated_names,
                guild_id=guild_id,
                may_be_meant=may_be_meant,
                sources=audience.sources,
                consent_default=settings.consent_default,
                now=self._clock.now(),
            )
            stated = _names_in(text, notes)
            names = await self.names(
                guild_id, {user_id for bearers in stated.values() for user_id in bearers}
            )
        except DatabaseError as error:
            _log.warning("members could not be found by name: %s", type(error).__name__)
            return NamedPeople(people)
        meant = dict.fromkeys(people)
        unclear: list[tuple[str, tuple[Person, ...]]] = []
        for name, bearers in stated.items():
            persons = tuple(Person(user_id, names[user_id]) for user_id in bearers)
            if len(persons) > 1:
                unclear.append((name, persons))
            elif persons[0].user_id not in exclude_ids:
                meant[persons[0]] = None
        concerned = {*exclude_ids, *(person.user_id for person in meant)}
        on_discord = (
            name for name, ids in index.find(text).items() if not concerned.isdisjoint(ids)
        )
        used = {row_id for bearers in stated.values() for row_id in bearers.values()}
        return NamedPeople(
            tuple(meant)[:MAX_NAMED],
            tuple(unclear),
            (*stated, *on_discord),
            tuple(sorted(used)),
        )

    async def names(self, guild_id: int, user_ids: Collection[int]) -> dict[int, str]:
        """Return the name of each of some members; a mention of those whose name is not known.

        Raises DatabaseError.
        """
        index = await self._index(guild_id)
        names_by_id = {user_id: index.names_of(user_id) for user_id in user_ids}
        unknown = [user_id for user_id, names in names_by_id.items() if not names]
        stored_names = {}
        if unknown:
            stored_names = await self._database.read(
                events.names_of, guild_id=guild_id, user_ids=unknown
            )
        return {
            user_id: names[0] if names else stored_names.get(user_id, f"<@{user_id}>")
            for user_id, names in names_by_id.items()
        }

    async def bearers(self, guild_id: int, text: str) -> frozenset[int]:
        """Return the ids of all members whom a text may name in plain words, shared names included.

        Empty if the database is needed and unavailable.
        """
        if guild_id == DIRECT_MESSAGES or not text[:MAX_READ].strip():
            return frozenset()
        with Logged(_log.warning, "members could not be found by name", DatabaseError):
            index = await self._index(guild_id)
            named = index.find(text).values()
            return frozenset(user_id for bearers in named for user_id in bearers)
        return frozenset()

    async def are_newly_named(self, member: Member, before: str, after: str) -> bool:
        """Return whether a new text names or mentions people whom the old one does not.

        ``member``: whom both texts are about, and may name.
        """
        named = await self.bearers(member.guild_id, after)
        mentioned = {int(user_id) for user_id in _MENTION.findall(after)}
        named_before = await self.bearers(member.guild_id, before)
        return bool((named | mentioned) - named_before - {member.user_id})

    async def named_with_consent(
        self, guild_id: int, text: str, *, author_id: int
    ) -> dict[int, bool]:
        """Return whether each member whom a text may name lets anything be stored, by user id.

        A name that several members share may mean any of them, unless its author is one of them.
        Raises DatabaseError.
        """
        if guild_id == DIRECT_MESSAGES or not text[:MAX_READ].strip():
            return {}
        members_named = {
            Member(guild_id, user_id)
            for bearers in (await self._index(guild_id)).find(text).values()
            if author_id not in bearers
            for user_id in bearers
        }
        if not members_named:
            return {}

        def unit(connection: Connection) -> dict[int, bool]:
            return {
                member.user_id: members.consent(connection, member) is not Consent.OFF
                for member in sorted(members_named)
            }

        return await self._database.read(unit)

    async def _index(self, guild_id: int) -> NameIndex:
        """Return a server's names; the first call loads the authors of recent messages."""
        if guild_id not in self._remembered:
            authors = await self._database.read(
                events.recent_authors,
                guild_id=guild_id,
                limit=RECENT_MESSAGES,
                now=self._clock.now(),
            )
            index = self._guilds.setdefault(guild_id, NameIndex())
            for user_id, name in reversed(authors.items()):
                if not index.names_of(user_id):  # names from Discord are newer
                    index.add(user_id, (name,))
            self._remembered.add(guild_id)
            self._evict()
        return self._guilds.setdefault(guild_id, NameIndex())

    def _evict(self) -> None:
        while len(self._guilds) > 1 and sum(map(len, self._guilds.values())) > MAX_PEOPLE:
            guild_id, _ = self._guilds.popitem(last=False)
            self._remembered.discard(guild_id)


def _name_in(note: str) -> str:
    """Return the name at the end of a note, as a message's words are compared; "" if none."""
    name = own_name_in(note)
    return "" if name is None else whole_name(name)


def _names_in(text: str, notes: Iterable[tuple[int, int, str]]) -> dict[str, dict[int, int]]:
    """Return the stated names in a text, each with its bearers and the newest note of each."""
    stated, note_ids = NameIndex(), dict[str, dict[int, int]]()
    for row_id, user_id, note in notes:
        note_ids.setdefault(_name_in(note), {})[user_id] = row_id
    for user_id in {user_id for bearers in note_ids.values() for user_id in bearers}:
        stated.add(user_id, tuple(name for name in note_ids if user_id in note_ids[name]))
    return {name: note_ids[name] for name in stated.find(text) if name in note_ids}
