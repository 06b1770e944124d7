"""What a policy in the shadow showed, in figures with their intervals. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from utils.models.recall import Recall
from utils.models.recall_policy import ShadowReport, ShadowRow
from utils.nlp.bootstrap import interval


def shown_ids(recall: Recall) -> tuple[int, ...]:
    """Return the ids of the memories in a block, and the negative ids of its messages."""
    return (*(row.id for row in recall.rows), *(-quote.message_id for quote in recall.quotes))


def overlap(active: Iterable[int], shadow: Iterable[int]) -> float:
    """Return the Jaccard index of what two policies showed; 1 if both showed nothing."""
    active_ids, shadow_ids = set(active), set(shadow)
    return (
        len(active_ids & shadow_ids) / len(active_ids | shadow_ids)
        if active_ids | shadow_ids
        else 1.0
    )


def report_of(version: int, rows: Sequence[ShadowRow]) -> ShadowReport:
    """Return shares and means over recalls, by name, with intervals over members.

    ``differs`` is the share of recalls with another result.
    """
    values: defaultdict[str, defaultdict[str, list[float]]]
    values = defaultdict(lambda: defaultdict(list))
    for row in rows:
        alike = overlap(row.active_ids, row.shadow_ids)
        figures = {
            "overlap": alike,
            "differs": float(alike < 1.0),
            "items, active": len(row.active_ids),
            "items, shadow": len(row.shadow_ids),
            "tokens, active": row.active_tokens,
            "tokens, shadow": row.shadow_tokens,
            "ms, active": row.active_ms,
            "ms, shadow": row.shadow_ms,
        }
        for name, value in figures.items():
            values[name][f"{row.guild_id}/{row.user_id}"].append(value)
    return ShadowReport(
        version=version,
        recalls=len(rows),
        members=len({(row.guild_id, row.user_id) for row in rows}),
        values={name: interval(by_member) for name, by_member in values.items()},
    )
