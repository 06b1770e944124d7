"""Recall policy versions: the active one, applying, rolling back, and the shadow.

Every recall reads the active policy from the database, so a change takes effect at once in every
process.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeAlias

from utils.common.clock import Clock
from utils.common.errors import BadInput, Conflict, NotFound
from utils.common.text import clean, clip, one_line
from utils.database.core.engine import Connection, Database, DatabaseService, reads, writes
from utils.database.core.queries import run
from utils.database.memories import audit, evaluation_data, recall_policies
from utils.memory.evaluation.shadow import report_of
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import checked, to_json, with_fields
from utils.memory.recall.active_policy import PolicyCache
from utils.models.memory import DIRECT_MESSAGES, SERVER_USER_ID, Member
from utils.models.operator import ACTOR_LIMIT, OPERATOR, PolicyRole
from utils.models.policy import REASON_LIMIT
from utils.models.recall_policy import (
    MAX_SHADOW_DAYS,
    PolicyUse,
    ShadowReport,
    VersionRow,
)

MAX_VERSION = 2**31 - 1  # that both databases can count to
STANDARD = VersionRow(0, None, "Kith", "the standard policy of this program")
UNREADABLE = "it is not valid in this version of Kith, so the standard policy is used instead"
SAME = "That policy is already active (version {version})."
NOBODY = Member(DIRECT_MESSAGES, SERVER_USER_ID)

Chosen: TypeAlias = RecallPolicy | int | Mapping[str, Any]
"""A policy, a version number, or the fields of the active policy to change, by path."""


@dataclass(frozen=True, slots=True)
class ActiveRecallPolicy:
    """A policy in use: its version, who chose it, when and why.

    ``reason`` is UNREADABLE for a version of which only the standard policy is left. ``until`` is
    when a shadow ends. ``rolls_back``: drift rolls the policy back.
    """

    version: int
    policy: RecallPolicy
    since: datetime | None
    actor: str
    reason: str
    until: datetime | None
    rolls_back: bool


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version that was just made, and the policy that was active before."""

    version: int
    before: RecallPolicy
    policy: RecallPolicy


class RecallPolicyVersions(DatabaseService):
    """Every recall policy version; 0 is the standard policy, which is part of Kith."""

    def __init__(
        self, database: Database, clock: Clock, standard: RecallPolicy | None = None
    ) -> None:
        """``standard`` is version 0."""
        super().__init__(database, clock)
        self._policies = PolicyCache(standard)

    @property
    def standard(self) -> RecallPolicy:
        """The policy that applies while no version does."""
        return self._policies.standard

    @reads
    def active(self, connection: Connection) -> ActiveRecallPolicy:
        """Return the active policy. Raises DatabaseError."""
        return self._in_use(connection, self._active_use(connection))

    @reads
    def shadow(self, connection: Connection) -> ActiveRecallPolicy | None:
        """Return the shadow policy; None if there is none or it has ended."""
        now = self._clock.now()
        use = run(connection, recall_policies.uses()).get(PolicyRole.SHADOW)
        if use is None or (use.until is not None and use.until <= now):
            return None
        return self._in_use(connection, use)

    async def versions(self) -> list[VersionRow]:
        """Return every version, newest first; the standard policy is last."""
        return [*await self._database.read(recall_policies.list_versions), STANDARD]

    async def row(self, version: int) -> VersionRow | None:
        """Return who made a version, when and why; None if it does not exist."""
        if version == STANDARD.version:
            return STANDARD
        return await self._database.read(recall_policies.load_version, number=version)

    async def apply(
        self,
        chosen: Chosen,
        *,
        actor: str,
        reason: str,
        rolls_back: bool = False,
        only: int | None = None,
    ) -> NewVersion:
        """Make a policy the active one.

        Args:
            rolls_back: whether drift rolls it back.
            only: the version that must be active now, None for any.

        Raises BadInput for invalid fields, NotFound for an unknown version, and Conflict if the
        policy is active already or another version than ``only`` is.
        """
        use = partial(PolicyUse, rolls_back=rolls_back)
        return await self._use(PolicyRole.ACTIVE, use, chosen, actor, reason, only)

    @writes
    def rollback(
        self, connection: Connection, *, actor: str, reason: str, only: int | None = None
    ) -> NewVersion:
        """Make the previous policy active again; another rollback goes one step further back.

        ``only`` is as in :meth:`apply`. Raises Conflict if another version is active, or if there
        is nothing to roll back.
        """
        now = self._clock.now()
        active_version = self._lock(connection, only, now)
        holds = recall_policies.load_version(connection, active_version)
        if holds is None or holds.previous is None:
            raise Conflict("There is nothing to roll back: no applied policy is left.")
        back_to = recall_policies.load_version(connection, holds.previous)
        previous = None if back_to is None else back_to.previous
        policy = self._policy(connection, holds.previous)
        why = f"back to version {holds.previous}: {reason}"
        version = self._add(connection, policy, now, actor, why, previous)
        recall_policies.set_use(connection, PolicyRole.ACTIVE, PolicyUse(version), now)
        return NewVersion(version, self._policy(connection, active_version), policy)

    async def start_shadow(
        self, chosen: Chosen, days: int, *, actor: str, reason: str, only: int | None = None
    ) -> NewVersion:
        """Run a policy in the shadow for some days, without effect; it replaces any other shadow.

        ``only`` and the errors are as in :meth:`apply`.
        """
        if not 1 <= days <= MAX_SHADOW_DAYS:
            raise BadInput("A shadow runs for 1 to {most} days.", most=MAX_SHADOW_DAYS)
        use = partial(PolicyUse, until=self._clock.now() + timedelta(days=days))
        return await self._use(PolicyRole.SHADOW, use, chosen, actor, reason, only)

    @writes
    def end_shadow(self, connection: Connection, *, actor: str, reason: str) -> bool:
        """End the shadow; its results stay. Returns False if there is none.

        The audit records who did it and why, under direct messages, since no server is concerned.
        """
        now = self._clock.now()
        who, why = clip(clean(actor), ACTOR_LIMIT), clip(one_line(clean(reason)), REASON_LIMIT)
        ended = recall_policies.end_shadow(connection, now)
        if ended:
            audit.record(
                connection,
                NOBODY,
                "shadow ended",
                now,
                OPERATOR,
                after=json.dumps({"by": who, "reason": why}, ensure_ascii=False),
            )
        return ended

    @reads
    def shadow_report(self, connection: Connection) -> ShadowReport | None:
        """Return the results of the shadow so far, even after its end; None if there is none."""
        use = run(connection, recall_policies.uses()).get(PolicyRole.SHADOW)
        if use is None:
            return None
        return report_of(use.version, evaluation_data.load_comparisons(connection, use.version))

    @writes
    def _use(
        self,
        connection: Connection,
        role: PolicyRole,
        use: Callable[[int], PolicyUse],
        chosen: Chosen,
        actor: str,
        reason: str,
        only: int | None,
    ) -> NewVersion:
        """Store a policy as a new version and use it; only an active one names that before it."""
        now = self._clock.now()
        active_version = self._lock(connection, only, now)
        before = self._policy(connection, active_version)
        match chosen:
            case int():
                policy = self._policy(connection, chosen)
            case RecallPolicy():
                policy = checked(chosen)
            case _:  # changed under the lock, so concurrent changes do not undo each other
                policy = with_fields(chosen, before)
        if policy == before:
            raise Conflict(SAME, version=active_version)
        previous = active_version if role is PolicyRole.ACTIVE else None
        version = self._add(connection, policy, now, actor, reason, previous)
        recall_policies.set_use(connection, role, use(version), now)
        return NewVersion(version, before, policy)

    def _active_use(self, connection: Connection) -> PolicyUse:
        return run(connection, recall_policies.uses()).get(PolicyRole.ACTIVE, PolicyUse())

    def _lock(self, connection: Connection, only: int | None, now: datetime) -> int:
        """Lock the active policy and return its version.

        Raises Conflict if ``only`` is another version.
        """
        recall_policies.lock(connection, now)
        active_version = self._active_use(connection).version
        if only not in (None, active_version):
            raise Conflict(
                "Version {version} is active now; look at it before you continue.",
                version=active_version,
            )
        return active_version

    def _in_use(self, connection: Connection, use: PolicyUse) -> ActiveRecallPolicy:
        row = recall_policies.load_version(connection, use.version) or STANDARD
        policy = self._policies.get(connection, use.version).policy
        return ActiveRecallPolicy(
            use.version,
            policy,
            use.since,
            row.actor,
            UNREADABLE if use.version and policy is self.standard else row.reason,
            use.until,
            use.rolls_back,
        )

    def _policy(self, connection: Connection, version: int) -> RecallPolicy:
        """Return a version's policy. Raises NotFound for one that does not exist."""
        is_stored = version <= MAX_VERSION and recall_policies.policy_text(connection, version)
        if version and not is_stored:
            raise NotFound("There is no recall policy version {version}.", version=version)
        return self._policies.get(connection, version).policy

    get = reads(_policy)

    def _add(
        self,
        connection: Connection,
        policy: RecallPolicy,
        now: datetime,
        actor: str,
        reason: str,
        previous: int | None,
    ) -> int:
        """Store a version; the standard policy has no fields, so it follows the program."""
        text = "{}" if policy == self._policies.standard else to_json(policy)
        return recall_policies.add(
            connection,
            text,
            at=now,
            actor=clip(one_line(clean(actor)), ACTOR_LIMIT),
            reason=clip(one_line(clean(reason)), REASON_LIMIT),
            previous=previous,
        )
