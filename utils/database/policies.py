"""A server's write policies: every version that ever held, the one that holds now, and how much
of what it allows a member has used."""

import json
from collections import Counter
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, func, insert, select, update

from utils.database import guilds
from utils.database.engine import Session
from utils.database.tables import (
    guild_settings,
    is_from_export,
    memory_audit,
    memory_event,
    memory_evidence,
    policy_version,
    user_memory,
)
from utils.model.guild import GuildSettings
from utils.model.memory import Kind, Member, Role, Status
from utils.model.policy import (
    MOST_WRITES_PER_HOUR,
    SESSION_ENDS_AFTER,
    WriteMode,
    WritePolicy,
    Writes,
    WriteVersion,
)

HOUR = timedelta(hours=1)
EVENTS_A_LOOK = 100
MOST_VERSIONS = 100
STANDARD = WritePolicy()


def load(session: Session, guild_id: int) -> WritePolicy | None:
    """Return the policy that a server chose, or None: it never chose one."""
    stored = session.scalar(
        select(policy_version.c.Policy)
        .join(guild_settings, guild_settings.c.GuildId == policy_version.c.GuildId)
        .where(
            policy_version.c.GuildId == guild_id,
            policy_version.c.Version == guild_settings.c.PolicyVersion,
        )
    )
    return None if stored is None else from_json(stored)


def lock(session: Session, guild_id: int) -> None:
    """Take the server's row, making it if there is none, so that one at a time changes it."""
    take = {"PolicyVersion": guild_settings.c.PolicyVersion}
    guilds.save(session, GuildSettings(guild_id), on_update=take)


def save(
    session: Session,
    guild_id: int,
    policy: WritePolicy,
    *,
    at: datetime,
    actor_id: int,
    reason: str,
) -> int:
    """Store a policy as the server's next version and let it hold at once; returns the version.

    The caller holds the server's row (:func:`lock`).
    """
    last = session.scalar(
        select(func.max(policy_version.c.Version)).where(policy_version.c.GuildId == guild_id)
    )
    version = int(last or 0) + 1
    session.execute(
        insert(policy_version).values(
            GuildId=guild_id,
            Version=version,
            At=at,
            ActorId=actor_id,
            Reason=reason,
            Policy=to_json(policy),
        )
    )
    session.execute(
        update(guild_settings)
        .where(guild_settings.c.GuildId == guild_id)
        .values(PolicyVersion=version)
    )
    return version


def versions(session: Session, guild_id: int) -> list[WriteVersion]:
    """Return the policies that a server chose, newest first, at most MOST_VERSIONS."""
    columns = policy_version.c
    query = (
        select(policy_version)
        .where(columns.GuildId == guild_id)
        .order_by(columns.Version.desc())
        .limit(MOST_VERSIONS)
    )
    return [_version(row) for row in session.execute(query)]


def get(session: Session, guild_id: int, version: int) -> WriteVersion | None:
    """Return one of a server's policies; None where there is no such version."""
    columns = policy_version.c
    query = select(policy_version).where(columns.GuildId == guild_id, columns.Version == version)
    row = session.execute(query).first()
    return None if row is None else _version(row)


def _version(row: Row[Any]) -> WriteVersion:
    return WriteVersion(row.Version, row.At, row.ActorId, row.Reason, from_json(row.Policy))


def learnt(session: Session, guild_id: int, limit: int) -> list[tuple[Kind, float, int]]:
    """Return of a server's last memories the kind, the confidence, and on how many days a pattern
    showed (of other kinds: 1)."""
    columns, evidence = user_memory.c, memory_evidence.c
    judged = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
    query = (
        select(columns.Id, columns.Kind, columns.Confidence, columns.Status)
        .where(columns.GuildId == guild_id)
        .order_by(columns.Id.desc())
        .limit(limit)
    )
    rows = [row for row in session.execute(query) if row.Status in judged]
    patterns = [row.Id for row in rows if row.Kind is Kind.PATTERN]
    seen = session.execute(
        select(evidence.MemoryId, evidence.SaidAt).where(evidence.MemoryId.in_(patterns))
    )
    days = Counter(
        memory_id for memory_id, _ in {(one.MemoryId, one.SaidAt.date()) for one in seen}
    )
    return [(row.Kind, row.Confidence, max(1, days[row.Id])) for row in rows]


def caps_below(session: Session, cap: int) -> dict[int, int]:
    """Return the caps of the servers that chose a lower one."""
    rows = session.execute(
        select(policy_version.c.GuildId, policy_version.c.Policy)
        .join(guild_settings, guild_settings.c.GuildId == policy_version.c.GuildId)
        .where(policy_version.c.Version == guild_settings.c.PolicyVersion)
    )
    caps = {row.GuildId: from_json(row.Policy).cap for row in rows}
    return {guild_id: own for guild_id, own in caps.items() if own < cap}


def writes(session: Session, member: Member, said_at: datetime, now: datetime) -> Writes:
    """Return how many memories of a member were new in the session in which something was said,
    and in the hour before ``now``."""
    columns, audit = user_memory.c, memory_audit.c
    in_session = session.scalar(
        select(func.count())
        .select_from(user_memory)
        .where(
            columns.GuildId == member.guild_id,
            columns.UserId == member.user_id,
            columns.CreatedAt >= _session_start(session, member, said_at),
            columns.CreatedAt <= said_at + SESSION_ENDS_AFTER,
        )
    )
    learnt = session.scalars(
        select(audit.At)
        .where(
            audit.GuildId == member.guild_id,
            audit.UserId == member.user_id,
            audit.Action == "learnt",
            audit.At > now - HOUR,
        )
        .order_by(audit.Id.desc())
        .limit(MOST_WRITES_PER_HOUR)
    )
    return Writes(in_session or 0, len(learnt.all()))


def _session_start(session: Session, member: Member, said_at: datetime) -> datetime:
    """Return when the member began to speak without 30 minutes of silence in between."""
    columns = memory_event.c
    start, before = said_at, None
    while True:
        query = select(columns.Id, columns.CreatedAt).where(
            columns.GuildId == member.guild_id,
            columns.AuthorId == member.user_id,
            columns.Role == Role.MEMBER,
            ~is_from_export(columns.State),
        )
        if before is not None:
            query = query.where(columns.Id < before)
        rows = session.execute(query.order_by(columns.Id.desc()).limit(EVENTS_A_LOOK)).all()
        for row in rows:
            if row.CreatedAt < start - SESSION_ENDS_AFTER:
                return start
            start = min(start, row.CreatedAt)
        if len(rows) < EVENTS_A_LOOK:
            return start
        before = rows[-1].Id


def to_json(policy: WritePolicy) -> str:
    """Write a policy as JSON, with sorted keys so that equal policies look equal."""
    fields = asdict(policy)
    fields["approve_kinds"] = sorted(policy.approve_kinds)
    return json.dumps(fields, sort_keys=True)


def from_json(text: str) -> WritePolicy:
    """Read a stored policy; what it does not name, or this program does not know, is standard.

    Raises ValueError when the text is no policy at all.
    """
    stored = json.loads(text)
    if not isinstance(stored, dict):
        raise ValueError("a stored policy is not an object")
    known = {name: stored[name] for name in asdict(STANDARD) if name in stored}
    if "mode" in known:
        known["mode"] = WriteMode(known["mode"])
    if "approve_kinds" in known:
        known["approve_kinds"] = frozenset(Kind(kind) for kind in known["approve_kinds"])
    if "longest_days" in known:
        known["longest_days"] = {Kind(kind): days for kind, days in known["longest_days"].items()}
    return replace(STANDARD, **known)
