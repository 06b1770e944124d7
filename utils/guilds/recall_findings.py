"""Finds the channels in which, or from which, Kith cannot recall, and the reason for each. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from utils.common.grouping import grouped
from utils.guilds.channel_readers import MemberRoles, Obstacle, ServerReaders


class FindingKind(Enum):
    """What Kith cannot do."""

    NO_PAST = auto()
    """Nothing said in these channels is used, not even there, after the running conversation."""
    STAYS = auto()
    """What was said in these channels is used only where everyone can read it."""
    MISSES = auto()
    """In these channels Kith uses nothing from some channels that are open to all."""
    AGE = auto()
    """What was said in these channels is used only in age-restricted channels."""


@dataclass(frozen=True, slots=True)
class RecallFinding:
    """Channels with the same restriction for the same reason.

    Attributes:
        source_ids: for MISSES, the channels from which nothing is used.
    """

    kind: FindingKind
    obstacle: Obstacle
    channel_ids: tuple[int, ...]
    source_ids: tuple[int, ...] = ()


def recall_findings(
    readers: ServerReaders, channel_ids: Collection[int], roles: MemberRoles
) -> list[RecallFinding]:
    """Return what restricts recall among these channels, those Kith can view, by reason."""
    existing = [channel_id for channel_id in channel_ids if channel_id in readers]
    open_ids = [id for id in existing if readers.open_obstacle(id, roles) is None]
    reasons = grouped(
        (restriction, channel_id)
        for channel_id in existing
        for restriction in _restrictions(readers, channel_id, open_ids, roles)
    )
    findings = [
        RecallFinding(kind, obstacle, ids, source_ids)
        for (kind, obstacle, source_ids), ids in reasons.items()
    ]
    return sorted(findings, key=lambda finding: finding.kind.value)


def _restrictions(
    readers: ServerReaders, channel_id: int, open_ids: Iterable[int], roles: MemberRoles
) -> Iterable[tuple[FindingKind, Obstacle, tuple[int, ...]]]:
    no_past = readers.obstacle(channel_id, channel_id, roles)
    if no_past is not None:
        yield FindingKind.NO_PAST, no_past, ()
    elif (stays := readers.open_obstacle(channel_id, roles)) is not None:
        yield FindingKind.STAYS, stays, ()
    if readers.is_age_restricted(channel_id):
        yield FindingKind.AGE, Obstacle(0), ()
    sources = readers.sources(channel_id, roles)
    obstacles = (
        (readers.obstacle(channel_id, source_id, roles), source_id)
        for source_id in open_ids
        if source_id not in sources and source_id != channel_id
    )
    missed = grouped(pair for pair in obstacles if pair[0] is not None and pair[0].permission)
    for obstacle, source_ids in missed.items():
        yield FindingKind.MISSES, obstacle, source_ids
