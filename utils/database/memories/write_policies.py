"""A server's write policies: all versions, the active one, and who is near or over its limits."""

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Row, and_, bindparam, func, insert, select, update

from utils.database.core.engine import Connection
from utils.database.core.queries import (
    after_member,
    fetch_rows,
    fetch_value,
    is_member,
    member_parameters,
    members_from,
    read_first,
    read_list,
)
from utils.database.guilds import settings
from utils.database.schema.memory_tables import (
    guild_settings,
    is_from_export,
    memory_audit,
    memory_event,
    memory_evidence,
    policy_version,
    user_memory,
)
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Form, Kind, Member, Role, Status
from utils.models.policy import (
    MAX_WRITES_PER_HOUR,
    SESSION_ENDS_AFTER,
    WritePolicy,
    Writes,
    WriteVersion,
)

_SETTINGS, _VERSION, _MEMORY, _EVIDENCE = (
    guild_settings.c,
    policy_version.c,
    user_memory.c,
    memory_evidence.c,
)

HOUR = timedelta(hours=1)
EVENTS_PER_PAGE = 100
MAX_VERSIONS = 100
_ADAPTER = TypeAdapter(WritePolicy)


def load(connection: Connection, guild_id: int) -> WritePolicy | None:
    """Return the policy that a server chose, or None if it never chose one."""
    return load_server(connection, guild_id).policy


@dataclass(frozen=True, slots=True)
class ServerRules:
    """What a server decides about all of its members' memories; ``policy`` None: it chose none."""

    consent_default: Consent
    frozen: bool
    policy: WritePolicy | None


# Constants, as those below: building costs more than running.
_LOAD_SERVER = (
    select(_SETTINGS.ConsentDefault, _SETTINGS.Frozen, _VERSION.Policy)
    .outerjoin_from(
        guild_settings,
        policy_version,
        and_(_VERSION.GuildId == _SETTINGS.GuildId, _VERSION.Version == _SETTINGS.PolicyVersion),
    )
    .where(_SETTINGS.GuildId == bindparam("guild_id"))
)


def load_server(connection: Connection, guild_id: int) -> ServerRules:
    """Return what a server decides about memories, by one query."""
    rows = fetch_rows(connection, _LOAD_SERVER, guild_id=guild_id)
    if not rows:
        return ServerRules(GuildSettings(guild_id).consent_default, frozen=False, policy=None)
    row = rows[0]
    policy = None if row.Policy is None else from_json(row.Policy)
    return ServerRules(row.ConsentDefault, row.Frozen, policy)


def lock(connection: Connection, guild_id: int) -> None:
    """Lock the server's row, inserting it if needed, so that changes are serialised."""
    unchanged = {"PolicyVersion": guild_settings.c.PolicyVersion}
    settings.save(connection, GuildSettings(guild_id), on_update=unchanged)


def save(
    connection: Connection,
    guild_id: int,
    policy: WritePolicy,
    *,
    at: datetime,
    actor_id: int,
    reason: str,
) -> int:
    """Store a policy as the server's next version and activate it; returns the version.

    The caller holds the server's lock (:func:`lock`).
    """
    last = connection.scalar(
        select(func.max(policy_version.c.Version)).where(policy_version.c.GuildId == guild_id)
    )
    version = int(last or 0) + 1
    connection.execute(
        insert(policy_version).values(
            GuildId=guild_id,
            Version=version,
            At=at,
            ActorId=actor_id,
            Reason=reason,
            Policy=to_json(policy),
        )
    )
    connection.execute(
        update(guild_settings)
        .where(guild_settings.c.GuildId == guild_id)
        .values(PolicyVersion=version)
    )
    return version


def list_versions(connection: Connection, guild_id: int) -> list[WriteVersion]:
    """Return the policies that a server chose, newest first, at most MAX_VERSIONS."""
    return read_list(
        connection,
        select(policy_version)
        .where(_VERSION.GuildId == guild_id)
        .order_by(_VERSION.Version.desc())
        .limit(MAX_VERSIONS),
        _version,
    )


def load_version(connection: Connection, guild_id: int, version: int) -> WriteVersion | None:
    """Return one of a server's policies; None if there is no such version."""
    return read_first(
        connection,
        select(policy_version).where(_VERSION.GuildId == guild_id, _VERSION.Version == version),
        _version,
    )


def _version(row: Row[Any]) -> WriteVersion:
    return WriteVersion(row.Version, row.At, row.ActorId, row.Reason, from_json(row.Policy))


def load_recent(connection: Connection, guild_id: int, limit: int) -> list[tuple[Kind, float, int]]:
    """Return kind, confidence and number of days of a server's newest notes.

    The days are those on which a pattern was seen; other kinds have 1.
    """
    judged = (Status.ACTIVE, Status.PROPOSED, Status.SHADOW)
    query = (
        select(_MEMORY.Id, _MEMORY.Kind, _MEMORY.Confidence, _MEMORY.Status)
        .where(_MEMORY.GuildId == guild_id, _MEMORY.Form == Form.NOTE)
        .order_by(_MEMORY.Id.desc())
        .limit(limit)
    )
    rows = [row for row in connection.execute(query) if row.Status in judged]
    patterns = [row.Id for row in rows if row.Kind is Kind.PATTERN]
    evidence_rows = connection.execute(
        select(_EVIDENCE.MemoryId, _EVIDENCE.SaidAt).where(_EVIDENCE.MemoryId.in_(patterns))
    )
    days = Counter(
        memory_id for memory_id, _ in {(row.MemoryId, row.SaidAt.date()) for row in evidence_rows}
    )
    return [(row.Kind, row.Confidence, max(1, days[row.Id])) for row in rows]


_COUNT_IN_SESSION = (
    select(func.count())
    .select_from(user_memory)
    .where(
        is_member(user_memory),
        user_memory.c.Form == Form.NOTE,
        user_memory.c.CreatedAt >= bindparam("from_time"),
        user_memory.c.CreatedAt <= bindparam("to_time"),
    )
)
_LEARNT = (
    select(memory_audit.c.At)
    .where(
        is_member(memory_audit),
        memory_audit.c.Action == "learnt",
        memory_audit.c.At > bindparam("after"),
    )
    .order_by(memory_audit.c.Id.desc())
    .limit(MAX_WRITES_PER_HOUR)
)


def count_writes(
    connection: Connection, member: Member, said_at: datetime, now: datetime
) -> Writes:
    """Count a member's new notes in the session around ``said_at`` and in the last hour."""
    session = member_parameters(
        member,
        from_time=_session_start(connection, member, said_at),
        to_time=said_at + SESSION_ENDS_AFTER,
    )
    in_session = fetch_value(connection, _COUNT_IN_SESSION, **session)
    learnt = fetch_rows(connection, _LEARNT, **member_parameters(member, after=now - HOUR))
    return Writes(in_session or 0, len(learnt))


_SAID = (
    select(memory_event.c.Id, memory_event.c.CreatedAt)
    .where(
        memory_event.c.GuildId == bindparam("guild_id"),
        memory_event.c.AuthorId == bindparam("user_id"),
        memory_event.c.Role == Role.MEMBER,
        ~is_from_export(memory_event.c.State),
        memory_event.c.Id < bindparam("before_id"),
    )
    .order_by(memory_event.c.Id.desc())
    .limit(EVENTS_PER_PAGE)
)
_AFTER_ALL = 2**63 - 1


def _session_start(connection: Connection, member: Member, said_at: datetime) -> datetime:
    """Return when the member's session began: no pause of 30 minutes since then."""
    start, before_id = said_at, _AFTER_ALL
    while True:
        rows = fetch_rows(connection, _SAID, **member_parameters(member, before_id=before_id))
        for row in rows:
            if row.CreatedAt < start - SESSION_ENDS_AFTER:
                return start
            start = min(start, row.CreatedAt)
        if len(rows) < EVENTS_PER_PAGE:
            return start
        before_id = rows[-1].Id


def to_json(policy: WritePolicy) -> str:
    """Return a policy as JSON with sorted keys, so that equal policies give equal text."""
    return json.dumps(_ADAPTER.dump_python(policy, mode="json"), sort_keys=True)


def from_json(text: str) -> WritePolicy:
    """Return a stored policy; a missing field is standard, and an unknown one is ignored.

    Raises ValueError if the text is not a policy.
    """
    return _ADAPTER.validate_json(text)


def over_cap(connection: Connection, cap: int, after: Member, limit: int) -> list[Member]:
    """Return the next members, in the order of their ids, who may have more memories than the cap.

    ``cap`` is the operator's; a server's own may be lower.
    """
    candidates = set(_with_more(connection, cap, after, limit))
    own_policies = connection.execute(
        select(policy_version.c.GuildId, policy_version.c.Policy)
        .join(guild_settings, guild_settings.c.GuildId == policy_version.c.GuildId)
        .where(
            policy_version.c.Version == guild_settings.c.PolicyVersion,
            policy_version.c.GuildId >= after.guild_id,
        )
    )
    for guild_id, text in own_policies.all():
        own_cap = from_json(text).cap
        if own_cap < cap:
            in_guild = user_memory.c.GuildId == guild_id
            candidates.update(_with_more(connection, own_cap, after, limit, in_guild))
    return sorted(candidates)[:limit]


def _with_more(
    connection: Connection, cap: int, after: Member, limit: int, *where: ColumnElement[bool]
) -> list[Member]:
    ids = (user_memory.c.GuildId, user_memory.c.UserId)
    query = select(*ids).where(after_member(user_memory, after), *where).group_by(*ids)
    query = query.having(func.count() > cap).order_by(*ids).limit(limit)
    return members_from(connection, query)
