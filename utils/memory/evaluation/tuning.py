"""Searches better recall weights. It only proposes a policy; a person applies it.

It uses only exchanges of the fitting set (:func:`cases` refuses others). Matching is done once; a
policy is then tried by weighting arrays. The search maximises the mean share of the evidence among
the first few memories and messages, minus a penalty for a gain that needs both layers. Such a gain
vanishes for members with only memories or only messages stored, and it fits one data set.

The search changes one weight after another, in a seeded order, by halving or doubling it (the
exploratory moves of Hooke & Jeeves 1961, "Direct search"). Leave-one-out cross-validation estimates
the gain: each conversation is judged by a search without it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from statistics import fmean
from typing import Any

import numpy as np

from utils.memory.evaluation.replay import Exchange, evaluate, is_held_out
from utils.memory.policy.recall_policy import RankingWeights, RecallPolicy
from utils.memory.policy.recall_policy_fields import field_schemas, flat, with_fields
from utils.memory.recall.pipeline import Rules
from utils.memory.recall.ranking import Matches, match_linked, weigh
from utils.nlp.bootstrap import interval
from utils.nlp.stem_text import FloatArray, IntArray

DEPTHS = (3, 6, 10)  # of memories and of messages; a block of 400 tokens has room for about ten
LEANING_COSTS = 0.5  # the weight of a gain that one layer alone does not have
FACTORS = (0.5, 2.0, 0.75, 1.33)
FIRST_TRIES = (0.3, -0.3)  # for a weight of 0
LEAST_GAIN = 0.0005
MAX_EVIDENCE = 62  # bits of a whole number
# The data has no embeddings and no channel topics; each layer is weighted for itself.
NOT_SEARCHED = frozenset(["similarity", "channel", "linked"])
LAYERS = ("both", "memories", "messages")

Monotonic = Callable[[], float]


class HeldOut(ValueError):
    """An exchange of the holdout, on which weights must never be fitted."""


@dataclass(frozen=True, slots=True)
class MatchedLayer:
    """The matches among one person's memories or messages.

    ``bits`` has a bit for each piece of the exchange's evidence that a document is.
    """

    matches: Matches[Any]
    is_said: bool
    bits: IntArray


@dataclass(frozen=True, slots=True)
class TuningCase:
    """An exchange with its matches, ready to be weighted."""

    exchange: Exchange
    parts: tuple[MatchedLayer, ...]


@dataclass(frozen=True, slots=True)
class EvidenceShares:
    """The mean share of the evidence that both layers find, or one of them alone."""

    both: float
    memories: float
    messages: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """The result of a search: the policy, and the evidence found before and after.

    ``unseen_gain`` is the gain on conversations that a search had not seen; None with only one.
    """

    policy: RecallPolicy
    before: EvidenceShares
    after: EvidenceShares
    leaning: float
    unseen_gain: float | None
    tried: int


def cases(exchanges: Iterable[Exchange], policy: RecallPolicy) -> list[TuningCase]:
    """Return the exchanges prepared for the search. Raises HeldOut for one of the holdout."""
    return [_case(exchange, policy) for exchange in exchanges]


def search(
    prepared: Sequence[TuningCase],
    active: RecallPolicy,
    *,
    seed: int,
    until: float,
    monotonic: Monotonic,
) -> Proposal:
    """Search weights that find more than the active ones, until a time of ``monotonic``.

    Half of the time is for the proposal, half for the cross-validation. The same seed takes the
    same steps, but their number depends on the machine.
    """
    scorer = _PolicyScorer(prepared)
    half = monotonic() + (until - monotonic()) / 2.0
    everything = scorer.names
    best_policy = _climb(
        scorer, active, everything, np.random.default_rng(abs(seed)), half, monotonic
    )
    gains = []
    for number, name in enumerate(sorted(everything) if len(everything) > 1 else ()):
        share = (until - monotonic()) / (len(everything) - number)
        other_names = everything - {name}
        fold = _climb(
            scorer,
            active,
            other_names,
            np.random.default_rng(abs(seed)),
            monotonic() + share,
            monotonic,
        )
        gains.append(scorer.reached(fold, {name}).both - scorer.reached(active, {name}).both)
    before, after = scorer.reached(active, everything), scorer.reached(best_policy, everything)
    return Proposal(
        policy=best_policy,
        before=before,
        after=after,
        leaning=leaning(before, after),
        unseen_gain=fmean(gains) if gains else None,
        tried=scorer.tried,
    )


def leaning(before: EvidenceShares, after: EvidenceShares) -> float:
    """Return the share of a gain that the worse single layer does not have; 0 without a gain."""
    gain = after.both - before.both
    if gain <= 0:
        return 0.0
    alone = min(after.memories - before.memories, after.messages - before.messages)
    return min(1.0, max(0.0, 1.0 - alone / gain))


def worth(before: EvidenceShares, after: EvidenceShares) -> float:
    """Return the gain minus the penalty for leaning on one layer."""
    gain = after.both - before.both
    return gain * (1.0 - LEANING_COSTS * leaning(before, after)) if gain > 0 else gain


def searched() -> list[str]:
    """Return the paths of the weights to search."""
    names = [weight.name for weight in fields(RankingWeights) if weight.name not in NOT_SEARCHED]
    return [*(f"{side}.{name}" for side in ("asking", "telling") for name in names)]


class _PolicyScorer:
    """Scores policies on cases, each policy once."""

    def __init__(self, prepared: Sequence[TuningCase]) -> None:
        self._cases = prepared
        self._known: dict[tuple[float, ...], dict[str, EvidenceShares]] = {}
        self.names = frozenset(case.exchange.conversation for case in prepared)

    @property
    def tried(self) -> int:
        """The number of policies tried."""
        return len(self._known)

    def reached(self, policy: RecallPolicy, names: Collection[str]) -> EvidenceShares:
        """Return a policy's mean shares over these conversations."""
        key = tuple(flat(policy).values())
        if key not in self._known:
            self._known[key] = self._try(policy)
        shares = [self._known[key][name] for name in sorted(names)]
        return EvidenceShares(
            *(fmean(getattr(share, layer) for share in shares) for layer in LAYERS)
        )

    def _try(self, policy: RecallPolicy) -> dict[str, EvidenceShares]:
        by_name: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for case in self._cases:
            by_name[case.exchange.conversation].append(_shares(case, policy))
        return {
            name: EvidenceShares(*(fmean(column) for column in zip(*values, strict=True)))
            for name, values in by_name.items()
        }


def _climb(
    scorer: _PolicyScorer,
    active: RecallPolicy,
    names: Collection[str],
    chance: np.random.Generator,
    until: float,
    monotonic: Monotonic,
) -> RecallPolicy:
    """Return the policy after every step that gains on these conversations."""
    start = scorer.reached(active, names)
    current, best_gain, is_better = active, 0.0, True
    while is_better and monotonic() < until:
        is_better = False
        paths = searched()
        chance.shuffle(paths)
        for path in paths:
            for value in _steps(flat(current)[path]):
                if monotonic() >= until:
                    return current
                tried = with_fields({path: _within(path, value)}, current)
                counts = worth(start, scorer.reached(tried, names))
                if counts > best_gain + LEAST_GAIN:
                    current, best_gain, is_better = tried, counts, True
                    break
    return current


def _steps(value: float) -> list[float]:
    return [round(value * factor, 2) for factor in FACTORS] if value else list(FIRST_TRIES)


def _within(path: str, value: float) -> float:
    schema = field_schemas()[path]
    return min(float(schema["maximum"]), max(float(schema["minimum"]), value))


# --- one exchange ----------------------------------------------------------------------------


def _case(exchange: Exchange, policy: RecallPolicy) -> TuningCase:
    if is_held_out(exchange.conversation):
        raise HeldOut(f"{exchange.conversation} is held out: nothing may be fitted on it")
    request = exchange.material.request
    bit_of = {piece: 1 << i for i, piece in enumerate(sorted(exchange.gold)[:MAX_EVIDENCE])}

    def bits(evidence: Iterable[frozenset[str]]) -> IntArray:
        sums = [sum(bit_of.get(piece, 0) for piece in pieces) for pieces in evidence]
        return np.array(sums, np.int64)

    parts, nothing = list[MatchedLayer](), frozenset[str]()
    sources, now = request.audience.sources, request.now
    for _, prepared in exchange.material.loaded.people.values():
        rows, messages = prepared.rows, prepared.said
        allowed = (
            rows.readable(sources, now),
            messages.readable(sources, now, request.excluded_ids),
        )
        of_rows, of_messages = match_linked(
            (rows, messages), prepared.links, request.query, allowed, policy, zone=request.zone
        )
        by_row, by_message = exchange.evidence_by_memory, exchange.evidence_by_message
        memory_bits = bits(by_row.get(row.id, nothing) for row in rows)
        message_bits = bits(by_message.get(message.message_id, nothing) for message in messages)
        parts.append(MatchedLayer(of_rows, False, memory_bits))
        parts.append(MatchedLayer(of_messages, True, message_bits))
    return TuningCase(exchange, tuple(parts))


def _shares(case: TuningCase, policy: RecallPolicy) -> tuple[float, float, float]:
    """Return the share of the evidence at the top, averaged over DEPTHS.

    The three values are for both layers, memories alone, and messages alone.
    """
    pieces = min(MAX_EVIDENCE, len(case.exchange.gold))
    ordered = [_best_bits(case, policy, is_said=is_said) for is_said in (False, True)]
    sums = [0, 0, 0]
    for depth in DEPTHS:
        memory_bits, message_bits = (int(np.bitwise_or.reduce(bits[:depth])) for bits in ordered)
        for i, bits in enumerate((memory_bits | message_bits, memory_bits, message_bits)):
            sums[i] += bits.bit_count()
    both, memories, messages = (count / (pieces * len(DEPTHS)) for count in sums)
    return both, memories, messages


def _best_bits(case: TuningCase, policy: RecallPolicy, *, is_said: bool) -> IntArray:
    """Return the evidence bits of the best memories or messages of all people, best first."""
    scores: list[FloatArray] = []
    bits: list[IntArray] = []
    for part in case.parts:
        if part.is_said is is_said:
            weighed = weigh(part.matches, policy, in_context=is_said)
            places = weighed.best(DEPTHS[-1])
            scores.append(weighed.totals[places])
            bits.append(part.bits[places])
    if not scores:
        return np.zeros(0, np.int64)
    order = np.argsort(-np.concatenate(scores), kind="stable")
    best_bits: IntArray = np.concatenate(bits)[order]
    return best_bits


# --- thresholds ------------------------------------------------------------------------------

SAID_SHARES = (0.3, 0.4, 0.6)


def with_thresholds(
    proposal: Proposal,
    exchanges: Sequence[Exchange],
    rules: Rules,
    until: float,
    monotonic: Monotonic,
) -> Proposal:
    """Return the proposal with the share of messages that gives better blocks.

    A better block has no less evidence and no less precision, and more of one of them.
    """
    fitted = [exchange for exchange in exchanges if not is_held_out(exchange.conversation)]
    current = proposal.policy
    reached = _blocks(current, fitted, rules, monotonic)
    for share in SAID_SHARES:
        if monotonic() >= until:
            break
        tried = replace(current, said_share=share)
        shares = _blocks(tried, fitted, rules, monotonic)
        is_no_worse = all(new >= old for new, old in zip(shares, reached, strict=True))
        if is_no_worse and sum(shares) > sum(reached) + LEAST_GAIN:
            current, reached = tried, shares
    return replace(proposal, policy=current)


def _blocks(
    policy: RecallPolicy, exchanges: Sequence[Exchange], rules: Rules, monotonic: Monotonic
) -> tuple[float, float]:
    """Return the mean evidence in whole blocks, and their mean precision."""
    values = evaluate({"": policy}, exchanges, rules, monotonic)[""]
    return interval(values["evidence in block"]).mean, interval(values["precision"]).mean
