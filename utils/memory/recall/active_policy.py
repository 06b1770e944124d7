"""Reads which recall policy is active in the database, and which one is the shadow."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from utils.common.bounded import BoundedDict
from utils.common.errors import BadInput
from utils.database.core.engine import Connection
from utils.database.memories import recall_policies
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import stored_policy
from utils.models.operator import PolicyRole
from utils.models.recall_policy import PolicyUse

MAX_CACHED = 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VersionedPolicy:
    """A policy and its version."""

    version: int
    policy: RecallPolicy


@dataclass(frozen=True, slots=True)
class PoliciesInUse:
    """The active policy, and the shadow policy if there is one."""

    active: VersionedPolicy
    shadow: VersionedPolicy | None = None


class PolicyCache:
    """Caches policies by version; a version never changes.

    ``standard`` is version 0, and gives the fields that a stored policy does not name.
    """

    def __init__(self, standard: RecallPolicy | None = None) -> None:
        self.standard = standard or RecallPolicy()
        self._kept: BoundedDict[int, RecallPolicy] = BoundedDict(MAX_CACHED)

    def load(
        self, connection: Connection, uses: Mapping[PolicyRole, PolicyUse], now: datetime
    ) -> PoliciesInUse:
        """Return the policies in use; reads only those that are not cached."""
        active = self.get(connection, uses.get(PolicyRole.ACTIVE, PolicyUse()).version)
        shadow = uses.get(PolicyRole.SHADOW)
        if shadow is None or (shadow.until is not None and shadow.until <= now):
            return PoliciesInUse(active)
        return PoliciesInUse(active, self.get(connection, shadow.version))

    def get(self, connection: Connection, version: int) -> VersionedPolicy:
        """Return a version's policy; the standard policy if this program cannot read it."""
        if version == 0:
            return VersionedPolicy(0, self.standard)
        policy = self._kept.get(version)
        if policy is None:
            text = recall_policies.policy_text(connection, version)
            try:
                policy = stored_policy(text or "", self.standard)
            except (BadInput, ValueError, RecursionError) as error:
                policy = self.standard
                _log.error(
                    "recall policy version %d is not valid in this version of Kith; the standard "
                    "policy is used instead: %s",
                    version,
                    error,
                )
            self._kept[version] = policy
        return VersionedPolicy(version, policy)
