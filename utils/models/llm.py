"""The messages, tools and results that pass between Kith and a language model."""

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias

Role = Literal["system", "user", "assistant", "tool"]
MODEL_LIMIT = 100
"""The length of a model's name in the database, in UTF-16 units."""
MAIN_ENDPOINT = ""  # OPENAI_BASE_URL


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model, and the endpoint that serves it (MAIN_ENDPOINT or a name in MODEL_ENDPOINTS)."""

    name: str
    endpoint: str = MAIN_ENDPOINT

    def __str__(self) -> str:
        return f"{self.name}@{self.endpoint}" if self.endpoint else self.name


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call that the chat model requests; a message with its ``id`` answers it.

    ``arguments`` have the shape of the tool's schema, but their values are untrusted. If they
    cannot be parsed, they are empty and ``malformed`` is set. ``name`` may name no known tool.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    malformed: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """An image for the model, with its media type, such as ``image/png``."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt.

    ``calls`` are the tool calls of an assistant's message. One message of the role ``tool`` per
    call follows directly, with the call's id as ``call_id`` and the result as text. ``pictures``
    come after the text, for models with vision.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens spent: the endpoint's own count, or an estimate if it reports none.

    ``is_reported``: the prompt's tokens are the endpoint's own count. ``models`` says which model
    spent how much, as far as that is known; the one that was asked last comes last.
    ``thought_tokens``: how many of the completion's were no answer.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_reported: bool = field(default=True, compare=False)
    models: Mapping[str, "Usage"] = field(default_factory=dict, compare=False)
    thought_tokens: int = field(default=0, compare=False)

    @property
    def total(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        models: dict[str, Usage] = {}
        if self.models or other.models:
            first, second = self.by_model(), other.by_model()
            models = {model: usage for model, usage in first.items() if model not in second} | {
                model: first.get(model, Usage()) + usage for model, usage in second.items()
            }
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.is_reported and other.is_reported,
            models,
            self.thought_tokens + other.thought_tokens,
        )

    def of(self, model: str) -> "Usage":
        """Return the same tokens as spent by this model."""
        spent = Usage(self.prompt_tokens, self.completion_tokens)
        return replace(self, models={model: spent} if self.total else {})

    def by_model(self) -> Mapping[str, "Usage"]:
        """Return what each model spent; "" stands for a model that is not known."""
        spent = Usage(self.prompt_tokens, self.completion_tokens)
        return self.models or ({"": spent} if self.total else {})


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer: text, tool calls or both.

    ``truncated``: it was cut off. ``text`` may be empty if there are ``calls``.
    """

    text: str
    usage: Usage
    truncated: bool
    calls: tuple[ToolCall, ...] = ()


def object_schema(**properties: Any) -> dict[str, Any]:
    """Return the JSON schema of an object that strict endpoints accept.

    Every property is in ``required`` (nullable instead of optional), and there are no others.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool that the model may or must call; ``parameters`` is an :func:`object_schema`."""

    name: str
    description: str
    parameters: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool call's parsed arguments, shaped like its schema; the values are untrusted.

    ``model`` is the model that answered.
    """

    arguments: dict[str, Any]
    usage: Usage
    model: str


def as_json(arguments: object) -> str:
    """Return a call's arguments as JSON text; text stays as it is."""
    if isinstance(arguments, str):
        return arguments
    try:
        return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
    except RecursionError:
        return "?"


def in_words(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the messages with tool calls and results as plain text, for models without tools."""
    result: list[ChatMessage] = []
    names: dict[str | None, str] = {}
    last_role = None
    for message in messages:
        if message.calls:
            names |= {call.id: call.name for call in message.calls}
            used = (
                f"(used the tool {call.name}: {as_json(call.arguments)})" for call in message.calls
            )
            text = "\n".join([message.text, *used]).strip()
            result.append(replace(message, text=text, calls=()))
        elif message.role == "tool":
            text = f"(result of {names.get(message.call_id, 'a tool')}: {message.text})"
            if last_role == "tool":
                text = f"{result.pop().text}\n{text}"
            result.append(ChatMessage("user", text))
        else:
            result.append(message)
        last_role = message.role
    return result


def alternating(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the messages with those in a row of one role joined, and a user's at first.

    Some models' templates take no others. Messages with tool calls or results stay as they are.
    """
    result: list[ChatMessage] = []
    for message in messages:
        last = result[-1] if result else None
        if message.role == "assistant" and (last is None or last.role == "system"):
            message = replace(message, role="user", text=f"(you said: {message.text})")
        if last is not None and last.role == message.role and message.role in ("user", "assistant"):
            result[-1] = replace(
                last,
                text=f"{last.text}\n{message.text}",
                calls=last.calls + message.calls,
                pictures=last.pictures + message.pictures,
            )
        else:
            result.append(message)
    return result


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

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, is_query: bool = False
    ) -> Embedded:
        """Return a vector for each text, none of them empty. Raises ModelError.

        ``is_query``: stored texts are compared with these, which some models embed differently.
        """

    async def close(self) -> None:
        """Release its resources."""
