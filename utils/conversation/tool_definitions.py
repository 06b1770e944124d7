"""What the chat model is offered: one tool for all that concerns memory, and one for links."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from utils.models.llm import ToolCall, ToolDefinition, object_schema

MEMORY = "memory"
REMEMBER, RECALL, FORGET, LIST, CORRECT, ASK_LATER, REMIND, READ_LINK, WHO = (
    *("remember", "recall", "forget", "list_memories", "correct", "ask_later", "remind"),
    *("read_link", "who"),
)
DESTRUCTIVE = frozenset({FORGET, CORRECT})
READS = frozenset({RECALL, LIST, READ_LINK, WHO})
MAY_BE_MISSING = frozenset({"at"})

ARGUMENTS = {
    REMEMBER: ("memory",),
    RECALL: ("query",),
    FORGET: ("what",),
    LIST: (),
    CORRECT: ("what", "memory"),
    ASK_LATER: ("what", "day"),
    REMIND: ("what", "when", "at"),
    WHO: ("topic",),
    READ_LINK: ("url",),
}
"""The arguments of each action, in the order in which the memory tool has them."""

_PURPOSES = {
    REMEMBER: "keep what, a short phrase in their language (has a dog named Rex)",
    RECALL: "look up more of them and past talks, by a few words",
    FORGET: "erase what, by number or words (of “that”: what was just said), or everything",
    LIST: "list all",
    CORRECT: "replace what (number or words) by detail, how they say it is; if only wrong, forget",
    ASK_LATER: "ask about what (how the exam went) from day detail on (on Friday, YYYY-MM-DD)",
    REMIND: "of what (call mum) when: detail in all their words, with zone and repetition (every "
    "Monday at 9 am EST); at: its first time as you understand it (2026-12-01T18:00+01:00)",
    WHO: "which others here told of topic what, one or two words (chess), when asked who else does",
}

LINK_TOOL = ToolDefinition(
    READ_LINK,
    "Read the page of a link, copied from the speaker's message or the one it replies to",
    object_schema(url={"type": "string"}),
)
"""Offered only for a message with a link, where the operator lets pages be read."""


def memory_tool(*without: str) -> ToolDefinition:
    """Return the tool for memory: one, as each tool costs a prompt 40 tokens of JSON.

    ``without``: the actions that are not possible here, such as REMIND in the terminal.
    """
    purposes = {name: text for name, text in _PURPOSES.items() if name not in without}
    text = {"type": ["string", "null"]}  # models leave out what an action does not need
    at = {} if REMIND in without else {"at": text}
    lines = "\n".join(f"{name}: {text}" for name, text in purposes.items())
    return ToolDefinition(
        MEMORY,
        f"The speaker's memory, when they ask for it (recall: at any time)\n{lines}",
        object_schema(
            action={"type": "string", "enum": list(purposes)},
            what=text,
            detail=text,
            **at,
        ),
    )


def as_action(call: ToolCall) -> ToolCall:
    """Return a call of the memory tool as a call of its action, with the action's arguments."""
    if call.name != MEMORY or call.malformed:
        return call
    action = str(call.arguments.get("action")).strip().casefold()
    what, *more = map(call.arguments.get, ("what", "detail", "at"))
    values = (str(what) if type(what) is int else what, *more)
    return replace(
        call, name=action, arguments=dict(zip(ARGUMENTS.get(action, ()), values, strict=False))
    )


def arguments_of(call: ToolCall, actions: Collection[str]) -> dict[str, Any] | None:
    """Return an action's arguments; None if it is none of ``actions`` or an argument is missing."""
    if call.name not in actions:
        return None
    arguments = {name: call.arguments.get(name) for name in ARGUMENTS[call.name]}
    arguments |= {name: "" for name in MAY_BE_MISSING if name in arguments and not arguments[name]}
    is_whole = all(
        isinstance(value, str) and (value.strip() or name in MAY_BE_MISSING)
        for name, value in arguments.items()
    )
    return arguments if is_whole else None
