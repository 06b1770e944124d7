"""What retention finds and does: places to look at again, and what went with a person."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A channel in which messages were heard that still have words, with their last revisions."""

    guild_id: int
    channel_id: int
    revisions: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Erased:
    """What went with a person: from how many servers, and how many of what.

    ``is_scrubbed``: nothing of it is left in the database's file either.
    """

    servers: int = 0
    memories: int = 0
    messages: int = 0
    others: int = 0
    is_scrubbed: bool = False

    def __add__(self, more: "Erased") -> "Erased":
        return Erased(
            self.servers + more.servers,
            self.memories + more.memories,
            self.messages + more.messages,
            self.others + more.others,
        )

    def __str__(self) -> str:
        return (
            f"{self.memories} memories, {self.messages} messages and {self.others} other rows "
            f"in {self.servers} {'place' if self.servers == 1 else 'places'}"
        )
