"""Examiner: one batch of one watched channel, from what waits to scores, levels and notes.

Everything happens under the channel's lease. Notes are stored first, member by member; then one
unit of work takes the messages from what waits and stores their scores and levels. A crash in
between has the batch examined again, and a message that is known as a note's ground already
teaches nothing twice. What was deleted meanwhile is neither scored nor noted.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from utils.clock import Clock
from utils.database import tension, watching
from utils.database.engine import Database, Session
from utils.drama_tracker import DramaTracker, Risen
from utils.errors import ModelMalformed, RequestRefused
from utils.guild_book import GuildBook
from utils.leases import Leases
from utils.memory.overheard import Overheard
from utils.memory.recorder import Recorder
from utils.model.watch import (
    PassiveMemory,
    Prefilter,
    ScoredBatch,
    ScoredMessage,
    WatchedChannel,
    WatchedMessage,
    WatchSettings,
)
from utils.watching.analysis import Analysis, Analyst
from utils.watching.book import WatchBook
from utils.watching.heat import deserves_call
from utils.watching.queues import Place

BATCH_CHARACTERS = 12_000
MOST_BATCHES_IN_CALL = 2  # where more waits than one batch
MOST_REFUSALS = 3

OnScored = Callable[[ScoredBatch], Awaitable[None]]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads a place: the channels whose history all of them can read, and whether it is open
    to everybody in the server."""

    sources: frozenset[int] = frozenset()
    is_open: bool = False


UNKNOWN_READERS = Readers()


@dataclass(frozen=True, slots=True)
class Books:
    """What the examiner looks things up in, and stores them through."""

    watch: WatchBook
    guilds: GuildBook
    drama: DramaTracker
    recorder: Recorder


class Examiner:
    """Examines batches; ``counts`` says what became of how many messages."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        books: Books,
        analyst: Analyst,
        *,
        batch: int,
        prefilter: Prefilter,
        counts: Counter[str],
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._books = books
        self._analyst = analyst
        self._most = batch * MOST_BATCHES_IN_CALL
        self._prefilter = prefilter
        self._counts = counts
        self._refusals: Counter[Place] = Counter()
        self.listeners: list[OnScored] = []

    async def examine(self, place: Place, readers: Readers) -> int | None:
        """Examine a place's oldest messages; returns how many wait there then.

        None when another process is at it. Raises ModelError or BudgetSpent when they have to
        wait, DatabaseError when nothing could be stored.
        """
        async with self._leases.hold(place.lease) as fence:
            if fence is None:
                return None
            oldest = await self._database.read(
                partial(
                    watching.oldest,
                    guild_id=place.guild_id,
                    place_id=place.channel_id,
                    limit=self._most,
                )
            )
            messages = _first(oldest)
            watched = self._books.watch.watched(place.guild_id, place.channel_id)
            if messages and watched is not None:
                await self._examine(place, fence, messages, watched, readers)
            return await self._database.read(
                partial(watching.count, guild_id=place.guild_id, place_id=place.channel_id)
            )

    async def _examine(
        self,
        place: Place,
        fence: int,
        messages: Sequence[WatchedMessage],
        watched: WatchedChannel,
        readers: Readers,
    ) -> None:
        settings = await self._books.watch.settings(place.guild_id)
        is_filtered = (settings.prefilter or self._prefilter) is Prefilter.HEATED
        if is_filtered and not deserves_call(messages):
            await self._drop(place, fence, messages, "calm")
            return
        analysis = await self._analyse(place, fence, messages)
        if analysis is None:
            return
        self._counts.update(analysis.refused)
        await self._note(messages, analysis, watched.memory, readers)
        scored, risen = await self._store(place, fence, messages, analysis, settings)
        self._counts["scored"] += len(scored)
        await self._tell(
            ScoredBatch(
                guild_id=place.guild_id,
                place_id=place.channel_id,
                at=self._clock.now(),
                messages=scored,
                crossings=risen.crossings,
                settings=settings,
                model=analysis.model,
                prompt_hash=analysis.prompt_hash,
            )
        )

    async def _analyse(
        self, place: Place, fence: int, messages: Sequence[WatchedMessage]
    ) -> Analysis | None:
        """Ask the model; what it answers nothing usable to is given up, and counted."""
        zone = (await self._books.guilds.get(place.guild_id)).time_zone
        self._counts["calls"] += 1
        try:
            analysis = await self._analyst.analyse(messages, zone)
        except ModelMalformed:
            await self._drop(place, fence, messages, "malformed")
            return None
        except RequestRefused:
            self._refusals[place] += 1
            if self._refusals[place] < MOST_REFUSALS:
                raise
            del self._refusals[place]
            await self._drop(place, fence, messages, "refused")
            return None
        self._refusals.pop(place, None)
        return analysis

    async def _note(
        self,
        messages: Sequence[WatchedMessage],
        analysis: Analysis,
        memory: PassiveMemory,
        readers: Readers,
    ) -> None:
        """Have what members said of themselves noted, as far as each of them allows."""
        said = {message.message_id: message for message in messages}
        for member in sorted({said[note.message_id].member for note in analysis.notes}):
            notes = tuple(one for one in analysis.notes if one.author_id == member.user_id)
            noted = {one.message_id for one in notes}
            plan = await self._books.recorder.overhear(
                Overheard(
                    member=member,
                    messages=tuple(one for one in messages if one.message_id in noted),
                    notes=notes,
                    memory=memory,
                    sources=readers.sources,
                    is_open=readers.is_open,
                    around=tuple(messages),
                    model=analysis.model,
                    prompt_hash=analysis.prompt_hash,
                )
            )
            if plan is not None:
                self._counts["noted"] += len(plan.inserts) + len(plan.confirmations)

    async def _store(
        self,
        place: Place,
        fence: int,
        messages: Sequence[WatchedMessage],
        analysis: Analysis,
        settings: WatchSettings,
    ) -> tuple[tuple[ScoredMessage, ...], Risen]:
        """Store scores and levels, and take the messages from what waits, in one unit of work."""

        def unit(session: Session) -> tuple[tuple[ScoredMessage, ...], Risen]:
            there = watching.finish(session, messages)
            scored = tuple(
                ScoredMessage(message, analysis.scores[message.message_id])
                for message in messages
                if message.message_id in there and message.message_id in analysis.scores
            )
            tension.save_scores(session, scored)
            return scored, self._books.drama.store(session, scored, settings)

        scored, risen = await self._leases.write(place.lease, fence, unit)
        self._books.drama.keep(risen.levels)
        return scored, risen

    async def _drop(
        self, place: Place, fence: int, messages: Sequence[WatchedMessage], why: str
    ) -> None:
        """Take messages from what waits without scoring them, and count them."""
        finish = partial(watching.finish, messages=messages)
        await self._leases.write(place.lease, fence, finish)
        self._counts[why] += len(messages)
        _log.info("%d watched messages are done with: %s", len(messages), why)

    async def _tell(self, batch: ScoredBatch) -> None:
        """Hand a batch on; what goes wrong there loses nothing here."""
        for listener in self.listeners:
            try:
                await listener(batch)
            except Exception:
                _log.exception("what was scored could not be handed on")


def _first(messages: Sequence[WatchedMessage]) -> list[WatchedMessage]:
    """Return the first messages that fit into one call; at least one."""
    lengths = accumulate(len(message.text) for message in messages)
    fitting = [
        one for one, total in zip(messages, lengths, strict=True) if total <= BATCH_CHARACTERS
    ]
    return fitting or list(messages[:1])
