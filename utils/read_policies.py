"""The policies of recall: what holds, what held, applying, rolling back, and the shadow.

Every recall uses the policy that holds in the database at that moment: a change takes effect at
once, in every process.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeAlias

from utils.clock import Clock
from utils.database import histories, read_policies, shadows
from utils.database.engine import Database, Session
from utils.errors import BadInput, Conflict, NotFound
from utils.memory.policies_in_force import PoliciesInForce
from utils.memory.policy import ReadPolicy as ReadPolicy
from utils.memory.policy_json import LIMITS as LIMITS
from utils.memory.policy_json import cautions as cautions
from utils.memory.policy_json import checked
from utils.memory.policy_json import fields_from_json as fields_from_json
from utils.memory.policy_json import flat as flat
from utils.memory.policy_json import policy_diff as policy_diff
from utils.memory.policy_json import to_json as to_json
from utils.memory.policy_json import with_fields as with_fields
from utils.memory.shadow_report import report_of
from utils.model.memory import DIRECT_MESSAGES, SERVER_ITSELF, Member
from utils.model.operator import ACTOR_LIMIT, OPERATOR, PolicyRole
from utils.model.policy import REASON_LIMIT
from utils.model.read_policy import MOST_SHADOW_DAYS, ShadowReport, ShadowRow, Use, VersionRow
from utils.text import clean, clip, one_line

MOST_VERSION = 2**31 - 1  # that both databases can count to
STANDARD = VersionRow(0, None, "Kith", "the standard policy of this program")
SAME = "That is the policy that holds already (version {version})."
NO_VERSION = "There is no version {version} of recall's policy."
NOTHING_TO_ROLL_BACK = "There is nothing to roll back: no policy was applied, or all of them were."
ANOTHER_HOLDS = "Version {version} holds by now; look at it before you go on."
SHADOW_ENDED = "shadow ended"  # in the audit
NOBODY = Member(DIRECT_MESSAGES, SERVER_ITSELF)
BAD_DAYS = "A shadow runs for 1 to {most} days."

Chosen: TypeAlias = ReadPolicy | int | Mapping[str, Any]
"""A policy, one of the versions, or the fields to change, by their paths, in what holds."""


@dataclass(frozen=True, slots=True)
class PolicyInForce:
    """A policy in use: its version, who chose it, when and why.

    ``until`` is when a shadow ends; ``rolls_back``: a breach of drift ends what holds.
    """

    version: int
    policy: ReadPolicy
    since: datetime | None
    actor: str
    reason: str
    until: datetime | None = None
    rolls_back: bool = False


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version that was made just now, and the policy that held until then."""

    version: int
    before: ReadPolicy
    policy: ReadPolicy


class ReadPolicies:
    """Every version of recall's policy; 0 is the standard one, which the program brings."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._policies = PoliciesInForce()

    async def active(self) -> PolicyInForce:
        """Return the policy that holds. Raises DatabaseError."""

        def unit(session: Session) -> PolicyInForce:
            return self._in_use(session, self._holding(session))

        return await self._database.read(unit)

    async def shadow(self) -> PolicyInForce | None:
        """Return the policy in the shadow; None where there is none, or its time is over."""
        now = self._clock.now()

        def unit(session: Session) -> PolicyInForce | None:
            use = read_policies.uses(session).get(PolicyRole.SHADOW)
            if use is None or (use.until is not None and use.until <= now):
                return None
            return self._in_use(session, use)

        return await self._database.read(unit)

    async def versions(self) -> list[VersionRow]:
        """Return every version, newest first; the standard one is the last."""
        return [*await self._database.read(read_policies.versions), STANDARD]

    async def row(self, version: int) -> VersionRow | None:
        """Return who made a version, when and why; None where there is none."""
        if version == STANDARD.version:
            return STANDARD
        return await self._database.read(partial(read_policies.version, number=version))

    async def get(self, version: int) -> ReadPolicy:
        """Return a version's policy. Raises NotFound for one that does not exist."""
        return await self._database.read(partial(self._policy, version=version))

    async def apply(
        self,
        chosen: Chosen,
        *,
        actor: str,
        reason: str,
        rolls_back: bool = False,
        only: int | None = None,
    ) -> NewVersion:
        """Let a policy hold from now on.

        ``rolls_back``: a breach of drift ends it by itself. ``only``: just if that version holds.
        Raises BadInput for what makes no sense, Conflict for what holds already, or where another
        version does, NotFound for what does not exist.
        """
        now = self._clock.now()

        def unit(session: Session) -> NewVersion:
            held, before, policy = self._choose(session, chosen, only, now)
            version = self._add(session, policy, now, actor, reason, held)
            use = Use(version, rolls_back=rolls_back)
            read_policies.use(session, PolicyRole.ACTIVE, use, now)
            return NewVersion(version, before, policy)

        return await self._database.write(unit)

    async def rollback(self, *, actor: str, reason: str, only: int | None = None) -> NewVersion:
        """Let the policy hold again that held before this one.

        Rolling back once more goes a step further back. ``only``: just if that version holds.
        Raises Conflict where another one does, or there is nothing to roll back.
        """
        now = self._clock.now()

        def unit(session: Session) -> NewVersion:
            held = self._lock(session, only, now)
            holds = read_policies.version(session, held)
            if holds is None or holds.previous is None:
                raise Conflict(NOTHING_TO_ROLL_BACK)
            back_to = read_policies.version(session, holds.previous)
            previous = None if back_to is None else back_to.previous
            policy = self._policy(session, holds.previous)
            why = f"back to version {holds.previous}: {reason}"
            version = self._add(session, policy, now, actor, why, previous)
            read_policies.use(session, PolicyRole.ACTIVE, Use(version), now)
            return NewVersion(version, self._policy(session, held), policy)

        return await self._database.write(unit)

    async def start_shadow(
        self, chosen: Chosen, days: int, *, actor: str, reason: str, only: int | None = None
    ) -> NewVersion:
        """Run a policy beside the one that holds, without effect, for some days. It takes the place
        of one that is in the shadow already.

        ``only``: just if that version holds. Raises BadInput for what makes no sense, Conflict for
        what holds already, or where another version does, NotFound for what does not exist.
        """
        if not 1 <= days <= MOST_SHADOW_DAYS:
            raise BadInput(BAD_DAYS, most=MOST_SHADOW_DAYS)
        now = self._clock.now()

        def unit(session: Session) -> NewVersion:
            _, before, policy = self._choose(session, chosen, only, now)
            version = self._add(session, policy, now, actor, reason, None)
            use = Use(version, until=now + timedelta(days=days))
            read_policies.use(session, PolicyRole.SHADOW, use, now)
            return NewVersion(version, before, policy)

        return await self._database.write(unit)

    async def end_shadow(self, *, actor: str, reason: str) -> bool:
        """Take the policy out of the shadow; what it showed stays. False if there is none.

        The audit keeps who did it and why, beside direct messages, as of all that is no server's.
        """
        now = self._clock.now()
        who, why = clip(clean(actor), ACTOR_LIMIT), clip(one_line(clean(reason)), REASON_LIMIT)

        def unit(session: Session) -> bool:
            ended = read_policies.end_shadow(session, now)
            if ended:
                told = json.dumps({"by": who, "reason": why}, ensure_ascii=False)
                histories.note(session, NOBODY, SHADOW_ENDED, now, OPERATOR, after=told)
            return ended

        return await self._database.write(unit)

    async def shadow_report(self) -> ShadowReport | None:
        """Return what the policy in the shadow showed so far, also once its time is over; None
        where there is none."""

        def unit(session: Session) -> tuple[int, list[ShadowRow]] | None:
            use = read_policies.uses(session).get(PolicyRole.SHADOW)
            return None if use is None else (use.version, shadows.latest(session, use.version))

        found = await self._database.read(unit)
        return None if found is None else report_of(*found)

    def _holding(self, session: Session) -> Use:
        return read_policies.uses(session).get(PolicyRole.ACTIVE, Use())

    def _lock(self, session: Session, only: int | None, now: datetime) -> int:
        """Take what holds, so that nobody else changes it; returns its version. Raises Conflict for
        another one than ``only``."""
        read_policies.lock(session, now)
        held = self._holding(session).version
        if only not in (None, held):
            raise Conflict(ANOTHER_HOLDS, version=held)
        return held

    def _choose(
        self, session: Session, chosen: Chosen, only: int | None, now: datetime
    ) -> tuple[int, ReadPolicy, ReadPolicy]:
        """Take what holds; returns its version, its policy, and the one that was chosen instead.

        Fields are changed in what holds here, so that of two people at once neither undoes what the
        other changed.
        """
        held = self._lock(session, only, now)
        before = self._policy(session, held)
        match chosen:
            case int():
                policy = self._policy(session, chosen)
            case ReadPolicy():
                policy = checked(chosen)
            case _:
                policy = with_fields(chosen, before)
        if policy == before:
            raise Conflict(SAME, version=held)
        return held, before, policy

    def _in_use(self, session: Session, use: Use) -> PolicyInForce:
        row = read_policies.version(session, use.version) or STANDARD
        policy = self._policies.get(session, use.version).policy
        return PolicyInForce(
            use.version, policy, use.since, row.actor, row.reason, use.until, use.rolls_back
        )

    def _policy(self, session: Session, version: int) -> ReadPolicy:
        is_stored = version <= MOST_VERSION and read_policies.policy_text(session, version)
        if version and not is_stored:
            raise NotFound(NO_VERSION, version=version)
        return self._policies.get(session, version).policy

    def _add(
        self,
        session: Session,
        policy: ReadPolicy,
        now: datetime,
        actor: str,
        reason: str,
        previous: int | None,
    ) -> int:
        """Store a version; the standard policy as what the program brings, whichever it is."""
        text = "{}" if policy == self._policies.standard else to_json(policy)
        return read_policies.add(
            session,
            text,
            at=now,
            actor=clip(one_line(clean(actor)), ACTOR_LIMIT),
            reason=clip(one_line(clean(reason)), REASON_LIMIT),
            previous=previous,
        )
