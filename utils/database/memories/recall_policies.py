"""Recall policies: all versions, the active one, and the one that runs in the shadow."""

from datetime import datetime
from functools import partial

from sqlalchemy import func, insert, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    Selection,
    from_row,
    has_changed,
    read_first,
    read_list,
    upsert,
)
from utils.database.schema.memory_tables import read_policy_use, read_policy_version
from utils.models.operator import PolicyRole
from utils.models.recall_policy import PolicyUse, VersionRow

_VERSION, _USE = read_policy_version.c, read_policy_use.c


MAX_VERSIONS = 500  # in a list, the newest

_USES = select(read_policy_use)  # built once: every recall runs it


def uses() -> Selection[dict[PolicyRole, PolicyUse]]:
    """Return the query of the versions in use by role: active and shadow.

    The caller checks the shadow's end.
    """
    return Selection(_USES, {}, lambda rows: {row.Role: from_row(PolicyUse, row) for row in rows})


def lock(connection: Connection, now: datetime) -> None:
    """Lock the row of the active policy, inserting it if needed, so that changes are serialised."""
    upsert(
        connection,
        read_policy_use,
        {"Role": PolicyRole.ACTIVE},
        {"Version": 0, "Since": now, "Until": None, "RollsBack": False},
        on_update={"Version": read_policy_use.c.Version},
    )


def policy_text(connection: Connection, version: int) -> str | None:
    """Return the stored JSON of a version; None if there is no such version."""
    return connection.scalar(select(_VERSION.Policy).where(_VERSION.Version == version))


def load_version(connection: Connection, number: int) -> VersionRow | None:
    """Return who stored a version, when and why; None if there is no such version."""
    return read_first(
        connection,
        select(read_policy_version).where(_VERSION.Version == number),
        partial(from_row, VersionRow),
    )


def list_versions(connection: Connection) -> list[VersionRow]:
    """Return the newest MAX_VERSIONS versions, newest first."""
    return read_list(
        connection,
        select(read_policy_version).order_by(_VERSION.Version.desc()).limit(MAX_VERSIONS),
        partial(from_row, VersionRow),
    )


def add(
    connection: Connection,
    text: str,
    *,
    at: datetime,
    actor: str,
    reason: str,
    previous: int | None,
) -> int:
    """Store a policy as the next version, without activating it; returns its number.

    The caller holds the lock (:func:`lock`).
    """
    last = connection.scalar(select(func.max(read_policy_version.c.Version)))
    number = int(last or 0) + 1
    connection.execute(
        insert(read_policy_version).values(
            Version=number, At=at, Actor=actor, Reason=reason, Policy=text, Previous=previous
        )
    )
    return number


def set_use(connection: Connection, role: PolicyRole, using: PolicyUse, at: datetime) -> None:
    """Make a version the active one, or let it run in the shadow."""
    upsert(
        connection,
        read_policy_use,
        {"Role": role},
        {
            "Version": using.version,
            "Since": at,
            "Until": using.until,
            "RollsBack": using.rolls_back,
        },
    )


def end_shadow(connection: Connection, now: datetime) -> bool:
    """End the shadow run; returns False if none is running."""
    running = (_USE.Role == PolicyRole.SHADOW, _USE.Until > now)
    return has_changed(connection, update(read_policy_use).where(*running).values(Until=now))
