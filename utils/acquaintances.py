"""Whom Kith has met in a server, by the names they go by: who a message names in plain words.

Kept in process memory only, filled from what was recorded and from what the edge sees.
"""

import logging
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from functools import partial

from utils.clock import Clock
from utils.database import events
from utils.database.engine import Database
from utils.errors import DatabaseError
from utils.model.memory import DIRECT_MESSAGES
from utils.model.recall import Person
from utils.names import MOST_READ, NameIndex

MOST_NAMED = 3
MOST_PEOPLE = 200_000  # in all servers together
RECENT_MESSAGES = 1_000  # read to learn who has spoken in a server
LAST_TURNS = 10  # in which one of two of the same name must have spoken to be meant

_log = logging.getLogger(__name__)


class Acquaintances:
    """Knows people by name. A name that two bear is nobody's, but in a talk that one is part of."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._guilds: OrderedDict[int, NameIndex] = OrderedDict()
        self._remembered: set[int] = set()

    def meet(self, guild_id: int, user_id: int, names: Iterable[str | None]) -> None:
        """Note what somebody goes by in a server, what they are called there first."""
        if guild_id == DIRECT_MESSAGES:
            return
        index = self._guilds.setdefault(guild_id, NameIndex())
        self._guilds.move_to_end(guild_id)
        people = len(index)
        index.add(user_id, tuple(dict.fromkeys(name for name in names if name)))
        if len(index) > people:
            self._stay_small()

    def part(self, guild_id: int, user_id: int) -> None:
        """Let go of the names of somebody who left a server."""
        if guild_id in self._guilds:
            self._guilds[guild_id].remove(user_id)

    def leave(self, guild_id: int) -> None:
        """Let go of everybody in a server."""
        self._guilds.pop(guild_id, None)
        self._remembered.discard(guild_id)

    async def named(
        self, guild_id: int, channel_id: int, text: str, but: Collection[int] = ()
    ) -> tuple[Person, ...]:
        """Return up to three people whom a message names in plain words, but for some.

        Nobody is found while the database is away, where it has to be asked.
        """
        if guild_id == DIRECT_MESSAGES or not text[:MOST_READ].strip():
            return ()
        try:
            index = await self._index(guild_id)
            found = index.find(text)
            is_any_shared = any(len(one.bearers) > 1 for one in found)
            speakers = await self._speakers(guild_id, channel_id) if is_any_shared else set()
        except DatabaseError as error:
            _log.warning("people could not be told by name: %s", type(error).__name__)
            return ()
        meant = dict.fromkeys(_meant(one.bearers, speakers) for one in found)
        ids = [user_id for user_id in meant if user_id is not None and user_id not in but]
        return tuple(Person(one, index.names_of(one)[0]) for one in ids[:MOST_NAMED])

    async def _index(self, guild_id: int) -> NameIndex:
        """Return a server's names; the first time, with those of whom messages were recorded."""
        if guild_id not in self._remembered:
            written = await self._database.read(
                partial(
                    events.recent_authors,
                    guild_id=guild_id,
                    limit=RECENT_MESSAGES,
                    now=self._clock.now(),
                )
            )
            index = self._guilds.setdefault(guild_id, NameIndex())
            for user_id, name in reversed(written.items()):
                if not index.names_of(user_id):  # what was seen of them since is newer
                    index.add(user_id, (name,))
            self._remembered.add(guild_id)
            self._stay_small()
        return self._guilds.setdefault(guild_id, NameIndex())

    async def _speakers(self, guild_id: int, channel_id: int) -> set[int]:
        turns = await self._database.read(
            partial(
                events.working_memory,
                guild_id=guild_id,
                channel_id=channel_id,
                limit=LAST_TURNS,
                now=self._clock.now(),
            )
        )
        return {turn.author_id for turn in turns}

    def _stay_small(self) -> None:
        while len(self._guilds) > 1 and sum(map(len, self._guilds.values())) > MOST_PEOPLE:
            guild_id, _ = self._guilds.popitem(last=False)
            self._remembered.discard(guild_id)


def _meant(bearers: Sequence[int], speakers: Collection[int]) -> int | None:
    """Return who is meant by a name: its only bearer, or the only one who takes part here."""
    near = bearers if len(bearers) == 1 else [one for one in bearers if one in speakers]
    return near[0] if len(near) == 1 else None
