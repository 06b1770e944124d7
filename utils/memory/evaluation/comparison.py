"""Compares two recall policies on the same exchanges. Pure."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from utils.common.text import estimate_tokens
from utils.memory.evaluation.replay import Exchange, Line, Values, evidence_in, line_of
from utils.memory.evaluation.shadow_report import overlap, shown_ids
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.recall.pipeline import Rules, compose
from utils.models.recall_policy import Interval
from utils.nlp.bootstrap import interval

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
