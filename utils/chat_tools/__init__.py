"""Tools the chat model may call while it answers: remember, recall, forget, list, correct, and
asking about something later.

Each is bound to whoever speaks, and hears no more than those who read the answer may. What the
model hands over is a proposal: the message that is being answered must ask for it, carry what is
kept, and name what is forgotten or corrected. Each call is in the audit. Results are data for the
model, never instructions; they tell only of what may be recalled now, nothing that waits for
approval or is kept unused.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from utils.chat_tools import offered
from utils.chat_tools.naming import is_said, meant, shares_words
from utils.chat_tools.offered import TOOLS as TOOLS  # offered to the model by the conversation
from utils.clock import Clock
from utils.errors import BadInput
from utils.memory.cited import own_words
from utils.memory.coming_days import coming_day
from utils.memory.keeper import Keeper
from utils.memory.open_loops import OpenLoops
from utils.memory.reader import Reader
from utils.model.conversation import Turn
from utils.model.episode import OpenLoop
from utils.model.llm import ToolCall
from utils.model.memory import Memory
from utils.model.recall import Person
from utils.model.transfer import Statement
from utils.text import one_line

MOST_CALLS = 4
MOST_LISTED = 30
TOO_MANY = "Not done: that is too much at once."
RECALL_IS_OFF = (
    "Recall is switched off in this server, so nothing can be listed here; `/memory show` shows "
    "members, and only them, what is remembered of them."
)
KEPT_UNUSED = "Noted, but this server does not let it be used (yet)."
NOT_ASKED = "Not done: the speaker did not ask for that in this message."
NO_SUCH_TOOL = "There is no such tool, or something it needs is missing."
SEVERAL = "Several memories may be meant; `/memory forget` lets their owner choose."
SEVERAL_TO_CORRECT = "Several memories may be meant; `/memory correct` lets their owner choose."
NOTHING_FITS = "Nothing is remembered that fits."
WHEN = "On which day shall I ask? Say for example: on Friday, tomorrow, in two weeks."
NOT_SAID = "Say in this message what I shall ask about."
FORGOTTEN = "Forgotten, for good."
WENT_WITH_IT = (
    f"{FORGOTTEN} The message that asked for it was erased with it, and so was what had been noted "
    "from it just now: ask them to say that again in a message of its own."
)
IS_ERASED = (
    "Not done: this message was erased with what it asked to forget, so nothing can be noted from "
    "it. Ask them to say the rest again in a message of its own."
)
NOTES = frozenset({offered.REMEMBER, offered.CORRECT, offered.ASK_LATER})


@dataclass(frozen=True, slots=True)
class ChatTools:
    """The doors that the tools go through."""

    keeper: Keeper
    reader: Reader
    loops: OpenLoops
    clock: Clock

    def of(self, turn: Turn) -> "TurnTools":
        """Return the tools as the answer to one message may use them."""
        return TurnTools(self, turn)

    async def run(self, call: ToolCall, turn: Turn) -> str:
        """Carry out a single call; see :meth:`TurnTools.run`."""
        return await self.of(turn).run(call)


class TurnTools:
    """Carries out the calls of one turn, four at most.

    ``about_ids`` names those of whom the results tell.
    """

    def __init__(self, doors: ChatTools, turn: Turn) -> None:
        self.about_ids: tuple[int, ...] = ()
        self._doors = doors
        self._turn = turn
        self._member = turn.event.member
        self._said = turn.event.text
        self._calls = 0
        self._has_noted = self._is_erased = False
        self._carry_out: Mapping[str, Callable[..., Awaitable[str]]] = {
            offered.REMEMBER: self._remember,
            offered.RECALL: self._recall,
            offered.FORGET: self._forget,
            offered.LIST: self._list,
            offered.CORRECT: self._correct,
            offered.ASK_LATER: self._ask_later,
        }

    async def run(self, call: ToolCall) -> str:
        """Return what a call came to, in one sentence or a list; a wrong call says what is wrong.

        Raises DatabaseError when memory does not answer.
        """
        self._calls += 1
        if self._calls > MOST_CALLS:
            return TOO_MANY
        if call.malformed:
            return "That call could not be read; nothing was done."
        arguments = _arguments(call)
        if arguments is None:
            return NO_SUCH_TOOL
        await self._doors.loops.note_tool(self._member, call.name)
        if not offered.ASKS_FOR[call.name].search(self._said):
            return NOT_ASKED
        if self._is_erased and call.name in NOTES:
            return IS_ERASED
        try:
            return await self._carry_out[call.name](**arguments)
        except BadInput as refused:
            return f"Not done: {refused}"

    async def _remember(self, memory: str) -> str:
        turn = self._turn
        kept = await self._doors.keeper.remember(self._member, turn.event, memory, turn.audience)
        self._has_noted = True
        return f"Remembered: {kept.text}" if self._recallable([kept]) else KEPT_UNUSED

    async def _recall(self, query: str) -> str:
        """Look up what fits of the speaker, as before an answer, and tell it as the block does."""
        turn, event = self._turn, self._turn.event
        if not turn.settings.recall:
            return RECALL_IS_OFF
        found, _ = await self._doors.reader.recall_with_turns(
            turn.audience,
            [Person(event.author_id, event.author_name)],
            query,
            settings=turn.settings,
            channel_topics=turn.channel_topics,
            but=event.message_id,
        )
        self.about_ids += found.about_ids
        return found.block or NOTHING_FITS

    async def _forget(self, what: str) -> str:
        """Erase the one thing that is meant, and the message that asked for it with it.

        What waits for approval can be meant too, but is never told.
        """
        event, keeper = self._turn.event, self._doors.keeper
        rows, loops = meant(await self._rows(), what, self._said), await self._loops_meant(what)
        if not rows and not loops:
            return "Nothing like that is remembered; nothing was forgotten."
        if len(rows) + len(loops) > 1:
            open_ones = self._to_ask(loops) if self._turn.settings.recall else []
            told = _in_words(self._recallable(rows), open_ones)
            return f"{SEVERAL} Which one? {told}" if told else SEVERAL
        if rows and not await keeper.forget(self._member, rows[0].id):
            return "It was forgotten already."
        if loops:
            await self._doors.loops.drop(self._member, loops[0].id)
        await keeper.retract(event.guild_id, [event.message_id])
        self._is_erased = True
        return WENT_WITH_IT if self._has_noted else FORGOTTEN

    async def _list(self) -> str:
        if not self._turn.settings.recall:
            return RECALL_IS_OFF
        told = self._recallable(await self._rows())[:MOST_LISTED]
        listed = _in_words(told, self._to_ask(await self._loops()))
        return listed or "Nothing is remembered here yet."

    async def _correct(self, what: str, memory: str) -> str:
        """Put the speaker's words in the place of the one memory that is meant."""
        rows = meant(await self._rows(), what, self._said)
        if not rows:
            return "Nothing like that is remembered; nothing was corrected."
        if len(rows) > 1:
            told = _in_words(self._recallable(rows), [])
            return f"{SEVERAL_TO_CORRECT} Which one? {told}" if told else SEVERAL_TO_CORRECT
        said = Statement.in_message(memory, self._turn.event, self._turn.audience)
        kept = await self._doors.keeper.correct(self._member, rows[0].id, said)
        self._has_noted = True
        return f"Corrected: {kept.text}" if self._recallable([kept]) else KEPT_UNUSED

    async def _ask_later(self, what: str, day: str) -> str:
        """Note what to ask about and from when on; both must come from the message."""
        turn = self._turn
        zone = ZoneInfo(turn.settings.time_zone)
        due = coming_day(day, turn.event.created_at, zone)
        if due is None:
            raise BadInput(WHEN)
        if not is_said(what, own_words(self._said)):
            raise BadInput(NOT_SAID)
        loop = await self._doors.loops.ask_later(turn.event, what, due, zone)
        self._has_noted = True
        return f"Noted: at the first talk from {_date(loop, zone)} on, I ask about: {loop.text}"

    async def _rows(self) -> Sequence[Memory]:
        shown = await self._doors.reader.show(self._member, self._turn.audience.sources)
        return shown.rows

    async def _loops(self) -> list[OpenLoop]:
        return await self._doors.loops.of_member(self._member, self._turn.audience.sources)

    async def _loops_meant(self, what: str) -> list[OpenLoop]:
        """Return what is to be asked about and meant: by its words; where asking itself is meant,
        by any word of it, or all."""
        loops = await self._loops()
        found = meant(loops, what, self._said)
        if found or not offered.ASKS_TO_BE_ASKED.search(self._said):
            return found
        return [one for one in loops if shares_words(one.text, self._said)] or loops

    def _to_ask(self, loops: Sequence[OpenLoop]) -> list[str]:
        """Return in words what is to be asked about, and on which day of the server."""
        zone = ZoneInfo(self._turn.settings.time_zone)
        return [f"to ask about ({_date(one, zone)}): {one_line(one.text)}" for one in loops]

    def _recallable(self, rows: Sequence[Memory]) -> list[Memory]:
        """Return the rows that the model may be told of now."""
        now = self._doors.clock.now()
        return [row for row in rows if self._turn.settings.recall and row.is_live(now)]


def _arguments(call: ToolCall) -> dict[str, Any] | None:
    """Return what a call hands over; None for no tool of ours, or when something is missing."""
    for tool in TOOLS:
        if tool.name == call.name:
            wanted = tool.parameters["required"]
            given = {name: call.arguments.get(name) for name in wanted}
            return given if all(isinstance(one, str) for one in given.values()) else None
    return None


def _in_words(rows: Sequence[Memory], to_ask: Sequence[str]) -> str:
    return " | ".join([*(f"#{row.id} {one_line(row.text)}" for row in rows), *to_ask])


def _date(loop: OpenLoop, zone: ZoneInfo) -> str:
    return "when it fits" if loop.due_at is None else f"{loop.due_at.astimezone(zone):%d %B %Y}"
