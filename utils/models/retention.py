"""What retention reports: channels to check for missed deletions, and the counts of an erasure."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActiveChannel:
    """A channel with stored messages that still have text; ``revisions`` by message id."""

    guild_id: int
    channel_id: int
    revisions: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ErasureCounts:
    """How many rows the erasure of a person removed, in how many servers.

    ``is_scrubbed``: the freed space of the database file is overwritten as well.
    """

    servers: int = 0
    memories: int = 0
    messages: int = 0
    other_rows: int = 0
    is_scrubbed: bool = False

    def __add__(self, other: "ErasureCounts") -> "ErasureCounts":
        return ErasureCounts(
            self.servers + other.servers,
            self.memories + other.memories,
            self.messages + other.messages,
            self.other_rows + other.other_rows,
        )

    def __str__(self) -> str:
        return (
            f"{self.memories} memories, {self.messages} messages and {self.other_rows} other rows "
            f"in {self.servers} {'place' if self.servers == 1 else 'places'}"
        )
