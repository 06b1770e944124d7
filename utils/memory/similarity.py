"""How close what is stored of members is to a message, by meaning: the side of recall.

Never in the way: a model that is slow or away is left alone for a minute, and recall goes by words.
A member's vectors are kept in memory, bounded; the version of their memory is looked up each time,
so that what was erased is not compared again, and of the rest only new vectors are read.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from utils.clock import Clock
from utils.database import embeddings, members
from utils.database.embeddings import Source, Stored
from utils.database.engine import Database, Session
from utils.errors import DatabaseError, ModelError, ModelUnreachable, RequestRefused
from utils.memory.vectors import EMPTY_SHELF, Floats, Shelf, unit
from utils.model.embedding import NOTHING_SIMILAR, Embedder, Similarities
from utils.model.memory import Member

QUERY_TIMEOUT_S = 1.5
REST_S = 60.0
MOST_QUERY_CHARACTERS = 2_000
MOST_QUERIES_KEPT = 256
MOST_BYTES = 96 * 1024 * 1024
MOST_OF = {Source.ROWS: 10_000, Source.EVENTS: 2_000}
MOST_BYTES_ON_LOOP = 4 * 1024 * 1024  # comparing with more takes longer than a millisecond

T = TypeVar("T")

_log = logging.getLogger(__name__)


_NO_SHELVES = dict.fromkeys(Source, EMPTY_SHELF)


@dataclass(frozen=True, slots=True)
class _Held:
    """A member's vectors, as of a version of their memory."""

    version: int = -1
    shelves: Mapping[Source, Shelf] = field(
        default_factory=lambda: dict.fromkeys(Source, EMPTY_SHELF)
    )

    @property
    def size(self) -> int:
        return sum(shelf.size for shelf in self.shelves.values())


_NOTHING_HELD = _Held()


@dataclass(frozen=True, slots=True)
class _Newer:
    """The version of a member's memory now, and the vectors to be added to what is held."""

    version: int
    stored: Mapping[Source, Sequence[Stored]]


class SimilarityIndex:
    """Compares messages with members' vectors; ``spent`` counts tokens by server, for whoever
    stores them."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._held: OrderedDict[Member, _Held] = OrderedDict()
        self._queries: OrderedDict[str, Floats] = OrderedDict()
        self._rests_until = 0.0
        self.spent: Counter[int] = Counter()

    async def to(self, text: str, about: Sequence[Member]) -> Similarities:
        """Return how close these members' memories and messages are to a text.

        Never raises; the model is waited for QUERY_TIMEOUT_S at most, and not at all where there
        is nothing to compare with.
        """
        text = text.strip()[:MOST_QUERY_CHARACTERS]
        if not text or not about or self._clock.monotonic() < self._rests_until:
            return NOTHING_SIMILAR
        try:
            model = await self._in_time(self._embedder.identity())
            held = await self._load(about, model)
            if not any(one.size for one in held):
                return NOTHING_SIMILAR
            query = await self._query(text, about[0].guild_id)
        except RequestRefused:  # this one message, as too long
            return NOTHING_SIMILAR
        except ModelError as error:
            self._rests_until = self._clock.monotonic() + REST_S
            _log.warning("recall goes by words alone for %.0f s: %s", REST_S, type(error).__name__)
            return NOTHING_SIMILAR
        except DatabaseError:  # the recall itself will say so
            return NOTHING_SIMILAR
        if sum(one.size for one in held) > MOST_BYTES_ON_LOOP:
            return await asyncio.to_thread(_compare, held, query)
        return _compare(held, query)

    async def _load(self, about: Sequence[Member], model: str) -> list[_Held]:
        """Bring what is held of these members up to date, and return it."""
        before = {member: self._held.get(member, _NOTHING_HELD) for member in about}
        newer = await self._database.read(partial(_newer, model=model, before=before))
        is_anything_new = any(any(one.stored.values()) for one in newer.values())
        if is_anything_new:
            after = await asyncio.to_thread(_up_to_date, before, newer)
        else:
            after = _up_to_date(before, newer)
        for member, held in after.items():
            self._held.pop(member, None)
            self._held[member] = held
        while len(self._held) > 1 and sum(one.size for one in self._held.values()) > MOST_BYTES:
            self._held.popitem(last=False)
        return list(after.values())

    async def _query(self, text: str, guild_id: int) -> Floats:
        """Return a text's vector; raises ModelError, ModelUnreachable if it takes too long."""
        if text in self._queries:
            self._queries.move_to_end(text)
            return self._queries[text]
        asked = self._embedder.embed([text], timeout_s=QUERY_TIMEOUT_S)
        embedded = await self._in_time(asked)
        self.spent[guild_id] += embedded.usage.total
        query = self._queries[text] = unit(embedded.vectors[0])
        if len(self._queries) > MOST_QUERIES_KEPT:
            self._queries.popitem(last=False)
        return query

    async def _in_time(self, wanted: Coroutine[Any, Any, T]) -> T:
        """Await something of the model's; raises ModelUnreachable when it takes too long."""
        asked = asyncio.ensure_future(wanted)
        limit = asyncio.ensure_future(self._clock.sleep(QUERY_TIMEOUT_S))
        try:
            await asyncio.wait({asked, limit}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                raise ModelUnreachable
            return asked.result()
        finally:
            limit.cancel()
            asked.cancel()


def _newer(session: Session, model: str, before: Mapping[Member, _Held]) -> dict[Member, _Newer]:
    """Read each member's version, and their vectors: all if it has changed, else the new ones."""
    found = {}
    for member, held in before.items():
        version = members.standing(session, member).version
        is_current = version == held.version
        stored = {
            source: embeddings.newer(
                session,
                source,
                model,
                member,
                after=held.shelves[source].last if is_current else 0,
                limit=MOST_OF[source],
            )
            for source in Source
        }
        found[member] = _Newer(version, stored)
    return found


def _up_to_date(
    before: Mapping[Member, _Held], newer: Mapping[Member, _Newer]
) -> dict[Member, _Held]:
    """Put what was read beside what was held, where that still stands."""
    after = {}
    for member, read in newer.items():
        is_current = read.version == before[member].version
        shelves = before[member].shelves if is_current else _NO_SHELVES
        after[member] = _Held(
            read.version,
            {
                source: shelves[source].with_newer(stored, MOST_OF[source])
                for source, stored in read.stored.items()
            },
        )
    return after


def _compare(held: Sequence[_Held], query: Floats) -> Similarities:
    rows: dict[int, float] = {}
    events: dict[int, float] = {}
    for one in held:
        rows |= one.shelves[Source.ROWS].cosines(query)
        events |= one.shelves[Source.EVENTS].cosines(query)
    return Similarities(rows, events)
