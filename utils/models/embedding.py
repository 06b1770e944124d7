"""What texts are turned into so that they can be compared by meaning."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from utils.models.llm import Usage
from utils.models.memory import Member

Vector: TypeAlias = "array[float]"
"""A text's place in a model's space: an ``array("f")`` of any length but zero."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A vector for each text, in their order, all of one length; and what it cost."""

    vectors: tuple[Vector, ...]
    usage: Usage


class Embedder(Protocol):
    """Turns texts into vectors: a model on an endpoint, or one in a local directory."""

    async def identity(self) -> str:
        """Return which model it is: vectors of different ones cannot be compared.

        Raises ModelError when there is none.
        """

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded:
        """Return a vector for each text, none of them empty. Raises ModelError."""

    async def close(self) -> None:
        """Release its resources."""


@dataclass(frozen=True, slots=True)
class Similarities:
    """How close memories and messages are to a text, by their ids: cosines, from -1 to 1.

    What has no vector (yet) is absent.
    """

    rows: Mapping[int, float] = field(default_factory=dict)
    events: Mapping[int, float] = field(default_factory=dict)


NOTHING_SIMILAR = Similarities()


class Similarity(Protocol):
    """Compares what is stored of members with a text, by meaning."""

    async def to(self, text: str, about: Sequence[Member]) -> Similarities:
        """Return how close what is stored of these members is to a text.

        Never raises, and never takes long: what cannot be said in time is left out.
        """
