"""Turns recorded messages and Kith's answers into exchanges to replay, as of their time.

Only members under lasting consent are included, and only what is still stored. Evidence is a memory
or an earlier message that the answer seems to have used: most of its words that the question lacks
are in the answer. An answer can only use what the policy of that time showed. So this evidence
favours that policy: it tells what a change would lose, hardly what it would find. Later messages
are left out. Nothing is written, and no use is counted.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from itertools import islice

from utils.database.core.engine import Connection
from utils.database.core.queries import run
from utils.database.memories import evaluation_data, members, memory_rows
from utils.database.messages import said as sayings
from utils.memory.evaluation.replay import Exchange, material_of, prepare_member
from utils.memory.recall.documents import CONVERSATION_GAP_S
from utils.memory.recall.pipeline import paragraph_for
from utils.memory.recall.prepared_cache import (
    PreparedMember,
)
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.models.memory import Audience, Consent, Event, Member, MemberHeader, Memory
from utils.models.recall import Said
from utils.nlp.stemming import stems

MAX_EXCHANGES = 500
MIN_WORDS = 2
MAX_OF_ITS_WORDS = 0.5


@dataclass(frozen=True, slots=True)
class RecordedMember:
    """What is stored of one member, and their messages with Kith's answers."""

    member: Member
    header: MemberHeader
    rows: Sequence[Memory]
    behind: Mapping[int, tuple[int, ...]]
    said: Sequence[Said]
    answered: Sequence[tuple[Event, str]]

    @property
    def conversation(self) -> str:
        """The name of the conversation that their exchanges belong to."""
        return f"{self.member.guild_id}/{self.member.user_id}"

    def exchange(self, event: Event, answer: str) -> Exchange:
        """Return the exchange of a message and its answer, with what was stored at that time."""
        return _exchange(self, _as_of(self, event), event, answer)

    def exchanges(self) -> Iterator[Exchange]:
        """Yield the exchanges whose answers used a memory or an earlier message."""
        exchanges = (self.exchange(event, answer) for event, answer in self.answered)
        return (exchange for exchange in exchanges if exchange.gold)


def recorded(
    connection: Connection,
    now: datetime,
    guild_id: int | None = None,
    limit: int = MAX_EXCHANGES,
) -> list[RecordedMember]:
    """Return the members of the newest ``limit`` exchanges, with what is stored of them."""
    header_of = cache(partial(_lasting, connection))
    newest = evaluation_data.latest_exchanges(connection, now, guild_id)
    kept_exchanges = list(
        islice((exchange for exchange in newest if header_of(exchange[0].member)), limit)
    )
    by_member: defaultdict[Member, list[tuple[Event, str]]] = defaultdict(list)
    for event, answer in reversed(kept_exchanges):
        by_member[event.member].append((event, answer))
    return [
        _stored(connection, member, header, answered, now)
        for member, answered in by_member.items()
        if (header := header_of(member))
    ]


def _stored(
    connection: Connection,
    member: Member,
    header: MemberHeader,
    answered: Sequence[tuple[Event, str]],
    now: datetime,
) -> RecordedMember:
    rows = PreparedMemories(run(connection, memory_rows.for_recall(member, now)), header.version)
    behind = run(connection, sayings.source_messages(member))
    messages, _ = run(connection, sayings.since(member, after=0, now=now, gap_s=CONVERSATION_GAP_S))
    said = list(map(messages.make, messages.rows))
    return RecordedMember(member, header, list(rows), behind, said, answered)


def _lasting(connection: Connection, member: Member) -> MemberHeader | None:
    """Return the header of a member under lasting consent; None for any other member."""
    if members.consent(connection, member) is not Consent.LASTING:
        return None
    header = members.load_header(connection, member)
    return None if header.ignored else replace(header, consent=Consent.LASTING)


def used(text_stems: str, question: frozenset[str], answer: frozenset[str]) -> bool:
    """Whether an answer seems to have used a text.

    At least two and at least half of the text's words that the question lacks must be in the
    answer; one is enough if there is no other.
    """
    new_stems = set(text_stems.split()) - question
    shared_count = len(new_stems & answer)
    return shared_count >= min(len(new_stems), MIN_WORDS) and shared_count >= max(
        1, MAX_OF_ITS_WORDS * len(new_stems)
    )


def _as_of(recorded_member: RecordedMember, event: Event) -> PreparedMember:
    """Return what was stored of the member when they sent ``event``."""
    rows = [row for row in recorded_member.rows if row.created_at < event.created_at]
    messages = [message for message in recorded_member.said if message.event_id < event.id]
    return prepare_member(rows, messages, recorded_member.behind)


def _exchange(
    recorded_member: RecordedMember, prepared: PreparedMember, event: Event, answer: str
) -> Exchange:
    """Return one exchange; only its own channel counts as readable."""
    member, header = recorded_member.member, recorded_member.header
    audience = Audience(event.guild_id, event.channel_id, frozenset([event.source_id]))
    name, now = event.author_name, event.created_at
    people = {member: (header, prepared)}
    material = material_of(audience, people, [name], event.text, now, event.message_id)
    question = frozenset([*stems(event.text), *stems(name)])
    words = frozenset(stems(answer))

    def is_here(row: Memory) -> bool:
        return row.channel_id in audience.sources and row.is_live(now)

    told_anyway = paragraph_for(header.profile, prepared.rows, is_here).row_ids
    evidence_by_memory = {
        row.id: frozenset([f"memory {row.id}"])
        for row in prepared.rows
        if is_here(row)
        and row.id not in told_anyway
        and used(row.stems.split("\n", 1)[0], question, words)
    }
    evidence_by_message = {
        message.message_id: frozenset([f"message {message.message_id}"])
        for message in prepared.said
        if _is_readable(message, audience, now) and used(message.stems, question, words)
    }
    gold = frozenset().union(*evidence_by_memory.values(), *evidence_by_message.values())
    return Exchange(
        recorded_member.conversation, material, gold, evidence_by_memory, evidence_by_message
    )


def _is_readable(message: Said, audience: Audience, now: datetime) -> bool:
    return message.source_id in audience.sources and message.expires_at > now and not message.label
