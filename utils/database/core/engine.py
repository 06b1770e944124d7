"""The only access to the database: runs units of work in threads, off the event loop.

A unit of work is one synchronous function of a :class:`sqlalchemy.Connection`; it uses Core
statements, returns plain data and never commits. ``read`` and ``write`` run it again from the start
after a transient fault, so it must have no effects outside the transaction. Once a unit's patience
ran out, the database counts as unavailable, and others are refused at once until it is back
(outages.py).
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from itertools import count
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from sqlalchemy import Connection as Connection  # the parameter of each unit of work
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from utils.common.clock import Clock
from utils.common.errors import DatabaseError, DatabaseUnavailable, DatabaseUnusable, MissingRight
from utils.database.core import drivers, error_codes, migrations, opening, outages
from utils.database.core.error_codes import ErrorClass
from utils.database.core.outages import Outage
from utils.database.core.scrubber import (
    SCRUBBED_AT_ONCE_BYTES,
    Scrubber,
    empty_log,
    owed,
    rebuild_file,
    settle,
)
from utils.database.core.sql_server import WROTE
from utils.database.schema import fts_index

P = ParamSpec("P")
T = TypeVar("T")

BUSY_TIMEOUT_S = 2.0
START_PATIENCE_S = 60.0  # with a server that answers, but not yet for this database
START_NOTICE_S = 3.0
CHEAP_BYTES = 32 * 1024 * 1024  # what is checked at every start, or rebuilt in memory
CLOSED = "My memory is closed because I am shutting down."

_log = logging.getLogger(__name__)


class Database:
    """A SQLite file or a SQL Server database, and the threads that talk to it.

    ``patience_s`` is how long a unit of work is tried again after passing faults (a lock, a
    deadlock, a lost connection) before DatabaseUnavailable is raised.
    """

    def __init__(self, url: str, *, pool_size: int, clock: Clock, patience_s: float = 10.0) -> None:
        self._url = drivers.parse_url(url)
        self._clock = clock
        self._patience_s = patience_s
        self._is_sqlite = self._url.get_backend_name() == "sqlite"
        self._pool_size = pool_size
        self._engine: Engine | None = None
        self._reading_engine: Engine | None = None
        self._scrubber = Scrubber(self.compact, self._file_bytes, clock)
        self._closing = False
        self._logged: set[str] = set()
        self._readers = ThreadPoolExecutor(pool_size, "kith-database")
        # SQLite has one writer at a time: queueing here is fair, its own busy wait is polling.
        self._writers = (
            ThreadPoolExecutor(1, "kith-database-write") if self._is_sqlite else self._readers
        )
        probe = partial(self._probe, self._readers, self._read)
        self._reading = self._writing = Outage("reading", clock, probe)
        if self._is_sqlite:  # a file that another program locks can still be read
            probe = partial(self._probe, self._writers, self._write)
            self._writing = Outage("writing", clock, probe)

    # --- opening and closing -------------------------------------------------------------------

    async def open(self, *, upgrade: bool = True) -> tuple[str | None, str | None]:
        """Connect, check the database, and bring its schema forward unless ``upgrade`` is False.

        Returns the schema's revisions as ``migrate`` does; without an upgrade two times None.
        Raises DatabaseUnusable when it cannot be used as it is (the sentence says what to do) and
        DatabaseUnavailable when it is locked or away.
        """
        try:
            connections = self._pool_size + self._is_sqlite
            busy_s = min(BUSY_TIMEOUT_S, self._patience_s)
            self._engine = drivers.make_engine(self._url, connections, busy_s)
            self._reading_engine = drivers.make_reading_engine(self._engine)
            if self._is_sqlite:
                await self._run(self._writers, self._examine)
            else:
                notice = asyncio.create_task(self._notice_start(), name="notice a slow start")
                try:
                    await self._run(self._writers, self._examine, is_start=True)
                finally:
                    notice.cancel()
            return await self.migrate() if upgrade else (None, None)
        except DatabaseUnavailable as error:
            await self.close()
            raise opening.explained(error, self._url) from error.__cause__
        except BaseException:
            await self.close()
            raise

    async def _notice_start(self) -> None:
        """Log after a while that a server has to be waited for, and how long."""
        await self._clock.sleep(START_NOTICE_S)
        words = "the database server %s has not answered for %.0f s; waiting up to %.0f s"
        _log.error(words, self._url.host, START_NOTICE_S, self._patience_s)

    async def close(self) -> None:
        """Let the running and queued units of work end, then close every connection."""
        if not (self._closing or self._writing.is_on):
            await self.finish_scrubbing()
        self._closing = True
        await self._reading.close()
        await self._writing.close()
        await asyncio.get_running_loop().run_in_executor(None, self._shut)

    def _shut(self) -> None:
        self._readers.shutdown(wait=True)
        self._writers.shutdown(wait=True)
        for engine in (self._engine, self._reading_engine):
            if engine is not None:
                engine.dispose()

    def _examine(self) -> None:
        """Create SQLite's folder and file if needed, and check that the database can be used."""
        if not self._is_sqlite:
            with self._connect() as connection:
                migrations.refuse_unknown(connection)
            return
        file = drivers.sqlite_file(self._url)
        size = opening.prepare_file(file)
        with self._connect() as connection:
            opening.prepare_sqlite(connection, file)
            if size <= CHEAP_BYTES:
                opening.quick_check(connection)

    @property
    def is_open(self) -> bool:
        """Whether units of work can run."""
        return not (self._closing or self._engine is None)

    @property
    def away(self) -> dict[str, bool]:
        """Whether the database is known to be away, for reading and for writing."""
        return {"reading": self._reading.is_on, "writing": self._writing.is_on}

    async def wait_until_back(self) -> None:
        """Return when the database is not known to be away."""
        await asyncio.gather(self._reading.over.wait(), self._writing.over.wait())

    # --- units of work -------------------------------------------------------------------------

    async def read(
        self, unit: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``unit(connection, *args, **kwargs)``, which only reads, in a thread.

        On SQLite it sees one snapshot. Raises DatabaseError or one of its subclasses; what the unit
        itself raises passes. If the waiting task is cancelled, the unit ends or never starts.
        """
        work = partial(self._read, unit, *args, **kwargs)
        return await self._run(self._readers, work, self._reading)

    async def write(
        self, unit: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run ``unit(connection, *args, **kwargs)``, and commit it whole, or not at all.

        SQLite locks from the start. Raises as :meth:`read` does. Cancelling never splits it: it is
        committed whole, or undone.
        """
        work = partial(self._write, unit, *args, **kwargs)
        return await self._run(self._writers, work, self._writing)

    async def compact(self, *, rebuild: bool = True) -> None:
        """Remove erased text from the disk; SQL Server needs nothing.

        SQLite keeps erased text in three places: its full-text index, which is optimised; its
        write-ahead log, which is emptied; and copies in pages whose rows were moved, even with
        secure_delete. Only rebuilding the file removes the copies. A rebuild blocks writes for
        about a second per 100 MB; ``rebuild=False`` leaves it to a later call.
        Raises DatabaseUnavailable if readers block it for too long.
        """
        if self._is_sqlite:
            count = await self.read(owed)
            steps: list[Callable[[Connection], None]] = [fts_index.optimize, empty_log]
            if rebuild:
                steps.insert(1, partial(rebuild_file, in_memory=self._file_bytes() <= CHEAP_BYTES))
            for step in steps:
                await self._run(self._writers, partial(self._run_alone, step))
            if rebuild and count:
                await self.write(settle, count)

    def scrub_soon(self) -> None:
        """Overwrite in the background what a committed erasure left on the disk.

        An answer to a person never waits for it. It is done within a minute, at the latest when the
        database closes, and after the next start (:meth:`scrub_if_owed`) if the process was killed.
        """
        if self._is_sqlite and not self._closing:
            self._scrubber.request()

    def scrub_soon_if(self, erased: T) -> T:
        """Scrub soon if anything was erased; returns ``erased``, what a unit of work did."""
        if erased:
            self.scrub_soon()
        return erased

    async def finish_scrubbing(self) -> None:
        """Do now what :meth:`scrub_soon` was asked for."""
        await self._scrubber.finish()

    async def scrub_if_owed(self) -> None:
        """Scrub soon if the file is marked: a process erased and ended before it was overwritten.

        Raises DatabaseError.
        """
        if self._is_sqlite and await self.read(owed) > 0:
            self.scrub_soon()

    async def scrub(self, *, at_most_bytes: int = SCRUBBED_AT_ONCE_BYTES) -> bool:
        """Overwrite now what erasures left on the disk; return whether nothing is left.

        For jobs and commands that say so when they are done. Never fails: an error is logged, and
        the nightly pruning scrubs again.

        Args:
            at_most_bytes: larger SQLite files are not rebuilt now.
        """
        return not self._is_sqlite or await self._scrubber.scrub(at_most_bytes)

    def _file_bytes(self) -> int:
        return drivers.sqlite_file(self._url).stat().st_size

    @contextmanager
    def _connect(
        self, begin: str | None = None, *, only_reads: bool = False
    ) -> Iterator[Connection]:
        """Yield a connection; on SQLite, execute ``begin`` (the driver does not begin by itself).

        An event listener would do the same for a third of a read's whole cost.
        """
        engine = self._reading_engine if only_reads else self._engine
        if engine is None:
            raise DatabaseUnavailable(CLOSED)
        with engine.connect() as connection:
            if begin is not None and self._is_sqlite:
                _driver_connection(connection).execute(begin)
            yield connection

    def _read(self, unit: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        with self._connect("BEGIN", only_reads=True) as connection:
            if not self._is_sqlite:
                return unit(connection, *args, **kwargs)
            driver = _driver_connection(connection)
            changes = driver.total_changes
            result = unit(connection, *args, **kwargs)
            if driver.total_changes != changes:
                raise RuntimeError(WROTE)
            return result

    def _write(self, unit: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        # IMMEDIATE: two deferred writers would lose an update silently.
        with self._connect("BEGIN IMMEDIATE") as connection:
            transaction = connection.begin()
            result = unit(connection, *args, **kwargs)
            try:
                transaction.commit()
            except DBAPIError as error:
                connection.invalidate()  # the pool would lend it again amid this transaction
                if error_codes.may_have_committed(error):
                    raise DatabaseUnavailable(error_codes.COMMIT_UNKNOWN) from None
                raise
            return result

    def _run_alone(self, step: Callable[[Connection], None]) -> None:
        """Run what SQLite does outside of a transaction only."""
        with self._connect() as connection:
            step(connection)

    async def _run(
        self,
        threads: ThreadPoolExecutor,
        work: Callable[[], T],
        outage: Outage | None = None,
        *,
        is_start: bool = False,
    ) -> T:
        """Run ``work`` in a thread, and again after passing faults until patience runs out.

        Then an ``outage`` of such work begins, in which none of it is tried. At the start
        (``is_start``) a server that is not ready yet, or slow, gets more time.
        """
        deadline = self._clock.monotonic() + self._patience_s
        for tries in count(1):
            if not self.is_open:
                raise DatabaseUnavailable(CLOSED)
            try:
                return await self._in_thread(threads, work, outage, deadline)
            except Exception as error:
                failure = error
            # Outside the handler, or the driver's words would travel along as the context.
            passing = error_codes.classify_error(failure) in (
                error_codes.TRIED_AGAIN_AT_START if is_start else error_codes.TRIED_AGAIN
            )
            if is_start and passing and tries == 1:
                is_there = error_codes.classify_error(failure) is not ErrorClass.LOST
                extra_s = max(0.0, START_PATIENCE_S - self._patience_s) if is_there else 0.0
                words = "the database server %s is not ready: %s; trying again for up to %.0f s"
                reason = error_codes.reason(failure)
                _log.error(words, self._url.host, reason, self._patience_s + extra_s)
                deadline += extra_s
            left_s = deadline - self._clock.monotonic()
            is_over = left_s < error_codes.FIRST_WAIT_S or (
                tries >= error_codes.MAX_TRIES and not is_start
            )
            if not passing or is_over:
                raise await self._translated(failure, outage)
            await self._clock.sleep(error_codes.backoff_s(tries, left_s))
        raise AssertionError("unreachable")

    async def _translated(self, failure: Exception, outage: Outage | None) -> Exception:
        """Return the error for people; begins the outage that it is a sign of, or logs it."""
        translated = error_codes.translate(failure, self._url.username)
        is_new = translated is not failure and not self._closing
        # These say that every other unit of work would fail now too. A lock on SQLite covers the
        # whole file; on SQL Server it covers a few rows.
        away = (error_codes.AWAY, error_codes.LOCKED if self._is_sqlite else error_codes.LOGIN)
        if outage is not None and is_new:
            if isinstance(translated, DatabaseUnavailable) and str(translated) in away:
                outage.begin(translated)
            elif str(translated) == error_codes.SLOW:
                await outage.begin_if_silent(DatabaseUnavailable(error_codes.AWAY))
        words = ""
        if isinstance(translated, MissingRight):
            words = translated.for_operator
        elif type(translated) is DatabaseError and not self._is_sqlite:
            words = f"the database refused a statement: {error_codes.reason(failure)}"
        if words and words not in self._logged:
            self._logged.add(words)
            _log.error("%s", words)
        return translated

    async def _in_thread(
        self,
        threads: ThreadPoolExecutor,
        work: Callable[[], T],
        outage: Outage | None,
        deadline: float,
    ) -> T:
        def checked() -> T:
            if outage is not None:  # it may have begun while this waited for a thread
                outage.check()
            outages.set_patience(lambda: deadline - self._clock.monotonic())
            return work()

        if outage is not None:
            outage.check()
        return await asyncio.get_running_loop().run_in_executor(threads, checked)

    async def _probe(self, threads: ThreadPoolExecutor, run: Callable[..., object]) -> None:
        deadline = self._clock.monotonic() + self._patience_s
        await self._in_thread(threads, partial(run, migrations.current), None, deadline)

    # --- schema --------------------------------------------------------------------------------

    async def schema_is_current(self) -> bool:
        """Return whether the schema is the one this program needs."""
        return await self.read(migrations.current) == migrations.head()

    async def migrate(self) -> tuple[str | None, str]:
        """Upgrade the schema; return the revision before (None: empty) and after.

        Two processes may try at once: one takes the lease and upgrades, the other waits and finds
        the schema upgraded. Raises DatabaseUnusable when the schema is newer than this program.
        """
        try:
            upgrade = partial(self._write, migrations.upgrade_to_head)
            before, after = await self._run(self._writers, upgrade, is_start=not self._is_sqlite)
            if before not in (None, after):
                self.scrub_soon()
            return before, after
        except (DatabaseUnavailable, DatabaseUnusable):
            raise
        except (DatabaseError, IntegrityError, migrations.LostRace):
            # A compatible server may have no leases: the process that lost the race was rolled back
            # and finds the schema of the other.
            if self._is_sqlite or not await self.schema_is_current():
                raise
            return migrations.head(), migrations.head()

    async def check(self) -> str:
        """Examine the database for ``doctor`` and describe it in one line.

        Raises DatabaseUnusable when it is damaged, or newer than this program, and
        DatabaseUnavailable when nothing can be written, such as to a full disk.
        """
        description = await self.read(opening.describe)
        if await self.schema_is_current():
            await self.write(opening.write_test_row)
        return description


@dataclass(eq=False, repr=False)
class DatabaseService:
    """Base of services on the database: holds it and the clock."""

    _database: Database
    _clock: Clock


class _OnDatabase(Protocol):
    _database: Database


S = TypeVar("S", bound=_OnDatabase)


def reads(
    unit: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make a unit of work an asynchronous method of its service, which runs it by Database.read.

    Callers leave the connection out. The unit runs in a thread, and again after a transient fault.
    Raises what Database.read raises.
    """
    return _as_method(unit, Database.read)


def writes(
    unit: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Make a unit of work an asynchronous method as :func:`reads` does, by Database.write."""
    return _as_method(unit, Database.write)


def as_method(
    run: Callable[..., Coroutine[Any, Any, T]], unit: Callable[Concatenate[Connection, P], T]
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Return a service's method that is nothing but a unit of work of utils/database.

    ``run`` is Database.read or Database.write. Callers leave the connection out.
    """

    @wraps(unit)
    def of_service(_: S, connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return unit(connection, *args, **kwargs)

    return _as_method(of_service, run)


def _as_method(
    unit: Callable[Concatenate[S, Connection, P], T], run: Callable[..., Coroutine[Any, Any, T]]
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    @wraps(unit)
    async def method(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await run(self._database, lambda it: unit(self, it, *args, **kwargs))

    return method


def _driver_connection(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.dbapi_connection)
