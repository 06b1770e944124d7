"""Replays exchanges whose evidence is known, to measure a recall policy. Pure.

A policy has several objectives, each with a confidence interval. A hash of a conversation's name
puts all its exchanges, which resemble each other, on one side of the split: the fitting set for
searching weights, or the holdout.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from utils.common.text import estimate_tokens
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.write_policy import has_faded
from utils.memory.recall.channel_context import NO_PAST_EPISODES, RecallRequest
from utils.memory.recall.documents import prepare_messages
from utils.memory.recall.pipeline import Material, Rules, compose
from utils.memory.recall.prepared_cache import LoadedMemory, PreparedMember
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Member, MemberHeader, Memory
from utils.models.recall import NOTHING_SIMILAR, Person, Recall, Said
from utils.models.recall_policy import Interval
from utils.nlp import bootstrap

HOLDOUT_SHARE = 0.5
SAME_WORDS = (
    0.8  # share of common stems that makes two texts duplicates, independently of the policy
)

# The objectives, and whether more is better.
OBJECTIVES: Mapping[str, bool] = {
    "evidence in block": True,
    "precision": True,
    "tokens": False,
    "ms": False,
    "duplicates": False,
    "violations": False,
}

NO_EVIDENCE: Mapping[int, frozenset[str]] = {}
People = Mapping[Member, tuple[MemberHeader, PreparedMember]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message, what could be recalled for it, and the evidence that a good answer uses.

    ``evidence_by_memory`` and ``evidence_by_message`` give, by id, what each memory and message is
    evidence of.
    """

    conversation: str
    material: Material
    gold: frozenset[str]
    evidence_by_memory: Mapping[int, frozenset[str]]
    evidence_by_message: Mapping[int, frozenset[str]]

    def evidence_shown(self, recall: Recall) -> list[frozenset[str]]:
        """Return the evidence of each memory and message in a block."""
        rows = (self.evidence_by_memory.get(row.id, frozenset()) for row in recall.rows)
        messages = (
            self.evidence_by_message.get(quote.message_id, frozenset()) for quote in recall.quotes
        )
        return [*rows, *messages]


Values = dict[str, dict[str, list[float]]]
"""By objective and conversation, one value for each exchange; NaN where it has none."""


def prepare_member(
    rows: Sequence[Memory], messages: Sequence[Said], behind: Mapping[int, tuple[int, ...]]
) -> PreparedMember:
    """Return a member's memory as recall prepares it; ``behind`` are the messages of each row."""
    sources = {row.id: behind.get(row.id, ()) for row in rows}
    memories, said = PreparedMemories(rows, 1, sources), prepare_messages(messages)
    return PreparedMember(memories, said, server_version=0, last_event_id=0, stale_at=None)


def material_of(
    audience: Audience,
    people: People,
    names: Sequence[str],
    text: str,
    now: datetime,
    message_id: int = 0,
) -> Material:
    """Return what a message is recalled from: these people, under lasting consent, and no lore."""
    request = RecallRequest(
        audience=audience,
        query=Query.of(text, names, (), now, UTC),
        similarities=NOTHING_SIMILAR,
        now=now,
        zone=UTC,
        visible_ids=frozenset([message_id]),
        exclude_id=message_id,
    )
    named = zip(people, names, strict=True)
    about = {member: Person(member.user_id, name) for member, name in named}
    settings = GuildSettings(audience.guild_id, consent_default=Consent.LASTING)
    loaded = LoadedMemory(people, None, {})
    return Material(request, about, loaded, NO_PAST_EPISODES, (), settings)


def is_held_out(conversation: str) -> bool:
    """Whether a conversation belongs to the holdout; its name alone decides."""
    digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) >= (1.0 - HOLDOUT_SHARE) * 2**64


def evaluate(
    policies: Mapping[str, RecallPolicy],
    exchanges: Iterable[Exchange],
    rules: Rules,
    monotonic: Callable[[], float],
) -> dict[str, Values]:
    """Return the values of each policy, by its name, for every exchange.

    Policies take turns in going first, so that none is always measured with warm caches.
    """
    values: dict[str, Values] = {
        name: {objective: defaultdict(list) for objective in OBJECTIVES} for name in policies
    }
    for number, exchange in enumerate(exchanges):
        named = list(policies.items())
        offset = number % len(named)
        for name, policy in (*named[offset:], *named[:offset]):
            started = monotonic()
            recall = compose(exchange.material, policy, rules)
            took_ms = (monotonic() - started) * 1000
            for objective, value in scored(exchange, recall, rules, took_ms).items():
                values[name][objective][exchange.conversation].append(value)
    return values


def scored(
    exchange: Exchange, recall: Recall, rules: Rules, took_ms: float = 0.0
) -> dict[str, float]:
    """Return the values of a recall, by objective.

    ``precision`` is the share of shown items that are evidence (NaN if nothing is shown).
    ``duplicates`` is the share of shown items that repeat an earlier one. ``violations`` counts
    items that must not be shown.
    """
    evidence = exchange.evidence_shown(recall)
    item_count = len(evidence)
    fitting = sum(1 for pieces in evidence if pieces & exchange.gold)
    return {
        "evidence in block": evidence_in(exchange, recall),
        "precision": fitting / item_count if item_count else math.nan,
        "tokens": estimate_tokens(recall.block) if recall.block else 0.0,
        "ms": took_ms,
        "duplicates": _duplicates(exchange, recall) / item_count if item_count else 0.0,
        "violations": float(violations(exchange.material, recall, rules)),
    }


def evidence_in(exchange: Exchange, recall: Recall) -> float:
    """Return the share of the evidence that is in a block; NaN if no evidence is known."""
    reached = frozenset().union(*exchange.evidence_shown(recall)) & exchange.gold
    return len(reached) / len(exchange.gold) if exchange.gold else math.nan


def violations(material: Material, recall: Recall, rules: Rules) -> int:
    """Return the number of shown items that must not be shown.

    These are unreadable here, not active, expired, faded, unsafe, or about other people. Each shown
    item is checked by itself, independently of the filters that ranking uses.
    """
    request, loaded = material.request, material.loaded
    messages_by_id = {
        message.event_id: message
        for _, prepared in loaded.people.values()
        for message in prepared.said
    }
    memory_ids = {row.id for _, prepared in loaded.people.values() for row in prepared.rows}
    memory_ids |= {row.id for row in loaded.server} if loaded.server is not None else set()

    def row_may(row: Memory) -> bool:
        is_here = row.channel_id in request.audience.sources and row.id in memory_ids
        is_live = row.is_live(request.now) and not has_faded(row, request.now, rules.write_policy)
        return is_here and is_live and rules.may_tell(row.text)

    def said_may(message: Said | None) -> bool:
        if message is None or message.source_id not in request.audience.sources:
            return False
        return message.expires_at > request.now and rules.may_tell(message.text)

    return sum(not row_may(row) for row in recall.rows) + sum(
        not said_may(messages_by_id.get(quote.event_id)) for quote in recall.quotes
    )


def _duplicates(exchange: Exchange, recall: Recall) -> int:
    stems_of = {
        message.event_id: message.stems
        for _, prepared in exchange.material.loaded.people.values()
        for message in prepared.said
    }
    texts = [row.stems.split("\n", 1)[0] for row in recall.rows]
    texts += [stems_of.get(quote.event_id, "") for quote in recall.quotes]
    before: list[frozenset[str]] = []
    count = 0
    for text in texts:
        words = frozenset(text.split())
        count += bool(words) and any(
            len(words & earlier_words) >= SAME_WORDS * len(words | earlier_words)
            for earlier_words in before
        )
        before.append(words)
    return count


@dataclass(frozen=True, slots=True)
class Line:
    """One objective: each policy's mean, and the difference of the second from the first.

    All have intervals over conversations.
    """

    objective: str
    means: Mapping[str, Interval]
    difference: Interval | None


@dataclass(frozen=True, slots=True)
class Table:
    """The results of policies on a set of conversations."""

    conversations: int
    exchanges: int
    lines: tuple[Line, ...]


def table(values: Mapping[str, Values]) -> Table:
    """Return the means with intervals, and the paired difference of the first two policies."""
    first = next(iter(values.values()))["evidence in block"]
    lines = tuple(line_of(objective, values) for objective in OBJECTIVES)
    return Table(len(first), sum(map(len, first.values())), lines)


def line_of(objective: str, values: Mapping[str, Values]) -> Line:
    """Return the means of one objective, and the difference of the second policy."""
    values_by_policy = {name: policy_values[objective] for name, policy_values in values.items()}
    means = {
        name: bootstrap.interval(policy_values) for name, policy_values in values_by_policy.items()
    }
    first, *other_values = values_by_policy.values()
    return Line(
        objective, means, bootstrap.difference(first, other_values[0]) if other_values else None
    )
