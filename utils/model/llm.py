"""What goes to a language model and what comes back."""

from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt; ``name`` is a hint that an endpoint may lose or refuse."""

    role: Role
    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens spent: the endpoint's own count, or an estimate where it gives none."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total(self) -> int:
        """Both kinds together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer in words; ``truncated`` when the model was stopped before its end."""

    text: str
    usage: Usage
    truncated: bool


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool the model must call.

    ``parameters`` is a JSON schema that strict endpoints accept: every property of every object
    is in ``required`` (nullable instead of optional), and ``additionalProperties`` is false.
    """

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool call's arguments, parsed and shaped like its schema; values are the model's."""

    arguments: dict[str, Any]
    usage: Usage
