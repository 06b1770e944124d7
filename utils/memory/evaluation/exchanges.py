"""Turns recorded messages and Kith's answers into exchanges that a policy can recall again.

Only members under lasting consent are included, and only what is still stored. Evidence is a memory
or an earlier message that the answer seems to have used: most of its words that the question lacks
are in the answer. An answer can only use what the policy of that time showed. So this evidence
favours that policy: it tells what a change would lose, hardly what it would find. Later messages
are left out. Nothing is written, and no use is counted.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from itertools import islice

from utils.common.grouping import grouped
from utils.database.core.engine import Connection
from utils.database.core.queries import run
from utils.database.memories import evaluation_data, members, memory_rows
from utils.database.messages import said as sayings
from utils.memory.recall.channel_context import NO_PAST_EPISODES, RecallRequest
from utils.memory.recall.documents import CONVERSATION_GAP_S, prepare_messages
from utils.memory.recall.pipeline import Material, paragraph_for
from utils.memory.recall.prepared_cache import LoadedMemory, PreparedMember
from utils.memory.recall.prepared_memories import PreparedMemories
from utils.memory.recall.query import Query
from utils.models.guild import GuildSettings
from utils.models.memory import Audience, Consent, Event, Member, MemberHeader, Memory
from utils.models.recall import NOTHING_SIMILAR, Person, Said
from utils.nlp.stemming import stems

MAX_EXCHANGES = 500
MIN_WORDS = 2
MIN_SHARE_OF_WORDS = 0.5
HOLDOUT_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message, what could be recalled for it, and the evidence that its answer used.

    ``memory_ids`` and ``message_ids`` are the evidence. ``conversation`` names the member.
    """

    conversation: str
    material: Material
    memory_ids: frozenset[int]
    message_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class RecordedMember:
    """What is stored of one member, and their messages with Kith's answers.

    ``behind`` are the ids of the messages that each memory is based on.
    """

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

    def exchanges(self) -> Iterator[Exchange]:
        """Yield the exchanges whose answers used a memory or an earlier message."""
        exchanges = (_exchange(self, event, answer) for event, answer in self.answered)
        return (exchange for exchange in exchanges if exchange.memory_ids or exchange.message_ids)


def is_held_out(conversation: str) -> bool:
    """Whether a conversation belongs to the holdout; its name alone decides."""
    digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8]) >= (1.0 - HOLDOUT_SHARE) * 2**64


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
    by_member = grouped((exchange[0].member, exchange) for exchange in reversed(kept_exchanges))
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
    prepared_messages = list(prepare_messages(messages))
    return RecordedMember(member, header, list(rows), behind, prepared_messages, answered)


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
        1, MIN_SHARE_OF_WORDS * len(new_stems)
    )


def _exchange(recorded_member: RecordedMember, event: Event, answer: str) -> Exchange:
    """Return one exchange; only its own channel counts as readable, and there is no lore."""
    member, header = recorded_member.member, recorded_member.header
    # What was stored when they sent the message, as recall prepares it:
    rows = [row for row in recorded_member.rows if row.created_at < event.created_at]
    messages = [message for message in recorded_member.said if message.event_id < event.id]
    sources = {row.id: recorded_member.behind.get(row.id, ()) for row in rows}
    memories, prepared_messages = PreparedMemories(rows, 1, sources), prepare_messages(messages)
    prepared = PreparedMember(
        memories, prepared_messages, server_version=0, last_event_id=0, stale_at=None
    )
    audience = Audience(event.guild_id, event.channel_id, frozenset([event.source_id]))
    name, now = event.author_name, event.created_at
    request = RecallRequest(
        audience=audience,
        query=Query.of(event.text, [name], (), now, UTC),
        similarities=NOTHING_SIMILAR,
        now=now,
        zone=UTC,
        visible_ids=frozenset([event.message_id]),
        exclude_id=event.message_id,
    )
    loaded = LoadedMemory({member: (header, prepared)}, None, {})
    settings = GuildSettings(audience.guild_id, consent_default=Consent.LASTING)
    about = {member: Person(member.user_id, name)}
    question, words = frozenset([*stems(event.text), *stems(name)]), frozenset(stems(answer))

    def is_here(row: Memory) -> bool:
        return row.channel_id in audience.sources and row.is_live(now)

    told_anyway = paragraph_for(header.profile, prepared.rows, is_here).row_ids
    return Exchange(
        recorded_member.conversation,
        Material(request, about, loaded, NO_PAST_EPISODES, (), settings),
        frozenset(
            row.id
            for row in prepared.rows
            if is_here(row)
            and row.id not in told_anyway
            and used(row.stems.split("\n", 1)[0], question, words)
        ),
        frozenset(
            message.message_id
            for message in prepared.said
            if message.source_id in audience.sources
            and message.expires_at > now
            and not message.label
            and used(message.stems, question, words)
        ),
    )
