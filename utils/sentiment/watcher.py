"""Watcher: receives the messages of watched channels and processes them in batches when due.

Every message is stored within half a second and deleted after its analysis. During a model outage
or with a spent budget, messages wait for up to a day, at most 2,000 in a channel; beyond that the
oldest are dropped and counted. A process only handles channels of the servers it serves, so that
listeners run in the process that is connected to the moderators' server.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import timedelta

from utils.common.errors import (
    BudgetSpent,
    DatabaseError,
    ModelError,
    ModelMalformed,
    ModelUnusable,
    RequestRefused,
)
from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.erasure.deletion import delete_expired
from utils.database.sentiment import overheard_messages, waiting_messages
from utils.memory.policy.storable_events import storable_name, storable_text
from utils.models.memory import Audience, Event, Member
from utils.runtime.backoff import MAX_PAUSE_S, Backoff
from utils.runtime.metrics import PASSIVE
from utils.runtime.worker import Infrastructure, InfrastructureService, Worker
from utils.sentiment.batch_processor import (
    BatchProcessor,
    ScoredListener,
)
from utils.sentiment.batch_schedule import BatchSchedule, ChannelKey
from utils.sentiment.message_buffer import EVERY_REVISION, MessageBuffer, queue_again
from utils.sentiment.prefilter import is_trivial, looks_heated
from utils.sentiment.watched_channels import WatchedChannelService

SWEEP_EVERY_S = 60.0
MAX_WAITING = 2_000  # of a channel
MAX_MISSED_AGE = timedelta(days=1)  # of messages that are read after the start
WORKER_COUNT = 2
MAX_IDLE_S = 30.0
RETRY_PAUSE_S = 30.0  # after an error, or while another process has the lease
BUDGET_PAUSE_S, REFUSED_PAUSE_S = 600.0, 60.0

_log = logging.getLogger(__name__)


class Watcher(InfrastructureService):
    """Receives watched messages; without a model (``processor`` None) it ignores them.

    ``counts`` counts the messages since the process started by what happened to them.
    """

    def __init__(
        self,
        infrastructure: Infrastructure,
        watched: WatchedChannelService,
        processor: BatchProcessor | None,
        counts: Counter[str],
    ) -> None:
        super().__init__(infrastructure)
        self._watched = watched
        self._processor = processor
        self.counts = counts
        self._buffer = MessageBuffer(infrastructure, counts, self._enqueue)
        self._schedule = BatchSchedule()
        self._due: asyncio.Queue[tuple[ChannelKey, int]] = asyncio.Queue()
        self._audiences: dict[ChannelKey, Audience] = {}
        self._serves: Callable[[int], bool] = lambda _: False
        self._pause = Backoff(self._clock)
        self._unverified: dict[int, tuple[int, ...]] = {}  # by server; their process has ended
        self._newest_ids: dict[tuple[int, int], int] = {}
        self._heard_ids: dict[tuple[int, int], int] = {}  # likewise, of this start
        self._dispatcher = Worker(
            infrastructure, "watch dispatcher", self._dispatch, interval_s=MAX_IDLE_S
        )
        self._workers = [
            self._dispatcher,
            Worker(infrastructure, "watch sweep", self._sweep, interval_s=SWEEP_EVERY_S),
            *(
                Worker(infrastructure, f"watch {number}", self._process_next, interval_s=0.0)
                for number in range(WORKER_COUNT)
            ),
        ]

    @property
    def can_watch(self) -> bool:
        """Whether there is a language model for the analysis."""
        return self._processor is not None

    def add_listener(self, listener: ScoredListener) -> None:
        """Call a listener with every analysed batch, after it is stored."""
        if self._processor is not None:
            self._processor.listeners.append(listener)

    async def start(self, serves: Callable[[int], bool]) -> None:
        """Load the watched channels, and start the loops; they also handle an earlier run's queue.

        ``serves`` tells whether this process serves a server.
        """
        self._serves = serves
        await self._watched.load()
        if self._processor is None:
            return
        now = self._clock.now()
        self._unverified = await self._database.read(overheard_messages.unverified, now=now)
        self._newest_ids = await self._database.read(
            waiting_messages.newest_ids, since=now - MAX_MISSED_AGE
        )
        self._buffer.worker.start()
        self._processor.notes.worker.start()
        for worker in self._workers:
            worker.start()

    async def close(self) -> None:
        """Store the buffered messages and stop; the next start analyses unfinished batches."""
        await asyncio.gather(*(worker.close() for worker in self._workers))
        await self._buffer.close()
        if self._processor is not None:
            await self._processor.notes.close()

    def record(self, message: Event, audience: Audience, *, raw_text: str | None = None) -> None:
        """Accept a message of a watched channel; ``audience`` is who reads the channel.

        ``raw_text`` is the text with Discord's mention markup, so that names in it do not count as
        the author's words. An edited message is never trivial: its earlier revision may wait.
        """
        if self._processor is None:
            return
        self.counts["heard"] += 1
        place = (message.guild_id, message.source_id)
        self._heard_ids[place] = max(message.message_id, self._heard_ids.get(place, 0))
        if not message.revision:  # an edit is the same message
            self._metrics.count_message(message.guild_id, PASSIVE)
        text = storable_text(message.text)
        if not message.revision and is_trivial(text if raw_text is None else raw_text):
            self.counts["trivial"] += 1
            return
        channel = ChannelKey(message.guild_id, message.source_id)
        self._audiences[channel] = audience
        self._buffer.put(
            replace(message, text=text, author_name=storable_name(message.author_name))
        )

    def newest_id(self, guild_id: int, place_id: int) -> int:
        """Return a channel's newest message before the last gap; 0 if none is a day old at most."""
        return self._newest_ids.get((guild_id, place_id), 0)

    def begin_gap(self, guild_ids: Collection[int]) -> None:
        """Note that messages of these servers may be missing after those that were recorded."""
        newest = {place: id_ for place, id_ in self._heard_ids.items() if place[0] in guild_ids}
        self._newest_ids |= newest

    async def delete(
        self, guild_id: int, message_ids: Sequence[int], *, up_to: int = EVERY_REVISION
    ) -> None:
        """Erase messages, or their revisions up to one: nothing is analysed, no score stays."""
        await self._buffer.delete(guild_id, message_ids, up_to=up_to)

    async def erase(self, member: Member, *, only_answers: bool = False) -> None:
        """Drop a member's messages that are not stored yet; with ``only_answers``, nothing."""
        if not only_answers:
            await self._buffer.erase(member)

    async def settle(self) -> None:
        """Process everything that waits now; returns when it is done or has to wait."""
        await self._buffer.flush()
        while self._schedule.queues and not self._pause.is_on():
            ready = self._schedule.ready(self._clock.monotonic())
            for channel in ready:
                await self._attempt(channel, self._schedule.begin(channel))
            if not ready and not any(queue.is_busy for queue in self._schedule.queues.values()):
                break
            await asyncio.sleep(0 if ready else 0.01)  # a worker has the others
        if self._processor is not None:
            await self._processor.notes.flush()

    # --- scheduling ----------------------------------------------------------------------------

    def _enqueue(self, messages: Sequence[Event]) -> None:
        """Add stored messages to their channels' queues."""
        now = self._clock.monotonic()
        by_channel: dict[ChannelKey, tuple[Event, ...]] = grouped(
            (ChannelKey(message.guild_id, message.source_id), message) for message in messages
        )
        for channel, queued in by_channel.items():
            self._schedule.add(
                channel,
                len(queued),
                now,
                is_heated=any(looks_heated(message.text) for message in queued),
            )
        self._dispatcher.wake()

    async def _dispatch(self) -> float:
        """Hand channels that are due to the workers. Returns the seconds until the next one."""
        while True:
            now = self._clock.monotonic()
            due_at = self._schedule.next_due_at()
            wait_s = MAX_IDLE_S if due_at is None else max(due_at, self._pause.until) - now
            if wait_s > 0:
                return min(wait_s, MAX_IDLE_S)
            for channel in self._schedule.due(now):
                self._due.put_nowait((channel, self._schedule.begin(channel)))

    async def _process_next(self) -> None:
        """Process the next channel that is due."""
        await self._attempt(*await self._due.get())

    async def _attempt(self, channel: ChannelKey, count: int) -> None:
        """Process a channel's oldest messages; after an error they wait for the next attempt."""
        remaining, pause_s = count, 0.0
        try:
            remaining, pause_s = await self._process(channel, count)
        except DatabaseError as error:
            pause_s = RETRY_PAUSE_S
            _log.warning("watched messages wait for the database: %s", type(error).__name__)
        except Exception:
            pause_s = RETRY_PAUSE_S
            _log.exception("watched messages could not be processed, trying again later")
        finally:
            self._schedule.end(
                channel, remaining=remaining, now=self._clock.monotonic(), pause_s=pause_s
            )
            self._dispatcher.wake()

    async def _process(self, channel: ChannelKey, count: int) -> tuple[int, float]:
        """Process a channel; returns how many messages still wait, and the pause in seconds."""
        if self._processor is None:
            return count, MAX_PAUSE_S
        try:
            unknown = Audience(channel.guild_id, channel.channel_id, frozenset())
            remaining = await self._processor.process(
                channel, self._audiences.get(channel, unknown)
            )
        except BudgetSpent:
            self.counts["budget spent"] += 1
            self._schedule.pause_guild(channel.guild_id, self._clock.monotonic() + BUDGET_PAUSE_S)
            return count, BUDGET_PAUSE_S
        except ModelUnusable:
            return count, MAX_PAUSE_S
        except (ModelMalformed, RequestRefused):
            return count, REFUSED_PAUSE_S
        except ModelError as error:
            self.counts["outage"] += 1
            _log.warning(
                "watching pauses for %.0f s: %s", self._pause.begin(), type(error).__name__
            )
            return count, 0.0
        self._pause.forget()
        return (count, RETRY_PAUSE_S) if remaining is None else (remaining, 0.0)

    # --- sweep ---------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Limit the queues, and reload what other processes changed."""
        for guild_id in [guild_id for guild_id in self._unverified if self._serves(guild_id)]:
            await self._database.write(
                queue_again,
                guild_id=guild_id,
                event_ids=self._unverified[guild_id],
            )
            self._unverified.pop(guild_id, None)

        def unit(connection: Connection) -> tuple[int, dict[tuple[int, int], int]]:
            dropped = delete_expired(
                connection, "WaitingMessage", self._clock.now(), MAX_WAITING
            ).total()
            for place, waiting in waiting_messages.queue_lengths(connection).items():
                if waiting > MAX_WAITING:
                    dropped += waiting_messages.keep_newest(connection, *place, MAX_WAITING)
            return dropped, waiting_messages.queue_lengths(connection)

        dropped, queues = await self._database.write(unit)
        if dropped:
            self.counts["dropped"] += dropped
            _log.warning("%d watched messages waited too long and were dropped", dropped)
        now = self._clock.monotonic()
        for place, waiting in queues.items():
            channel = ChannelKey(*place)
            if channel not in self._schedule.queues and self._serves(channel.guild_id):
                # is_heated: these messages have waited long enough
                self._schedule.add(channel, waiting, now, is_heated=True)
        self._dispatcher.wake()
        await self._watched.load()
