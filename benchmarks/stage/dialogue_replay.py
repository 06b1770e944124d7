"""Replays a conversation with known answers into a server, up to the time of each question."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from benchmarks.datasets.dialogues import Dialogue, DialogueFact
from benchmarks.stage.import_memories import ImportedMemory, MemoryImporter
from utils.app import App
from utils.common.clock import Clock
from utils.common.text import clip, utf16_length
from utils.models.memory import MEMORY_LIMIT, Audience, Event, Member, Role

TALK_CHANNEL, ASK_CHANNEL = 100, 200
SOURCES = frozenset([TALK_CHANNEL, ASK_CHANNEL])
FIRST_USER = 10


class MovedClock(Clock):
    """A clock that shows the time it was moved to; durations are real."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return the time it was moved to."""
        return self._now

    def move(self, now: datetime) -> None:
        """Move to a time; an earlier one is ignored."""
        self._now = max(self._now, now)


@dataclass(slots=True)
class World:
    """One conversation that is replayed into one server, and how far the replay is."""

    app: App
    clock: MovedClock
    importer: MemoryImporter
    conversation: Dialogue
    guild_id: int = 1
    message_ids: dict[str, int] = field(default_factory=dict)
    evidence_of_row: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    evidence_of_message: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    row_text: dict[int, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    done_messages: int = 0
    done_facts: int = 0

    def member(self, speaker: int) -> Member:
        """Return a speaker as a member."""
        return Member(self.guild_id, FIRST_USER + speaker)

    def audience(self, channel_id: int) -> Audience:
        """Return the audience of one of the two channels, which all members can read."""
        return Audience(self.guild_id, channel_id, SOURCES, is_open=True)

    async def replay_until(self, facts: int, until: datetime) -> None:
        """Record the messages until a time, and import facts until there are ``facts`` of them."""
        messages, notes = self.conversation.messages, self.conversation.facts
        while self.done_messages < len(messages) and (
            messages[self.done_messages].said_at <= until
            or any(note.message == messages[self.done_messages].evidence for note in notes[:facts])
        ):
            await self._record(self.done_messages)
        while self.done_facts < facts:
            await self._import(notes[self.done_facts])
            self.done_facts += 1
        self.clock.move(until)

    async def _record(self, number: int) -> None:
        message = self.conversation.messages[number]
        self.clock.move(message.said_at)
        message_id = self.message_ids[message.evidence] = 1_000 + number
        self.evidence_of_message[message_id].add(message.evidence)
        event = Event(
            guild_id=self.guild_id,
            channel_id=TALK_CHANNEL,
            source_id=TALK_CHANNEL,
            message_id=message_id,
            author_id=FIRST_USER + message.speaker,
            author_name=self.conversation.people[message.speaker],
            role=Role.MEMBER,
            text=message.text,
            created_at=message.said_at,
        )
        await self.app.memory.recorder.record(event, self.audience(TALK_CHANNEL))
        self.done_messages += 1

    async def _import(self, fact: DialogueFact) -> None:
        message_id = self.message_ids.get(fact.message)
        if message_id is None:
            self.counts["refused: no message"] += 1
            return
        self.counts["cut"] += utf16_length(fact.text) > MEMORY_LIMIT
        text = clip(fact.text, MEMORY_LIMIT, at_word=True)
        member = self.member(fact.about)
        row = ImportedMemory(text, fact.topics)
        plan = await self.importer.import_memories(member, message_id, [row])
        row_ids = [*plan.inserted, *(confirmation.row_id for confirmation in plan.confirmations)]
        self.counts["written"] += len(plan.inserted)
        self.counts["merged"] += len(plan.confirmations)
        for reason, times in plan.refused.items():
            self.counts[f"refused: {reason}"] += times
        for row_id in row_ids:
            self.evidence_of_row[row_id].add(fact.evidence)
            self.evidence_of_message[message_id].add(fact.evidence)
        for row_id, new in zip(plan.inserted, plan.inserts, strict=True):
            self.row_text[row_id] = new.text  # "yesterday" is stored as a date
