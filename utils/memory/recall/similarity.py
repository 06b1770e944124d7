"""Compares a message with members' stored vectors, by meaning.

It never delays a reply. After an error, or several timeouts in a row, the model is not asked for a
minute; until then recall uses words alone. Members' vectors are cached within a size limit. Each
call checks the version of their memory, so erased texts are never compared; otherwise only new
vectors are read.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from utils.common.bounded import BoundedDict
from utils.common.clock import Clock
from utils.common.config import BUNDLED_EMBEDDING, MULTILINGUAL_EMBEDDING
from utils.common.errors import DatabaseError, ModelError, RequestRefused
from utils.database.core.engine import Connection, Database
from utils.database.memories import embeddings, members
from utils.database.memories.embeddings import VectorSource
from utils.memory.recall.vectors import EMPTY_MATRIX, Floats, VectorMatrix, unit
from utils.models.llm import Embedder
from utils.models.memory import Member
from utils.models.recall import NOTHING_SIMILAR, Similarities

LEAST_COSINE = 0.45  # of a question and what answers it
MEASURED_IN = {BUNDLED_EMBEDDING.name: ["en"], MULTILINGUAL_EMBEDDING.name: ["en", "de"]}
"""The models for which it was measured, and the languages."""
QUERY_TIMEOUT_S = 1.5
# The client's limit is longer: its own timeout looks like an endpoint that is down.
CLIENT_TIMEOUT_S = QUERY_TIMEOUT_S + 5.0
PAUSE_S = 60.0
MAX_TIMEOUTS = 3  # in a row, before the model is not asked for PAUSE_S
MAX_QUERY_CHARACTERS = 2_000
MAX_QUERIES_KEPT = 256
MAX_BYTES = 96 * 1024 * 1024
MAX_COUNTS = {VectorSource.ROWS: 10_000, VectorSource.EVENTS: 2_000}
MAX_BYTES_ON_LOOP = 4 * 1024 * 1024  # comparing with more takes longer than a millisecond

T = TypeVar("T")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _MemberVectors:
    """A member's vectors at one version of their memory."""

    version: int = -1
    matrices: Mapping[VectorSource, VectorMatrix] = field(
        default_factory=lambda: dict.fromkeys(VectorSource, EMPTY_MATRIX)
    )

    @property
    def size(self) -> int:
        return sum(matrix.size for matrix in self.matrices.values())


_NO_VECTORS = _MemberVectors()


class SimilarityIndex:
    """Compares messages with members' vectors.

    ``spent`` counts the tokens of each server; the embedding worker stores and resets it.
    ``queries`` are vectors by the texts of messages, until something is erased.
    """

    def __init__(self, database: Database, clock: Clock, embedder: Embedder) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._vectors: OrderedDict[Member, _MemberVectors] = OrderedDict()
        self.queries: BoundedDict[str, Floats] = BoundedDict(MAX_QUERIES_KEPT)
        self._paused_until = 0.0
        self._timeouts = 0
        self.spent: Counter[int] = Counter()

    def clear(self) -> None:
        """Drop all cached vectors: another model makes them now."""
        self._vectors.clear()
        self.queries.clear()

    async def to(self, text: str, about: Sequence[Member]) -> Similarities:
        """Return the similarity of these members' memories and messages to a text.

        It never raises. It waits QUERY_TIMEOUT_S at most for the model, and does not ask the model
        if there are no vectors to compare with.
        """
        text = text.strip()[:MAX_QUERY_CHARACTERS]
        if not text or not about or self._clock.monotonic() < self._paused_until:
            return NOTHING_SIMILAR
        try:
            model = await self._with_timeout(self._embedder.identity())
            vectors, query = await self._vectors_and_query(text, about, model)
            if query is None:
                return NOTHING_SIMILAR
            self._timeouts = 0
        except RequestRefused:  # this message is too long
            return NOTHING_SIMILAR
        except TimeoutError:
            self._timeouts += 1
            if self._timeouts >= MAX_TIMEOUTS:
                self._pause("timeouts")
            return NOTHING_SIMILAR
        except ModelError as error:
            self._pause(type(error).__name__)
            return NOTHING_SIMILAR
        except DatabaseError:  # the recall itself reports it
            return NOTHING_SIMILAR
        if sum(member_vectors.size for member_vectors in vectors) > MAX_BYTES_ON_LOOP:
            return await asyncio.to_thread(_compare, vectors, query)
        return _compare(vectors, query)

    async def nearest(self, question: str, language: str, member: Member) -> list[int]:
        """Return the ids of a member's messages that mean what is asked, nearest first.

        None, and the model is not asked, if it is not known what is near for it and the language.
        """
        try:
            model = await self._with_timeout(self._embedder.identity())
        except (ModelError, TimeoutError):  # the recall before it has said so
            return []
        if language not in MEASURED_IN.get(model.partition("@")[0], ()):
            return []
        events = (await self.to(question, [member])).events
        near = [event_id for event_id, cosine in events.items() if cosine >= LEAST_COSINE]
        return sorted(near, key=lambda event_id: -events[event_id])

    def _pause(self, reason: str) -> None:
        self._timeouts = 0
        self._paused_until = self._clock.monotonic() + PAUSE_S
        _log.warning("recall uses words alone for %.0f s: %s", PAUSE_S, reason)

    async def _vectors_and_query(
        self, text: str, about: Sequence[Member], model: str
    ) -> tuple[list[_MemberVectors], Floats | None]:
        """Return these members' vectors and the text's; without vectors, the model is not asked.

        If some are cached, the model is asked while newer ones are read. Raises ModelError,
        TimeoutError, or DatabaseError.
        """
        guild_id = about[0].guild_id
        if any(self._vectors.get(member, _NO_VECTORS).size for member in about):
            return await asyncio.gather(self._load(about, model), self._query(text, guild_id))
        vectors = await self._load(about, model)
        has_any = any(member_vectors.size for member_vectors in vectors)
        return vectors, await self._query(text, guild_id) if has_any else None

    async def _load(self, about: Sequence[Member], model: str) -> list[_MemberVectors]:
        """Return these members' vectors, updated from the database."""
        cached = {member: self._vectors.get(member, _NO_VECTORS) for member in about}
        after = await self._database.read(_load_newer, model=model, cached=cached)
        for member, vectors in after.items():
            self._vectors.pop(member, None)
            self._vectors[member] = vectors
        while (
            len(self._vectors) > 1
            and sum(member_vectors.size for member_vectors in self._vectors.values()) > MAX_BYTES
        ):
            self._vectors.popitem(last=False)
        return list(after.values())

    async def _query(self, text: str, guild_id: int) -> Floats:
        """Return a text's vector. Raises ModelError, or TimeoutError."""
        if text in self.queries:
            self.queries.move_to_end(text)
            return self.queries[text]
        call = self._embedder.embed([text], timeout_s=CLIENT_TIMEOUT_S, is_query=True)
        embedded = await self._with_timeout(call)
        self.spent[guild_id] += embedded.usage.total
        query = self.queries[text] = unit(embedded.vectors[0])
        return query

    async def _with_timeout(self, awaitable: Coroutine[Any, Any, T]) -> T:
        """Await a call of the model. Raises TimeoutError after QUERY_TIMEOUT_S."""
        task = asyncio.ensure_future(awaitable)
        timer = asyncio.ensure_future(self._clock.sleep(QUERY_TIMEOUT_S))
        try:
            await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise TimeoutError
            return task.result()
        finally:
            timer.cancel()
            task.cancel()


def _load_newer(
    connection: Connection, model: str, cached: Mapping[Member, _MemberVectors]
) -> dict[Member, _MemberVectors]:
    """Return the cached vectors with newer ones; all are read if a member's version has changed."""
    loaded = {}
    for member, vectors in cached.items():
        version = members.load_header(connection, member).version
        matrices = {}
        for source, limit in MAX_COUNTS.items():
            matrix = vectors.matrices[source] if version == vectors.version else EMPTY_MATRIX
            newer = embeddings.load_newer(
                connection, source, model, member, after=matrix.last, limit=limit
            )
            matrices[source] = matrix.with_newer(newer, limit)
        loaded[member] = _MemberVectors(version, matrices)
    return loaded


def _compare(vectors: Sequence[_MemberVectors], query: Floats) -> Similarities:
    rows: dict[int, float] = {}
    events: dict[int, float] = {}
    for member_vectors in vectors:
        rows |= member_vectors.matrices[VectorSource.ROWS].cosines(query)
        events |= member_vectors.matrices[VectorSource.EVENTS].cosines(query)
    return Similarities(rows, events)
