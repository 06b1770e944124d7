"""Queue of posts to send or update; a delay combines a burst of updates into one edit."""

from utils.common.clock import Clock

Key = tuple[int, int]


class PostQueue:
    """Keys with the time at which each is due. Putting a key again never delays it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due: dict[Key, float] = {}

    def put(self, key: Key, within_s: float) -> None:
        """Make a key due in so many seconds, unless it is due earlier."""
        due = self._clock.monotonic() + within_s
        self._due[key] = min(due, self._due.get(key, due))

    def pop_due(self) -> list[Key]:
        """Remove and return the keys that are due, the earliest first."""
        now = self._clock.monotonic()
        due = sorted((at, key) for key, at in self._due.items() if at <= now)
        for _, key in due:
            del self._due[key]
        return [key for _, key in due]

    def next_in_s(self) -> float | None:
        """Return the seconds until the next key is due, or None if there is none."""
        if not self._due:
            return None
        return max(0.0, min(self._due.values()) - self._clock.monotonic())
