"""One connection carries one open result, on SQLite as with SQL Server's driver without MARS.

There a statement is refused while rows of another wait to be read ("Connection is busy with results
for another command"); SQLite allows it. A result is open from the statement on that has columns
until the driver has said that no row is left, or the cursor is closed: also one that nobody holds
any more, since the garbage collector may close it later than the next statement.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Pool, event
from sqlalchemy.engine.default import DefaultDialect

from tests import judged_statements


class Cursor(sqlite3.Cursor):
    """A cursor that tells its connection when its result is open, and when no longer."""

    connection: "Connection"

    def execute(self, sql: str, parameters: Any = ()) -> "Cursor":
        """Execute a statement, which ends this cursor's own result, but needs all others ended."""
        self._end_result()
        self.connection.refuse_open_result(f"{sql!r} is run")
        super().execute(sql, parameters)
        if self.description is not None:
            self.connection.open_result = (self, sql)
        return self

    def executemany(self, sql: str, parameters: Any) -> "Cursor":
        """Execute a statement for many values."""
        self._end_result()
        self.connection.refuse_open_result(f"{sql!r} is run")
        super().executemany(sql, parameters)
        return self

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except StopIteration:
            self._end_result()
            raise

    def fetchone(self) -> Any:
        """Return the next row; only None says that there is no other."""
        row = super().fetchone()
        if row is None:
            self._end_result()
        return row

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return the next rows; fewer than asked for are the last."""
        wanted = self.arraysize if size is None else size
        rows = super().fetchmany(wanted)
        if len(rows) < wanted:
            self._end_result()
        return rows

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        rows = super().fetchall()
        self._end_result()
        return rows

    def close(self) -> None:
        """Close the cursor and with it its result."""
        self._end_result()
        super().close()

    def _end_result(self) -> None:
        is_own = self.connection.open_result and self.connection.open_result[0] is self
        if is_own:
            self.connection.open_result = None


class Connection(sqlite3.Connection):
    """A connection that knows which of its results is open, and complains about a second use."""

    open_result: tuple[Cursor, str] | None = None

    def cursor(self, factory: type[Cursor] = Cursor) -> Cursor:  # type: ignore[override]
        """Return a cursor that is watched."""
        return super().cursor(factory)

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Execute a statement with a cursor of its own."""
        return self.cursor().execute(sql, parameters)

    def commit(self) -> None:
        """Commit."""
        self.refuse_open_result("a transaction is committed")
        super().commit()

    def refuse_open_result(self, what: str) -> None:
        """Complain about what the connection is used for, if it carries an open result."""
        if self.open_result is not None:
            judged_statements.complain(
                f"{what} while the result of {self.open_result[1]!r} is open: read all of its rows "
                "(.all(), .first(), .scalar()), or close it"
            )
            self.open_result = None  # one mistake is complained about once


def _refuse_open_result(connection: object, *_: object) -> None:
    if isinstance(connection, Connection):
        connection.refuse_open_result("a unit of work returns")


@pytest.fixture(scope="session")
def results_are_watched() -> Iterator[None]:
    """Connect to SQLite with watched connections, and look at what a unit of work gives back."""
    connect = DefaultDialect.connect

    def connect_watched(dialect: DefaultDialect, *given: Any, **options: Any) -> Any:
        if dialect.name == "sqlite":
            options["factory"] = Connection
        return connect(dialect, *given, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DefaultDialect, "connect", connect_watched)
        event.listen(Pool, "reset", _refuse_open_result)
        yield
        event.remove(Pool, "reset", _refuse_open_result)
