"""Leases: which process may do a piece of work, with a fence against late workers.

A fence is a number that only rises, also after its row was removed.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from utils.common.errors import StaleFence
from utils.database.core.engine import Connection
from utils.database.core.queries import delete_all
from utils.database.schema.memory_tables import lease

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOBODY = ""
MAX_CLOCK_DIFFERENCE = timedelta(minutes=5)  # between two machines


def claim(
    connection: Connection, name: str, owner: str, now: datetime, duration: timedelta
) -> int | None:
    """Claim or reclaim the lease until ``now + duration``; returns the fence.

    Returns None if another owner holds it. A lease that ends much later than any taken now was
    taken with a wrong clock, and holds nobody up.
    """
    take = (
        update(lease)
        .where(
            lease.c.Name == name,
            or_(
                lease.c.Until <= now,
                lease.c.Until > now + duration + MAX_CLOCK_DIFFERENCE,
                lease.c.Owner.in_([owner, _NOBODY]),
            ),
        )
        .values(Owner=owner, Fence=lease.c.Fence + 1, Until=now + duration)
    )
    current = select(lease.c.Owner, lease.c.Fence).where(lease.c.Name == name)
    if not connection.execute(take).rowcount:
        if connection.execute(current).first() is not None:
            return None
        first = (now - _EPOCH) // timedelta(microseconds=1)  # above any fence of a removed row
        row = {"Name": name, "Owner": owner, "Fence": first, "Until": now + duration}
        try:
            with connection.begin_nested():
                connection.execute(insert(lease).values(row))
            return first
        except IntegrityError:  # another worker was faster
            if not connection.execute(take).rowcount:
                return None
    return int(connection.execute(current).one().Fence)


def renew(connection: Connection, name: str, owner: str, fence: int, until: datetime) -> None:
    """Extend the lease to ``until``; raises StaleFence if another owner has it."""
    _touch(connection, name, owner, fence, until)


def check_fence(connection: Connection, name: str, owner: str, fence: int) -> None:
    """Raise StaleFence unless ``fence`` is current, and lock the lease until this unit commits.

    Call it in the unit that writes the work's result, so that another claim waits for it.
    """
    _touch(connection, name, owner, fence, None)


def release(connection: Connection, name: str, owner: str, fence: int, now: datetime) -> bool:
    """Release the lease; its row and fence stay. Returns False if it was not held."""
    free = update(lease).where(*_held(name, owner, fence)).values(Owner=_NOBODY, Until=now)
    return bool(connection.execute(free).rowcount)


def remove_expired(connection: Connection, before: datetime) -> int:
    """Remove leases that expired before that time; returns how many."""
    return delete_all(connection, lease, lease.c.Until < before)


def _held(name: str, owner: str, fence: int) -> tuple[ColumnElement[bool], ...]:
    return (lease.c.Name == name, lease.c.Owner == owner, lease.c.Fence == fence)


def _touch(
    connection: Connection, name: str, owner: str, fence: int, until: datetime | None
) -> None:
    keep = lease.c.Until if until is None else until
    if not connection.execute(
        update(lease).where(*_held(name, owner, fence)).values(Until=keep)
    ).rowcount:
        raise StaleFence
