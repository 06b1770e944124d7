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

from utils.common.errors import DatabaseError, DatabaseUnavailable, DatabaseUnusable

# SQL Server's native numbers after which the whole unit of work may be run again.
TRANSIENT_NUMBERS = frozenset(
    {
        *(1205, 1222, 40197, 40501, 40613, 49918, 49919, 49920, 10928, 10929),
        *(10053, 10054, 10060, 4060, 41301, 41302, 41305, 41325, 41839, 233, 121, 64, 20),
    }
)
# Those that say for certain that the transaction was undone, also when it was being committed.
UNDONE_NUMBERS = frozenset({1205, 1222, 41301, 41302, 41305, 41325, 41839})
QUERY_TIMEOUT = -2
FULL_NUMBERS = frozenset({1101, 1105, 9002})
READ_ONLY_NUMBERS = frozenset({3906, 3908})
NO_SAVEPOINT_NUMBERS = frozenset({3903, 3931, 6401})
LOGIN_NUMBERS = frozenset({18452, 18456, 916})
NO_SUCH_DATABASE = 4060  # passing on Azure while a database wakes up

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


E = TypeVar("E", bound=BaseException)


class StillBusy(Exception):
    """Another user holds a lock that the engine needs; raised by the engine itself, to retry."""


class ErrorClass(Enum):
    """What to do about an exception: try again, give up, or let it pass."""

    TRANSIENT = auto()
    LOST = auto()  # the connection broke: run again, unless the commit's outcome is unknown
    FINAL = auto()
    NOT_OURS = auto()  # a program's error or a unit's own: passes unchanged


def classify_error(error: BaseException) -> ErrorClass:
    """Return which class ``error`` belongs to."""
    error = _behind_savepoint(error)
    if isinstance(error, (StillBusy, PoolTimeout)):
        return ErrorClass.TRANSIENT
    if isinstance(error, UnicodeDecodeError):  # sqlite3 quotes a damaged schema in its message
        return ErrorClass.FINAL
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(error, IntegrityError) or isinstance(cause, sqlite3.IntegrityError):
        return ErrorClass.NOT_OURS
    if isinstance(cause, sqlite3.Error):
        busy = _sqlite_code(cause) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        return ErrorClass.TRANSIENT if busy else ErrorClass.FINAL
    if not isinstance(error, DBAPIError):
        return ErrorClass.NOT_OURS
    numbers = native_numbers(error)
    if QUERY_TIMEOUT in numbers or _sqlstate(error) == "HYT00" or _setup_sentence(error):
        return ErrorClass.FINAL
    if error.connection_invalidated or _sqlstate(error).startswith("08"):
        return ErrorClass.LOST
    return ErrorClass.TRANSIENT if numbers & TRANSIENT_NUMBERS else ErrorClass.FINAL


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
    numbers = native_numbers(error)
    return _is_slow(error) or (
        classify_error(error) in (ErrorClass.LOST, ErrorClass.TRANSIENT)
        and not numbers & UNDONE_NUMBERS
    )


def translate(error: Exception) -> Exception:
    """Return the error that the engine raises for ``error``; program errors come back unchanged."""
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
    return _from_sql_server(error) if isinstance(error, DBAPIError) else error


def _behind_savepoint(error: E) -> E | DBAPIError:
    """Return the error that undid the transaction (such as a deadlock), not its savepoint's."""
    earlier: BaseException | None = error
    while isinstance(earlier, DBAPIError) and _misses_savepoint(earlier):
        earlier = earlier.orig.__context__ if earlier.orig is not None else None
    return earlier if isinstance(earlier, DBAPIError) else error


def _misses_savepoint(error: DBAPIError) -> bool:
    sqlite_does = "no such savepoint" in str(error.orig)
    return sqlite_does or bool(native_numbers(error) & NO_SAVEPOINT_NUMBERS)


def native_numbers(error: DBAPIError) -> frozenset[int]:
    """Return the server's error numbers in an ODBC message: ``… (1205) (SQLExecDirectW)``."""
    numbers = re.findall(r"\((-?\d+)\)(?= \(SQL|;|$)", _odbc_text(error))
    return frozenset(int(number) for number in numbers)


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
    is_timeout = _sqlstate(error) == "HYT00" and "Connect)" not in _odbc_text(error)
    return is_timeout or QUERY_TIMEOUT in native_numbers(error)


def _setup_sentence(error: DBAPIError) -> str:
    """Return what the operator must fix before a connection is possible, or an empty text."""
    words = _odbc_text(error)
    numbers = native_numbers(error)
    if numbers & LOGIN_NUMBERS and NO_SUCH_DATABASE not in numbers:
        return LOGIN
    if _sqlstate(error).startswith("IM") or "Can't open lib" in words:
        return DRIVER
    if _sqlstate(error).startswith("08") and "certificate" in words:
        return CERTIFICATE
    return ""


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


def _from_sql_server(error: DBAPIError) -> DatabaseError:
    numbers = native_numbers(error)
    if NO_SUCH_DATABASE in numbers:
        return DatabaseUnavailable(LOGIN)
    if setup := _setup_sentence(error):
        return DatabaseUnusable(setup)
    if numbers & FULL_NUMBERS:
        return DatabaseUnavailable(FULL)
    if numbers & READ_ONLY_NUMBERS:
        return DatabaseUnavailable(READ_ONLY)
    if numbers & {1205, 1222}:
        return DatabaseUnavailable(LOCKED)
    if _is_slow(error):  # of one statement: others may be quick, so this is no outage
        return DatabaseUnavailable(SLOW)
    state = _sqlstate(error)
    away = error.connection_invalidated or state.startswith(("08", "HYT"))
    if away or numbers & TRANSIENT_NUMBERS:
        return DatabaseUnavailable(AWAY)
    return DatabaseError()
