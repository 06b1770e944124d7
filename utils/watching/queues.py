"""When a watched channel's messages are analysed: full, quiet, or waiting long enough. Pure.

A batch is due when it is full; a quiet moment after the last message when it is at least half
full or something in it looks heated; and else, a calm handful, when its first message has waited
for the whole patience: one call then serves more of them, and nothing urgent waits.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A watched channel, as the key of what waits of it."""

    guild_id: int
    channel_id: int

    @property
    def lease(self) -> str:
        """The name of the lease under which its messages are analysed."""
        return f"watch:{self.guild_id}:{self.channel_id}"


@dataclass(frozen=True, slots=True)
class Pace:
    """How many messages make a batch, and how long fewer of them wait, in seconds."""

    batch: int = 20
    quiet_s: float = 60.0
    patience_s: float = 600.0


@dataclass(slots=True)
class Queue:
    """What waits of a place; times are monotonic seconds.

    ``is_busy``: it is being analysed. Nothing is tried before ``rests_until``.
    """

    count: int
    first_at: float
    last_at: float
    is_heated: bool = False
    is_busy: bool = False
    rests_until: float = 0.0

    def due_at(self, pace: Pace) -> float:
        """Return when it is to be analysed."""
        if self.count >= pace.batch:
            due = self.last_at
        else:
            due = self.last_at + pace.quiet_s
            if not self.is_heated and self.count * 2 < pace.batch:
                due = max(due, self.first_at + pace.patience_s)
        return max(due, self.rests_until)


@dataclass(slots=True)
class Queues:
    """The queues of every place of which something waits."""

    pace: Pace
    queues: dict[Place, Queue] = field(default_factory=dict)

    def add(self, place: Place, count: int, now: float, *, is_heated: bool) -> None:
        """Let further messages of a place wait."""
        queue = self.queues.get(place)
        if queue is None:
            self.queues[place] = Queue(count, now, now, is_heated)
            return
        if queue.count == 0:
            queue.first_at = now
        queue.count += count
        queue.last_at = now
        queue.is_heated = queue.is_heated or is_heated

    def due(self, now: float) -> list[Place]:
        """Return the places that are to be analysed now, the longest due first."""
        found = [
            (queue.due_at(self.pace), place)
            for place, queue in self.queues.items()
            if not queue.is_busy and queue.count > 0 and queue.due_at(self.pace) <= now
        ]
        return [place for _, place in sorted(found)]

    def ready(self, now: float) -> list[Place]:
        """Return the places of which something waits that nobody is at and that do not rest."""
        return [
            place
            for place, queue in self.queues.items()
            if not queue.is_busy and queue.count and queue.rests_until <= now
        ]

    def any_busy(self) -> bool:
        """Whether some place is being examined."""
        return any(queue.is_busy for queue in self.queues.values())

    def next_due_at(self) -> float | None:
        """Return when the next place is due; None when nothing waits."""
        waiting = [one for one in self.queues.values() if not one.is_busy and one.count > 0]
        return min((one.due_at(self.pace) for one in waiting), default=None)

    def begin(self, place: Place) -> int:
        """Take a place up; returns how many messages waited. What comes meanwhile counts anew."""
        queue = self.queues[place]
        count = queue.count
        queue.is_busy, queue.count, queue.is_heated = True, 0, False
        return count

    def end(self, place: Place, *, left: int, now: float, rest_s: float = 0.0) -> None:
        """Put a place down again, of which ``left`` messages wait, those that came meanwhile among
        them; nothing is tried again before ``rest_s``."""
        queue = self.queues[place]
        queue.is_busy = False
        queue.count = max(left, queue.count)
        queue.first_at = now
        queue.rests_until = now + rest_s
        if not queue.count:
            del self.queues[place]

    def rest(self, guild_id: int, until: float) -> None:
        """Let all places of a server alone until then."""
        for place, queue in self.queues.items():
            if place.guild_id == guild_id:
                queue.rests_until = until
