"""Leases: which process may do a piece of work, with a fence against late workers.

A fence is a number that only rises, also after its row was removed.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, or_, select, update

from utils.common.errors import StaleFence
from utils.database.core.engine import Connection
from utils.database.core.queries import change_rows, delete_all, fetch_rows, insert_new
from utils.database.schema.memory_tables import lease

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOBODY = ""
MAX_CLOCK_DIFFERENCE = timedelta(minutes=5)  # between two machines

# Built once: building costs more than running. A change sets the columns that parameters are named
# after.
_LOAD = select(lease.c.Owner, lease.c.Fence).where(lease.c.Name == bindparam("name"))
_TAKE = (
    update(lease)
    .where(
        lease.c.Name == bindparam("name"),
        or_(
            lease.c.Until <= bindparam("now"),
            lease.c.Until > bindparam("latest"),
            lease.c.Owner == bindparam("owner"),
            lease.c.Owner == _NOBODY,
        ),
    )
    .values(Owner=bindparam("owner"), Fence=lease.c.Fence + 1, Until=bindparam("until"))
)
_CHANGE = update(lease).where(
    lease.c.Name == bindparam("name"),
    lease.c.Owner == bindparam("owner"),
    lease.c.Fence == bindparam("fence"),
)
_LOCK = _CHANGE.values(Until=lease.c.Until)


def claim(
    connection: Connection, name: str, owner: str, now: datetime, duration: timedelta
) -> int | None:
    """Claim or reclaim the lease until ``now + duration``; returns the fence.

    Returns None if another owner holds it. A lease that ends much later than any taken now was
    taken with a wrong clock, and holds nobody up.
    """
    until = now + duration
    latest = until + MAX_CLOCK_DIFFERENCE
    parameters = {"name": name, "owner": owner, "now": now, "until": until, "latest": latest}
    if not change_rows(connection, _TAKE, parameters):
        if fetch_rows(connection, _LOAD, name=name):
            return None
        first = (now - _EPOCH) // timedelta(microseconds=1)  # above any fence of a removed row
        row = {"Name": name, "Owner": owner, "Fence": first, "Until": until}
        if insert_new(connection, lease, [row]):
            return first
        if not change_rows(connection, _TAKE, parameters):  # another worker was faster
            return None
    return int(fetch_rows(connection, _LOAD, name=name)[0].Fence)


def renew(connection: Connection, name: str, owner: str, fence: int, until: datetime) -> None:
    """Extend the lease to ``until``; raises StaleFence if another owner has it."""
    parameters = {"name": name, "owner": owner, "fence": fence, "Until": until}
    if not change_rows(connection, _CHANGE, parameters):
        raise StaleFence


def check_fence(connection: Connection, name: str, owner: str, fence: int) -> None:
    """Raise StaleFence unless ``fence`` is current, and lock the lease until this unit commits.

    Call it in the unit that writes the work's result, so that another claim waits for it.
    """
    if not change_rows(connection, _LOCK, {"name": name, "owner": owner, "fence": fence}):
        raise StaleFence


def release(connection: Connection, name: str, owner: str, fence: int, now: datetime) -> bool:
    """Release the lease; its row and fence stay. Returns False if it was not held."""
    parameters = {"name": name, "owner": owner, "fence": fence, "Owner": _NOBODY, "Until": now}
    return bool(change_rows(connection, _CHANGE, parameters))


def remove_expired(connection: Connection, before: datetime) -> int:
    """Remove leases that expired before that time; returns how many."""
    return delete_all(connection, lease, lease.c.Until < before)
