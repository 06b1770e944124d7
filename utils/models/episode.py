"""Episodes of a channel's conversation, their summaries, and open loops."""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from utils.models.memory import Member

LOOP_LIMIT = 300
REPEATS_LIMIT = 120
MAX_MISSES = 3  # of a repeated reminder in a row; then it is quiet
SUMMARY_LIMIT = 1500


class SummaryPart(StrEnum):
    """What a summary covers: an open episode so far, a section of a long one, or a closed one."""

    RUNNING = "running"
    CHUNK = "chunk"
    FINAL = "final"


class LoopKind(StrEnum):
    """What is unfinished.

    ASK: a member wants Kith to ask them about it. REMINDER: Kith reminds them of it when it is due.
    """

    GOAL = "goal"
    PROMISE = "promise"
    QUESTION = "question"
    ASK = "ask"
    REMINDER = "reminder"


class LoopState(StrEnum):
    """Whether Kith may still ask about it. RAISED: Kith has asked; CLOSED: it ended by itself."""

    OPEN = "open"
    RAISED = "raised"
    CLOSED = "closed"


BY_DIRECT_MESSAGE = 0  # in place of the channel's id
REMINDER_SIGN = "⏰"  # begins a reminder that is sent


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """Something unfinished that a member mentioned and that Kith may bring up later.

    Attributes:
        channel_id: where it was said; of a reminder, where it is delivered (0: a direct message).
        source_id: the channel whose readers may see it.
        message_id: the member's message that it comes from; erased with it.
        due_at: the earliest time to bring it up; None: whenever it fits.
        offers: how many answers could have asked about it, and did not; of a reminder, how often
            its delivery was tried.
        first_offered_at, last_offered_at: when the first and the last of these were.
        repeats: of a reminder, the rule of its repetition (utils.nlp.dates.repeats); else empty.
        misses: how many times of a repeated reminder in a row reached nobody.
        id: the database id; 0 until stored.
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
    offers: int = 0
    first_offered_at: datetime | None = None
    last_offered_at: datetime | None = None
    repeats: str = ""
    misses: int = 0


@dataclass(frozen=True, slots=True)
class Episode:
    """A section of a channel's conversation on one topic; open while ``closed_at`` is None.

    Its messages are those from the first to the last event that carry its id. ``summarised_id`` is
    the last event that its summaries cover. It is 0 when there is none, and it is reset to 0 when
    the episode is closed or loses words.
    """

    id: int
    guild_id: int
    channel_id: int
    source_id: int
    last_at: datetime
    first_event_id: int
    last_event_id: int
    summarised_id: int
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of an episode or of a part of it, for readers of ``source_id``.

    Attributes:
        structure: topic, decisions, to-dos and more as JSON; empty in running summaries.
        about_ids: the members who spoke in the episode or were mentioned in it.
        id: the database id; 0 until stored.
    """

    guild_id: int
    channel_id: int
    source_id: int
    episode_id: int
    part: SummaryPart
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

    @property
    def topic(self) -> str:
        """What the episode was about in a few words; empty in running summaries."""
        return topic_of(self.structure)


def topic_of(structure: str) -> str:
    """Return the topic in a summary's structure; empty without one."""
    return str(json.loads(structure).get("topic", "")) if structure else ""
