"""Chapters of a channel's conversation, what is written of them, and what is still open."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from utils.model.memory import Member

LOOP_LIMIT = 300
SUMMARY_LIMIT = 1500


class Part(StrEnum):
    """What a summary is of: the chapter so far, a stretch of a long one, or all of a closed one."""

    RUNNING = "running"
    CHUNK = "chunk"
    FINAL = "final"


class LoopKind(StrEnum):
    """What is open; ASK: a member wants Kith to ask them about it."""

    GOAL = "goal"
    PROMISE = "promise"
    QUESTION = "question"
    ASK = "ask"


class LoopState(StrEnum):
    """RAISED: Kith has brought it up; CLOSED: it came to an end by itself."""

    OPEN = "open"
    RAISED = "raised"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """Something a member said that is not done yet: bring it up when ``due_at`` has come.

    ``due_at`` None: whenever it fits. It rests on a message of theirs, and goes with it; it may be
    brought up where readers of ``source_id`` read. ``id`` is 0 until stored.
    """

    member: Member
    channel_id: int
    source_id: int
    message_id: int
    kind: LoopKind
    text: str
    created_at: datetime
    expires_at: datetime
    due_at: datetime | None = None
    state: LoopState = LoopState.OPEN
    id: int = 0
