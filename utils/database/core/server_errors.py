"""SQL Server's error numbers: what each means, what to do about it, and where that is documented.

``error_codes.py`` classifies by this table, and docs/internals/sqlserver-for-developers.md shows
it. Write the page again with ``python -m docs.server_errors_page`` after a change.
"""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class ErrorKind(Enum):
    """What Kith does about an error; the value is the documentation's sentence."""

    UNDONE = "the transaction was rolled back: Kith runs it again"
    OVERTAKEN = "another transaction came between a read and a write: Kith runs both again"
    PASSES = "passes by itself: Kith tries again, then waits for the server"
    LOST = "the connection is gone: Kith connects again and tries again"
    NO_DATABASE = "Kith tries again (a sleeping database wakes up), then asks to check its name"
    READ_ONLY = "Kith tries again (a failover passes), then says that the database is read-only"
    FULL = "Kith says that the disk is full"
    SLOW = "one statement took too long: no outage"
    LOGIN = "the login was refused: somebody has to correct DATABASE_URL or the login"
    RIGHT = "a right is missing: the log says which one, and what to run"
    MASKED = "hides the error that undid the transaction: that one counts"


class ServerError(NamedTuple):
    """One error number; ``source`` is a key of SOURCES."""

    number: int
    kind: ErrorKind
    meaning: str
    source: str


SOURCES = {
    "events": "Microsoft, Database Engine events and errors (sys.messages)",
    "azure": "Microsoft, Troubleshoot connectivity issues and other errors with Azure SQL Database",
    "memory": "Microsoft, Transactions with Memory-Optimized Tables: error codes for retry logic",
    "sockets": "Microsoft, Windows Sockets error codes and system error codes",
    "client": "Microsoft, SqlException: the number of a client-side timeout",
}

TABLE = (
    ServerError(-2, ErrorKind.SLOW, "the client's timeout expired", "client"),
    ServerError(
        20, ErrorKind.LOST, "the instance does not support encryption, or is starting", "azure"
    ),
    ServerError(64, ErrorKind.LOST, "the network name is no longer available", "sockets"),
    ServerError(121, ErrorKind.LOST, "the semaphore timeout period has expired", "sockets"),
    ServerError(229, ErrorKind.RIGHT, "a permission was denied on an object", "events"),
    ServerError(230, ErrorKind.RIGHT, "a permission was denied on a column", "events"),
    ServerError(233, ErrorKind.LOST, "no process is on the other end of the pipe", "azure"),
    ServerError(262, ErrorKind.RIGHT, "a permission was denied in the database", "events"),
    ServerError(297, ErrorKind.RIGHT, "the user may not perform this action", "events"),
    ServerError(
        300, ErrorKind.RIGHT, "a permission was denied on an object of the server", "events"
    ),
    ServerError(
        547, ErrorKind.OVERTAKEN, "a row that is referred to is gone, or a rule is broken", "events"
    ),
    ServerError(596, ErrorKind.LOST, "the session was killed", "events"),
    ServerError(615, ErrorKind.PASSES, "the database was not found: it may be offline", "events"),
    ServerError(701, ErrorKind.PASSES, "there is not enough memory to run the query", "events"),
    ServerError(802, ErrorKind.PASSES, "there is not enough memory in the buffer pool", "events"),
    ServerError(911, ErrorKind.NO_DATABASE, "the database does not exist here", "events"),
    ServerError(
        913, ErrorKind.PASSES, "the database is being activated or in transition", "events"
    ),
    ServerError(916, ErrorKind.RIGHT, "the login has no user in the database", "events"),
    ServerError(921, ErrorKind.PASSES, "the database has not been recovered yet", "events"),
    ServerError(922, ErrorKind.PASSES, "the database is being recovered", "events"),
    ServerError(923, ErrorKind.PASSES, "the database is in restricted mode", "events"),
    ServerError(924, ErrorKind.PASSES, "the database is in single-user mode", "events"),
    ServerError(927, ErrorKind.PASSES, "the database is in the middle of a restore", "events"),
    ServerError(941, ErrorKind.PASSES, "the database is not started yet", "events"),
    ServerError(942, ErrorKind.PASSES, "the database is offline", "events"),
    ServerError(952, ErrorKind.PASSES, "the database is in transition", "events"),
    ServerError(954, ErrorKind.PASSES, "the database is acting as a mirror", "events"),
    ServerError(955, ErrorKind.PASSES, "the mirrored database lacks a quorum", "events"),
    ServerError(956, ErrorKind.PASSES, "the mirrored database is not synchronised yet", "events"),
    ServerError(
        976, ErrorKind.PASSES, "the availability group's replica takes no queries", "events"
    ),
    ServerError(978, ErrorKind.PASSES, "the replica takes read-only connections only", "events"),
    ServerError(983, ErrorKind.PASSES, "the replica is neither primary nor secondary", "events"),
    ServerError(988, ErrorKind.PASSES, "the availability group lacks a quorum", "events"),
    ServerError(
        1088, ErrorKind.RIGHT, "the object does not exist, or may not be changed", "events"
    ),
    ServerError(1101, ErrorKind.FULL, "the filegroup has no room for a new page", "events"),
    ServerError(1105, ErrorKind.FULL, "the filegroup is full", "events"),
    ServerError(1204, ErrorKind.PASSES, "there is no memory for another lock", "events"),
    ServerError(1205, ErrorKind.UNDONE, "the transaction was the victim of a deadlock", "events"),
    ServerError(1222, ErrorKind.UNDONE, "a lock was not granted in time", "events"),
    ServerError(2601, ErrorKind.OVERTAKEN, "the key exists already, in an index", "events"),
    ServerError(2627, ErrorKind.OVERTAKEN, "the key exists already, in a constraint", "events"),
    ServerError(2760, ErrorKind.RIGHT, "the schema does not exist, or may not be used", "events"),
    ServerError(
        3701, ErrorKind.RIGHT, "the object does not exist, or may not be dropped", "events"
    ),
    ServerError(3903, ErrorKind.MASKED, "ROLLBACK without a transaction", "events"),
    ServerError(3906, ErrorKind.READ_ONLY, "the database is read-only", "events"),
    ServerError(3908, ErrorKind.READ_ONLY, "the database is in emergency mode", "events"),
    ServerError(3931, ErrorKind.MASKED, "no rollback to a savepoint is possible", "events"),
    ServerError(3948, ErrorKind.UNDONE, "a replica changed its state", "events"),
    ServerError(
        3958, ErrorKind.UNDONE, "a row version was never written: tempdb is full", "events"
    ),
    ServerError(3966, ErrorKind.UNDONE, "a row version was removed: tempdb is full", "events"),
    ServerError(
        4060, ErrorKind.NO_DATABASE, "the database cannot be opened by the login", "events"
    ),
    ServerError(
        4064, ErrorKind.NO_DATABASE, "the login's default database cannot be opened", "events"
    ),
    ServerError(4221, ErrorKind.PASSES, "the secondary waits for its row versions", "azure"),
    ServerError(4902, ErrorKind.RIGHT, "the table does not exist, or may not be changed", "events"),
    ServerError(6005, ErrorKind.PASSES, "the server is shutting down", "events"),
    ServerError(6401, ErrorKind.MASKED, "there is no savepoint of that name", "events"),
    ServerError(8628, ErrorKind.PASSES, "the query waited too long to be optimised", "events"),
    ServerError(8645, ErrorKind.PASSES, "the query waited too long for memory", "events"),
    ServerError(
        8651, ErrorKind.PASSES, "the memory that the query needs is not available", "events"
    ),
    ServerError(9002, ErrorKind.FULL, "the transaction log is full", "events"),
    ServerError(10053, ErrorKind.LOST, "the connection was aborted", "sockets"),
    ServerError(10054, ErrorKind.LOST, "the connection was reset", "sockets"),
    ServerError(10060, ErrorKind.LOST, "the server did not answer in time", "sockets"),
    ServerError(10928, ErrorKind.PASSES, "a resource limit was reached", "azure"),
    ServerError(10929, ErrorKind.PASSES, "the server is too busy", "azure"),
    ServerError(10930, ErrorKind.PASSES, "the service is too busy", "azure"),
    ServerError(
        10936, ErrorKind.PASSES, "the request limit of the elastic pool was reached", "azure"
    ),
    ServerError(
        15151, ErrorKind.RIGHT, "the object does not exist, or may not be altered", "events"
    ),
    ServerError(15247, ErrorKind.RIGHT, "the user may not perform this action", "events"),
    ServerError(17142, ErrorKind.PASSES, "the server is paused", "events"),
    ServerError(17187, ErrorKind.PASSES, "the server is not ready for connections yet", "events"),
    ServerError(
        17197, ErrorKind.PASSES, "the login took too long: the server is under load", "events"
    ),
    ServerError(18401, ErrorKind.PASSES, "the server is upgrading itself", "events"),
    ServerError(18451, ErrorKind.PASSES, "only administrators may connect at present", "events"),
    ServerError(18452, ErrorKind.LOGIN, "the login is from an untrusted domain", "events"),
    ServerError(18456, ErrorKind.LOGIN, "the login failed", "events"),
    ServerError(18461, ErrorKind.PASSES, "the server is in single-user mode", "events"),
    ServerError(18470, ErrorKind.LOGIN, "the login is disabled", "events"),
    ServerError(18486, ErrorKind.LOGIN, "the login is locked out", "events"),
    ServerError(18487, ErrorKind.LOGIN, "the login's password has expired", "events"),
    ServerError(18488, ErrorKind.LOGIN, "the login's password must be changed", "events"),
    ServerError(40143, ErrorKind.PASSES, "the service has run into an error", "azure"),
    ServerError(40197, ErrorKind.PASSES, "the service has run into an error: a failover", "azure"),
    ServerError(40501, ErrorKind.PASSES, "the service is busy", "azure"),
    ServerError(40544, ErrorKind.FULL, "the database has reached its size quota", "azure"),
    ServerError(40613, ErrorKind.PASSES, "the database is not available at present", "azure"),
    ServerError(41301, ErrorKind.UNDONE, "a dependency of the transaction was aborted", "memory"),
    ServerError(41302, ErrorKind.UNDONE, "the row was changed by another transaction", "memory"),
    ServerError(41305, ErrorKind.UNDONE, "a repeatable read could not be guaranteed", "memory"),
    ServerError(41325, ErrorKind.UNDONE, "a serializable read could not be guaranteed", "memory"),
    ServerError(41839, ErrorKind.UNDONE, "the transaction had too many dependencies", "memory"),
    ServerError(49918, ErrorKind.PASSES, "not enough resources for the request", "azure"),
    ServerError(49919, ErrorKind.PASSES, "too many create or update operations", "azure"),
    ServerError(49920, ErrorKind.PASSES, "too many operations", "azure"),
)
ERRORS = {error.number: error for error in TABLE}


def with_kind(numbers: Iterable[int], *kinds: ErrorKind) -> list[ServerError]:
    """Return the known errors among ``numbers`` that are of one of the kinds, in order."""
    listed = (ERRORS[number] for number in sorted(numbers) if number in ERRORS)
    return [error for error in listed if error.kind in kinds]
