"""Compares recall policies on recorded exchanges, and searches better weights.

A hash of a member's ids puts all their exchanges, which resemble each other, on one side: the
fitting set, on which weights are searched, or the holdout, which the search refuses.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean

from utils.common.clock import Clock
from utils.common.errors import BadInput
from utils.common.text import estimate_tokens
from utils.database.core.engine import Database, DatabaseService
from utils.memory.evaluation.exchanges import Exchange, RecordedMember, is_held_out, recorded
from utils.memory.policy.categories import Category
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import field_schemas, flat, with_fields
from utils.memory.policy.write_policy import has_faded
from utils.memory.recall.pipeline import Material, Rules, compose
from utils.memory.safety.filter import refusal_reason
from utils.models.recall import Recall

TOKEN_COST = 0.1 / 400  # a full standard block costs a tenth of success
MS_COST = 0.001
VIOLATION_COST = 1.0
SEARCHED = (
    *(f"asking.{name}" for name in ("coverage", "conversation_best", "neighbours", "linked")),
    *(f"telling.{name}" for name in ("sentence", "conversation_mean", "continuity")),
    "said_share",
)
FACTORS = (0.5, 2.0, 0.75, 1.33)
FIRST_TRIES = (0.5, -0.5)  # for a weight of 0
MIN_GAIN = 0.0005  # of the score, for a step of the search


@dataclass(frozen=True, slots=True)
class RecallOutcome:
    """How a policy does: for one exchange, or on average.

    ``success`` is the share of the evidence in the block, ``tokens`` its size, ``ms`` the time to
    compose it. ``violations`` counts shown items that must not be shown.
    """

    success: float
    tokens: float
    ms: float
    violations: float

    @property
    def score(self) -> float:
        """All four in one: success, minus the costs of the others."""
        costs = TOKEN_COST * self.tokens + MS_COST * self.ms + VIOLATION_COST * self.violations
        return self.success - costs


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """A policy's mean outcome, and for how many members it scores better or worse than the first
    policy."""

    outcome: RecallOutcome
    better: int
    worse: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of policies by name on the same exchanges; none without an exchange."""

    exchanges: int
    members: int
    results: Mapping[str, PolicyResult]


class PolicyComparisons(DatabaseService):
    """Compares and searches policies on the newest recorded exchanges. Slow: for the terminal."""

    def __init__(self, database: Database, clock: Clock, *, forbidden: frozenset[Category]) -> None:
        super().__init__(database, clock)
        self._rules = Rules(may_tell=lambda text: refusal_reason(text, forbidden) is None)

    async def compare(
        self, policies: Mapping[str, RecallPolicy], guild_id: int | None = None
    ) -> tuple[Comparison, Comparison]:
        """Return the results on the fitting set and on the holdout."""
        members, now = await self._recorded(guild_id), self._clock.monotonic
        fitting, holdout = [
            await asyncio.to_thread(
                compare, policies, _exchanges(members, held_out=side), self._rules, now
            )
            for side in (False, True)
        ]
        return fitting, holdout

    async def tune(
        self, active: RecallPolicy, minutes: float, guild_id: int | None = None
    ) -> tuple[RecallPolicy, int]:
        """Search better weights on the fitting set, and return as :func:`tune` does.

        Raises BadInput if the set is empty.
        """
        members, now = await self._recorded(guild_id), self._clock.monotonic
        until = now() + minutes * 60.0
        fitting = await asyncio.to_thread(list, _exchanges(members, held_out=False))
        if not fitting:
            raise BadInput(
                "There is nothing to fit on: no recorded exchange that may be fitted on. "
                "Wait until members under lasting consent have talked more."
            )
        return await asyncio.to_thread(tune, active, fitting, self._rules, until, now)

    async def _recorded(self, guild_id: int | None) -> list[RecordedMember]:
        return await self._database.read(recorded, now=self._clock.now(), guild_id=guild_id)


def _exchanges(members: Iterable[RecordedMember], *, held_out: bool) -> Iterator[Exchange]:
    """Yield the exchanges of the fitting set or the holdout, one member at a time."""
    for member in members:
        if is_held_out(member.conversation) is held_out:
            yield from member.exchanges()


def compare(
    policies: Mapping[str, RecallPolicy],
    exchanges: Iterable[Exchange],
    rules: Rules,
    monotonic: Callable[[], float],
) -> Comparison:
    """Return the results of each policy, by its name. Pure.

    Policies take turns in going first, so that none is always measured with warm caches.
    """
    outcomes: dict[str, list[RecallOutcome]] = {name: [] for name in policies}
    by_member: defaultdict[str, defaultdict[str, list[float]]]
    by_member = defaultdict(lambda: defaultdict(list))
    names = list(policies)
    for exchange in exchanges:
        names.append(names.pop(0))
        for name in names:
            started = monotonic()
            recall = compose(exchange.material, policies[name], rules)
            result = outcome(exchange, recall, rules, (monotonic() - started) * 1000)
            outcomes[name].append(result)
            by_member[exchange.conversation][name].append(result.score)
    if not by_member:
        return Comparison(0, 0, {})
    first = next(iter(policies))
    gains = {
        name: [fmean(scores[name]) - fmean(scores[first]) for scores in by_member.values()]
        for name in policies
    }
    results = {
        name: PolicyResult(
            _mean(outcomes[name]),
            better=sum(gain > 0 for gain in gains[name]),
            worse=sum(gain < 0 for gain in gains[name]),
        )
        for name in policies
    }
    return Comparison(len(outcomes[first]), len(by_member), results)


def tune(
    active: RecallPolicy,
    exchanges: Sequence[Exchange],
    rules: Rules,
    until: float,
    monotonic: Callable[[], float],
) -> tuple[RecallPolicy, int]:
    """Search weights with a better score than the active ones, until a time of ``monotonic``. Pure.

    Returns the best policy, and how many were tried.

    One weight after another is halved, doubled, or moved less, and a step that gains is kept
    (the exploratory moves of Hooke & Jeeves 1961, "Direct search"). Time does not count in the
    score, so the same exchanges give the same steps. Raises ValueError for one of the holdout.
    """
    for exchange in exchanges:
        if is_held_out(exchange.conversation):
            raise ValueError(f"{exchange.conversation} is held out: nothing may be fitted on it")

    def score(policy: RecallPolicy) -> float:
        return _mean(
            [
                outcome(exchange, compose(exchange.material, policy, rules), rules)
                for exchange in exchanges
            ]
        ).score

    best, best_score, tried, is_better = active, score(active), 0, True
    while is_better:
        is_better = False
        for path in SEARCHED:
            limits, value = field_schemas()[path], flat(best)[path]
            tries = [round(value * factor, 2) for factor in FACTORS] if value else FIRST_TRIES
            for new in tries:
                if monotonic() >= until:
                    return best, tried
                bounded = min(limits["maximum"], max(limits["minimum"], new))
                candidate = with_fields({path: bounded}, best)
                tried += 1
                if (candidate_score := score(candidate)) > best_score + MIN_GAIN:
                    best, best_score, is_better = candidate, candidate_score, True
                    break
    return best, tried


def outcome(exchange: Exchange, recall: Recall, rules: Rules, ms: float = 0.0) -> RecallOutcome:
    """Return the outcome of a recall that took ``ms`` milliseconds. Pure."""
    recalled = exchange.memory_ids & {row.id for row in recall.rows}
    quoted = exchange.message_ids & {quote.message_id for quote in recall.quotes}
    return RecallOutcome(
        success=(len(recalled) + len(quoted))
        / (len(exchange.memory_ids) + len(exchange.message_ids)),
        tokens=estimate_tokens(recall.block) if recall.block else 0,
        ms=ms,
        violations=violations(exchange.material, recall, rules),
    )


def violations(material: Material, recall: Recall, rules: Rules) -> int:
    """Return the number of shown items that must not be shown. Pure.

    These are unreadable here, not active, expired, faded, unsafe, or about other people. Each shown
    item is checked by itself, independently of the filters that ranking uses.
    """
    request, people = material.request, material.loaded.people.values()
    sources, now = request.audience.sources, request.now
    messages = {message.event_id: message for _, prepared in people for message in prepared.said}
    memory_ids = {row.id for _, prepared in people for row in prepared.rows}

    quoted = [messages.get(quote.event_id) for quote in recall.quotes]
    allowed = sum(
        row.channel_id in sources
        and row.id in memory_ids
        and row.is_live(now)
        and not has_faded(row, now, rules.write_policy)
        and rules.may_tell(row.text)
        for row in recall.rows
    )
    allowed += sum(
        message is not None
        and message.source_id in sources
        and message.expires_at > now
        and rules.may_tell(message.text)
        for message in quoted
    )
    return len(recall.rows) + len(quoted) - allowed


def _mean(outcomes: Sequence[RecallOutcome]) -> RecallOutcome:
    names = [field.name for field in fields(RecallOutcome)]
    return RecallOutcome(*(fmean(getattr(result, name) for result in outcomes) for name in names))
