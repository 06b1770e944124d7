"""Classify a driver's errors (try again or give up), and translate them into sentences.

On SQL Server an error's text may quote stored words, so it is never chained to the translation.
"""

import random
import re
import sqlite3
from enum import Enum, auto
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from utils.common.errors import (
    DatabaseError,
    DatabaseUnavailable,
    DatabaseUnusable,
    MissingRight,
)
from utils.database.core import server_errors
from utils.database.core.server_errors import ErrorKind, ServerError

MAX_TRIES = 12
FIRST_WAIT_S = 0.02
MAX_WAIT_S = 1.0

LOCKED = "My memory is locked by another program; nothing you stored is lost, try again soon."
READ_ONLY = "My memory is read-only right now; nothing you stored is lost, tell whoever runs me."
FULL = "The disk that holds my memory is full; nothing you stored is lost, tell whoever runs me."
AWAY = "My database does not answer; nothing you stored is lost, try again soon."
SLOW = "My memory took too long to answer; nothing you stored is lost, try again."
COMMIT_UNKNOWN = (
    "The connection to my memory broke while saving; look whether it was kept before you try again."
)
LOGIN = (
    "The database server refused the login; check the user, the password and the database's "
    "name in DATABASE_URL."
)
CERTIFICATE = (
    "The database server's certificate is not trusted here; install its authority's certificate, "
    "or add TrustServerCertificate=yes to DATABASE_URL if the network is your own."
)
DRIVER = (
    "The ODBC driver cannot be loaded; check driver= in DATABASE_URL, or leave it out to use the "
    "one from `pip install mssql-python-odbc`."
)
CORRUPT = (
    "The database file is damaged or is not a database; stop Kith, keep a copy of the file, and "
    "put back your last copy of the file."
)
NO_USER = (
    "The login {user} has no user in the database (error {number}). Have an administrator run "
    "sql/create_login.sql (again); after a restore on another server this connects the user again."
)
NO_RIGHT = (
    "The database user {user} lacks the right {right} (error {number}). Have an administrator run "
    "this in Kith's database: ALTER ROLE {role} ADD MEMBER [{user}]; docs/security.md lists the "
    "rights that Kith needs."
)
NO_ACCESS = 916
RIGHTS = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|EXECUTE|REFERENCES|(?:CREATE|ALTER)(?: [A-Z]+)?)\b"
)
ROLES = {
    "SELECT": "db_datareader",
    **dict.fromkeys(("INSERT", "UPDATE", "DELETE"), "db_datawriter"),
}  # all other rights are db_ddladmin's
# Of several numbers in one error, the kind that comes first here decides.
BY_IMPORTANCE = (
    *(ErrorKind.SLOW, ErrorKind.UNDONE, ErrorKind.PASSES, ErrorKind.NO_DATABASE, ErrorKind.LOST),
    *(ErrorKind.READ_ONLY, ErrorKind.FULL, ErrorKind.RIGHT, ErrorKind.LOGIN, ErrorKind.OVERTAKEN),
)


E = TypeVar("E", bound=BaseException)


class StillBusy(Exception):
    """Another user holds a lock that the engine needs; raised by the engine itself, to retry."""


class ErrorClass(Enum):
    """What to do about an exception: try again, give up, or let it pass."""

    TRANSIENT = auto()
    LOST = auto()  # the connection broke: run again, unless the commit's outcome is unknown
    SLOW = auto()  # a statement took too long: it passes at the start, later others may be quick
    FINAL = auto()
    NOT_OURS = auto()  # a program's error or a unit's own: passes unchanged


CLASSES = {
    **dict.fromkeys(
        (ErrorKind.UNDONE, ErrorKind.PASSES, ErrorKind.NO_DATABASE, ErrorKind.READ_ONLY),
        ErrorClass.TRANSIENT,
    ),
    ErrorKind.OVERTAKEN: ErrorClass.TRANSIENT,
    ErrorKind.LOST: ErrorClass.LOST,
    ErrorKind.SLOW: ErrorClass.SLOW,
    **dict.fromkeys((ErrorKind.FULL, ErrorKind.LOGIN, ErrorKind.RIGHT), ErrorClass.FINAL),
}
TRIED_AGAIN = (ErrorClass.TRANSIENT, ErrorClass.LOST)
TRIED_AGAIN_AT_START = (*TRIED_AGAIN, ErrorClass.SLOW)


def classify_error(error: BaseException) -> ErrorClass:
    """Return which class ``error`` belongs to."""
    error = _behind_savepoint(error)
    if isinstance(error, (StillBusy, PoolTimeout)):
        return ErrorClass.TRANSIENT
    if isinstance(error, UnicodeDecodeError):  # sqlite3 quotes a damaged schema in its message
        return ErrorClass.FINAL
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.IntegrityError):
        return ErrorClass.NOT_OURS
    if isinstance(cause, sqlite3.Error):
        busy = _sqlite_code(cause) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        return ErrorClass.TRANSIENT if busy else ErrorClass.FINAL
    if not isinstance(error, DBAPIError):
        return ErrorClass.NOT_OURS
    if _is_slow(error):
        return ErrorClass.SLOW
    if _setup_sentence(error):
        return ErrorClass.FINAL
    if (documented := server_error(error)) is not None:
        return CLASSES[documented.kind]
    if isinstance(error, IntegrityError):
        return ErrorClass.NOT_OURS
    away = error.connection_invalidated or _is_unreachable(error)
    return ErrorClass.LOST if away else ErrorClass.FINAL


def backoff_s(tries: int, left_s: float) -> float:
    """Return how long to wait after ``tries`` tries, at most ``left_s``, with full jitter.

    The wait is random between 0 and a bound that doubles, so that processes that failed together
    retry at different times. See "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    """
    max_wait_s = min(left_s, MAX_WAIT_S, FIRST_WAIT_S * 2**tries)
    return random.uniform(0, max_wait_s)  # noqa: S311 - nothing secret about it


def may_have_committed(error: DBAPIError) -> bool:
    """Whether a commit that failed with this error may have succeeded.

    SQLite always reports it. A server does not if its answer was lost or came too late.
    """
    if isinstance(error.orig, sqlite3.Error):
        return False
    documented = server_error(error)
    return _is_slow(error) or (
        classify_error(error) in TRIED_AGAIN
        and not (documented is not None and documented.kind is ErrorKind.UNDONE)
    )


def ends_connection(error: DBAPIError) -> bool:
    """Whether to connect again: the session ended, or its server has changed its state."""
    documented = server_error(error)
    passing = (ErrorKind.LOST, ErrorKind.PASSES, ErrorKind.READ_ONLY)
    return _sqlstate(error).startswith("IMC") or (
        documented is not None and documented.kind in passing
    )


def reason(error: Exception) -> str:
    """Return in a few words why a server does not answer, for the log; quotes nothing."""
    if not isinstance(error, DBAPIError):
        return "no connection is free"
    documented = server_error(error)
    if documented is not None:
        return f"{documented.meaning} (error {documented.number})"
    numbers = ", ".join(str(number) for number in sorted(native_numbers(error)) if number)
    return f"SQLSTATE {_sqlstate(error) or 'unknown'}" + (f", error {numbers}" if numbers else "")


def translate(error: Exception, user: str | None = None) -> Exception:
    """Return the error that the engine raises for ``error``; program errors come back unchanged.

    ``user`` is the database user, who may lack a right.
    """
    error = _behind_savepoint(error)
    if isinstance(error, (StillBusy, PoolTimeout)):
        return DatabaseUnavailable(LOCKED)
    if type(error) is StatementError and isinstance(error.orig, ValueError):
        return error.orig
    if classify_error(error) is ErrorClass.NOT_OURS:
        return error
    if isinstance(error, UnicodeDecodeError):
        return DatabaseUnusable(CORRUPT)
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        translated = _from_sqlite(cause)
        translated.__cause__ = error
        return translated
    return _from_sql_server(error, user or "kith") if isinstance(error, DBAPIError) else error


def _behind_savepoint(error: E) -> E | DBAPIError:
    """Return the error that undid the transaction (such as a deadlock), not its savepoint's."""
    earlier: BaseException | None = error
    while isinstance(earlier, DBAPIError) and (
        "no such savepoint" in str(earlier.orig)  # SQLite
        or server_errors.with_kind(native_numbers(earlier), ErrorKind.MASKED)
    ):
        earlier = earlier.orig.__context__ if earlier.orig is not None else None
    return earlier if isinstance(earlier, DBAPIError) else error


def native_numbers(error: DBAPIError) -> frozenset[int]:
    """Return the server's error numbers in an ODBC message: ``… (1205) (SQLExecDirectW)``."""
    numbers = re.findall(r"\((-?\d+)\)(?= \(SQL|;|$)", _odbc_text(error))
    return frozenset(int(number) for number in numbers)


def server_error(error: DBAPIError) -> ServerError | None:
    """Return the number in an ODBC message that says what to do, as the table describes it."""
    listed = server_errors.with_kind(native_numbers(error), *BY_IMPORTANCE)
    return min(listed, key=lambda one: BY_IMPORTANCE.index(one.kind), default=None)


def _odbc_text(error: DBAPIError) -> str:
    args: tuple[object, ...] = getattr(error.orig, "args", ())
    return str(args[1]) if len(args) > 1 else ""


def _sqlstate(error: DBAPIError) -> str:
    args: tuple[object, ...] = getattr(error.orig, "args", ())
    return str(args[0]) if args else ""


def _is_slow(error: DBAPIError) -> bool:
    """Whether a statement timed out.

    A login timeout has the same state, but comes from SQLConnect or SQLDriverConnect.
    """
    is_timeout = _sqlstate(error) == "HYT00" and not _is_unreachable(error)
    documented = server_error(error)
    return is_timeout or (documented is not None and documented.kind is ErrorKind.SLOW)


def _is_unreachable(error: DBAPIError) -> bool:
    """Whether no connection could be made in time, or the driver could not mend a broken one."""
    state = _sqlstate(error)
    is_login = state.startswith("HYT") and "Connect)" in _odbc_text(error)
    return is_login or state.startswith(("08", "IMC"))


def _setup_sentence(error: DBAPIError) -> str:
    """Return what the operator must fix before a connection is possible, or an empty text."""
    words, state = _odbc_text(error), _sqlstate(error)
    if (state.startswith("IM") and not state.startswith("IMC")) or "Can't open lib" in words:
        return DRIVER
    return CERTIFICATE if state.startswith("08") and "certificate" in words else ""


def _sqlite_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code, or 0 when the error is the driver's own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _from_sqlite(error: sqlite3.Error) -> DatabaseError:
    code = _sqlite_code(error)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return DatabaseUnusable(CORRUPT)
    sentences = {
        sqlite3.SQLITE_BUSY: LOCKED,
        sqlite3.SQLITE_LOCKED: LOCKED,
        sqlite3.SQLITE_READONLY: READ_ONLY,
        sqlite3.SQLITE_FULL: FULL,
        sqlite3.SQLITE_IOERR: AWAY,
        sqlite3.SQLITE_CANTOPEN: AWAY,
    }
    return DatabaseUnavailable(sentences[code]) if code in sentences else DatabaseError()


def _from_sql_server(error: DBAPIError, user: str) -> DatabaseError:
    if _is_slow(error):  # of one statement: others may be quick, so this is no outage
        return DatabaseUnavailable(SLOW)
    if setup := _setup_sentence(error):
        return DatabaseUnusable(setup)
    documented = server_error(error)
    kind = None if documented is None else documented.kind
    if documented is not None and kind is ErrorKind.RIGHT:
        if documented.number == NO_ACCESS:
            return MissingRight(NO_USER.format(user=user, number=documented.number))
        match = RIGHTS.search(_odbc_text(error)) or RIGHTS.search(error.statement or "")
        right = match[0] if match else "to do this"
        return MissingRight(
            NO_RIGHT.format(
                user=user,
                right=right,
                number=documented.number,
                role=ROLES.get(right, "db_ddladmin"),
            )
        )
    if kind is ErrorKind.LOGIN:
        return DatabaseUnusable(LOGIN)
    sentences = {
        ErrorKind.NO_DATABASE: LOGIN,
        ErrorKind.FULL: FULL,
        ErrorKind.READ_ONLY: READ_ONLY,
        ErrorKind.UNDONE: LOCKED,
    }
    if kind in sentences:
        return DatabaseUnavailable(sentences[kind])
    is_away = kind is not ErrorKind.OVERTAKEN and classify_error(error) in TRIED_AGAIN
    return DatabaseUnavailable(AWAY) if is_away else DatabaseError()
