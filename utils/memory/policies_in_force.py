"""Which policy of recall holds in the database now, and which runs in its shadow."""

import logging
from dataclasses import dataclass
from datetime import datetime

from utils.database import read_policies
from utils.database.engine import Session
from utils.errors import BadInput
from utils.memory.policy import ReadPolicy
from utils.memory.policy_json import stored_policy
from utils.model.operator import PolicyRole
from utils.model.read_policy import Use

MOST_KEPT = 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Versioned:
    """A policy and its version."""

    version: int
    policy: ReadPolicy


@dataclass(frozen=True, slots=True)
class InForce:
    """The policy that holds, and the one in the shadow, if any."""

    active: Versioned
    shadow: Versioned | None = None


class PoliciesInForce:
    """Reads the versions in use, and a policy only when its version is new: versions never change.

    ``standard`` is version 0, and what a stored policy does not name.
    """

    def __init__(self, standard: ReadPolicy | None = None) -> None:
        self.standard = standard or ReadPolicy()
        self._kept: dict[int, ReadPolicy] = {}

    def load(self, session: Session, now: datetime) -> InForce:
        """Return what is in use now, by one look at a table of two rows; in any thread."""
        uses = read_policies.uses(session)
        active = self.get(session, uses.get(PolicyRole.ACTIVE, Use()).version)
        shadow = uses.get(PolicyRole.SHADOW)
        if shadow is None or (shadow.until is not None and shadow.until <= now):
            return InForce(active)
        return InForce(active, self.get(session, shadow.version))

    def get(self, session: Session, version: int) -> Versioned:
        """Return a version's policy; the standard one where this program cannot read it."""
        if version == 0:
            return Versioned(0, self.standard)
        if version not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[version] = self._load(session, version)
        return Versioned(version, self._kept[version])

    def _load(self, session: Session, version: int) -> ReadPolicy:
        text = read_policies.policy_text(session, version)
        try:
            return stored_policy(text or "", self.standard)
        except (BadInput, ValueError, RecursionError) as error:
            _log.error(
                "version %d of recall's policy makes no sense to this program, and so the standard "
                "one holds: %s",
                version,
                error,
            )
            return self.standard
