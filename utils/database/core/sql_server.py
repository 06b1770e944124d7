"""What saves messages to SQL Server: kept cursors, NULLs in the text, few pings, batches."""

import time
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Connection, PoolProxiedConnection, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.mssql.base import MSExecutionContext
from sqlalchemy.dialects.mssql.pyodbc import MSDialect_pyodbc
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DBAPIError, DisconnectionError, ResourceClosedError
from sqlalchemy.pool import PoolResetState

from utils.database.core.compiled_statements import CompiledSelect

DRIVER_NAME = "mssql+kith"
PING_AFTER_S = 10.0
# Microsoft's driver begins a transaction when it connects and with each commit, so there always is
# one. For a driver that does not, SAVE TRANSACTION needs one; and if it uses IMPLICIT_TRANSACTIONS,
# BEGIN TRANSACTION opens two nested ones, of which its COMMIT would leave the outer one open.
BEGIN_IF_NONE = (
    "IF @@TRANCOUNT = 0 BEGIN BEGIN TRANSACTION; IF @@TRANCOUNT > 1 COMMIT TRANSACTION; END"
)
SESSION_OPTIONS = "SET NOCOUNT OFF; SET XACT_ABORT OFF"
WROTE = "a unit of work given to read() wrote; nothing of it is kept"


# How SQLAlchemy inserts rows in the order of the ids that it asks for: a NULL would be a number.
DERIVED_ROWS = " AS imp_sen("
_KEPT, _LENT, _COMMITTED = "kept cursors", "lent cursors", "committed"  # in a connection's info


class LentCursor:
    """A cursor of the driver for one statement; a connection keeps some and lends them again.

    A statement with parameters is prepared. When its cursor is closed, the driver has the server
    forget it, and the caller waits for that too: two messages, with a kept cursor one. While the
    kept one is lent, further statements get new ones.

    The driver reads the connection's timeout when it makes a cursor, and never again, so one is
    kept for each timeout: that of a unit's first statement and that of the others (outages.py).
    """

    def __init__(self, connection: PoolProxiedConnection) -> None:
        self._info = connection.info
        driver: Any = connection.dbapi_connection
        self._timeout_s: int = driver.timeout
        self._cursor: Any = self._info.setdefault(_KEPT, {}).pop(self._timeout_s, None)
        if self._cursor is None:
            self._cursor = connection.cursor()
            self._cursor.fast_executemany = True
        self._sizes: list[Any] | None = None
        self._has_failed = False
        self._info.setdefault(_LENT, set()).add(self)
        self._info.pop(_COMMITTED, None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def setinputsizes(self, sizes: list[Any]) -> None:
        """Declare the types of the parameters of what is executed next."""
        self._sizes = sizes

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> None:
        """Execute a statement, with NULL in its text for a None. Raises what the driver raises.

        For a None, pyodbc asks the server for the parameter's type, whatever setinputsizes says.
        """
        sizes = self._sizes
        are_marks = statement.count("?") == len(parameters)  # and not within a text
        if None in parameters and are_marks and DERIVED_ROWS not in statement:
            first, *texts = statement.split("?")
            pairs = zip(parameters, texts, strict=True)
            statement = first + "".join(
                ("NULL" if value is None else "?") + text for value, text in pairs
            )
            if sizes is not None:
                pairs = zip(parameters, sizes, strict=True)
                sizes = [size for value, size in pairs if value is not None] or None
            parameters = tuple(value for value in parameters if value is not None)
        self._run(self._cursor.execute, sizes, statement, parameters)

    def executemany(self, statement: str, parameters: Sequence[Any]) -> None:
        """Execute a statement for many values. Raises what the driver raises."""
        self._run(self._cursor.executemany, None, statement, parameters)

    def _run(self, execute: Callable[..., object], sizes: list[Any] | None, *given: Any) -> None:
        self._has_failed = True
        self._cursor.setinputsizes(sizes)  # a kept cursor has those of its last statement
        execute(*given)
        self._has_failed = False

    def close(self) -> None:
        """Give the cursor back; close it for good after an error, or if something is unread.

        An open result would have the connection refuse its next statement.
        """
        cursor, self._cursor = self._cursor, None
        if cursor is None:
            return
        lent = self._info.get(_LENT, ())
        is_lost = self not in lent  # the pool has another connection in its place
        if not is_lost:
            lent.remove(self)
        kept_cursors = self._info.setdefault(_KEPT, {})
        if is_lost or self._timeout_s in kept_cursors or self._has_failed or _has_unread(cursor):
            cursor.close()
        else:
            kept_cursors[self._timeout_s] = cursor


def _has_unread(cursor: Any) -> bool:
    """Return whether a row or another result with rows is left; one row is read to find out.

    Counts of rows, such as those of triggers, are passed over.
    """
    if cursor.description is not None and cursor.fetchone() is not None:
        return True
    while cursor.nextset():
        if cursor.description is not None:
            return True
    return False


class Context(MSExecutionContext):
    """Executes statements with a connection's kept cursors."""

    def create_default_cursor(self) -> Any:
        """Return a cursor for this statement."""
        try:
            return LentCursor(self._dbapi_connection)
        except NotImplementedError:  # SQLAlchemy looks at a server before its pool has connections
            return self._dbapi_connection.cursor()


def manage_sessions(engine: Engine) -> None:
    """Prepare new connections, end what units of work left open, and ping what rested."""
    listeners: dict[str, Callable[..., Any]] = {
        "connect": _set_options,
        "commit": _note_commit,
        "reset": _end_unit,
        "checkin": _note_use,
        "checkout": _ping_if_rested,
    }
    for name, listener in listeners.items():
        event.listen(engine, name, listener)


def _note_commit(connection: Connection) -> None:
    connection.info[_COMMITTED] = True


def _end_unit(connection: Any, record: Any, state: PoolResetState) -> None:
    """End what a unit of work left open when its connection comes back, unless it has committed.

    A connection carries one open result: the next unit would be refused ("Connection is busy with
    results for another command"). The pool would roll back after each commit, too: a message.
    """
    for cursor in [*record.info.get(_LENT, ())]:
        cursor.close()
    is_over = record.info.pop(_COMMITTED, False) or state.transaction_was_reset
    if not (is_over or connection.autocommit):
        connection.rollback()


class Dialect(MSDialect_pyodbc):
    """Keeps a connection's cursors, and inserts rows by one statement.

    ``executemany`` would ask the server for the types of the values.
    """

    supports_statement_cache = True
    execution_ctx_cls = Context

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)  # type: ignore[no-untyped-call]
        self.use_insertmanyvalues_wo_returning = True

    def _get_server_version_info(self, connection: Connection) -> Any:
        """Raise what the first statement raised; SQLAlchemy asks again without a connection."""
        try:
            return super()._get_server_version_info(connection)  # type: ignore[no-untyped-call]
        except ResourceClosedError as error:
            raise error.__context__ or error from None

    def do_set_input_sizes(self, cursor: Any, sizes: list[Any], context: Any) -> None:
        """Declare each text that is inserted as long as its column.

        As long as its value, each combination of lengths would be compiled, and kept as a plan. A
        text that is only compared may be longer than its column, which the driver would refuse.
        """
        if context.isinsert:
            text = self.loaded_dbapi.SQL_WVARCHAR
            sizes = [
                (key, (size, type_.length, 0) if size == text else size, type_)
                for key, size, type_ in sizes
            ]
        super().do_set_input_sizes(cursor, sizes, context)

    def do_savepoint(self, connection: Connection, name: str) -> None:
        """Set a savepoint, also as the first statement of a transaction, in one round trip."""
        connection.exec_driver_sql(f"{BEGIN_IF_NONE}; SAVE TRANSACTION {name}")


registry.register(DRIVER_NAME.replace("+", "."), __name__, Dialect.__name__)


def _set_options(connection: Any, _record: object) -> None:
    """Make a new connection independent of the server's "user options".

    With NOCOUNT the server tells no row counts, which upserts and leases decide by. With XACT_ABORT
    an existing key undoes the whole transaction instead of its savepoint.
    """
    connection.execute(SESSION_OPTIONS).close()


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used_at"] = time.monotonic()


def _ping_if_rested(connection: Any, record: Any, _proxy: object) -> None:
    """Ping a pooled connection before use only if it has not been used for some seconds.

    The engine repeats a unit of work that loses its connection, so no ping is needed before that.
    """
    used_at = record.info.get("used_at")
    if used_at is None or time.monotonic() - used_at < PING_AFTER_S:
        return
    try:
        connection.execute("SELECT 1").close()
    except Exception as error:
        raise DisconnectionError from error


def refuse_write(
    _connection: object, _cursor: object, _sql: str, _values: object, context: Any, _many: bool
) -> None:
    """Make a statement that writes fail: nothing would undo it in autocommit mode."""
    if context.isinsert or context.isupdate or context.isdelete:
        raise RuntimeError(WROTE)


# --- several SELECTs at once --------------------------------------------------------------------


def select_all(
    connection: Connection, selects: Sequence[CompiledSelect], values: Sequence[Sequence[Any]]
) -> list[Sequence[Any]]:
    """Return the rows of several SELECTs, with the values of each, that are sent as one batch."""
    text = ";\n".join(select.text for select in selects)
    result = connection.exec_driver_sql(text, tuple(chain.from_iterable(values)))
    cursor: Any = result.cursor
    try:
        rows = [selects[0].rows(cursor.fetchall())]
        for select in selects[1:]:
            cursor.nextset()
            rows.append(select.rows(cursor.fetchall()))
    except connection.dialect.loaded_dbapi.Error as error:
        connection.invalidate()
        raise DBAPIError(text, None, error) from None
    result.close()
    return rows
