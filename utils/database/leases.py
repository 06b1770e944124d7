"""Leases: who may do a piece of work now, and the fence that tells a late worker it may not.

A fence is a number that only rises; it never comes back, not even after its row was removed.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from utils.database.engine import Session
from utils.database.tables import lease
from utils.errors import StaleFence

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOBODY = ""


def claim(
    session: Session, name: str, owner: str, now: datetime, duration: timedelta
) -> int | None:
    """Take the lease, or take it anew, until ``now + duration``; return the fence.

    Returns None when another owner holds it.
    """
    take = (
        update(lease)
        .where(lease.c.Name == name, or_(lease.c.Until <= now, lease.c.Owner.in_([owner, _NOBODY])))
        .values(Owner=owner, Fence=lease.c.Fence + 1, Until=now + duration)
    )
    held = select(lease.c.Owner, lease.c.Fence).where(lease.c.Name == name)
    if not session.execute(take).rowcount:
        if session.execute(held).first() is not None:
            return None
        first = (now - _EPOCH) // timedelta(microseconds=1)  # above any fence of a removed row
        row = {"Name": name, "Owner": owner, "Fence": first, "Until": now + duration}
        try:
            with session.begin_nested():
                session.execute(insert(lease).values(row))
            return first
        except IntegrityError:  # another worker was faster
            if not session.execute(take).rowcount:
                return None
    return int(session.execute(held).one().Fence)


def renew(session: Session, name: str, owner: str, fence: int, until: datetime) -> None:
    """Keep the lease until ``until``; raises StaleFence when another owner has it."""
    _touch(session, name, owner, fence, until)


def check_fence(session: Session, name: str, owner: str, fence: int) -> None:
    """Raise StaleFence unless ``fence`` still holds, and lock it until this unit is committed.

    Call it in the unit that writes the work's result: whoever claims the lease waits for it.
    """
    _touch(session, name, owner, fence, None)


def release(session: Session, name: str, owner: str, fence: int, now: datetime) -> bool:
    """Give the lease back; its row and fence stay. Returns False when it was not held."""
    free = update(lease).where(*_held(name, owner, fence)).values(Owner=_NOBODY, Until=now)
    return bool(session.execute(free).rowcount)


def remove_expired(session: Session, before: datetime) -> int:
    """Remove leases that ended before that time; returns how many."""
    return int(session.execute(delete(lease).where(lease.c.Until < before)).rowcount)


def _held(name: str, owner: str, fence: int) -> tuple[ColumnElement[bool], ...]:
    return (lease.c.Name == name, lease.c.Owner == owner, lease.c.Fence == fence)


def _touch(session: Session, name: str, owner: str, fence: int, until: datetime | None) -> None:
    keep = lease.c.Until if until is None else until
    if not session.execute(
        update(lease).where(*_held(name, owner, fence)).values(Until=keep)
    ).rowcount:
        raise StaleFence
