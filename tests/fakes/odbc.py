"""pyodbc with a server behind it that answers by rule: SQLAlchemy's SQL Server dialect runs on it.

It notes every login and statement, and counts messages as Microsoft's driver 18 sends them. It is
no SQL Server: what a statement means is not looked at.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any

Rows = Sequence[tuple[Any, ...] | dict[str, Any]]
"""Rows; as dicts where the statement names its columns."""
BUSY = "[Microsoft][ODBC Driver 18][SQL Server]Connection is busy with results for another command"


class Error(Exception):
    """As pyodbc's: the SQLSTATE, and the driver's words with the server's number."""


class IntegrityError(Error):
    """What pyodbc raises for a SQLSTATE that begins with 23."""


class OdbcCursor:
    """A cursor of a fake connection; what it has prepared is forgotten when it is closed.

    As in pyodbc, the connection's timeout is that of the cursors that are made from then on.
    """

    rowcount = 1
    arraysize = 1
    fast_executemany = False

    def __init__(self, connection: "OdbcConnection") -> None:
        self._connection = connection
        self._timeout = connection.timeout
        self.description: list[tuple[Any, ...]] | None = None
        self._rows: list[tuple[Any, ...]] = []
        self._results: list[str] = []
        self._sizes: Sequence[object] | None = None
        self._is_prepared = False

    def execute(self, statement: str, *parameters: Any) -> "OdbcCursor":
        values = parameters[0] if len(parameters) == 1 else parameters
        if self._sizes and values:
            assert len(self._sizes) == len(values) == statement.count("?")
        self._connection.server.sizes = self._sizes
        self._connection.server.messages += 1 + sum(value is None for value in values)
        self._is_prepared = self._is_prepared or bool(values)
        return self._run(statement, values)

    def executemany(self, statement: str, rows: Sequence[object]) -> None:
        assert not self._sizes, "the driver is said not to take them"
        self._connection.server.messages += 4
        self._run(statement, rows)

    def _run(self, statement: str, values: Sequence[object]) -> "OdbcCursor":
        self._end_result()
        self._connection.refuse_if_busy()
        self._connection.note(statement, values, self._timeout)
        if self._connection.is_broken:
            raise fault(0, "08S01")
        self._results = statement.split(";\n")
        self.nextset()
        return self

    def nextset(self) -> bool:
        """Go to the result of a batch's next statement."""
        self._end_result()
        if not self._results:
            return False
        rows = self._connection.server.answer(self._results.pop(0))
        names = list(rows[0]) if rows and isinstance(rows[0], dict) else None
        self._rows = [tuple(row.values()) if names else row for row in rows or ()]
        names = names or [f"c{n}" for n in range(len(self._rows[0]) if self._rows else 1)]
        columns = [(name, str, None, None, None, None, True) for name in names]
        self.description = columns if rows is not None else None
        if rows is not None or self._results:
            self._connection.open_cursor = self
        return True

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(iter(self.fetchmany(1)), None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.fetchmany(len(self._rows) + 1)

    def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]:
        rows, self._rows = self._rows[:size], self._rows[size:]
        if len(rows) < size and not self._results:
            self._end_result()
        return rows

    def setinputsizes(self, sizes: Sequence[object] | None) -> None:
        self._sizes = sizes

    def close(self) -> None:
        if not hasattr(self, "description"):
            raise Error("Attempt to use a closed cursor.")
        self._connection.server.messages += self._is_prepared
        self._end_result()
        del self.description

    def _end_result(self) -> None:
        if self._connection.open_cursor is self:
            self._connection.open_cursor = None


class OdbcConnection:
    """A connection that commits nothing; ``is_broken``: its session has ended.

    Without MARS it carries one open result: that of ``open_cursor``.
    """

    def __init__(self, server: "OdbcServer") -> None:
        self.server = server
        self.timeout = 0
        self.autocommit = False
        self.is_broken = False
        self.open_cursor: OdbcCursor | None = None

    def cursor(self) -> OdbcCursor:
        return OdbcCursor(self)

    def execute(self, statement: str, *parameters: object) -> OdbcCursor:
        return self.cursor().execute(statement, *parameters)

    def commit(self) -> None:
        self.refuse_if_busy()
        self.server.messages += 1
        self.note("COMMIT")

    def rollback(self) -> None:
        if self.is_broken:
            raise fault(0, "08S01")
        self.server.messages += 1
        self.note("ROLLBACK")

    def note(self, statement: str, values: Sequence[object] = (), timeout: int = 0) -> None:
        self.server.asked.append(statement)
        self.server.values.append(tuple(values))
        self.server.timeouts.append(timeout)

    def refuse_if_busy(self) -> None:
        if self.open_cursor is not None:
            raise Error("HY000", f"[HY000] {BUSY} (0) (SQLExecDirectW)")

    def close(self) -> None:
        pass

    def add_output_converter(self, _type: int, _converter: Callable[..., object]) -> None:
        pass

    def getinfo(self, what: int) -> str:
        return {6: "libmsodbcsql-18.so", 7: "18.06.0002"}[what]


class OdbcServer:
    """What stands behind the fake driver.

    ``answers`` are pairs of a part of a statement and its rows (None: no result set), or an error
    to raise; the last pair that fits counts. ``logins`` are the options of every login,
    ``timeouts`` and ``values`` those of every statement, ``sizes`` those of the last. ``messages``
    are counted: one for each statement and the end of a transaction, one for each None, as its type
    is asked for, and one when a cursor is closed that has run a statement with parameters.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.values: list[tuple[Any, ...]] = []
        self.timeouts: list[int] = []
        self.sizes: Sequence[Any] | None = None
        self.messages = 0
        self.logins: list[dict[str, Any]] = []
        self.connections: list[OdbcConnection] = []
        self.refuses_login: Callable[[], Exception | None] = lambda: None
        self.answers: list[tuple[str, Rows | Exception | None]] = [
            ("SELECT", []),
            ("ProductVersion", [("16.0.4135.4",)]),
            ("schema_name()", [("dbo",)]),
            ("sys.system_views", [("dm_exec_sessions",)]),
            ("transaction_isolation_level", [("READ COMMITTED",)]),
            ("SELECT 1", [(1,)]),
        ]

    def answer(self, statement: str) -> Rows | None:
        fitting = [rows for part, rows in self.answers if part in statement]
        if not fitting:
            return None
        if isinstance(fitting[-1], Exception):
            raise fitting[-1]
        return fitting[-1]

    def connect(self, connection_string: str, **options: Any) -> OdbcConnection:
        self.logins.append(options | {"string": connection_string})
        refusal = self.refuses_login()
        if refusal is not None:
            raise refusal
        self.connections.append(OdbcConnection(self))
        return self.connections[-1]

    def module(self) -> SimpleNamespace:
        """Return what takes the place of the module pyodbc."""
        names = ("InterfaceError", "DatabaseError", "OperationalError", "ProgrammingError")
        names += ("InternalError", "DataError", "NotSupportedError")
        numbers = {f"SQL_{name}": n for n, name in enumerate(ODBC_TYPES)}
        return SimpleNamespace(
            version="5.5.0",
            paramstyle="qmark",
            pooling=True,
            connect=self.connect,
            drivers=lambda: ["ODBC Driver 18 for SQL Server"],
            Connection=OdbcConnection,
            Cursor=OdbcCursor,
            Error=Error,
            IntegrityError=IntegrityError,
            Binary=bytes,
            NUMBER=float,
            DATETIME=datetime,
            STRING=str,
            **dict.fromkeys(names, Error),
            **numbers,
        )


ODBC_TYPES = ("WVARCHAR", "VARCHAR", "DECIMAL", "VARBINARY", "TYPE_TIMESTAMP", "BIGINT", "SS_TIME2")


def fault(number: int, state: str = "42000", call: str = "SQLExecDirectW") -> Error:
    """Return an error as pyodbc raises it."""
    made = IntegrityError if state.startswith("23") else Error
    return made(state, f"[{state}] [Microsoft][ODBC Driver 18][SQL Server]No ({number}) ({call})")
