"""Makes the vectors by which recall compares meanings: in the background, in batches, again when
the model changes.

Texts go to the configured model as they are stored, and nowhere else. While the model is away
everything waits, and nothing else notices. What an endpoint takes is charged to the server, not to
a member, so that it can never cost more than a fifth of the server's day.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial

from utils.budget import TokenBudget
from utils.clock import Clock
from utils.database import embeddings, usage
from utils.database.embeddings import Source, Unread
from utils.database.engine import Database
from utils.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    ModelMalformed,
    RequestRefused,
)
from utils.leases import Leases
from utils.memory.alarm import Alarm
from utils.memory.pauses import Pause, Rests
from utils.memory.similarity import SimilarityIndex
from utils.memory.vectors import packed
from utils.model.embedding import Embedder, Vector
from utils.model.llm import Usage
from utils.model.memory import Member
from utils.text import estimate_tokens

LEASE = "embedding"
PURPOSE = "embedding"
NOBODY_ID = 0  # the server itself
BATCH = 64
BATCH_TIMEOUT_S = 60.0
CHECK_TIMEOUT_S = 20.0
WALK_AGAIN_S = 6 * 3600.0
SPENT_REST_S = 600.0
LATE_IDS = 100  # SQL Server may commit a lower id after a higher one
MOST_REFUSED = 10_000

_log = logging.getLogger(__name__)


class EmbeddingMaker:
    """Sees to it that whatever may be recalled has a vector of the current model, one day.

    One process at a time does it, under a lease. ``index`` is what compares with the vectors.
    ``budget`` is None for a model that costs nothing.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        embedder: Embedder,
        budget: TokenBudget | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._embedder = embedder
        self.index = SimilarityIndex(database, clock, embedder)
        self._budget = budget
        self._task: asyncio.Task[None] | None = None
        self._alarm = Alarm(clock)
        self._one_at_a_time = asyncio.Lock()
        self._pause = Pause(clock)
        self._rests: Rests[int] = Rests(clock)  # of servers whose budget is spent
        self._batch = BATCH
        self._after = dict.fromkeys(Source, 0)
        self._walk_again_at = clock.monotonic() + WALK_AGAIN_S
        self._refused: dict[Source, set[int]] = defaultdict(set)

    async def start(self) -> None:
        """Begin to work."""
        self._task = asyncio.create_task(self._work_for_ever(), name="embedding")

    def wake(self) -> None:
        """Say that there is something new, so that it is not left to the next sweep."""
        self._alarm.ring()

    async def close(self) -> None:
        """Stop working and let the model go; what is under way is made after the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self._embedder.close()

    async def catch_up(self) -> None:
        """Make every vector that is missing now, unless another process is at it.

        Raises ModelError or DatabaseError; what is made by then is stored.
        """
        async with self._one_at_a_time:  # a second claim would take the lease from the first
            await self._catch_up()

    async def _catch_up(self) -> None:
        await self._count_queries()
        if self._clock.monotonic() >= self._walk_again_at:
            self._walk_again_at = self._clock.monotonic() + WALK_AGAIN_S
            self._after = dict.fromkeys(Source, 0)
        model = await self._embedder.identity()
        async with aclosing(self._unread(model)) as pages:
            if await anext(pages, None) is None:
                return
        async with self._leases.hold(LEASE) as fence:
            if fence is None:
                return
            async with aclosing(self._unread(model)) as pages:
                async for source, unread in pages:
                    await self._make(source, unread, model, fence)

    async def check(self) -> str:
        """Ask the model for a vector and count what waits, for ``doctor``.

        Raises ModelError or DatabaseError.
        """
        embedded = await self._embedder.embed(["ready"], timeout_s=CHECK_TIMEOUT_S)
        model, now = await self._embedder.identity(), self._clock.now()
        waiting = [
            await self._database.read(
                partial(embeddings.count_unread, source=source, model=model, now=now)
            )
            for source in Source
        ]
        return (
            f"{model} answered with {len(embedded.vectors[0])} dimensions; "
            f"{waiting[0]} memories and {waiting[1]} messages wait to be read by it"
        )

    # --- when ----------------------------------------------------------------------------------

    async def _work_for_ever(self) -> None:
        while True:
            try:
                await self.catch_up()
                self._pause.forget()
            except (ModelError, DatabaseError) as error:
                await self._leave_alone(error)
                continue
            except Exception:
                _log.exception("making vectors failed and is tried again")
            await self._alarm.rest()

    async def _leave_alone(self, error: Exception) -> None:
        """Leave the model alone for a while, longer each time it does not answer."""
        pause_s = self._pause.begin()
        _log.warning(
            "making vectors pauses for %.0f s, recall goes on without new ones: %s",
            pause_s,
            type(error).__name__,
        )
        await self._clock.sleep(pause_s)

    # --- what ----------------------------------------------------------------------------------

    async def _unread(self, model: str) -> AsyncGenerator[tuple[Source, list[Unread]], None]:
        """Walk through the texts without a vector, a page at a time, from where the last walk
        ended; each page counts as done when the next one is asked for."""
        for source in Source:
            while True:
                page = await self._database.read(
                    partial(
                        embeddings.page,
                        source=source,
                        model=model,
                        after_id=self._after[source],
                        now=self._clock.now(),
                    )
                )
                if page.last_id is None:
                    break
                unread = [one for one in page.unread if self._may_be_sent(source, one)]
                if unread:
                    yield source, unread
                self._after[source] = page.last_id
            self._after[source] = max(0, self._after[source] - LATE_IDS)

    def _may_be_sent(self, source: Source, unread: Unread) -> bool:
        rests = unread.member.guild_id in self._rests
        return not rests and unread.id not in self._refused[source]

    async def _make(self, source: Source, unread: Sequence[Unread], model: str, fence: int) -> None:
        """Have vectors made, by server and in batches, and store each batch."""
        by_guild: defaultdict[int, list[Unread]] = defaultdict(list)
        for one in unread:
            by_guild[one.member.guild_id].append(one)
        for guild_id, waiting in by_guild.items():
            while waiting:
                some, waiting = waiting[: self._batch], waiting[self._batch :]
                try:
                    made = await self._embed_within_budget(guild_id, source, some)
                except BudgetSpent:
                    self._let_rest(guild_id)
                    break
                await self._store(source, model, made, fence)

    async def _store(
        self, source: Source, model: str, made: Mapping[Unread, Vector], fence: int
    ) -> None:
        """Store vectors if this process still holds the lease. Raises StaleFence if not."""
        ready = {one: packed(vector) for one, vector in made.items()}
        now = self._clock.now()
        store = partial(embeddings.store, source=source, model=model, made=ready, now=now)
        await self._leases.write(LEASE, fence, store)

    # --- asking --------------------------------------------------------------------------------

    async def _embed_within_budget(
        self, guild_id: int, source: Source, some: Sequence[Unread]
    ) -> dict[Unread, Vector]:
        """Raises BudgetSpent before anything is sent."""
        if self._budget is None:
            return (await self._embed(source, some))[0]
        tokens = sum(estimate_tokens(one.text) for one in some)
        async with self._budget.hold(Member(guild_id, NOBODY_ID), PURPOSE, tokens, 0) as hold:
            made, hold.usage = await self._embed(source, some)
        return made

    async def _embed(
        self, source: Source, some: Sequence[Unread]
    ) -> tuple[dict[Unread, Vector], Usage]:
        """Ask for the vectors of some texts, and of their halves if the whole is refused.

        So a text that cannot be read is left out alone, and an endpoint that takes fewer at once is
        asked for fewer from then on. Raises ModelError when the fault is not the texts'.
        """
        try:
            embedded = await self._embedder.embed(
                [one.text for one in some], timeout_s=BATCH_TIMEOUT_S
            )
        except (RequestRefused, ModelMalformed) as error:
            await self._embedder.embed(["ready"], timeout_s=BATCH_TIMEOUT_S)
            made, used = await self._embed_halves(source, some)
            if isinstance(error, RequestRefused) and len(made) == len(some):
                self._batch = min(self._batch, (len(some) + 1) // 2)
            return made, used
        return dict(zip(some, embedded.vectors, strict=True)), embedded.usage

    async def _embed_halves(
        self, source: Source, some: Sequence[Unread]
    ) -> tuple[dict[Unread, Vector], Usage]:
        middle = len(some) // 2
        if not middle:
            self._refuse(source, some[0])
            return {}, Usage()
        first, used_first = await self._embed(source, some[:middle])
        second, used_second = await self._embed(source, some[middle:])
        return first | second, used_first + used_second

    def _refuse(self, source: Source, unread: Unread) -> None:
        """Do not ask for this text again while this process runs."""
        _log.warning("the embedding model cannot read one of the %s", source.value)
        if len(self._refused[source]) >= MOST_REFUSED:
            self._refused[source].clear()
        self._refused[source].add(unread.id)

    def _let_rest(self, guild_id: int) -> None:
        """Leave a server whose budget is spent for a while, then walk past its texts again."""
        self._rests.begin(guild_id, SPENT_REST_S)
        again_at = self._clock.monotonic() + SPENT_REST_S
        self._walk_again_at = min(self._walk_again_at, again_at)

    async def _count_queries(self) -> None:
        """Store what comparing messages has cost since the last time."""
        spent, self.index.spent = self.index.spent, Counter()
        day = self._clock.now().date()
        for guild_id, tokens in spent.items():
            await self._database.write(
                partial(
                    usage.add_use,
                    guild_id=guild_id,
                    day=day,
                    user_id=NOBODY_ID,
                    purpose=PURPOSE,
                    usage=Usage(tokens),
                )
            )
