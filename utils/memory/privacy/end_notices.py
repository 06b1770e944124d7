"""Which members have yet to hear that temporary consent ends a memory before its own date.

It is kept in process memory: a memory is noted once, so it is said at most once.
"""

from dataclasses import dataclass, field
from datetime import date

from utils.common.bounded import BoundedDict
from utils.models.memory import Member

MAX_WAITING = 1_000


@dataclass(eq=False, repr=False)
class EndNotices:
    """Keeps the date that was named last, by member and channel, until it is said there."""

    _dates: BoundedDict[tuple[Member, int], date] = field(
        default_factory=lambda: BoundedDict(MAX_WAITING), init=False
    )

    def expect(self, member: Member, channel_id: int, day: date) -> None:
        """Note that what a member said in a channel about a day ends before it."""
        self._dates[member, channel_id] = day

    def take(self, member: Member, channel_id: int) -> date | None:
        """Return the day to mention to a member in this channel now, or None."""
        return self._dates.pop((member, channel_id), None)

    async def erase(self, member: Member, *, only_answers: bool) -> None:
        """Drop what waits for a member: something that they said is erased."""
        for key in [key for key in self._dates if key[0] == member]:
            del self._dates[key]
