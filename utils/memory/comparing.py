"""Two policies of recall on the same exchanges: what stays as it is, and what changes. Pure."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from utils.memory.bootstrap import interval
from utils.memory.composing import Rules, compose
from utils.memory.policy import ReadPolicy
from utils.memory.replay import Exchange, Line, Values, evidence_in, line_of
from utils.memory.shadow_report import overlap, shown_ids
from utils.model.read_policy import Interval
from utils.text import estimate_tokens

BEFORE, AFTER = "before", "after"
MEASURES = ("items", "tokens", "evidence in block")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the same exchanges are recalled by two policies; means with intervals over members.

    ``same`` counts those for which both show the same memories and messages, however much of each;
    ``alike`` is the Jaccard index of what both show, and ``with_evidence`` counts those whose
    evidence is known: the others have none to find.
    """

    exchanges: int
    members: int
    same: int
    with_evidence: int
    alike: Interval
    lines: tuple[Line, ...]


def compare(
    before: ReadPolicy, after: ReadPolicy, exchanges: Iterable[Exchange], rules: Rules
) -> Comparison:
    """Recall every exchange by both policies."""
    values: dict[str, Values] = {
        name: {measure: defaultdict(list) for measure in MEASURES} for name in (BEFORE, AFTER)
    }
    alike: defaultdict[str, list[float]] = defaultdict(list)
    for exchange in exchanges:
        shown = []
        for name, policy in ((BEFORE, before), (AFTER, after)):
            recall = compose(exchange.material, policy, rules)
            shown.append(shown_ids(recall))
            figures = (
                len(shown[-1]),
                estimate_tokens(recall.block) if recall.block else 0,
                evidence_in(exchange, recall),
            )
            for measure, figure in zip(MEASURES, figures, strict=True):
                values[name][measure][exchange.conversation].append(figure)
        alike[exchange.conversation].append(overlap(*shown))
    every = [one for some in alike.values() for one in some]
    evidence = [one for some in values[BEFORE]["evidence in block"].values() for one in some]
    return Comparison(
        exchanges=len(every),
        members=len(alike),
        same=every.count(1.0),
        with_evidence=sum(not math.isnan(one) for one in evidence),
        alike=interval(alike),
        lines=tuple(line_of(measure, values) for measure in MEASURES),
    )
