"""A server's write policies: every version that ever held, and the one that holds now."""

import json
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import func, insert, select

from utils.database import guilds
from utils.database.engine import Session
from utils.database.tables import guild_settings, policy_version
from utils.model.memory import Kind
from utils.model.policy import WriteMode, WritePolicy


def load(session: Session, guild_id: int, default: WritePolicy) -> WritePolicy:
    """Return the policy that holds in a server: its own, laid over the operator's default."""
    stored = session.scalar(
        select(policy_version.c.Policy)
        .join(guild_settings, guild_settings.c.GuildId == policy_version.c.GuildId)
        .where(
            policy_version.c.GuildId == guild_id,
            policy_version.c.Version == guild_settings.c.PolicyVersion,
        )
    )
    return default if stored is None else from_json(stored, default)


def save(
    session: Session,
    guild_id: int,
    policy: WritePolicy,
    *,
    at: datetime,
    actor_id: int,
    reason: str,
) -> int:
    """Store a policy as the server's next version and let it hold at once; returns the version."""
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
    guilds.save(session, replace(guilds.load(session, guild_id), policy_version=version))
    return version


def to_json(policy: WritePolicy) -> str:
    """Write a policy as JSON, with sorted keys so that equal policies look equal."""
    fields = asdict(policy)
    fields["approve_kinds"] = sorted(policy.approve_kinds)
    return json.dumps(fields, sort_keys=True)


def from_json(text: str, default: WritePolicy) -> WritePolicy:
    """Read a stored policy; fields it does not name, or that this program forgot, keep defaults.

    Raises ValueError when the text is no policy at all.
    """
    stored = json.loads(text)
    if not isinstance(stored, dict):
        raise ValueError("a stored policy is not an object")
    known = {name: stored[name] for name in asdict(default) if name in stored}
    if "mode" in known:
        known["mode"] = WriteMode(known["mode"])
    if "approve_kinds" in known:
        known["approve_kinds"] = frozenset(Kind(kind) for kind in known["approve_kinds"])
    if "longest_days" in known:
        known["longest_days"] = {Kind(kind): days for kind, days in known["longest_days"].items()}
    return replace(default, **known)
