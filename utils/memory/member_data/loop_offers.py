"""Counts which open loops answers were offered and which they asked about; stores it in batches."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from utils.database.core.engine import Connection, Database
from utils.database.memories import members
from utils.database.messages import open_loops
from utils.models.episode import LoopState, OpenLoop
from utils.models.memory import Member

MAX_OFFERS = 3
OFFER_WINDOW = timedelta(days=14)
LAST_OFFER_AFTER = timedelta(hours=8)
"""The last offer waits for a later conversation."""


def may_offer(loop: OpenLoop, now: datetime) -> bool:
    """Whether an answer may ask about a loop: at most three offers, within two weeks."""
    if loop.first_offered_at is None or loop.last_offered_at is None:
        return True
    if loop.offers >= MAX_OFFERS or now - loop.first_offered_at >= OFFER_WINDOW:
        return False
    return loop.offers < MAX_OFFERS - 1 or now - loop.last_offered_at >= LAST_OFFER_AFTER


@dataclass(slots=True)
class _Unwritten:
    """What happened to a loop since the last write."""

    member: Member
    first_at: datetime
    last_at: datetime
    offers: int = 0
    is_asked: bool = False


@dataclass(eq=False, repr=False)
class LoopOffers:
    """Open loops that stood in the prompts of sent answers.

    A loop is settled once an answer asked about it, or once it was offered often enough.
    """

    _database: Database
    _unwritten: dict[int, _Unwritten] = field(default_factory=dict, init=False)

    def is_settled(self, loop: OpenLoop, now: datetime) -> bool:
        """Whether recall should no longer offer a loop, at that time."""
        unwritten = self._unwritten.get(loop.id)
        if unwritten is None:
            return not may_offer(loop, now)
        offered = replace(
            loop,
            offers=loop.offers + unwritten.offers,
            first_offered_at=loop.first_offered_at or unwritten.first_at,
            last_offered_at=unwritten.last_at,
        )
        return unwritten.is_asked or not may_offer(offered, now)

    def note(self, offered: Iterable[OpenLoop], asked: Iterable[OpenLoop], now: datetime) -> None:
        """Record that an answer was sent with these loops in its prompt, and which it asked."""
        for loop in offered:
            unwritten = self._unwritten.setdefault(loop.id, _Unwritten(loop.member, now, now))
            unwritten.offers += 1
            unwritten.last_at = now
        for loop in asked:
            self._unwritten.setdefault(loop.id, _Unwritten(loop.member, now, now)).is_asked = True

    async def write(self) -> None:
        """Store what was recorded. Raises DatabaseError and keeps it then."""
        unwritten = {loop_id: replace(entry) for loop_id, entry in self._unwritten.items()}
        if unwritten:
            await self._database.write(_write, unwritten=unwritten)
        for loop_id, stored in unwritten.items():
            entry = self._unwritten[loop_id]
            entry.offers -= stored.offers
            if not entry.offers and entry.is_asked == stored.is_asked:
                del self._unwritten[loop_id]


def _write(connection: Connection, unwritten: dict[int, _Unwritten]) -> None:
    for member in sorted({entry.member for entry in unwritten.values()}):
        members.lock(connection, member)  # this makes their prepared memory stale
    for loop_id, entry in sorted(unwritten.items()):
        open_loops.record_offers(
            connection, loop_id, entry.offers, first_at=entry.first_at, last_at=entry.last_at
        )
    asked_ids = sorted(loop_id for loop_id, entry in unwritten.items() if entry.is_asked)
    open_loops.set_state(connection, asked_ids, LoopState.RAISED)
    open_loops.set_state(connection, sorted(unwritten), LoopState.CLOSED, min_offers=MAX_OFFERS)
