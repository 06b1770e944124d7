"""What the chat model is offered, and how people ask for it. Pure tables."""

import re
from collections.abc import Sequence
from typing import Any

from utils.models.llm import ToolCall, ToolDefinition, object_schema

REMEMBER, RECALL, FORGET, LIST, CORRECT, ASK_LATER, REMIND, READ_LINK = (
    *("remember", "recall", "forget", "list_memories", "correct", "ask_later", "remind"),
    "read_link",
)
NOTES = frozenset({REMEMBER, CORRECT, ASK_LATER, REMIND})  # they note something of the message
_ANY = re.compile("")
_ASKS_TO_REMEMBER = re.compile(
    r"\b(?:remember|note|memori[sz]e|keep in mind|don['’]?t forget|write (?:it |this |that )?down|"
    r"merk|erinner|notier|speichere? (?:bitte )?dir|schreib (?:(?:es|das|dir|bitte) ){1,3}auf|"
    r"vergiss (?:bitte )?nicht|denk (?:bitte )?da?ran|behalte? (?:\w+ )?im (?:hinter)?kopf|"
    r"souviens|retiens|rappelle|recuerda|anota|lembr|anote|ricorda|onthoud|запомни|помни)|"
    r"覚え|记住|記住|기억",
    re.IGNORECASE,
)
_ASKS_TO_FORGET = re.compile(
    r"\b(?:(?<!don't )(?<!don’t )(?<!dont )(?<!do not )(?<!never )forget|erase|delete|remove|"
    r"unlearn|(?:don['’]?t|stop) remember|vergiss(?! (?:(?:bitte|mir|ja|das|es) )?(?:nicht|nie)\b)|"
    r"vergessen|lösch|(?:entferne?|streiche?)n?\b|nicht mehr (?:merken|speichern)|"
    r"oubli|efface|supprime|olvid|borra|elimina|esque|apag|dimentica|cancella|vergeet|забудь|удали|сотри)|"
    r"忘れ|消し|忘记|忘記|删除|잊어|지워",
    re.IGNORECASE,
)
_ASKS_TO_CORRECT = re.compile(
    r"\b(?:correct|fix|update|change|wrong|mistaken|actually|instead|anymore|any more|no longer|"
    r"not?\b|wait|meant|(?:is|are|was|were|do|does|did|have|has)n['’]?t\b|"
    r"korrigier|berichtig|änder|falsch|nein\b|nicht\b|keine?|meinte|eigentlich|sondern|corrig|"
    r"rectifi|faux|fausse|en fait|en réalité|ne \w+ plus|incorrect|en realidad|ya no|cambi|"
    r"equivoca|na verdade|já não|não \w+ mais|errad|mud[ae]|in realtà|non \w+ più|sbagliat|"
    r"eigenlijk|klopt niet|niet meer|verander|исправь|поправь|неверно|неправда|на самом деле|"
    r"больше не)|訂正|違う|改正|更正|不对|不對|其实|其實|고쳐|아니라",
    re.IGNORECASE,
)
ASKS_TO_BE_ASKED = re.compile(
    r"\b(?:ask(?:ing)? me|check (?:back|in|up)|follow up|remind me|bring (?:it|this|that) up|"
    r"frag\w* (?:du )?mich|mich (?:\w+ ){0,6}frag|mich (?:\w+ ){0,6}erinnern|"
    r"hak\w* (?:\w+ ){0,4}nach|frag (?:\w+ ){1,4}nach|erinner\w* mich|"
    r"demande[sr]?[- ]moi|redemande|rappelle[- ]moi|me demander|pregúntame|preguntarme|recuérdame|"
    r"pergunt[ae][- ]me|me pergunt|lembr[ae][- ]me|me lembr|chiedimi|chiedermi|ricordami|"
    r"vraag me|herinner me|спроси меня|спросить меня|напомни)|聞いて|訊いて|问我|問我|提醒我|물어",
    re.IGNORECASE,
)
"""How somebody asks for it: a model cannot be talked into it by a message that does not."""

ASKS_FOR = {
    REMEMBER: _ASKS_TO_REMEMBER,
    RECALL: _ANY,
    FORGET: _ASKS_TO_FORGET,
    LIST: _ANY,
    CORRECT: _ASKS_TO_CORRECT,
    ASK_LATER: ASKS_TO_BE_ASKED,
    REMIND: ASKS_TO_BE_ASKED,
    READ_LINK: _ANY,
}
"""What a message must hold for each tool; reading needs no asking."""


def _tool(name: str, description: str, **arguments: str) -> ToolDefinition:
    texts = {name: {"type": "string", "description": words} for name, words in arguments.items()}
    return ToolDefinition(name, description, object_schema(**texts))


TOOLS = (
    _tool(
        REMEMBER,
        "Keep something the speaker asks you to remember about themselves. Only when they ask.",
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
        "Erase something about the speaker, or what you wanted to ask them, for good. Only when "
        "they ask you to forget it.",
        what="The number of the memory, if you know it; else what to forget, in their own words",
    ),
    _tool(LIST, "List what you know about the speaker. When they ask for it."),
    _tool(
        CORRECT,
        "Put right something you know about the speaker. Only when they say that it is otherwise.",
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
        when="The time, as they said it: tomorrow at 6, on Friday, in 20 minutes",
    ),
)

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
            is_whole = all(isinstance(argument, str) for argument in arguments.values())
            return arguments if is_whole else None
    return None
