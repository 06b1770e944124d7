"""What the chat model is offered. Pure tables."""

from collections.abc import Sequence
from typing import Any

from utils.models.llm import ToolCall, ToolDefinition, object_schema

REMEMBER, RECALL, FORGET, LIST, CORRECT, ASK_LATER, REMIND, READ_LINK, WHO = (
    *("remember", "recall", "forget", "list_memories", "correct", "ask_later", "remind"),
    *("read_link", "who"),
)
NOTES = frozenset({REMEMBER, CORRECT, ASK_LATER, REMIND})  # they note something of the message
DESTRUCTIVE = frozenset({FORGET, CORRECT})
READS = frozenset({RECALL, LIST, READ_LINK, WHO})
MAY_BE_MISSING = frozenset({"at"})


def _tool(name: str, description: str, **arguments: str) -> ToolDefinition:
    texts = {
        name: {
            "type": ["string", "null"] if name in MAY_BE_MISSING else "string",
            "description": words,
        }
        for name, words in arguments.items()
    }
    return ToolDefinition(name, description, object_schema(**texts))


TOOLS = (
    _tool(
        REMEMBER,
        "Keep something the speaker asks you to remember about themselves, in whatever words: in "
        'this message, or just before it ("keep that in mind").',
        memory="One short phrase without their name, in their language: has a dog named Rex",
    ),
    _tool(
        RECALL,
        "Look up what you know of the speaker and what you talked about with them before. When the "
        "background does not say what you need.",
        query="What to look for, in a few words of their language",
    ),
    _tool(
        FORGET,
        "Erase something about the speaker, or what you wanted to ask them, for good. When they "
        "ask you to forget, delete or not to keep something; they may be asked first.",
        what='The number of the memory, if you know it; else its words: of "forget that" what they '
        "said or you told them just before; everything: all there is about them",
    ),
    _tool(LIST, "List what you know about the speaker. When they ask for it."),
    _tool(
        CORRECT,
        "Put right something you know about the speaker, when they say how it really is. If they "
        "only say that it is wrong, forget it.",
        what="The number of the memory, if you know it; else what is no longer right, in its words",
        memory="How it really is, as one short phrase made of their own words",
    ),
    _tool(
        ASK_LATER,
        "Note to ask the speaker about something when they next talk to you from a day on. Only "
        "when they ask you to.",
        what="What to ask about, in their words: how the exam went",
        day="The day, as they said it (on Friday, tomorrow) or as YYYY-MM-DD",
    ),
    _tool(
        REMIND,
        "Send the speaker a reminder here at a time. Only when they ask you to remind them.",
        what="What to remind them of, in their words: call mum",
        when="The time in all their words, with zone and repetition: tomorrow at 6 pm EST, in 20 "
        "minutes, every Monday at 9",
        at="The same time as you understand it, ISO 8601 with its offset: 2026-12-01T18:00+01:00; "
        "of a repeated one the first",
    ),
)

WHO_TOOL = _tool(
    WHO,
    "Look up which other members of this server told you something about a topic. When the speaker "
    "asks who else, or whether anybody here, likes, plays, has, does or knows something.",
    topic="The topic alone, in one or two words of the members' language, without a verb: chess",
)
"""Offered in servers only."""

LINK_TOOL = _tool(
    READ_LINK,
    "Read the web page behind a link in the speaker's message, or in the message it replies to. "
    "When they want to know what it says.",
    url="The link, exactly as it is written there",
)
"""Offered only for a message with a link, where the operator lets pages be read."""


def without_reminders(tools: Sequence[ToolDefinition]) -> tuple[ToolDefinition, ...]:
    """Return the tools for where nothing delivers reminders, such as the terminal."""
    return tuple(tool for tool in tools if tool.name != REMIND)


def arguments_of(call: ToolCall, offered: Sequence[ToolDefinition]) -> dict[str, Any] | None:
    """Return a call's arguments; None if the tool is not offered or an argument is missing."""
    for tool in offered:
        if tool.name == call.name:
            arguments = {name: call.arguments.get(name) for name in tool.parameters["required"]}
            arguments |= {
                name: ""
                for name in MAY_BE_MISSING.intersection(arguments)
                if arguments[name] is None
            }
            is_whole = all(isinstance(argument, str) for argument in arguments.values())
            return arguments if is_whole else None
    return None
