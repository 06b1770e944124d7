"""WriteRules: what the operator allows to be written to memory."""

from dataclasses import dataclass

from utils.memory.policy.categories import Category
from utils.models.policy import WritePolicy


@dataclass(frozen=True, slots=True)
class WriteRules:
    """The operator's write policy, the categories no member may store, and MEMORY_READ_ONLY."""

    policy: WritePolicy
    forbidden: frozenset[Category]
    read_only: bool
