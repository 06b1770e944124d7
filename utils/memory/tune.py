"""The one place where the weights of recall are searched. It proposes; a person applies.

Only exchanges of the fitting set are ever looked at (:func:`cases` refuses any other). What each
candidate has of every word is found once; a policy is then tried by weighing arrays. What is
maximised, in the mean over conversations, is the share of the evidence that stands among the first
few memories and messages, less a penalty for leaning on one layer: the larger the part of a gain
that is gone where there are only memories, or only messages, the less of it counts. Such a gain is
none for members of whom only one of them is kept, and it is what fits one set of data best.

The search goes along one weight after the other, in an order that a seed gives, with steps that
halve or double it (Hooke & Jeeves 1961, "Direct search", its exploratory moves). How much such a
search gains is estimated by doing it anew for each conversation of the fitting set without that
one, and looking at that one alone (cross-validation).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from statistics import fmean
from typing import Any

import numpy as np

from utils.memory.bootstrap import interval
from utils.memory.composing import Rules
from utils.memory.documents import Documents
from utils.memory.policy import RankingWeights, ReadPolicy
from utils.memory.policy_json import LIMITS, flat, from_flat
from utils.memory.postings import Real, Whole
from utils.memory.ranking import Matches, best, match, weigh
from utils.memory.replay import Exchange, evaluate, is_held_out

DEPTHS = (3, 6, 10)  # of memories, and of messages; a block of 400 tokens holds about ten in all
LEANING_COSTS = 0.5  # of a gain that is owed to one layer alone
FACTORS = (0.5, 2.0, 0.75, 1.33)
FIRST_TRIES = (0.3, -0.3)  # for a weight of 0
LEAST_GAIN = 0.0005
MOST_EVIDENCE = 62  # bits of a whole number
# What the data at hand says nothing of: embeddings, a channel's topics, confidence.
NOT_SEARCHED = frozenset(["similarity", "channel", "confidence"])
LAYERS = ("both", "memories", "messages")

Monotonic = Callable[[], float]


class HeldOut(ValueError):
    """An exchange of a conversation that weights must never be fitted on."""


@dataclass(frozen=True, slots=True)
class Part:
    """What matches of one person's memories or messages; ``bits`` says of each document which
    pieces of the exchange's evidence it is."""

    found: Matches[Any]
    is_said: bool
    bits: Whole


@dataclass(frozen=True, slots=True)
class Case:
    """An exchange, ready to be weighed."""

    exchange: Exchange
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """How much of the evidence a policy finds by all, and by one layer alone, in the mean."""

    both: float
    memories: float
    messages: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a search found: the policy, what it and the active one reach on the fitting set, and
    what searching gained on conversations that it had not seen; None with only one of them."""

    policy: ReadPolicy
    before: Reached
    after: Reached
    leaning: float
    unseen_gain: float | None
    tried: int


def cases(exchanges: Iterable[Exchange], policy: ReadPolicy) -> list[Case]:
    """Prepare exchanges for the search. Raises HeldOut for one of the holdout."""
    return [_case(exchange, policy) for exchange in exchanges]


def search(
    prepared: Sequence[Case],
    active: ReadPolicy,
    *,
    seed: int,
    until: float,
    monotonic: Monotonic,
) -> Proposal:
    """Search weights that find more than the active ones do, until a time by ``monotonic``.

    Half of the time is for the proposal, half for the cross-validation, whose searches are thus
    shorter and tell of weights alone, not of thresholds. Time ends each: the same seed goes the
    same way, but how far depends on the machine.
    """
    lab = _Lab(prepared)
    half = monotonic() + (until - monotonic()) / 2.0
    everything = lab.names
    found = _climb(lab, active, everything, np.random.default_rng(abs(seed)), half, monotonic)
    gains = []
    for number, name in enumerate(sorted(everything) if len(everything) > 1 else ()):
        share = (until - monotonic()) / (len(everything) - number)
        others = everything - {name}
        fold = _climb(
            lab, active, others, np.random.default_rng(abs(seed)), monotonic() + share, monotonic
        )
        gains.append(lab.reached(fold, {name}).both - lab.reached(active, {name}).both)
    before, after = lab.reached(active, everything), lab.reached(found, everything)
    return Proposal(
        policy=found,
        before=before,
        after=after,
        leaning=leaning(before, after),
        unseen_gain=fmean(gains) if gains else None,
        tried=lab.tried,
    )


def leaning(before: Reached, after: Reached) -> float:
    """Return the share of a gain that is gone where there is only one layer, at the worse one; 0
    where nothing was gained."""
    gain = after.both - before.both
    if gain <= 0:
        return 0.0
    alone = min(after.memories - before.memories, after.messages - before.messages)
    return min(1.0, max(0.0, 1.0 - alone / gain))


def worth(before: Reached, after: Reached) -> float:
    """Return what a gain counts for: less by what it owes to one layer alone."""
    gain = after.both - before.both
    return gain * (1.0 - LEANING_COSTS * leaning(before, after)) if gain > 0 else gain


def searched() -> list[str]:
    """Return the paths of the weights that are searched."""
    names = [one.name for one in fields(RankingWeights) if one.name not in NOT_SEARCHED]
    return [*(f"{side}.{name}" for side in ("asking", "telling") for name in names)]


class _Lab:
    """Tries policies on cases, each policy once."""

    def __init__(self, prepared: Sequence[Case]) -> None:
        self._cases = prepared
        self._known: dict[tuple[float, ...], dict[str, Reached]] = {}
        self.names = frozenset(case.exchange.conversation for case in prepared)

    @property
    def tried(self) -> int:
        """How many policies were tried."""
        return len(self._known)

    def reached(self, policy: ReadPolicy, names: Collection[str]) -> Reached:
        """Return what a policy reaches in the mean over these conversations."""
        key = tuple(flat(policy).values())
        if key not in self._known:
            self._known[key] = self._try(policy)
        found = [self._known[key][name] for name in sorted(names)]
        return Reached(*(fmean(getattr(one, layer) for one in found) for layer in LAYERS))

    def _try(self, policy: ReadPolicy) -> dict[str, Reached]:
        by_name: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for case in self._cases:
            by_name[case.exchange.conversation].append(_shares(case, policy))
        return {
            name: Reached(*(fmean(column) for column in zip(*values, strict=True)))
            for name, values in by_name.items()
        }


def _climb(
    lab: _Lab,
    active: ReadPolicy,
    names: Collection[str],
    chance: np.random.Generator,
    until: float,
    monotonic: Monotonic,
) -> ReadPolicy:
    """Take every step that gains something on these conversations, until none does."""
    start = lab.reached(active, names)
    current, most, is_better = active, 0.0, True
    while is_better and monotonic() < until:
        is_better = False
        paths = searched()
        chance.shuffle(paths)
        for path in paths:
            for value in _steps(flat(current)[path]):
                if monotonic() >= until:
                    return current
                tried = from_flat({path: _within(path, value)}, current)
                counts = worth(start, lab.reached(tried, names))
                if counts > most + LEAST_GAIN:
                    current, most, is_better = tried, counts, True
                    break
    return current


def _steps(value: float) -> list[float]:
    return [round(value * factor, 2) for factor in FACTORS] if value else list(FIRST_TRIES)


def _within(path: str, value: float) -> float:
    return min(LIMITS[path].most, max(LIMITS[path].least, value))


# --- one exchange ----------------------------------------------------------------------------


def _case(exchange: Exchange, policy: ReadPolicy) -> Case:
    if is_held_out(exchange.conversation):
        raise HeldOut(f"{exchange.conversation} is held out: nothing may be fitted on it")
    asked = exchange.material.asked
    bit_of = {piece: 1 << i for i, piece in enumerate(sorted(exchange.gold)[:MOST_EVIDENCE])}

    def part(
        documents: Documents[Any], evidence: Sequence[frozenset[str]], *, is_said: bool
    ) -> Part:
        but = asked.shown | {-asked.but} if is_said else ()
        allowed = documents.readable(asked.audience.sources, asked.now, but)
        bits = [sum(bit_of.get(piece, 0) for piece in pieces) for pieces in evidence]
        found = match(documents, asked.query, allowed, policy, zone=asked.zone)
        return Part(found, is_said, np.array(bits, np.int64))

    parts, nothing = [], frozenset[str]()
    for _, prepared in exchange.material.loaded.people.values():
        rows, said = prepared.rows, prepared.said
        of_rows = [exchange.of_rows.get(row.id, nothing) for row in rows.items]
        of_said = [exchange.of_messages.get(one.message_id, nothing) for one in said.items]
        parts.append(part(rows, of_rows, is_said=False))
        parts.append(part(said, of_said, is_said=True))
    return Case(exchange, tuple(parts))


def _shares(case: Case, policy: ReadPolicy) -> tuple[float, float, float]:
    """Return which share of the evidence stands high, in the mean over DEPTHS: of both layers, of
    memories alone, of messages alone."""
    pieces = min(MOST_EVIDENCE, len(case.exchange.gold))
    ordered = [_best_bits(case, policy, is_said=is_said) for is_said in (False, True)]
    sums = [0, 0, 0]
    for depth in DEPTHS:
        rows, said = (int(np.bitwise_or.reduce(bits[:depth])) for bits in ordered)
        for i, found in enumerate((rows | said, rows, said)):
            sums[i] += found.bit_count()
    both, memories, messages = (count / (pieces * len(DEPTHS)) for count in sums)
    return both, memories, messages


def _best_bits(case: Case, policy: ReadPolicy, *, is_said: bool) -> Whole:
    """Return the evidence of the best memories, or messages, of everybody, best first."""
    scores: list[Real] = []
    bits: list[Whole] = []
    weights = policy.weights(case.exchange.material.asked.query.telling)
    for part in case.parts:
        if part.is_said is is_said:
            candidates, terms = weigh(
                part.found, case.exchange.material.asked.now, policy, in_context=is_said
            )
            documents = part.found.documents
            places, gained, _ = best(documents, candidates, terms, weights, DEPTHS[-1])
            scores.append(gained.sum(axis=1))
            bits.append(part.bits[places])
    if not scores:
        return np.zeros(0, np.int64)
    order = np.argsort(-np.concatenate(scores), kind="stable")
    best_bits: Whole = np.concatenate(bits)[order]
    return best_bits


# --- thresholds ------------------------------------------------------------------------------

THRESHOLDS: Mapping[str, tuple[float, ...]] = {
    "relevance_floor": (0.02, 0.04, 0.12, 0.16, 0.25),
    "said_share": (0.3, 0.4, 0.6),
}


def with_thresholds(
    proposal: Proposal,
    exchanges: Sequence[Exchange],
    rules: Rules,
    until: float,
    monotonic: Monotonic,
) -> Proposal:
    """Return the proposal with the thresholds that are better whole blocks: those that neither find
    less evidence nor are less precise, and better in one of the two."""
    fitted = [one for one in exchanges if not is_held_out(one.conversation)]
    current = proposal.policy
    reached = _blocks(current, fitted, rules, monotonic)
    for path, values in THRESHOLDS.items():
        for value in values:
            if monotonic() >= until:
                return replace(proposal, policy=current)
            tried = from_flat({path: value}, current)
            found = _blocks(tried, fitted, rules, monotonic)
            is_no_worse = all(new >= old for new, old in zip(found, reached, strict=True))
            if is_no_worse and sum(found) > sum(reached) + LEAST_GAIN:
                current, reached = tried, found
    return replace(proposal, policy=current)


def _blocks(
    policy: ReadPolicy, exchanges: Sequence[Exchange], rules: Rules, monotonic: Monotonic
) -> tuple[float, float]:
    """Return the evidence in whole blocks and their precision."""
    values = evaluate({"": policy}, exchanges, rules, monotonic)[""]
    return interval(values["evidence in block"]).mean, interval(values["precision"]).mean
