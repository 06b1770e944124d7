"""What goes to a language model and what comes back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the chat model asks for, to be answered by a message with its ``id``.

    ``arguments`` have the shape of the tool's schema, but their values are the model's. They are
    empty and ``malformed`` is set where nothing whole could be read. ``name`` may be no tool's.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    malformed: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that a model is shown, and its media type, such as ``image/png``."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt; ``name`` is a hint that an endpoint may lose or refuse.

    ``calls`` are what an assistant's message asked for. Right after it comes one message of the
    role ``tool`` for each of them, with the call's id as ``call_id`` and the result as text.
    ``pictures`` come after the text, for models that see.
    """

    role: Role
    text: str
    name: str | None = None
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens spent: the endpoint's own count, or an estimate where it gives none.

    ``is_reported`` says whether the prompt's tokens are the endpoint's own count.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_reported: bool = field(default=True, compare=False)

    @property
    def total(self) -> int:
        """Both kinds together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.is_reported and other.is_reported,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer in words, tool calls or both; ``truncated`` when it was stopped before its end.

    ``text`` may be empty when there are ``calls``.
    """

    text: str
    usage: Usage
    truncated: bool
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool that the model may or must call.

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


def as_json(arguments: object) -> str:
    """Return a call's arguments as the JSON text that they travel as; text stays as it is."""
    if isinstance(arguments, str):
        return arguments
    try:
        return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
    except RecursionError:
        return "?"


def in_words(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Tell tool calls and their results as plain text, for models that know no tools."""
    told: list[ChatMessage] = []
    names: dict[str | None, str] = {}
    last_role = None
    for message in messages:
        if message.calls:
            names |= {call.id: call.name for call in message.calls}
            used = (
                f"(used the tool {call.name}: {as_json(call.arguments)})" for call in message.calls
            )
            text = "\n".join([message.text, *used]).strip()
            told.append(replace(message, text=text, calls=()))
        elif message.role == "tool":
            text = f"(result of {names.get(message.call_id, 'a tool')}: {message.text})"
            if last_role == "tool":
                text = f"{told.pop().text}\n{text}"
            told.append(ChatMessage("user", text))
        else:
            told.append(message)
        last_role = message.role
    return told
