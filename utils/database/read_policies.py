"""Policies of recall: every version there was, which one holds, and which is in the shadow."""

from datetime import datetime

from sqlalchemy import Row, func, insert, select, update

from utils.database.engine import Session
from utils.database.tables import read_policy_use, read_policy_version
from utils.database.upsert import upsert
from utils.model.operator import PolicyRole
from utils.model.read_policy import Use, VersionRow

MOST_VERSIONS = 500  # in a list, the newest

_USES = select(read_policy_use)  # built once: every recall runs it


def uses(session: Session) -> dict[PolicyRole, Use]:
    """Return the versions in use, by what for: the one that holds, and a shadow that has not ended
    by itself (its end is for the caller to look at)."""
    return {
        row.Role: Use(row.Version, row.Since, row.Until, row.RollsBack)
        for row in session.execute(_USES)
    }


def lock(session: Session, now: datetime) -> None:
    """Take the row of what holds, making it if there is none, so that one at a time changes it."""
    upsert(
        session,
        read_policy_use,
        {"Role": PolicyRole.ACTIVE},
        {"Version": 0, "Since": now, "Until": None, "RollsBack": False},
        on_update={"Version": read_policy_use.c.Version},
    )


def policy_text(session: Session, version: int) -> str | None:
    """Return what is stored of a version; None where there is none."""
    columns = read_policy_version.c
    return session.scalar(select(columns.Policy).where(columns.Version == version))


def version(session: Session, number: int) -> VersionRow | None:
    """Return who made a version, when and why; None where there is none."""
    columns = read_policy_version.c
    row = session.execute(select(read_policy_version).where(columns.Version == number)).first()
    return None if row is None else _version(row)


def versions(session: Session) -> list[VersionRow]:
    """Return the versions there were, newest first."""
    columns = read_policy_version.c
    query = select(read_policy_version).order_by(columns.Version.desc()).limit(MOST_VERSIONS)
    return [_version(row) for row in session.execute(query)]


def add(
    session: Session, text: str, *, at: datetime, actor: str, reason: str, previous: int | None
) -> int:
    """Store a policy as the next version, without using it; returns its number.

    The caller holds what holds (:func:`lock`).
    """
    last = session.scalar(select(func.max(read_policy_version.c.Version)))
    number = int(last or 0) + 1
    session.execute(
        insert(read_policy_version).values(
            Version=number, At=at, Actor=actor, Reason=reason, Policy=text, Previous=previous
        )
    )
    return number


def use(session: Session, role: PolicyRole, using: Use, at: datetime) -> None:
    """Let a version hold, or run in the shadow, from now on."""
    upsert(
        session,
        read_policy_use,
        {"Role": role},
        {
            "Version": using.version,
            "Since": at,
            "Until": using.until,
            "RollsBack": using.rolls_back,
        },
    )


def end_shadow(session: Session, now: datetime) -> bool:
    """Let the shadow be over from now on; False if there is none."""
    columns = read_policy_use.c
    running = (columns.Role == PolicyRole.SHADOW, columns.Until > now)
    ended = session.execute(update(read_policy_use).where(*running).values(Until=now))
    return bool(ended.rowcount)


def _version(row: Row[tuple[object, ...]]) -> VersionRow:
    return VersionRow(row.Version, row.At, row.Actor, row.Reason, row.Previous)
