"""Reads the dialogues of an exchange file, and makes exchanges to replay of them. Stores nothing.

`python -m benchmarks.datasets.convert` makes these files from public data; `bot.py policy evaluate`
reads them.

Facts become episode memories with the times of their messages. The questions are asked in another
channel that all members read, as in benchmarks/recall.py. An import would refuse or merge some
facts; here all are kept, so the figures differ a little from that benchmark's.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import PlainSerializer, TypeAdapter

from utils.common.text import clip
from utils.memory.consolidation.wording import search_stems
from utils.memory.evaluation.replay import Exchange, People, material_of, prepare_member
from utils.memory.policy.storable_events import EVENT_STEMS
from utils.memory.recall.documents import CONVERSATION_GAP_S
from utils.memory.recall.prepared_cache import PreparedMember
from utils.models.memory import (
    MEMORY_LIMIT,
    Audience,
    Consent,
    Importance,
    Kind,
    Member,
    MemberHeader,
    Memory,
    Source,
    Status,
)
from utils.models.recall import Said
from utils.nlp.stemming import stems

FORMAT: Literal["kith exchanges 1"] = "kith exchanges 1"
GUILD, TALK_CHANNEL, ASK_CHANNEL, FIRST_USER = 1, 100, 200, 10
FIRST_MESSAGE = 1_000
HERE = Audience(GUILD, ASK_CHANNEL, frozenset([TALK_CHANNEL, ASK_CHANNEL]), is_open=True)
LASTING = MemberHeader(version=1, consent=Consent.LASTING)
KEPT_FOR = timedelta(days=36_500)


@dataclass(frozen=True, slots=True)
class DialogueMessage:
    """A message: its evidence id, its author (an index into the people), its text and time."""

    evidence: str
    speaker: int
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class DialogueFact:
    """A memory about a person; ``message`` is the evidence id of the message it comes from."""

    evidence: str
    about: int
    text: str
    message: str
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DialogueQuestion:
    """A question that is asked once the first ``after`` facts are known.

    ``gold`` is the evidence of an answer, ``answer`` its text if it is known. ``about`` are the
    people it names, or else all people.
    """

    text: str
    gold: Annotated[frozenset[str], PlainSerializer(sorted)]
    category: int
    about: tuple[int, ...]
    asked_at: datetime
    after: int
    answer: str = ""


@dataclass(slots=True)
class Dialogue:
    """One conversation: its people, messages, facts and questions."""

    name: str
    people: list[str]
    messages: list[DialogueMessage] = field(default_factory=list)
    facts: list[DialogueFact] = field(default_factory=list)
    questions: list[DialogueQuestion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DialogueFile:
    """What a file has: its format's name and version, and the dialogues."""

    dialogues: list[Dialogue]
    format: Literal["kith exchanges 1"] = FORMAT


_ADAPTER = TypeAdapter(DialogueFile)


def load(file: Path) -> list[Dialogue]:
    """Return a file's dialogues. Raises OSError, or ValueError for another format."""
    return _ADAPTER.validate_json(file.read_bytes()).dialogues


def to_json(dialogues: list[Dialogue]) -> str:
    """Return the text of an exchange file."""
    return _ADAPTER.dump_json(DialogueFile(dialogues), indent=1).decode()


def exchanges(dialogue: Dialogue) -> Iterator[Exchange]:
    """Return a dialogue's questions, each with what was known when it was asked."""
    messages = _messages(dialogue)
    numbers = {message.evidence: number for number, message in enumerate(dialogue.messages)}
    rows = _memories(dialogue, numbers)
    message_ids = {
        row.id: (FIRST_MESSAGE + numbers[fact.message],)
        for row, fact in zip(rows, dialogue.facts, strict=True)
    }
    prepared: dict[tuple[int, int], PreparedMember] = {}  # by how much was known, and of whom
    for question in sorted(
        dialogue.questions, key=lambda question: (question.after, question.asked_at)
    ):
        facts = dialogue.facts[: question.after]
        last = max((numbers[message.message] for message in facts), default=0)
        message_count = sum(
            1
            for number, message in enumerate(dialogue.messages)
            if message.said_at <= question.asked_at or number <= last
        )
        people = {}
        for person in question.about:
            key = question.after, person
            if key not in prepared:
                prepared = {
                    cache_key: member
                    for cache_key, member in prepared.items()
                    if cache_key[0] == key[0]
                }
                prepared[key] = prepare_member(
                    [row for row in rows[: question.after] if row.user_id == FIRST_USER + person],
                    [
                        message
                        for message, source in zip(
                            messages[:message_count], dialogue.messages, strict=False
                        )
                        if source.speaker == person
                    ],
                    message_ids,
                )
            people[Member(GUILD, FIRST_USER + person)] = LASTING, prepared[key]
        yield _exchange(dialogue, question, people, numbers)


def _exchange(
    dialogue: Dialogue, question: DialogueQuestion, people: People, numbers: dict[str, int]
) -> Exchange:
    names = [dialogue.people[person] for person in question.about]
    evidence_by_memory: dict[int, frozenset[str]] = {}
    evidence_by_message: dict[int, frozenset[str]] = {
        FIRST_MESSAGE + number: frozenset([evidence]) for evidence, number in numbers.items()
    }
    for number, fact in enumerate(dialogue.facts[: question.after], 1):
        evidence_by_memory[number] = frozenset([fact.evidence])
        message_id = FIRST_MESSAGE + numbers[fact.message]
        evidence_by_message[message_id] |= {fact.evidence}
    material = material_of(HERE, people, names, question.text, question.asked_at)
    return Exchange(dialogue.name, material, question.gold, evidence_by_memory, evidence_by_message)


def _messages(dialogue: Dialogue) -> list[Said]:
    """Return every message as recall would load it, with what stands before it."""
    messages = [
        Said(
            event_id=number + 1,
            message_id=FIRST_MESSAGE + number,
            channel_id=TALK_CHANNEL,
            source_id=TALK_CHANNEL,
            text=message.text,
            said_at=message.said_at,
            expires_at=message.said_at + KEPT_FOR,
            stems=" ".join(stems(message.text, limit=EVENT_STEMS)),
        )
        for number, message in enumerate(dialogue.messages)
    ]
    for before, after in pairwise(messages):
        if 0 <= (after.said_at - before.said_at).total_seconds() <= CONVERSATION_GAP_S:
            after.previous_stems = before.stems
    return messages


def _memories(dialogue: Dialogue, numbers: dict[str, int]) -> list[Memory]:
    messages = dialogue.messages

    def row(number: int) -> Memory:
        fact = dialogue.facts[number]
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

    return [row(number) for number in range(len(dialogue.facts))]
