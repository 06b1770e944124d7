"""Compares what two recall policies show, in the shadow or on the same exchanges. Pure."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from utils.common.text import estimate_tokens
from utils.memory.evaluation.replay import Exchange, Line, Values, evidence_in, line_of
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.pipeline import Rules, compose
from utils.models.recall import Recall
from utils.models.recall_policy import Interval, ShadowReport, ShadowRow
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


BEFORE, AFTER = "before", "after"
MEASURES = ("items", "tokens", "evidence in block")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two policies recall the same exchanges; means with intervals over members.

    ``same`` counts the exchanges for which both show the same memories and messages. ``alike`` is
    the Jaccard index of what both show. ``with_evidence`` counts the exchanges with known evidence.
    """

    exchanges: int
    members: int
    same: int
    with_evidence: int
    alike: Interval
    lines: tuple[Line, ...]


def compare(
    before: RecallPolicy, after: RecallPolicy, exchanges: Iterable[Exchange], rules: Rules
) -> Comparison:
    """Return how both policies recall every exchange."""
    values: dict[str, Values] = {
        name: {measure: defaultdict(list) for measure in MEASURES} for name in (BEFORE, AFTER)
    }
    overlaps: defaultdict[str, list[float]] = defaultdict(list)
    for exchange in exchanges:
        shown_by_policy = []
        for name, policy in ((BEFORE, before), (AFTER, after)):
            recall = compose(exchange.material, policy, rules)
            shown_by_policy.append(shown_ids(recall))
            figures = (
                len(shown_by_policy[-1]),
                estimate_tokens(recall.block) if recall.block else 0,
                evidence_in(exchange, recall),
            )
            for measure, figure in zip(MEASURES, figures, strict=True):
                values[name][measure][exchange.conversation].append(figure)
        overlaps[exchange.conversation].append(overlap(*shown_by_policy))
    all_overlaps = [value for of_member in overlaps.values() for value in of_member]
    evidence = [
        share for of_member in values[BEFORE]["evidence in block"].values() for share in of_member
    ]
    return Comparison(
        exchanges=len(all_overlaps),
        members=len(overlaps),
        same=all_overlaps.count(1.0),
        with_evidence=sum(not math.isnan(share) for share in evidence),
        alike=interval(overlaps),
        lines=tuple(line_of(measure, values) for measure in MEASURES),
    )
