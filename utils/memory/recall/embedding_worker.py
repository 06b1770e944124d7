"""Makes the embedding vectors of memories and messages, in batches in the background.

When the model changes, all vectors are made again. An endpoint may have another model under the
same name: at the start and every WALK_AGAIN_S, a few stored vectors are compared with new ones of
their texts. Texts go only to the configured model. While the model is away, the work waits and
nothing else is affected. Tokens are charged to the server, not to a member, so embedding costs at
most a fifth of the server's daily budget.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from utils.common.errors import (
    BudgetSpent,
    DatabaseError,
    ModelMalformed,
    RequestRefused,
)
from utils.common.text import estimate_tokens
from utils.database.admin import token_usage
from utils.database.memories import embeddings
from utils.database.memories.embeddings import MissingVector, VectorSource
from utils.llm.token_budget import TokenBudget
from utils.memory.recall.similarity import SimilarityIndex
from utils.memory.recall.vectors import is_same_model, packed
from utils.models.llm import Embedder, Usage, Vector
from utils.models.memory import Member
from utils.runtime.backoff import Backoff, KeyedBackoff
from utils.runtime.signals import MemorySignals
from utils.runtime.worker import Infrastructure, Worker

LEASE = "embedding"
PURPOSE = "embedding"
NOBODY_ID = 0  # the server itself
BATCH = 64
SWEEP_EVERY_S = 30.0
GATHER_S = 3.0
REPORT_EVERY_S = 30.0
BATCH_TIMEOUT_S = 60.0
CHECK_TIMEOUT_S = 20.0
CHECKED_SENTENCE, MESSAGE_LENGTH = "My cat is called Momo. ", 2000
MIN_CUT_LENGTH = 100  # characters
WALK_AGAIN_S = 6 * 3600.0
SPENT_REST_S = 600.0
LATE_IDS = 100  # SQL Server may commit a lower id after a higher one
MAX_REFUSED = 10_000

_log = logging.getLogger(__name__)


class EmbeddingWorker:
    """Gives every memory and message that can be recalled a vector of the current model.

    One process at a time works, under a lease. ``index`` compares messages with the vectors.
    ``budget`` is None for a model that costs nothing.
    """

    def __init__(
        self,
        infrastructure: Infrastructure,
        embedder: Embedder,
        budget: TokenBudget | None,
        signals: MemorySignals,
    ) -> None:
        self._database = infrastructure.database
        self._clock = clock = infrastructure.clock
        self._leases = infrastructure.leases
        self._embedder = embedder
        self.index = SimilarityIndex(self._database, clock, embedder)
        self._budget = budget
        self._worker = Worker(
            infrastructure,
            "embedding",
            self.catch_up,
            interval_s=SWEEP_EVERY_S,
            backoff=Backoff(clock),
            gather_s=GATHER_S,
        )
        signals.recorded.connect(self._worker.wake)
        self._one_at_a_time = asyncio.Lock()
        self._paused_guilds: KeyedBackoff[int] = KeyedBackoff(
            clock
        )  # of servers whose budget is spent
        self._batch = BATCH
        self._after = dict.fromkeys(VectorSource, 0)
        self._walk_again_at = clock.monotonic() + WALK_AGAIN_S
        self._checked_model = ""  # whose stored vectors were compared since the last walk
        self._refused: dict[VectorSource, set[int]] = defaultdict(set)

    def start(self) -> None:
        """Embed in the background what has no vector yet."""
        self._worker.start()

    async def close(self) -> None:
        """Stop, and close the embedder. The next start repeats what is cancelled here."""
        await self._worker.close()
        await self._embedder.close()

    async def catch_up(self) -> None:
        """Make every missing vector now, unless another process holds the lease.

        Raises ModelError or DatabaseError; vectors made before the error are stored.
        """
        async with self._one_at_a_time:  # a second claim would take the lease from the first
            await self._catch_up()

    async def _catch_up(self) -> None:
        # The tokens that queries have cost since the last call.
        spent, self.index.spent = self.index.spent, Counter()
        day = self._clock.now().date()
        for guild_id, tokens in spent.items():
            await self._database.write(
                token_usage.add_use,
                guild_id=guild_id,
                day=day,
                user_id=NOBODY_ID,
                purpose=PURPOSE,
                usage=Usage(tokens),
            )
        if self._clock.monotonic() >= self._walk_again_at:
            self._walk_again_at = self._clock.monotonic() + WALK_AGAIN_S
            self._after = dict.fromkeys(VectorSource, 0)
            self._checked_model = ""
        model = await self._embedder.identity()
        if self._checked_model != model:
            await self._compare_stored(model)
        async with aclosing(self._unread(model)) as pages:
            if await anext(pages, None) is None:
                return
        async with self._leases.hold(LEASE) as fence:
            if fence is None:
                return
            count, report_at = 0, self._clock.monotonic() + REPORT_EVERY_S
            async with aclosing(self._unread(model)) as pages:
                async for source, unread in pages:
                    await self._make(source, unread, model, fence)
                    count += len(unread)
                    if self._clock.monotonic() >= report_at:
                        report_at = self._clock.monotonic() + REPORT_EVERY_S
                        waiting = sum(await self._count_waiting(model))
                        _log.info("embedding: %d texts read, %d wait", count, waiting)

    async def _compare_stored(self, model: str) -> None:
        """Delete the model's vectors if another model has its name now; raises as `catch_up`."""
        sample = await self._database.read(embeddings.load_sample, model=model)
        if not sample:
            self._checked_model = model  # this process makes the first vectors
            return
        async with self._leases.hold(LEASE) as fence:
            if fence is None:
                return
            for source, text, stored in sample:
                try:
                    vectors = await self._embed_within_budget(text.member.guild_id, source, [text])
                except BudgetSpent:
                    continue
                if text in vectors and not is_same_model(stored, vectors[text]):
                    _log.warning("another model answers as %s: all texts are embedded again", model)
                    while await self._leases.write(
                        LEASE, fence, embeddings.delete_some, model=model
                    ):
                        pass
                    self._after = dict.fromkeys(VectorSource, 0)
                    self.index.clear()
                    break
        self._checked_model = model

    async def check(self) -> str:
        """Ask the model for a vector and count what waits, if a database is open, for ``doctor``.

        The text is as long as a message may be. Raises ModelError.
        """
        text = (CHECKED_SENTENCE * MESSAGE_LENGTH)[:MESSAGE_LENGTH]
        embedded = await self._embedder.embed([text], timeout_s=CHECK_TIMEOUT_S)
        model = await self._embedder.identity()
        answered = f"{model} answered with {len(embedded.vectors[0])} dimensions"
        try:
            waiting = await self._count_waiting(model)
        except DatabaseError:  # the check of the database says why
            return answered
        return f"{answered}; {waiting[0]} memories and {waiting[1]} messages wait to be read by it"

    async def _count_waiting(self, model: str) -> list[int]:
        now = self._clock.now()
        return [
            await self._database.read(embeddings.count_missing, source=source, model=model, now=now)
            for source in VectorSource
        ]

    # --- what ----------------------------------------------------------------------------------

    async def _unread(
        self, model: str
    ) -> AsyncGenerator[tuple[VectorSource, list[MissingVector]], None]:
        """Walk through the texts without a vector, a page at a time, from where the last walk
        ended; each page counts as done when the next one is asked for."""
        for source in VectorSource:
            while True:
                last_id, missing = await self._database.read(
                    embeddings.load_page,
                    source=source,
                    model=model,
                    after_id=self._after[source],
                    now=self._clock.now(),
                )
                if last_id is None:
                    break
                unread = [
                    text
                    for text in missing
                    if text.member.guild_id not in self._paused_guilds
                    and text.id not in self._refused[source]
                ]
                if unread:
                    yield source, unread
                self._after[source] = last_id
            self._after[source] = max(0, self._after[source] - LATE_IDS)

    async def _make(
        self, source: VectorSource, unread: Sequence[MissingVector], model: str, fence: int
    ) -> None:
        """Make vectors by server and in batches, and store each batch."""
        by_guild: defaultdict[int, list[MissingVector]] = defaultdict(list)
        for text in unread:
            by_guild[text.member.guild_id].append(text)
        for guild_id, waiting in by_guild.items():
            while waiting:
                batch, waiting = waiting[: self._batch], waiting[self._batch :]
                try:
                    vectors = await self._embed_within_budget(guild_id, source, batch)
                except BudgetSpent:
                    # The server is skipped for a while, then its texts are looked at again.
                    self._paused_guilds.begin(guild_id, SPENT_REST_S)
                    again_at = self._clock.monotonic() + SPENT_REST_S
                    self._walk_again_at = min(self._walk_again_at, again_at)
                    break
                packed_vectors = {text: packed(vector) for text, vector in vectors.items()}
                await self._leases.write(
                    LEASE,
                    fence,
                    embeddings.store,
                    source=source,
                    model=model,
                    vectors=packed_vectors,
                    now=self._clock.now(),
                )

    # --- requests --------------------------------------------------------------------------------

    async def _embed_within_budget(
        self, guild_id: int, source: VectorSource, texts: Sequence[MissingVector]
    ) -> dict[MissingVector, Vector]:
        """Return the vectors. Raises BudgetSpent before anything is sent."""
        if self._budget is None:
            return (await self._embed(source, texts))[0]
        tokens = sum(estimate_tokens(text.text) for text in texts)
        async with self._budget.hold(Member(guild_id, NOBODY_ID), PURPOSE, tokens, 0) as hold:
            vectors, hold.usage = await self._embed(source, texts)
        return vectors

    async def _embed(
        self, source: VectorSource, texts: Sequence[MissingVector]
    ) -> tuple[dict[MissingVector, Vector], Usage]:
        """Return the vectors of these texts; if the model refuses them, try each half.

        So only a text that the model cannot read is left out. If the halves succeed, later batches
        are smaller. Raises ModelError when the texts are not the cause.
        """
        try:
            embedded = await self._embedder.embed(
                [text.text for text in texts], timeout_s=BATCH_TIMEOUT_S
            )
        except (RequestRefused, ModelMalformed) as error:
            await self._embedder.embed(["ready"], timeout_s=BATCH_TIMEOUT_S)
            vectors, used = await self._embed_halves(source, texts)
            if isinstance(error, RequestRefused) and len(vectors) == len(texts):
                self._batch = min(self._batch, (len(texts) + 1) // 2)
            return vectors, used
        return dict(zip(texts, embedded.vectors, strict=True)), embedded.usage

    async def _embed_halves(
        self, source: VectorSource, texts: Sequence[MissingVector]
    ) -> tuple[dict[MissingVector, Vector], Usage]:
        middle = len(texts) // 2
        if not middle:
            # The model may still read the beginning of a text.
            unread = texts[0]
            text = unread.text
            while len(text) > MIN_CUT_LENGTH:
                text = text[: len(text) // 2]
                try:
                    embedded = await self._embedder.embed([text], timeout_s=BATCH_TIMEOUT_S)
                except (RequestRefused, ModelMalformed):
                    continue
                _log.warning(
                    "the embedding model reads only the beginning of one of the %s", source
                )
                return {unread: embedded.vectors[0]}, embedded.usage
            # It is skipped until the next start.
            _log.warning("the embedding model cannot read one of the %s", source.value)
            if len(self._refused[source]) >= MAX_REFUSED:
                self._refused[source].clear()
            self._refused[source].add(unread.id)
            return {}, Usage()
        first, used_first = await self._embed(source, texts[:middle])
        second, used_second = await self._embed(source, texts[middle:])
        return first | second, used_first + used_second
