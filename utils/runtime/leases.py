"""Leases: only one worker of all processes does a named piece of work at a time."""

import asyncio
import logging
import os
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Concatenate, ParamSpec, TypeVar

from utils.common.errors import DatabaseError, StaleFence
from utils.database.admin import leases
from utils.database.core.engine import Connection, DatabaseService
from utils.runtime.stopping import cancel

DURATION = timedelta(seconds=30)
RENEWALS_IN_DURATION = 3
LEASE_WAIT_S = 45.0  # for commands: the lease of a killed process ends after 30 s
WAIT_STEP_S = 1.0

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


@dataclass(eq=False, repr=False)
class Leases(DatabaseService):
    """This process's claims on named pieces of work."""

    owner: str = field(default_factory=lambda: f"{os.getpid()}-{uuid.uuid4().hex}", init=False)

    @asynccontextmanager
    async def hold(self, name: str, wait_s: float = 0.0) -> AsyncIterator[int | None]:
        """Hold a lease and renew it while the block runs. Yields its fence.

        Yields None if another worker still holds the lease after ``wait_s``. If another worker
        takes the lease over while the block runs, the block is cancelled and StaleFence is raised.
        Results that must not be stored twice are written with :meth:`write` and the fence.
        """
        async with self.hold_with(name, lambda _connection: None, wait_s) as held:
            yield None if held is None else held[0]

    @asynccontextmanager
    async def hold_with(
        self, name: str, unit: Callable[[Connection], T], wait_s: float = 0.0
    ) -> AsyncIterator[tuple[int, T] | None]:
        """Hold a lease as :meth:`hold` does, and run the first unit of work as it is claimed.

        Yields the fence and the unit's result, or None.
        """
        deadline = self._clock.monotonic() + wait_s
        while (held := await self._claim_or_release(name, unit)) is None:
            if self._clock.monotonic() >= deadline:
                break
            await self._clock.sleep(WAIT_STEP_S)
        if held is None:
            yield None
            return
        fence = held[0]
        renewal = asyncio.create_task(self._renew(name, fence), name=f"renew {name}")
        try:
            async with asyncio.timeout(None) as lost:

                def on_lost(_renewal: asyncio.Task[None]) -> None:
                    with suppress(RuntimeError):  # the block has ended
                        lost.reschedule(0.0)  # cancels the block now

                renewal.add_done_callback(on_lost)
                yield held
        except TimeoutError as error:
            if not lost.expired():
                raise
            raise StaleFence from error
        finally:
            await cancel(renewal)
            await self._release(name, fence)

    async def write(
        self,
        name: str,
        fence: int,
        unit: Callable[Concatenate[Connection, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a unit of work with its arguments if this process still holds the lease.

        Raises StaleFence, and writes nothing, if another worker has taken the lease over.
        """

        def fenced(connection: Connection) -> T:
            leases.check_fence(connection, name=name, owner=self.owner, fence=fence)
            return unit(connection, *args, **kwargs)

        return await self._database.write(fenced)

    async def _claim_or_release(
        self, name: str, unit: Callable[[Connection], T]
    ) -> tuple[int, T] | None:
        """Claim a lease and run a unit; if this is cancelled, release it again."""

        def claimed(connection: Connection) -> tuple[int, T] | None:
            fence = leases.claim(connection, name, self.owner, self._clock.now(), DURATION)
            return None if fence is None else (fence, unit(connection))

        claim = asyncio.ensure_future(self._database.write(claimed))
        try:
            return await asyncio.shield(claim)
        except asyncio.CancelledError:
            with suppress(Exception):  # one that failed has claimed nothing
                if (held := await claim) is not None:
                    await self._release(name, held[0])
            raise

    async def _release(self, name: str, fence: int) -> None:
        with suppress(DatabaseError):  # the lease expires without it
            await self._database.write(
                leases.release, name=name, owner=self.owner, fence=fence, now=self._clock.now()
            )

    async def _renew(self, name: str, fence: int) -> None:
        """Renew a lease until another worker has it, then return."""
        while True:
            await self._clock.sleep(DURATION.total_seconds() / RENEWALS_IN_DURATION)
            try:
                await self._database.write(
                    leases.renew,
                    name=name,
                    owner=self.owner,
                    fence=fence,
                    until=self._clock.now() + DURATION,
                )
            except StaleFence:
                _log.warning("another worker took over the lease %s; its work stops here", name)
                return
            except DatabaseError as error:
                _log.warning("a lease could not be renewed: %s", type(error).__name__)
