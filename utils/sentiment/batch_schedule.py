"""When a watched channel's messages are analysed: full, quiet, or waiting long enough. Pure.

A full batch is due at once. A batch that is half full or looks heated is due after a quiet moment.
A smaller calm batch is due when its first message has waited for the maximum time: one model call
then serves more messages, and nothing urgent waits.
"""

from dataclasses import dataclass, field

BATCH_SIZE = 20  # messages of a full batch
QUIET_S = 60.0  # after which a smaller one is due
MAX_WAIT_S = 600.0


@dataclass(frozen=True, slots=True, order=True)
class ChannelKey:
    """A watched channel, as the key of its queue."""

    guild_id: int
    channel_id: int

    @property
    def lease(self) -> str:
        """The name of the lease under which its messages are analysed."""
        return f"watch:{self.guild_id}:{self.channel_id}"


@dataclass(slots=True)
class ChannelQueue:
    """The waiting messages of a channel; times are monotonic seconds.

    ``is_busy``: a batch is being analysed. The next attempt is not before ``paused_until``.
    """

    count: int
    first_at: float
    last_at: float
    is_heated: bool
    is_busy: bool = False
    paused_until: float = 0.0

    def due_at(self) -> float:
        """Return when the next batch is due."""
        if self.count >= BATCH_SIZE:
            due = self.last_at
        else:
            due = self.last_at + QUIET_S
            if not self.is_heated and self.count * 2 < BATCH_SIZE:
                due = max(due, self.first_at + MAX_WAIT_S)
        return max(due, self.paused_until)


@dataclass(slots=True)
class BatchSchedule:
    """The queues of all channels that have waiting messages."""

    queues: dict[ChannelKey, ChannelQueue] = field(default_factory=dict)

    def add(self, channel: ChannelKey, count: int, now: float, *, is_heated: bool) -> None:
        """Add ``count`` messages to a channel's queue."""
        queue = self.queues.get(channel)
        if queue is None:
            self.queues[channel] = ChannelQueue(count, now, now, is_heated)
            return
        if queue.count == 0:
            queue.first_at = now
        queue.count += count
        queue.last_at = now
        queue.is_heated = queue.is_heated or is_heated

    def due(self, now: float) -> list[ChannelKey]:
        """Return the channels that are due now, the longest due first."""
        due = [
            (queue.due_at(), channel)
            for channel, queue in self.queues.items()
            if not queue.is_busy and queue.count > 0 and queue.due_at() <= now
        ]
        return [channel for _, channel in sorted(due)]

    def ready(self, now: float) -> list[ChannelKey]:
        """Return the channels with waiting messages that are neither busy nor paused."""
        return [
            channel
            for channel, queue in self.queues.items()
            if not queue.is_busy and queue.count and queue.paused_until <= now
        ]

    def next_due_at(self) -> float | None:
        """Return when the next channel is due; None when nothing waits."""
        waiting = [
            queue.due_at()
            for queue in self.queues.values()
            if not queue.is_busy and queue.count > 0
        ]
        return min(waiting, default=None)

    def begin(self, channel: ChannelKey) -> int:
        """Mark a channel as busy and reset its count; returns how many messages waited."""
        queue = self.queues[channel]
        count = queue.count
        queue.is_busy, queue.count, queue.is_heated = True, 0, False
        return count

    def end(self, channel: ChannelKey, *, remaining: int, now: float, pause_s: float = 0.0) -> None:
        """Mark a channel as free and pause it for ``pause_s``.

        ``remaining`` messages wait, including those that arrived while it was busy.
        """
        queue = self.queues[channel]
        queue.is_busy = False
        queue.count = max(remaining, queue.count)
        queue.first_at = now
        queue.paused_until = now + pause_s
        if not queue.count:
            del self.queues[channel]

    def pause_guild(self, guild_id: int, until: float) -> None:
        """Pause all channels of a server until then."""
        for channel, queue in self.queues.items():
            if channel.guild_id == guild_id:
                queue.paused_until = until
