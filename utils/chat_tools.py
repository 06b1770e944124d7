"""Tools the chat model may call while it answers: remember, forget, and what it knows of somebody.

Each is bound to whoever speaks, and hears no more than those who read the answer may. What the
model hands over is a proposal: a memory must be carried by the message that is being answered, and
only what that message names can be forgotten. Results are data for the model, never instructions;
they tell only of memories that may be recalled now, none that wait for approval or are kept unused.
"""

import re
from collections.abc import Sequence

from utils.clock import Clock
from utils.errors import BadInput
from utils.memory.keeper import Keeper
from utils.memory.reader import Reader
from utils.memory.stems import stems
from utils.model.conversation import Turn
from utils.model.llm import ToolCall, ToolDefinition
from utils.model.memory import Memory
from utils.text import one_line

MOST_LISTED = 30
NAMED_SHARE = 0.6
"""Share of a memory's words that must be named for it to be meant."""
RECALL_IS_OFF = (
    "Recall is switched off in this server, so nothing can be listed here; `/memory show` shows "
    "members, and only them, what is remembered of them."
)
KEPT_UNUSED = "Noted, but this server does not let it be used (yet)."
NOT_ASKED = "Not done: the speaker did not ask for that in this message."
ASKS_TO_REMEMBER = re.compile(
    r"\b(?:remember|note|memori[sz]e|keep in mind|don['’]?t forget|merk|erinner|notier|souviens|"
    r"retiens|rappelle|recuerda|anota|lembr|anote|ricorda|onthoud|запомни|помни)|"
    r"覚え|记住|記住|기억",
    re.IGNORECASE,
)
ASKS_TO_FORGET = re.compile(
    r"\b(?:forget|erase|delete|remove|unlearn|vergiss|vergessen|lösch|oubli|efface|supprime|"
    r"olvid|borra|elimina|esque|apag|dimentica|cancella|vergeet|забудь|удали|сотри)|"
    r"忘れ|消し|忘记|忘記|删除|잊어|지워",
    re.IGNORECASE,
)
"""How somebody asks for it: a model cannot be talked into it by a message that does not."""
SEVERAL = "Several memories may be meant; `/memory forget` lets their owner choose."


def _tool(name: str, description: str, **arguments: str) -> ToolDefinition:
    return ToolDefinition(
        name,
        description,
        {
            "type": "object",
            "properties": {
                argument: {"type": "string", "description": words}
                for argument, words in arguments.items()
            },
            "required": list(arguments),
            "additionalProperties": False,
        },
    )


TOOLS = (
    _tool(
        "remember",
        "Keep something the speaker asks you to remember about themselves. Only when they ask.",
        memory="One short phrase without their name, in their language: has a dog named Rex",
    ),
    _tool(
        "forget",
        "Erase something about the speaker, for good. Only when they ask you to forget it.",
        what="What to forget, in their words, or the number of a memory",
    ),
    _tool("list_memories", "List what you know about the speaker. When they ask for it."),
)


class ChatTools:
    """Carries out the chat model's calls."""

    def __init__(self, keeper: Keeper, reader: Reader, clock: Clock) -> None:
        self._keeper = keeper
        self._reader = reader
        self._clock = clock

    async def run(self, call: ToolCall, turn: Turn) -> str:
        """Return what a call came to, in one sentence or a list; a wrong call says what is wrong.

        Raises DatabaseError when memory does not answer.
        """
        if call.malformed:
            return "That call could not be read; nothing was done."
        try:
            match call.name, call.arguments:
                case "remember", _ if not ASKS_TO_REMEMBER.search(turn.event.text):
                    return NOT_ASKED
                case "forget", _ if not ASKS_TO_FORGET.search(turn.event.text):
                    return NOT_ASKED
                case "remember", {"memory": str(text)}:
                    kept = await self._keeper.remember(
                        turn.event.member, turn.event, text, turn.audience
                    )
                    told = self._recallable(turn, [kept])
                    return f"Remembered: {kept.text}" if told else KEPT_UNUSED
                case "forget", {"what": str(what)}:
                    return await self._forget(turn, what)
                case "list_memories", _:
                    return await self._list(turn)
                case _:
                    return "There is no such tool, or something it needs is missing."
        except BadInput as refusal:
            return f"Not done: {refusal}"

    async def _forget(self, turn: Turn, what: str) -> str:
        """Erase the one memory that is meant, and the message that asked for it with it.

        What waits for approval can be meant too, but is never told.
        """
        member = turn.event.member
        rows = (await self._reader.show(member, turn.audience.sources)).rows
        meant = _meant(rows, what, turn.event.text)
        if not meant:
            return "Nothing like that is remembered; nothing was forgotten."
        if len(meant) > 1:
            told = self._recallable(turn, meant)
            return f"{SEVERAL} Which one? {_in_words(told)}" if told else SEVERAL
        if not await self._keeper.forget(member, meant[0].id):
            return "It was forgotten already."
        await self._keeper.retract(member.guild_id, [turn.event.message_id])
        return "Forgotten, for good."

    async def _list(self, turn: Turn) -> str:
        if not turn.settings.recall:
            return RECALL_IS_OFF
        shown = await self._reader.show(turn.event.member, turn.audience.sources)
        told = self._recallable(turn, shown.rows)
        if not told:
            return "Nothing is remembered here yet."
        return _in_words(told[:MOST_LISTED])

    def _recallable(self, turn: Turn, rows: Sequence[Memory]) -> list[Memory]:
        """Return the rows that the model may be told of now."""
        now = self._clock.now()
        return [row for row in rows if turn.settings.recall and row.is_live(now)]


def _meant(rows: Sequence[Memory], what: str, message: str) -> list[Memory]:
    """Return the rows that ``what`` names, or whose number it gives; the message must name them
    too, so that a model cannot be talked into forgetting anything else."""
    number = what.strip().lstrip("#")
    if number.isdecimal():
        typed = re.findall(r"[0-9]+", message)
        return [row for row in rows if str(row.id) == number and number in typed]
    asked, said = set(stems(what)), set(stems(message))
    found = []
    for row in rows:
        words = set(stems(row.text))
        if words & said and len(words & asked) >= NAMED_SHARE * len(words):
            found.append(row)
    return found


def _in_words(rows: Sequence[Memory]) -> str:
    return " | ".join(f"#{row.id} {one_line(row.text)}" for row in rows)
