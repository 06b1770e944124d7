"""Faults on demand: at a statement of a unit of work or at its commit, as drivers raise them."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError, OperationalError

from tests.fakes.statements import watched_statements
from utils.database.core import error_codes, server_errors
from utils.database.core.engine import Database

CONNECT, COMMIT = "connect", "commit"
Step = tuple[int, int | str]
"""A unit of work, by its number, and a statement of it, by its number; or CONNECT or COMMIT."""


def server_fault(number: int, state: str = "HY000") -> DBAPIError:
    """An error with a native number, as SQL Server's driver raises it."""
    words = f"[{state}] [Microsoft][ODBC Driver 18 for SQL Server]It failed ({number}) (SQLExecute)"
    return DBAPIError("?", None, Exception(state, words))


def lost_connection() -> DBAPIError:
    return server_fault(0, "08S01")


def sqlite_fault(code: int, words: str) -> OperationalError:
    cause = sqlite3.OperationalError(words)
    cause.sqlite_errorcode = code
    return OperationalError("?", None, cause)


def every_fault() -> list[DBAPIError]:
    """One of each: every number after which a unit of work is tried again, and what SQLite says."""
    return [
        *(
            server_fault(error.number)
            for error in server_errors.TABLE
            if error_codes.CLASSES.get(error.kind) in error_codes.TRIED_AGAIN
        ),
        lost_connection(),
        sqlite_fault(sqlite3.SQLITE_BUSY, "database is locked"),
        sqlite_fault(sqlite3.SQLITE_LOCKED, "database table is locked"),
    ]


class Faulty:
    """Counts the steps of all units of work, and raises what it was told at one of them.

    A unit that is tried again after a fault keeps its number.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.at: Step | None = None
        self.faults: list[Exception] = []
        self.commits_first = False
        self._held: tuple[Step, threading.Event, threading.Event] | None = None
        self._unit = -1
        self._statement = 0
        self._has_failed = False

    def begin(
        self,
        at: Step | None = None,
        given: Iterable[Exception] = (),
        *,
        commits_first: bool = False,
    ) -> None:
        """Start to count anew; ``given`` are raised at the step, one try after another.

        ``commits_first``: a commit goes through all the same.
        """
        self.at, self.faults, self.steps = at, list(given), []
        self.commits_first, self._held = commits_first, None
        self._unit, self._has_failed = -1, False

    def hold(self, at: Step) -> tuple[threading.Event, threading.Event]:
        """Start to count anew, and hold one commit: returns when it begins, and lets it go on."""
        self.begin()
        self._held = (at, threading.Event(), threading.Event())
        return self._held[1:]

    def connects(self, *_: object) -> None:
        self._unit += not self._has_failed
        self._has_failed = False
        self._statement = 0
        self._reach(CONNECT)

    def executes(self, connection: Connection, *_: object) -> None:
        self._statement += 1
        self._reach(self._statement, connection)

    def commits(self, connection: Connection) -> None:
        here = (self._unit, COMMIT)
        if self._held is not None and here == self._held[0]:
            _, begun, may_end = self._held  # which :meth:`begin` may let go of meanwhile
            begun.set()
            may_end.wait()
        if self.commits_first and here == self.at and self.faults:
            connection.connection.dbapi_connection.commit()
        self._reach(COMMIT)

    def _reach(self, step: int | str, connection: Connection | None = None) -> None:
        self.steps.append((self._unit, step))
        if (self._unit, step) == self.at and self.faults:
            self._has_failed = True
            fault = self.faults.pop(0)
            if (
                connection is not None
                and error_codes.classify_error(fault) is error_codes.ErrorClass.LOST
            ):
                connection.invalidate(fault)
            raise fault


@contextmanager
def faulty(database: Database) -> Iterator[Faulty]:
    """Watch a database's units of work, and let them fail as told."""
    made = Faulty()
    listeners = (
        ("checkout", made.connects),
        ("commit", made.commits),
    )
    for engine in engines(database):
        for name, listener in listeners:
            event.listen(engine, name, listener)
    try:
        with watched_statements(engines(database), made.executes):
            yield made
    finally:
        for engine in engines(database):
            for name, listener in listeners:
                event.remove(engine, name, listener)


def engines(database: Database) -> set[Engine]:
    """The engines that write and read: on SQLite, one."""
    assert database._engine is not None
    assert database._reading_engine is not None
    return {database._engine, database._reading_engine}


class Away:
    """A database that does not answer until it is back; who asks it is patient for a moment."""

    def __init__(self, database: Database, patience_s: float = 0.05) -> None:
        database._patience_s = patience_s
        self.asked = 0
        self._engines = engines(database)
        for engine in self._engines:
            event.listen(engine, "checkout", self._refuse)

    def back(self) -> None:
        for engine in self._engines:
            if event.contains(engine, "checkout", self._refuse):
                event.remove(engine, "checkout", self._refuse)

    def _refuse(self, *_: object) -> None:
        self.asked += 1
        raise lost_connection()


@contextmanager
def away(database: Database) -> Iterator[Away]:
    """Have a database not answer until the block ends, or sooner."""
    made = Away(database)
    try:
        yield made
    finally:
        made.back()
