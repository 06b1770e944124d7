"""How well a policy of recall would have done: exchanges whose evidence is known, recalled anew.

A policy is judged by several objectives at once, never by one number, and each has its interval.
Conversations are split by a hash of their names into those that weights may be fitted on and those
that are only ever looked at: exchanges of one conversation resemble each other, and so they all lie
on one side. Pure: what recalls and what measures time are handed in.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from utils.memory import bootstrap
from utils.memory.composing import Material, Rules, compose
from utils.memory.policy import ReadPolicy, has_faded
from utils.model.memory import Memory
from utils.model.read_policy import Interval
from utils.model.recall import Recall, Said
from utils.text import estimate_tokens

HOLDOUT_SHARE = 0.5
SAME_WORDS = 0.8  # of two texts' stems: whatever a policy takes for the same, these are duplicates

# What a policy is judged by, and whether more of it is better.
OBJECTIVES: Mapping[str, bool] = {
    "evidence in block": True,
    "precision": True,
    "tokens": False,
    "ms": False,
    "duplicates": False,
    "violations": False,
}

NO_EVIDENCE: Mapping[int, frozenset[str]] = {}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message, what could be recalled for it then, and the evidence that a good answer uses.

    ``of_rows`` and ``of_messages`` tell, by their ids, what each memory and message is evidence of.
    """

    conversation: str
    material: Material
    gold: frozenset[str]
    of_rows: Mapping[int, frozenset[str]] = field(default_factory=lambda: NO_EVIDENCE)
    of_messages: Mapping[int, frozenset[str]] = field(default_factory=lambda: NO_EVIDENCE)

    def found(self, recall: Recall) -> list[frozenset[str]]:
        """Return what evidence each memory and message in a block is."""
        rows = (self.of_rows.get(row.id, frozenset()) for row in recall.rows)
        said = (self.of_messages.get(one.message_id, frozenset()) for one in recall.said)
        return [*rows, *said]


Values = dict[str, dict[str, list[float]]]
"""By objective and conversation, a value for each exchange; NaN where it has none."""


def is_held_out(conversation: str) -> bool:
    """Whether a conversation is never fitted on: by its name alone, and so always alike."""
    digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) >= (1.0 - HOLDOUT_SHARE) * 2**64


def evaluate(
    policies: Mapping[str, ReadPolicy],
    exchanges: Iterable[Exchange],
    rules: Rules,
    monotonic: Callable[[], float],
) -> dict[str, Values]:
    """Return, by the name of each policy, what it reached in every exchange.

    Policies take turns in going first, so that none is always measured warm.
    """
    values: dict[str, Values] = {
        name: {objective: defaultdict(list) for objective in OBJECTIVES} for name in policies
    }
    for number, exchange in enumerate(exchanges):
        named = list(policies.items())
        turned = number % len(named)
        for name, policy in (*named[turned:], *named[:turned]):
            begun = monotonic()
            recall = compose(exchange.material, policy, rules)
            took_ms = (monotonic() - begun) * 1000
            for objective, value in scored(exchange, recall, rules, took_ms).items():
                values[name][objective][exchange.conversation].append(value)
    return values


def scored(
    exchange: Exchange, recall: Recall, rules: Rules, took_ms: float = 0.0
) -> dict[str, float]:
    """Return what a recall reached, by objective.

    ``precision`` is the share of what is shown that is evidence (NaN where nothing is shown),
    ``duplicates`` the share of what is shown that says what something before it does, and
    ``violations`` counts what may not be shown at all.
    """
    found = exchange.found(recall)
    shown = len(found)
    fitting = sum(1 for one in found if one & exchange.gold)
    return {
        "evidence in block": evidence_in(exchange, recall),
        "precision": fitting / shown if shown else math.nan,
        "tokens": estimate_tokens(recall.block) if recall.block else 0.0,
        "ms": took_ms,
        "duplicates": _duplicates(exchange, recall) / shown if shown else 0.0,
        "violations": float(violations(exchange.material, recall, rules)),
    }


def evidence_in(exchange: Exchange, recall: Recall) -> float:
    """Return the share of the evidence that is in a block; NaN where none is known."""
    reached = frozenset().union(*exchange.found(recall)) & exchange.gold
    return len(reached) / len(exchange.gold) if exchange.gold else math.nan


def violations(material: Material, recall: Recall, rules: Rules) -> int:
    """Count what is shown and may not be: unreadable here, not active (forgotten, proposed), over,
    faded, unfit to be told, or of nobody asked about.

    It looks at what is shown, one by one, and not, as ranking does, at what to leave out.
    """
    asked, loaded = material.asked, material.loaded
    said = {
        one.event_id: one for _, prepared in loaded.people.values() for one in prepared.said.items
    }
    known = {row.id for _, prepared in loaded.people.values() for row in prepared.rows.items}
    known |= {row.id for row in loaded.server.items} if loaded.server is not None else set()

    def row_may(row: Memory) -> bool:
        is_here = row.channel_id in asked.audience.sources and row.id in known
        is_live = row.is_live(asked.now) and not has_faded(row, asked.now, rules.write_policy)
        return is_here and is_live and rules.may_tell(row.text)

    def said_may(one: Said | None) -> bool:
        if one is None or one.source_id not in asked.audience.sources:
            return False
        return one.expires_at > asked.now and rules.may_tell(one.text)

    return sum(not row_may(row) for row in recall.rows) + sum(
        not said_may(said.get(quote.event_id)) for quote in recall.said
    )


def _duplicates(exchange: Exchange, recall: Recall) -> int:
    stems_of = {
        one.event_id: one.stems
        for _, prepared in exchange.material.loaded.people.values()
        for one in prepared.said.items
    }
    texts = [row.stems.split("\n", 1)[0] for row in recall.rows]
    texts += [stems_of.get(quote.event_id, "") for quote in recall.said]
    before: list[frozenset[str]] = []
    count = 0
    for text in texts:
        words = frozenset(text.split())
        count += bool(words) and any(
            len(words & other) >= SAME_WORDS * len(words | other) for other in before
        )
        before.append(words)
    return count


@dataclass(frozen=True, slots=True)
class Line:
    """One objective of a table: each policy's mean, and how much the second differs from the first;
    all with intervals over conversations."""

    objective: str
    means: Mapping[str, Interval]
    difference: Interval | None


@dataclass(frozen=True, slots=True)
class Table:
    """How policies did on a set of conversations."""

    conversations: int
    exchanges: int
    lines: tuple[Line, ...]


def table(values: Mapping[str, Values]) -> Table:
    """Return means with their intervals; the first two policies are also compared, in pairs."""
    first = next(iter(values.values()))["evidence in block"]
    lines = tuple(line_of(objective, values) for objective in OBJECTIVES)
    return Table(len(first), sum(map(len, first.values())), lines)


def line_of(objective: str, values: Mapping[str, Values]) -> Line:
    """Return the means of one objective, and how much the second policy differs in it."""
    of = {name: one[objective] for name, one in values.items()}
    means = {name: bootstrap.interval(one) for name, one in of.items()}
    first, *others = of.values()
    return Line(objective, means, bootstrap.difference(first, others[0]) if others else None)
