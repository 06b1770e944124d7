"""What an answer rests on: the messages, memories and episodes that its prompt held."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeVar

T = TypeVar("T")
MAX_INHERITED = 96
"""Sources that an answer has through earlier answers. All that its own prompt held are kept."""


class SourceKind(StrEnum):
    """What a source is: a message (its Discord id), a memory, or a summarised episode (their ids).

    A message also stands for its attachments, and for an open loop that was made of it.
    """

    MESSAGE = "message"
    MEMORY = "memory"
    EPISODE = "episode"


class SourceRole(StrEnum):
    """How a source came into an answer's prompt.

    SAID: in the running conversation or its summary. RECALLED: from memory, or quoted by a reply.
    INHERITED: through an earlier answer of Kith's.
    """

    SAID = "said"
    RECALLED = "recalled"
    INHERITED = "inherited"


class SourceRef(NamedTuple):
    """One source. ``user_id`` is whose words it holds; 0 if only the database knows."""

    kind: SourceKind
    id: int
    role: SourceRole = SourceRole.RECALLED
    user_id: int = 0


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a prompt held, as far as process memory knows; the database adds what is inherited.

    Attributes:
        sources: the messages, memories and episodes in the prompt.
        answer_ids: the messages with which Kith answered earlier, as far as the prompt held them.
        about_ids: the members whom these earlier answers are about.
        event_ids: the database ids of the stored messages in the prompt.
        revisions: of messages that have no database id yet, the message ids with their revisions.
        loops: the ids of the open loops in the prompt, each with the id of its message.
        confided_by: whose confidences it quotes, also from messages that are not stored.

    If one of these is erased or edited before the answer is recorded, the answer is not stored.
    """

    sources: tuple[SourceRef, ...] = ()
    answer_ids: tuple[int, ...] = ()
    about_ids: tuple[int, ...] = ()
    event_ids: tuple[int, ...] = ()
    revisions: tuple[tuple[int, int], ...] = ()
    loops: tuple[tuple[int, int], ...] = ()
    confided_by: tuple[int, ...] = ()

    @classmethod
    def merged(cls, parts: Iterable["Provenance"]) -> "Provenance":
        """Return several as one."""
        parts = list(parts)
        sources: dict[tuple[SourceKind, int], SourceRef] = {}
        for part in parts:
            for source in part.sources:
                sources.setdefault((source.kind, source.id), source)
        return cls(
            tuple(sources.values()),
            _unique(part.answer_ids for part in parts),
            _unique(part.about_ids for part in parts),
            _unique(part.event_ids for part in parts),
            _unique(part.revisions for part in parts),
            _unique(part.loops for part in parts),
            _unique(part.confided_by for part in parts),
        )


NO_PROVENANCE = Provenance()


@dataclass(frozen=True, slots=True)
class AnswerOrigin:
    """Where something in an answer was said: by whom, when, and in which channel.

    ``link`` is None for what was not sent as a message. ``text`` is empty for several people's.
    """

    user_id: int
    channel_id: int
    said_at: datetime
    link: str | None
    text: str = ""


def _unique(parts: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))
