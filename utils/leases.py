"""Holding a lease while a piece of work runs: one worker at a time, over all processes."""

import asyncio
import logging
import os
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import TypeVar

from utils.clock import Clock
from utils.database import leases
from utils.database.engine import Database, Session
from utils.errors import DatabaseError

DURATION = timedelta(seconds=30)
RENEWALS_IN_DURATION = 3

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Leases:
    """This process's claims on named pieces of work."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.owner = f"{os.getpid()}-{uuid.uuid4().hex}"

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[int | None]:
        """Hold a lease for the block and renew it meanwhile; yields its fence, or None.

        None means that somebody else holds it. What must not be done twice is written by
        :meth:`write` with the fence.
        """
        claiming = asyncio.ensure_future(self._claim(name))
        try:
            fence = await asyncio.shield(claiming)
        except asyncio.CancelledError:
            if (taken := await claiming) is not None:
                await self._release(name, taken)
            raise
        if fence is None:
            yield None
            return
        renewing = asyncio.create_task(self._renew(name, fence), name=f"renew {name}")
        try:
            yield fence
        finally:
            renewing.cancel()
            await asyncio.wait([renewing])  # awaiting it would swallow our own cancellation
            await self._release(name, fence)

    async def write(self, name: str, fence: int, unit: Callable[[Session], T]) -> T:
        """Run a unit of work if the lease is still this process's.

        Raises StaleFence, and writes nothing, where it was held up for so long that another took
        over.
        """

        def fenced(session: Session) -> T:
            leases.check_fence(session, name=name, owner=self.owner, fence=fence)
            return unit(session)

        return await self._database.write(fenced)

    async def _claim(self, name: str) -> int | None:
        return await self._database.write(
            partial(
                leases.claim,
                name=name,
                owner=self.owner,
                now=self._clock.now(),
                duration=DURATION,
            )
        )

    async def _release(self, name: str, fence: int) -> None:
        with suppress(DatabaseError):  # it ends by itself all the same
            await self._database.write(
                partial(
                    leases.release,
                    name=name,
                    owner=self.owner,
                    fence=fence,
                    now=self._clock.now(),
                )
            )

    async def _renew(self, name: str, fence: int) -> None:
        while True:
            await self._clock.sleep(DURATION.total_seconds() / RENEWALS_IN_DURATION)
            try:
                await self._database.write(
                    partial(
                        leases.renew,
                        name=name,
                        owner=self.owner,
                        fence=fence,
                        until=self._clock.now() + DURATION,
                    )
                )
            except DatabaseError as error:
                _log.warning("a lease could not be renewed: %s", type(error).__name__)
