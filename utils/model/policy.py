"""What a server allows to be written and recalled; every field is a moderator's choice."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from utils.model.memory import Kind

SESSION_ENDS_AFTER = timedelta(minutes=30)


class WriteMode(StrEnum):
    """What becomes of what was learnt."""

    AUTO = "auto"
    SHADOW = "shadow"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class WritePolicy:
    """When a candidate becomes a memory. Confidences lie between 0 and 1.

    AUTO keeps what is sure enough, SHADOW keeps it but never recalls it, MANUAL lets a moderator
    decide each time. ``longest_days`` only ever shortens a kind's life.
    """

    mode: WriteMode = WriteMode.AUTO
    active_from: float = 0.80
    proposed_from: float = 0.75
    passing_from: float = 0.60
    pattern_days: int = 2
    approve_kinds: frozenset[Kind] = frozenset()
    writes_per_session: int = 10
    writes_per_hour: int = 50
    longest_days: Mapping[Kind, int] = field(default_factory=dict)
    cap: int = 500
    recall: bool = True
