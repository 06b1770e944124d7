"""Whom Kith told today that the tokens are spent: each member or channel once."""

from datetime import date

from utils.common.clock import Clock
from utils.common.errors import BudgetSpent
from utils.models.memory import Event


class BudgetNotices:
    """Remembers today's notices."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: set[tuple[int, int, date]] = set()

    def is_first(self, event: Event, error: BudgetSpent) -> bool:
        """Return whether this is today's first notice: to the member for a share, else to the
        channel."""
        recipient = event.author_id if error.is_share else event.channel_id
        today = self._clock.now().date()
        key = (event.guild_id, recipient, today)
        if key in self._told:
            return False
        self._told = {notice for notice in self._told if notice[2] == today}
        self._told.add(key)
        return True
