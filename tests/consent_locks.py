"""A transaction that reads a member's choice and then stores words has locked the member before.

READ COMMITTED keeps no lock after a SELECT: an opt-out may commit in between, find nothing to
erase, and leave what is stored afterwards. SQLite's BEGIN IMMEDIATE hides that, so every
transaction that a test runs is judged by the order of its statements.
"""

from sqlalchemy import ClauseElement, Connection, Delete, Insert, SelectBase, Update
from sqlalchemy.engine.interfaces import Compiled
from sqlalchemy.sql import visitors

from utils.database.schema.memory_tables import (
    account_link,
    alert_message,
    artifact,
    memory_event,
    open_loop,
    passive_refusal,
    user_memory,
    user_state,
    waiting_message,
)

CHOICES = frozenset(
    {
        user_state.c.Consent,
        user_state.c.Ignored,
        user_state.c.PassiveOptIn,
        passive_refusal.c.UserId,
    }
)
WORDS = frozenset(
    {
        account_link.name,
        alert_message.name,
        artifact.name,
        memory_event.name,
        open_loop.name,
        user_memory.name,
        waiting_message.name,
    }
)
LOCK, READ = "lock", "read"
_STATE = "choice"

_known: dict[Compiled | str, str] = {}


def begin(connection: Connection) -> None:
    """Forget what an earlier transaction of the same connection did."""
    connection.info.pop(_STATE, None)


def complaint(
    connection: Connection, statement: ClauseElement | None, compiled_as: Compiled | str | None
) -> str | None:
    """Return why a statement comes too early in its transaction, or None."""
    if statement is None:
        return None
    step = None if compiled_as is None else _known.get(compiled_as)
    if step is None:
        step = _step(statement)
        if compiled_as is not None:
            _known[compiled_as] = step
    if not step:
        return None
    state = connection.info.get(_STATE)
    if step in (LOCK, READ):
        connection.info[_STATE] = state or step  # what comes first decides
        return None
    if state != READ:
        return None
    return f"{step} is written after a member's choice was read without a lock on the member"


def is_harmless(compiled_as: Compiled) -> bool:
    """Return whether what is compiled to this neither locks a member, reads a choice nor stores."""
    return _known.get(compiled_as) == ""


def _step(statement: ClauseElement) -> str:
    """Return what a statement is: LOCK, READ, the table of words that it fills, or nothing."""
    if isinstance(statement, Insert | Update | Delete):
        name = getattr(statement.table, "name", "")
        if name == user_state.name:
            return LOCK
        return name if isinstance(statement, Insert) and name in WORDS else ""
    if isinstance(statement, SelectBase):
        return READ if CHOICES & set(visitors.iterate(statement)) else ""
    return ""
