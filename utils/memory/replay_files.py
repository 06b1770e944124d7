"""Conversations of a file (replay_data.py) -> exchanges to replay. Pure: nothing is stored.

Facts are rows of kind episode, noted at the time of their messages; recall is asked from another
channel that everybody reads, as in benchmarks/recall.py. What an import would refuse or merge is
kept here, so that figures differ a little from that benchmark's.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from utils.memory.asking import Query
from utils.memory.common_ground import NOTHING_PAST, Asked
from utils.memory.composing import Material
from utils.memory.decide import search_stems
from utils.memory.documents import CONVERSATION_GAP_S, PreparedRows, of_messages
from utils.memory.prepared import Loaded, Prepared, with_facts
from utils.memory.replay import Exchange
from utils.memory.replay_data import Conversation, Question
from utils.memory.stems import stems
from utils.memory.storable import EVENT_STEMS
from utils.model.embedding import NOTHING_SIMILAR
from utils.model.guild import GuildSettings
from utils.model.memory import (
    MEMORY_LIMIT,
    Audience,
    Consent,
    Importance,
    Kind,
    Member,
    Memory,
    Source,
    Standing,
    Status,
)
from utils.model.recall import Person, Said
from utils.text import clip

GUILD, TALK_CHANNEL, ASK_CHANNEL, FIRST_USER = 1, 100, 200, 10
FIRST_MESSAGE = 1_000
HERE = Audience(GUILD, ASK_CHANNEL, None, frozenset([TALK_CHANNEL, ASK_CHANNEL]), is_open=True)
LASTING = Standing(version=1, consent=Consent.LASTING)
SETTINGS = GuildSettings(GUILD, consent_default=Consent.LASTING)
KEPT_FOR = timedelta(days=36_500)
OTHERS_QUESTIONS = 5  # LoCoMo's category of what somebody else said: no evidence is to be found


def exchanges(conversation: Conversation) -> Iterator[Exchange]:
    """Return a conversation's questions, each with what was known when it was asked."""
    said = _said(conversation)
    numbers = {one.evidence: number for number, one in enumerate(conversation.messages)}
    rows = _rows(conversation, numbers)
    behind = {
        row.id: (FIRST_MESSAGE + numbers[fact.message],)
        for row, fact in zip(rows, conversation.facts, strict=True)
    }
    prepared: dict[tuple[int, int], Prepared] = {}  # by how much was known, and of whom
    questions = (one for one in conversation.questions if one.category != OTHERS_QUESTIONS)
    for question in sorted(questions, key=lambda one: (one.after, one.asked_at)):
        known = conversation.facts[: question.after]
        last = max((numbers[one.message] for one in known), default=0)
        heard = sum(
            1
            for number, one in enumerate(conversation.messages)
            if one.said_at <= question.asked_at or number <= last
        )
        people = {}
        for person in question.about:
            key = question.after, person
            if key not in prepared:
                prepared = {one: kept for one, kept in prepared.items() if one[0] == key[0]}
                prepared[key] = _prepare(
                    [row for row in rows[: question.after] if row.user_id == FIRST_USER + person],
                    [
                        message
                        for message, one in zip(said[:heard], conversation.messages, strict=False)
                        if one.speaker == person
                    ],
                    behind,
                )
            people[Member(GUILD, FIRST_USER + person)] = LASTING, prepared[key]
        yield _exchange(conversation, question, Loaded(people, None, {}), numbers)


def _exchange(
    conversation: Conversation, question: Question, loaded: Loaded, numbers: dict[str, int]
) -> Exchange:
    names = [conversation.people[one] for one in question.about]
    now = question.asked_at
    of_rows: dict[int, frozenset[str]] = {}
    of_messages: dict[int, frozenset[str]] = {
        FIRST_MESSAGE + number: frozenset([evidence]) for evidence, number in numbers.items()
    }
    for number, fact in enumerate(conversation.facts[: question.after], 1):
        of_rows[number] = frozenset([fact.evidence])
        message_id = FIRST_MESSAGE + numbers[fact.message]
        of_messages[message_id] |= {fact.evidence}
    asked = Asked(
        audience=HERE,
        query=Query.of(question.text, names, (), now, UTC),
        similarities=NOTHING_SIMILAR,
        now=now,
        zone=UTC,
        shown=frozenset([0]),
        but=0,
    )
    about = {
        member: Person(member.user_id, name)
        for member, name in zip(loaded.people, names, strict=True)
    }
    material = Material(asked, about, loaded, NOTHING_PAST, (), SETTINGS)
    return Exchange(conversation.name, material, question.gold, of_rows, of_messages)


def _prepare(
    rows: Sequence[Memory], said: Sequence[Said], behind: Mapping[int, tuple[int, ...]]
) -> Prepared:
    by_id = {one.message_id: one for one in said}
    prepared = Prepared(
        rows=PreparedRows(rows, 1, {row.id: behind[row.id] for row in rows}, by_id),
        said=of_messages(with_facts(list(said), rows, behind)),
        server_version=0,
        last_event_id=0,
        stale_at=None,
    )
    prepared.make_index()
    return prepared


def _said(conversation: Conversation) -> list[Said]:
    """Return every message as recall would load it, with what stands before it."""
    found = [
        Said(
            event_id=number + 1,
            message_id=FIRST_MESSAGE + number,
            channel_id=TALK_CHANNEL,
            source_id=TALK_CHANNEL,
            text=one.text,
            said_at=one.said_at,
            expires_at=one.said_at + KEPT_FOR,
            stems=" ".join(stems(one.text, limit=EVENT_STEMS)),
        )
        for number, one in enumerate(conversation.messages)
    ]
    for before, after in pairwise(found):
        if 0 <= (after.said_at - before.said_at).total_seconds() <= CONVERSATION_GAP_S:
            after.previous_stems = before.stems
    return found


def _rows(conversation: Conversation, numbers: dict[str, int]) -> list[Memory]:
    messages = conversation.messages

    def row(number: int) -> Memory:
        fact = conversation.facts[number]
        message = messages[numbers[fact.message]]
        text = clip(fact.text, MEMORY_LIMIT, at_word=True)
        at: datetime = message.said_at
        return Memory(
            id=number + 1,
            channel_id=TALK_CHANNEL,
            text=text,
            topics=fact.topics,
            importance=Importance.MEDIUM,
            kind=Kind.EPISODE,
            status=Status.ACTIVE,
            confidence=1.0,
            stems=search_stems(text, message.text, ""),
            created_at=at,
            last_confirmed_at=at,
            expires_at=None,
            guild_id=GUILD,
            user_id=FIRST_USER + fact.about,
            source=Source.IMPORT,
        )

    return [row(number) for number in range(len(conversation.facts))]
