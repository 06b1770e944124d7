"""The review queue: what waits for a moderator, and where it was posted."""

from collections.abc import Sequence
from functools import partial

from utils.clock import Clock
from utils.database import reviews
from utils.database.engine import Database
from utils.model.policy import Posted, Review, Waiting

MOST_SHOWN = 200


class ReviewQueue:
    """Shows what waits in a server; Keeper carries out what is decided."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def waiting(self, guild_id: int) -> list[Waiting]:
        """Return what waits in a server, the oldest first, 200 at most."""
        now = self._clock.now()
        return await self._database.read(
            partial(reviews.waiting, guild_id=guild_id, now=now, limit=MOST_SHOWN)
        )

    async def find(self, guild_id: int, memory_id: int) -> Waiting | None:
        """Return one memory if it waits."""
        now = self._clock.now()
        return await self._database.read(
            partial(reviews.find, guild_id=guild_id, memory_id=memory_id, now=now)
        )

    async def standing(self, guild_id: int, memory_id: int) -> Review:
        """Return how a memory stands, and who decided it."""
        now = self._clock.now()
        return await self._database.read(
            partial(reviews.standing, guild_id=guild_id, memory_id=memory_id, now=now)
        )

    async def note_post(self, post: Posted) -> None:
        """Remember where a waiting memory was posted, so that its text can go when it does."""
        await self._database.write(partial(reviews.note_post, post=post, now=self._clock.now()))

    async def stale_posts(self, guild_ids: Sequence[int]) -> list[Posted]:
        """Return the posts of memories that wait no more: decided, forgotten, or at their end."""
        now = self._clock.now()
        return await self._database.read(partial(reviews.stale_posts, guild_ids=guild_ids, now=now))

    async def close_post(self, post: Posted) -> None:
        """Be done with a post."""
        await self._database.write(partial(reviews.close_post, post=post))
