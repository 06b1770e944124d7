"""What saves round trips to SQL Server: NULLs in the text, few pings, statements sent together."""

import time
from collections.abc import Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.mssql.pyodbc import MSDialect_pyodbc
from sqlalchemy.engine import Engine, ExecutionContext
from sqlalchemy.engine.interfaces import ExecuteStyle
from sqlalchemy.exc import DBAPIError, DisconnectionError

from utils.database.core.compiled_select import CompiledSelect

DRIVER_NAME = "mssql+kith"
PING_AFTER_S = 10.0
# SAVE TRANSACTION does not begin a transaction by itself. The driver's manual commit is the mode
# IMPLICIT_TRANSACTIONS, in which BEGIN TRANSACTION opens two nested ones (Microsoft, "SET
# IMPLICIT_TRANSACTIONS"): the driver's one COMMIT would leave the outer one open.
BEGIN_IF_NONE = (
    "IF @@TRANCOUNT = 0 BEGIN BEGIN TRANSACTION; IF @@TRANCOUNT > 1 COMMIT TRANSACTION; END"
)
SESSION_OPTIONS = "SET NOCOUNT OFF; SET XACT_ABORT OFF"
WROTE = "a unit of work given to read() wrote; nothing of it is kept"


class Dialect(MSDialect_pyodbc):
    """Writes NULL into a statement instead of sending None, and begins transactions only once.

    For a None, pyodbc asks the server for the parameter's type, whatever setinputsizes says.
    """

    supports_statement_cache = True

    def do_set_input_sizes(self, cursor: Any, list_of_tuples: Any, context: Any) -> None:
        """Declare the types of the parameters that are sent."""
        if context.execute_style is ExecuteStyle.EXECUTE:
            values = context.parameters[0]
            if _can_write_nulls(context.statement, values):
                pairs = zip(list_of_tuples, values, strict=True)
                list_of_tuples = [type_ for type_, value in pairs if value is not None]
        super().do_set_input_sizes(cursor, list_of_tuples, context)

    def do_execute(
        self, cursor: Any, statement: str, parameters: Any, context: ExecutionContext | None = None
    ) -> None:
        """Execute a statement without its None parameters."""
        is_single = context is None or context.execute_style is ExecuteStyle.EXECUTE
        if is_single and _can_write_nulls(statement, parameters):
            first, *texts = statement.split("?")
            pairs = zip(parameters, texts, strict=True)
            statement = first + "".join(
                ("NULL" if value is None else "?") + text for value, text in pairs
            )
            parameters = tuple(value for value in parameters if value is not None)
        cursor.execute(statement, parameters)

    def do_savepoint(self, connection: Connection, name: str) -> None:
        """Set a savepoint, also as the first statement of a transaction, in one round trip."""
        connection.exec_driver_sql(f"{BEGIN_IF_NONE}; SAVE TRANSACTION {name}")


registry.register(DRIVER_NAME.replace("+", "."), __name__, Dialect.__name__)


def _can_write_nulls(statement: str, parameters: Any) -> bool:
    """Return whether there is a None to write, and each question mark is a parameter."""
    return None in parameters and statement.count("?") == len(parameters)


def settle_sessions(engine: Engine) -> None:
    """Make every new connection independent of the server's "user options".

    With NOCOUNT the server tells no row counts, which upserts and leases decide by. With XACT_ABORT
    an existing key undoes the whole transaction instead of its savepoint.
    """
    event.listen(engine, "connect", _set_options)


def _set_options(connection: Any, _record: object) -> None:
    connection.execute(SESSION_OPTIONS).close()


def ping_after_rest(engine: Engine) -> None:
    """Ping a pooled connection before use only if it has not been used for some seconds.

    The engine repeats a unit of work that loses its connection, so no ping is needed before that.
    """
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", _ping_if_rested)


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used_at"] = time.monotonic()


def _ping_if_rested(connection: Any, record: Any, _proxy: object) -> None:
    used_at = record.info.get("used_at")
    if used_at is None or time.monotonic() - used_at < PING_AFTER_S:
        return
    try:
        connection.execute("SELECT 1").close()
    except Exception as error:
        raise DisconnectionError from error


def refuse_writes(engine: Engine) -> None:
    """Make every statement that writes fail: nothing would undo it in autocommit mode."""
    event.listen(engine, "before_cursor_execute", _refuse_write)


def _refuse_write(
    _connection: object, _cursor: object, _sql: str, _values: object, context: Any, _many: bool
) -> None:
    if context.isinsert or context.isupdate or context.isdelete:
        raise RuntimeError(WROTE)


def close_results_on_return(engine: Engine) -> None:
    """Close the results that a unit of work left open when an autocommit connection comes back.

    A connection carries one open result, and no rollback ends it: the next unit would be refused
    ("Connection is busy with results for another command").
    """
    event.listen(engine, "before_cursor_execute", _note_cursor)
    event.listen(engine, "reset", _close_cursors)


def _note_cursor(connection: Connection, cursor: Any, *_: object) -> None:
    connection.info.setdefault("cursors", []).append(cursor)


def _close_cursors(_connection: object, record: Any, _state: object) -> None:
    for cursor in record.info.pop("cursors", ()):
        if getattr(cursor, "description", None) is not None:  # pyodbc deletes it when it closes
            cursor.close()


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
