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


@dataclass(frozen=True, slots=True)
class Episode:
    """A chapter of a channel's conversation; open while ``closed_at`` is None.

    Its messages are those between its first and its last that name it. ``summarised_id`` is the
    last of them that its summaries know of, 0 when there is none, or when it was closed or lost
    words since.
    """

    id: int
    guild_id: int
    channel_id: int
    source_id: int
    started_at: datetime
    last_at: datetime
    first_event_id: int
    last_event_id: int
    summarised_id: int
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What is written of a chapter, or of a part of it; readers of ``source_id`` may hear of it.

    ``structure`` is JSON, and empty in running ones. ``about_ids`` are those who spoke in the
    chapter or were told of in it. ``id`` is 0 until stored.
    """

    guild_id: int
    channel_id: int
    source_id: int
    episode_id: int
    part: Part
    first_event_id: int
    last_event_id: int
    text: str
    structure: str
    stems: str
    said_from: datetime
    said_to: datetime
    expires_at: datetime
    model: str = ""
    prompt_hash: str = ""
    id: int = 0
    about_ids: tuple[int, ...] = ()
