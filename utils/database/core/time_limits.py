"""How long a server may take: a unit's login and its first statement end with its patience.

They notice a server that has fallen silent. Later statements may take QUERY_TIMEOUT_S each.
"""

import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, event

LOGIN_TIMEOUT_S = 10
QUERY_TIMEOUT_S = 30
SILENCE_S = 2  # kept for finding out whether only this statement is slow (circuit_breaker.py)
_LIMITED = "is limited"


class _Patience(threading.local):
    """How many seconds are left for this thread's unit of work."""

    @staticmethod
    def left_s() -> float:
        return float("inf")


_patience = _Patience()


def set_patience(left_s: Callable[[], float]) -> None:
    """Set how many seconds are left for the unit of work that this thread runs next."""
    _patience.left_s = left_s  # type: ignore[method-assign]


def limit_waits(engine: Engine) -> None:
    """Let logins, pings and first statements wait no longer than the patience that is left."""
    event.listen(engine, "do_connect", _limit_login)
    # First: SQLAlchemy prepares a new connection with statements of its own.
    event.listen(engine, "connect", _limit_preparation, insert=True)
    event.listen(engine, "checkout", _limit_first_statement)
    event.listen(engine, "after_cursor_execute", _lift_limit)


def _wait_s(limit_s: int, spare_s: int = 0) -> int:
    """Return a timeout for the driver: it counts whole seconds, and takes 0 for no limit."""
    return max(1, int(min(limit_s, _patience.left_s() - spare_s)))


def _limit_login(_dialect: object, _record: object, _args: object, options: dict[str, Any]) -> None:
    options["timeout"] = _wait_s(LOGIN_TIMEOUT_S)


def _limit_preparation(connection: Any, _record: object) -> None:
    connection.timeout = _wait_s(QUERY_TIMEOUT_S, SILENCE_S)


def _limit_first_statement(connection: Any, record: Any, _proxy: object) -> None:
    connection.timeout = _wait_s(QUERY_TIMEOUT_S, SILENCE_S)
    record.info[_LIMITED] = True


def _lift_limit(connection: Any, *_: object) -> None:
    if connection.info.pop(_LIMITED, False):
        connection.connection.driver_connection.timeout = QUERY_TIMEOUT_S
