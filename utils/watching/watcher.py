"""Watcher: hears watched channels, and sees to it that what waits is examined in time.

Every message is durable within half a second and is deleted when it was analysed. What a model
outage or a spent budget holds up waits, at most 2,000 messages of a channel and a day; what is
over that is dropped, the oldest first, and counted. Only channels of servers that this process
serves are examined here, so that whoever is told of scores is where the moderators are.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from utils.clock import Clock
from utils.database import watching
from utils.database.engine import Database, Session
from utils.drama_tracker import DramaTracker
from utils.errors import BudgetSpent, DatabaseError, ModelError, RequestRefused
from utils.memory.pauses import LONGEST_PAUSE_S, Pause
from utils.memory.retention import UNREAD
from utils.memory.storable import storable_name, storable_text
from utils.metrics import PASSIVE, Metrics
from utils.model.memory import Audience
from utils.model.watch import WatchedMessage
from utils.watching.book import WatchBook
from utils.watching.examiner import UNKNOWN_READERS, Examiner, OnScored, Readers
from utils.watching.heat import is_trivial, looks_heated
from utils.watching.intake import Intake
from utils.watching.queues import Pace, Place, Queues

SWEEP_EVERY_S = 60.0
MOST_WAITING = 2_000  # of a channel
WORKERS = 2
LONGEST_NAP_S = 30.0
OTHERS_REST_S = 30.0
SPENT_REST_S, REFUSED_REST_S = 600.0, 60.0

_log = logging.getLogger(__name__)


class Watcher:
    """Takes what is said in watched channels; without a model (``examiner`` None), nothing.

    ``counts`` says what became of how many messages since the process started.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        book: WatchBook,
        drama: DramaTracker,
        examiner: Examiner | None,
        *,
        pace: Pace,
        counts: Counter[str],
        metrics: Metrics | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._book = book
        self._drama = drama
        self._examiner = examiner
        self.counts = counts
        self._metrics = metrics or Metrics(clock)
        self._intake = Intake(database, clock, counts, self._expect)
        self._queues = Queues(pace)
        self._due: asyncio.Queue[tuple[Place, int]] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._readers: dict[Place, Readers] = {}
        self._serves: Callable[[int], bool] = lambda _: False
        self._tasks: list[asyncio.Task[None]] = []
        self._pause = Pause(clock)

    @property
    def can_watch(self) -> bool:
        """Whether there is a language model to analyse anything with."""
        return self._examiner is not None

    def on_scored(self, listener: OnScored) -> None:
        """Have every analysed batch handed on, once it is stored."""
        if self._examiner is not None:
            self._examiner.listeners.append(listener)

    async def start(self, serves: Callable[[int], bool]) -> None:
        """Load levels and channels, take up what an earlier run left, and begin to work.

        ``serves`` says whether a server is one of this process's.
        """
        self._serves = serves
        await self._book.load()
        await self._drama.start()
        if self._examiner is None:
            return
        loops = [self._intake.run(), self._schedule(), self._sweep_for_ever()]
        loops += [self._work() for _ in range(WORKERS)]
        self._tasks = [asyncio.create_task(one, name="watching") for one in loops]

    async def close(self) -> None:
        """Make durable what was heard, and stop; the next start analyses what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        try:
            await self._intake.flush()
        except DatabaseError as error:
            lost = self._intake.unwritten
            _log.error("%d watched messages are lost: %s", lost, type(error).__name__)

    def hear(self, message: WatchedMessage, audience: Audience, *, bare: str | None = None) -> None:
        """Take what was said in a watched channel; ``audience`` is who reads the channel.

        ``bare`` is the text with mentions as Discord writes them, whose names are no words of
        the author's. An edited message is never trivial: its earlier words may wait.
        """
        if self._examiner is None:
            return
        self.counts["heard"] += 1
        if not message.revision:  # an edit is the same message
            self._metrics.heard(message.guild_id, PASSIVE)
        text = storable_text(message.text)
        if not message.revision and is_trivial(text if bare is None else bare):
            self.counts["trivial"] += 1
            return
        place = Place(message.guild_id, message.place_id)
        self._readers[place] = Readers(audience.sources, audience.is_open)
        self._intake.put(
            replace(message, text=text, author_name=storable_name(message.author_name))
        )

    async def forget(self, guild_id: int, message_ids: Sequence[int]) -> None:
        """Forget deleted messages: what waits of them is not analysed, and their scores go."""
        await self._intake.forget(guild_id, message_ids)

    async def settle(self) -> None:
        """Examine everything that waits, at once; returns when it is done or has to wait."""
        await self._intake.flush()
        while self._queues.queues and not self._pause.is_on():
            now = self._clock.monotonic()
            ready = self._queues.ready(now)
            for place in ready:
                await self._attempt(place, self._queues.begin(place))
            if not ready and not self._queues.any_busy():
                return
            await asyncio.sleep(0 if ready else 0.01)  # a worker is at the others

    # --- scheduling ----------------------------------------------------------------------------

    def _expect(self, messages: Sequence[WatchedMessage]) -> None:
        """Let stored messages wait for their batch."""
        now = self._clock.monotonic()
        by_place: dict[Place, list[WatchedMessage]] = {}
        for one in messages:
            by_place.setdefault(Place(one.guild_id, one.place_id), []).append(one)
        for place, said in by_place.items():
            is_heated = any(looks_heated(one.text) for one in said)
            self._queues.add(place, len(said), now, is_heated=is_heated)
        self._wake.set()

    async def _schedule(self) -> None:
        """Hand places that are due to the workers, for ever."""
        while True:
            now = self._clock.monotonic()
            due_at = self._queues.next_due_at()
            nap_s = LONGEST_NAP_S if due_at is None else max(due_at, self._pause.until) - now
            if nap_s <= 0:
                for place in self._queues.due(now):
                    self._due.put_nowait((place, self._queues.begin(place)))
                continue
            await self._nap(min(nap_s, LONGEST_NAP_S))

    async def _nap(self, seconds: float) -> None:
        """Wait, or until something new waits."""
        waits = {
            asyncio.ensure_future(self._clock.sleep(seconds)),
            asyncio.ensure_future(self._wake.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        self._wake.clear()

    async def _work(self) -> None:
        """Examine places that are due, one after another, for ever."""
        while True:
            await self._attempt(*await self._due.get())

    async def _attempt(self, place: Place, count: int) -> None:
        """Examine a place's oldest messages; what cannot be done now waits."""
        left, rest_s = count, 0.0
        try:
            left, rest_s = await self._examine(place, count)
        except DatabaseError as error:
            rest_s = OTHERS_REST_S
            _log.warning("watched messages wait for the database: %s", type(error).__name__)
        except Exception:
            rest_s = OTHERS_REST_S
            _log.exception("watched messages could not be examined, and are tried again")
        finally:
            self._queues.end(place, left=left, now=self._clock.monotonic(), rest_s=rest_s)
            self._wake.set()

    async def _examine(self, place: Place, count: int) -> tuple[int, float]:
        """Examine a place; returns how many messages wait there then, and for how long."""
        if self._examiner is None:
            return count, LONGEST_PAUSE_S
        try:
            left = await self._examiner.examine(place, self._readers.get(place, UNKNOWN_READERS))
        except BudgetSpent:
            self.counts["budget spent"] += 1
            self._queues.rest(place.guild_id, self._clock.monotonic() + SPENT_REST_S)
            return count, SPENT_REST_S
        except RequestRefused:
            return count, REFUSED_REST_S
        except ModelError as error:
            self._leave_alone(error)
            return count, 0.0
        self._pause.forget()
        return (count, OTHERS_REST_S) if left is None else (left, 0.0)

    def _leave_alone(self, error: ModelError) -> None:
        """Leave the model alone for a while, longer each time it does not answer."""
        self.counts["outage"] += 1
        _log.warning("watching pauses for %.0f s: %s", self._pause.begin(), type(error).__name__)

    # --- what was left -------------------------------------------------------------------------

    async def _sweep_for_ever(self) -> None:
        """Keep what waits within its bounds, and see what other processes changed."""
        while True:
            try:
                await self._sweep()
                await self._book.load()
                await self._drama.start()
            except DatabaseError as error:
                _log.warning("watching could not be tidied: %s", type(error).__name__)
            await self._clock.sleep(SWEEP_EVERY_S)

    async def _sweep(self) -> None:
        def unit(session: Session) -> tuple[int, list[watching.Queue]]:
            dropped = watching.drop_old(session, self._clock.now() - UNREAD)
            for one in watching.queues(session):
                if one.count > MOST_WAITING:
                    dropped += watching.keep_newest(
                        session, one.guild_id, one.place_id, MOST_WAITING
                    )
            return dropped, watching.queues(session)

        dropped, found = await self._database.write(unit)
        if dropped:
            self.counts["dropped"] += dropped
            _log.warning("%d watched messages waited for too long, and were dropped", dropped)
        now = self._clock.monotonic()
        for one in found:
            place = Place(one.guild_id, one.place_id)
            if place not in self._queues.queues and self._serves(one.guild_id):
                self._queues.add(place, one.count, now, is_heated=True)  # it has waited enough
        self._wake.set()
