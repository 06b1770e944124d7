"""What a policy in the shadow showed, in figures with their intervals. Pure."""

from collections import defaultdict
from collections.abc import Sequence

from utils.memory.bootstrap import interval
from utils.model.read_policy import ShadowReport, ShadowRow


def report_of(version: int, rows: Sequence[ShadowRow]) -> ShadowReport:
    """Return shares and means over recalls, by name; members are what is resampled.

    ``overlap`` is the Jaccard index of what both showed, 1 where both showed nothing; ``differs``
    the share of recalls in which it was not the same.
    """
    values: defaultdict[str, defaultdict[str, list[float]]]
    values = defaultdict(lambda: defaultdict(list))
    for row in rows:
        active, shadow = set(row.active_ids), set(row.shadow_ids)
        either = len(active | shadow)
        figures = {
            "overlap": len(active & shadow) / either if either else 1.0,
            "differs": float(active != shadow),
            "items, active": len(active),
            "items, shadow": len(shadow),
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
